"""What commands print, as a terminal shows it: columns, lines that end at words, bars."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unicodedata
from typing import Final

import pytest

from dalej.cli import terminal

SLOW: Final = ("rich.table", "rich.console", "rich.progress", "textual")


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing says how many columns there are, as in a file."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.mark.usefixtures("wide")
def test_columns_stand_below_each_other_whatever_letters_are_made_of(capsys: pytest.CaptureFixture[str]) -> None:
    apart = unicodedata.normalize("NFD", "Żółw")  # as some systems write accents: letters and marks
    terminal.table(("player", "points", "games"), [(name, "12", "4") for name in (apart, "Żółw", "李明")], numbers=(1,))

    assert capsys.readouterr().out.splitlines() == [
        "player  points  games", f"{apart}        12  4", "Żółw        12  4", "李明        12  4",
    ]  # fmt: skip


@pytest.mark.usefixtures("wide")
def test_in_a_file_no_line_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    long = "李明 " * 100
    terminal.say_wrapped(long)
    terminal.table(("who", "why"), [("a", long + "x")], wraps=(1,))

    assert len(capsys.readouterr().out.splitlines()) == 1 + 2


def test_what_has_no_room_is_broken_at_words_by_what_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal.say_wrapped("Lis and 李明李明 play, Zo\u0301\u0142w too")
    terminal.table(("table", "players"), [("1", "李明, Lis, Żółw, Sarna")], wraps=(1,))

    assert capsys.readouterr().out.splitlines() == [
        "Lis and 李明李明", "play, Zo\u0301\u0142w too",
        "table  players", "1      李明, Lis,", "       Żółw, Sarna",
    ]  # fmt: skip


def test_a_word_longer_than_a_line_goes_on_on_the_next(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "8")
    terminal.say_wrapped("in /very/long/path it is")

    assert capsys.readouterr().out.splitlines() == ["in", "/very/lo", "ng/path", "it is"]


BEGIN_TO_END: Final = """
from dalej.cli.terminal import bar
with bar(stays={stays}) as show:
    show("Copying [a].py (1 of 2)", 1, 2)
    show("Copying b.py (2 of 2)", 2, 2)
print("done")
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no such terminal on Windows to write to and read from")
@pytest.mark.parametrize("stays", [True, False])
def test_a_bar_stays_on_one_line_and_leaves_or_goes_as_it_is_told(*, stays: bool) -> None:
    printed = in_a_terminal(BEGIN_TO_END.format(stays=stays), columns=60)

    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed))
    assert lines[-2:] == ["done", ""]
    assert all(len(line) <= 60 for line in lines)
    assert any(line.startswith("Copying b.py (2 of 2) ━━━") for line in lines)
    assert ("\x1b[1A\x1b[2K" in printed) != stays, "the line is wiped"


def in_a_terminal(program: str, columns: int) -> str:
    """What a terminal of that width gets of it."""
    import fcntl
    import struct
    import termios

    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=its, env={**environment, "TERM": "xterm", "PYTHONUTF8": "1"}
    ) as process:
        os.close(its)
        printed = b""
        try:
            while more := os.read(ours, 4_096):
                printed += more
        except OSError:  # how Linux says that nobody writes any more
            pass
        finally:
            os.close(ours)
        assert process.wait(60) == 0
    return printed.decode()


@pytest.mark.parametrize("printing", [False, True])
def test_a_command_loads_no_more_of_rich_than_it_needs(*, printing: bool) -> None:
    table = "from dalej.cli import terminal; terminal.table(('a',), [('ż',)]);" if printing else ""
    program = f"import sys, dalej.cli.program; dalej.cli.program.app(); {table} print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True, timeout=60)

    names = loaded.stdout.split()
    assert ("rich.cells" in names) == printing
    assert not {*SLOW} & {*names}
