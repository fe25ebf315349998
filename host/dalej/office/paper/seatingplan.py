"""Who sits where: by table and by name, in larger letters for a wall, and as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from dalej.domain.tournament.tournament import Round, Seating, Tournament
from dalej.office.paper.formats import csv_bytes, pdf
from dalej.office.paper.namelists import in_order, order_said
from dalej.office.paper.naming import SEATS, round_heading, round_name
from dalej.words import _, readable

_Place = tuple[int, str, int]  # table, seat, player


def seating_pdf(state: Tournament, of: Round, seating: Seating) -> bytes:
    """First the tables, then everybody by surname, as far as those are known."""
    named = [(readable(state.players[player].name), table, seat) for table, seat, player in _places(seating)]
    return pdf(
        "seating",
        _("Seating"),
        {
            **round_heading(state, of.key), "round": round_name(state, of.key),
            "seating": _("Seating"), "by_name": order_said(state, _players(seating)),
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
                for name, table, seat in _by_name(state, seating)
            ],
        },
    )  # fmt: skip


def wall_pdf(state: Tournament, of: Round, seating: Seating) -> bytes:
    """Everybody by surname, as far as those are known, in letters that are read from two metres; as many pages as that
    takes, all equally full.
    """
    return pdf(
        "wall",
        _("Seating"),
        {
            **round_heading(state, of.key), "round": round_name(state, of.key),
            "by_name": order_said(state, _players(seating)),
            "table": _("Table"), "seat": _("Seat"), "player": _("Player"),
            "names": [{"name": name, "table": table, "seat": seat} for name, table, seat in _by_name(state, seating)],
        },
    )  # fmt: skip


def seating_csv(state: Tournament, of: Round, seating: Seating, delimiter: str | None = None) -> bytes:
    """A row for each seat that is taken, by table."""
    rows = [
        (round_name(state, of.key), table, seat, player, state.players[player].name, state.players[player].group)
        for table, seat, player in _places(seating)
    ]
    headings = (_("Round"), _("Table"), _("Seat"), _("Number"), _("Player"), _("Group"))
    return csv_bytes(headings, rows, delimiter)


def _by_name(state: Tournament, seating: Seating) -> list[tuple[str, int, str]]:
    """Name, table and seat, in the order in which people look for their names."""
    at = {player: (table, seat) for table, seat, player in _places(seating)}
    return [(name, *at[player]) for player, name in in_order(state, at).items()]


def _players(seating: Seating) -> list[int]:
    return [player for _table, _seat, player in _places(seating)]


def _places(seating: Seating) -> Iterator[_Place]:
    for table in seating.tables:
        for letter, player in zip(SEATS, table.players, strict=True):
            if player:
                yield table.table, letter, player
