"""Acts by which a referee decides: on time-outs, on claims, on players who are level; and takes that back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dalej.domain.game.facts import SEATS
from dalej.domain.game.positions import Position, position
from dalej.domain.game.rulings import RULING, is_open
from dalej.domain.game.sentences import WORDS
from dalej.domain.tournament.tournament import CLAIM, TABLE_RULING, TIE
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.event import cases
from dalej.event.cases import Case, Claimed, Place
from dalej.event.event import Change, Event, Seen
from dalej.event.ledger import Decision, Json
from dalej.office import rulings
from dalej.office.acts.catalogue import SEEN
from dalej.office.acts.tables import TableNow, table_at
from dalej.office.acts.wishes import Args, Done, Wish, done, taken_back
from dalej.office.history import expect_none_newer, names_in, told
from dalej.office.players import find
from dalej.office.rulings import Heard, Ruled, Where
from dalej.words import N_
from moveclock import facts as k

_TILES: Final = N_("tiles: {tiles}")
_NOT_COUNTED: Final = N_("tiles not counted yet")
_EPOCH_MOST: Final = (1 << 32) - 1


def rule(event: Event, wish: Wish) -> Done:
    """A time-out: what was seen, and how many tiles it costs."""
    args = Args(wish)
    seen, tiles = args.one_of("verdict", SEEN), args.maybe("tiles", 0, rulings.TILES_MOST)
    now = _what_waits_at(event, args)
    heard = None if now is None else _heard(args, now)
    if heard is not None and not _is_told(event, heard):
        return _rule_ahead(event, wish, heard, seen, tiles)
    found = cases.cases(event.read(), event.state())
    where = _where(event, args, [case.place for case in found]) if now is None else _late(now, heard, found)
    ruled = rulings.rule_at(event, where, seen, tiles, wish.why, wish.seen, another=args.flag("another"))
    said = N_("Table {table}, game {game}, seat {seat}: {ruling}, {cost} (number {number}).")
    ruling = DalejError(WORDS[str(ruled.made.body["ruling"])])
    return _said(said, where, ruled, wish, ruling=ruling, cost=_cost(ruled.made))


def grant_claim(event: Event, wish: Wish) -> Done:
    """The move starts again."""
    return _answer(event, wish, granted=True)


def deny_claim(event: Event, wish: Wish) -> Done:
    """The move goes on; its box is told."""
    return _answer(event, wish, granted=False)


def revoke(event: Event, wish: Wish) -> Done:
    """A referee's decision holds no longer."""
    number = Args(wish).number("number", 1)

    def plan(seen: Seen) -> Change:
        expect_none_newer(seen, wish.seen, event.who, lambda one: one.cursor == number)
        return rulings.revoke(seen, number, wish.why)

    before = event.read().decisions()
    found = event.read().decision(number)
    again = None if found is None else _again(event, found, wish)
    made = event.change_seen(plan)
    assert found is not None, "only what is there is revoked"
    return done(N_("Taken back: {decision} (number {number})."), decision=told(found, names_in(before)),
                number=number, decisions=[one.cursor for one in made], undo=again)  # fmt: skip


def tie(event: Event, wish: Wish) -> Done:
    """The order of players who are level, best first."""
    args = Args(wish)
    numbers = args.numbers("players")
    stage = args.text("stage", "") or None

    def plan(seen: Seen) -> Change:
        return rulings.tie(seen.state, stage, [find(seen.state, str(one)) for one in numbers], wish.why)

    made = event.change_seen(plan)[0]
    names = event.state().players
    return done(N_("The order is: {players} (number {number})."), number=made.cursor, decisions=[made.cursor],
                players=", ".join(names[one].name for one in numbers), undo=_revoking(made, wish))  # fmt: skip


def _rule_ahead(event: Event, wish: Wish, heard: Heard, seen: str, tiles: int | None) -> Done:
    made = rulings.rule_at_ahead(event, heard, seen, tiles, wish.why, wish.seen)
    said = N_("Table {table}: {ruling}, {cost} (number {number}), ruled before its box has told of the time-out.")
    return done(said, table=heard.table, ruling=DalejError(WORDS[str(made.body["ruling"])]), cost=_cost(made),
                number=made.cursor, decisions=[made.cursor], undo=_revoking(made, wish))  # fmt: skip


def _cost(made: Decision) -> DalejError:
    counted = made.body["tiles"]
    return DalejError(_TILES, tiles=counted) if isinstance(counted, int) else DalejError(_NOT_COUNTED)


def _answer(event: Event, wish: Wish, *, granted: bool) -> Done:
    args = Args(wish)
    now, claims = _what_waits_at(event, args), cases.claims(event.read(), event.state())
    where = _where(event, args, [one.place for one in claims]) if now is None else _claimed(event, args, now, claims)
    ruled = rulings.answer_claim(event, where, granted=granted, why=wish.why, since=wish.seen)
    said = N_("Table {table}, game {game}, seat {seat}: the claim is denied (number {number}).")
    if granted:
        said = N_("Table {table}, game {game}, seat {seat}: the claim is granted (number {number}).")
        if ruled.waits:
            said = N_("Table {table}, game {game}, seat {seat}: the claim is granted (number {number}); the move gets "
                      "its full time when the clock goes on.")  # fmt: skip
    elif ruled.request is not None:
        said = N_("Table {table}, game {game}, seat {seat}: the claim is denied (number {number}); the move goes on "
                  "with the clock.")  # fmt: skip
    return _said(said, where, ruled, wish)


def _said(template: str, where: Where, ruled: Ruled, wish: Wish, **data: Any) -> Done:
    requests = [] if ruled.request is None else [ruled.request]
    return done(template, table=where.table, game=where.game, seat=ruled.seat, number=ruled.made.cursor,
                decisions=[ruled.made.cursor], requests=requests, undo=_revoking(ruled.made, wish), **data)  # fmt: skip


