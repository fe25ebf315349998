"""`dalej players`: who takes part in an event, who leaves, who is warned, who is away for a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

import click

from dalej.cli import terminal
from dalej.cli.actcommand import Told, act_command, carry_out
from dalej.cli.decision import agreed, do, json_option, opened, who_option
from dalej.cli.eventfile import EventCommand
from dalej.cli.listfile import blank_file, save_blank, say_table, sheet_option
from dalej.cli.terminal import (
    Group,
    command_line,
    completed_by_files,
    example,
    is_terminal,
    name_commands,
    named,
    say_wrapped,
)
from dalej.domain.rules.clauses import cited
from dalej.domain.tournament.stages import round_name, stage_name
from dalej.domain.tournament.tournament import ADVANCED, Player, Tournament
from dalej.errors import Refused
from dalej.event.event import Event, imagined, queue
from dalej.event.ledger.entries import Json
from dalej.office import attendance, seating
from dalej.office.acts.players import Back, ChangePlayer, Consent, Exclude, SignUpList, SignUpOne, Warn, Withdraw
from dalej.office.acts.rounds import Absent, Present
from dalej.office.acts.wishes import Wish
from dalej.office.nameorder import FIRST_NAME_FIRST, SURNAME_FIRST, Order
from dalej.office.players import listed
from dalej.office.seating import chair_name, remove, without_seat
from dalej.office.signups import SignUps, enter, joins, limit_cited, read, yes_or_no
from dalej.office.spreadsheets import KNOWN, load
from dalej.views.signupwords import remarks
from dalej.words import _, advised, ngettext, readable, said

FIRST, LAST = "first", "last"
_ORDERS: Final[dict[str, Order]] = {FIRST: SURNAME_FIRST, LAST: FIRST_NAME_FIRST}


def commands() -> list[click.Command]:
    """For the group `dalej players`."""
    several = click.Argument(["players"], metavar=_("PLAYER…"), nargs=-1, required=True)
    return [
        act_command(
            Withdraw, "withdraw", "dalej players withdraw league.dalej Lis",
            says=_("A player leaves the whole event for good, at any moment; a terminal asks first."),
            asks=_for_good, after=_has_withdrawn,
        ),
        act_command(
            Back, "back", "dalej players back league.dalej Lis",
            says=_("A player takes a withdrawal back, before the next draw."),
        ),
        act_command(
            Warn, "warn", 'dalej players warn league.dalej Lis --why "talks to other tables"',
            says=_("The head referee warns a player."),
        ),
        act_command(
            Exclude, "exclude", 'dalej players exclude league.dalej Lis --why "a second time"',
            says=_("The head referee excludes a player, after a warning where the regulation asks for one."),
            after=_is_excluded,
            params=[click.Option(["--without-warning", "unwarned"], is_flag=True,
                                 help=_("Though nobody has warned the player."))],
        ),
        act_command(
            Absent, "absent", "dalej players absent league.dalej Lis Sowa 12",
            "dalej players absent league.dalej Lis --free-seat",
            says=_("Players miss the current round; where they have a seat in it, a terminal asks whether it becomes "
                   "free."),
            before=_asks_for_seats, after=partial(_attends, away=True),
            params=[
                several,
                click.Option(["--free-seat"], is_flag=True, help=_("A seat that they have becomes free.")),
            ],
            without=["player"],
        ),
        act_command(
            Present, "present", "dalej players present league.dalej Lis",
            says=_("Players do not miss the current round after all."), after=partial(_attends, away=False),
            params=[several], without=["player"],
        ),
        act_command(
            Consent, "consent", "dalej players consent cup.dalej Lis 6",
            "dalej players consent cup.dalej Lis --missing",
            says=_("A parent's consent of these players is on file: their papers have come."),
        ),
        act_command(
            ChangePlayer, "rename", 'dalej players rename league.dalej 7 "Łoś Mały"',
            'dalej players rename league.dalej 7 --group 4b', says=_("Correct a player's name or group."),
            params=[
                _group_option(),
                click.Option(["--surname"], default=None, metavar=_("SURNAME"),
                             help=_("Which words of the name are the surname: it is shortened in public.")),
            ],
        ),
    ]  # fmt: skip


def _asks_for_seats(held: Event, wish: Wish) -> Wish:
    """Who has a seat is asked about in a terminal, once for all of them."""
    state, numbers = held.state(), wish.args["players"]
    assert isinstance(numbers, list), "players are numbers"
    if wish.args.get("free_seat") or not is_terminal() or state.current is None or state.current.seating is None:
        return wish
    seats = [
        f"{readable(player.name)} {chair_name(*place)}"
        for player in attendance.freeable(state, [state.players[number] for number in numbers])
        if (place := state.current.seating.place_of(player.number)) is not None
    ]
    if not seats:
        return wish
    question = ngettext("{round} is seated: {seats}. Free the seat, and mark absent?",
                        "{round} is seated: {seats}. Free the seats, and mark absent?", len(seats))  # fmt: skip
    agreed(False, question.format(round=round_name(*state.current.key), seats=", ".join(seats)))
    return replace(wish, args={**wish.args, "free_seat": True})


def _for_good(held: Event, wish: Wish) -> str:
    """Asked before somebody is out of more than the game that is played."""
    player = held.state().players[int(str(wish.args["player"]))]
    if player.gone is not None:
        return ""
    return _("{player} leaves the whole event for good, not this round alone. Go on?").format(
        player=readable(player.name)
    )


def _has_withdrawn(told: Told) -> None:
    _has_left(told)
    back = command_line("players", "back", told.event, str(told.wish.args["player"]))
    click.echo(_("The way back: {command}").format(command=back))


def _has_left(told: Told) -> None:
    state = told.held.state()
    left = state.players[int(str(told.wish.args["player"]))]
    _say_seat(state, left)
    _say_nobody_moves_up(state, left, told.event)


def _is_excluded(told: Told) -> None:
    state = told.held.state()
    _say_no_warning_needed(state, state.players[int(str(told.wish.args["player"]))])
    _has_left(told)


def _say_no_warning_needed(state: Tournament, player: Player) -> None:
    """By which clause somebody is excluded whom nobody has warned."""
    rules = state.ruleset
    clause, quote = rules.rule("exclusion").citation
    if quote and rules.exclusion == attendance.OUTRIGHT and not player.warnings:
        citation = readable(said(cited(clause, quote, rules.language)))
        click.echo(_("no warning has to come first {citation}").format(citation=citation))


def _say_seat(state: Tournament, player: Player) -> None:
    """Somebody who leaves in the middle of a round has a seat there."""
    seating = None if state.current is None else state.current.seating
    place = None if seating is None else seating.place_of(player.number)
    if place is not None:
        click.echo(
            _("seat {table}{seat} is skipped from now on; the rack is set aside face down").format(
                table=place[0], seat="ABCD"[place[1]]
            )
        )


def _attends(told: Told, *, away: bool) -> None:
    """Who is absent now, and what gives a seat or takes it away where the round is seated already."""
    state, event = told.held.state(), told.event
    one = state.current
    if one is None:
        return
    template = _("{round}, absent: {players}") if one.absent else _("{round}: nobody is absent")
    players = listed(state.players[number] for number in sorted(one.absent))
    click.echo(template.format(round=round_name(*one.key), players=players))
    seating = one.seating
    if seating is None:
        return
    numbers = told.wish.args["players"]
    assert isinstance(numbers, list), "players are numbers"
    concerned = [number for number in numbers if (seating.place_of(number) is not None) == away]
    for number in dict.fromkeys(concerned):
        _say_what_works(state, state.players[number], event, away=away)
    if concerned and not one.results and one.clock is None and seating.locked is None:
        again = named("seat", "draw", event, "--again")
        click.echo(_("the round is seated already: {command} seats everybody anew").format(command=again))


def _say_what_works(state: Tournament, player: Player, event: str, *, away: bool) -> None:
    """How the seating follows for that player, as the round stands."""
    if not away:
        click.echo(advised(name_commands(without_seat(state, player).hinted(), event)))
        return
    name = readable(player.name)
    try:
        remove(state, player)
    except Refused as problem:
        click.echo(
            _("{player} still has a seat: {problem}").format(
                player=name, problem=advised(name_commands(problem, event))
            )
        )


def _say_nobody_moves_up(state: Tournament, left: Player, event: str) -> None:
    """Who leaves between `advance` and the draw leaves a place that nobody takes by itself."""
    one = state.current
    if one is None or one.seating is not None or one.key.round > 1 or one.key.stage == state.plan[0].id:
        return
    if left.number not in state.entrants[one.key.stage]:
        return
    advanced = state.latest.get(f"{ADVANCED}:{one.key.stage}")
    click.echo(
        _("{stage}: nobody moves up by itself; {undo}, then {advance}, lets the next one in").format(
            stage=stage_name(one.key.stage),
            undo=named("undo", event, str(advanced), "--why", _("REASON")),
            advance=named("advance", event),
        )
    )


def command() -> click.Group:
    """`dalej players add|import|template|list|rename|withdraw|exclude|warn|absent|present|back`."""
    group = Group(
        "players", help=_("Who takes part: sign up, withdraw, warn, exclude."),
        epilog=example("dalej players import league.dalej sign-ups.csv", "dalej players list league.dalej"),
    )  # fmt: skip
    for one in (*_signing_up(), *commands()):
        group.add_command(one)
    return group


class YesNo(click.ParamType[bool]):
    """Yes or no in any of our languages."""

    name = "yes or no"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 -- as click asks
        return "[" + _("yes") + "|" + _("no") + "]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> bool:
        with suppress(ValueError):
            if (found := yes_or_no(str(value))) is not None:
                return found
        raise click.BadParameter(_("expected {yes} or {no}").format(yes=_("yes"), no=_("no")), ctx, param)


def _group_option(default: str | None = None) -> click.Option:
    return click.Option(["--group"], default=default, metavar=_("GROUP"), help=_("Class, school, club or town."))


def _signing_up() -> list[click.Command]:
    anyway = click.Option(
        ["--anyway"],
        default="",
        metavar=_("REASON"),
        help=_("Let in more than there are places, for this reason; else they wait."),
    )
    return [
        EventCommand(
            "add", callback=add,
            params=[
                click.Argument(["name"], metavar=_("NAME")),
                _group_option(default=""),
                click.Option(["--namesake"], default="", metavar=_("HINT"),
                             help=_("Put class or initial behind the name, for a second player of that name.")),
                click.Option(["--qualified"], is_flag=True, help=_("Has already qualified for the final.")),
                click.Option(["--consent"], type=YesNo(), help=_("Is a parent's consent on file?")),
                anyway, who_option(), json_option(),
            ],
            help=_("Sign up one player; the next number is theirs."),
            epilog=example('dalej players add league.dalej "Lis Rudy" --group 4b --consent yes'),
        ),
        EventCommand(
            "import", callback=import_,
            params=[
                click.Argument(["file"], metavar=_("FILE"), shell_complete=completed_by_files),
                click.Option(["--encoding"], type=click.Choice(KNOWN), help=_("How CSV is written, if not clear.")),
                sheet_option(),
                click.Option(["--surname"], type=click.Choice([FIRST, LAST]),
                             help=_("Which word of a name is the surname, if no heading says it.")),
                click.Option(["--dry-run"], is_flag=True, help=_("Show what would be taken, and take nothing.")),
                click.Option(["--new-only"], is_flag=True, help=_("Pass over players who are signed up already.")),
                anyway, who_option(),
            ],
            help=_("Sign up a whole list: all of it or nothing."),
            epilog=example("dalej players import league.dalej sign-ups.csv --dry-run",
                           "dalej players import league.dalej sign-ups.csv --new-only"),
        ),
        click.Command(
            "template", callback=template, params=blank_file(),
            help=_("A list to be filled in and imported, as XLSX or CSV."),
            epilog=example("dalej players template sign-ups.xlsx"),
        ),
        EventCommand(
            "list", callback=list_, params=[json_option()],
            help=_("Every player, who has left, waits for a place or is away, warnings."),
            epilog=example("dalej players list league.dalej"),
        ),
    ]  # fmt: skip


def add(
    event: str, name: str, group: str, namesake: str, qualified: bool, consent: bool | None, anyway: str, who: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Sign up one player."""
    full = f"{name} ({namesake.strip()})" if namesake.strip() else name
    wish = SignUpOne(full, group, anyway, qualified, consent).wish()
    with opened(event, who) as office:
        return carry_out(office, event, wish, as_json=as_json, after=_is_in)


