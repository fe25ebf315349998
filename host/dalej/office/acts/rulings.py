"""Acts by which a referee decides: on time-outs, on claims, on players who are level; and takes that back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from dalej.domain.game.calls import KEPT_MS, TAKEN
from dalej.domain.game.facts import SEATS
from dalej.domain.game.positions import Position, position
from dalej.domain.game.rulings import RULING, is_open
from dalej.domain.game.sentences import WORDS
from dalej.domain.tournament.tournament import CLAIM, TABLE_RULING, TIE, Tournament
from dalej.errors import DalejError, Refused, Sayable, Unreachable, WrongInput
from dalej.event import cases
from dalej.event.cases import Case, Claimed, Place
from dalej.event.event import Change, Event, Seen
from dalej.event.ledger import Decision, Draft, Json
from dalej.event.tables import Tables
from dalej.office import rulings
from dalej.office.acts.act import Act, Asked, Count, GameNumber, SeatThere, missing
from dalej.office.acts.attable import AtTable, GoesOn, TableNow, ask, going_on, table_at
from dalej.office.acts.restoring import as_it_was, own_undo
from dalej.office.acts.roles import REFEREES
from dalej.office.acts.sight import Sight, decision_named
from dalej.office.acts.wishes import Done, Wish, cursors, done, taken_back
from dalej.office.decisionwords import expect_none_newer, names_in, told
from dalej.office.players import find
from dalej.office.rulings import Heard, Ruled, Where
from dalej.words import N_, readable
from moveclock import facts as k

_TILES: Final = N_("tiles: {tiles}")
_NOT_COUNTED: Final = N_("tiles not counted yet")
_EPOCH_MOST: Final = (1 << 32) - 1


_AGREED: Final = N_("the players agree")


class AboutMove(AtTable, frozen=True, kw_only=True):
    """What is decided about a move: the one that waits for it; else that `move`, or where no box counts that `game` of
    that `seat`. `game` is the box's own number as a screen shows it; with a `round`, such as league/2, or "" for the
    one at work, it is that round's. `epoch`, `head`: what the box was known to have when the person looked, further
    than its facts. `meanwhile`: what is said until its box has told of it.
    """

    move: Annotated[int, Meta(ge=1), Asked("number", N_("move"))] | None = None
    game: GameNumber | None = None
    seat: SeatThere | None = None
    round: str | None = None
    epoch: Annotated[int, Meta(ge=0, le=_EPOCH_MOST)] | None = None
    head: Annotated[int, Meta(ge=1)] | None = None
    meanwhile: ClassVar[str] = N_("one moment: its box is asked what happened.")

    def what_waits(self, event: Event) -> TableNow | None:
        """The table, if its box counts and what waits there is meant; None: a move or a seat is named."""
        named = self.move is not None or self.seat is not None
        now = None if named else table_at(event.read(), self.table)
        return now if now is None or now.ours or self.head is not None else None

    def heard(self, now: TableNow) -> Heard | None:
        """What the person knew; None: its facts told everything."""
        return None if self.head is None else Heard(now.table, now.box, self.epoch or 0, self.head)

    def where(self, event: Event, places: Sequence[Place]) -> Where:
        """Which move, or seat, is named; `game` left out: of the game that the table is in, or was in last with such a
        move.
        """
        table, move, game = self.table, self.move, self.game
        if self.round is not None and game is not None:
            return Where(table, game, move, self.seat, rulings.round_meant(event.state(), self.round or None))
        if move is None:
            if self.seat is None:
                raise missing(self, "seat")
            if game is None:
                raise WrongInput(N_("table {table}: no box counts there, expected the game too"), table=table)
            return Where(table, game, None, self.seat)
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


class TakeCall(AtTable, frozen=True, kw_only=True):
    """Somebody goes to a table that has called; the others see it. It is given back by taking it back, and by itself
    after a while. `epoch`, `head`: what its box was known to have when the person looked, further than its facts.
    """

    name = "take_call"
    title = N_("go to a call")
    offered = False
    call: Literal["referee", "dispute", "early_click", "time_out", "power_lost"]
    epoch: Annotated[int, Meta(ge=0, le=_EPOCH_MOST)] | None = None
    head: Annotated[int, Meta(ge=1)] | None = None

    def do(self, event: Event, wish: Wish) -> Done:
        if not self._waits(event):
            raise Refused(N_("table {table} waits for nobody any more: this call is settled"), table=self.table)

        def plan(seen: Seen) -> Change:
            since_ms = event.wall_ms() - KEPT_MS
            for one in reversed(seen.decisions):
                meant = one.kind == TAKEN and (one.body["table"], one.body["call"]) == (self.table, self.call)
                if meant and one.revoked_by is None and one.when_ms > since_ms and one.who != event.who:
                    raise Refused(N_("{who} is on the way to table {table} already"), who=one.who, table=self.table)
            return Change([Draft(TAKEN, {"table": self.table, "call": self.call})], wish.why or N_("on the way"))

        made = event.change_seen(plan)
        return done(N_("You are on the way to table {table}."), table=self.table, decisions=cursors(made),
                    undo=own_undo(made, wish))  # fmt: skip

    def _waits(self, event: Event) -> bool:
        """As far as its box has told; what it has not told yet may well be that call."""
        tables = event.read().fold(Tables)
        box = tables.boxes.box_of.get(self.table)
        journal = None if box is None else tables.latest(box)
        if box is None or journal is None:
            return False
        if self.head is not None and not _is_told(event, Heard(self.table, box, self.epoch or 0, self.head)):
            return True
        return any(one.kind == self.call for one in journal.calls())


class Rule(AboutMove, frozen=True, kw_only=True):
    """A time-out: what was seen, and how many tiles it costs."""

    name = "rule"
    title = N_("rule on a time-out")
    meanwhile = N_(
        "one moment: its box is asked what happened. You can rule already: it holds as soon as the box has told."
    )
    reasons = (N_("seen by the referee"), _AGREED, N_("the table was asked"), N_("nobody saw it"))
    key = "u"
    why = True
    topics = ("time_out", "touching")
    verdict: Annotated[
        Literal["stands", "undone", "takes_invalid", "touched", "nothing_laid"],
        Asked("choice", N_("what was seen")),
    ]
    tiles: Annotated[int, Meta(ge=0, le=rulings.TILES_MOST), Asked("tiles", N_("tiles"))] | None = None
    another: Annotated[bool, Asked("flag", N_("another time-out of that seat"))] = False

    @classmethod
    def means(cls, name: str, args: Mapping[str, object], state: Tournament | None) -> bool:
        """A move that stands costs no tiles."""
        return name != "tiles" or args.get("verdict") not in (None, "stands")

    def do(self, event: Event, wish: Wish) -> Done:
        now = self.what_waits(event)
        heard = None if now is None else self.heard(now)
        if heard is not None and not _is_told(event, heard):
            return _rule_ahead(event, wish, heard, self.verdict, self.tiles)
        found = cases.cases(event.read(), event.state(), self.table)
        where = self.where(event, [case.place for case in found]) if now is None else _late(now, heard, found)
        ruled = rulings.rule_at(
            event, where, self.verdict, self.tiles, wish.why, wish.seen, another=self.another
        )  # fmt: skip
        said = N_("Table {table}, game {game}, {player}: {ruling}, {cost}.")
        ruling = DalejError(WORDS[str(ruled.made.body["ruling"])])
        return _said(event, said, where, ruled, wish, ruling=ruling, cost=_cost(ruled.made))


class OfClaim(AboutMove, frozen=True, kw_only=True):
    """An answer to a claim. `goes_on`: the box is asked to let the clock go on with it."""

    goes_on: GoesOn = False


class GrantClaim(OfClaim, frozen=True, kw_only=True):
    """The move starts again."""

    name = "grant_claim"
    title = N_("grant the claim")
    reasons = (_AGREED, N_("the tile was drawn late"), N_("seen by the referee"))
    why = True
    topics = ("click", "drawing")

    def do(self, event: Event, wish: Wish) -> Done:
        return _answer(event, self, wish, granted=True)


class DenyClaim(OfClaim, frozen=True, kw_only=True):
    """The move goes on; its box is told."""

    name = "deny_claim"
    title = N_("deny the claim")
    reasons = (_AGREED, N_("the tile was drawn first"), N_("nobody saw it"))
    why = True
    topics = ("click", "drawing")

    def do(self, event: Event, wish: Wish) -> Done:
        return _answer(event, self, wish, granted=False)


class Revoke(Act, frozen=True):
    """A referee's decision holds no longer."""

    name = "revoke"
    title = N_("take a ruling back")
    about = "decision"
    roles = REFEREES
    why = True
    confirm = N_("Decision {number} is taken back: {decision}.")
    number: Annotated[int, Meta(ge=1), Asked("ruling", N_("ruling"))]

    @classmethod
    def touched(cls, args: Mapping[str, object], sight: Sight) -> Mapping[str, object]:
        return decision_named(args, sight)

    def do(self, event: Event, wish: Wish) -> Done:
        def plan(seen: Seen) -> Change:
            expect_none_newer(seen, wish.seen, event.who, lambda one: one.cursor == self.number)
            return rulings.revoke(seen, self.number, wish.why)

        before = event.read().decisions()
        found = event.read().decision(self.number)
        again = None if found is None else _again(event, found, wish)
        made = event.change_seen(plan)
        assert found is not None, "only what is there is revoked"
        what, place = told(found, names_in(before)), _place_of(event, found) if found.kind == RULING else None
        if place is not None and "move" in place:
            what = DalejError(N_("table {table}, move {move}: {decision}"), decision=what, table=str(place["table"]),
                              move=str(place["move"]))  # fmt: skip
        return done(N_("Taken back: {decision}."), decision=what, decisions=cursors(made), undo=again)


