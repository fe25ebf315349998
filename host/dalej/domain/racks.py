"""What lies on the racks when a game is over: the sheet that is scored. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Ended = Literal["went_out", "bank_empty", "round_time", "last_seat"]

ENDINGS: Final[tuple[Ended, ...]] = get_args(Ended)
SEATS: Final = "ABCD"
NUMBER_MOST: Final = 13
OF_EACH_NUMBER: Final = 8  # four colours, everything twice
POINTS_MOST: Final = OF_EACH_NUMBER * sum(range(1, NUMBER_MOST + 1))  # all numbered tiles together: 728


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    """One seat at the end of a game. `seat` is a letter A..D.

    `points` is the sum of the numbered tiles, `jokers` how many jokers lie there; `points` None: not counted, which
    only a seat that never opened may leave so. `tiles`: the numbers 1..13 one by one (no jokers), if they were told;
    `points` is then their sum. `announced`: the tile that was missing came in the last round, and the opening was
    announced before the click. `withdrawn`: left in this game. `ruled_small` and `ruled_place` are the referee's, in
    place of what the count says. `small`: what the players wrote down themselves, for control.
    """

    seat: str
    name: str = ""
    points: int | None = None
    jokers: int = 0
    tiles: tuple[int, ...] | None = None
    opened: bool = True
    could_have_opened: bool = False
    announced: bool = False
    withdrawn: bool = False
    ruled_small: int | None = None
    ruled_place: int | None = None
    small: int | None = None

    @property
    def numbered(self) -> int | None:
        """Sum of the numbered tiles; None if nobody counted. Where points and tiles disagree and a referee lets it
        stand, the points do, as they were written.
        """
        if self.points is None and self.tiles is not None:
            return sum(self.tiles)
        return self.points

    @property
    def silent(self) -> bool:
        """Whether nothing is said of what lies on it, nor of what it scores."""
        said = (self.points, self.tiles, self.small, self.ruled_small, self.ruled_place)
        return self.opened and not self.jokers and all(one is None for one in said)

    @property
    def empty(self) -> bool:
        """Whether the rack was counted and nothing lies on it."""
        return self.numbered == 0 and not self.jokers and not self.tiles

    def weight(self, joker_points: int) -> int:
        """What the rack counts, jokers included; 0 if nobody counted it."""
        return 0 if self.numbered is None else self.numbered + self.jokers * joker_points


@dataclass(frozen=True, slots=True)
class Sheet:
    """One game as it ended. `started`: seats of the table when the round began, which choose the scale of big points;
    0: as many as there are racks. `ruling`: why a referee lets stand what contradicts itself; "": nobody did.
    """

    ended: Ended
    racks: tuple[Rack, ...]
    started: int = 0
    ruling: str = ""

    @property
    def seats(self) -> int:
        """Seats of the table when the round began."""
        return self.started or len(self.racks)

    @property
    def staying(self) -> tuple[Rack, ...]:
        """The racks of those who did not leave the game."""
        return tuple(rack for rack in self.racks if not rack.withdrawn)
