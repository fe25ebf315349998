"""Taking back what was decided: which decision, what rests on it, what would change; nothing is erased. Also of an
event that cannot be read: which decision is to blame, and what taking one back would help.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from dalej.domain.game.calls import TAKEN
from dalej.domain.game.rulings import RULING
from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.fold import tournament
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import MOVED, Round, RoundKey, Tournament
from dalej.errors import Command, DalejError, Refused, WrongInput
from dalej.event.boxplaces import STAND, placed
from dalej.event.event import Change, Event, Seen, expect_kept, imagined, moving_up, waits
from dalej.event.ledger import REVOKE, Decision, Draft
from dalej.event.reading import Reading
from dalej.hints import EVENT, REASON, correcting, typed
from dalej.office.attendance import expect_no_seat, no_place
from dalej.office.decisionwords import names_in, told
from dalej.office.effect import boxes_moved, counted_apart, effect, places
from dalej.office.grounds import decided_from, expect_free
from dalej.office.players import listed
from dalej.office.reasons import reason_said
from dalej.office.reseating import expect_known, expect_known_to_fall, seated_otherwise_in_round
from dalej.office.settings import expect_in_time
from dalej.office.tableracks import AGREES, RACKS
from dalej.office.tablewords import WORD
from dalej.words import N_, _, said

SUSPECTS: Final = 100  # of a large event each look takes its time


def problem_without(decisions: Sequence[Decision], chosen: Sequence[Decision] = ()) -> DalejError | None:
    """What makes the event unreadable once these are taken back; None if nothing does."""
    last = decisions[-1].cursor if decisions else 0
    made = [
        Decision(cursor, REVOKE, one.subject, {}, "", 0, "", one.cursor, None)
        for cursor, one in enumerate(chosen, start=last + 1)
    ]
    try:
        tournament([*decisions, *made])
    except DalejError as problem:
        return problem
    return None


def to_blame(decisions: Sequence[Decision], may_go: Callable[[Decision], bool]) -> Decision:
    """The decision without which the event can be read, else one without which something else is wrong with it: the
    one that the error names, then the latest. Refused if taking back one alone helps nothing, or nothing is wrong.
    """
    problem = problem_without(decisions)
    if problem is None:
        raise Refused(N_("somebody else has mended the event by now: look at it first"))
    told = str(problem)
    better: Decision | None = None
    for one in _suspects(decisions, problem, may_go):
        left = problem_without(decisions, [one])
        if left is None:
            return one
        better = one if better is None and str(left) != told else better
    if better is None:
        raise Refused(N_("no decision that is taken back would let the event be read: {problem}"), problem=problem)
    return better


def mending_drafts(decisions: Sequence[Decision], chosen: Sequence[Decision]) -> list[Draft]:
    """A revocation of each, which has seen what was decided on its subject since."""
    latest = {one.subject: one.cursor for one in decisions if one.subject is not None}
    return [
        Draft(REVOKE, {}, one.subject, latest[one.subject] if one.subject is not None else None, one.cursor)
        for one in chosen
    ]


def _suspects(
    decisions: Sequence[Decision], problem: DalejError, may_go: Callable[[Decision], bool]
) -> Iterator[Decision]:
    """The one that is named, its kind, the others; of each the latest first."""
    named = problem.data.get("cursor")
    kinds = {one.kind for one in decisions if one.cursor == named}
    known = [one for one in reversed(decisions) if may_go(one)]
    known.sort(key=lambda one: (one.cursor != named, one.kind not in kinds))
    yield from known[:SUSPECTS]


UNDOABLE: Final = frozenset({
    kinds.EVENT, kinds.RULESET, kinds.OPTION, kinds.PLAYER, kinds.GONE, kinds.WARNED, kinds.ABSENT, kinds.SEATING,
    kinds.LOCKED, kinds.CLOCK, kinds.RESULT, kinds.CONFIRMED, kinds.CLOSED, kinds.ADVANCED, kinds.TIE,
    kinds.TABLE_RULING, kinds.CLAIM, kinds.WAITING, kinds.DATED, RULING, STAND, TAKEN, RACKS,
    AGREES, WORD,
})  # fmt: skip

_NOT_UNDONE: Final = frozenset({kinds.HALL, kinds.GIVEN})  # halls have heard of it

_AGAIN: Final[Mapping[str, str]] = {
    kinds.EVENT: "event set", kinds.RULESET: "event set", kinds.OPTION: "event set",
    kinds.PLAYER: "players add", kinds.GONE: "players withdraw", kinds.WARNED: "players warn",
    kinds.ABSENT: "players absent", kinds.SEATING: "seat draw", kinds.LOCKED: "seat lock",
    kinds.CLOCK: "round start", kinds.RESULT: "results enter", kinds.CONFIRMED: "results confirm",
    kinds.CLOSED: "round close", kinds.ADVANCED: "advance", kinds.TIE: "ruling tie",
    kinds.TABLE_RULING: "ruling decide", kinds.CLAIM: "ruling claim", RULING: "ruling decide",
    STAND: "box assign", kinds.WAITING: "players add",
    kinds.DATED: "round date",
}  # fmt: skip


_NAMING: Final = (kinds.GONE, kinds.WARNED, kinds.ABSENT, kinds.RESULT, kinds.CONFIRMED)  # the command names it


@dataclass(frozen=True, slots=True)
class Undoing:
    """What would be taken back, latest last, and what would change by it."""

    decisions: tuple[Decision, ...]
    effect: tuple[str, ...]


def proposed(event: Event, number: int | None = None) -> Undoing:
    """What `undo` would do; WrongInput or Refused as there."""
    seen = _seen(event)
    if seen is None:
        return _mending(event.read().decisions(), number)
    return _undoing(seen, _chosen(seen.decisions, number))


def undo(
    event: Event, number: int | None, why: str, expected: Undoing | None = None, playing: Collection[int] = ()
) -> Undoing:
    """Take back decision `number`, or the latest step. WrongInput: there is none; Refused: later ones rest on it, it is
    no longer what was `expected`, or others would sit at tables that play, unless these are known to (`playing`).
    """
    if _seen(event) is None:
        return _mend(event, number, why, expected)
    done: list[Undoing] = []

    def plan(seen: Seen) -> Change:
        undoing = _undoing(seen, _chosen(seen.decisions, number))
        chosen = undoing.decisions
        _expect_same(chosen, expected)
        done[:] = [undoing]
        _expect_seats_free(event.read(), seen, chosen, playing)
        return Change(_drafts(seen, chosen), why)

    event.change_seen(plan)
    return done[0]


def undo_together(event: Event, numbers: Sequence[int], why: str) -> None:
    """Take several decisions back, with what was decided with each, or none of them. Errors as of `undo`."""

    def plan(seen: Seen) -> Change:
        found = {one.cursor: one for number in numbers for one in _chosen(seen.decisions, number)}
        chosen, _staying = _but_who_stays(seen, tuple(found[cursor] for cursor in sorted(found)))
        _without(seen, chosen)
        _expect_seats_free(event.read(), seen, chosen, ())
        return Change(_drafts(seen, chosen), why)

    event.change_seen(plan)


def _mend(event: Event, number: int | None, why: str, expected: Undoing | None) -> Undoing:
    """The same in an event that cannot be read."""
    reading = event.read()
    decisions = reading.decisions()
    undoing = _mending(decisions, number)
    _expect_same(undoing.decisions, expected)
    for one in undoing.decisions:
        if one.origin is not None:
            raise Refused(
                N_("number {number} was decided in another event file of this tournament, and is taken back there"),
                number=one.cursor,
            )
    event.ledger.decide_together(
        mending_drafts(decisions, undoing.decisions), who=event.who, when_ms=event.wall_ms(), why=why, seen=reading.head
    )
    return undoing


def _mending(decisions: Sequence[Decision], number: int | None) -> Undoing:
    if number is None and any(_stands(one) for one in decisions):
        chosen: tuple[Decision, ...] = (to_blame(decisions, _stands),)
    else:
        chosen = _chosen(decisions, number)
    problem = problem_without(decisions, chosen)
    if problem is None:
        return Undoing(chosen, (_("the event can be read again"),))
    return Undoing(chosen, (_("the event still cannot be read: {problem}").format(problem=said(problem)),))


def _chosen(decisions: Sequence[Decision], number: int | None) -> tuple[Decision, ...]:
    """What is taken back with the decision of that number, or the latest step as far as it stands."""
    if number is not None:
        found = next((one for one in decisions if one.cursor == number), None)
        return _with_its_step(decisions, _expect_undoable(found, number))
    standing = [one for one in decisions if _stands(one) and one.origin is None]
    if not standing:
        raise Refused(N_("there is nothing to take back: nothing was decided, or everything is taken back already"))
    _expect_decided_last(decisions)
    return _step(decisions, standing[-1])


def _with_its_step(decisions: Sequence[Decision], found: Decision) -> tuple[Decision, ...]:
    """The step it belongs to; of several of one kind, which are a list, the one alone."""
    step = _step(decisions, found)
    return step if len({one.kind for one in step}) > 1 else (found,)


def _step(decisions: Sequence[Decision], one: Decision) -> tuple[Decision, ...]:
    """What stands of the step it belongs to."""
    return tuple(each for each in _together(decisions, one) if _stands(each))


def _together(decisions: Sequence[Decision], one: Decision) -> Sequence[Decision]:
    """All that was decided with it: at one place of the ledger, by one author, at one instant, for one reason."""
    place = decisions.index(one)
    first, last = place, place
    while first and _same_step(decisions[first - 1], decisions[first]):
        first -= 1
    while last + 1 < len(decisions) and _same_step(decisions[last], decisions[last + 1]):
        last += 1
    return decisions[first : last + 1]


def _expect_decided_last(decisions: Sequence[Decision]) -> None:
    """Refused if the last step took something back: what came before it is another matter, and has a number."""
    by_number = {one.cursor: one for one in decisions}
    here = (one for one in reversed(decisions) if one.origin is None and _of_office(one, by_number))
    last = next(here, None)
    if last is not None and last.kind in _NOT_UNDONE:
        raise Refused(
            N_("the last step, number {number} ({what}), is not taken back but decided otherwise; an earlier step is "
               "taken back by its number"),
            number=last.cursor, what=told(last, names_in(decisions)),
        )  # fmt: skip
    if last is None or last.kind != REVOKE:
        return
    step = [one for one in _together(decisions, last) if one.kind == REVOKE and _of_office(one, by_number)]
    revoked = by_number[step[-1].revokes or 0]
    raise Refused(
        N_("the last step, number {number}, took back number {revoked} ({what}) and cannot be undone: what is to hold "
           "again is decided again; an earlier step is taken back by its number"),
        number=last.cursor, revoked=", ".join(str(one.revokes) for one in step),
        what=told(revoked, names_in(decisions)),
    ).hinted(
        N_("{command} decides again, {history} tells the numbers"),
        command=_deciding_again(decisions, revoked), history=typed("event", "history", EVENT),
    )  # fmt: skip


def _deciding_again(decisions: Sequence[Decision], revoked: Decision) -> Command:
    body, words = revoked.body, _AGAIN.get(revoked.kind, "event show").split()
    more = [str(body[name]) for name in ("player", "table", "game") if name in body and revoked.kind in _NAMING]
    if revoked.kind in (kinds.RESULT, kinds.CONFIRMED):
        key = RoundKey(str(body["stage"]), cast("int", body["round"]))
        closed = any(one.kind == kinds.CLOSED and one.revoked_by is None and _is_of(one, key) for one in decisions)
        if closed and revoked.kind == kinds.RESULT:
            return correcting(key.text, *more)
        more += ["--round", key.text]
    elif revoked.kind in (kinds.TABLE_RULING, kinds.CLAIM):
        more = [str(body[name]) for name in ("table", "game", "seat")]
        more.append(str(body["ruling"]) if revoked.kind == kinds.TABLE_RULING else _answered(body))
        more += ["--round", f"{body['stage']}/{body['round']}", "--why", REASON]
    elif revoked.kind == RULING:  # the box and its fact are no words that anybody types
        words, more = ["ruling", "list"], []
    why = ("--why", REASON) if revoked.kind == kinds.WARNED else ()
    return typed(*words, EVENT, *more, *why)


def _answered(body: Mapping[str, object]) -> str:
    return "granted" if body["granted"] else "denied"


def _is_of(one: Decision, key: RoundKey) -> bool:
    return (one.body.get("stage"), one.body.get("round")) == (key.stage, key.round)


def _of_office(one: Decision, by_number: Mapping[int, Decision]) -> bool:
    """Whether it is a step of the office: decided, or taken back."""
    revoked = by_number.get(one.revokes or 0) if one.kind == REVOKE else None
    return one.kind in UNDOABLE | _NOT_UNDONE or (revoked is not None and revoked.kind in UNDOABLE)


def _same_step(one: Decision, following: Decision) -> bool:
    told, tells = ((each.who, each.when_ms, each.why, each.origin and each.origin.name) for each in (one, following))
    return following.cursor == one.cursor + 1 and told == tells


def _stands(one: Decision) -> bool:
    return one.revoked_by is None and one.kind in UNDOABLE


def _expect_undoable(found: Decision | None, number: int) -> Decision:
    if found is None:
        raise WrongInput(
            N_("there is no decision {number}: expected a number of the event's history"), number=number
        ).hinted(N_("{command} tells them"), command=typed("event", "history", EVENT))
    if found.kind == REVOKE and found.revokes is not None:
        raise Refused(
            N_("number {number} takes back number {revoked}; what is to hold again is decided again"),
            number=number, revoked=found.revokes,
        )  # fmt: skip
    if found.kind not in UNDOABLE:
        raise Refused(
            N_("number {number} ({kind}) is no decision of the tournament office"), number=number, kind=found.kind
        )
    if found.revoked_by is not None:
        raise Refused(N_("number {number} is taken back already, by number {by}"), number=number, by=found.revoked_by)
    return found


def _expect_same(chosen: Iterable[Decision], expected: Undoing | None) -> None:
    if expected is not None:
        expect_shown(chosen, [one.cursor for one in expected.decisions])


def expect_shown(chosen: Iterable[Decision], shown: Collection[int]) -> None:
    """Refused if more is taken back than was `shown`, by number."""
    newer = next((one for one in chosen if one.cursor not in shown), None)
    if newer is not None:
        raise Refused(
            N_("{who} has decided something in the meantime ({kind}): {why}"),
            who=newer.who, kind=newer.kind, why=reason_said(newer.why),
        )  # fmt: skip


def _expect_seats_free(reading: Reading, seen: Seen, chosen: Sequence[Decision], playing: Collection[int]) -> None:
    """Refused if tables play at which others would sit without a seating that is taken back."""
    seatings = [one for one in chosen if one.kind == kinds.SEATING]
    if not seatings:
        return
    after = imagined(seen, _drafts(seen, chosen))
    tables = seated_otherwise_in_round(seen.state, after)
    if all(one.body.get("how") == MOVED for one in seatings):
        expect_known(reading, seen.state, tables, playing)
    else:
        expect_known_to_fall(reading, seen.state, tables, playing)


def _seen(event: Event) -> Seen | None:
    """The event as it can be read; None if it cannot, which taking back what is wrong with it may mend."""
    try:
        return event.seen()
    except DalejError:
        return None


def _undoing(seen: Seen, chosen: tuple[Decision, ...]) -> Undoing:
    left, staying = _but_who_stays(seen, chosen)
    return Undoing(left, (*_effect(seen, left), *map(said, staying)))


def _but_who_stays(seen: Seen, chosen: tuple[Decision, ...]) -> tuple[tuple[Decision, ...], list[DalejError]]:
    """What is taken back of these: nobody's moving up for whom a place stays free, who would move up again at once; and
    that they stay in. Refused if nothing else is left.
    """
    moved = [one for one in chosen if one.kind == kinds.WAITING and not one.body.get("waits")]
    if not moved:
        return chosen, []
    try:
        after = imagined(seen, mending_drafts(seen.decisions, chosen))
    except DalejError:
        return chosen, []  # `_without` says so
    again = {draft.body["player"] for draft in moving_up(after)}
    staying = [one for one in moved if one.body["player"] in again]
    left = tuple(one for one in chosen if one not in staying)
    if not left:
        raise Refused(
            N_("number {number} cannot be taken back: {players} would move up again at once, because a place is free"),
            number=chosen[-1].cursor,
            players=listed(after.players[cast("int", one.body["player"])] for one in staying),
        )  # fmt: skip
    return left, [
        DalejError(N_("{player} stays in: a place is free all the same"), player=listed([after.players[number]]))
        for number in (cast("int", one.body["player"]) for one in staying)
    ]


def _effect(seen: Seen, chosen: Sequence[Decision]) -> tuple[str, ...]:
    """What changes without them, in sentences; Refused as by `_without`."""
    left = [one for one in seen.decisions if one not in chosen]
    after = _without(seen, chosen)
    changes = (
        *effect(seen.state, after), *boxes_moved(placed(seen.decisions), placed(left)),
        *_of_corrections(seen, after, chosen),
    )  # fmt: skip
    return tuple(dict.fromkeys(changes))


def _of_corrections(seen: Seen, after: Tournament, chosen: Sequence[Decision]) -> Iterator[str]:
    """Of corrections of closed rounds that are taken back: places in a stage that is over, and what stands that was
    decided from the corrected numbers.
    """
    since = {Body(one).round_key(): one.cursor for one in reversed(chosen) if one.kind == kinds.RESULT}
    for key, cursor in since.items():
        if key in after.rounds and after.rounds[key].closed is not None:
            if (stage := counted_apart(seen.state, key)) is not None:
                yield from places(seen.state, after, stage)
            stands = decided_from(Seen(seen.decisions, after, seen.head), key)
            yield from (said(one.told) for one in stands if one.number > cursor)


def _without(seen: Seen, chosen: Sequence[Decision]) -> Tournament:
    """The tournament without them; Refused if something that stands rests on one of them."""
    expect_free(seen, chosen)
    drafts = _drafts(seen, chosen)
    try:
        after = imagined(seen, drafts)
        if up := moving_up(after):
            after = imagined(seen, [*drafts, *up])
        expect_in_time(seen.state, after)
        expect_kept(seen.state, after, {one.subject for one in chosen if one.subject is not None})
        _expect_nobody_twice(seen.state, after)
    except DalejError as problem:
        raise Refused(
            N_("number {number} cannot be taken back: {problem}"), number=chosen[-1].cursor, problem=problem
        ) from problem
    return after


def _drafts(seen: Seen, chosen: Sequence[Decision]) -> list[Draft]:
    """What takes them back. Whoever comes back by it while all places are taken waits for one, as with `back`; Refused
    if it is the waiting that is taken back.
    """
    drafts = list(mending_drafts(seen.decisions, chosen))
    if not any(one.kind in (kinds.GONE, kinds.WAITING) for one in chosen):
        return drafts
    try:
        after = imagined(seen, drafts)
    except DalejError:
        return drafts  # `_without` says so
    most = after.ruleset.players_max
    beyond = 0 if most is None else sum(player.takes_part for player in after.players.values()) - most
    come = [one for one in after.players.values() if one.takes_part and not _takes_part(seen.state, one.number)]
    for player in come[::-1][: max(0, beyond)]:
        if any(one.kind == kinds.WAITING and one.body.get("player") == player.number for one in chosen):
            raise no_place(after, player)
        expect_no_seat(after, player)
        drafts.append(waits(player.number, True))
    return drafts


def _takes_part(state: Tournament, number: int) -> bool:
    return number in state.players and state.players[number].takes_part


def _expect_nobody_twice(before: Tournament, after: Tournament) -> None:
    """Refused if somebody would have a seat in a round and be absent from it."""
    for key, one in after.rounds.items():
        was = before.rounds.get(key)
        for player in sorted(_seated_absent(one) - _seated_absent(was)):
            raise Refused(
                N_("{round}: {player} would have a seat and be absent"),
                round=round_said(*key), player=after.players[player].name,
            )  # fmt: skip


def _seated_absent(one: Round | None) -> frozenset[int]:
    if one is None or one.seating is None:
        return frozenset()
    return frozenset(player for player in one.absent if one.seating.place_of(player) is not None)