class Tie(Act, frozen=True):
    """The order of players who are level, best first; in a `stage`, "": the last one reached."""

    name = "tie"
    title = N_("order players who are level")
    reasons = (N_("as the head referee decides"), N_("by lot"), N_("by a game played for it"))
    roles = REFEREES
    why = True
    topics = ("ties",)
    players: Annotated[tuple[Count, ...], Meta(min_length=1), Asked("players", N_("best first"))]
    stage: str = ""

    def do(self, event: Event, wish: Wish) -> Done:
        def plan(seen: Seen) -> Change:
            players = [find(seen.state, str(one)) for one in self.players]
            return rulings.tie(seen.state, self.stage or None, players, wish.why)

        made = event.change_seen(plan)[0]
        names = event.state().players
        return done(N_("The order is: {players}."), decisions=[made.cursor], undo=_revoking(made, wish),
                    players=", ".join(names[one].name for one in self.players))  # fmt: skip


def _rule_ahead(event: Event, wish: Wish, heard: Heard, seen: str, tiles: int | None) -> Done:
    made = rulings.rule_at_ahead(event, heard, seen, tiles, wish.why, wish.seen)
    said = N_("Table {table}: {ruling}, {cost}, ruled before its box has told of the time-out.")
    return done(said, table=heard.table, ruling=DalejError(WORDS[str(made.body["ruling"])]), cost=_cost(made),
                decisions=[made.cursor], undo=_revoking(made, wish))  # fmt: skip


