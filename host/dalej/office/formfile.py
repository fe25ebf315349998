"""The list of finalists that somebody fills in with a spreadsheet, and what it says then. Values are never quoted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, WrongInput
from dalej.event.ledger import PERSONAL_FIELDS
from dalej.office import formdata
from dalej.office.finalists import filled
from dalej.office.formdata import ALSO, FIELDS, PHONE, Answers
from dalej.office.paper.formats import Cell, Formats, Sheet, csv_bytes, xlsx_bytes
from dalej.office.players import find, folded
from dalej.office.spreadsheets import Row, rows
from dalej.words import N_, _, capital

PLAYER: Final = "player"
_PLAYERS: Final = ("gracz", "zawodnik", "finalista", "giocatore", "finalist")
_WINNER: Final = 1


@dataclass(frozen=True, slots=True)
class FormLine:
    """What one row says of a player."""

    player: int
    answers: Answers
    row: Row

    def wrong(self, column: str, problem: DalejError) -> WrongInput:
        """The problem with where it stands."""
        return _at(self.row, column, problem)


def blank(
    state: Tournament, people: Sequence[tuple[int, int | None]], kept: Mapping[int, Mapping[str, str]]
) -> Formats:
    """A row for each finalist and place, with what is known; `read` knows its headings."""
    headings = [_("Player"), *(_heading(field) for field in FIELDS)]
    lines: list[list[Cell]] = []
    for number, place in people:
        player = state.players[number]
        known = filled(state, kept, number)
        consent = _("yes") if player.consent else ""  # a list that lay about takes back no consent that came meanwhile
        phone = known.get(PHONE, "") if place == _WINNER else "–"
        values = [
            phone if field == PHONE else formdata.as_typed(field, known.get(field, "")) for field in PERSONAL_FIELDS
        ]
        lines.append([player.name, *values, consent])
    name = _("Final form")
    return {
        ".xlsx": lambda: xlsx_bytes(name, [Sheet(name, headings, lines)]),
        ".csv": lambda: csv_bytes(headings, [["" if cell is None else cell for cell in line] for line in lines]),
    }


def _heading(field: str) -> str:
    return capital(formdata.title(field))


def read(
    data: bytes, file: str, state: Tournament, today: date, encoding: str | None = None, sheet: str | None = None
) -> tuple[list[FormLine], list[DalejError]]:  # fmt: skip
    """What the rows say, an empty cell nothing; and the rows that are about nobody here. WrongInput if it is no such
    list.
    """
    columns = {PLAYER: (folded(_("Player")), *_PLAYERS)} | {
        field: (folded(formdata.title(field)), *ALSO[field], "e-mail" if field == "email" else field.replace("_", " "))
        for field in FIELDS
    }  # fmt: skip
    found: list[FormLine] = []
    wrong: list[DalejError] = []
    for row in rows(data, file, columns, [PLAYER], encoding, sheet=sheet).rows:
        try:
            player = find(state, row.text(PLAYER))
        except WrongInput as problem:
            wrong.append(_at(row, PLAYER, problem))
            continue
        given = [(field, row.text(field)) for field in FIELDS if row.text(field).strip("–-")]
        found.append(FormLine(player.number, formdata.read(given, today), row))
    return found, wrong


def _at(row: Row, column: str, problem: DalejError) -> WrongInput:
    return WrongInput(N_("{at}: {problem}"), at=row.at(column), problem=problem)
