"""`dalej results`: results of games, entered, read from a file, listed, confirmed, taken back."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Final

import click

from dalej.acts.catalogue import ACTS
from dalej.acts.reasons import expect_reason
from dalej.cli import resultimport, resultlist
from dalej.cli.office import (
    agreed,
    event_command,
    opened,
    round_option,
    table_argument,
    who_option,
    why_option,
    yes_option,
)
from dalej.cli.output import Group, example, say_wrapped
from dalej.cli.resultdialogue import Dialogue
from dalej.cli.resultwords import say_missing, say_remarks, say_result, say_stands, say_table
from dalej.domain.racks import Rack
from dalej.domain.tournament import GameAt, Round, Tournament
from dalej.errors import Refused, WrongInput
from dalej.office import results
from dalej.office.entering import prepared
from dalej.office.entry import Entry, controls, rack, seats_in
from dalej.office.event import Change, Event
from dalej.office.results import WHOLE, Correction
from dalej.words import N_, _, readable

ENDS: Final = ("went-out", "bank-empty", "round-time", "last-seat", "not-played")


def command() -> click.Group:
    """`dalej results enter|import|list|confirm|reopen`."""
    group = Group(
        "results",
        help=_("Results of games."),
        epilog=example("dalej results enter league.dalej 3 1 A=0 B=23 C=45+j D=-"),
    )
    for part in (_enter(), resultimport.command(), resultlist.command(), _confirm(), _reopen()):
        group.add_command(part)
    return group


def enter(
    event: str, table: int, values: tuple[str, ...], key: str | None, ended: str | None, small: tuple[str, ...],
    ruling: str, ruled_small: tuple[str, ...], ruled_place: tuple[str, ...], correct: bool, why: str | None, who: str,
) -> None:  # fmt: skip
    """Enter one game from the command line, or ask for the table's games in a terminal."""
    game, told = _game(values)
    not_played = ended == ENDS[-1]
    if correct != (why is not None) and not (not_played and why):
        raise click.UsageError(_("--correct and --why go together"))
    expect_reason(ACTS["correct_result" if correct else "enter_result"], why or "")
    if (ruled_small or ruled_place) and not ruling:
        raise click.UsageError(_("--ruled-small and --ruled-place need --ruling with the referee's reason"))
    if not told and not not_played:
        if not _is_terminal():
            raise WrongInput(
                N_("table {table}: no racks were given, expected such as A=0 B=23 C=45+j D=-; in a terminal they are "
                   "asked for"),
                table=table,
            )  # fmt: skip
        with opened(event, who) as held:
            Dialogue(_ask, say_wrapped).table(held, key, table, game, Correction(why) if why else None)
            if why:
                say_stands(held.seen(), results.which(held.state(), key).key, event)
        return
    racks = {seat: rack(seat, text) for seat, text in seats_in(told).items()}
    for seat, number in controls(small).items():
        racks[seat] = replace(_there(racks, seat), small=number)
    for seat, number in controls(ruled_small).items():
        racks[seat] = replace(_there(racks, seat), ruled_small=number)
    for seat, number in controls(ruled_place).items():
        racks[seat] = replace(_there(racks, seat), ruled_place=number)
    if not_played and not why and _is_terminal():
        why = _ask(_("Why was the game not played?"), "").strip()
    entry = Entry(
        None if ended is None else ended.replace("-", "_"), tuple(racks.values()), ruling,
        why=(why or "") if not_played else "",
    )  # fmt: skip
    with opened(event, who) as held:
        _enter_one(held, event, key, table, game, entry, Correction(why) if correct and why else None)


def confirm(event: str, table: int, key: str | None, yes: bool, who: str) -> None:
    """Show a table's results and record that a second person has checked them."""
    with opened(event, who) as held:
        state = held.state()
        one = results.which(state, key)
        results.confirm(state, one.key, table, who)
        say_table(one, table)
        agreed(yes or not _is_terminal(), _("Is that what the score sheet says?"))
        seen = [result.mark.cursor for result in results.of_table(one, table)]

        def plan(now: Tournament) -> Change:
            later = results.of_table(now.rounds[one.key], table) if one.key in now.rounds else []
            if [result.mark.cursor for result in later] != seen:
                raise Refused(N_("table {table} has changed in the meantime: look at it again"), table=table)
            return results.confirm(now, one.key, table, who)

        held.change(plan)
    click.echo(_("Table {table} is confirmed by {who}.").format(table=table, who=readable(who)))
    say_missing(one, table)


def reopen(event: str, table: int, game: int | None, key: str | None, why: str, who: str) -> None:
    """Take back results."""
    with opened(event, who) as held:
        one = results.which(held.state(), key)
        held.change_seen(lambda seen: results.reopen(seen, one.key, table, game or WHOLE, why))
        one = held.state().rounds[one.key]
    if game is None:
        click.echo(_("The results of table {table} are taken back.").format(table=table))
    else:
        click.echo(_("The result of table {table}, game {game} is taken back.").format(table=table, game=game))
    say_missing(one, table)


