"""`dalej log`: the turn log of an event, shown, verified, exported."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TextIO

import click

from dalej.cli import terminal
from dalej.cli.decision import event_argument
from dalej.cli.terminal import Group, example
from dalej.domain.game.sentences import seconds, word
from dalej.domain.game.verify import Problem
from dalej.errors import DalejError, Damaged, WrongInput
from dalej.event import eventlog
from dalej.event.boxplaces import BoxTables
from dalej.event.eventlog import TableTurn
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.event.tables import Tables
from dalej.office.history import Intervention, MoveKey, amount_words, by_move, interventions
from dalej.office.paper.formats import tamed
from dalej.office.reasons import reason
from dalej.words import N_, _, ngettext, readable, said

COLUMNS = (
    "table", "game", "move", "player", "seat", "elapsed_ms", "how", "tiles", "ruling", "stopped_ms", "overrun_ms",
    "flags", "void", "partial", "bank", "bank_on_box", "box", "seq",
)  # fmt: skip

_FLAGS: Final = {"set_remaining": "corrected", "give_time": "extra_time", "restart_move": "restarted"}


def command() -> click.Group:
    """`dalej log show|verify|export`."""
    group = Group("log", help=_("The turn log of an event."), epilog=example("dalej log show league.dalej"))
    event = event_argument()
    as_json = click.Option(["--json", "as_json"], is_flag=True, help=_("One JSON object a line."))
    only = click.Option(["--table"], type=click.IntRange(1), help=_("Only this table."))
    group.add_command(
        click.Command(
            "show", callback=show, params=[event, only, as_json],
            help=_("Every turn: table, game, move, player, seconds, how it ended, tiles, flags."),
            epilog=example("dalej log show league.dalej", "dalej log show league.dalej --table 3"),
        )
    )  # fmt: skip
    group.add_command(
        click.Command(
            "verify", callback=verify, params=[event, as_json],
            help=_("Check per box that nothing is missing or contradictory, and name what is."),
            epilog=example("dalej log verify league.dalej"),
        )
    )  # fmt: skip
    group.add_command(
        click.Command(
            "export", callback=export,
            params=[
                event,
                click.Option(["--format", "form"], type=click.Choice(["csv", "jsonl"]), default="csv",
                             show_default=True, help=_("CSV, or JSON lines.")),
                click.Option(["--output", "-o", "target"], metavar=_("FILE"), help=_("A new file (default: print).")),
            ],
            help=_("All turns as CSV or JSON lines."),
            epilog=example("dalej log export league.dalej -o turns.csv",
                           "dalej log export league.dalej --format jsonl"),
        )
    )  # fmt: skip
    return group


def show(event: str, table: int | None, as_json: bool) -> None:
    """Print the turns."""
    with Ledger.open(event) as ledger:
        reading = read(ledger)
        turns = [seen for seen in eventlog.turns(reading) if table is None or seen.table == table]
        corrections = {} if as_json else by_move(interventions(reading))
    if as_json:
        for seen in turns:
            terminal.json_line(fields(seen))
        return
    terminal.table(headings(), (row(seen, corrections) for seen in turns), numbers=(0, 1, 2, 4, 6, 7))


def verify(event: str, as_json: bool) -> int:
    """Print every problem; exit code 1 if there is one. A file that was tampered with is also said to be damaged."""
    with Ledger.open(event) as ledger:
        reading = read(ledger)
        problems = list(eventlog.problems(reading))
        boxes = reading.fold(Tables).boxes
        damage = _damage(ledger)
    if as_json:
        for table, problem in problems:
            terminal.json_line({
                "table": table, "box": problem.box, "epoch": problem.epoch, "seqs": list(problem.seqs),
                "problem": problem.code, "sentence": problem.sentence,
            })  # fmt: skip
    elif problems or damage is None:
        say_verdict(problems, boxes)
    if damage is not None:
        click.echo(said(damage), err=True)
    return 1 if problems or damage is not None else 0


def _damage(ledger: Ledger) -> Damaged | None:
    try:
        ledger.expect_whole()
    except Damaged as error:
        return error
    return None


def say_verdict(problems: list[tuple[int, Problem]], boxes: BoxTables) -> int:
    """Clean, or each problem in a sentence, boxes called by what is written on them; the exit code."""
    if not problems:
        click.echo(_("verify: clean; nothing is missing, nothing is contradictory"))
        return 0
    for table, problem in problems:
        sentence = said(DalejError(problem.template, **problem.data))
        box = readable(boxes.called(problem.box) or problem.box)
        click.echo(_("table {table}, box {box}: {sentence}").format(table=table, box=box, sentence=sentence))
    count = len(problems)
    click.echo(ngettext("verify: {count} problem", "verify: {count} problems", count).format(count=count), err=True)
    return 1


def export(event: str, form: str, target: str | None) -> None:
    """Write all turns."""
    with Ledger.open(event) as ledger:
        turns = eventlog.turns(read(ledger))
    write = _write_csv if form == "csv" else _write_json
    if target is None:
        write(sys.stdout, turns)
        return
    try:
        with Path(target).open("x", encoding="utf-8-sig" if form == "csv" else "utf-8", newline="") as file:
            write(file, turns)
    except FileExistsError as error:
        raise WrongInput(N_("{file} is there already, expected a new file"), file=target) from error
    except OSError as error:
        raise WrongInput(N_("{file} cannot be written: {problem}"), file=target, problem=error.strerror) from error


def fields(seen: TableTurn) -> dict[str, object]:
    """A turn under its JSON names; they never translate."""
    said = {
        "table": seen.table, "player": seen.player, "bank": seen.bank.corrected, "bank_on_box": seen.bank.counted,
        **seen.turn.fields(),
    }  # fmt: skip
    return {name: said[name] for name in COLUMNS}


def headings() -> tuple[str, ...]:
    """What stands over the cells of a `row`."""
    return (
        _("table"), _("game"), _("move"), _("player"), _("seconds"), _("how it ended"), _("tiles"), _("bank"),
        _("flags"),
    )  # fmt: skip


def row(seen: TableTurn, corrections: Mapping[MoveKey, Sequence[Intervention]] | None = None) -> tuple[str, ...]:
    """A turn in the reader's words. `corrections`: of its clock, told with who, how much and why; one of which nobody
    knows who asked for it is only named.
    """
    turn, bank = seen.turn, seen.bank
    unended = "unended" in turn.flags
    how = word(turn.how) if turn.how is not None else word("unended") if unended else _("under way")
    if turn.ruling is not None:
        how = f"{how}: {word(turn.ruling)}"
    told = (corrections or {}).get((turn.box, turn.epoch, turn.game, turn.move), ())
    known = {_FLAGS[one.request.command] for one in told if one.request.command in _FLAGS}
    flags = [word(flag) for flag in turn.flags if flag not in (*known, "unended")]
    flags += [_corrected(one) for one in told]
    if turn.void:
        flags.append(_("void"))
    if turn.partial:
        flags.append(_("beginning not known"))
    if bank.counted != bank.corrected:
        flags.append(_("the box counts {bank} in the bank").format(bank=bank.counted))
    return (
        str(seen.table), str(turn.game), str(turn.move), seen.player,
        "" if turn.elapsed_ms is None else seconds(turn.elapsed_ms), how,
        "?" if turn.tiles is None else str(turn.tiles), "" if bank.corrected is None else str(bank.corrected),
        ", ".join(flags),
    )  # fmt: skip


def _corrected(one: Intervention) -> str:
    what, who, why = amount_words(one), readable(one.request.who), readable(reason(one.request.why))
    if not why:
        return _("{what} by {who}").format(what=what, who=who)
    return _("{what} by {who}: {why}").format(what=what, who=who, why=why)


def _write_csv(file: TextIO, turns: Iterable[TableTurn]) -> None:
    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    for row in _plain(turns):
        writer.writerow({name: tamed(cell) for name, cell in row.items()})


def _write_json(file: TextIO, turns: Iterable[TableTurn]) -> None:
    file.writelines(terminal.json_text(fields(seen), file.encoding) + "\n" for seen in turns)


def _plain(turns: Iterable[TableTurn]) -> Iterator[dict[str, object]]:
    for seen in turns:
        row = fields(seen)
        row["flags"] = " ".join(seen.turn.flags)
        row["void"], row["partial"] = int(seen.turn.void), int(seen.turn.partial)
        yield row
