"""`dalej table`: what a referee does to a table, carried out by its box while a desk serves the event.

A command for each act about a table, made of the catalogue (`dalej.office.acts.catalogue`) and done as screens do it.
Rulings and claims are decisions and have their own command, `dalej ruling`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from dalej.cli.decision import (
    agreed,
    event_command,
    json_option,
    opened,
    table_argument,
    who_option,
    why_option,
    yes_option,
)
from dalej.cli.requested import NoDesk, answer
from dalej.cli.terminal import Group, after_a_moment, command_line, example, json_line
from dalej.clock import SystemClock
from dalej.desk.requests import TURN_WITHIN_MS
from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import WORDS
from dalej.domain.game.sentences import seconds as in_seconds
from dalej.errors import DalejError, Refused, Unreachable
from dalej.event.event import Event
from dalej.event.ledger import APPLIED, REFUSED, Outcome
from dalej.office.acts.catalogue import ACTS, Act, Ask
from dalej.office.acts.performer import Line, Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.tables import TableNow, table_now
from dalej.office.acts.wishes import Done, Wish
from dalej.words import N_, _, readable, said

WITHIN_MS: Final = TURN_WITHIN_MS + 5_000  # a desk gives up before this
_DECISIONS: Final = ("rule", "grant_claim", "deny_claim")
_EXAMPLES: Final[Mapping[str, str]] = {"seconds": "20", "seat": "B", "tiles": "43"}


def command() -> click.Group:
    """`dalej table stop|resume|…`."""
    group = Group(
        "table", help=_("What a referee does to a table: stop its clock, correct it, end its game; its box obeys."),
        epilog=example('dalej table give-time league.dalej 3 20 --why "the box was passed on late"'),
    )  # fmt: skip
    for act in ACTS.values():
        if act.about == "table" and act.offered and act.name not in _DECISIONS:
            group.add_command(_command(act))
    return group


def do(act: Act, event: str, table: int, given: Mapping[str, object], who: str, yes: bool, as_json: bool) -> int:
    """Ask the box, wait for its answer, say it; 1 with JSON if it was not carried out."""
    why = str(given.get("why") or "")
    with opened(event, who) as held:
        _expect_desk(held, event)
        now = table_now(held, table)
        if act.destroys:
            agreed(yes, _("{what} Do it?").format(what=_question(act, now, held)))
        wish = Wish(act.name, {**_args(act, given), "table": table, "game": now.at.game, "move": now.at.move}, why)
        done = Performer(lambda _who: held, _unwritten).do(Actor(who, "organiser"), wish)
        if not as_json:
            click.echo(readable(str(done)))
        with after_a_moment(_("waits for the box of table {table} …").format(table=table)):
            outcomes = _answers(held, table, done, stops=not as_json)
    if as_json:
        json_line(_fields(act, table, done, outcomes))
        return int(any(one is None or one.result != APPLIED for one in outcomes))
    click.echo(_("Table {table}: its box has done it.").format(table=table))
    return 0


def _expect_desk(held: Event, event: str) -> None:
    """Unreachable, and nothing asked, where nobody would carry it out now."""
    if held.ledger.lease.holder(held.wall_ms()) is None:
        raise Unreachable(
            N_("no desk serves {event} now, so no box would be told: first {command}"),
            event=event, command=command_line("run", event),
        )  # fmt: skip


def _answers(held: Event, table: int, done: Done, *, stops: bool) -> list[Outcome | None]:
    """What became of each request, None: nothing yet; with `stops` an error of the first that was not carried out."""
    outcomes: list[Outcome | None] = []
    for request in done.requests:
        try:
            outcome = answer(held.ledger, request, SystemClock(), WITHIN_MS)
        except NoDesk:
            outcome = None
        if stops and (outcome is None or outcome.result != APPLIED):
            raise _not_done(table, outcome)
        outcomes.append(outcome)
    return outcomes


def _not_done(table: int, outcome: Outcome | None) -> DalejError:
    if outcome is None:
        return Unreachable(
            N_("table {table}: its box has not answered within {seconds} s; it is asked still"),
            table=table, seconds=WITHIN_MS // 1_000,
        )  # fmt: skip
    if outcome.result == REFUSED:
        why: object = DalejError(WORDS[outcome.reason]) if outcome.reason in WORDS else outcome.reason
        return Refused(N_("table {table}: its box refuses: {reason}"), table=table, reason=why)
    return Unreachable(
        N_("table {table}: there is no link to its box: switch the box on, or bring it nearer"), table=table
    )


def _question(act: Act, now: TableNow, held: Event) -> str:
    """What it touches, in words."""
    at = now.at
    letter = SEATS[at.seat] if at.seat < len(SEATS) else "–"
    current = held.state().current
    seating = None if current is None or current.seating is None else current.seating.at(now.table)
    number = 0 if seating is None or at.seat >= len(SEATS) else seating.players[at.seat]
    name = held.state().players[number].name if number else letter
    limit = in_seconds(at.limit_ms or 0)
    return readable(said(DalejError(
        act.confirm, table=now.table, name=name, seconds=limit, game=at.game, move=at.move
    )))  # fmt: skip


def _args(act: Act, given: Mapping[str, object]) -> dict[str, str | int]:
    """The act's own, as a wish has them; seconds are given with up to three decimals."""
    found: dict[str, str | int] = {}
    for ask in act.asks:
        value = given.get(ask.name)
        if isinstance(value, float):
            found[ask.name] = round(1_000 * value)
        elif isinstance(value, str | int):
            found[ask.name] = value
    return found


