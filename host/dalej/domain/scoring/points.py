"""What one game is worth: the racks at its end -> small points, places, big points, each with the clause behind it.

Pure arithmetic, in this order: what a seat pays that never opened; who has won, what each of the others loses and the
winners take; places and big points; what about a sheet cannot be right, because no game ends like that; and `score`,
which is all of it. Points as people read them come first; programs get plain whole numbers with an ASCII minus.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.rules.clauses import Citing, Reason
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.scoring.sheets import NUMBER_MOST, OF_EACH_NUMBER, POINTS_MOST, SEATS, Ended, Rack, Sheet
from dalej.errors import DalejError, WrongInput
from dalej.words import N_

__all__ = ["Ended", "Rack", "SeatScore", "Sheet", "contradictions", "score"]

MINUS = "−"


def gained(points: int) -> str:
    """What a game has brought: +34, −12, 0."""
    return signs(f"{points:+d}") if points else "0"


def total(points: int) -> str:
    """A sum of games: 34, −12, 0."""
    return signs(str(points))


def signs(number: str) -> str:
    """A written number with the minus that people write."""
    return number.replace("-", MINUS)


def points_said(big: int | None, small: int) -> DalejError:
    """Points of the standings in a sentence."""
    if big is None:
        return DalejError("{small}", small=total(small))
    return DalejError(N_("big points {big}, small points {small}"), big=total(big), small=total(small))


class Points(int):
    """A number that a sentence's template writes as people do, whatever format it asks for."""

    def __format__(self, form: str) -> str:
        return signs(super().__format__(form))


def penalty(rack: Rack, ended: Ended, ruleset: Ruleset) -> int | None:
    """The penalty for never having opened; None where the rack counts as any other.

    Where nobody went out because bank or time ended the game, only a ruleset with `penalties_without_winner` knows one.
    """
    if rack.opened or not _known(ended, ruleset):
        return None
    return ruleset.could_have_opened_points if _higher(rack, ruleset) else ruleset.never_opened_points


def must_be_counted(rack: Rack, ended: Ended, ruleset: Ruleset) -> bool:
    """Whether the game cannot be scored without that rack's count."""
    if rack.ruled_small is not None:
        return False
    if not rack.withdrawn:
        if ended == "last_seat":
            return False
        if ended != "went_out":
            return True  # whose rack is lowest cannot be told otherwise
    return penalty(rack, ended, ruleset) is None or ruleset.never_opened_counts == "on_top"


def reasons(rack: Rack, ended: Ended, cite: Citing) -> tuple[Reason, ...]:
    """Why a seat that never opened pays what it pays."""
    if not _known(ended, cite.ruleset):
        return (
            cite.value(
                "penalties_without_winner", N_("never opened, but nobody went out: the rack counts as any other")
            ),
        )
    points = penalty(rack, ended, cite.ruleset)
    higher = _higher(rack, cite.ruleset)
    key = "could_have_opened_points" if higher else "never_opened_points"
    if points is None:
        return (cite.value(key, N_("never opened: the rack counts as any other")),)
    template = N_("never opened and could have: {penalty:+d}") if higher else N_("never opened: {penalty:+d}")
    found = [cite.value(key, template, penalty=-points)]
    if rack.could_have_opened and not higher:
        found.append(cite.value("announcement_lifts", N_("the opening was announced, which lifts the higher penalty")))
    if cite.ruleset.never_opened_counts == "instead":
        found.append(cite.value("never_opened_counts", N_("this stands in place of the rack and its jokers")))
    else:
        found.append(cite.value("never_opened_counts", N_("the rack and its jokers count as well")))
    return tuple(found)


def _known(ended: Ended, ruleset: Ruleset) -> bool:
    return ended in {"went_out", "last_seat"} or ruleset.penalties_without_winner


def _higher(rack: Rack, ruleset: Ruleset) -> bool:
    return rack.could_have_opened and not (rack.announced and ruleset.announcement_lifts)


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
        points = penalty(rack, self.sheet.ended, self.ruleset)
        why = reasons(rack, self.sheet.ended, self.cite)
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
        difference = weight - self.lowest
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
            "scoring", "winner_takes_penalties", N_("points on the rack: {points}"), points=rack.numbered or 0
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


