"""Rows as CSV that spreadsheets open as they are."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from dalej.words import language

COMMA: Final = ","
_DELIMITERS: Final[Mapping[str, str]] = {"pl": ";", "it": ";"}  # where a comma stands in numbers
# Where a spreadsheet would begin to calculate, at whatever it cuts the line: the beginning of a cell, and a sign.
_FORMULA: Final = re.compile(r"""((?:\A|[,;|\t\r\n])"*)(?=[=+\-@\t\r])""")


def usual_delimiter() -> str:
    """What spreadsheets in the reader's language expect between cells."""
    return _DELIMITERS.get(language(), COMMA)


def csv_bytes(headings: Sequence[str], rows: Iterable[Sequence[object]], delimiter: str | None = None) -> bytes:
    """UTF-8 with the mark by which spreadsheets know it. Numbers stay numbers, texts are `tamed`.

    `delimiter` None: the usual one of the reader's language.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=usual_delimiter() if delimiter is None else delimiter)
    writer.writerow(headings)
    writer.writerows([tamed(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def tamed(cell: object) -> object:
    """A text that no spreadsheet calculates, whatever it cuts it at: an apostrophe stands before what it would."""
    return _FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell
