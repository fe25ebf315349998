"""A referee's ruling on a time-out or a claim: where a box counts by the number of the move, else by the seat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dalej.domain.rulings import RULING, is_open
from dalej.domain.tournament import CLAIM, TABLE_RULING, GameAt, RoundKey, Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.ledger import Decision, Json
from dalej.office import cases, referee, results
from dalej.office.cases import Case, Claimed, Place
from dalej.office.event import Change, Event, Seen
from dalej.office.newer import About, expect_none_newer
from dalej.words import N_

DENY: Final = "deny_claim"


@dataclass(frozen=True, slots=True)
class Where:
    """`game`: of the round `key` (None: the one at work, or whichever where nobody is seated). Either `move`, which a
    box has counted, or the `seat`'s letter, where none counts.
    """

    table: int
    game: int
    move: int | None
    seat: str | None
    key: RoundKey | None = None


@dataclass(frozen=True, slots=True)
class Ruled:
    """What was decided on which seat. `request`: of a box that is told, None: none is; `waits`: a box holds the claim
    until its clock is resumed.
    """

    made: Decision
    seat: str
    request: int | None = None
    waits: bool = False


def rule(
    event: Event, where: Where, seen_as: str, tiles: int | None, why: str, since: int = 0, *, another: bool = False
) -> Ruled:
    """Rules on a time-out: `seen_as` is one of `referee.SEEN`. Where no box counts, in place of the last ruling on that
    seat, unless it is on `another` time-out of it. Refused as `expect_none_newer` says.
    """
    state = event.state()
    wanted = referee.verdict(state.ruleset, seen_as, tiles, why)
    key = where.key or round_meant(state)
    if where.move is not None:
        case = cases.the_case(cases.cases(event.ledger, state), key, where.table, where.game, where.move)

        def plan(seen: Seen) -> Change:
            expect_none_newer(seen, since, event.who, _on_case(case))
            return referee.rule(seen.state, case, wanted)

        return Ruled(event.change_seen(plan)[0], case.place.letter)
    at, seat = _chair(where)
    there = _expect_no_box(event, state, key, where, (case.place for case in cases.cases(event.ledger, state)))

    def plan_at_table(seen: Seen) -> Change:
        expect_none_newer(seen, since, event.who, _on_seat(TABLE_RULING, there, at, seat))
        return referee.rule_at_table(seen.state, there, at, seat, wanted, another=another)

    return Ruled(event.change_seen(plan_at_table)[0], seat)


@dataclass(frozen=True, slots=True)
class Heard:
    """A box at a table, as far as it has been heard: `head` is the last fact that it had then."""

    table: int
    box: str
    epoch: int
    head: int


def rule_ahead(event: Event, heard: Heard, seen_as: str, tiles: int | None, why: str, since: int = 0) -> Decision:
    """Rules on the time-out that waits at a table whose box has not told of it yet; it holds as soon as the box has.
    Refused as `expect_none_newer` says.
    """
    of: Json = [heard.box, heard.epoch]

    def plan(seen: Seen) -> Change:
        wanted = referee.verdict(seen.state.ruleset, seen_as, tiles, why)
        expect_none_newer(seen, since, event.who, lambda one: is_open(one) and _of(one)[:2] == of)
        return referee.rule_ahead(seen.state, heard.table, heard.box, heard.epoch, heard.head, wanted)

    return event.change_seen(plan)[0]


def answer_claim(event: Event, where: Where, *, granted: bool, why: str, since: int = 0) -> Ruled:
    """Answers a claim; a box that waits for the answer is told of a denial. Refused if it is answered: by a decision
    that stands, which is taken back first, or at the table. What was decided once may be decided anew, however far the
    table has come.
    """
    state = event.state()
    key = where.key or round_meant(state)
    if where.move is not None:
        found = cases.the_claim(cases.claims(event.ledger, state), key, where.table, where.game, where.move)

        def plan(seen: Seen) -> Change:
            expect_none_newer(seen, since, event.who, _on_claim(found))
            _expect_open(seen, found)
            return referee.answer(found, found.place.key or _any_round(seen.state), granted=granted, why=why)

        waits = found.answer is None
        with event.together():
            made = event.change_seen(plan)[0]
            request = None if granted or not waits else _deny(event, found, why)
        return Ruled(made, found.place.letter, request, waits)
    at, seat = _chair(where)
    there = _expect_no_box(event, state, key, where, (claim.place for claim in cases.claims(event.ledger, state)))

    def plan_at_table(seen: Seen) -> Change:
        expect_none_newer(seen, since, event.who, _on_seat(CLAIM, there, at, seat))
        return referee.answer_at_table(seen.state, there, at, seat, granted=granted, why=why)

    return Ruled(event.change_seen(plan_at_table)[0], seat)


def _expect_open(seen: Seen, found: Claimed) -> None:
    decided = [one for one in seen.decisions if _on_claim(found)(one)]
    where = {"table": found.place.table, "game": found.place.game, "move": found.place.move}
    if standing := [one for one in decided if one.revoked_by is None]:
        last = standing[-1]
        said = N_("table {table}, game {game}: the claim of move {move} is answered: {who} has denied it (number "
                  "{number}); take that back before it is answered otherwise")  # fmt: skip
        if last.body.get("granted"):
            said = N_("table {table}, game {game}: the claim of move {move} is answered: {who} has granted it (number "
                      "{number}); take that back before it is answered otherwise")  # fmt: skip
        raise Refused(said, **where, who=last.who, number=last.cursor)
    if found.answer is not None and not decided:
        raise Refused(
            N_("table {table}, game {game}: the claim of move {move} waits for no answer any more ({how})"),
            **where, how=DalejError(cases.ANSWERED[found.answer]),
        )  # fmt: skip


def round_meant(state: Tournament, text: str | None = None) -> RoundKey | None:
    """The round that `text` names; the current one; None: no matter which, in an event without a seating."""
    if text is not None:
        return results.which(state, text).key
    current = state.current
    if current is not None and current.seating is not None:
        return current.key
    seated = [one.key for one in state.rounds.values() if one.seating is not None]
    return seated[-1] if seated else None


def _deny(event: Event, found: Claimed, why: str) -> int:
    place = found.place
    asked = event.ledger.request(
        place.table, DENY, who=event.who, at_ms=event.wall_ms(), why=why, box=found.of[0],
        guard=(place.box_game, place.move),
    )  # fmt: skip
    return asked.id


def _any_round(state: Tournament) -> RoundKey:
    current = state.current
    return [*state.rounds][-1] if current is None else current.key


def _chair(where: Where) -> tuple[GameAt, str]:
    """The game and the seat's letter."""
    if where.seat is None:
        raise WrongInput(
            N_("table {table}: expected the number of the move, or the seat where no box counts"), table=where.table
        )
    return GameAt(where.table, where.game), where.seat


