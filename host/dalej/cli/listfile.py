"""What commands on lists share: which sheet of a workbook is meant, what is said of where the list stood, how a CSV is
cut.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from dalej.office.spreadsheets import Table
from dalej.words import _, readable

if TYPE_CHECKING:
    from dalej.office.paper.formats import Formats


def sheet_option() -> click.Option:
    """`--sheet`."""
    return click.Option(
        ["--sheet"], metavar=_("NAME"), help=_("Which sheet of a workbook; else the first that has known headings.")
    )


def say_table(found: Table, *, err: bool = False) -> None:
    """Which of several sheets was read and which might have been, and what stands above the headings."""
    if found.sheet and f"[{found.sheet}]" in found.file:
        click.echo(_("read: the sheet “{sheet}”").format(sheet=readable(found.sheet)), err=err)
    if found.others:
        others = ", ".join(readable(name) for name in found.others)
        click.echo(_("sheets with such headings that were not read (--sheet reads one): {sheets}").format(
            sheets=others), err=err)  # fmt: skip
    if found.above:
        above = " / ".join(readable(row) for row in found.above)
        click.echo(
            _("headings: line {line}; above them, and not read: {above}").format(line=found.line, above=above), err=err
        )
    if found.sums:
        lines = ", ".join(map(str, found.sums))
        click.echo(_("sums at the end, and not read: line {lines}").format(lines=lines), err=err)


_DELIMITERS: Final = {",": ",", ";": ";", "tab": "\t"}


def delimiter_option() -> click.Option:
    """`--delimiter`; `cut` says what is meant by it."""
    return click.Option(
        ["--delimiter"], type=click.Choice(list(_DELIMITERS)),
        help=_("What stands between the cells of a CSV (default: what spreadsheets in this language expect)."),
    )  # fmt: skip


def cut(delimiter: str | None) -> str | None:
    """What stands between cells; None: the usual one of the reader's language."""
    return None if delimiter is None else _DELIMITERS[delimiter]


def blank_file() -> list[click.Parameter]:
    """Where a list to be filled in goes."""
    return [
        click.Argument(["file"], metavar=_("FILE")),
        click.Option(["--overwrite"], is_flag=True, help=_("Write over a file that is there.")),
    ]


def save_blank(file: str, formats: Formats, *, overwrite: bool) -> None:
    """Writes it, as XLSX or CSV by the file's suffix, and says where it is."""
    from dalej.office.paper.formats import save  # noqa: PLC0415 -- what draws PDF is slow to load

    save(Path(file), formats, overwrite=overwrite)
    click.echo(_("{file} is written").format(file=file))
