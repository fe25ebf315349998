"""Acts on rounds: seated, moved about, locked, timed, closed, opened again; and who goes on to the next stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from dalej.domain.tournament.stages import round_name, round_said, stage_said
from dalej.domain.tournament.tournament import RoundKey, Tournament
from dalej.errors import DalejError, Refused, Sayable
from dalej.event.event import Change, Event
from dalej.event.ledger import Decision
from dalej.event.roundgames import games_of_round
from dalej.office import advancing, attendance, results, rounds
from dalej.office.acts.act import (
    About,
    Act,
    Anyway,
    Asked,
    Count,
    PlayerNumber,
    Tables,
    missing,
)
from dalej.office.acts.attable import tables_now
from dalej.office.acts.restoring import own_undo
from dalej.office.acts.sight import Sight
from dalej.office.acts.undoing import undoable
from dalej.office.acts.wishes import Done, Wish, cursors, done
from dalej.office.grounds import decided_from
from dalej.office.opening import proper_date
from dalej.office.players import find
from dalej.office.reseating import gone_for_the_round
from dalej.office.seating import STILL_SEATED, sits
from dalej.office.settings import DEFAULT
from dalej.words import N_, _, is_word, ngettext, said


class OfRound(Act, frozen=True):
    """An act on the round to work on."""

    about: ClassVar[About] = "round"


class Attendance(OfRound, frozen=True, kw_only=True):
    """Whether one player misses the round at work, or several `players` at once."""

    keeps_why: ClassVar[bool] = True
    players: Annotated[tuple[Count, ...], Meta(min_length=1)] | None = None
    player: PlayerNumber | None = None

    def numbers(self) -> list[int]:
        """Whom it is about, each once."""
        found = self.players or (() if self.player is None else (self.player,))
        if not found:
            raise missing(self, "player")
        return [*dict.fromkeys(found)]

    def told(self, event: Event, wish: Wish, said: str, made: Sequence[Decision]) -> Done:
        """What was decided, with their names."""
        numbers, names = self.numbers(), event.state().players
        told = ", ".join(names[one].name for one in numbers)
        if len(numbers) == 1:
            return undoable(said, made, wish, name=told)
        return done(said, name=told, decisions=cursors(made), undo=own_undo(made, wish))  # all of them, not the last


class Absent(Attendance, frozen=True, kw_only=True):
    """Misses the round at work. `free_seat`: whose seat becomes free by it. `playing`: tables that were named to
    whoever wishes that, because a game goes on there.
    """

    name = "absent"
    title = N_("a player misses the round")
    free_seat: Annotated[bool, Asked("flag", N_("a seat becomes free by it"))] = False
    playing: Tables = ()

    def do(self, event: Event, wish: Wish) -> Done:
        numbers, why = self.numbers(), wish.why or None
        made = gone_for_the_round(event, numbers, why, free_seats=self.free_seat, playing=self.playing)
        said = N_("{name} miss this round.") if len(numbers) > 1 else N_("{name} misses this round.")
        state = event.state()
        if any(sits(state, number) for number in numbers):
            said = STILL_SEATED
            if len(numbers) > 1:
                said = N_("{name} miss this round, and not everybody's seat is free: too few would be left at a table. "
                          "Draw the seats anew.")  # fmt: skip
        return self.told(event, wish, said, made)


class Present(Attendance, frozen=True, kw_only=True):
    """Does not miss it after all."""

    name = "present"
    title = N_("a player is there after all")

    def do(self, event: Event, wish: Wish) -> Done:
        numbers = self.numbers()

        def plan(state: Tournament) -> Change:
            return attendance.absent(state, [find(state, str(one)) for one in numbers], False, wish.why or None)

        made = event.change(plan)
        state, said = event.state(), N_("{name} are there.") if len(numbers) > 1 else N_("{name} is there.")
        seated = state.current is not None and state.current.seating is not None
        if len(numbers) == 1 and seated and not sits(state, numbers[0]):
            said = N_("{name} is there, and has no seat yet.")
        return self.told(event, wish, said, made)


class DateRound(OfRound, frozen=True):
    """The day of a round, also of one that is still to come; “default” takes it back."""

    name = "date_round"
    title = N_("set the day of a round")
    topics = ("stages",)
    date: Annotated[str, Asked("text", N_("day, such as 2026-12-04"))]
    round: Annotated[str, Asked("text", N_("round, such as league/2"))] = ""

    def do(self, event: Event, wish: Wish) -> Done:
        key = rounds.planned(event.state(), self.round or None)
        day = "" if is_word(self.date, DEFAULT) else proper_date(self.date)
        made = event.change(lambda state: rounds.date_round(state, key, day))
        if not day:
            return undoable(N_("{round} has no day of its own."), made, wish, round=round_said(*key))
        if not made:
            return done(N_("{round} is on {date} already."), round=round_said(*key), date=day)
        return undoable(N_("{round} is on {date}."), made, wish, round=round_said(*key), date=day)


class StartRound(OfRound, frozen=True):
    """The round's time begins now; said is where a game goes on that began before the round was seated."""

    name = "start_round"
    title = N_("start the round's clock")
    topics = ("stages",)
    minutes: Annotated[int, Meta(ge=1, le=600), Asked("number", N_("minutes"))] | None = None

    @classmethod
    def known_before(cls, sight: Sight) -> list[str]:
        state, one, earlier = sight.state, sight.round, sight.earlier
        if state is None or one is None:
            return []
        lines = []
        if one.clock is not None:
            lines.append(_("The clock of this round runs already; it would begin anew."))
        if earlier:
            before = [other for other in state.rounds.values() if other.closed is not None]
            if before:
                said = ngettext("{count} box still plays {round}: table {tables}.",
                                "{count} boxes still play {round}: tables {tables}.", len(earlier))  # fmt: skip
                lines.append(
                    said.format(
                        count=len(earlier), round=round_name(*before[-1].key), tables=rounds.tables_words(earlier)
                    )
                )
            else:
                said = ngettext("{count} box still plays a game from before this round: table {tables}.",
                                "{count} boxes still play games from before this round: tables {tables}.",
                                len(earlier))  # fmt: skip
                lines.append(said.format(count=len(earlier), tables=rounds.tables_words(earlier)))
        return lines

    def do(self, event: Event, wish: Wish) -> Done:
        made = event.change(lambda state: rounds.start(state, self.minutes))
        one = rounds.seated(event.state())
        length_ms = 0 if one.clock is None else one.clock.length_ms
        games = games_of_round(event.read(), event.state(), one.key)
        here = {at.table for at, game in games.items() if game.ended is None}
        earlier = [now.table for now in tables_now(event.read()) if now.plays and now.table not in here]
        data: dict[str, Sayable] = {"round": round_said(*one.key), "minutes": -(-length_ms // 60_000)}
        said = N_("{round} has begun: {minutes} minutes.")
        if data["minutes"] == 1:
            said = N_("{round} has begun: one minute.")
        if not earlier:
            return undoable(said, made, wish, **data)
        more = N_("{said} Boxes that still play a game from before it: tables {tables}.")
        if len(earlier) == 1:
            more = N_("{said} A box still plays a game from before it: table {tables}.")
        return undoable(more, made, wish, said=DalejError(said, **data), tables=rounds.tables_words(earlier), **data)


class CloseRound(OfRound, frozen=True):
    """The round is over, and a copy of the event is kept beside it."""

    name = "close_round"
    title = N_("close the round")
    topics = ("stages",)
    confirm = N_("{round} is closed: its results count for the standings.")
    anyway: Anyway = ""

    @classmethod
    def known_before(cls, sight: Sight) -> list[str]:
        one, playing = sight.round, [table for table in sight.plays if table in sight.here]
        if one is None:
            return []
        lines = []
        if missing := one.missing():
            lines.append(_("Results are missing: {games}.").format(games=said(rounds.games_by_table(missing))))
        if playing:
            told = ngettext("{count} box still plays this round: table {tables}.",
                            "{count} boxes still play this round: tables {tables}.", len(playing))  # fmt: skip
            lines.append(told.format(count=len(playing), tables=rounds.tables_words(playing)))
        if open_ones := rounds.unconfirmed(one):
            told = ngettext("No second person has confirmed the results of {count} table: {tables}.",
                            "No second person has confirmed the results of {count} tables: {tables}.",
                            len(open_ones))  # fmt: skip
            lines.append(told.format(count=len(open_ones), tables=rounds.tables_words(open_ones)))
        return lines

    def do(self, event: Event, wish: Wish) -> Done:
        play = [now.table for now in tables_now(event.read()) if now.plays]
        closed = rounds.close_round(event, self.anyway)
        data: dict[str, Any] = {"round": round_said(*closed.key), "file": closed.copy.name, "problem": closed.problem}
        said = N_("{round} is closed; a copy is in {file}.")
        if closed.problem is not None:
            said = N_("{round} is closed. No copy was made: {problem}")
        remarks = []
        if open_ones := rounds.unconfirmed(event.state().rounds[closed.key]):
            told = N_("not confirmed by a second person: tables {tables}")
            if len(open_ones) == 1:
                told = N_("not confirmed by a second person: table {tables}")
            remarks.append(DalejError(told, tables=rounds.tables_words(open_ones)))
        if play:
            told = N_("boxes that still play: tables {tables}")
            if len(play) == 1:
                told = N_("a box still plays: table {tables}")
            remarks.append(DalejError(told, tables=rounds.tables_words(play)))
        if not remarks:
            return undoable(said, closed.made, wish, **data)
        first = DalejError(said, **data)
        return undoable(
            N_("{said} Note – {remarks}."), closed.made, wish, said=first, remarks=rounds.together(remarks), **data
        )


class ReopenRound(OfRound, frozen=True):
    """The round that was closed last, or the one that is named."""

    name = "reopen_round"
    title = N_("open the round again")
    why = True
    confirm = N_("{round} is worked on again; who had gone on because of it goes on all the same.")
    round: Annotated[str, Asked("text", N_("round, such as league/1"))] = ""

    def do(self, event: Event, wish: Wish) -> Done:
        key = _closed(event.state(), self.round)
        made = rounds.reopen_round(event, key, wish.why)
        stands = [one.told for one in decided_from(event.seen(), key)]
        said = N_("{round} is open again.")
        if not stands:
            return done(said, round=round_said(*key), decisions=cursors(made))
        first, noted = DalejError(said, round=round_said(*key)), rounds.together(stands)
        return done(N_("{said} Note – {remarks}."), said=first, remarks=noted, decisions=cursors(made))


class Advance(Act, frozen=True):
    """Who plays in the next stage."""

    name = "advance"
    title = N_("settle who goes on")
    confirm = N_("It is settled who plays in the next stage, by the standings.")
    topics = ("stages",)
    players: Annotated[int, Meta(ge=2, le=5_000), Asked("number", N_("players"))] | None = None
    anyway: Anyway = ""

    def do(self, event: Event, wish: Wish) -> Done:
        before = event.state()
        made = event.change(lambda state: advancing.advance(state, self.players, self.anyway))
        stage, on = list(event.state().entrants.items())[-1]
        others = advancing.left_open(before, next(one for one in before.plan if one.id == stage))
        if others and self.players is None:
            return undoable(
                N_("Players who go on to {stage}: {count}; {others} may be chosen as well [{clause}], after this is "
                   "taken back."),
                made, wish, stage=stage_said(stage), count=len(on), others=", ".join(map(str, others)),
                clause=before.ruleset.clause("semifinal_large"),
            )  # fmt: skip
        return undoable(N_("Players who go on to {stage}: {count}."), made, wish, stage=stage_said(stage),
                        count=len(on))  # fmt: skip


def _closed(state: Tournament, text: str) -> RoundKey:
    if text:
        return results.which(state, text).key
    closed = [one.key for one in state.rounds.values() if one.closed is not None]
    if not closed:
        raise Refused(N_("no round is closed yet"))
    return closed[-1]
