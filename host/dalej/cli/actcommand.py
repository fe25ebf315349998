"""An act of the catalogue as a command: its fields as they are typed, what it touches asked about, what was done
said, and what the boxes answer. For scripts each has `--json`: the act, the numbers of what was decided, what became of
each request; 1 if a box has not carried it out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import click

from dalej.cli.decision import (
    agreed,
    do,
    event_command,
    json_option,
    opened,
    playing_option,
    round_option,
    who_option,
    why_option,
    yes_option,
)
from dalej.cli.terminal import after_a_moment, is_terminal, json_line, name_commands, named
from dalej.clock import SystemClock
from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import WORDS
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, Refused, Sayable, Unreachable
from dalej.event.event import Event, moved_up
from dalej.event.ledger import APPLIED, REFUSED, Outcome
from dalej.office.acts.act import About, Act, Ask
from dalej.office.acts.attable import TableNow, ToBox, table_now, tables_now
from dalej.office.acts.sight import Sight, TableSight
from dalej.office.acts.waiting import PRINTED, itself, tells_of_paper, tells_who_moved_up
from dalej.office.acts.wishes import Done, Wish
from dalej.office.players import find
from dalej.office.seating import moving_up
from dalej.words import N_, _, advised, capital, ngettext, readable, said

_EXAMPLES: Final[Mapping[str, str]] = {
    "seconds": "20",
    "seat": "B",
    "tiles": "43",
    "player": "Lis",
    "table": "3",
    "text": '"two minutes left"',
}
_TO_BOXES: Final[tuple[About, ...]] = ("table", "hall")  # a box carries it out, and is waited for


@dataclass(frozen=True, slots=True)
class Told:
    """What a command has done. `before`: the tournament as it was."""

    held: Event
    event: str
    wish: Wish
    done: Done
    before: Tournament


Asks = Callable[[Event, Wish], str]
"""The question that a terminal asks before it is done, "" where there is none."""
After = Callable[[Told], object]
"""Says what else there is to say."""
Before = Callable[[Event, Wish], Wish]
"""Asks what is to be asked, and wishes what comes of it."""


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
        from dalej.cli.requested import WITHIN_MS  # noqa: PLC0415 -- it loads the desk

        if self.outcome is None:
            return Unreachable(
                N_("table {table}: its box has not answered within {seconds} s; it is asked still"),
                table=self.table, seconds=WITHIN_MS // 1_000,
            )  # fmt: skip
        if self.outcome.result == REFUSED:
            reason = self.outcome.reason
            why: Sayable = DalejError(WORDS[reason]) if reason in WORDS else reason
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


def act_command(
    act: type[Act], name: str, *uses: str, says: str = "", before: Before | None = None, after: After | None = None,
    asks: Asks | None = None, params: Sequence[click.Parameter] = (), without: Collection[str] = (),
) -> click.Command:  # fmt: skip
    """The act under that name. `uses`: its examples; `says`: what its help says, else its title; `params`: in place of
    its own fields of those names; `without`: fields that are not typed; `before`: the wish as it is once somebody in a
    terminal has been asked, `after`: what is said besides; `asks`: what a terminal asks, unless --yes is given.
    """
    title = _(act.title)
    given = {*without, *(one.name for one in params)}
    own = [_parameter(act, ask) for ask in act.asks() if ask.name not in given]
    return event_command(
        name, partial(_do, act, before, after, asks), says or f"{capital(title)}.", *uses,
        params=[
            *params, *own, *_carried(act, given | {ask.name for ask in act.asks()}),
            *([why_option(act)] if act.why or act.keeps_why else []), who_option(),
            *([yes_option()] if asks is not None or (act.destroys() and act.about in _TO_BOXES) else []), json_option(),
        ],
    )  # fmt: skip


def commands_about(about: About, group: str) -> Iterator[click.Command]:
    """Every act about that which is offered, for `dalej GROUP`; rulings are decided with `dalej ruling`."""
    from dalej.office.acts.catalogue import ACTS  # noqa: PLC0415 -- it loads every act; most groups have a few
    from dalej.office.acts.rulings import AboutMove  # noqa: PLC0415 -- the same

    for act in ACTS.values():
        if act.about == about and act.offered and not issubclass(act, AboutMove):
            name = act.name.removesuffix(f"_{about}").replace("_", "-")
            words = [f"dalej {group} {name} league.dalej", *(_example(ask) for ask in act.asks() if ask.needed)]
            yield act_command(act, name, " ".join([*words, '--why "seen by the referee"'] if act.why else words))


def _do(
    act: type[Act], before: Before | None, after: After | None, asks: Asks | None, event: str, who: str,
    why: str | None = None, yes: bool = False, as_json: bool = False, **given: object,
) -> int:  # fmt: skip
    """As it was typed."""
    with opened(event, who) as held:
        wish = Wish(act.name, _args(act, held.state(), given), why or "")
        if asks is not None and is_terminal() and (question := asks(held, wish)):
            agreed(yes, question)
        wish = wish if before is None else before(held, wish)
        return carry_out(held, event, wish, as_json=as_json, yes=yes, after=after)


def carry_out(
    held: Event, event: str, wish: Wish, *, as_json: bool = False, yes: bool = False, after: After | None = None,
    does: Callable[[Event, Wish], Done] = do,
) -> int:  # fmt: skip
    """Ask, do, say it; wait for the boxes where they carry it out. 1 if one has not."""
    from dalej.office.acts.catalogue import ACTS  # noqa: PLC0415 -- as above
    from dalej.office.acts.rulings import AboutMove  # noqa: PLC0415 -- as above

    act = ACTS[wish.act]
    to_boxes = act.about in _TO_BOXES and not issubclass(act, AboutMove)
    if to_boxes:
        _expect_desk(held, event)
    before = None if after is None else held.state()  # an event that cannot be read is mended without
    if to_boxes and act.destroys() and not yes:
        sight = _sight(held, held.state(), wish.args.get("table"))
        if sight.table is not None and issubclass(act, ToBox):  # what was shown is meant, and no later move
            wish = replace(wish, args={**wish.args, "game": sight.table.game, "move": sight.table.move})
        if act.about != "hall" or any(state in act.states() for state in sight.plays.values()):
            what = act.question(wish.args, sight)
            agreed(False, _("{what} Do it in {event}?").format(what=what, event=readable(event)))
    done = does(held, wish)
    if not as_json:
        click.echo(readable(said(itself(done))))
        if tells_who_moved_up(done):
            _say_moved_up(held, done.decisions, event)
        if after is not None and before is not None:
            after(Told(held, event, wish, done, before))
        say_printed(done)
    found = [*(_answers if to_boxes else _open)(held, done)]
    missing = [one for one in found if to_boxes and not one.is_done]
    if as_json:
        requests = [one.fields() for one in found]
        json_line({"act": act.name, "decisions": list(done.decisions), "requests": requests})
        return int(bool(missing))
    if to_boxes and (count := len(found) - len(missing)):
        told = ngettext("{count} box has done it.", "{count} boxes have done it.", count)
        if len(found) == 1:
            told = _("Table {table}: its box has done it.")
        click.echo(told.format(count=count, table=found[0].table))
    for one in missing:
        click.echo(said(one.problem), err=True)
    return int(bool(missing))


def say_printed(done: Done) -> None:
    """That what is printed shows the old seats, if anybody sits elsewhere now."""
    if tells_of_paper(done):
        click.echo(_(PRINTED))


def _say_moved_up(held: Event, numbers: Iterable[int], event: str) -> None:
    """Who has moved up from the waiting list by these decisions, and what gives them a seat in a round under way."""
    made = [one for one in held.read().decisions() if one.cursor in numbers]
    state = held.state()
    for told in moving_up(state, moved_up(made, state)):
        click.echo(advised(name_commands(told.hinted(), event)))


def _expect_desk(held: Event, event: str) -> None:
    """Unreachable, and nothing asked, where nobody would carry it out now."""
    if held.ledger.lease.holder(held.wall_ms()) is None:
        raise Unreachable(
            N_("no desk serves {event} now, so no box would be told: first {command}"),
            event=event, command=named("run", event),
        )  # fmt: skip


def _answers(held: Event, done: Done) -> Iterable[Answer]:
    """What the boxes answer, one after the other; that they are waited for is said where it takes longer."""
    from dalej.cli.requested import WITHIN_MS, NoDesk, answer  # noqa: PLC0415 -- it loads the desk

    tables = _tables(held)
    with after_a_moment(_("waits for the boxes …")):
        for request in done.requests:
            try:
                outcome = answer(held.ledger, request, SystemClock(), WITHIN_MS)
            except NoDesk:
                outcome = None
            yield Answer(tables[request], request, outcome)


def _open(held: Event, done: Done) -> Iterable[Answer]:
    """The same of boxes that nobody waits for."""
    tables = _tables(held) if done.requests else {}
    return [Answer(tables[request], request, None) for request in done.requests]


def _tables(held: Event) -> Mapping[int, int]:
    """The table of every request."""
    return {one.request.id: one.request.table for one in held.read().asked()}


def _sight(held: Event, state: Tournament, table: object) -> Sight:
    """What is known before it is done."""
    reading = held.read()
    plays = {now.table: now.at.state for now in tables_now(reading) if now.plays and now.at.state is not None}
    at = _seen(state, table_now(held, table)) if isinstance(table, int) else None
    return Sight(state=state, decisions=reading.decisions(), plays=plays, table=at)


def _seen(state: Tournament, now: TableNow) -> TableSight:
    seat = now.at.seat
    letter = SEATS[seat] if seat < len(SEATS) else "–"
    seating = None if state.current is None or state.current.seating is None else state.current.seating.at(now.table)
    number = 0 if seating is None or seat >= len(SEATS) else seating.players[seat]
    whose = state.players[number].name if number else letter
    return TableSight(table=now.table, game=now.at.game, move=now.at.move, whose=whose, limit_ms=now.at.limit_ms or 0)


def _args(act: type[Act], state: Tournament, given: Mapping[str, object]) -> dict[str, Any]:
    """The act's own, as a wish has them. Not what was left out."""
    kinds = {ask.name: ask.kind for ask in act.asks()}
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value == () or value == []:
            continue
        kind = kinds.get(name)
        if kind == "seconds" and isinstance(value, float):
            found[name] = round(1_000 * value)  # given with up to three decimals
        elif kind == "player":
            found[name] = find(state, str(value)).number
        elif isinstance(value, tuple):
            found[name] = [find(state, str(one)).number for one in value]
        else:
            found[name] = value
    return found


