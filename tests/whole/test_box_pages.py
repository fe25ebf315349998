"""The pages that begin with an empty board: their commands are run against one, in their order.

The board is MicroPython's own machine on a pty (`tests.board.cable`), with nothing on its flash. What would need a ROM
loader, a radio or a person is replaced by what comes nearest, and only that: see `NEAREST`.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from dalej.event.ledger import Ledger
from dalej.event.reading import read
from moveclock import facts as k
from tests.board.cable import plugged_in
from tests.boxes.firmware.esp import micropython
from tests.documents import ROOT, commands, section

PORT: Final = "/dev/ttyUSB0"
BINARY: Final = "ESP32_GENERIC.bin"
RUN: Final = "dalej run friday.dalej"
PASSPHRASE: Final = "four animals at one table\n"
# A page's command -> what is run, and the exit code it has here.
NEAREST: Final = {
    f"dalej box install --micropython {BINARY}": (f"dalej box image board.img --micropython {BINARY}", 0),
    f"dalej box test {PORT}": (f"dalej box test {PORT} --seconds 1", 1),
    f"dalej box test {PORT} --seconds 5": (f"dalej box test {PORT} --seconds 5", 1),  # nobody pressed anything
    "dalej screen friday.dalej": ("dalej log show friday.dalej", 0),
    "dalej capacity": ("dalej capacity --help", 0),  # they run over Bumble in tests/desk/evening
    "dalej latency 1": ("dalej latency --help", 0),
    "dalej box keys export club-keys.json": ("dalej box keys export club-keys.json --passphrase-stdin", 0),
    "dalej box keys import club-keys.json": ("dalej box keys import club-keys.json --passphrase-stdin", 0),
    "dalej box keys renew": ("dalej box keys renew --yes", 0),
}
SERVED_WITHIN_S: Final = 60

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a board behind")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the commands are typed."""
    typed = tmp_path / "typed"
    shutil.copytree(ROOT / "examples", typed / "examples")
    (typed / BINARY).write_bytes(micropython())
    return typed


@pytest.mark.long(600)
@pytest.mark.parametrize("page", ["README.md", pytest.param("docs/boxes.md", marks=pytest.mark.torture)])
def test_an_empty_board_becomes_a_table_in_the_hall_as_the_page_says(page: str, folder: Path, tmp_path: Path) -> None:
    typed = [command.removeprefix(".venv/bin/") for _, command in _commands(page)]
    if page == "README.md":  # the page writes with esptool what is copied here
        typed.insert(1, f"dalej box install {PORT} --name 1")
    env = _env(tmp_path / "club")

    with plugged_in(tmp_path / "board") as (port, _):
        for command in typed:
            if command == RUN:
                _serve(shlex.split(f"{command} --no-bluetooth --usb {port}"), folder, env)
                continue
            run, code = NEAREST.get(command, (command, 0))
            done = subprocess.run(
                shlex.split(run.replace(PORT, port)), cwd=folder, env=env, input=PASSPHRASE * 2, check=False,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=100,
            )  # fmt: skip
            assert done.returncode == code, f"{page}: {run!r} ended with {done.returncode}:\n{done.stdout}"

    assert _is_set_up(folder / "friday.dalej")


def test_the_readme_and_the_page_name_the_same_micropython() -> None:
    for page in ("README.md", "docs/boxes.md"):
        assert f"--micropython {BINARY}" in (ROOT / page).read_text(encoding="utf-8")


def _commands(page: str) -> list[tuple[int, str]]:
    shown = list(commands(ROOT / page))
    if page == "README.md":
        lines = section(ROOT / page, "Build a box")
        shown = [(number, command) for number, command in shown if number in lines]
    return [(number, command) for number, command in shown if "dalej " in command]


def _serve(command: list[str], folder: Path, env: dict[str, str]) -> None:
    """The desk, until it has set up the table; then Ctrl-C."""
    with subprocess.Popen(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as desk:  # fmt: skip
        deadline = time.monotonic() + SERVED_WITHIN_S
        try:
            while not _is_set_up(folder / "friday.dalej"):
                assert desk.poll() is None, desk.communicate(timeout=30)[0]
                assert time.monotonic() < deadline, "the table was not set up"
                time.sleep(0.2)
        finally:
            desk.send_signal(signal.SIGINT)
            said = desk.communicate(timeout=30)[0]
    assert desk.returncode == 0, said


def _is_set_up(event: Path) -> bool:
    """Whether a desk has given the table its settings, and the box has said so."""
    with Ledger.open(event) as ledger:
        return any(told.fact.kind == k.CONFIGURED and told.fact.code == k.DESK for told in read(ledger).facts())


def _env(club: Path) -> dict[str, str]:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {
        **os.environ, "PATH": programs, "LANGUAGE": "en", "PYTHONIOENCODING": "utf-8", "DALEJ_HOME": str(club),
        "DALEJ_WHO": "Sowa",
    }  # fmt: skip
