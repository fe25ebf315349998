"""What one game is worth: the racks at its end -> small points, places, big points, each with the clause behind it.

Pure arithmetic over a `Sheet`. Places and big points are those of one game at one table.

The sheet is in `dalej.domain.racks`, small points in `losses`, what never having opened costs in `penalties`, places
and big points in `places`, what cannot be right in `contradictions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dalej.domain.contradictions import doubtful, impossible
from dalej.domain.losses import Outcome, outcomes
from dalej.domain.places import standings
from dalej.domain.racks import Ended, Rack, Sheet
from dalej.domain.reasons import Reason
from dalej.domain.rulesets import Ruleset
from dalej.errors import WrongInput
from dalej.words import N_

__all__ = ["Ended", "Rack", "SeatScore", "Sheet", "contradictions", "score"]


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
    for error in impossible(sheet, ruleset):
        raise error
    if not sheet.ruling:
        for error in doubtful(sheet, ruleset):
            raise error
    small = outcomes(sheet, ruleset)
    if not sheet.ruling:
        for error in _written_down(small):
            raise error
    return tuple(
        SeatScore(
            outcome.rack.seat, outcome.rack.name, outcome.small, standing.big, standing.place,
            (*outcome.reasons, *standing.reasons),
        )
        for outcome, standing in zip(small, standings(small, sheet, ruleset), strict=True)
    )  # fmt: skip


def contradictions(sheet: Sheet, ruleset: Ruleset) -> list[WrongInput]:
    """Everything about the sheet that cannot be right, worst first."""
    found = [*impossible(sheet, ruleset), *doubtful(sheet, ruleset)]
    if found:
        return found
    try:
        return list(_written_down(outcomes(sheet, ruleset)))
    except WrongInput as nobody_won:
        return [nobody_won]


def _written_down(small: Sequence[Outcome]) -> Iterator[WrongInput]:
    """Where the players' own sum is another than the one that the racks make."""
    for outcome in small:
        wrote = outcome.rack.small
        if wrote is None or wrote == outcome.small:
            continue
        template = (
            N_("seat {seat}: {wrote:+d} is written down, the racks make {small:+d}: {difference} too many")
            if wrote > outcome.small
            else N_("seat {seat}: {wrote:+d} is written down, the racks make {small:+d}: {difference} too few")
        )
        yield WrongInput(
            template,
            seat=outcome.rack.seat, wrote=wrote, small=outcome.small, difference=abs(wrote - outcome.small),
        )  # fmt: skip
