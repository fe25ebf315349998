"""Lists to be filled in with a spreadsheet and read again: who signs up, and the results of a round."""

from __future__ import annotations

from dalej.domain.tournament.tournament import Round, Tournament
from dalej.office.paper.formats import Cell, Formats, Sheet, csv_bytes, xlsx_bytes
from dalej.office.paper.naming import SEATS
from dalej.office.resultcolumns import heading, sitting
from dalej.words import _


def players_list() -> Formats:
    """Nothing but the headings that `office.signups` reads."""
    return _formats(_("Players"), [_("First name and surname"), _("Class or club"), _("Parental consent")], [])


def results_list(state: Tournament, of: Round, *, by_seat: bool = False) -> Formats:
    """A row for each game of the round that is missing, with who sits there and a column a seat; `by_seat`: a row for
    each of its seats.
    """
    seated = {one.table: one.players for one in of.seating.tables} if of.seating is not None else {}
    sits = {
        table: {seat: state.players[player].name for seat, player in zip(SEATS, players, strict=True) if player}
        for table, players in seated.items()
    }
    missing = [(at.table, at.game, sits[at.table]) for at in of.missing()]
    columns = ["table", "game", "seat", "player", "points", "ended"]
    rows: list[list[Cell]] = [
        [table, game, seat, name, None, None] for table, game, names in missing for seat, name in names.items()
    ]
    if not by_seat:
        columns = ["table", "game", "players", *map(str.lower, SEATS), "ended"]
        rows = [[table, game, sitting(names), *[None] * len(SEATS), None] for table, game, names in missing]
    return _formats(_("Results"), [heading(column) for column in columns], rows)


def _formats(title: str, headings: list[str], rows: list[list[Cell]]) -> Formats:
    return {
        ".xlsx": lambda: xlsx_bytes(title, [Sheet(title, headings, rows)]),
        ".csv": lambda: csv_bytes(headings, [["" if cell is None else cell for cell in row] for row in rows]),
    }
