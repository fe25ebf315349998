"""What a box is told of a game that it takes over: all arguments of `take_over`, of which the last one is made here.

The box repeats it in the `move_started` with which it goes on, so that its journal alone says how the table stood.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dalej.domain.facts import Fact
from moveclock import facts as k

_SEATS: Final = 15
_REASON: Final = 4  # bits from here on
_WAITS: Final = 1 << 8
_DRAWN: Final = 1 << 9
_PENALTY: Final = 1 << 10
_LATE: Final = 1 << 11


@dataclass(frozen=True, slots=True)
class MidGame:
    """`late`: the time of the move is over, and the table has not said what becomes of it. `drawn`: a tile was taken in
    the move; `penalty`: one was taken after its time. `lap_reason`: why there is a final lap, None: there is none;
    `lap_mask`: seats that still move in it, `lap_waits`: the move does not count in it yet; of a late move both are as
    they were before its time was over.
    """

    late: bool = False
    drawn: bool = False
    penalty: bool = False
    lap_reason: int | None = None
    lap_mask: int = 0
    lap_waits: bool = False

    @property
    def number(self) -> int:
        """The same as it travels; 0 for a move like any other."""
        found = self.late * _LATE | self.drawn * _DRAWN | self.penalty * _PENALTY
        if self.lap_reason is not None:
            found |= self.lap_reason << _REASON | self.lap_mask & _SEATS | self.lap_waits * _WAITS
        return found


def read(number: int) -> MidGame:
    """What the number says."""
    reason = number >> _REASON & _SEATS
    return MidGame(
        late=number & _LATE > 0,
        drawn=number & _DRAWN > 0,
        penalty=number & _PENALTY > 0,
        lap_reason=reason or None,
        lap_mask=number & _SEATS if reason else 0,
        lap_waits=bool(reason) and number & _WAITS > 0,
    )


def told_by(fact: Fact) -> MidGame:
    """What the first fact of a move says of it; of one that began at this box nothing."""
    return read(fact.b) if fact.kind == k.MOVE_STARTED else MidGame()


def take_over(
    *, game: int, move: int, seat: int, remaining_ms: int, bank: int, out: int, more: MidGame
) -> dict[str, int | str]:
    """The arguments by which a box goes on there; nothing remains of a move whose time is over."""
    found: dict[str, int | str] = {
        "game": game, "move": move, "seat": seat, "remaining_ms": 0 if more.late else remaining_ms, "bank": bank,
        "out": out,
    }  # fmt: skip
    return {**found, "more": more.number} if more.number else found
