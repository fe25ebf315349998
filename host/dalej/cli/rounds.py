"""`dalej round`: a round from its clock to its closing."""

from __future__ import annotations

import click

from dalej.acts.rounds import date_round
from dalej.acts.wishes import Wish
from dalej.cli import roundclock
from dalej.cli.office import (
    anyway_option,
    event_command,
    json_option,
    opened,
    round_option,
    who_option,
    why_option,
)
from dalej.cli.output import Group, example, json_line, table
from dalej.cli.resultwords import say_stands
from dalej.domain.stagewords import round_name
from dalej.domain.tournament import GameAt, Round, RoundKey, TableSeats, Tournament
from dalej.export.naming import round_day
from dalej.office import closing, rounds
from dalej.office.results import which
from dalej.words import _, ngettext, readable, said


def command() -> click.Group:
    """`dalej round show|date|start|clock|close|reopen`."""
    group = Group(
        "round", help=_("A round from its start to its end."), epilog=example("dalej round show league.dalej")
    )
    for part in (_show(), _date(), _start(), roundclock.command(), _close(), _reopen()):
        group.add_command(part)
    return group


def show(event: str, key: str | None, as_json: bool) -> None:
    """Print how far a round has come, table by table."""
    with opened(event, _("the organiser")) as held:
        state = held.state()
        one = [*state.rounds.values()][-1] if key is None and state.current is None else which(state, key)
        seating = rounds.seating_of(one)
    if as_json:
        for at in seating.tables:
            json_line(_fields(one, at))
        return
    name, day = readable(state.name), round_day(state, one.key)
    named = round_name(*one.key) if not day else f"{round_name(*one.key)}, {day}"
    click.echo(_("{event}: {round}").format(event=name, round=named))
    games = range(1, one.stage.games + 1)
    rows = [
        [
            str(at.table),
            *(_mark(one, GameAt(at.table, game)) for game in games),
            _confirmed(one, at.table),
            _players(state, at),
        ]
        for at in seating.tables
    ]
    headings = [_("table"), *(_("game {game}").format(game=game) for game in games), _("confirmed"), _("players")]
    table(headings, rows, numbers=(0,))
    click.echo(_stands(one))


def date(event: str, day: str | None, key: str | None, as_json: bool, who: str) -> None:
    """Set the day of a round; without one list the schedule."""
    with opened(event, who) as held:
        if day is not None:
            date_round(held, Wish("date_round", {"date": day, "round": key or ""}))
        state = held.state()
    days = [
        (RoundKey(stage.id, number), round_day(state, RoundKey(stage.id, number)))
        for stage in state.plan for number in range(1, stage.rounds + 1)
    ]  # fmt: skip
    if as_json:
        for at, found in days:
            json_line({"stage": at.stage, "round": at.round, "date": found or None, "own": at in state.dates})
        return
    table((_("round"), _("date")), [(round_name(*at), found or "–") for at, found in days])


def start(event: str, minutes: int | None, who: str) -> None:
    """Start the round's time."""
    with opened(event, who) as held:
        held.change(lambda state: rounds.start(state, minutes))
        one = rounds.seated(held.state())
    length = 0 if one.clock is None else one.clock.length_ms
    click.echo(_("{round} has begun: {time}.").format(round=round_name(*one.key), time=roundclock.minutes(length)))


def close(event: str, anyway: str, who: str) -> None:
    """Close the round and keep a copy of the event beside it."""
    with opened(event, who) as held:
        closed = closing.close(held, anyway)
        state = held.state()
    click.echo(_("{round} is closed.").format(round=round_name(*closed.key)))
    if closed.problem is not None:
        click.echo(_("No copy was made: {problem}").format(problem=said(closed.problem)), err=True)
    else:
        click.echo(_("A copy is in {file}").format(file=closed.copy))
    if state.over:
        click.echo(_("Everything is played: dalej standings says who has won."))
    elif state.current is None:
        click.echo(_("The stage is played: dalej advance says who goes on."))


def reopen(event: str, key: str, why: str, who: str) -> None:
    """Open a closed round again; what was decided because of it stands, and is named."""
    with opened(event, who) as held:
        at = which(held.state(), key).key
        closing.reopen(held, at, why)
        after = held.seen()
    click.echo(_("{round} is open again.").format(round=round_name(*at)))
    say_stands(after, at, event)


def _fields(one: Round, at: TableSeats) -> dict[str, object]:
    results = {game.game: result for game, result in one.results.items() if game.table == at.table}
    return {
        "stage": one.key.stage, "round": one.key.round, "table": at.table, "players": list(at.seated),
        "entered": sorted(results), "missing": [game.game for game in one.missing() if game.table == at.table],
        "not_played": sorted(game for game, result in results.items() if result.sheet is None),
        "confirmed": bool(results) and all(result.confirmed is not None for result in results.values()),
        "closed": one.closed is not None,
    }  # fmt: skip


def _mark(one: Round, at: GameAt) -> str:
    result = one.results.get(at)
    if result is None:
        return "–"
    if result.sheet is None:
        return _("not played")
    return ", ".join(score.seat for score in result.scores if score.place == 1)


def _confirmed(one: Round, at_table: int) -> str:
    marks = [result.confirmed for at, result in one.results.items() if at.table == at_table]
    if not marks or None in marks:
        return _("no")
    return readable(next(mark.who for mark in marks if mark is not None))


def _players(state: Tournament, at: TableSeats) -> str:
    return ", ".join(readable(state.players[player].name) for player in at.seated)


def _stands(one: Round) -> str:
    if one.closed is not None:
        return _("Closed by {who}.").format(who=readable(one.closed.who))
    missing = one.missing()
    if not missing:
        return _("Every result is in.")
    return ngettext("{count} game is missing: {games}", "{count} games are missing: {games}", len(missing)).format(
        count=len(missing), games=said(rounds.games_by_table(missing))
    )


def _show() -> click.Command:
    return event_command(
        "show", show, _("Which games of a round are in, with the winner's seat, and which are missing."),
        "dalej round show league.dalej",
        params=[
            round_option(),
            json_option(),
        ],
    )  # fmt: skip


def _date() -> click.Command:
    return event_command(
        "date", date,
        _("Set the day of a round, also of one that is still to come; “default” takes it back. Without DATE the days "
          "of all rounds are listed."),
        "dalej round date league.dalej", "dalej round date league.dalej 2026-12-04 --round 2",
        params=[
            click.Argument(["day"], metavar=_("[DATE]"), required=False), round_option(), json_option(), who_option(),
        ],
    )  # fmt: skip


def _start() -> click.Command:
    return event_command(
        "start", start, _("Start the time of the round."),
        "dalej round start league.dalej --minutes 90",
        params=[
            click.Option(["--minutes"], type=click.IntRange(1, 600), metavar=_("N"),
                         help=_("How long the round is (default: as the ruleset or the event says).")),
            who_option(),
        ],
    )  # fmt: skip


def _close() -> click.Command:
    return event_command(
        "close", close, _("Close the round when every result is in; a copy of the event is kept beside it."),
        "dalej round close league.dalej",
        params=[
            anyway_option(_("Close it though results are missing or unconfirmed, for this reason.")),
            who_option(),
        ],
    )  # fmt: skip


def _reopen() -> click.Command:
    return event_command(
        "reopen", reopen, _("Open a closed round again, as long as no later one is seated."),
        'dalej round reopen league.dalej league/2 --why "game 3 of table 5 was copied wrongly"',
        params=[
            click.Argument(["key"], metavar=_("ROUND")), why_option("reopen_round"), who_option(),
        ],
    )  # fmt: skip
