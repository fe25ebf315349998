"""Acts by which a referee decides: on time-outs, on claims, on players who are level; and takes that back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from dalej.acts.catalogue import SEEN
from dalej.acts.tables import table_at
from dalej.acts.wishes import Args, Done, Wish, done, taken_back
from dalej.domain.facts import SEATS
from dalej.domain.rulings import RULING
from dalej.domain.tournament import CLAIM, TABLE_RULING, TIE
from dalej.errors import DalejError, WrongInput
from dalej.ledger import Decision, Json
from dalej.office import adjudging, cases, referee
from dalej.office.adjudging import Ruled, Where
from dalej.office.cases import Place
from dalej.office.event import Change, Event, Seen
from dalej.office.history import names_in, tell
from dalej.office.newer import expect_none_newer
from dalej.office.players import find
from dalej.telling import WORDS
from dalej.words import N_

_TILES: Final = N_("tiles: {tiles}")
_NOT_COUNTED: Final = N_("tiles not counted yet")


def rule(event: Event, wish: Wish) -> Done:
    """A time-out: what was seen, and how many tiles it costs."""
    args = Args(wish)
    seen, tiles = args.one_of("verdict", SEEN), args.maybe("tiles", 0, referee.TILES_MOST)
    where = _where(event, args, [case.place for case in cases.cases(event.ledger, event.state())])
    ruled = adjudging.rule(event, where, seen, tiles, wish.why, wish.seen)
    counted = ruled.made.body["tiles"]
    cost = DalejError(_TILES, tiles=counted) if isinstance(counted, int) else DalejError(_NOT_COUNTED)
    said = N_("Table {table}, game {game}, seat {seat}: {ruling}, {cost} (number {number}).")
    return _said(said, where, ruled, wish, ruling=DalejError(WORDS[str(ruled.made.body["ruling"])]), cost=cost)


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
        return referee.revoke(seen, number, wish.why)

    before = {one.cursor: one for one in event.ledger.decisions()}
    found = before.get(number)
    again = None if found is None else _again(event, found, wish)
    made = event.change_seen(plan)
    assert found is not None, "only what is there is revoked"
    return done(N_("Taken back: {decision} (number {number})."), decision=tell(found, names_in(before.values())),
                number=number, decisions=[one.cursor for one in made], undo=again)  # fmt: skip


def tie(event: Event, wish: Wish) -> Done:
    """The order of players who are level, best first."""
    args = Args(wish)
    numbers = args.numbers("players")
    stage = args.text("stage", "") or None

    def plan(seen: Seen) -> Change:
        return referee.tie(seen.state, stage, [find(seen.state, str(one)) for one in numbers], wish.why)

    made = event.change_seen(plan)[0]
    names = event.state().players
    return done(N_("The order is: {players} (number {number})."), number=made.cursor, decisions=[made.cursor],
                players=", ".join(names[one].name for one in numbers), undo=_revoking(made, wish))  # fmt: skip


def _answer(event: Event, wish: Wish, *, granted: bool) -> Done:
    args = Args(wish)
    where = _where(event, args, [claim.place for claim in cases.claims(event.ledger, event.state())])
    ruled = adjudging.answer_claim(event, where, granted=granted, why=wish.why, since=wish.seen)
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
        now = table_at(event.ledger, table)
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
        told = [one.place for one in cases.cases(event.ledger, state)
                if of in [list(one.of), *(list(ruled.of) for ruled in one.history)]]  # fmt: skip
    elif found.kind == CLAIM:
        told = [one.place for one in cases.claims(event.ledger, state) if list(one.of) == of]
    return {"table": told[0].table, "game": told[0].box_game, "move": told[0].move} if told else None


HANDLERS: Final = {
    "rule": rule, "grant_claim": grant_claim, "deny_claim": deny_claim, "revoke": revoke, "tie": tie,
}  # fmt: skip
