"""Turns of a table on paper, as a screen is told of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dalej.views.rows import SeenTurn
from tests.tui.paper import NAMES
from tests.views.timed import a_turn

TURN: Final = a_turn(12_340, box="0a", epoch=1, seq=9, move=7, seat=1)


def seen(clause: str = "", ruled_by: str = "", **changes: object) -> SeenTurn:
    turn = replace(TURN, **changes)  # type: ignore[arg-type]  # whatever a test changes
    return SeenTurn(turn, NAMES[0][turn.seat], clause, ruled_by)


def late(**changes: object) -> SeenTurn:
    ruled = {"how": "timeout", "ruling": "undone", "tiles": 1, "clause": "6h", "ruled_by": "table"}
    return seen(**ruled | changes)  # type: ignore[arg-type]  # as above
