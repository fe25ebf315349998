"""Acts on results: entered in the notation of `dalej.office.notation`, corrected, confirmed, taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Final, Literal, cast

from msgspec import Meta, Struct, field

from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import CONFIRMED, NOT_PLAYED, GameAt, Round, Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Change, Event, Seen
from dalej.event.ledger import Decision
from dalej.office import results
from dalej.office.acts.act import About, Act, Asked, Count, GameNumber, Table
from dalej.office.acts.restoring import own_undo
from dalej.office.acts.roles import ORGANISERS, REFEREES, Role
from dalej.office.acts.sight import Sight
from dalej.office.acts.undoing import Undo
from dalej.office.acts.wishes import Done, Wish, cursors, done, taken_back
from dalej.office.decisionwords import expect_none_newer
from dalej.office.grounds import decided_from
from dalej.office.notation import Entry, expect_ending, rack, surprising
from dalej.office.results import WHOLE, Correction, prepared
from dalej.office.rounds import copies, together
from dalej.words import N_, capital, said, who_said

Points = Annotated[int, Meta(ge=-99_999, le=99_999)]  # small ones: who loses has less than none
Ended = Literal["went_out", "bank_empty", "round_time", "last_seat", "not_played"]

_SHEET: Final = (N_("mistyped"), N_("counted again"), N_("read from the wrong line"), N_("the referee's ruling"))


class OfResults(Act, frozen=True, kw_only=True):
    """An act on the results of a table. `round`: such as league/2, "": the one at work."""

    about: ClassVar[About] = "game"
    roles: ClassVar[frozenset[Role]] = REFEREES
    table: Table
    round: str = ""

    def meant(self, event: Event) -> Round:
        """The round that is meant."""
        return results.which(event.state(), self.round or None)


class WithRacks(OfResults, frozen=True, kw_only=True):
    """What lies on the racks of one game, by seat, in the notation of `dalej.office.notation`. `small`: small points as
    the players wrote them down, for control; `ruled_small`, `ruled_place`: the referee's, with a `ruling`.
    """

    game: GameNumber
    racks: Annotated[dict[str, str], Asked("racks", N_("racks"))] = field(default_factory=dict)
    ended: Annotated[Ended, Asked("choice", N_("how it ended"))] | None = None
    ruling: Annotated[str, Asked("text", N_("it stands all the same, because"))] = ""
    small: dict[str, Points] = field(default_factory=dict)
    ruled_small: dict[str, Points] = field(default_factory=dict)
    ruled_place: dict[str, Count] = field(default_factory=dict)

    @classmethod
    def question(cls, args: Mapping[str, object], sight: Sight) -> str:
        """Also what hardly ever happens, and is more likely mistyped."""
        racks = args.get("racks")
        doubts = _doubts(racks) if isinstance(racks, Mapping) else []
        return " ".join([*(f"{capital(said(doubt))}." for doubt in doubts), super().question(args, sight)]).strip()

    def entry(self, why: str) -> Entry:
        """What the paper says of it."""
        racks = {seat: rack(seat, text) for seat, text in self.racks.items()}
        for name in ("small", "ruled_small", "ruled_place"):
            for seat, number in getattr(self, name).items():
                if seat not in racks:
                    raise WrongInput(N_("seat {seat}: what lies on the rack? expected such as {seat}=23"), seat=seat)
                racks[seat] = replace(racks[seat], **{name: number})
        return Entry(self.ended, tuple(racks.values()), self.ruling, why if self.ended == NOT_PLAYED else "")


def _doubts(racks: Mapping[str, object]) -> list[DalejError]:
    """What cannot be read is refused when it is done."""
    try:
        return surprising([rack(seat, str(text)) for seat, text in racks.items() if text])
    except WrongInput:
        return []


class EnterResult(WithRacks, frozen=True, kw_only=True):
    """What lies on the racks of one game; where the box knows more, that is filled in and said."""

    name = "enter_result"
    title = N_("enter a result")
    reasons = (
        N_("the round's time was over"),
        N_("too few players were left"),
        N_("by agreement, with the head referee's leave"),
    )
    key = "e"
    topics = ("rack_count", "scoring")

    @classmethod
    def means(cls, name: str, args: Mapping[str, object], state: Tournament | None) -> bool:
        """A game that was played needs no reason."""
        return name != "why" or args.get("ended") == NOT_PLAYED

    def do(self, event: Event, wish: Wish) -> Done:
        return _enter(event, self, wish, None)


class CorrectResult(WithRacks, frozen=True, kw_only=True):
    """Another result in the place of the one that is there."""

    name = "correct_result"
    title = N_("correct a result")
    reasons = _SHEET
    why = True
    topics = ("rack_count", "scoring")
    confirm = N_("Table {table}, game {game}: the result that {who} entered is replaced.")

    @classmethod
    def touched(cls, args: Mapping[str, object], sight: Sight) -> Mapping[str, object]:
        table, game = args.get("table"), args.get("game")
        current = None if sight.state is None else sight.state.current
        if current is None or not isinstance(table, int) or not isinstance(game, int):
            return {}
        result = current.results.get(GameAt(table, game))
        return {} if result is None else {"who": who_said(result.mark.who)}

    def do(self, event: Event, wish: Wish) -> Done:
        one = self.meant(event)
        if one.closed is not None:
            raise Refused(
                N_("{round} is closed: an organiser corrects it, in one step that says what changes"),
                round=round_said(*one.key),
            )
        return _enter(event, self, wish, Correction(wish.why))


class CorrectClosed(WithRacks, frozen=True, kw_only=True):
    """The same in a round that is closed and stays so, also a sheet that was lost. The copies that its closing left are
    written anew.
    """

    name = "correct_closed"
    title = N_("correct a result of a closed round")
    roles = ORGANISERS
    reasons = _SHEET
    why = True
    offered = False
    topics = ("rack_count", "scoring")
    confirm = N_("Table {table}, game {game}: the result is corrected in a round that is closed, and stays so.")

    def do(self, event: Event, wish: Wish) -> Done:
        one = self.meant(event)
        if one.closed is None:
            raise Refused(N_("{round} is not closed"), round=round_said(*one.key))
        return _enter(event, self, wish, Correction(wish.why))


def ended_as(text: str | None) -> Ended | None:
    """How a game ended, by that word or as people write it; WrongInput names those that there are."""
    return None if text is None else cast("Ended", expect_ending(text))


class FiledGame(Struct, frozen=True, omit_defaults=True):
    """One game of a file, filled in with what its box knows."""

    table: Table
    game: GameNumber
    entry: Entry


class EnterResults(Act, frozen=True):
    """The results of several games, all of them or none."""

    name = "enter_results"
    title = N_("enter the results of a file")
    about = "round"
    roles = REFEREES
    offered = False
    games: Annotated[tuple[FiledGame, ...], Meta(min_length=1)]
    round: str = ""

    def do(self, event: Event, wish: Wish) -> Done:
        key = results.which(event.state(), self.round or None).key
        entries = {GameAt(one.table, one.game): one.entry for one in self.games}
        made = event.change_seen(lambda seen: results.enter(seen.state, key, entries))
        said = N_("One result is entered.") if len(entries) == 1 else N_("{count} results are entered.")
        return done(said, count=len(entries), decisions=cursors(made), undo=own_undo(made, wish))


class ConfirmResult(OfResults, frozen=True, kw_only=True):
    """A second person has looked at the results of a table as they stood at `seen`."""

    name = "confirm_result"
    title = N_("confirm the results of a table")

    def do(self, event: Event, wish: Wish) -> Done:
        one = self.meant(event)

        def plan(seen: Seen) -> Change:
            expect_none_newer(seen, wish.seen, event.who, lambda made: _of_table(made, one, self.table))
            return results.confirm(seen.state, one.key, self.table, event.who)

        made = event.change_seen(plan)
        return done(N_("The results of table {table} are confirmed."), table=self.table, decisions=[made[0].cursor],
                    undo=own_undo(made, wish))  # fmt: skip


class ReopenResult(OfResults, frozen=True, kw_only=True):
    """The result of a game, or of all games of the table, is taken back, and with it that it was confirmed."""

    name = "reopen_result"
    title = N_("take a result back")
    reasons = _SHEET
    why = True
    confirm = N_("Table {table}: the result of game {game} is taken back.")
    game: GameNumber | None = None

    def do(self, event: Event, wish: Wish) -> Done:
        game = self.game or WHOLE
        one = self.meant(event)

        def plan(seen: Seen) -> Change:
            expect_none_newer(seen, wish.seen, event.who, lambda made: _of_table(made, one, self.table))
            return results.reopen(seen, one.key, self.table, game, wish.why)

        made = event.change_seen(plan)
        said = N_("The results of table {table} are taken back.")
        if game != WHOLE:
            said = N_("Table {table}, game {game}: the result is taken back.")
        return done(said, table=self.table, game=game, decisions=cursors(made))


def _enter(event: Event, act: WithRacks, wish: Wish, correction: Correction | None) -> Done:
    one = act.meant(event)
    at = GameAt(act.table, act.game)
    seats = results.seats_of(results.table_of(one, at.table))
    for seat in act.racks:
        if seat not in seats:
            raise WrongInput(N_("nobody sits at table {table}, seat {seat}; expected {seats}"),
                             table=at.table, seat=seat, seats=", ".join(seats))  # fmt: skip
    entry = act.entry(wish.why)
    if correction is None:
        results.expect_not_played(entry, at)
    ready = prepared(event, one, at, entry)
    remarks = [*ready.remarks, *ready.doubts]
    subject = results.subject_of(one.key, at)

    def plan(seen: Seen) -> Change:
        expect_none_newer(seen, wish.seen, event.who, lambda made: made.subject == subject)
        return results.enter(seen.state, one.key, {at: ready.entry}, correction)

    made = event.change_seen(plan)
    after = event.state()
    remarks += results.remarks(after, after.rounds[one.key], at)
    if correction is not None:
        remarks += [each.told for each in decided_from(event.seen(), one.key)]
    said, changes = (
        N_("Table {table}, game {game}: the result is entered."),
        results.changes_said(one.results.get(at), after.rounds[one.key].results[at]),
    )
    undo, data = own_undo(made, wish), dict[str, Any]()
    if correction is not None:
        said, data = N_("Table {table}, game {game}: the result is corrected ({changes})."), {"changes": changes}
    if isinstance(act, CorrectClosed):
        said = N_("Table {table}, game {game}: the result is corrected ({changes}); {round} stays closed.")
        undo, problem = Undo(made[-1].cursor).wish(taken_back(wish.why)), copies(event, made)
        data |= {"round": round_said(*one.key), "copy": problem}
        remarks += [] if problem is None else [problem]
    first = DalejError(said, table=at.table, game=at.game, **data)
    if not remarks:
        return done(said, table=at.table, game=at.game, decisions=[made[0].cursor], undo=undo, **data)
    noted = together(remarks)
    return done(
        N_("{said} Note – {remarks}."), said=first, remarks=noted, decisions=[made[0].cursor], undo=undo, **data
    )


def _of_table(made: Decision, one: Round, table: int) -> bool:
    where = f"{one.key.stage}:{one.key.round}:{table}"
    subject = made.subject or ""
    return subject == f"{CONFIRMED}:{where}" or subject.startswith(f"result:{where}:")
