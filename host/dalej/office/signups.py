"""A sign-up list, as a form or a spreadsheet writes it: bytes -> players who want to play. Nothing is decided here.

The first row names the columns, in Polish, English or Italian. Read are the name, a group (class, school, club, town),
"qualified" and a parent's consent; every other column stays unread, so that no birth date or number gets into an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.format import PLAYERS_MOST
from dalej.errors import WrongInput
from dalej.office import headings
from dalej.office.cutting import DELIMITERS, cut
from dalej.office.encodings import decoded
from dalej.office.headings import CONSENT, FIRST, GROUP, NAME, QUALIFIED, SURNAME, Field
from dalej.office.players import folded, proper_group, proper_name
from dalej.words import N_

BYTES_MOST: Final = 4 * 1024 * 1024  # a form with 5 000 answers has some 2
_SHOWN: Final = 40


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
    (line, header), rows = cut(text, file, headings.score)
    for place, cells in rows:
        _expect_whole(cells, header, place, file)
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


def _expect_whole(cells: Sequence[str], header: Sequence[str], line: int, file: str) -> None:
    """A row that is shorter than the header, and that another delimiter would cut elsewhere, is cut wrong."""
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
