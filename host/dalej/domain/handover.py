"""Turns of one table from the journals of several boxes: a move in which one box died and another went on is one turn.

Every box tells only of its own part. A turn that no box has told the end of, and after which the table played on, is
no longer under way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dalej.domain.turns import FLAGS, Turn


def whole(turns: Iterable[Turn]) -> list[Turn]:
    """The turns of one table, in the order in which they were made, each once.

    A turn that was taken over stands where the box that went on tells of it, under that box's numbers, with what it
    took and cost at both.
    """
    found: list[Turn] = []
    for turn in turns:
        before = found[-1] if found else None
        if before is not None and before.how is None and not before.void:
            if _is_same_move(before, turn):
                found[-1] = _joined(before, turn)
                continue
            found[-1] = replace(before, flags=_flags(before.flags, ("unended",)))
        found.append(turn)
    return found


def _is_same_move(before: Turn, turn: Turn) -> bool:
    other_box = (before.box, before.epoch) != (turn.box, turn.epoch)
    return turn.takes_over and other_box and (before.game, before.move) == (turn.game, turn.move)


def _joined(before: Turn, turn: Turn) -> Turn:
    played_ms = 0
    if before.allowed_ms is not None and turn.given_ms is not None:
        played_ms = max(0, before.allowed_ms - turn.given_ms)
    return replace(
        turn,
        elapsed_ms=None if turn.elapsed_ms is None else played_ms + turn.elapsed_ms,
        drawn=before.drawn or turn.drawn,
        tiles=None if before.tiles is None or turn.tiles is None else before.tiles + turn.tiles,
        flags=_flags(before.flags, turn.flags, ("other_box",)),
        stopped_ms=before.stopped_ms + turn.stopped_ms,
        stops=before.stops + turn.stops,
        partial=before.partial,
        takes_over=before.takes_over,
        given_ms=before.given_ms,
        allowed_ms=None if turn.allowed_ms is None else played_ms + turn.allowed_ms,
    )


def _flags(*several: Iterable[str]) -> tuple[str, ...]:
    noted = {flag for flags in several for flag in flags}
    return tuple(flag for flag in FLAGS if flag in noted)