def _is_in(told: Told) -> None:
    after = told.held.state()
    number = max(after.players)
    if after.players[number].waits:
        _say_waits(after, [number])
        return
    _say_late(told.before)
    _say_seats(after, told.event, [number])


def import_(
    event: str, file: str, encoding: str | None, sheet: str | None, surname: str | None, dry_run: bool, new_only: bool,
    anyway: str, who: str,
) -> None:  # fmt: skip
    """Sign up a list; nothing is decided unless all of it can be."""
    signups = read(load(file), file, encoding, sheet, None if surname is None else _ORDERS[surname])
    with opened(event, who) as office:
        seen = office.seen()
        before, planned = seen.state, enter(seen.state, signups.players, file=file, anyway=anyway, new_only=new_only)
        taken, after = [one.body for one in planned.drafts], imagined(seen, planned.drafts)
        if taken and not dry_run:
            do(office, SignUpList(signups.players, anyway, new_only, file).wish())
            after = office.state()
    numbers = [number for body in taken if isinstance(number := body["player"], int)]
    if dry_run:
        _show(taken)
    _say_taken(numbers, dry_run)
    for remark in remarks(signups, taken):
        click.echo(remark)
    if signups.doubtful:
        click.echo(
            _("If the first word is the surname: {command}").format(
                command=named("players", "import", event, file, "--surname", FIRST)
            )
        )
    _say_reading(signups)
    _say_waits(after, [number for number in numbers if after.players[number].waits])
    if numbers and not dry_run and not after.players[numbers[0]].waits:
        _say_late(before)
        _say_seats(after, event, [number for number in numbers if not after.players[number].waits])


