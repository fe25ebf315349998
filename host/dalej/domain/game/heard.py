"""What a desk has heard of a box lately, on its link or from its advertisement: plain data for desk and screens.

Instants are ms of the desk's monotonic clock; numbers of states, seats and alarms are those of `moveclock`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Way = Literal["link", "advert", "none"]


@dataclass(frozen=True, slots=True)
class Told:
    """A table as its box described it, true at `at_ms`, when the box's uptime was `uptime_ms` of that boot.

    `left_ms` is what remains of the move, in `expired` how long it is over. What an advertisement does not carry, or
    what cannot be worked out yet, is None. `backlog`: facts that the box still has to send (255: that many or more).
    """

    at_ms: int
    epoch: int
    boot: int
    head: int
    state: int
    seat: int
    alarm: int
    left_ms: int | None
    uptime_ms: int | None
    game: int | None
    move: int | None
    bank: int | None
    backlog: int | None


@dataclass(frozen=True, slots=True)
class Heard:
    """One box of the hall. `way`: how the desk hears it now; `seen_ms`: when what was told last held for all that the
    desk can know, None: never yet.

    An advertisement that comes again unchanged moves `seen_ms`, but only for minutes: anybody may repeat one.
    """

    box: str
    table: int
    way: Way
    seen_ms: int | None
    told: Told | None
