"""Small points of a game: who has won it, what each of the others loses, what the winners take. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dalej.domain import penalties
from dalej.domain.racks import Ended, Rack, Sheet
from dalej.domain.reasons import Citing, Reason
from dalej.domain.rulesets import Ruleset
from dalej.errors import WrongInput
from dalej.words import N_

_LOWEST: Final[dict[Ended, str]] = {
    "bank_empty": N_("the bank was empty: the lowest rack, {rack}, wins"),
    "round_time": N_("the round time was over: the lowest rack, {rack}, wins"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one seat scored in small points, and whether it won."""

    rack: Rack
    won: bool
    small: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class _Loss:
    """What a seat loses: `own` for its rack, `penalty` for never having opened. Neither is negative by count."""

    own: int
    penalty: int
    reasons: tuple[Reason, ...]

    @property
    def whole(self) -> int:
        return self.own + self.penalty


def winners(sheet: Sheet, ruleset: Ruleset) -> tuple[int, ...]:
    """Places in `sheet.racks` of who won by the count; where it names nobody, of the one seat that a referee ruled
    first. WrongInput if there is none.
    """
    found = _by_count(sheet, ruleset)
    if not found:
        found = [place for place, rack in enumerate(sheet.racks) if rack.ruled_place == 1]
        if len(found) != 1:
            raise WrongInput(N_("nobody can be told to have won, expected a ruling that puts one seat in place 1"))
    return tuple(found)


def outcomes(sheet: Sheet, ruleset: Ruleset) -> tuple[Outcome, ...]:
    """The small points of every seat, in the order of the sheet."""
    return _Game(sheet, ruleset).outcomes()


def _by_count(sheet: Sheet, ruleset: Ruleset) -> list[int]:
    staying = [place for place, rack in enumerate(sheet.racks) if not rack.withdrawn]
    if sheet.ended in {"went_out", "last_seat"}:
        left = [place for place in staying if sheet.ended == "last_seat" or sheet.racks[place].empty]
        return left if len(left) == 1 else []
    weights = {
        place: sheet.racks[place].weight(ruleset.joker_points)
        for place in staying
        if sheet.racks[place].numbered is not None
    }
    return [place for place, weight in weights.items() if weight == min(weights.values())]


