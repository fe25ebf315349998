"""Turns written by hand for those who look at how long they took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from dalej.domain.game.turns import Turn
from dalej.views.movetimes import MoveTime, MoveTimes, Whose
from dalej.views.rows import SeenTurn
from tests.domain.tables import BOX, EPOCH

LIMIT_MS: Final = 40_000


def a_turn(elapsed_ms: int | None = 20_000, **changes: object) -> Turn:
    """An ordinary move of seat A, ended with Już, unless told otherwise."""
    turn = Turn(
        box=BOX, epoch=EPOCH, seq=1, game=1, move=1, seat=0, elapsed_ms=elapsed_ms,
        how=None if elapsed_ms is None else "juz", drawn=False, tiles=0, ruling=None, flags=(), stopped_ms=0, stops=(),
        overrun_ms=None, started=(1, 0), ended=None, partial=False, void=False, given_ms=LIMIT_MS, allowed_ms=LIMIT_MS,
    )  # fmt: skip
    return replace(turn, **changes)  # type: ignore[arg-type]  # fields by their names


def seen(turn: Turn, name: str = "Lis") -> SeenTurn:
    return SeenTurn(turn, name, "", "")


def seen_turns(
    table: int, moves: Sequence[tuple[int, int, str]], names: Sequence[str] = ("", "", "", "")
) -> list[SeenTurn]:
    """Moves (seat, elapsed, how) of one game at that table, in order."""
    return [
        seen(a_turn(elapsed_ms, seat=seat, how=how, move=number, seq=2 * number, box=f"{table:012x}"), names[seat])
        for number, (seat, elapsed_ms, how) in enumerate(moves, 1)
    ]


MOVES = st.lists(
    st.builds(
        lambda elapsed, limit, late: MoveTime(limit if late else min(elapsed, limit), limit, late),
        st.integers(0, 90_000), st.sampled_from([20_000, 40_000, 60_000]), st.booleans(),
    ),
    max_size=60,
)  # fmt: skip


def times_of(*elapsed_ms: int, late: int = 0) -> MoveTimes:
    moves = [MoveTime(ms, LIMIT_MS, False) for ms in elapsed_ms] + [MoveTime(LIMIT_MS, LIMIT_MS, True)] * late
    return MoveTimes(Whose("Lis"), tuple(moves))