def template(file: str, overwrite: bool) -> None:
    """A list with nothing but headings."""
    from dalej.office.paper.blanklists import players_list  # noqa: PLC0415 -- what draws PDF is slow to load

    save_blank(file, players_list(), overwrite=overwrite)


def _show(taken: Sequence[Mapping[str, Json]]) -> None:
    terminal.table(
        (_("number"), _("name"), _("group"), _("consent")),
        [
            (str(body["player"]), readable(str(body["name"])), readable(str(body["group"])), _said(body["consent"]))
            for body in taken
        ],
        numbers=(0,),
    )


def _said(answer: Json) -> str:
    return "" if answer is None else _("yes") if answer else _("no")


def _say_taken(numbers: Sequence[int], dry_run: bool) -> None:
    if not numbers:
        click.echo(_("nobody new"))
        return
    count = len(numbers)
    template = (
        ngettext("{count} player would be signed up: number {first}",
                 "{count} players would be signed up: numbers {first} to {last}", count) if dry_run else
        ngettext("{count} player is signed up: number {first}",
                 "{count} players are signed up: numbers {first} to {last}", count)
    )  # fmt: skip
    click.echo(template.format(count=count, first=numbers[0], last=numbers[-1]))


def _say_reading(signups: SignUps) -> None:
    if signups.unread:
        columns = ", ".join(readable(column) for column in signups.unread)
        click.echo(_("not read, and not kept: {columns}").format(columns=columns))
    say_table(signups.table)
    encoding = signups.table.encoding
    if encoding and not encoding.startswith("utf"):
        click.echo(_("read as {encoding}; look whether the names are right").format(encoding=encoding))