def _parameter(act: type[Act], ask: Ask) -> click.Parameter:
    """In its place, a flag as an option; a choice that destroys nothing may be left out: then it is the first."""
    mark = _(ask.label).upper()
    if ask.kind == "flag":
        return click.Option([f"--{ask.name.replace('_', '-')}"], is_flag=True, help=f"{capital(_(ask.label))}.")
    if ask.kind == "choice":
        default = None if act.destroys() else ask.choices[0]
        mark = "|".join(ask.choices)
        return click.Argument(
            [ask.name], type=click.Choice(ask.choices), required=default is None, default=default,
            metavar=mark if default is None else f"[{mark}]",
        )  # fmt: skip
    if ask.kind == "players":
        return click.Argument([ask.name], nargs=-1, required=ask.needed, metavar=_("PLAYER…"))
    mark = mark if ask.needed else f"[{mark}]"
    return click.Argument([ask.name], type=_type(ask), required=ask.needed, metavar=mark)


def _carried(act: type[Act], known: set[str]) -> Iterator[click.Parameter]:
    """What goes with it that no form asks for, where people may have to say it."""
    there = set(act.__struct_fields__) - known
    if "round" in there:
        yield round_option("round")
    if "playing" in there:
        yield playing_option()


def _type(ask: Ask) -> click.ParamType[object]:
    if ask.kind in ("text", "player"):
        return click.STRING
    if ask.kind == "seat":
        return click.Choice(SEATS, case_sensitive=False)
    if ask.kind == "seconds":
        return click.FloatRange(ask.least, ask.most)
    return click.IntRange(ask.least, ask.most)


def _example(ask: Ask) -> str:
    return ask.choices[0] if ask.kind == "choice" else _EXAMPLES[ask.kind]
