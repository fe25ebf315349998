"""A table's results asked for in a terminal: seat by seat, game by game, each game written as soon as it is right;
and results as they are printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import click

from dalej.cli.decision import do, says_yes
from dalej.cli.terminal import name_commands, typed_here
from dalej.cli.terminal import table as print_table
from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import instant, word
from dalej.domain.scoring.points import SeatScore, Sheet, gained
from dalej.domain.scoring.sheets import ENDINGS
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Result, Round, RoundKey, Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Event, Seen
from dalej.event.roundgames import games_of_round
from dalej.office import results
from dalej.office.acts.results import EnterResult, ended_as
from dalej.office.corrections import Bearing
from dalej.office.grounds import decided_from
from dalej.office.notation import Entry, ending, rack, surprising, with_box, written
from dalej.words import N_, _, advised, capital, is_word, ngettext, readable, said, who_said


def say_result(result: Result) -> None:
    """One game with its scores."""
    click.echo(
        _("Table {table}, game {game}: {how}").format(table=result.at.table, game=result.at.game, how=how(result))
    )
    if result.sheet is not None:
        say_scores(result.sheet, result.scores)


def say_line(result: Result) -> None:
    """One game in one line: who has how many small points, and big ones in brackets."""
    scores = ", ".join(
        f"{readable(one.name)} {gained(one.small)}" + ("" if one.big is None else f" ({one.big})")
        for one in result.scores
    )
    click.echo(_("Table {table}, game {game}: {scores}").format(
        table=result.at.table, game=result.at.game, scores=scores
    ))  # fmt: skip


def say_scores(sheet: Sheet, scores: Sequence[SeatScore]) -> None:
    """Rack, small and big points, place of every seat."""
    knows_big = any(one.big is not None for one in scores)
    headings = [_("seat"), _("player"), _("rack"), _("small"), *([_("big")] if knows_big else []), _("place")]
    rows = [
        [
            one.seat, readable(one.name), written(rack), gained(one.small), *([str(one.big)] if knows_big else []),
            str(one.place),
        ]
        for rack, one in zip(sheet.racks, scores, strict=True)
    ]  # fmt: skip
    print_table(headings, rows, numbers=range(2, len(headings)))
    if sheet.ruling:
        click.echo(_("The referee lets it stand: {why}").format(why=readable(sheet.ruling)))


def say_table(one: Round, table: int) -> None:
    """Everything that was entered for the table."""
    for result in results.of_table(one, table):
        say_result(result)
        entered = _("entered by {who}, {when}").format(who=who_said(result.mark.who), when=instant(result.mark.when_ms))
        click.echo(entered)
        click.echo()
    say_totals(one, table)


def say_totals(one: Round, table: int) -> None:
    """What everybody at the table has come to in its games so far, as the last row of a score sheet."""
    small: dict[str, int] = {}
    big: dict[str, int] = {}
    for score in (score for result in results.of_table(one, table) for score in result.scores):
        who = f"{score.seat} {readable(score.name)}"
        small[who] = small.get(who, 0) + score.small
        if score.big is not None:
            big[who] = big.get(who, 0) + score.big
    if small:
        sums = (f"{who} {gained(points)}" + (f" ({big[who]})" if who in big else "") for who, points in small.items())
        click.echo(_("Table {table}, together: {sums}").format(table=table, sums=", ".join(sorted(sums))))


def say_missing(one: Round, table: int) -> None:
    """What is still to be entered, at the table and in the round."""
    games = results.missing_at(one, table)
    if games:
        here = ngettext(
            "Still missing at table {table}: game {games}.",
            "Still missing at table {table}: games {games}.",
            len(games),
        ).format(table=table, games=", ".join(map(str, games)))
    else:
        here = _("Table {table} is complete.").format(table=table)
    click.echo(here)
    say_missing_of(one)


def say_missing_of(one: Round) -> None:
    """What is still to be entered in the round."""
    count = len(one.missing())
    if count:
        there = ngettext(
            "{round}: {count} game is missing.",
            "{round}: {count} games are missing.", count,
        ).format(round=round_name(*one.key), count=count)  # fmt: skip
    else:
        there = _("{round} is complete.").format(round=round_name(*one.key))
    click.echo(there)


def say_remarks(remarks: Iterable[DalejError], event: str) -> None:
    """What was filled in from the box, and where box and paper say two things; on stderr."""
    for remark in remarks:
        click.echo(advised(name_commands(remark, event)), err=True)


def say_stands(seen: Seen, key: RoundKey, event: str) -> None:
    """What was decided from the old numbers of that round, and how it is decided anew."""
    for one in decided_from(seen, key):
        click.echo(f"{capital(said(one.told))}.")
        if one.anew:
            steps = _(", then ").join(typed_here(command, event) for command in one.anew)
            click.echo(_("To decide that anew: {commands}").format(commands=steps))


def say_bearing(one: Round, found: Bearing) -> None:
    """That the round is closed, what changes by a correction in it, and what stands all the same."""
    assert one.closed is not None, "in an open round nothing rests on a result"
    click.echo(_("{round}: {who} has closed it, {when}. It is corrected in one step, and stays closed.").format(
        round=round_name(*one.key), who=who_said(one.closed.who), when=instant(one.closed.when_ms)
    ))  # fmt: skip
    click.echo(_("What changes by it:"))
    for line in found.changes[:SHOWN]:
        click.echo(f"  {line}")
    if (rest := len(found.changes) - SHOWN) > 0:
        click.echo("  " + ngettext("… and {count} more", "… and {count} more", rest).format(count=rest))
    for each in found.stands:
        click.echo(f"{capital(said(each.told))}.")
    click.echo(_("What was printed or published before shows the old numbers."))


def how(result: Result) -> str:
    """How the game ended, in words."""
    return word(NOT_PLAYED) if result.sheet is None else word(result.sheet.ended)


Ask = Callable[[str, str], str]  # question, default -> answer
Tell = Callable[[str], None]
SHOWN: Final = 20  # sentences of what changes; the rest is counted
NONE: Final = N_("none")  # typed in place of a rack: the game was not played; so do its words, and their first letter
_NOT_PLAYED: Final = "n"


@dataclass(slots=True)
class _Typed:
    """What was answered for one game so far."""

    seats: dict[str, str] = field(default_factory=dict)
    ended: str | None = None
    before: str = ""  # how it ended, as it was answered last


class Dialogue:
    """`ask` a person, `tell` a person. Whatever interrupts it, only whole games have been written."""

    def __init__(self, ask: Ask, tell: Tell) -> None:
        self._ask = ask
        self._tell = tell

    def table(self, held: Event, key: str | None, table: int, game: int | None) -> None:
        """Ask for one game, or for every game of the table that has no result yet."""
        state = held.state()
        one = results.which(state, key)
        results.table_of(one, table)
        games = results.missing_at(one, table) if game is None else [game]
        if not games:
            results.expect_no_result(one, results.of_table(one, table)[-1].at)
        self._legend()
        for number in games:
            at = GameAt(table, number)
            results.expect_game(one, at)
            results.expect_no_result(one, at)
            box = games_of_round(held.read(), state, one.key, [table]).get(at)
            ended, racks, unplayed = self.game(state, one, at, box)
            paper = EnterResult(table=table, game=number, round=one.key.text, ended=ended_as(ended), racks=racks)
            do(held, paper.wish(unplayed))
            state = held.state()
            one = state.rounds[one.key]
        say_totals(one, table)
        say_missing(one, table)

    def corrected(self, held: Event, one: Round, at: GameAt) -> tuple[str | None, dict[str, str], str]:
        """Ask for a game that has a result, which Enter keeps rack by rack, or whose sheet was lost: as `game`."""
        results.expect_game(one, at)
        self._legend()
        state = held.state()
        box = games_of_round(held.read(), state, one.key, [at.table]).get(at)
        return self.game(state, one, at, box)

    def game(
        self, state: Tournament, one: Round, at: GameAt, box: BoxGame | None
    ) -> tuple[str | None, dict[str, str], str]:
        """Ask for one game until it is right and somebody has said so: how it ended, the racks by seat, and why it was
        not played.
        """
        self._head(one, at, box)
        seats = results.seats_of(results.table_of(one, at.table))
        names = {seat: readable(state.players[player].name) for seat, player in seats.items()}
        left = results.left_before(state, one, at)
        typed = _Typed()
        there = one.results.get(at)
        if there is not None and there.sheet is not None:
            typed.seats = {rack.seat: written(rack) for rack in there.sheet.racks if rack.seat in seats}
            typed.before = "" if there.sheet.ended == ENDINGS[0] else there.sheet.ended
        asked = list(seats)
        while True:
            while asked:
                answer = self._seat(asked[0], names, typed, box, may_skip=asked[0] in left)
                if answer == NOT_PLAYED:
                    return NOT_PLAYED, {}, self._why()
                asked = [answer, *(seat for seat in asked if seat != answer)] if answer in seats else asked[1:]
            try:
                entry = self._entry(typed, box, list(seats))
                if isinstance(entry, str):
                    asked = [entry]
                    continue
                if entry.ended == NOT_PLAYED:
                    return NOT_PLAYED, {}, self._why()
                scores = results.scored(state, one, at, entry)
            except (WrongInput, Refused) as problem:
                self._tell(advised(problem))
                asked, typed.ended = _about(problem, list(seats)), None
                continue
            doubts = surprising(entry.racks)
            for doubt in doubts:
                self._tell(advised(doubt))
            self._tell(word(str(entry.ended)))
            say_scores(results.sheet(state, one, at, entry), scores)
            seat = self._changed(list(seats), in_doubt=bool(doubts))
            if not seat:
                return entry.ended, dict(typed.seats), ""
            asked = [seat]
            typed.ended = None

    def _changed(self, seats: list[str], *, in_doubt: bool) -> str:
        """Ask which rack is changed until a seat is said, or "": none is. What is hardly ever so takes a yes."""
        keeps = _("yes") if in_doubt else _("Enter")
        question = _("Right? Enter keeps it, a seat's letter changes that rack")
        if in_doubt:
            question = _("Is that so? “{yes}” keeps it, a seat's letter changes that rack").format(yes=keeps)
        while True:
            answer = self._ask(question, "").strip()
            if says_yes(answer) or not (answer or in_doubt):
                return ""
            if answer.upper() in seats:
                return answer.upper()
            self._tell(_("“{found}” says nothing here, expected one of: {known}").format(
                found=readable(answer) or _("Enter"), known=", ".join([keeps, *seats])
            ))  # fmt: skip

    def _legend(self) -> None:
        """What may be typed for a rack."""
        self._tell(_("What lies on a rack: 0 nothing, 45 points, 45+j a joker too; - never opened, ! could have, w "
                     "behind it left during the game, w alone left before it. A seat's letter goes back to that "
                     "rack."))  # fmt: skip

    def _why(self) -> str:
        """Ask why the game was not played until somebody says so."""
        while not (answer := self._ask(_("  Why was the game not played?"), "").strip()):
            self._tell(_("It takes a reason why the game was not played."))
        return answer

    def _head(self, one: Round, at: GameAt, box: BoxGame | None) -> None:
        self._tell("")
        self._tell(
            _("Table {table}, game {game} of {games}   (“{none}”: not played; Ctrl-C: stop here)").format(
                table=at.table, game=at.game, games=one.stage.games, none=_NOT_PLAYED
            )
        )
        if box is not None and box.ended is not None:
            self._tell(_("The box: {how}{seat}").format(
                how=word(box.ended), seat=f", {box.winner}" if box.winner else ""
            ))  # fmt: skip

    def _seat(self, seat: str, names: Mapping[str, str], typed: _Typed, box: BoxGame | None, *, may_skip: bool) -> str:
        """Ask for one rack until it can be read, or another seat is named to go back to, which is the answer; whoever
        has left the event may be passed over. How the game ended may be said here, too.
        """
        while True:
            default = typed.seats.get(seat) or _known(seat, box)
            answer = self._ask(f"  {seat} {names[seat]}", default).strip()
            told = ending(answer)
            if is_word(answer, NONE) or answer.casefold() == _NOT_PLAYED or told == NOT_PLAYED:
                return NOT_PLAYED
            if answer.upper() in names:
                return answer.upper()
            if told is not None:
                typed.ended = typed.before = told
                self._tell(_("It ended by: {how}. What lies on the rack?").format(how=word(told)))
                continue
            if not answer and may_skip:
                typed.seats.pop(seat, None)
                return answer
            if not answer:
                self._tell(_("What lies on the rack? 0 if it is empty, else such as 23 or 23+j; - if it never opened."))
                continue
            try:
                rack(seat, answer)
            except WrongInput as problem:
                self._tell(advised(problem))
                continue
            typed.seats[seat] = answer
            return ""

    def _entry(self, typed: _Typed, box: BoxGame | None, seats: list[str]) -> Entry | str:
        """What was typed; a seat, if its rack is to be typed anew."""
        racks = tuple(rack(seat, answer) for seat, answer in typed.seats.items())
        while True:
            try:
                entry, remarks = with_box(Entry(typed.ended, racks), box, seats)
            except WrongInput:
                if typed.ended is not None:
                    raise
                told = self.ended(typed.before, seats)
                if told in seats:
                    return told
                if told == NOT_PLAYED:
                    return Entry(NOT_PLAYED, ())
                typed.ended = typed.before = told
                continue
            for remark in remarks:
                self._tell(advised(remark))
            return entry

    def ended(self, default: str = "", seats: Sequence[str] = ()) -> str:
        """Ask how a game ended in which nobody went out. Where there are `seats`, one of them is an answer, too: back
        to its rack; and so is that the game was not played.
        """
        ends = {str(number): one for number, one in enumerate(ENDINGS[1:], start=1)}
        known = ", ".join(f"{number} {word(one)}" for number, one in ends.items())
        while True:
            asked = _("  nobody went out, it ended by: {known}").format(known=known)
            answer = self._ask(asked, word(default) if default else "").strip()
            told = ends.get(answer, ending(answer))
            if answer.upper() in seats:
                return answer.upper()
            if told in ENDINGS or (seats and told == NOT_PLAYED):
                return str(told)
            says = _("A number or its words are expected: {known}.") if not answer else (
                _("“{found}” does not say how the game ended. A number or its words are expected: {known}.")
            )  # fmt: skip
            back = _(" A seat's letter goes back to its rack.") if seats else ""
            self._tell(says.format(found=readable(answer), known=known) + back)


def _known(seat: str, box: BoxGame | None) -> str:
    """What the box knows of a rack."""
    return "0" if box is not None and box.ended == "went_out" and box.winner == seat else ""


def _about(problem: DalejError, seats: list[str]) -> list[str]:
    """The seats that a problem is about; all of them if it does not say."""
    named = str(problem.data.get("seat", problem.data.get("seats", ""))).split(", ")
    return [seat for seat in seats if seat in named] or seats
