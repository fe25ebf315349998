"""A spreadsheet's text -> rows that know their line, cut by the one delimiter that is certain, else refused."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final

from dalej.errors import WrongInput
from dalej.words import N_

DELIMITERS: Final = ";,\t|"
_TOLD: Final = "sep="

Row = tuple[int, list[str]]  # line from 1 where it begins, cells


def cut(text: str, file: str, score: Callable[[Sequence[str]], int]) -> tuple[Row, list[Row]]:
    """Header and rows that hold something, without the empty cells at their ends. Of the delimiters that one counts
    under which the header names most of what is read: `score` says how much. WrongInput, with the line, if that is not
    certain, or a row has more cells than the header.
    """
    first, _, rest = text.partition("\n")
    told = _told_delimiter(first)
    cuts = [_Cut(f"\n{rest}", told)] if told else [_Cut(text, delimiter) for delimiter in DELIMITERS]
    cuts = [cut for cut in cuts if cut.rows]
    if not cuts:
        raise WrongInput(
            N_("{file} is empty or cannot be cut into columns, expected a table whose first row names them"), file=file
        )
    cuts.sort(key=lambda cut: (score(cut.header), len(cut.header)), reverse=True)
    best = cuts[0]
    rivals = [cut for cut in cuts if score(cut.header) == score(best.header) > 0]
    if len(rivals) > 1:
        best = next((cut for cut in rivals if cut.plain), None) or _expect_same(rivals, file)
    if best.broken:
        raise WrongInput(
            N_("{file}, line {line}: a quotation mark inside a cell, expected them around the cell and nowhere else"),
            file=file, line=best.broken,
        )  # fmt: skip
    for line, cells in best.rows[1:]:
        if len(cells) > len(best.header):
            raise WrongInput(
                N_("{file}, line {line}: {count} columns, expected no more than {most}, as in the first line; a cell "
                   "that holds the delimiter needs quotation marks"),
                file=file, line=line, count=len(cells), most=len(best.header),
            )  # fmt: skip
    return best.rows[0], best.rows[1:]


def _told_delimiter(line: str) -> str:
    """Spreadsheets tell each other the delimiter in a line before the header, "sep=;"; "" if this is none."""
    told = line.strip('\r "')
    delimiter = told[len(_TOLD) :]
    return delimiter if told.lower().startswith(_TOLD) and delimiter and delimiter in DELIMITERS else ""


class _Cut:
    """The text cut by one delimiter, empty rows and empty cells at the ends of rows left out.

    `broken`: the line from which on it cannot be cut so, 0: all of it can.
    """

    def __init__(self, text: str, delimiter: str) -> None:
        self.delimiter = delimiter
        self.rows: list[Row] = []
        self.broken = 0
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        line = 1
        try:
            for cells in reader:
                while cells and not cells[-1].strip():
                    del cells[-1]
                if cells:
                    self.rows.append((line, cells))
                line = reader.line_num + 1
        except csv.Error:
            self.broken = line

    @property
    def plain(self) -> bool:
        """Whether it has one column, and in it nothing that another delimiter would cut."""
        cells = [cell for _, cells in self.rows for cell in cells]
        return len(cells) == len(self.rows) and not any(sign in cell for cell in cells for sign in DELIMITERS)

    @property
    def header(self) -> list[str]:
        return self.rows[0][1]


def _expect_same(rivals: Sequence[_Cut], file: str) -> _Cut:
    """Several delimiters will do only if there is nothing to cut: one column, the same whatever cuts it."""
    first = rivals[0]
    for rival in rivals[1:]:
        for one, other in zip_longest(first.rows, rival.rows):
            if one != other:
                line = (one or other or (0,))[0]
                raise WrongInput(
                    N_("{file}, line {line}: it is not certain what parts the columns, expected ; everywhere"),
                    file=file, line=line,
                )  # fmt: skip
    return first
