"""A sign-up list, as a form or a spreadsheet writes it: bytes -> players who want to play. Nothing is decided here.

The first row names the columns, in Polish, English or Italian. Read are the name, a group (class, school, club, town),
"qualified" and a parent's consent; every other column stays unread, so that no birth date or number gets into an event.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from dalej.domain.format import PLAYERS_MOST
from dalej.errors import WrongInput
from dalej.office import headings
from dalej.office.encodings import decoded
from dalej.office.headings import CONSENT, FIRST, GROUP, NAME, QUALIFIED, SURNAME, Field
from dalej.office.players import folded, proper_group, proper_name
from dalej.words import N_

BYTES_MOST: Final = 4 * 1024 * 1024  # a form with 5 000 answers has some 2
DELIMITERS: Final = ";,\t|"
_TOLD: Final = "sep="
_SHOWN: Final = 40

Row = tuple[int, list[str]]  # line from 1 where it begins, cells


@dataclass(frozen=True, slots=True)
class SignUp:
    """One player of the list. `line` from 1."""

    line: int
    name: str
    group: str = ""
    qualified: bool = False
    consent: bool | None = None


@dataclass(frozen=True, slots=True)
class SignUps:
    """The list in its order; `unread`: columns that were passed over; `encoding`: one of `encodings.KNOWN`."""

    players: tuple[SignUp, ...]
    unread: tuple[str, ...]
    encoding: str


def read(data: bytes, file: str, encoding: str | None = None) -> SignUps:
    """The list in those bytes; WrongInput with line and column if anything in it is not certain. `file` as messages
    name it.
    """
    if len(data) > BYTES_MOST:
        raise WrongInput(N_("{file} is larger than the {most} MB of a sign-up list"), file=file, most=BYTES_MOST >> 20)
    text, known = decoded(data, file, encoding)
    (line, header), rows = _table(text, file)
    columns = headings.columns(header, file, line)
    reader = _Reader(file, header, columns)
    players = tuple(reader.player(*row) for row in rows)
    if len(players) > PLAYERS_MOST:
        raise WrongInput(N_("{file} holds {count} players, expected no more than {most}"),
                         file=file, count=len(players), most=PLAYERS_MOST)  # fmt: skip
    _expect_no_namesakes(players, file)
    read_columns = {place for places in columns.values() for place in places}
    unread = tuple(name.strip() for place, name in enumerate(header) if place not in read_columns and name.strip())
    return SignUps(players, unread, known)


def _table(text: str, file: str) -> tuple[Row, list[Row]]:
    """Header and rows, cut by the one delimiter under which the header names most of what is read."""
    first, _, rest = text.partition("\n")
    told = _told_delimiter(first)
    cuts = [_Cut(f"\n{rest}", told)] if told else [_Cut(text, delimiter) for delimiter in DELIMITERS]
    cuts = [cut for cut in cuts if cut.rows]
    if not cuts:
        raise WrongInput(N_("{file} is empty or cannot be cut into columns, expected a sign-up list"), file=file)
    cuts.sort(key=lambda cut: (headings.score(cut.header), len(cut.header)), reverse=True)
    best = cuts[0]
    rivals = [cut for cut in cuts if headings.score(cut.header) == headings.score(best.header) > 0]
    if len(rivals) > 1:
        best = next((cut for cut in rivals if cut.plain), None) or _expect_same(rivals, file)
    if best.broken:
        raise WrongInput(
            N_("{file}, line {line}: a quotation mark inside a cell, expected them around the cell and nowhere else"),
            file=file, line=best.broken,
        )  # fmt: skip
    for line, cells in best.rows[1:]:
        _expect_whole(cells, best.header, line, file)
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


def _expect_whole(cells: Sequence[str], header: Sequence[str], line: int, file: str) -> None:
    """A row that is longer than the header, or shorter and not cut where others would cut it, is cut wrong."""
    if len(cells) > len(header):
        raise WrongInput(
            N_("{file}, line {line}: {count} columns, expected no more than {most}, as in the first line"),
            file=file, line=line, count=len(cells), most=len(header),
        )  # fmt: skip
    if len(cells) < len(header) and any(sign in cell for cell in cells for sign in DELIMITERS):
        raise WrongInput(
            N_("{file}, line {line}: {count} columns, expected {most} as in the first line, parted in the same way"),
            file=file, line=line, count=len(cells), most=len(header),
        )  # fmt: skip


class _Reader:
    """Rows -> players, by what the header says."""

    def __init__(self, file: str, header: Sequence[str], columns: Mapping[Field, Sequence[int]]) -> None:
        self.file = file
        self.header = header
        self.columns = columns

    def player(self, line: int, cells: Sequence[str]) -> SignUp:
        name = " ".join(part for field in (NAME, FIRST, SURNAME) for part in self.cells(field, cells))
        try:
            return SignUp(
                line, proper_name(name), proper_group(", ".join(self.cells(GROUP, cells))),
                self.answer(QUALIFIED, cells) or False, self.answer(CONSENT, cells),
            )  # fmt: skip
        except WrongInput as problem:
            raise WrongInput(N_("{file}, line {line}: {problem}"), file=self.file, line=line, problem=problem) from None

    def cells(self, field: Field, cells: Sequence[str]) -> list[str]:
        """What stands in the columns of that field, empty cells left out."""
        there = (cells[place].strip() for place in self.columns.get(field, ()) if place < len(cells))
        return [cell for cell in there if cell]

    def answer(self, field: Field, cells: Sequence[str]) -> bool | None:
        for cell in self.cells(field, cells):
            try:
                return headings.yes_or_no(cell)
            except ValueError:
                raise WrongInput(
                    N_("column {column}, “{heading}”, says “{cell}”, expected yes, no, tak, nie, sì or nothing"),
                    column=self.columns[field][0] + 1, heading=self.header[self.columns[field][0]].strip(),
                    cell=cell[:_SHOWN],
                ) from None  # fmt: skip
        return None


def _expect_no_namesakes(players: Sequence[SignUp], file: str) -> None:
    first: dict[str, int] = {}
    for player in players:
        line = first.setdefault(folded(player.name), player.line)
        if line != player.line:
            raise WrongInput(
                N_("{file}, lines {first} and {second}: “{name}” twice; put class or initial behind a namesake's name"),
                file=file, first=line, second=player.line, name=player.name,
            )  # fmt: skip
