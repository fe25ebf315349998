"""The turn log on paper and as files. It gets plain rows: whoever calls reads them from the event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dalej.domain.tournament.tournament import Tournament
from dalej.office.paper.formats import Cell, Sheet, csv_bytes, pdf, xlsx_bytes
from dalej.office.paper.naming import heading
from dalej.words import _, readable

Row = Mapping[str, object]  # a turn under its JSON names, all rows with the same ones in the same order


def turns_csv(names: Sequence[str], rows: Sequence[Row], delimiter: str | None = None) -> bytes:
    """Under the names that programs use, as `dalej log export` writes them."""
    return csv_bytes(names, [[_cell(row[name]) for name in names] for row in rows], delimiter)


def turns_xlsx(state: Tournament, names: Sequence[str], rows: Sequence[Row]) -> bytes:
    """One sheet; durations in milliseconds."""
    return xlsx_bytes(
        state.name, [Sheet(_("Turns"), list(names), [[_cell(row[name]) for name in names] for row in rows])]
    )


def turns_pdf(state: Tournament, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """The log as `dalej log show` prints it: headings and cells come in the reader's language."""
    return pdf(
        "turns",
        _("Turns"),
        {**heading(state), "headings": list(headings), "rows": [[readable(cell) for cell in row] for row in rows]},
    )


def _cell(value: object) -> Cell:
    """Lists as words with blanks between, yes and no as 1 and 0."""
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return None if value is None else str(value)
