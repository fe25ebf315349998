"""The straight line of the README, played: an empty board, a box, a table in the hall, a game, a power cut, a spare.

Everything is as people have it but the board and its cable: the program itself, the firmware in MicroPython's own
machine, a serial port of this system. A cable is plugged in when its port's name appears.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.board.board import Machine
from tests.board.cable import BoardInAThread, plugged_in
from tests.documents import ROOT
from tests.whole.attable import A, AtTable, B, C, D
from tests.whole.typed import INSTALLED_WITHIN_S, NO_TERMINALS, Typed

EVENT: Final = "friday.dalej"
SPARE: Final = Machine(uid=(0x24, 0x6F, 0x28, 0xAB, 0xCD, 2))
SPARE_WITHIN_S: Final = 20  # a port is left alone for longer than that if nobody wants the box at it
GAME_1: Final = Counter([(1, 1, "A", "juz"), (1, 2, "B", "dalej"), (1, 3, "C", "juz"), (1, 4, "D", "empty_rack")])
GAME_2: Final = Counter([(2, 1, "B", "juz"), (2, 2, "C", "juz"), (2, 3, "D", "juz"), (2, 4, "A", "empty_rack")])

pytestmark = pytest.mark.skipif(NO_TERMINALS, reason="Windows has no pseudo-terminals to put a board behind")


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    folder = tmp_path / "typed"
    shutil.copytree(ROOT / "examples", folder / "examples")
    return Typed(folder, tmp_path / "club")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[BoardInAThread]:
    """A board with MicroPython and nothing else."""
    with plugged_in(tmp_path / "board") as (_, plugged):
        yield plugged


@pytest.fixture
def spare(tmp_path: Path) -> Iterator[BoardInAThread]:
    """Another one."""
    with plugged_in(tmp_path / "spare", SPARE) as (_, plugged):
        yield plugged


@pytest.mark.long(600)
def test_an_empty_board_becomes_a_table_whose_turns_are_logged_once_through_a_power_cut_and_a_spare_box(
    typed: Typed, board: BoardInAThread, spare: BoardInAThread
) -> None:
    cable, spare_cable = typed.folder / "cable", typed.folder / "spare-cable"
    _plug_in(cable, board)

    assert "is paired" in typed("box", "install", cable.name, "--name", "1")
    _leave_firmware(board, spare)
    with typed.begin("box", "install", spare.port.result(), "--name", "2") as installing:
        assert _tells(typed("box", "info", str(cable)), "paired", "with this club")
        typed("event", "new", EVENT, "--ruleset", "school-league")
        typed("players", "import", EVENT, "examples/league-players.csv")
        typed("seat", "draw", EVENT, "--seed", "7")
        assert "Box 1 stands on table 1" in typed("box", "assign", EVENT, "1", "1")
        assert installing.ended(INSTALLED_WITHIN_S) == 0, installing.said

    with typed.begin("run", EVENT, "--no-bluetooth", "--usb", str(cable), "--usb", str(spare_cable)) as desk:
        desk.until("table 1: box 1 is set up for game 1, seats ABCD")
        table = AtTable(typed.folder / EVENT, board)
        table.sees("0:40")
        table.starts(A)
        table.juz(A)
        table.draws_and_passes(B)
        table.juz(C)
        table.shows_an_empty_rack(D)
        assert _logged(typed) == GAME_1
        assert "played, not entered (went out, D)" in typed("results", "list", EVENT)

        table.begins_the_next_game()
        table.starts(B)
        table.juz(B)
        table.loses_its_power_for_a_moment()
        table.goes_on()
        table.juz(C)
        table.finds_its_box_dead()

        _plug_in(spare_cable, spare)
        desk.until(f"box 2 at {spare_cable} is none of this event's")
        assert "in the place of box 1" in typed("box", "assign", EVENT, "2", "1")
        desk.until("table 1: box 2 goes on with game 2, move 3, seat D", SPARE_WITHIN_S)
        table.board = spare
        table.goes_on()
        table.juz(D)
        table.shows_an_empty_rack(A)

        assert desk.interrupt() == 0, desk.said
        assert desk.said.endswith("The desk has left its boxes; they keep what happens from now on.\n")
    assert _logged(typed) == GAME_1 + GAME_2
    assert "verify: clean" in typed("log", "verify", EVENT)


def _plug_in(cable: Path, board: BoardInAThread) -> None:
    cable.symlink_to(board.port.result())


def _leave_firmware(installed: BoardInAThread, board: BoardInAThread) -> None:
    """As an earlier install that was cut short has left a board: the firmware, and nothing that makes it a box."""
    apart = shutil.ignore_patterns("main.*", "identity", "journal", "settings")
    shutil.copytree(installed.board.flash, board.board.flash, dirs_exist_ok=True, ignore=apart)


def _logged(typed: Typed) -> Counter[tuple[int, int, str, str]]:
    """How often the log of turns shows each move: game, move, seat, how."""
    turns = [json.loads(line) for line in typed("log", "show", EVENT, "--table", "1", "--json").splitlines()]
    return Counter((turn["game"], turn["move"], turn["seat"], turn["how"]) for turn in turns)


def _tells(printed: str, label: str, value: str) -> bool:
    return any(line.split(maxsplit=1) == [label, value] for line in printed.splitlines())
