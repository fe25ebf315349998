"""`dalej players withdraw|back|warn|exclude|absent|present`: who leaves, and who is away for a round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import click

from dalej.acts import people
from dalej.acts.waiting import itself
from dalej.acts.wishes import Done, Wish
from dalej.cli.itself import command_line
from dalej.cli.office import event_argument, name_commands, opened, who_option, why_option
from dalej.cli.output import example
from dalej.domain.stagewords import round_name, stage_name
from dalej.domain.tournament import ADVANCED, Player, Tournament
from dalej.errors import Refused
from dalej.office import attendance, moves
from dalej.office.event import Change, Event
from dalej.office.players import find, listed
from dalej.office.registering import cited, limit_cited
from dalej.office.waiting import moved_up
from dalej.words import _, advised, ngettext, readable, said


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
        done = people.withdraw(office, Wish("withdraw", {"player": left.number}, why or ""))
        click.echo(_("{player} withdraws").format(player=listed([left])))
        say_moved_up(office, done.decisions, event)
        _say_seat(office.state(), left)
        _say_asked(done)
        _say_nobody_moves_up(office, left, event)


def back(event: str, player: str, why: str | None, who: str) -> None:
    """Takes it back."""
    with opened(event, who) as office:
        returned = find(office.state(), player)
        done = people.back(office, Wish("back", {"player": returned.number}, why or ""))
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
        warned = _decided(office, player, lambda _state, one: attendance.warn(one, why))
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
        done = people.exclude(office, Wish("exclude", {"player": left.number, "unwarned": without_warning}, why))
        click.echo(_("{player} is excluded").format(player=listed([left])))
        say_moved_up(office, done.decisions, event)
        _say_no_warning_needed(office.state(), left)
        _say_seat(office.state(), left)
        _say_asked(done)
        _say_nobody_moves_up(office, left, event)


def say_moved_up(office: Event, numbers: Iterable[int], event: str) -> None:
    """Who has moved up from the waiting list by these decisions, and what gives them a seat in a round under way."""
    made = [one for one in office.ledger.decisions() if one.cursor in numbers]
    state = office.state()
    for told in moves.moving_up(state, moved_up(made, state)):
        click.echo(advised(name_commands(told.hinted(), event)))


def _say_no_warning_needed(state: Tournament, player: Player) -> None:
    """By which clause somebody is excluded whom nobody has warned."""
    rules = state.ruleset
    clause, quote = rules.rule("exclusion").citation
    if quote and rules.exclusion == attendance.OUTRIGHT and not player.warnings:
        citation = readable(said(cited(clause, quote, rules.language)))
        click.echo(_("no warning has to come first {citation}").format(citation=citation))


def _decided(office: Event, text: str, plan: Callable[[Tournament, Player], Change]) -> Player:
    """Whom it was about; who is meant is settled once, whatever another desk renames meanwhile."""
    player = find(office.state(), text)
    office.change(lambda state: plan(state, state.players[player.number]))
    return player


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
        office.change(lambda state: attendance.absent(state, [state.players[number] for number in numbers], away, why))
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
        click.echo(advised(name_commands(moves.without_seat(state, player).hinted(), event)))
        return
    name = readable(player.name)
    try:
        moves.remove(state, player)
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