def _say_waits(state: Tournament, numbers: Sequence[int]) -> None:
    """Who of them has no place, by which clause, and since whom somebody waits already."""
    if not numbers:
        return
    places = {player.number: place for place, player in enumerate(queue(state), start=1)}
    told = ngettext(
        "{players} waits for a place {citation}: {place} on the waiting list",
        "{players} wait for a place {citation}: from {place} on of the waiting list", len(numbers),
    ).format(
        players=listed((state.players[number] for number in numbers), whole=True),
        citation=said(limit_cited(state)), place=places[numbers[0]],
    )  # fmt: skip
    say_wrapped(told)


def _say_late(state: Tournament) -> None:
    late = joins(state)
    if late.missed:
        click.echo(
            ngettext(
                "play has begun: joins in {round}, has missed {count} round",
                "play has begun: joins in {round}, has missed {count} rounds", late.missed,
            ).format(round=round_name(*late.round), count=late.missed)
        )  # fmt: skip


def _say_seats(state: Tournament, event: str, numbers: Sequence[int]) -> None:
    """What gives late players a seat in the round that is seated, if it is one of the first stage."""
    for one in seating.newcomers(state, numbers):
        click.echo(advised(name_commands(one.hinted(), event)))


def list_(event: str, as_json: bool) -> None:
    """Everybody, by number."""
    with opened(event, who="") as office:
        state = office.state()
    away = frozenset() if state.current is None else state.current.absent
    waits = {player.number: place for place, player in enumerate(queue(state), start=1)}
    if as_json:
        for player in state.players.values():
            terminal.json_line(_fields(player, player.number in away, waits.get(player.number)))
        return
    if not state.players:
        click.echo(_("nobody has signed up yet"))
        return
    terminal.table(
        (_("number"), _("name"), _("group"), _("state"), _("warnings")),
        [
            (str(player.number), readable(player.name), readable(player.group),
             _state(player, player.number in away, waits.get(player.number)), str(len(player.warnings) or ""))
            for player in state.players.values()
        ],
        numbers=(0, 4),
    )  # fmt: skip
    _say_sum(state)


