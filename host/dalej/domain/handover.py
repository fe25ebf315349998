"""Turns of one table from the journals of several boxes: a move in which one box died and another went on is one turn.

Every box tells only of its own part. One that was put back to where it stood goes on with its own game in the same way.
A turn that no box has told the end of, and after which the table played on, is no longer under way; in a game that was
broken off and begun anew it is void, as all turns of that game are.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from dalej.domain.bank import Tiles
from dalej.domain.facts import HOWS
from dalej.domain.parts import DealKey
from dalej.domain.turns import FLAGS, Turn
from moveclock import facts as k

_TIME_OUT = HOWS[k.BY_TIMEOUT]
_BY_DESK = (HOWS[k.BY_DESK], HOWS[k.BY_WITHDRAWAL])


def whole(turns: Iterable[Turn], void: Container[DealKey] = ()) -> list[Turn]:
    """The turns of one table, in the order in which they were made, each once; those of the deals in `void` are void.

    A turn that was taken over stands where the box that went on tells of it, under that box's numbers, with what it
    took and cost at both.
    """
    found: list[Turn] = []
    for told in turns:
        turn = replace(told, void=True) if told.deal in void else told
        begun = _begun_before(found, turn) if turn.takes_over else None
        if begun is not None:
            turn = _joined(found.pop(begun), turn)
        before = found[-1] if found else None
        if before is not None and before.how is None and (not before.void or before.deal in void):
            found[-1] = replace(before, flags=_flags(before.flags, ("unended",)))
        found.append(turn)
    return found


def _begun_before(found: list[Turn], turn: Turn) -> int | None:
    """The place of the turn that was told of the same move before: under way still, late, or ended by the desk."""
    for place in range(len(found) - 1, -1, -1):
        before = found[place]
        if before.deal == turn.deal or before.game != turn.game or before.void != turn.void:
            return None
        if before.move <= turn.move:
            put_back = (before.box, before.epoch) == (turn.box, turn.epoch)
            open_still = before.how is None or before.how == _TIME_OUT or (put_back and before.how in _BY_DESK)
            return place if before.move == turn.move and open_still else None
    return None


def _joined(before: Turn, turn: Turn) -> Turn:
    played_ms = 0
    if before.allowed_ms is not None and turn.given_ms is not None and "restarted" not in turn.flags:
        played_ms = max(0, before.allowed_ms - turn.given_ms)
    given_time = "taken_up" in turn.flags if turn.late else bool(turn.given_ms)
    goes_on = before.how == _TIME_OUT and given_time
    elapsed_ms = before.elapsed_ms if turn.late and not goes_on else None
    if turn.elapsed_ms is not None:
        elapsed_ms = played_ms + turn.elapsed_ms
    had = Tiles(*map(sum, zip(before.own, before.brought, strict=True)))
    if goes_on:
        had = Tiles(min(1, had.counted))
    if before.partial:  # it may have had a tile of which only the box that went on was told
        had = Tiles(max(had.in_time, turn.brought[0]), max(had.late, turn.brought[1]))
    judged = turn.judged or (None if goes_on else before.judged)
    tiles = Tiles(had.in_time + turn.own[0], had.late + turn.own[1])
    return replace(
        turn,
        elapsed_ms=elapsed_ms,
        drawn=tiles.counted > 0,
        tiles=tiles.cost(judged),
        ruling=judged.ruling if judged else None,
        judged=judged,
        flags=_flags(before.flags, turn.flags, ("other_box",), ("taken_up",) if goes_on else ()),
        stopped_ms=before.stopped_ms + turn.stopped_ms,
        stops=before.stops + turn.stops,
        partial=before.partial,
        takes_over=before.takes_over,
        given_ms=before.given_ms,
        allowed_ms=None if turn.allowed_ms is None else played_ms + turn.allowed_ms,
        brought=(had.in_time, had.late),
    )


def _flags(*several: Iterable[str]) -> tuple[str, ...]:
    noted = {flag for flags in several for flag in flags}
    return tuple(flag for flag in FLAGS if flag in noted)