def _revoking(made: Decision, wish: Wish) -> Wish:
    return Wish("revoke", {"number": made.cursor}, why=taken_back(wish.why))


def _what_waits_at(event: Event, args: Args) -> TableNow | None:
    """The table, if its box counts and what waits there is meant; None: a move or a seat is named."""
    named = args.maybe("move", 1) is not None or args.given("seat")
    now = None if named else table_at(event.read(), args.table)
    return now if now is None or now.ours or args.given("head") else None


def _heard(args: Args, now: TableNow) -> Heard | None:
    """What the box was known to have when the person looked, further than its facts; None: those told everything."""
    if not args.given("head"):
        return None
    return Heard(now.table, now.box, args.number("epoch", 0, _EPOCH_MOST), args.number("head", 1))


def _is_told(event: Event, heard: Heard) -> bool:
    return event.ledger.contiguous(heard.box, heard.epoch) >= heard.head


def _late(now: TableNow, heard: Heard | None, found: Sequence[Case]) -> Where:
    """The time-out that waits there, or that waited when it was heard of. Refused if none does, or if the table has
    settled it since then: nobody is overruled unseen.
    """
    at = now.at
    if heard is not None:
        told = (one.fact for one in now.facts)
        at = position(fact for fact in told if fact.epoch == heard.epoch and fact.seq <= heard.head)
    open_then = at.state == k.EXPIRED or (at.state == k.STOPPED and bool(at.late))
    case = next((one for one in reversed(found) if _is_of(one.place, now.table, at)), None) if open_then else None
    if case is None:
        raise Refused(N_("table {table}: no time-out waits there for a ruling"), table=now.table)
    ruled = case.current
    if heard is not None and ruled is not None and ruled.by == "table":
        raise Refused(
            N_("table {table} has settled that time-out itself by now ({ruling}): look at it, then rule again"),
            table=now.table, ruling=DalejError(WORDS[ruled.ruling]),
        )  # fmt: skip
    return Where(now.table, case.place.game, case.place.move, None, case.place.key)


def _claimed(event: Event, args: Args, now: TableNow, claims: Sequence[Claimed]) -> Where:
    """The claim that waits there. Unreachable as long as its box has not told of it."""
    heard = _heard(args, now)
    if heard is not None and not _is_told(event, heard):
        raise Unreachable(N_("table {table}: its box has not told of the claim yet; one moment, then answer it"),
                          table=now.table)  # fmt: skip
    here = [one for one in claims if one.place.table == now.table]
    last = here[-1] if here else None
    if last is None or (last.answer is not None and not _is_of(last.place, now.table, now.at)):
        raise Refused(N_("table {table}: no claim waits there for an answer"), table=now.table)
    return Where(now.table, last.place.game, last.place.move, None, last.place.key)


def _is_of(place: Place, table: int, at: Position) -> bool:
    return (place.table, place.box_game, place.move) == (table, at.game, at.move)


def _where(event: Event, args: Args, places: Sequence[Place]) -> Where:
    """Which move, or seat, is meant. `game` is the box's own number as a screen shows it; left out: of the game that
    the table is in, or was in last with such a move.
    """
    table, move, game = args.table, args.maybe("move", 1), args.maybe("game", 1)
    if move is None:
        seat = args.one_of("seat", SEATS)
        if game is None:
            raise WrongInput(N_("table {table}: no box counts there, expected the game too"), table=table)
        return Where(table, game, None, seat)
    if game is None:
        now = table_at(event.read(), table)
        game = now.at.game if now is not None and now.ours and now.at.game else None
    there = [one for one in places if (one.table, one.move) == (table, move)]
    of_game = [one for one in there if game in (None, one.box_game)] or [
        one for one in there if game in (None, one.game)
    ]
    if not of_game:
        return Where(table, game or 1, move, None)  # there is none: `adjudging` says which moves have one
    return Where(table, of_game[-1].game, move, None, of_game[-1].key)


def _again(event: Event, found: Decision, wish: Wish) -> Wish | None:
    """The wish that decides once more what is revoked."""
    body, why = found.body, taken_back(wish.why)
    place = _place_of(event, found)
    if found.kind == TIE:
        return Wish("tie", {"players": body["order"], "stage": body["stage"]}, why)
    if place is None:
        return None
    if found.kind == CLAIM:
        return Wish("grant_claim" if body["granted"] else "deny_claim", place, why)
    return Wish("rule", {**place, "verdict": body.get("seen", body["ruling"]), "tiles": body["tiles"]}, why)


def _place_of(event: Event, found: Decision) -> Mapping[str, Json] | None:
    of, state = found.body.get("of"), event.state()
    if found.kind == TABLE_RULING or (found.kind == CLAIM and of is None):
        return {name: found.body[name] for name in ("table", "game", "seat")}
    told: Sequence[Place] = ()
    if found.kind == RULING:
        told = [one.place for one in cases.cases(event.read(), state)
                if any(ruled.decision == found.cursor for ruled in one.history)]  # fmt: skip
        if not told and is_open(found):
            return {"table": found.body["table"], "epoch": of[1], "head": of[2]} if isinstance(of, list) else None
    elif found.kind == CLAIM:
        told = [one.place for one in cases.claims(event.read(), state) if list(one.of) == of]
    return {"table": told[0].table, "game": told[0].box_game, "move": told[0].move} if told else None


HANDLERS: Final = {
    "rule": rule, "grant_claim": grant_claim, "deny_claim": deny_claim, "revoke": revoke, "tie": tie,
}  # fmt: skip
