"""Other programs: what they print comes as it comes, and none is left running."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from dalej.boxes.firmware import programs
from dalej.boxes.firmware.programs import ProgramFailed


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module that `programs.lines` finds as "told"; what it does is written into it."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(programs.PACKAGES, "told", "told")
    return tmp_path / "told.py"


def test_lines_come_one_by_one_and_a_progress_bar_is_lines_too(program: Path) -> None:
    program.write_text("import sys; sys.stdout.write('one\\n10 %\\r20 %\\r\\n\\nza\\u017c\\u00f3\\u0142\\u0107')")

    assert list(programs.lines("told", [], silent_s=20)) == ["one", "10 %", "20 %", "zażółć"]


def test_an_error_at_the_end_carries_what_was_printed(program: Path) -> None:
    program.write_text("import sys; print('begun'); print('fatal Error: no chip', file=sys.stderr); sys.exit(3)")

    with pytest.raises(ProgramFailed) as failed:
        list(programs.lines("told", [], silent_s=20))
    assert failed.value.lines == ["begun", "fatal Error: no chip"]
    assert failed.value.says("no chip")
    assert failed.value.reason == "fatal Error: no chip"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("OSError: [Errno 5] EIO", os.strerror(5)),
        ("OSError: [Errno 28]", os.strerror(28)),
        ("serial.serialutil.SerialException: [Errno 6] could not open port /dev/x: [Errno 6] No such", os.strerror(6)),
        ("termios.error: (5, 'Input/output error')", os.strerror(5)),
        ("serial.serialutil.SerialException: device reports readiness", "device reports readiness"),
        ("mpremote.transport.TransportError: could not enter raw repl", "could not enter raw repl"),
        ("A fatal error occurred: No serial data received.", "A fatal error occurred: No serial data received."),
    ],
)
def test_what_the_system_said_is_in_the_systems_words(line: str, said: str) -> None:
    assert ProgramFailed([line]).reason == said


def test_one_that_says_nothing_is_ended(program: Path) -> None:
    program.write_text("import threading; threading.Event().wait()")

    with pytest.raises(ProgramFailed) as failed:
        list(programs.lines("told", [], silent_s=0.5))
    assert (failed.value.lines, failed.value.reason) == ([], "")


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process that is asked whether it is there")
def test_who_stops_reading_ends_it(program: Path) -> None:
    program.write_text("import os, threading; print(os.getpid(), flush=True); threading.Event().wait()")

    reading = programs.lines("told", [], silent_s=20)
    number = int(next(iter(reading)))
    reading.close()  # type: ignore[attr-defined]  # a generator

    with pytest.raises(ProcessLookupError):
        os.kill(number, signal.SIG_DFL)


def test_a_file_beside_it_is_not_taken_for_a_module_of_its(program: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "json.py").write_text("raise SystemExit('the wrong one')")
    program.write_text("import json; print(json.dumps(1))")

    assert list(programs.lines("told", [], folder=tmp_path / "folder", silent_s=20)) == ["1"]
