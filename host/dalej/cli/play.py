"""`dalej play`: a written game, played through the whole chain on simulated time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from dalej.cli import terminal
from dalej.cli.terminal import example
from dalej.clock import ManualClock, SystemClock
from dalej.domain.game.facts import SEATS, Fact, Value
from dalej.domain.game.rulings import Ruling
from dalej.domain.game.sentences import tell, tell_ruling
from dalej.domain.game.tablesettings import Choices, settings_for
from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import DalejError, WrongInput
from dalej.event.eventlog import choose_ruleset, rulings
from dalej.event.ledger import Baseline, Ledger
from dalej.event.reading import read
from dalej.rulesets.rulebook import load
from dalej.simulator.writtengame import WHO, Line, Played, parse
from dalej.words import N_, _, cause, said

SCRIPT_MOST = 16 * 1024 * 1024


def command() -> click.Command:
    """`dalej play SCRIPT --ruleset ID`."""
    return click.Command(
        "play",
        callback=play,
        help=_(
            "Play a written game on simulated boxes, and print every fact and ruling."
        ),
        epilog=example(
            "dalej play game.txt --ruleset school-league",
            "dalej play game.txt --ruleset pl-championship --seats ABC --first B --json",
        ),
        params=[
            click.Argument(["script"], metavar=_("SCRIPT")),
            click.Option(["--ruleset"], required=True, metavar="ID", help=_("A ruleset's id, or a file of your own.")),
            click.Option(["--seats"], default="ABCD", show_default=True, help=_("Seats in play.")),
            click.Option(["--first"], type=click.Choice(SEATS), help=_("Who starts (default: as the ruleset says).")),
            click.Option(
                ["--draw"], type=click.Choice(["off", "flag", "block"]),
                help=_("A tile before the click: do not watch, note it, refuse Dalej (default: as the ruleset says)."),
            ),
            click.Option(
                ["--on-expiry"], type=click.Choice(["hold", "advance"]), default="hold", show_default=True,
                help=_("At the limit: wait for the table, or go on after the grace time."),
            ),
            click.Option(["--no-kostka", "without_kostka"], is_flag=True, help=_("A box without a tile contact.")),
            click.Option(["--shared-buttons"], is_flag=True, help=_("A box with one Już and one Dalej for all.")),
            click.Option(["--taps-only"], is_flag=True, help=_("Holding Już or Dalej means no more than a tap.")),
            click.Option(["--event"], metavar=_("FILE"), help=_("Keep the ledger in this new file.")),
            click.Option(["--json", "as_json"], is_flag=True, help=_("One JSON object a line.")),
        ],
    )  # fmt: skip


def play(
    script: str,
    ruleset: str,
    seats: str,
    first: str | None,
    draw: str | None,
    on_expiry: str,
    without_kostka: bool,
    shared_buttons: bool,
    taps_only: bool,
    event: str | None,
    as_json: bool,
) -> None:
    """Everything is read and checked before anything is written."""
    rules = load(ruleset)
    if first is None and rules.first_starter == "seat_a" and "A" in seats:
        first = "A"
    choices = Choices(seats=seats, first=first, draw=draw, on_expiry=on_expiry, taps_only=taps_only or None)
    settings_for(rules, choices)
    lines = parse(_text(script), script, kostka=not without_kostka, shared=shared_buttons)
    if not rules.seats_min <= len(seats) <= rules.seats_max:
        click.echo(
            _("{ruleset} seats {least} to {most} players at a table, this game is played by {count}").format(
                ruleset=rules.id, least=rules.seats_min, most=rules.seats_max, count=len(seats)
            ),
            err=True,
        )
    with _ledger(event) as ledger:
        wall_ms = SystemClock().wall_ms()
        choose_ruleset(ledger, ruleset, who=WHO, when_ms=wall_ms)
        played = _played(ledger, rules, choices, lines, wall_ms, not without_kostka, shared_buttons)
        facts = [reported.fact for reported in read(ledger).facts()]
        _show(played, facts, rules, as_json)
        for unsent in played.unsent:
            click.echo(
                _("{file}, line {line}: no link to the box, {command} was not sent").format(
                    file=script, line=unsent.line, command=unsent.command
                ),
                err=True,
            )


def _played(
    ledger: Ledger, rules: Ruleset, choices: Choices, lines: list[Line], wall_ms: int, kostka: bool, shared: bool
) -> Played:
    played = Played(ledger, rules, choices, ManualClock(wall_ms), kostka=kostka, shared=shared)
    for stream in ledger.boxes():
        ledger.assign(
            Baseline(table=1, box=stream.box, epoch=stream.epoch, seq=0), who=WHO, when_ms=wall_ms, why="a written game"
        )
    played.play(lines)
    played.desk.close()
    return played


def _show(played: Played, facts: list[Fact], rules: Ruleset, as_json: bool) -> None:
    ruled: dict[tuple[int, int], list[Ruling]] = {}
    for ruling in rulings(facts, rules):
        ruled.setdefault(ruling.of[1:], []).append(ruling)
    rows = []
    for fact in facts:
        at_ms = played.box.world_ms(fact.boot, fact.uptime_ms)
        if as_json:
            fields: dict[str, Value] = {"seq": fact.seq, "at_ms": at_ms, "fact": fact.name, **fact.fields()}
            terminal.json_line(fields)
        else:
            rows.append((terminal.clock_time(at_ms), _number(fact.game), _number(fact.move), tell(fact)))
        for ruling in ruled.get((fact.epoch, fact.seq), ()):
            if as_json:
                terminal.json_line(ruling.fields())
            else:
                rows.append(("", "", "", tell_ruling(ruling)))
    if not as_json:
        terminal.table((_("time"), _("game"), _("move"), _("what happened")), rows, numbers=(0, 1, 2))
    for notice in played.desk.notices:
        if notice.kind != "no_link":
            click.echo(said(DalejError(notice.template, **notice.data)), err=True)


def _number(value: int) -> str:
    return str(value) if value else ""


def _text(script: str) -> str:
    try:
        with Path(script).open("rb") as file:
            data = file.read(SCRIPT_MOST + 1)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=script, problem=cause(error)) from error
    if len(data) > SCRIPT_MOST:
        raise WrongInput(N_("{file} is larger than the {most} bytes of a written game"), file=script, most=SCRIPT_MOST)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise WrongInput(N_("{file}, line {line}: expected text in UTF-8"), file=script, line=line) from error


@contextmanager
def _ledger(event: str | None) -> Iterator[Ledger]:
    """The event file that was asked for, else one that is gone afterwards."""
    if event is not None:
        with Ledger.create(event) as ledger:
            yield ledger
        return
    with tempfile.TemporaryDirectory(prefix="dalej-") as folder, Ledger.create(Path(folder) / "play.dalej") as ledger:
        yield ledger