def _say_sum(state: Tournament) -> None:
    """How many play, and of whom no consent is on file, if consents are kept here at all."""
    playing = [player for player in state.players.values() if player.takes_part]
    count = len(playing)
    click.echo(ngettext("{count} player takes part", "{count} players take part", count).format(count=count))
    if waiting := queue(state):
        click.echo(_("waiting for a place, the next first: {players}").format(players=listed(waiting, whole=True)))
    lacking = [player for player in playing if not player.consent]
    if lacking and any(player.consent is not None for player in state.players.values()):
        click.echo(_("without a parent's consent on file: {players}").format(players=listed(lacking)))


def _state(player: Player, away: bool, waits: int | None) -> str:
    if player.gone is not None:
        return _("excluded") if player.gone.how == "excluded" else _("withdrawn")
    if waits is not None:
        return _("waits, place {place}").format(place=waits)
    return _("absent") if away else _("qualified") if player.qualified else ""


def _fields(player: Player, away: bool, waits: int | None) -> dict[str, object]:
    gone = player.gone
    here = "waiting" if waits is not None else "absent" if away else "playing"
    return {
        "player": player.number, "name": player.name, "group": player.group,
        "state": gone.how if gone is not None else here, "waits": waits,
        "qualified": player.qualified, "consent": player.consent,
        "warnings": [{"who": mark.who, "when_ms": mark.when_ms, "why": mark.why} for mark in player.warnings],
    }  # fmt: skip