def _expect_no_box(
    event: Event, state: Tournament, key: RoundKey | None, where: Where, told: Iterable[Place]
) -> RoundKey:
    """The round, if no box counts moves in its game: else the move's number says more than a seat. `told`: where boxes
    have told of the like.
    """
    if key is None:
        raise Refused(N_("nobody is seated in this event: expected the number of a move that a box has told of"))
    at, seat = _chair(where)
    moves = [place.move for place in told if (place.table, place.game, place.letter) == (*at, seat)]
    if moves or cases.box_knows(event.ledger, state, key, at):
        raise WrongInput(
            N_("a box counts at table {table}: expected the number of the move; those of that seat: {moves}"),
            table=at.table, moves=cases.listed(moves),
        )  # fmt: skip
    return key


def _of(one: Decision) -> list[Json]:
    found = one.body.get("of")
    return found if isinstance(found, list) else []


def _on_case(case: Case) -> About:
    of = [list(one.of) for one in case.history] + [list(case.of)]
    made = {one.decision for one in case.history}
    return lambda one: one.kind == RULING and (one.cursor in made or _of(one) in of)


def _on_claim(claim: Claimed) -> About:
    return lambda one: one.kind == CLAIM and one.body.get("of") == list(claim.of)


def _on_seat(kind: str, key: RoundKey, at: GameAt, seat: str) -> About:
    wanted = {"stage": key.stage, "round": key.round, "table": at.table, "game": at.game, "seat": seat}
    return lambda one: one.kind == kind and all(one.body.get(name) == value for name, value in wanted.items())
