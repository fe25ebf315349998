"""`dalej box …` at the port of a virtual board: the firmware as it is on a box, in MicroPython's own interpreter."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dalej.boxes.secret import NO_KEYRING
from tests.board.board import VirtualBoard, install
from tests.board.cable import BoardInAThread, plugged_in
from tests.cli.conftest import Program
from tests.firmware.edge import DISPLAY, PINS, UID, machine, pressed

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a box behind")


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    variable, _, value = NO_KEYRING.partition("=")
    monkeypatch.setenv(variable, value)
    monkeypatch.setenv("DALEJ_HOME", str(tmp_path / "club"))
    return tmp_path / "club"


def let_go(board: BoardInAThread, *contacts: int) -> None:
    """The fingers that were on the buttons at power-on, once the box shows that it has seen them."""

    async def release(there: VirtualBoard) -> None:
        await there.until(lambda: there.digits(DISPLAY).strip())
        for contact in contacts:
            there.edge(PINS.buttons[contact], 1)

    board.call(release)


def test_a_board_with_the_firmware_is_paired_talked_to_and_read(dalej: Program, club: Path, tmp_path: Path) -> None:
    (tmp_path / "board").mkdir()
    install(tmp_path / "board" / "flash")
    with plugged_in(tmp_path / "board", machine(held=pressed(0, 1))) as (port, board):
        let_go(board, 0, 1)
        paired = dalej("box", "pair", port, "--name", "7")
        info = dalej("box", "info", port, "--json")
        blink = dalej("box", "blink", port)
        log = dalej("box", "log", port, "--json")
        set_up = dalej("box", "set", port, "--limit", "40")

    assert (paired.code, paired.err) == (0, "")
    assert paired.out.startswith(f"Box 7 (uid {UID.hex()}) is paired with this club: write “7” on it.\nThe club's")
    assert (info.code, info.err) == (0, "")
    assert (info.objects[0]["state"], info.objects[0]["this_club"]) == ("idle", True)
    assert (blink.code, blink.err) == (0, "")
    assert [line["fact"] for line in log.objects][:1] == ["booted"]
    assert log.objects[-1]["command"] == "blink"
    assert set_up.out.startswith("Box 7 is ready for game 1: 40.0 s a move")
