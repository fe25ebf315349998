"""Somebody's table as a spreadsheet writes it: bytes -> columns by name, and rows that know their line.

Columns may come in any order and in Polish, English or Italian; what nobody asked for is passed over. Encoding and
delimiter are read where they are certain, else refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.errors import WrongInput
from dalej.office.cutting import cut
from dalej.office.encodings import decoded
from dalej.office.players import folded
from dalej.words import N_

BYTES_MOST: Final = 4 * 1024 * 1024
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
    data: bytes, file: str, columns: Columns, needed: Sequence[str], encoding: str | None = None,
    with_one_of: Columns | None = None,
) -> tuple[list[Row], tuple[str, ...]]:  # fmt: skip
    """The rows that hold something, and the columns that nobody asked for. WrongInput, with the line, if the bytes are
    no table with the `needed` columns, or one that is there lacks every column that should go with it (`with_one_of`).
    """
    if len(data) > BYTES_MOST:
        raise WrongInput(N_("{file} is larger than {most} MB"), file=file, most=BYTES_MOST >> 20)
    text, _ = decoded(data, file, encoding)
    known = {heading: name for name, headings in columns.items() for heading in (name, *headings)}
    (line, header), body = cut(text, file, lambda header: sum(folded(cell) in known for cell in header))
    names = _names(header, known, needed, file, line)
    for name, others in (with_one_of or {}).items():
        if name in names and not set(others) & set(names):
            raise WrongInput(
                N_("{file}, line {line}: no column {column}, found {found}"),
                file=file, line=line, column="/".join(others), found=_headed(header),
            )  # fmt: skip
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
                file=file, line=line, column=wanted, found=_headed(header),
            )  # fmt: skip
    for place, name in enumerate(names):
        if name is not None and name in names[:place]:
            raise WrongInput(
                N_("{file}, line {line}, column {column}: there twice, expected once"),
                file=file, line=line, column=header[place].strip(),
            )  # fmt: skip
    return names


def _headed(header: Sequence[str]) -> str:
    return ", ".join(cell.strip()[:_SHOWN] for cell in header)


def _row(file: str, line: int, names: Sequence[str | None], cells: Sequence[str]) -> Row:
    told = {name: cell for name, cell in zip(names, cells, strict=False) if name is not None}
    return Row(file, line, told)