class _Game:
    def __init__(self, sheet: Sheet, ruleset: Ruleset) -> None:
        self.sheet = sheet
        self.ruleset = ruleset
        self.cite = Citing(ruleset)
        self.won = winners(sheet, ruleset)
        self.lowest = sheet.racks[self.won[0]].weight(ruleset.joker_points)

    def outcomes(self) -> tuple[Outcome, ...]:
        losses = {place: self.loss(rack) for place, rack in enumerate(self.sheet.racks) if place not in self.won}
        total, gains = self.gains(list(losses.values()))
        lines = []
        for place, rack in enumerate(self.sheet.racks):
            if place in losses:
                lines.append(Outcome(rack, False, -losses[place].whole, losses[place].reasons))
            elif rack.ruled_small is not None:
                lines.append(Outcome(rack, True, rack.ruled_small, (*self.victory(), self.ruled(rack.ruled_small))))
            else:
                why = (*self.victory(), *self.takings(list(losses.values()), total, gains[place]))
                lines.append(Outcome(rack, True, gains[place], why))
        return tuple(lines)

    def loss(self, rack: Rack) -> _Loss:
        if rack.ruled_small is not None:
            return _Loss(-rack.ruled_small, 0, (self.ruled(rack.ruled_small),))
        own, counted = self.own(rack)
        if rack.opened:
            return _Loss(own, 0, counted)
        points = penalties.penalty(rack, self.sheet.ended, self.ruleset)
        why = penalties.reasons(rack, self.sheet.ended, self.cite)
        if points is not None and self.ruleset.never_opened_counts == "instead":
            return _Loss(0, points, (*self.leaving(rack), *why))
        return _Loss(own, points or 0, (*counted, *why))

    def own(self, rack: Rack) -> tuple[int, tuple[Reason, ...]]:
        """What the seat loses for its own rack, and why."""
        weight = rack.weight(self.ruleset.joker_points)
        why = [*self.leaving(rack), self.rack(rack)]
        if rack.jokers:
            why.append(
                self.cite.value(
                    "joker_points",
                    N_("jokers on the rack: {jokers}, each {each:+d}"),
                    jokers=rack.jokers, each=-self.ruleset.joker_points,
                )
            )  # fmt: skip
        if self.sheet.ended not in _LOWEST or rack.withdrawn:
            return weight, tuple(why)
        difference = max(0, weight - self.lowest)
        why.append(
            self.cite.passage(
                "bank_empty", "several_lowest",
                N_("{rack} against the {lowest} of the lowest rack: {small:+d}"),
                rack=weight, lowest=self.lowest, small=-difference,
            )
        )  # fmt: skip
        return difference, tuple(why)

    def rack(self, rack: Rack) -> Reason:
        return self.cite.passage(
            "scoring", "winner_takes_penalties", N_("points on the rack: {points}"), points=rack.numbered
        )

    def leaving(self, rack: Rack) -> tuple[Reason, ...]:
        if not rack.withdrawn:
            return ()
        return (
            self.cite.passage(
                "withdrawal", "withdrawn_ranks", N_("left the game: loses the own rack or penalty in full")
            ),
        )

    def victory(self) -> tuple[Reason, ...]:
        """Why a winner has won."""
        if self.sheet.ended == "went_out":
            return (self.cite.passage("end", "winner_takes_penalties", N_("went out and wins")),)
        if self.sheet.ended == "last_seat":
            return (self.cite.passage("withdrawal", "withdrawn_ranks", N_("the last seat left wins")),)
        return (self.cite.passage("bank_empty", "several_lowest", _LOWEST[self.sheet.ended], rack=self.lowest),)

    def gains(self, losses: list[_Loss]) -> tuple[int, dict[int, int]]:
        """The sum of what the others lose, and what each winner scores of it, by place in the sheet."""
        total = sum(loss.whole if self.ruleset.winner_takes_penalties else loss.own for loss in losses)
        if self.ruleset.several_lowest != "split":
            return total, dict.fromkeys(self.won, total)
        share, over = divmod(total, len(self.won))
        last_first = self.ruleset.odd_points == "last_seat"
        by_seat = sorted(self.won, key=lambda place: self.sheet.racks[place].seat, reverse=last_first)
        return total, {place: share + (place in by_seat[:over]) for place in self.won}

    def takings(self, losses: list[_Loss], total: int, gain: int) -> tuple[Reason, ...]:
        """Why a winner scores so much."""
        if len(self.won) == 1:
            template = N_("the sum of what the others lose: {small:+d}")
            found = [
                self.cite.passage("bank_empty", "several_lowest", template, small=gain)
                if self.sheet.ended in _LOWEST
                else self.cite.passage("scoring", "winner_takes_penalties", template, small=gain)
            ]
        elif self.ruleset.several_lowest == "split":
            found = list(self.shares(total, gain))
        else:
            template = N_("lowest racks: {count}; each scores the full sum of what the others lose: {small:+d}")
            found = [self.cite.value("several_lowest", template, count=len(self.won), small=gain)]
        if not self.ruleset.winner_takes_penalties and any(loss.penalty for loss in losses):
            found.append(
                self.cite.value("winner_takes_penalties", N_("penalties for never having opened go to nobody"))
            )
        return tuple(found)

    def shares(self, total: int, gain: int) -> Iterator[Reason]:
        """Why a winner who shares scores so much."""
        count = len(self.won)
        if total % count == 0:
            template = N_("lowest racks: {count}; they share the sum of what the others lose: {small:+d} each")
            yield self.cite.value("several_lowest", template, count=count, small=gain)
            return
        template = N_("lowest racks: {count}; they share {total:+d}, the sum of what the others lose: {small:+d}")
        yield self.cite.value("several_lowest", template, count=count, total=total, small=gain)
        template = (
            N_("it does not divide: a point left over goes to the seat that comes first")
            if self.ruleset.odd_points == "first_seat"
            else N_("it does not divide: a point left over goes to the seat that comes last")
        )
        yield self.cite.value("odd_points", template)

    def ruled(self, small: int) -> Reason:
        why = self.sheet.ruling
        template = (
            N_("the referee ruled {small:+d} in place of the count: {why}")
            if why
            else N_("the referee ruled {small:+d} in place of the count")
        )
        return self.cite.ruling("winner_takes_penalties", template, small=small, why=why)