_SCALES: Final = {2: "big_points_2", 3: "big_points_3", 4: "big_points_4"}


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a seat in one game, from 1, and its big points; None where the ruleset knows none."""

    place: int
    big: int | None
    reasons: tuple[Reason, ...]


def standings(outcomes: Sequence[Outcome], sheet: Sheet, ruleset: Ruleset) -> tuple[Standing, ...]:
    """Place and big points of every seat, in the order given.

    Winners come first, whoever left the game last (`withdrawn_ranks`), between them small points decide. Who is level
    shares the higher place, and the next is skipped; big points are the higher place's unless `level_big_points` says
    otherwise. A place that a referee has ruled is taken; the others fill what is left in their order.
    """
    cite = Citing(ruleset)
    places = _places(outcomes, ruleset)
    found = []
    for outcome, place in zip(outcomes, places, strict=True):
        level = places.count(place)
        big, why = _big(place, level, sheet, cite)
        found.append(Standing(place, big, (*_why(outcome, place, level, sheet, cite), *why)))
    return tuple(found)


def _places(outcomes: Sequence[Outcome], ruleset: Ruleset) -> list[int]:
    places = [outcome.rack.ruled_place or 0 for outcome in outcomes]
    free = _free(places)
    by_count = sorted(
        (at for at, place in enumerate(places) if not place), key=lambda at: _order(outcomes[at], ruleset)
    )
    for _, level in itertools.groupby(by_count, key=lambda at: _order(outcomes[at], ruleset)):
        seats = list(level)
        shared, *_ = [next(free) for _ in seats]
        for at in seats:
            places[at] = shared
    return places


def _free(ruled: Sequence[int]) -> Iterator[int]:
    """Places that no ruling takes, without an end; two seats ruled to one place take the next as well."""
    taken: set[int] = set()
    for place in sorted(filter(None, ruled)):
        taken.add(next(at for at in itertools.count(place) if at not in taken))
    return (place for place in itertools.count(1) if place not in taken)


def _order(outcome: Outcome, ruleset: Ruleset) -> tuple[int, int]:
    """What places go by: smaller is better."""
    if outcome.won:
        return 0, 0
    last = outcome.rack.withdrawn and ruleset.withdrawn_ranks == "last"
    return 2 if last else 1, -outcome.small


def _why(outcome: Outcome, place: int, level: int, sheet: Sheet, cite: Citing) -> Iterator[Reason]:
    if outcome.rack.ruled_place:
        template = (
            N_("the referee ruled place {place}: {why}") if sheet.ruling else N_("the referee ruled place {place}")
        )
        yield cite.ruling("big_points_4", template, place=place, why=sheet.ruling)
    elif level > 1:
        template = N_("seats level in place {place}: {level}; they share it and the next is skipped")
        yield cite.value("level_big_points", template, place=place, level=level)
    if outcome.rack.withdrawn and not outcome.rack.ruled_place and cite.ruleset.withdrawn_ranks == "last":
        yield cite.passage("withdrawal", "withdrawn_ranks", N_("who left the game ranks last of the table"))


def _big(place: int, level: int, sheet: Sheet, cite: Citing) -> tuple[int | None, tuple[Reason, ...]]:
    scale = _scale(sheet.seats, cite.ruleset)
    if scale is None:
        return None, ()
    paid = place if cite.ruleset.level_big_points == "higher" else place + level - 1
    big = scale[min(paid, len(scale)) - 1]
    key, seats = _SCALES[sheet.seats], sheet.seats
    if paid == place:
        template = N_("place {place} at a table of {seats}, big points: {big}")
        return big, (cite.value(key, template, place=place, seats=seats, big=big),)
    template = N_("level seats get the big points of the lower place, {place} at a table of {seats}: {big}")
    return big, (cite.value(key, template, place=paid, seats=seats, big=big),)


def _scale(seats: int, ruleset: Ruleset) -> tuple[int, ...] | None:
    return {2: ruleset.big_points_2, 3: ruleset.big_points_3, 4: ruleset.big_points_4}[seats]


def impossible(sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    """What no ruling can let stand, because there would be nothing to score."""
    yield from _table(sheet, ruleset)
    for rack in sheet.racks:
        yield from _rack(rack, sheet, ruleset)


def doubtful(sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    """What cannot be right unless a referee rules that it stands."""
    yield from _ending(sheet)
    for rack in sheet.racks:
        yield from _flags(rack)
        yield from _sum(rack)
    yield from _set(sheet, ruleset)


def _table(sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    racks = len(sheet.racks)
    if racks < 2:
        yield WrongInput(
            N_("racks on the sheet: {racks}, expected at least 2; a game that one player is left for is not played"),
            racks=racks,
        )
    if racks > ruleset.seats_max:
        yield WrongInput(
            N_("racks on the sheet: {racks}, expected at most {most}: {over} too many"),
            racks=racks, most=ruleset.seats_max, over=racks - ruleset.seats_max,
        )  # fmt: skip
    if sheet.started and not 2 <= sheet.started <= ruleset.seats_max:
        yield WrongInput(
            N_("the table started with {started} seats, expected 2 to {most}"),
            started=sheet.started, most=ruleset.seats_max,
        )  # fmt: skip
    elif sheet.started and racks > sheet.started:
        yield WrongInput(
            N_("racks on the sheet: {racks}, but the table started with {started} seats: {over} too many"),
            racks=racks, started=sheet.started, over=racks - sheet.started,
        )  # fmt: skip
    known = SEATS[: ruleset.seats_max]
    for seat, times in Counter(rack.seat for rack in sheet.racks).items():
        if len(seat) != 1 or seat not in known:
            yield WrongInput(
                N_("seat {seat} is not at the table, expected one of {known}"), seat=seat, known=", ".join(known)
            )
        if times > 1:
            yield WrongInput(N_("seat {seat} is on the sheet {times} times, expected once"), seat=seat, times=times)


def _rack(rack: Rack, sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    for tile in dict.fromkeys(rack.tiles or ()):
        if not 1 <= tile <= NUMBER_MOST:
            yield WrongInput(
                N_("seat {seat}: there is no tile {tile}, expected 1 to {most}"),
                seat=rack.seat, tile=tile, most=NUMBER_MOST,
            )  # fmt: skip
    if rack.points is not None and rack.points < 0:
        yield WrongInput(N_("seat {seat}: points is {points}, expected 0 or more"), seat=rack.seat, points=rack.points)
    if rack.jokers < 0:
        yield WrongInput(N_("seat {seat}: jokers is {jokers}, expected 0 or more"), seat=rack.seat, jokers=rack.jokers)
    if rack.ruled_place is not None and not 1 <= rack.ruled_place <= sheet.seats:
        yield WrongInput(
            N_("seat {seat}: ruled place {place}, expected 1 to {seats}"),
            seat=rack.seat, place=rack.ruled_place, seats=sheet.seats,
        )  # fmt: skip
    if rack.numbered is None and must_be_counted(rack, sheet.ended, ruleset):
        template = (
            N_("seat {seat}: the rack is not counted, expected its tiles or points (none of them, 0: it is empty)")
            if rack.opened
            else N_("seat {seat}: never opened, but here the rack counts all the same: expected its tiles or points, "
                    "typed as -:30 for 30 points")
        )  # fmt: skip
        yield WrongInput(template, seat=rack.seat)


def _ending(sheet: Sheet) -> Iterator[WrongInput]:
    for rack in sheet.racks:
        if rack.withdrawn and rack.empty:
            yield WrongInput(
                N_("seat {seat}: left the game with an empty rack, expected at least one tile on it, or w alone if it "
                   "did not play this game"),
                seat=rack.seat,
            )  # fmt: skip
    if sheet.ended == "went_out":
        yield from _going_out(sheet)
        return
    for rack in sheet.staying:
        if rack.empty and sheet.ended != "last_seat":
            yield WrongInput(
                N_("seat {seat}: the rack is empty, but nobody went out; expected at least one tile on it"),
                seat=rack.seat,
            )
    left = sheet.staying
    if not left:
        yield WrongInput(N_("every seat has left the game, expected one that has won it"))
    if sheet.ended == "last_seat" and len(left) > 1:
        yield WrongInput(
            N_("seats that have not left the game: {seats}; expected one, so {over} too many"),
            seats=", ".join(rack.seat for rack in left), over=len(left) - 1,
        )  # fmt: skip


def _going_out(sheet: Sheet) -> Iterator[WrongInput]:
    out = [rack for rack in sheet.staying if rack.empty]
    if not out:
        lowest = min((rack for rack in sheet.staying if rack.numbered is not None), key=_size, default=None)
        if lowest is None:
            yield WrongInput(N_("somebody went out, but no rack is empty"))
        else:
            template = (
                N_("somebody went out, but no rack is empty: the smallest, of seat {seat}, should be empty and holds "
                   "jokers: {jokers}, points besides: {points}")
                if lowest.jokers
                else N_("somebody went out, but no rack is empty: the smallest, of seat {seat}, should be 0 and is "
                        "{points}")
            )  # fmt: skip
            jokers, points = _size(lowest)
            yield WrongInput(template, seat=lowest.seat, points=points, jokers=jokers)
    if len(out) > 1:
        yield WrongInput(
            N_("racks that are empty: those of seats {seats}; only one can go out, so {over} too many"),
            seats=", ".join(rack.seat for rack in out), over=len(out) - 1,
        )  # fmt: skip
    for rack in out:
        if not rack.opened:
            yield WrongInput(
                N_("seat {seat}: the rack is empty, but it never opened; nobody goes out without opening"),
                seat=rack.seat,
            )


def _size(rack: Rack) -> tuple[int, int]:
    return rack.jokers, rack.numbered or 0


def _flags(rack: Rack) -> Iterator[WrongInput]:
    # An announcement is no contradiction: whoever announces and then opens has done as announced.
    if rack.opened and rack.could_have_opened:
        yield WrongInput(
            N_("seat {seat}: opened, and never opened though it could have; expected one of the two"), seat=rack.seat
        )


def _sum(rack: Rack) -> Iterator[WrongInput]:
    if rack.tiles is None or rack.points is None or rack.points == sum(rack.tiles):
        return
    difference = rack.points - sum(rack.tiles)
    template = (
        N_("seat {seat}: points says {points}, the tiles add up to {tiles}: {difference} too many")
        if difference > 0
        else N_("seat {seat}: points says {points}, the tiles add up to {tiles}: {difference} too few")
    )
    yield WrongInput(template, seat=rack.seat, points=rack.points, tiles=sum(rack.tiles), difference=abs(difference))


def _set(sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    """More on the racks than the set holds."""
    numbers = Counter(tile for rack in sheet.racks for tile in rack.tiles or ())
    for number, count in sorted(numbers.items()):
        if count > OF_EACH_NUMBER:
            yield WrongInput(
                N_("tiles {number} on the racks of seats {seats}: {count}, the set holds {most}: {over} too many"),
                number=number, seats=", ".join(rack.seat for rack in sheet.racks if number in (rack.tiles or ())),
                count=count, most=OF_EACH_NUMBER, over=count - OF_EACH_NUMBER,
            )  # fmt: skip
    jokers = sum(rack.jokers for rack in sheet.racks)
    if jokers > ruleset.jokers:
        yield WrongInput(
            N_("jokers on the racks of seats {seats}: {count}, the set holds {most}: {over} too many"),
            seats=", ".join(rack.seat for rack in sheet.racks if rack.jokers),
            count=jokers, most=ruleset.jokers, over=jokers - ruleset.jokers,
        )  # fmt: skip
    points = sum(rack.numbered or 0 for rack in sheet.racks)
    if points > POINTS_MOST:
        yield WrongInput(
            N_("points on the racks of seats {seats}: {count}, all tiles of the set hold {most}: {over} too many"),
            seats=", ".join(rack.seat for rack in sheet.racks if rack.numbered),
            count=points, most=POINTS_MOST, over=points - POINTS_MOST,
        )  # fmt: skip


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
            seat=outcome.rack.seat, wrote=Points(wrote), small=Points(outcome.small),
            difference=abs(wrote - outcome.small),
        )  # fmt: skip
