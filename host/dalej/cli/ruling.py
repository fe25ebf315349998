"""`dalej ruling`: what was ruled and claimed at the tables, and what a referee decides on it."""

from __future__ import annotations

from typing import Final

import click

from dalej.acts.catalogue import ACTS
from dalej.acts.reasons import expect_reason
from dalej.cli import rulinglist
from dalej.cli.fetching import once_told
from dalej.cli.office import event_command, opened, round_option, table_argument, who_option, why_option
from dalej.cli.output import Group, example
from dalej.domain.tournament import Tournament
from dalej.ledger import Decision
from dalej.office import adjudging, cases, history, referee
from dalej.office.adjudging import Where
from dalej.office.players import find
from dalej.telling import tell_tiles, word
from dalej.words import _

ANSWERS: Final = ("granted", "denied")


def command() -> click.Group:
    """`dalej ruling list|decide|revoke|claim|tie`."""
    group = Group(
        "ruling", help=_("What was ruled at the tables, and what a referee decides."),
        epilog=example("dalej ruling list league.dalej --table 3"),
    )  # fmt: skip
    for part in (rulinglist.command(), _decide(), _revoke(), _claim(), _tie()):
        group.add_command(part)
    return group


def decide(
    event: str, table: int, game: int, move: str, verdict: str, tiles: int | None, another: bool, key: str | None,
    why: str, who: str,
) -> None:  # fmt: skip
    """Rule on a time-out."""
    with opened(event, who) as held:
        where = _where_of(held.state(), table, game, move, key)
        ruled = once_told(held, table, lambda: adjudging.rule(held, where, verdict, tiles, why, another=another))
    body = ruled.made.body
    said = _("Table {table}, game {game}, seat {seat}: {ruling}, {tiles} (number {number}).")
    if cases.seat_letter(move) is None:
        said = _("Table {table}, game {game}, move {move} of seat {seat}: {ruling}, {tiles} (number {number}).")
    counted = body["tiles"]
    told = tell_tiles(counted if isinstance(counted, int) else None)
    click.echo(said.format(
        table=table, game=game, move=move, seat=ruled.seat, ruling=word(str(body["ruling"])), tiles=told,
        number=ruled.made.cursor,
    ))  # fmt: skip
    if (instead := ruled.made.body.get("instead")) is not None:
        click.echo(_("It holds in place of number {number}; with --another both would hold.").format(number=instead))


def revoke(event: str, number: int, why: str, who: str) -> None:
    """Take a referee's decision back."""
    with opened(event, who) as held:
        held.change_seen(lambda seen: referee.revoke(seen, number, why))
        decisions = held.ledger.decisions()
    taken = next(one for one in decisions if one.cursor == number)
    click.echo(
        _("Taken back: {decision} (number {number}).").format(
            decision=history.tell(taken, history.names_in(decisions)), number=number
        )
    )


def claim(event: str, table: int, game: int, move: str, said: str, key: str | None, why: str, who: str) -> None:
    """Answer a claim; a box that waits for the answer is told."""
    granted = said == ANSWERS[0]
    expect_reason(ACTS["grant_claim" if granted else "deny_claim"], why)
    with opened(event, who) as held:
        where = _where_of(held.state(), table, game, move, key)
        ruled = once_told(held, table, lambda: adjudging.answer_claim(held, where, granted=granted, why=why))
    answer = _("the claim is granted") if granted else _("the claim is denied")
    click.echo(
        _("Table {table}, game {game}, seat {seat}: {answer} (number {number}).").format(
            table=table, game=game, seat=ruled.seat, answer=answer, number=ruled.made.cursor
        )
    )
    if ruled.request is not None:
        click.echo(_("The box is asked to let the move go on; it obeys when the clock is resumed."))
    elif ruled.waits:
        click.echo(_("The box gives the move its full time when the clock is resumed."))


def tie(event: str, players: tuple[str, ...], stage: str | None, why: str, who: str) -> None:
    """Set the order among players who are level."""
    with opened(event, who) as held:
        made = held.change(lambda state: referee.tie(state, stage, [find(state, one) for one in players], why))
        decisions = held.ledger.decisions()
    click.echo(_told(made[0], decisions))


def _told(made: Decision, decisions: list[Decision]) -> str:
    return _("{decision} (number {number}).").format(
        decision=history.tell(made, history.names_in(decisions)), number=made.cursor
    )


def _where_of(state: Tournament, table: int, game: int, move: str, key: str | None) -> Where:
    seat = cases.seat_letter(move)
    return Where(table, game, int(move) if seat is None else None, seat, adjudging.round_meant(state, key))


def _where() -> list[click.Parameter]:
    return [
        table_argument(),
        click.Argument(["game"], type=click.IntRange(1), metavar=_("GAME")),
        click.Argument(["move"], metavar=_("MOVE")),
    ]


def _decide() -> click.Command:
    return event_command(
        "decide", decide,
        _("Rule on a time-out: it stands, it is undone, or the player takes what is in no valid set. MOVE is the "
          "number of the move; where no box counts them, the seat. Or say what was seen, and the ruleset says what "
          "follows: tiles touched after the time, nothing_laid from the own rack though all sets are valid."),
        'dalej ruling decide league.dalej 3 2 14 stands --why "all sets were valid"',
        'dalej ruling decide league.dalej 3 2 14 takes_invalid --tiles 5 --why "could not be put back"',
        'dalej ruling decide league.dalej 7 1 B undone --why "no box here"',
        params=[
            *_where(),
            click.Argument(["verdict"], type=click.Choice(referee.SEEN)),
            click.Option(["--tiles"], type=click.IntRange(0, referee.TILES_MOST), metavar=_("N"),
                         help=_("How many tiles it costs, beyond one drawn in time (default: as the ruleset says).")),
            click.Option(["--another"], is_flag=True,
                         help=_("Where no box counts: on another time-out of that seat, so that both rulings hold.")),
            round_option(), why_option("rule"), who_option(),
        ],
    )  # fmt: skip


def _revoke() -> click.Command:
    return event_command(
        "revoke", revoke, _("Take back a referee's decision; what held before it holds again."),
        'dalej ruling revoke league.dalej 87 --why "wrong table"',
        params=[
            click.Argument(["number"], type=click.IntRange(1), metavar=_("NUMBER")),
            why_option("revoke"), who_option(),
        ],
    )  # fmt: skip


def _claim() -> click.Command:
    return event_command(
        "claim", claim,
        _("Answer a claim that a move start again because the one before was clicked before the tile was drawn. "
          "MOVE is the move that would start again; where no box counts them, the seat."),
        'dalej ruling claim league.dalej 3 2 15 denied --why "the tile was drawn first"',
        params=[
            *_where(), click.Argument(["said"], type=click.Choice(ANSWERS), metavar="|".join(ANSWERS)),
            round_option(), why_option(required=True), who_option(),
        ],
    )  # fmt: skip


def _tie() -> click.Command:
    return event_command(
        "tie", tie, _("Set the order among players who are level, the best first: the head referee's decision."),
        'dalej ruling tie league.dalej Sowa Lis --why "the game between them"',
        no_args_is_help=True,
        params=[
            click.Argument(["players"], nargs=-1, required=True, metavar=_("PLAYER PLAYER...")),
            click.Option(["--stage"], metavar=_("STAGE"), help=_("In which stage (default: the last one reached).")),
            why_option("tie"), who_option(),
        ],
    )  # fmt: skip
