"""What the guide says that `dalej box test` prints while a box is being built is what it prints: bare, one side, whole.

The firmware runs on MicroPython's own machine behind a pty, with as many displays as the box has at that stage.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, NamedTuple

import pytest

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.words import _, speak
from moveclock import identity
from tests.board.board import Machine, install
from tests.board.cable import BoardInAThread, plugged_in
from tests.cli.club import at_home
from tests.firmware.edge import GOOD_MV, PINS, UID, machine
from tests.hardware.guide import FOLDER, fences
from tests.processes import bounded

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a box behind")
SECONDS: Final = 240  # a person is quicker, and so is this test; a busy computer may not be
WITHIN_S: Final = 2 * SECONDS  # with what the program and the board need besides; a test of this folder may take 600 s


class Stage(NamedTuple):
    """A box half built: its displays, whether a battery is on its pin, which buttons are there."""

    displays: tuple[int, ...]
    battery: bool
    buttons: tuple[int, ...]

    @property
    def before(self) -> int:
        """Lines before the first press: three, the battery or what is wrong with it, and a line for each fault."""
        return 3 + 1 + 4 - len(self.displays)

    @property
    def machine(self) -> Machine:
        return machine(i2c=self.displays, millivolts={str(PINS.battery): GOOD_MV} if self.battery else {})


STAGES: Final = {
    "bare": Stage((), False, ()),
    "side": Stage((0x70,), True, PINS.buttons[:2]),
    "whole": Stage((0x70, 0x71, 0x72, 0x73), True, (*PINS.buttons, PINS.sedzia, PINS.kostka)),
}


def told(page: Path, stage: str) -> list[str]:
    """What the guide says is printed."""
    (block,) = fences(page.read_text(encoding="utf-8"), f"text {stage}")
    return block.splitlines()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A board with firmware that is box 1 of a club."""
    club = at_home(tmp_path / "club", monkeypatch)
    keys = ClubKeys(club, os.urandom)
    keys.make()
    OwnBoxes(club).keep(OwnBox(UID.hex(), "1", identity.KOSTKA, 1_700_000_000_000))
    flash = tmp_path / "board" / "flash"
    flash.mkdir(parents=True)
    install(flash)
    (flash / identity.FILE).write_bytes(identity.Identity(identity.KOSTKA, UID, keys.of_box(UID)).pack())
    return tmp_path / "board"


def printed(folder: Path, stage: Stage, language: str) -> tuple[list[str], int]:
    """What the test prints while each button is pressed in turn, and its exit code."""
    env = {**os.environ, "LANGUAGE": language, "PYTHONIOENCODING": "utf-8"}
    dalej = Path(sys.executable).with_name("dalej")
    with (
        plugged_in(folder, stage.machine) as (port, board),
        subprocess.Popen(
            [dalej, "box", "test", port, "--seconds", str(SECONDS)], env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
        ) as testing,
        bounded(testing, WITHIN_S),
    ):  # fmt: skip
        assert testing.stdout is not None
        lines = list(_until(testing.stdout, stage.before))
        for pin in stage.buttons:
            lines += _pressed(board, pin, testing.stdout)
        if len(stage.buttons) < len(PINS.buttons):
            testing.send_signal(signal.SIGINT)
        lines += [line.rstrip("\n") for line in testing.stdout]
    return lines, testing.returncode


def _until(output: IO[str], count: int) -> Iterator[str]:
    for _place in range(count):
        yield output.readline().rstrip("\n")


def _pressed(board: BoardInAThread, pin: int, output: IO[str]) -> list[str]:
    board.call(lambda there: there.press(pin, 120))
    return [output.readline().rstrip("\n")]


def at_a_terminal(lines: list[str]) -> list[str]:
    """The same as somebody reads it at a terminal, where a key ends the test."""
    ends = re.escape(_("The test ends by itself after {seconds} s.")).replace(r"\{seconds\}", r"\d+")
    return [_("q ends the test.") if re.fullmatch(ends, line) else line for line in lines]


@pytest.mark.parametrize(
    ("language", "stage"),
    [
        ("en", "bare"),
        *[
            pytest.param(language, stage, marks=pytest.mark.torture)
            for language, stage in (("pl", "bare"), ("en", "side"), ("pl", "side"), ("en", "whole"), ("pl", "whole"))
        ],
    ],
)
def test_the_guide_shows_what_is_printed(
    folder: Path, language: str, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    speak()

    lines, code = printed(folder, STAGES[stage], language)

    assert at_a_terminal(lines) == told(FOLDER / f"{language}.md", stage)
    assert code == (0 if stage == "whole" else 1)
