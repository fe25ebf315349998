"""What one game is worth: the racks at its end -> small points, places, big points, each with the clause behind it.

Pure arithmetic over a `Sheet`. Places and big points are those of one game at one table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dalej.domain.reasons import Reason
from dalej.domain.rulesets import Ruleset
from dalej.errors import WrongInput

Ended = Literal["went_out", "bank_empty", "round_time", "last_seat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rack:
    """One seat at the end of a game. `seat` is a letter A..D.

    `points` is the sum of the numbered tiles, `jokers` how many jokers lie there; `points` None: not counted, which
    only a seat that never opened may leave so. `tiles`: the numbers 1..13 one by one (no jokers), if they were told;
    `points` is then their sum. `announced`: the tile that was missing came in the last round, and the opening was
    announced before the click. `withdrawn`: left in this game. `ruled_small` and `ruled_place` are the referee's, in
    place of what the count says.
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


@dataclass(frozen=True, slots=True)
class Sheet:
    """One game as it ended. `started`: seats of the table when the round began, which choose the scale of big points;
    0: as many as there are racks. `ruling`: why a referee lets stand what contradicts itself; "": nobody did.
    """

    ended: Ended
    racks: tuple[Rack, ...]
    started: int = 0
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class SeatScore:
    """What one seat scored. `big` is None where the ruleset knows no big points; `place` from 1, shared if level."""

    seat: str
    name: str
    small: int
    big: int | None
    place: int
    reasons: tuple[Reason, ...]


def score(sheet: Sheet, ruleset: Ruleset) -> tuple[SeatScore, ...]:
    """The score of every seat, in the order of the sheet; WrongInput with the seat and the difference if the sheet
    cannot be right and no referee has ruled that it stands.
    """
    raise NotImplementedError


def contradictions(sheet: Sheet, ruleset: Ruleset) -> list[WrongInput]:
    """Everything about the sheet that cannot be right, worst first."""
    raise NotImplementedError
