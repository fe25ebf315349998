"""`dalej players`: who takes part in an event, who leaves, who is warned, who is away for a round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import click

from dalej.cli import terminal
from dalej.cli.decision import do, event_argument, json_option, name_commands, opened, who_option, why_option
from dalej.cli.terminal import Group, command_line, example, say_wrapped
from dalej.domain.tournament.stages import round_name, stage_name
from dalej.domain.tournament.tournament import ADVANCED, Player, Tournament
from dalej.errors import Refused, WrongInput
from dalej.event.event import Event, imagined, moved_up, queue
from dalej.office import attendance, seating
from dalej.office.acts.waiting import itself
from dalej.office.acts.wishes import Done, Wish
from dalej.office.players import find, listed, proper_group, proper_name
from dalej.office.seating import moving_up, remove, without_seat
from dalej.office.signups import BYTES_MOST, SignUp, SignUps, cited, enter, joins, limit_cited, read
from dalej.office.spreadsheets import KNOWN
from dalej.words import N_, _, advised, ngettext, readable, said


def commands() -> list[click.Command]:
    """For the group `dalej players`."""
    return [*_leaving(), *_attending()]


def _leaving() -> list[click.Command]:
    return [
        click.Command(
            "withdraw", callback=withdraw, params=[event_argument(), player_argument(), why_option(), who_option()],
            help=_("A player leaves for good, at any moment."),
            epilog=example("dalej players withdraw league.dalej Lis"),
        ),
        click.Command(
            "back", callback=back, params=[event_argument(), player_argument(), why_option(), who_option()],
            help=_("A player takes a withdrawal back, before the next draw."),
            epilog=example("dalej players back league.dalej Lis"),
        ),
        click.Command(
            "warn", callback=warn,
            params=[event_argument(), player_argument(), why_option("warn"), who_option()],
            help=_("The head referee warns a player."),
            epilog=example('dalej players warn league.dalej Lis --why "talks to other tables"'),
        ),
        click.Command(
            "exclude", callback=exclude,
            params=[
                event_argument(), player_argument(), why_option("exclude"),
                click.Option(["--without-warning"], is_flag=True, help=_("Though nobody has warned the player.")),
                who_option(),
            ],
            help=_("The head referee excludes a player, after a warning where the regulation asks for one."),
            epilog=example('dalej players exclude league.dalej Lis --why "a second time"'),
        ),
    ]  # fmt: skip


def _attending() -> list[click.Command]:
    params: list[click.Parameter] = [
        event_argument(), click.Argument(["players"], metavar=_("PLAYER…"), nargs=-1, required=True),
        why_option(), who_option(),
    ]  # fmt: skip
    return [
        click.Command(
            "absent", callback=absent, params=params,
            help=_("Players miss the current round."),
            epilog=example("dalej players absent league.dalej Lis Sowa 12"),
        ),
        click.Command(
            "present", callback=present, params=params, help=_("Players do not miss the current round after all."),
            epilog=example("dalej players present league.dalej Lis"),
        ),
    ]  # fmt: skip


def player_argument() -> click.Argument:
    """A player, by number or name."""
    return click.Argument(["player"], metavar=_("PLAYER"))


def withdraw(event: str, player: str, why: str | None, who: str) -> None:
    """Leaves for good."""
    with opened(event, who) as office:
        left = find(office.state(), player)
        done = do(office, Wish("withdraw", {"player": left.number}, why or ""))
        click.echo(_("{player} withdraws").format(player=listed([left])))
        say_moved_up(office, done.decisions, event)
        _say_seat(office.state(), left)
        _say_asked(done)
        _say_nobody_moves_up(office, left, event)


def back(event: str, player: str, why: str | None, who: str) -> None:
    """Takes it back."""
    with opened(event, who) as office:
        returned = find(office.state(), player)
        done = do(office, Wish("back", {"player": returned.number}, why or ""))
        state = office.state()
    if state.players[returned.number].waits:
        click.echo(_("{player} is back and waits for a place {citation}").format(
            player=listed([returned]), citation=said(limit_cited(state))
        ))  # fmt: skip
    else:
        click.echo(_("{player} takes part again").format(player=listed([returned])))
    _say_asked(done)


def warn(event: str, player: str, why: str, who: str) -> None:
    """A warning, counted."""
    with opened(event, who) as office:
        warned = find(office.state(), player)
        do(office, Wish("warn", {"player": warned.number}, why))
        count = len(office.state().players[warned.number].warnings)
    click.echo(
        ngettext("{player} is warned, for the first time", "{player} is warned, {count} times by now", count).format(
            player=listed([warned]), count=count
        )
    )


def exclude(event: str, player: str, why: str, without_warning: bool, who: str) -> None:
    """Out for good."""
    with opened(event, who) as office:
        left = find(office.state(), player)
        done = do(office, Wish("exclude", {"player": left.number, "unwarned": without_warning}, why))
        click.echo(_("{player} is excluded").format(player=listed([left])))
        say_moved_up(office, done.decisions, event)
        _say_no_warning_needed(office.state(), left)
        _say_seat(office.state(), left)
        _say_asked(done)
        _say_nobody_moves_up(office, left, event)


def say_moved_up(office: Event, numbers: Iterable[int], event: str) -> None:
    """Who has moved up from the waiting list by these decisions, and what gives them a seat in a round under way."""
    made = [one for one in office.read().decisions() if one.cursor in numbers]
    state = office.state()
    for told in moving_up(state, moved_up(made, state)):
        click.echo(advised(name_commands(told.hinted(), event)))


def _say_no_warning_needed(state: Tournament, player: Player) -> None:
    """By which clause somebody is excluded whom nobody has warned."""
    rules = state.ruleset
    clause, quote = rules.rule("exclusion").citation
    if quote and rules.exclusion == attendance.OUTRIGHT and not player.warnings:
        citation = readable(said(cited(clause, quote, rules.language)))
        click.echo(_("no warning has to come first {citation}").format(citation=citation))


def _say_asked(done: Done) -> None:
    """What the box of a game under way is asked for it."""
    if done.requests:
        click.echo(said(itself(done)))


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


def absent(event: str, players: Sequence[str], why: str | None, who: str) -> None:
    """Miss the current round."""
    _attend(event, players, True, why, who)


def present(event: str, players: Sequence[str], why: str | None, who: str) -> None:
    """Do not miss it after all."""
    _attend(event, players, False, why, who)


def _attend(event: str, texts: Sequence[str], away: bool, why: str | None, who: str) -> None:
    with opened(event, who) as office:
        before = office.state()
        numbers = [find(before, text).number for text in texts]
        do(office, Wish("absent" if away else "present", {"players": numbers}, why or ""))
        state = office.state()
    one = state.current
    if one is None:
        return
    template = _("{round}, absent: {players}") if one.absent else _("{round}: nobody is absent")
    click.echo(
        template.format(
            round=round_name(*one.key),
            players=listed(state.players[number] for number in sorted(one.absent)),
        )
    )
    seating = one.seating
    if seating is None:
        return
    concerned = [number for number in numbers if (seating.place_of(number) is not None) == away]
    for number in dict.fromkeys(concerned):
        _say_what_works(state, state.players[number], event, away=away)
    if concerned and not one.results and one.clock is None and seating.locked is None:
        again = command_line("seat", "draw", event, "--again")
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
    else:
        template = _("{player} still has a seat: dalej seat remove {event} {number} takes it away")
        click.echo(template.format(player=name, event=event, number=player.number))


def _say_nobody_moves_up(office: Event, left: Player, event: str) -> None:
    """Who leaves between `advance` and the draw leaves a place that nobody takes by itself."""
    state = office.state()
    one = state.current
    if one is None or one.seating is not None or one.key.round > 1 or one.key.stage == state.plan[0].id:
        return
    if left.number not in state.entrants[one.key.stage]:
        return
    advanced = state.latest.get(f"{ADVANCED}:{one.key.stage}")
    click.echo(
        _("{stage}: nobody moves up by itself; {undo}, then {advance}, lets the next one in").format(
            stage=stage_name(one.key.stage),
            undo=command_line("undo", event, str(advanced), "--why", _("REASON")),
            advance=command_line("advance", event),
        )
    )


_YES_NO = {"yes": True, "no": False}


def command() -> click.Group:
    """`dalej players add|import|list|rename|withdraw|exclude|warn|absent|present|back`."""
    group = Group(
        "players", help=_("Who takes part: sign up, withdraw, warn, exclude."),
        epilog=example("dalej players import league.dalej sign-ups.csv", "dalej players list league.dalej"),
    )  # fmt: skip
    for one in (*_signing_up(), *commands()):
        group.add_command(one)
    return group


def _signing_up() -> list[click.Command]:
    anyway = click.Option(
        ["--anyway"],
        default="",
        metavar=_("REASON"),
        help=_("Let in more than there are places, for this reason; else they wait."),
    )
    return [
        click.Command(
            "add", callback=add,
            params=[
                event_argument(), click.Argument(["name"], metavar=_("NAME")),
                click.Option(["--group"], default="", metavar=_("GROUP"), help=_("Class, school, club or town.")),
                click.Option(["--namesake"], default="", metavar=_("HINT"),
                             help=_("Put class or initial behind the name, for a second player of that name.")),
                click.Option(["--qualified"], is_flag=True, help=_("Has already qualified for the final.")),
                click.Option(["--consent"], type=click.Choice([*_YES_NO]), help=_("Is a parent's consent on file?")),
                anyway, who_option(),
            ],
            help=_("Sign up one player; the next number is theirs."),
            epilog=example('dalej players add league.dalej "Lis Rudy" --group 4b --consent yes'),
        ),
        click.Command(
            "import", callback=import_,
            params=[
                event_argument(), click.Argument(["file"], metavar="CSV"),
                click.Option(["--encoding"], type=click.Choice(KNOWN), help=_("How CSV is written, if not clear.")),
                click.Option(["--dry-run"], is_flag=True, help=_("Show what would be taken, and take nothing.")),
                click.Option(["--new-only"], is_flag=True, help=_("Pass over players who are signed up already.")),
                anyway, who_option(),
            ],
            help=_("Sign up a whole list: all of it or nothing."),
            epilog=example("dalej players import league.dalej sign-ups.csv --dry-run",
                           "dalej players import league.dalej sign-ups.csv --new-only"),
        ),
        click.Command(
            "list", callback=list_, params=[event_argument(), json_option()],
            help=_("Every player, who has left, waits for a place or is away, warnings."),
            epilog=example("dalej players list league.dalej"),
        ),
        click.Command(
            "rename", callback=rename,
            params=[event_argument(), player_argument(), click.Argument(["name"], metavar=_("NAME")), why_option(),
                    who_option()],
            help=_("Correct a player's name."), epilog=example('dalej players rename league.dalej 7 "Łoś Mały"'),
        ),
    ]  # fmt: skip


def add(
    event: str, name: str, group: str, namesake: str, qualified: bool, consent: str | None, anyway: str, who: str
) -> None:
    """Sign up one player."""
    full = f"{name} ({namesake.strip()})" if namesake.strip() else name
    wanted = SignUp(0, proper_name(full), proper_group(group), qualified, _YES_NO.get(consent or ""))
    with opened(event, who) as office:
        before = office.state()
        (decision,) = office.change(lambda state: enter(state, [wanted], anyway=anyway))
        after = office.state()
    number = max(after.players)
    click.echo(_("{name} is player {number}").format(name=readable(wanted.name), number=decision.body["player"]))
    if after.players[number].waits:
        _say_waits(after, [number])
        return
    _say_late(before)
    _say_chairs(after, event, number)


def import_(event: str, file: str, encoding: str | None, dry_run: bool, new_only: bool, anyway: str, who: str) -> None:
    """Sign up a list; nothing is decided unless all of it can be."""
    signups = read(_bytes(file), file, encoding)
    with opened(event, who) as office:
        plan = partial(enter, wanted=signups.players, file=file, anyway=anyway, new_only=new_only)
        before = office.state()
        taken = [one.body for one in (plan(before).drafts if dry_run else office.change(plan))]
        after = imagined(office.seen(), plan(before).drafts) if dry_run else office.state()
    numbers = [number for body in taken if isinstance(number := body["player"], int)]
    if dry_run:
        _show(signups, numbers, [str(body["name"]) for body in taken])
    _say_taken(numbers, dry_run)
    known = len(signups.players) - len(numbers)
    if known:
        click.echo(
            ngettext("{count} was signed up already", "{count} were signed up already", known).format(count=known)
        )
    _say_reading(signups)
    _say_waits(after, [number for number in numbers if after.players[number].waits])
    if numbers and not dry_run and not after.players[numbers[0]].waits:
        _say_late(before)
        _say_chairs(after, event, numbers[0])


def _bytes(file: str) -> bytes:
    try:
        with Path(file).open("rb") as opened_file:
            return opened_file.read(BYTES_MOST + 1)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=file, problem=error.strerror) from error


def _show(signups: SignUps, numbers: Sequence[int], names: Sequence[str]) -> None:
    by_name = {one.name: one for one in signups.players}
    terminal.table(
        (_("number"), _("name"), _("group"), _("consent")),
        [
            (str(number), readable(name), readable(by_name[name].group), _said(by_name[name].consent))
            for number, name in zip(numbers, names, strict=True)
        ],
        numbers=(0,),
    )


def _said(answer: bool | None) -> str:
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
    if not signups.encoding.startswith("utf"):
        click.echo(_("read as {encoding}; look whether the names are right").format(encoding=signups.encoding))


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


def _say_chairs(state: Tournament, event: str, player: int) -> None:
    """Where a late player may still sit in the round that is seated, if it is one of the first stage."""
    one = state.current
    free = seating.free_chairs(state)
    if one is None or one.key.stage != state.plan[0].id or not free:
        return
    if free == ["new"]:
        template = _("{round} can still take them in at a new table: dalej seat move {event} {player} new")
    else:
        template = _("{round} can still take them in at {chairs}: dalej seat move {event} {player} {chair}")
    click.echo(template.format(round=round_name(*one.key), event=event, player=player, chairs=", ".join(free),
                               chair=free[0]))  # fmt: skip


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


def rename(event: str, player: str, name: str, why: str | None, who: str) -> None:
    """Correct a name."""
    with opened(event, who) as office:
        before = find(office.state(), player)
        done = do(office, Wish("change_player", {"player": before.number, "name": name}, why or ""))
        after = office.state().players[before.number]
    if not done.decisions:
        click.echo(_("{name} is written so already.").format(name=readable(after.name)))
        return
    click.echo(
        _("player {number}, {old}, is now {name}").format(
            number=after.number, old=readable(before.name), name=readable(after.name)
        )
    )
