"""Rows as CSV that spreadsheets open as they are."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # how a text begins that a spreadsheet would calculate


def csv_bytes(headings: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str = ",") -> bytes:
    """UTF-8 with the mark by which spreadsheets know it. Numbers stay numbers; a text that would be calculated gets an
    apostrophe in front.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(headings)
    writer.writerows([_tame(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _tame(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
