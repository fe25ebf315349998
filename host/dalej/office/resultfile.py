"""Results that somebody typed into a spreadsheet: bytes -> entries of games. Nothing is decided here.

A row is a game: table, game, and under A, B, C and D what lies on the racks, as it would be typed ("33+j"). Or it is a
seat of a game: table, game and seat, then what lies on the rack as `points` (and `jokers`) or as `tiles`, "12 7 j". How
the game ended may stand in one of its rows; a game that was not played is one row without a seat, and may say `why`.
What a printed score sheet heads its columns with, and calls an ending, is read in each of its languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, NoReturn

from dalej.domain.game.facts import SEATS
from dalej.domain.game.sentences import word
from dalej.domain.scoring.sheets import NUMBER_MOST, POINTS_MOST, Rack
from dalej.domain.tournament.tournament import NOT_PLAYED, GameAt, Player
from dalej.errors import DalejError, Refused, WrongInput
from dalej.hints import EVENT, typed
from dalej.office import signups, spreadsheets
from dalej.office.notation import Entry, ending, endings_known, rack
from dalej.office.players import folded
from dalej.office.problems import expect_none
from dalej.office.resultcolumns import COLUMNS, NEEDED, RACKS, heading, sitting
from dalej.office.spreadsheets import Row, Table
from dalej.words import N_

_TABLES_MOST: Final = 2_500
_GAMES_MOST: Final = 20
_JOKERS_MOST: Final = 8
_SMALL_MOST: Final = 10_000

_WHERE: Final = ("table", "game", "players", "seat", "player")  # may stand in a template that nobody has filled in yet


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

    def wrong(self, problem: DalejError) -> WrongInput | Refused:
        """What is wrong with the game, with the line and column of the seat that it is about."""
        seats = str(problem.data.get("seat", problem.data.get("seats", ""))).split(", ")
        seat = next((seat for seat in seats if seat in self.rows), "")
        row = self.rows.get(seat, self.first)
        column = seat.lower() if seat.lower() in row.cells else _column(problem, row)
        family = Refused if isinstance(problem, Refused) else WrongInput
        return family("{at}: {problem}", at=row.at(column), problem=problem)


def _column(problem: DalejError, row: Row) -> str:
    if "wrote" in problem.data:
        return "small"
    if "ends" in problem.data:
        return "ended"
    if "player" in problem.data or "tables" in problem.data:
        return "seat" if "player" in problem.data else "table"
    if "who" in problem.data or "games" in problem.data:
        return "game"
    return "tiles" if row.text("tiles") else "points" if row.text("seat") else "ended"


class ResultFile(NamedTuple):
    """What a file holds; `unread`: columns that were passed over, `blank`: games of which nothing but their place
    stands there.
    """

    games: dict[GameAt, Game]
    unread: tuple[str, ...]
    blank: tuple[GameAt, ...]
    table: Table


Games = dict[GameAt, Game]
Check = Callable[[Games], Sequence[DalejError]]


def _unchecked(_games: Games) -> Sequence[DalejError]:
    """Where nobody knows of anything that could be wrong with a game."""
    return ()


def read(
    data: bytes, file: str, seated: Callable[[int, str], Player | None], find: Callable[[str], Player],
    encoding: str | None = None, sheet: str | None = None, check: Check = _unchecked,
) -> ResultFile:  # fmt: skip
    """The games of the file. `seated(table, seat)`: who sits there, WrongInput if there is no such table; `find`: the
    player of that number or name; `check`: what else is wrong with those that could be read. WrongInput, with line and
    column of every row, if anything in it is not certain; Refused if nothing but what the event stands for is wrong.
    """
    try:
        found = spreadsheets.rows(data, file, COLUMNS, NEEDED, encoding, RACKS, sheet, heading)
    except WrongInput:
        _expect_no_sign_ups(data, file, encoding, sheet)
        raise
    if not found.rows:
        raise WrongInput(N_("{file} holds no results, only a header"), file=found.table.file)
    headings = found.rows[0].headings
    in_a_row = [seat for seat in SEATS if seat.lower() in headings]
    if in_a_row and "seat" in headings:
        raise WrongInput(
            N_("{file}, line {line}: columns {seats} and {seat}, expected a row for each game or a row for each seat"),
            file=found.table.file, line=found.table.line, seats=", ".join(in_a_row), seat=headings["seat"],
        )  # fmt: skip
    games, blank = _games(found.rows, seated, find, check)
    if not games:
        raise WrongInput(N_("{file} holds no results, only games that are not filled in"), file=found.table.file)
    return ResultFile(games, found.unread, tuple(sorted(blank)), found.table)


def _expect_no_sign_ups(data: bytes, file: str, encoding: str | None, sheet: str | None) -> None:
    """Names, and nothing of a game: somebody has taken the one list for the other."""
    known = {heading: name for name, headings in COLUMNS.items() for heading in (name, *headings)}
    try:
        header = spreadsheets.table(data, file, signups.score, encoding, sheet).header
    except WrongInput:
        return
    if signups.score(header) and not {known.get(folded(cell), "player") for cell in header} - {"player"}:
        raise WrongInput(
            N_("{file} is a list of players and holds no results: it is read where players are signed up"), file=file
        ).hinted(N_("{command} reads it"), command=typed("players", "import", EVENT, file)) from None  # fmt: skip


def _games(
    rows: Sequence[Row], seated: Callable[[int, str], Player | None], find: Callable[[str], Player], check: Check
) -> tuple[Games, set[GameAt]]:
    games: Games = {}
    placed: set[GameAt] = set()
    filled: set[GameAt] = set()
    wrong: list[DalejError] = []
    doubtful: set[GameAt] = set()
    for row in rows:
        try:
            at = GameAt(row.needed("table", 1, _TABLES_MOST), row.needed("game", 1, _GAMES_MOST))
        except WrongInput as problem:
            wrong.append(problem)
            continue
        placed.add(at)
        if any(row.text(column) for column in row.cells if column not in _WHERE):
            filled.add(at)
        elif "seat" not in row.headings and not _in_seats(row):
            continue
        game = games.setdefault(at, Game(row))
        try:
            _take(game, row, at, seated, find)
        except WrongInput as problem:
            wrong.append(problem)
            doubtful.add(at)
    blank = placed - filled
    for at, game in games.items():
        if at in doubtful or at in blank:
            continue
        if game.ended == NOT_PLAYED and game.racks:
            wrong.append(game.first.wrong("ended", N_("{at}: the game was not played, yet it has racks")))
            doubtful.add(at)
        if game.ended != NOT_PLAYED and not game.racks:
            wrong.append(
                game.first.wrong("seat", N_("{at}: is empty, expected one of {seats}"), seats=", ".join(SEATS))
            )
            doubtful.add(at)
    found = {at: game for at, game in games.items() if at not in blank}
    wrong += check({at: game for at, game in found.items() if at not in doubtful})
    expect_none(sorted(wrong, key=_line))
    return found, blank


def _line(problem: DalejError) -> int:
    at = problem.data.get("at")
    line = at.data.get("line") if isinstance(at, DalejError) else None
    return line if isinstance(line, int) else 0


def _in_seats(row: Row) -> list[str]:
    """The seats that a row with a whole game tells of."""
    return [seat for seat in SEATS if row.text(seat.lower())]


def _take(
    game: Game, row: Row, at: GameAt, seated: Callable[[int, str], Player | None], find: Callable[[str], Player]
) -> None:
    _end(game, row)
    game.why = game.why or row.text("why")
    several = _in_seats(row)
    _expect_sitting(row, at.table, seated)
    if several and game.rows:
        raise row.wrong("game", N_("{at}: the game is there in line {line} already"), line=game.first.line)
    for seat in several:
        _expect_sits(row, _sits(row, at.table, seat, seated), seat.lower())
        game.rows[seat] = row
        game.racks.append(_noted(row, seat, seat.lower()))
    if several:
        return
    seat = _seat(row, game)
    if not seat:
        return
    _expect_player(row, _sits(row, at.table, seat, seated), find)
    game.rows[seat] = row
    game.racks.append(_rack(row, seat))


def _end(game: Game, row: Row) -> None:
    if not row.text("ended"):
        return
    told = ending(row.text("ended"))
    if told is None:
        raise row.wrong(
            "ended",
            N_("{at}: “{found}” does not say how the game ended, expected one of: {known}; the first word is enough"),
            known=endings_known(),
        )
    if game.ended is not None and game.ended != told:
        raise row.wrong("ended", N_("{at}: “{found}”, but {before} in an earlier row of the game"),
                        before=word(game.ended))  # fmt: skip
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


def _expect_sitting(row: Row, table: int, seated: Callable[[int, str], Player | None]) -> None:
    """A list that was written before people were seated anew gives nobody the racks of others."""
    if not row.text("players"):
        return
    sits: dict[str, str] = {
        seat: player.name for seat in SEATS if (player := _sits(row, table, seat, seated)) is not None
    }
    if folded(row.text("players")) != folded(sitting(sits)):
        raise row.wrong("players", N_("{at}: “{found}”, but {players} sit there; if a name was only corrected, empty "
                                      "the cell"), players=sitting(sits))  # fmt: skip


def _expect_sits(row: Row, sits: Player | None, column: str) -> Player:
    if sits is None:
        raise row.wrong(column, N_("{at}: nobody sits there in this round"))
    return sits


def _expect_player(row: Row, sits: Player | None, find: Callable[[str], Player]) -> None:
    sits = _expect_sits(row, sits, "seat")
    if not row.text("player"):
        return
    try:
        told = find(row.text("player"))
    except WrongInput as problem:
        raise row.wrong("player", N_("{at}: {problem}"), problem=problem) from problem
    if told.number != sits.number:
        raise row.wrong("player", N_("{at}: “{found}”, but {player} sits there"), player=sits.name)


def _noted(row: Row, seat: str, column: str) -> Rack:
    """The rack in the notation in which it is typed."""
    try:
        return rack(seat, row.text(column))
    except WrongInput as problem:
        raise row.wrong(column, N_("{at}: {problem}"), problem=problem) from problem


def _rack(row: Row, seat: str) -> Rack:
    told = row.text("points")
    if re.match(r"[-\N{MINUS SIGN}]\s*[1-9]", told):
        raise row.wrong("points", N_("{at}: “{found}”, expected what lies on the rack, 0 or more; the score may stand "
                                     "under small, for control"))  # fmt: skip
    noted = Rack(seat=seat, points=None)
    if re.match(r"\d*\s*j|\d+\s*\+|\d+\s*,\s*[1-9j]", told.lower()):
        noted = _noted(row, seat, "points")
    else:
        noted = replace(noted, points=row.number("points", 0, POINTS_MOST))
    jokers = row.number("jokers", 0, _JOKERS_MOST)
    if noted.jokers and jokers not in (None, noted.jokers):
        raise row.wrong("jokers", N_("{at}: “{found}”, but {among} among the tiles"), among=noted.jokers)
    numbers, among = _tiles(row)
    if numbers is not None and jokers not in (None, among):
        raise row.wrong("jokers", N_("{at}: “{found}”, but {among} among the tiles"), among=among)
    never = row.flag("never_opened", False) or not noted.opened
    could = row.flag("could_have_opened", False) or noted.could_have_opened
    opened = row.flag("opened", not (never or could))
    if never and opened:
        raise row.wrong("never_opened", N_("{at}: “{found}”, but it opened, another column says"))
    return Rack(
        seat=seat, points=sum(numbers) if noted.points is None and numbers is not None else noted.points,
        jokers=jokers or noted.jokers or among, tiles=noted.tiles if numbers is None else numbers, opened=opened,
        could_have_opened=could, announced=row.flag("announced", False) or noted.announced,
        withdrawn=row.flag("withdrawn", False) or noted.withdrawn,
        small=row.number("small", -_SMALL_MOST, _SMALL_MOST),
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