def _fields(act: Act, table: int, done: Done, outcomes: list[Outcome | None]) -> dict[str, object]:
    return {
        "act": act.name, "table": table,
        "requests": [
            {"id": request, "result": None if outcome is None else outcome.result,
             "reason": "" if outcome is None else outcome.reason}
            for request, outcome in zip(done.requests, outcomes, strict=True)
        ],
    }  # fmt: skip


def _command(act: Act) -> click.Command:
    name, title = act.name.replace("_", "-"), _(act.title)

    def callback(event: str, table: int, who: str, yes: bool = False, as_json: bool = False, **given: object) -> int:
        return do(act, event, table, given, who, yes, as_json)

    return event_command(
        name, callback, f"{title[:1].upper()}{title[1:]}.", _example(act, name),
        params=[
            table_argument(), *(_argument(act, ask) for ask in act.asks), why_option(act.name), who_option(),
            *([yes_option()] if act.destroys else []), json_option(),
        ],
    )  # fmt: skip


def _argument(act: Act, ask: Ask) -> click.Argument:
    """A choice that destroys nothing may be left out: then it is the first."""
    if ask.kind == "choice":
        default = None if act.destroys else ask.choices[0]
        mark = "|".join(ask.choices)
        return click.Argument(
            [ask.name], type=click.Choice(ask.choices), required=default is None, default=default,
            metavar=mark if default is None else f"[{mark}]",
        )  # fmt: skip
    kind: click.ParamType[object] = click.IntRange(ask.least, ask.most)
    if ask.kind == "seconds":
        kind = click.FloatRange(ask.least, ask.most)
    elif ask.kind == "seat":
        kind = click.Choice(SEATS, case_sensitive=False)
    return click.Argument([ask.name], type=kind, metavar=_(ask.label).upper())


def _example(act: Act, name: str) -> str:
    words = [f"dalej table {name} league.dalej 3"]
    words += [ask.choices[0] if ask.kind == "choice" else _EXAMPLES[ask.kind] for ask in act.asks]
    return " ".join([*words, '--why "seen by the referee"'] if act.why else words)


def _unwritten(line: Line) -> None:
    """At the desk itself the ledger says who did what."""
