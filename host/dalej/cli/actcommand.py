"""What the boxes of an event carry out when an act of the catalogue is done on the command line: the act's arguments as
they are typed, and what each box answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import click

from dalej.cli.decision import event_command, json_option, who_option, why_option, yes_option
from dalej.cli.requested import NoDesk, answer
from dalej.cli.terminal import after_a_moment, command_line
from dalej.clock import SystemClock
from dalej.desk.requests import TURN_WITHIN_MS
from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import WORDS
from dalej.errors import DalejError, Refused, Unreachable
from dalej.event.event import Event
from dalej.event.ledger import APPLIED, REFUSED, Outcome
from dalej.office.acts.catalogue import Act, Ask
from dalej.office.acts.wishes import Done
from dalej.words import N_, _

WITHIN_MS: Final = TURN_WITHIN_MS + 5_000  # a desk gives up before this
_EXAMPLES: Final[Mapping[str, str]] = {"seconds": "20", "seat": "B", "tiles": "43"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one request. `outcome` None: its box has not answered in time, or nobody serves it any more."""

    table: int
    request: int
    outcome: Outcome | None

    @property
    def is_done(self) -> bool:
        """Whether the box has carried it out."""
        return self.outcome is not None and self.outcome.result == APPLIED

    @property
    def problem(self) -> DalejError:
        """Why it has not."""
        if self.outcome is None:
            return Unreachable(
                N_("table {table}: its box has not answered within {seconds} s; it is asked still"),
                table=self.table, seconds=WITHIN_MS // 1_000,
            )  # fmt: skip
        if self.outcome.result == REFUSED:
            reason = self.outcome.reason
            why: object = DalejError(WORDS[reason]) if reason in WORDS else reason
            return Refused(N_("table {table}: its box refuses: {reason}"), table=self.table, reason=why)
        return Unreachable(
            N_("table {table}: there is no link to its box: switch the box on, or bring it nearer"), table=self.table
        )

    def fields(self) -> dict[str, object]:
        """It under its JSON names."""
        return {
            "id": self.request, "table": self.table, "result": None if self.outcome is None else self.outcome.result,
            "reason": "" if self.outcome is None else self.outcome.reason,
        }  # fmt: skip


def expect_desk(held: Event, event: str) -> None:
    """Unreachable, and nothing asked, where nobody would carry it out now."""
    if held.ledger.lease.holder(held.wall_ms()) is None:
        raise Unreachable(
            N_("no desk serves {event} now, so no box would be told: first {command}"),
            event=event, command=command_line("run", event),
        )  # fmt: skip


def answers(held: Event, done: Done, waits: str) -> Iterable[Answer]:
    """What the boxes answer, one after the other; `waits` is said where that takes longer than a moment."""
    tables = {one.request.id: one.request.table for one in held.read().asked()}
    with after_a_moment(waits):
        for request in done.requests:
            try:
                outcome = answer(held.ledger, request, SystemClock(), WITHIN_MS)
            except NoDesk:
                outcome = None
            yield Answer(tables[request], request, outcome)


def args_of(act: Act, given: Mapping[str, object]) -> dict[str, str | int]:
    """The act's own, as a wish has them; seconds are given with up to three decimals. Not what was left out."""
    found: dict[str, str | int] = {}
    for ask in act.asks:
        value = given.get(ask.name)
        if isinstance(value, float):
            found[ask.name] = round(1_000 * value)
        elif isinstance(value, str | int):
            found[ask.name] = value
    return found


def act_command(
    act: Act, name: str, callback: Callable[..., int], example: str, *params: click.Parameter
) -> click.Command:
    """The act as a command: its arguments, reason and question. `example`: how a command line begins."""
    title = _(act.title)
    words = [example] + [_example(ask) for ask in act.asks if ask.needed]
    return event_command(
        name, callback, f"{title[:1].upper()}{title[1:]}.",
        " ".join([*words, '--why "seen by the referee"'] if act.why else words),
        params=[
            *params, *(_argument(act, ask) for ask in act.asks), why_option(act.name), who_option(),
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
    elif ask.kind == "table":
        kind = click.IntRange(1, ask.most)
    mark = _(ask.label).upper()
    return click.Argument([ask.name], type=kind, required=ask.needed, metavar=mark if ask.needed else f"[{mark}]")


def _example(ask: Ask) -> str:
    return ask.choices[0] if ask.kind == "choice" else _EXAMPLES[ask.kind]
