"""`dalej` in this process, in an empty folder and with a club of its own; a board on a cable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.board.cable import BoardInAThread, plugged_in
from tests.boxes.firmware.club import environment
from tests.cli.conftest import Program, program


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The club's folder."""
    return tmp_path / "home"


@pytest.fixture
def dalej(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    """`dalej("box", …)`, in English."""
    for name, value in environment(home).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return program(capsys)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[BoardInAThread]:
    """A board on a cable, with MicroPython and nothing else."""
    with plugged_in(tmp_path / "board") as (_, plugged):
        yield plugged
