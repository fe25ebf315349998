"""`dalej log`: the turn log of an event, shown, verified, exported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from dalej.cli import centre, terminal
from dalej.cli.eventfile import EventCommand
from dalej.cli.listfile import cut, delimiter_option
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
from dalej.office.reasons import reason
from dalej.words import N_, _, cause, ngettext, readable, said, who_said

COLUMNS = (
    "table", "game", "move", "player", "seat", "elapsed_ms", "how", "tiles", "ruling", "stopped_ms", "overrun_ms",
    "flags", "void", "partial", "bank", "bank_on_box", "box", "seq",
)  # fmt: skip

_FLAGS: Final = {"set_remaining": "corrected", "give_time": "extra_time", "restart_move": "restarted"}


def command() -> click.Group:
    """`dalej log show|verify|export`."""
    group = Group("log", help=_("The turn log of an event."), epilog=example("dalej log show league.dalej"))
    as_json = click.Option(["--json", "as_json"], is_flag=True, help=_("One JSON object a line."))
    hall = click.Option(["--centre", "hall_file"], type=click.Path(path_type=Path), metavar=_("FILE"),
                        help=_("Compare it with what its centre has, too; the file is that of the hall."))  # fmt: skip
    only = click.Option(["--table"], type=click.IntRange(1), help=_("Only this table."))
    group.add_command(
        EventCommand(
            "show", callback=show, params=[only, as_json],
            help=_("Every turn: table, game, move, player, seconds, how it ended, tiles, flags."),
            epilog=example("dalej log show league.dalej", "dalej log show league.dalej --table 3"),
        )
    )  # fmt: skip
    group.add_command(
        EventCommand(
            "verify", callback=verify, params=[as_json, hall],
            help=_("Check per box that nothing is missing or contradictory, and name what is."),
            epilog=example("dalej log verify league.dalej", "dalej log verify north.dalej --centre North.centre"),
        )
    )  # fmt: skip
    group.add_command(
        EventCommand(
            "export", callback=export,
            params=[
                click.Option(["--format", "form"], type=click.Choice(["csv", "jsonl"]), default="csv",
                             show_default=True, help=_("CSV, or JSON lines.")),
                delimiter_option(),
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


def verify(event: str, as_json: bool, hall_file: Path | None) -> int:
    """Print every problem; exit code 1 if there is one. A file that was tampered with is also said to be damaged, and
    one that is another than its centre has.
    """
    with Ledger.open(event) as ledger:
        reading = read(ledger)
        problems = list(eventlog.problems(reading))
        boxes = reading.fold(Tables).boxes
        damage = _damage(ledger)
        head, at_centre = ledger.head(), None if hall_file is None else centre.same_entries(ledger, hall_file)
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
    other = at_centre is not None and _is_other(at_centre, head, as_json=as_json)
    return 1 if problems or damage is not None or other else 0


def _is_other(at_centre: tuple[bool, int], head: int, *, as_json: bool) -> bool:
    same, through = at_centre
    if as_json:
        terminal.json_line({"centre": {"same": same, "through": through, "head": head}})
    elif same:
        click.echo(_("the centre has the same entries, up to #{through} of {head}").format(through=through, head=head))
    else:
        told = _("the centre has other entries than this file: it knows {through}, the file holds {head}")
        click.echo(told.format(through=through, head=head), err=True)
    return not same


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


def export(event: str, form: str, delimiter: str | None, target: str | None) -> None:
    """Write all turns."""
    from dalej.office.paper.turnlog import turns_csv  # noqa: PLC0415 -- what draws PDF is slow to load

    with Ledger.open(event) as ledger:
        rows = [fields(seen) for seen in eventlog.turns(read(ledger))]
    if target is None and form == "csv":
        click.echo(turns_csv(COLUMNS, rows, cut(delimiter)).decode("utf-8-sig"), nl=False)
        return
    if target is None:
        for row in rows:
            terminal.json_line(row)
        return
    made = turns_csv(COLUMNS, rows, cut(delimiter)) if form == "csv" else _json_lines(rows)
    try:
        with Path(target).open("xb") as file:
            file.write(made)
    except FileExistsError as error:
        raise WrongInput(N_("{file} is there already, expected a new file"), file=target) from error
    except OSError as error:
        raise WrongInput(N_("{file} cannot be written: {problem}"), file=target, problem=cause(error)) from error


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
    what, who, why = amount_words(one), who_said(one.request.who), readable(reason(one.request.why))
    if not why:
        return _("{what} by {who}").format(what=what, who=who)
    return _("{what} by {who}: {why}").format(what=what, who=who, why=why)


def _json_lines(rows: Iterable[Mapping[str, object]]) -> bytes:
    return "".join(terminal.json_text(row, "utf-8") + "\n" for row in rows).encode()