def _cost(made: Decision) -> DalejError:
    counted = made.body["tiles"]
    return DalejError(_TILES, tiles=counted) if isinstance(counted, int) else DalejError(_NOT_COUNTED)


def _answer(event: Event, act: OfClaim, wish: Wish, *, granted: bool) -> Done:
    now, claims = act.what_waits(event), cases.claims(event.read(), event.state(), act.table)
    where = act.where(event, [one.place for one in claims]) if now is None else _claimed(event, act, now, claims)
    with event.together():
        ruled = rulings.answer_claim(event, where, granted=granted, why=wish.why, since=wish.seen)
        stands = table_at(event.read(), where.table) if act.goes_on else None
        if stands is not None and (stands.at.state != k.STOPPED or stands.at.move != where.move):
            stands = None
        then = []
        if stands is not None and granted and not ruled.waits:  # its box holds no claim: the answer was taken back
            then.append(ask(event, stands, "restart_move", {}, wish.why))
        if stands is not None:
            then += going_on(event, stands, wish.why)
    if then and stands is not None:
        made = [ruled.made.cursor]
        asked = [*([] if ruled.request is None else [ruled.request]), *then]
        undo = as_it_was(stands, wish, made) or _revoking(ruled.made, wish)
        words = N_("Table {table}, game {game}, {player}: the claim is denied; the clock goes on.")
        if granted:
            words = N_("Table {table}, game {game}, {player}: the claim is granted; the move begins anew.")
        return done(words, table=where.table, game=where.game, player=_player(event, where, ruled), decisions=made,
                    requests=asked, undo=undo)  # fmt: skip
    said = N_("Table {table}, game {game}, {player}: the claim is denied.")
    if granted:
        said = N_("Table {table}, game {game}, {player}: the claim is granted.")
        if ruled.waits:
            said = N_("Table {table}, game {game}, {player}: the claim is granted; the move gets its full time when "
                      "the clock goes on.")  # fmt: skip
    elif ruled.request is not None:
        said = N_("Table {table}, game {game}, {player}: the claim is denied; the move goes on with the clock.")
    return _said(event, said, where, ruled, wish)


def _said(event: Event, template: str, where: Where, ruled: Ruled, wish: Wish, **data: Sayable) -> Done:
    requests = [] if ruled.request is None else [ruled.request]
    at: dict[str, Sayable] = {"table": where.table, "game": where.game, "player": _player(event, where, ruled)}
    return Done(template, at | data, (ruled.made.cursor,), tuple(requests), _revoking(ruled.made, wish))


def _player(event: Event, where: Where, ruled: Ruled) -> str:
    """Who sat there then: `Jeż (B)`, or the seat alone where nobody has said who."""
    tables, of = event.read().fold(Tables), ruled.made.body.get("of")
    told = tables.reported((str(of[0]), int(str(of[1])), int(str(of[2])))) if isinstance(of, list) else None
    name = tables.people.names(where.table, None if told is None else told.cursor)[SEATS.index(ruled.seat)]
    return readable(f"{name} ({ruled.seat})") if name else ruled.seat


def _revoking(made: Decision, wish: Wish) -> Wish:
    return Revoke(made.cursor).wish(taken_back(wish.why))


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
        raise rulings.settled_at_table(now.table, ruled)
    return Where(now.table, case.place.game, case.place.move, None, case.place.key)


def _claimed(event: Event, act: AboutMove, now: TableNow, claims: Sequence[Claimed]) -> Where:
    """The claim that waits there. Unreachable as long as its box has not told of it."""
    heard = act.heard(now)
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
