"""Lists to be filled in with a spreadsheet and read again: who signs up, and the results of a round."""

from __future__ import annotations

from dalej.domain.tournament.tournament import Round, Seating, Tournament
from dalej.office.paper.formats import Cell, Formats, Sheet, csv_bytes, xlsx_bytes
from dalej.office.paper.naming import SEATS
from dalej.words import _


def players_list() -> Formats:
    """Nothing but the headings that `office.signups` reads."""
    return _formats(_("Players"), [_("First name and surname"), _("Class or club"), _("Parental consent")], [])


def results_list(state: Tournament, of: Round, seated: Seating, *, by_seat: bool = False) -> Formats:
    """A row for each game of the round, with a column a seat; `by_seat`: for each seat, with who sits there."""
    games = range(1, of.stage.games + 1)
    if not by_seat:
        rows: list[list[Cell]] = [
            [one.table, game, *[None] * len(SEATS), None] for one in seated.tables for game in games
        ]
        return _formats(_("Results"), [_("Table"), _("Game"), *SEATS, _("Ended")], rows)
    rows = [
        [one.table, game, seat, state.players[player].name, None, None]
        for one in seated.tables for game in games for seat, player in zip(SEATS, one.players, strict=True) if player
    ]  # fmt: skip
    return _formats(_("Results"), [_("Table"), _("Game"), _("Seat"), _("Player"), _("Rack points"), _("Ended")], rows)


def _formats(title: str, headings: list[str], rows: list[list[Cell]]) -> Formats:
    return {
        ".xlsx": lambda: xlsx_bytes(title, [Sheet(title, headings, rows)]),
        ".csv": lambda: csv_bytes(headings, [["" if cell is None else cell for cell in row] for row in rows]),
    }