def _enter_one(
    held: Event, event: str, key: str | None, table: int, game: int | None, entry: Entry, correction: Correction | None
) -> None:
    state = held.state()
    one = results.which(state, key)
    results.table_of(one, table)
    at = GameAt(table, _next_game(one, table) if game is None else game)
    if correction is None:
        results.expect_not_played(entry, at)
    ready = prepared(held, one, at, entry)
    filled, doubts = ready.entry, ready.doubts
    remarks = list(ready.remarks)
    if doubts and _is_terminal():
        results.scored(state, one, at, filled)  # what cannot be right is not asked about
        say_remarks(doubts, event)
        agreed(False, _("Is that so?"))
    else:
        remarks += doubts
    held.change(lambda now: results.enter(now, one.key, {at: filled}, correction))
    state = held.state()
    one = state.rounds[one.key]
    say_remarks(remarks, event)
    say_result(one.results[at])
    say_remarks(results.remarks(state, one, at), event)
    say_missing(one, table)
    if correction is not None:
        say_stands(held.seen(), one.key, event)


def _game(values: tuple[str, ...]) -> tuple[int | None, tuple[str, ...]]:
    if values and values[0].isascii() and values[0].isdigit():
        return int(values[0][:9]), values[1:]
    return None, values


def _next_game(one: Round, table: int) -> int:
    missing = results.missing_at(one, table)
    if not missing:
        latest = results.of_table(one, table)[-1]
        results.expect_no_result(one, latest.at)
    return missing[0]


def _there(racks: dict[str, Rack], seat: str) -> Rack:
    if seat not in racks:
        raise WrongInput(N_("seat {seat}: what lies on the rack? expected such as {seat}=23"), seat=seat)
    return racks[seat]


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _ask(question: str, default: str) -> str:
    answer = str(click.prompt(question, default=default, show_default=bool(default)))
    return "".join(f"^{chr(ord(sign) + 64)}" if sign < " " else sign for sign in answer)  # an arrow is ^[[A


def _enter() -> click.Command:
    return event_command(
        "enter", enter, "\n\n".join((
            _("Enter the result of a game: for every seat what lies on its rack. Without racks a terminal asks for "
              "them, seat by seat and game by game."),
            "\b\n" + "\n".join((
                _("A=0, A=out     the rack is empty: went out"),
                _("B=23           its numbered tiles add up to 23"),
                _("C=45+j         and one joker; 45+2j two of them, 2j jokers alone"),
                _("C=12,7,j       its tiles one by one"),
                _("D=-            never opened"),
                _("D=!            never opened, but could have (in a shell: D=x)"),
                _("D=!a           could have, and had announced it (in a shell: D=xa)"),
                _("D=-:45+j       never opened, with the rack where it counts"),
                _("B=45w          withdrew; w may follow any of these"),
            )),
        )),
        "dalej results enter league.dalej 3", "dalej results enter league.dalej 3 1 A=0 B=23 C=45+j D=-",
        "dalej results enter league.dalej 3 2 A=12 B=23 C=8 D=40 --ended bank-empty",
        'dalej results enter league.dalej 3 4 --ended not-played --why "the time was over"',
        no_args_is_help=True,
        params=[
            table_argument(),
            click.Argument(["values"], nargs=-1, metavar=_("[GAME] [SEAT=RACK]...")),
            round_option(),
            click.Option(["--ended"], type=click.Choice(ENDS),
                         help=_("How the game ended; an empty rack goes without saying, not-played needs --why.")),
            click.Option(["--small"], multiple=True, metavar=_("SEAT=POINTS"),
                         help=_("Small points as the players wrote them down, for control.")),
            click.Option(["--ruling"], default="", metavar=_("REASON"),
                         help=_("A referee lets this sheet stand although it contradicts itself.")),
            click.Option(["--ruled-small"], multiple=True, metavar=_("SEAT=POINTS"),
                         help=_("With --ruling: small points that the referee gives instead.")),
            click.Option(["--ruled-place"], multiple=True, metavar=_("SEAT=PLACE"),
                         help=_("With --ruling: the place that the referee gives instead.")),
            click.Option(["--correct"], is_flag=True, help=_("In the place of a result that is there; needs --why.")),
            why_option(required=False), who_option(),
        ],
    )  # fmt: skip


def _confirm() -> click.Command:
    return event_command(
        "confirm", confirm,
        _("Show the results of a table and record that you, and not who entered them, have checked them."),
        "dalej results confirm league.dalej 3 --who Sowa",
        params=[
            table_argument(), round_option(),
            yes_option(), who_option(),
        ],
    )  # fmt: skip


def _reopen() -> click.Command:
    return event_command(
        "reopen", reopen,
        _("Take back the result of a game, or all of a table, and with it what was confirmed; the history keeps "
          "them."),
        'dalej results reopen league.dalej 3 2 --why "B and C were exchanged"',
        params=[
            table_argument(),
            click.Argument(["game"], type=click.IntRange(1), required=False, metavar=_("[GAME]")), round_option(),
            why_option("reopen_result"), who_option(),
        ],
    )  # fmt: skip
