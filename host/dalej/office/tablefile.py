"""Somebody's table as a spreadsheet writes it: bytes -> columns by name, and rows that know their line.

Columns may come in any order and in Polish, English or Italian; what nobody asked for is passed over. Encoding and
delimiter are read where they are certain, else refused.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.errors import WrongInput
from dalej.office.encodings import decoded
from dalej.office.players import folded
from dalej.words import N_

BYTES_MOST: Final = 4 * 1024 * 1024
DELIMITERS: Final = ";,\t|"
_UNDER: Final = "sep="  # a line before the header, by which spreadsheets tell each other the delimiter
_SHOWN: Final = 40
_NUMBER: Final = re.compile(r"[+-]?\d{1,9}", re.ASCII)

_YES: Final = ("1", "yes", "y", "true", "x", "tak", "t", "si", "s", "prawda", "vero")
_NO: Final = ("0", "no", "n", "false", "-", "nie", "falso", "falsz")

Columns = Mapping[str, Sequence[str]]  # name in the program -> how people head it, without case and accents


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `line` from 1 where it begins. Its cells by the program's names, "" where there is none."""

    file: str
    line: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        """What stands there, without spaces around it."""
        return self.cells.get(column, "").strip()

    def number(self, column: str, low: int, high: int) -> int | None:
        """A whole number, None where nothing stands; WrongInput with line and column if it is none."""
        found = self.text(column).replace("\N{MINUS SIGN}", "-").removesuffix(".0").removesuffix(",0")
        if not found:
            return None
        if _NUMBER.fullmatch(found) and low <= int(found) <= high:
            return int(found)
        raise self.wrong(
            column, N_("{at}: “{found}”, expected a whole number from {low} to {high}"), low=low, high=high
        )

    def needed(self, column: str, low: int, high: int) -> int:
        """The same where something must stand."""
        found = self.number(column, low, high)
        if found is None:
            raise self.wrong(
                column, N_("{at}: is empty, expected a whole number from {low} to {high}"), low=low, high=high
            )
        return found

    def flag(self, column: str, usual: bool) -> bool:
        """Yes or no; `usual` where nothing stands."""
        found = folded(self.text(column))
        if not found:
            return usual
        if found not in (*_YES, *_NO):
            raise self.wrong(column, N_("{at}: “{found}”, expected yes or no"))
        return found in _YES

    def wrong(self, column: str, template: str, **data: object) -> WrongInput:
        """The error of one cell; `{at}` in its template is where, `{found}` what stands there."""
        found = self.text(column)
        return WrongInput(template, at=self.at(column), found=found[:_SHOWN] + "…" * (len(found) > _SHOWN), **data)

    def at(self, column: str) -> WrongInput:
        """Where a cell is."""
        return WrongInput(N_("{file}, line {line}, column {column}"), file=self.file, line=self.line, column=column)


def rows(
    data: bytes, file: str, columns: Columns, needed: Sequence[str], encoding: str | None = None
) -> tuple[list[Row], tuple[str, ...]]:
    """The rows that hold something, and the columns that nobody asked for. WrongInput, with the line, if the bytes are
    no table with the `needed` columns.
    """
    if len(data) > BYTES_MOST:
        raise WrongInput(N_("{file} is larger than {most} MB"), file=file, most=BYTES_MOST >> 20)
    text, _ = decoded(data, file, encoding)
    first, _sign, rest = text.partition("\n")
    marked = first.strip().strip('"').lower()
    told = marked[len(_UNDER) :] if marked.startswith(_UNDER) else ""
    if told and told in DELIMITERS:
        found = {told: _cut("\n" + rest, told, file)}
    else:
        found = {delimiter: _cut(text, delimiter, file) for delimiter in DELIMITERS}
    found = {delimiter: lines for delimiter, lines in found.items() if lines}
    if not found:
        raise WrongInput(N_("{file} is empty, expected the columns {needed}"), file=file, needed=", ".join(needed))
    known = {heading: name for name, headings in columns.items() for heading in (name, *headings)}
    best = max(found.values(), key=lambda lines: sum(folded(cell) in known for cell in lines[0][1]))
    (line, header), *body = best
    names = _names(header, known, needed, file, line)
    unread = tuple(cell.strip() for cell, name in zip(header, names, strict=True) if name is None and cell.strip())
    return [_row(file, line, names, cells) for line, cells in body], unread


def _names(
    header: Sequence[str], known: Mapping[str, str], needed: Sequence[str], file: str, line: int
) -> list[str | None]:
    names = [known.get(folded(cell)) for cell in header]
    for wanted in needed:
        if wanted not in names:
            raise WrongInput(
                N_("{file}, line {line}: no column {column}, found {found}"),
                file=file, line=line, column=wanted, found=", ".join(cell.strip()[:_SHOWN] for cell in header),
            )  # fmt: skip
    for place, name in enumerate(names):
        if name is not None and name in names[:place]:
            raise WrongInput(
                N_("{file}, line {line}, column {column}: there twice, expected once"),
                file=file, line=line, column=header[place].strip(),
            )  # fmt: skip
    return names


def _row(file: str, line: int, names: Sequence[str | None], cells: Sequence[str]) -> Row:
    if len(cells) > len(names):
        raise WrongInput(
            N_("{file}, line {line}, column {column}: more cells than columns; a cell that holds the delimiter needs "
               "quotation marks"),
            file=file, line=line, column=len(names) + 1,
        )  # fmt: skip
    told = {name: cell for name, cell in zip(names, cells, strict=False) if name is not None}
    return Row(file, line, told)


def _cut(text: str, delimiter: str, file: str) -> list[tuple[int, list[str]]]:
    """Rows that hold something, without the empty cells at their ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    found: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in reader:
            while cells and not cells[-1].strip():
                del cells[-1]
            if cells:
                found.append((line, cells))
            line = reader.line_num + 1
    except csv.Error:
        if not found:  # cut like this it is no table
            return []
        raise WrongInput(N_("{file}, line {line}: quotation marks that do not match"), file=file, line=line) from None
    return found
