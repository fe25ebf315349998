"""How commands print: JSON lines for programs, aligned columns for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import click

from dalej.errors import DalejError
from dalej.notices import Notice
from dalej.words import _, said


def json_line(data: Mapping[str, object]) -> None:
    """One object, one line; keys and values never translate."""
    click.echo(json.dumps(data, ensure_ascii=False, separators=(", ", ": ")))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> None:
    """Columns as wide as they need to be; `numbers`: those aligned to the right."""
    lines = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    for line in lines:
        cells = [
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())


def clock_time(ms: int) -> str:
    """Hours, minutes, seconds and milliseconds since the start."""
    hours, rest = divmod(ms, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    start = f"{hours}:{minutes:02d}" if hours else f"{minutes}"
    return f"{start}:{rest // 1000:02d}.{rest % 1000:03d}"


def notice(notice: Notice) -> None:
    """What a person should know, on stderr, so that it never mixes with data."""
    click.echo(said(DalejError(notice.template, **notice.data)), err=True)


def example(*lines: str) -> str:
    """The end of a help text: how the command is used."""
    return "\b\n{label}\n  {lines}".format(label=_("Example:"), lines="\n  ".join(lines))
