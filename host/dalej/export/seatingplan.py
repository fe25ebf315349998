"""Who sits where: in large type for a wall, by table and by name, and as CSV."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from dalej.domain.tournament import Round, Seating, Tournament
from dalej.export.csvtext import csv_bytes
from dalej.export.naming import SEATS, heading, round_name
from dalej.export.typeset import pdf
from dalej.words import _, readable

_Place = tuple[int, str, int]  # table, seat, player


def seating_pdf(state: Tournament, of: Round, seating: Seating) -> bytes:
    """First the tables, then everybody in alphabetical order."""
    places = list(_places(seating))
    named = [(readable(state.players[player].name), table, seat) for table, seat, player in places]
    return pdf(
        "seating",
        _("Seating"),
        {
            **heading(state), "seating": _("Seating"), "by_name": _("By name"), "round": round_name(state, of.key),
            "table": _("Table"), "seat": _("Seat"), "player": _("Player"),
            "tables": [
                {
                    "title": _("Table {table}").format(table=table.table),
                    "seats": [{"seat": seat, "name": name} for name, at, seat in named if at == table.table],
                }
                for table in seating.tables
            ],
            "names": [
                {"name": name, "place": f"{table}{seat}"}
                for name, table, seat in sorted(named, key=lambda row: (alphabetical(row[0]), row))
            ],
        },
    )  # fmt: skip


def seating_csv(state: Tournament, of: Round, seating: Seating, delimiter: str = ",") -> bytes:
    """A row for each seat that is taken, by table."""
    rows = [
        (round_name(state, of.key), table, seat, player, state.players[player].name, state.players[player].group)
        for table, seat, player in _places(seating)
    ]
    headings = (_("Round"), _("Table"), _("Seat"), _("Number"), _("Player"), _("Group"))
    return csv_bytes(headings, rows, delimiter)


def alphabetical(name: str) -> tuple[tuple[str, str], ...]:
    """Sorts names as Polish does, where ą follows a and ł follows l; accents of other languages likewise."""
    letters = (unicodedata.normalize("NFD", letter) for letter in name.casefold())
    return tuple(("l", "\u0337") if letter == "ł" else (letter[0], letter[1:]) for letter in letters)


def _places(seating: Seating) -> Iterator[_Place]:
    for table in seating.tables:
        for letter, player in zip(SEATS, table.players, strict=True):
            if player:
                yield table.table, letter, player
