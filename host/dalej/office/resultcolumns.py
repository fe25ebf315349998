"""The columns of a list of results: how the program, the people who write one and a list to be filled in call them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.office.spreadsheets import Columns
from dalej.words import N_, _

COLUMNS: Final[Columns] = {
    "table": ("stol", "stolik", "tavolo"),
    "game": ("gra", "partia", "partita"),
    "ended": ("zakonczenie", "koniec", "fine"),
    "seat": ("miejsce", "posto"),
    "players": ("gracze", "giocatori"),
    "player": ("gracz", "zawodnik", "name", "giocatore"),
    "points": (
        "rack points",
        "punkty na tabliczce",
        "tabliczka",
        "punkty",
        "punti",
        "punti sul portacarte",
        "points without jokers",
        "punkty bez jokerow",
        "punti senza jolly",
    ),
    "tiles": ("kostki", "tessere"),
    "jokers": ("jokers on the rack", "jokery", "jokery na tabliczce", "jolly", "jolly sul portacarte"),
    "opened": ("opened?", "otworzyl", "otwarcie", "otwarcie?", "aperto", "apertura?"),
    "never_opened": ("never opened", "bez otwarcia", "nessuna apertura"),
    "could_have_opened": ("could have opened", "mogl otworzyc", "otwarcie mozliwe", "poteva aprire"),
    "announced": ("zapowiedzial", "zapowiedz", "annunciato", "annuncio"),
    "withdrawn": ("withdrew", "wycofal sie", "rezygnacja", "ritirato", "ritiro"),
    "why": ("powod", "dlaczego", "motivo", "perche"),
    "small": ("small points", "male punkty", "punti piccoli"),
    **{seat.lower(): tuple(f"{word} {seat.lower()}" for word in ("seat", "miejsce", "posto")) for seat in SEATS},
}
# As they are headed in a list to be filled in, and on a printed sheet.
HEADINGS: Final[Mapping[str, str]] = {
    "table": N_("Table"), "game": N_("Game"), "players": N_("Players"), "ended": N_("Ended"), "seat": N_("Seat"),
    "player": N_("Player"), "points": N_("Rack points"), "tiles": N_("Tiles"), "jokers": N_("Jokers on the rack"),
    "opened": N_("Opened?"), "never_opened": N_("Never opened"), "could_have_opened": N_("Could have opened"),
    "announced": N_("Announced"), "withdrawn": N_("Withdrew"), "why": N_("Why"), "small": N_("Small points"),
    **{seat.lower(): seat for seat in SEATS},
}  # fmt: skip
NEEDED: Final = ("table", "game")
RACKS: Final = {"seat": ("points", "tiles")}  # where seats are told, so is what lies on their racks


def heading(column: str) -> str:
    """How the reader heads it."""
    return _(HEADINGS[column])


def sitting(names: Mapping[str, str]) -> str:
    """Who sits at a table, by seat, as it stands beside a game that is to be filled in."""
    return ", ".join(f"{seat} {name}" for seat, name in names.items())
