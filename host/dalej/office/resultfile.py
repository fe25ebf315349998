"""Results that somebody typed into a spreadsheet: bytes -> entries of games. Nothing is decided here.

A row is a seat of a game: table, game and seat, then what lies on the rack as `points` (and `jokers`) or as `tiles`,
"12 7 j". How the game ended may stand in one of its rows; a game that was not played is one row without a seat, and
may say `why`. What a printed score sheet heads its columns with, and calls an ending, is read in each of its languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NoReturn

from dalej.domain.game.facts import SEATS
from dalej.domain.scoring.sheets import ENDINGS, NUMBER_MOST, POINTS_MOST, Rack
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Player
from dalej.errors import DalejError, WrongInput
from dalej.office import spreadsheets
from dalej.office.notation import Entry
from dalej.office.players import folded
from dalej.office.spreadsheets import Row
from dalej.words import N_

_TABLES_MOST: Final = 2_500
_GAMES_MOST: Final = 20
_JOKERS_MOST: Final = 8
_SMALL_MOST: Final = 10_000

COLUMNS: Final[spreadsheets.Columns] = {
    "table": ("stol", "stolik", "tavolo"),
    "game": ("gra", "partia", "partita"),
    "ended": ("zakonczenie", "koniec", "fine"),
    "seat": ("miejsce", "posto"),
    "player": ("gracz", "zawodnik", "name", "giocatore"),
    "points": ("rack points", "punkty na tabliczce", "tabliczka", "punkty", "punti", "punti sul portacarte"),
    "tiles": ("kostki", "tessere"),
    "jokers": ("jokers on the rack", "jokery", "jokery na tabliczce", "jolly", "jolly sul portacarte"),
    "opened": ("opened?", "otworzyl", "otwarcie", "otwarcie?", "aperto", "apertura?"),
    "never_opened": ("never opened", "bez otwarcia", "nessuna apertura"),
    "could_have_opened": ("could have opened", "mogl otworzyc", "otwarcie mozliwe", "poteva aprire"),
    "announced": ("zapowiedzial", "zapowiedz", "annunciato", "annuncio"),
    "withdrawn": ("withdrew", "wycofal sie", "rezygnacja", "ritirato", "ritiro"),
    "why": ("powod", "dlaczego", "motivo", "perche"),
    "small": ("small points", "male punkty", "punti piccoli"),
}
# How people write that a game ended, without case and accents; the program's own words besides.
_ENDINGS: Final = {
    "wylozone wszystkie kostki": "went_out", "ha chiuso": "went_out",
    "pusty bank": "bank_empty", "pozzo vuoto": "bank_empty",
    "koniec czasu rundy": "round_time", "tempo del turno": "round_time",
    "one seat left": "last_seat", "zostal jeden gracz": "last_seat", "un solo posto rimasto": "last_seat",
    "nierozegrana": NOT_PLAYED, "non giocata": NOT_PLAYED,
}  # fmt: skip
NEEDED: Final = ("table", "game")
RACKS: Final = {"seat": ("points", "tiles")}  # where seats are told, so is what lies on their racks


@dataclass(slots=True)
class Game:
    """One game of the file. `rows` by seat, "" for a row without one; `first` of them all."""

    first: Row
    ended: str | None = None
    racks: list[Rack] = field(default_factory=list)
    why: str = ""
    rows: dict[str, Row] = field(default_factory=dict)

    @property
    def entry(self) -> Entry:
        """What the file says of it."""
        return Entry(self.ended, tuple(self.racks), why=self.why if self.ended == NOT_PLAYED else "")

    def wrong(self, problem: DalejError) -> WrongInput:
        """What is wrong with the game, with the line and column of the seat that it is about."""
        seats = str(problem.data.get("seat", problem.data.get("seats", ""))).split(", ")
        row = next((self.rows[seat] for seat in seats if seat in self.rows), self.first)
        return WrongInput("{at}: {problem}", at=row.at(_column(problem, row)), problem=problem)


def _column(problem: DalejError, row: Row) -> str:
    if "wrote" in problem.data:
        return "small"
    if not problem.data:
        return "ended"
    if "player" in problem.data or "tables" in problem.data:
        return "seat" if "player" in problem.data else "table"
    if "who" in problem.data or "games" in problem.data:
        return "game"
    return "tiles" if row.text("tiles") else "points" if row.text("seat") else "ended"


def read(
    data: bytes, file: str, seated: Callable[[int, str], Player | None], find: Callable[[str], Player],
    encoding: str | None = None,
) -> tuple[dict[GameAt, Game], tuple[str, ...]]:  # fmt: skip
    """The games of the file, and the columns that were passed over. `seated(table, seat)`: who sits there, WrongInput
    if there is no such table; `find`: the player of that number or name. WrongInput, with line and column, if anything
    in it is not certain.
    """
    found, unread = spreadsheets.rows(data, file, COLUMNS, NEEDED, encoding, RACKS)
    if not found:
        raise WrongInput(N_("{file} holds no results, only a header"), file=file)
    games: dict[GameAt, Game] = {}
    for row in found:
        at = GameAt(row.needed("table", 1, _TABLES_MOST), row.needed("game", 1, _GAMES_MOST))
        game = games.setdefault(at, Game(row))
        _end(game, row)
        game.why = game.why or row.text("why")
        seat = _seat(row, game)
        if not seat:
            continue
        _expect_player(row, _sits(row, at.table, seat, seated), find)
        game.rows[seat] = row
        game.racks.append(_rack(row, seat))
    for game in games.values():
        if game.ended == NOT_PLAYED and game.racks:
            raise game.first.wrong("ended", N_("{at}: the game was not played, yet it has racks"))
        if game.ended != NOT_PLAYED and not game.racks:
            raise game.first.wrong("seat", N_("{at}: is empty, expected one of {seats}"), seats=", ".join(SEATS))
    return games, unread


def _end(game: Game, row: Row) -> None:
    told = folded(row.text("ended"))
    if not told:
        return
    told = _ENDINGS.get(told, told.replace("-", "_").replace(" ", "_"))
    if told not in (*ENDINGS, NOT_PLAYED):
        raise row.wrong(
            "ended", N_("{at}: “{found}”, expected one of {known}"), known=", ".join((*ENDINGS, NOT_PLAYED))
        )
    if game.ended not in (None, told):
        raise row.wrong("ended", N_("{at}: “{found}”, but {before} in an earlier row of the game"), before=game.ended)
    game.ended = told


def _seat(row: Row, game: Game) -> str:
    told = row.text("seat")
    seat = told.upper()[-1:]  # A, or 3A as the regulations write it
    if not told and not any(row.text(column) for column in ("points", "tiles", "player", "small")):
        return ""
    if seat not in SEATS or told[:-1] not in ("", row.text("table")):
        raise row.wrong("seat", N_("{at}: “{found}”, expected one of {seats}"), seats=", ".join(SEATS))
    if seat in game.rows:
        raise row.wrong("seat", N_("{at}: seat {seat} is there in line {line} already"),
                        seat=seat, line=game.rows[seat].line)  # fmt: skip
    return seat


def _sits(row: Row, table: int, seat: str, seated: Callable[[int, str], Player | None]) -> Player | None:
    try:
        return seated(table, seat)
    except WrongInput as problem:
        raise row.wrong("table", N_("{at}: {problem}"), problem=problem) from problem


def _expect_player(row: Row, sits: Player | None, find: Callable[[str], Player]) -> None:
    if sits is None:
        raise row.wrong("seat", N_("{at}: nobody sits there in this round"))
    if not row.text("player"):
        return
    try:
        told = find(row.text("player"))
    except WrongInput as problem:
        raise row.wrong("player", N_("{at}: {problem}"), problem=problem) from problem
    if told.number != sits.number:
        raise row.wrong("player", N_("{at}: “{found}”, but {player} sits there"), player=sits.name)


def _rack(row: Row, seat: str) -> Rack:
    if re.match(r"[-\N{MINUS SIGN}]\s*[1-9]", row.text("points")):
        raise row.wrong("points", N_("{at}: “{found}”, expected what lies on the rack, 0 or more; the score may stand "
                                     "under small, for control"))  # fmt: skip
    points = row.number("points", 0, POINTS_MOST)
    jokers = row.number("jokers", 0, _JOKERS_MOST)
    numbers, among = _tiles(row)
    if numbers is not None and jokers not in (None, among):
        raise row.wrong("jokers", N_("{at}: “{found}”, but {among} among the tiles"), among=among)
    never = row.flag("never_opened", False)
    opened = row.flag("opened", not (never or row.flag("could_have_opened", False)))
    if never and opened:
        raise row.wrong("never_opened", N_("{at}: “{found}”, but it opened, another column says"))
    return Rack(
        seat=seat, points=sum(numbers) if points is None and numbers is not None else points,
        jokers=jokers or among, tiles=numbers, opened=opened,
        could_have_opened=row.flag("could_have_opened", False), announced=row.flag("announced", False),
        withdrawn=row.flag("withdrawn", False), small=row.number("small", -_SMALL_MOST, _SMALL_MOST),
    )  # fmt: skip


def _tiles(row: Row) -> tuple[tuple[int, ...] | None, int]:
    told = row.text("tiles").lower()
    if not told:
        return None, 0
    numbers: list[int] = []
    jokers = 0
    for one in re.split(r"[\s,;]+", told.strip(" ,;")):
        if one in ("j", "joker", "jolly"):
            jokers += 1
        elif one.isascii() and one.isdigit() and 1 <= int(one[:9]) <= NUMBER_MOST:
            numbers.append(int(one))
        elif one:
            _no_tile(row, one)
    return tuple(numbers), jokers


def _no_tile(row: Row, one: str) -> NoReturn:
    raise row.wrong("tiles", N_("{at}: there is no tile “{tile}”, expected 1 to {most}, or j"),
                    tile=one[:9], most=NUMBER_MOST)  # fmt: skip
