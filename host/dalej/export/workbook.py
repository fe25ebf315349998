"""Rows as an XLSX workbook that sorts: real numbers, one frozen heading, a filter on every column."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import xlsxwriter  # type: ignore[import-untyped]  # it comes without types

Cell = str | int | None

_NAME_MOST: Final = 31
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\]")
_WIDEST: Final = 60
_FILTER_BUTTON: Final = 3  # characters
_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)  # the same data give the same bytes


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet. Every row has as many cells as there are headings; None is an empty cell."""

    name: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def xlsx_bytes(title: str, sheets: Sequence[Sheet]) -> bytes:
    """The workbook; texts are texts, whatever they begin with."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"title": title, "created": _MADE})
        bold = book.add_format({"bold": True, "bottom": 1})
        taken: set[str] = set()
        for sheet in sheets:
            page = book.add_worksheet(_free_name(sheet.name, taken))
            for column, heading in enumerate(sheet.headings):
                page.write_string(0, column, heading, bold)
                page.set_column(column, column, _width(sheet, column))
            for number, row in enumerate(sheet.rows, start=1):
                for column, cell in enumerate(row):
                    if isinstance(cell, str):
                        page.write_string(number, column, cell)
                    elif cell is not None:
                        page.write_number(number, column, cell)
            page.freeze_panes(1, 0)
            page.autofilter(0, 0, len(sheet.rows), len(sheet.headings) - 1)
            page.set_paper(9)  # A4
            page.repeat_rows(0)
            page.fit_to_pages(1, 0)
    return file.getvalue()


def _width(sheet: Sheet, column: int) -> int:
    longest = max((len(str(row[column])) for row in sheet.rows if row[column] is not None), default=0)
    return min(max(longest, len(sheet.headings[column]) + _FILTER_BUTTON), _WIDEST) + 1


def _free_name(wanted: str, taken: set[str]) -> str:
    """A name that spreadsheets allow and no other sheet has, whatever the case."""
    plain = _FORBIDDEN.sub(" ", wanted).strip("' ")[:_NAME_MOST] or "1"
    name, number = plain, 1
    while name.casefold() in taken:
        number += 1
        ending = f" {number}"
        name = plain[: _NAME_MOST - len(ending)] + ending
    taken.add(name.casefold())
    return name
