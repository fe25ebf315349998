"""The tables of the hall, one line each, in the order that the screen gives: which columns there is room for, and
what each says of a table. The cursor stays on its table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.cells import cell_len

from dalej.domain.game.facts import SEATS, seat_name
from dalej.tui.widgets.grid import Cell, Grid, Line, Place, first_fit
from dalej.views.phrases import (
    PLAYED,
    STALE,
    TENTHS_MS,
    brief,
    clock_text,
    lag_text,
    move_text,
    penalties_text,
    played_words,
    state_choices,
    waits_words,
)
from dalej.views.rows import Row
from dalej.words import N_, _

BAR: Final = 10  # characters of the bar of time left
FRESH_MS: Final = 3_000  # an age below this is not worth a word where room is scarce
GAP: Final = 1  # between two columns
HURRY_MS, LAST_MS = 10_000, 5_000  # where the box's ring turns amber and red


@dataclass(frozen=True, slots=True)
class Column:
    """`rank`: lower ones are shown first; `right`: text stands to the right; `grows`: by so many characters, if free.

    `first`: whether it grows before the others do. `cell`: what it says of a row, in so much room, and what else is
    known of it. `ticks`: it shows a time left or an age; all others stay as they are while `standing` does.
    """

    title: str
    width: int
    rank: int
    cell: Callable[[Row, int, Known], Cell]
    right: bool = False
    grows: int = 0
    first: bool = False
    ticks: bool = False


class Known(NamedTuple):
    """What a screen knows of a table beside its row.

    `mine`: it plays the table. `written`: when the ledger says last of it, in words; "" where a row's age counts.
    `paper`: how the results of a table without a box stand, None: nobody says so.
    """

    mine: bool = False
    written: str = ""
    paper: Cell | None = None


NOTHING_ELSE: Final = Known()


def _alone(cell: Callable[[Row], Cell]) -> Callable[[Row, int, Known], Cell]:
    """A cell that needs no more than the row."""
    return lambda row, _room, _known: cell(row)


def _number(row: Row) -> Cell:
    return Cell(f"{STALE}{row.table}" if row.stale else str(row.table), "silent" if row.stale else "table")


def _player(row: Row) -> Cell:
    letter = seat_name(row.seat)
    if letter is None or row.state in ("idle", "over"):
        return Cell("–", "quiet")
    return Cell(f"{letter} {row.name}".rstrip(), "quiet" if row.stale else "player")


def _bar(row: Row) -> Cell:
    if row.left_ms is None or not row.limit_ms or row.state not in ("running", "stopped", "ready"):
        return Cell("")
    full = min(BAR, -(-max(0, row.left_ms) * BAR // row.limit_ms))
    return Cell("━" * full + "·" * (BAR - full), _hurry(row))


def _left(row: Row) -> Cell:
    return Cell(f"{STALE} {clock_text(row)}" if row.stale else clock_text(row), _hurry(row))


def _hurry(row: Row) -> str:
    if row.stale or row.left_ms is None or row.state in ("idle", "over", "ready"):
        return "quiet"
    if row.state == "expired":
        return "late"
    if row.state == "stopped":
        return "stands"
    return "last" if row.left_ms < LAST_MS else "hurry" if row.left_ms < HURRY_MS else "runs"


def _game(row: Row) -> Cell:
    return Cell(str(row.game) if row.game else "–")


def _move(row: Row) -> Cell:
    return Cell(move_text(row))


def _bank(row: Row) -> Cell:
    return Cell("–" if row.bank is None else str(row.bank), "hurry" if row.bank == 0 else "")


def _penalties(row: Row, room: int, _known: Known) -> Cell:
    """Without the spaces rather than without a seat; all together rather than cut."""
    said = penalties_text(row)
    counted, unknown = sum(max(0, tiles) for tiles in row.penalties), "?" if min(row.penalties) < 0 else ""
    return Cell(first_fit((said, said.replace(" ", ""), f"Σ{counted}{unknown}"), room))


def _names(row: Row, room: int, _known: Known) -> Cell:
    """Who sits there; names are cut alike, the longest first, until all have room."""
    for most in range(max(1, *(len(name) for name in row.names)), 0, -1):
        said = []
        for seat, letter in enumerate(SEATS):
            if row.seats >> seat & 1:
                name = row.names[seat] or letter
                name = name if len(name) <= most else f"{name[: most - 1]}."
                said.append(f"({name})" if row.out >> seat & 1 else name)
        text = " ".join(said)
        if cell_len(text) <= room:
            break
    return Cell(text, "quiet")


def _goes_on(row: Row, room: int, known: Known) -> Cell:
    if row.alerts:
        look = "urgent" if any(alert.urgent for alert in row.alerts) else "patient"
        return Cell(first_fit(waits_words(row.alerts, played=known.mine), room), look)
    said, plain = state_choices(row), row.state == "running" and not row.final_lap
    if known.mine:
        also = () if plain else (f"{played_words()}: {said[0]}",)
        return Cell(first_fit((*also, played_words(), PLAYED), room), "stands")
    return Cell(first_fit(said, room), "quiet" if plain else "")


def _of_box(row: Row, room: int, known: Known) -> Cell:
    """Link, lag and age in one."""
    if known.written:
        # of another day there is room for month, day, hour and minute
        return Cell(first_fit((_hatched(known.written), STALE + known.written[-11:]), room), "silent")
    if row.age_ms is None:
        return Cell(_hatching(_("no sign"), room, "–"), "silent")
    if row.stale:
        age = brief(row.age_ms)
        return Cell(_hatching(_("{age} old").format(age=age), room, age), "silent")
    words = _(_WAY_WORDS[row.way])
    if row.lag:
        words = _("lag {lag}").format(lag=lag_text(row.lag))
    elif row.age_ms >= FRESH_MS:
        words = _("{age} ago").format(age=brief(row.age_ms))
    return Cell(f"{_WAYS[row.way]} {words}", "hurry" if row.lag else "quiet")


def _hatched(words: str) -> str:
    return f"{STALE} {words} {STALE}"


def _hatching(words: str, room: int, least: str = "") -> str:
    """Hatched on both sides if there is room, else before the words, else before the least of them."""
    return first_fit((_hatched(words), f"{STALE} {words}", _hatched(least or words)), room)


def _age(row: Row, _room: int, known: Known) -> Cell:
    text = "–" if row.age_ms is None or known.written else brief(row.age_ms)
    return Cell(text, "silent" if row.stale else "quiet")


_WAYS: Final[Mapping[str, str]] = {"link": "●", "advert": "◐", "none": "○"}
_WAY_WORDS: Final[Mapping[str, str]] = {"link": N_("linked"), "advert": N_("by radio"), "none": N_("not heard")}
_TABLE, _PLAYER, _NOW, _BOX = N_("table"), N_("player"), N_("what goes on"), N_("box")  # those of any table
_COLUMNS: Final = (
    Column(_TABLE, 5, 0, _alone(_number), right=True),
    Column(_PLAYER, 11, 0, _alone(_player), grows=2),
    Column(N_("time"), BAR, 2, _alone(_bar), ticks=True),
    Column(N_("left"), 6, 0, _alone(_left), right=True, ticks=True),
    Column(N_("move"), 4, 0, _alone(_move), right=True),
    Column(N_("game"), 4, 3, _alone(_game), right=True),
    Column(N_("bank"), 4, 0, _alone(_bank), right=True),
    Column(N_("penalty"), 8, 1, _penalties, grows=2),
    Column(_NOW, 19, 0, _goes_on, grows=1_000),
    Column(N_("players"), 24, 4, _names, grows=10, first=True),
    Column(_BOX, 12, 1, _of_box, grows=4, first=True, ticks=True),
    Column(N_("age"), 5, 5, _age, right=True, ticks=True),
)


def columns(room: int) -> tuple[tuple[Column, ...], tuple[Place, ...]]:
    """The columns that fit on lines of `room` characters, and their places; the growing ones take what is left."""
    used, widths = 0, {}
    for column in sorted(_COLUMNS, key=lambda column: column.rank):
        width = max(column.width, cell_len(_(column.title)))
        if column.rank and used + GAP + width > room:
            break
        widths[column.title] = width
        used += GAP + width
    shown = [column for column in _COLUMNS if column.title in widths]
    for column in sorted(shown, key=lambda column: not column.first):
        more = max(0, min(column.grows, room - used))
        widths[column.title] += more
        used += more
    places, left = [], 0
    for column in shown:
        width = widths[column.title]
        places.append(Place(_(column.title), left + GAP, width, column.right))
        left += GAP + width
    return tuple(shown), tuple(places)


def cells(
    row: Row,
    shown: Sequence[Column],
    places: Sequence[Place],
    known: Known = NOTHING_ELSE,
    before: Sequence[Cell] | None = None,
) -> tuple[Cell, ...]:
    """What these columns say of the table; `before`: what they said when as much was `standing`."""
    if not row.box:
        return _without_box(row, shown, places, known) if before is None else tuple(before)
    if before is None:
        return tuple(column.cell(row, place.width, known) for column, place in zip(shown, places, strict=True))
    return tuple(
        column.cell(row, place.width, known) if column.ticks else cell
        for column, place, cell in zip(shown, places, before, strict=True)
    )


def _without_box(row: Row, shown: Sequence[Column], places: Sequence[Place], known: Known) -> tuple[Cell, ...]:
    """Who sits there, all over the columns that only a box could fill, and how their results stand."""
    at = {column.title: place for column, place in zip(shown, places, strict=True)}
    room = at[_NOW].left - GAP - at[_PLAYER].left
    said = {
        _TABLE: _number(row), _PLAYER: _names(row, room, known)._replace(look="player"),
        _NOW: known.paper or Cell(""), _BOX: Cell(_("no box"), "quiet"),
    }  # fmt: skip
    return tuple(said.get(column.title, Cell("")) for column in shown)


def standing(row: Row, known: Known = NOTHING_ELSE) -> tuple[object, ...]:
    """What the columns that do not tick are made of; costs less than to write them."""
    return (
        row.state, row.reason, row.seat, row.name, row.game, row.move, row.move_at_least, row.bank, row.names,
        row.seats, row.out, row.penalties, row.final_lap, row.lag, row.way, row.stale, known,
        *((alert.kind, alert.urgent, alert.waiting_ms // 1_000) for alert in row.alerts),
    )  # fmt: skip


def changes_in_ms(row: Row) -> int:
    """How soon, by the clock of the desk, the row's words change although nothing happens; at most 1 s."""
    soon = [1_000]
    if row.age_ms is not None:
        soon.append(1_000 - row.age_ms % 1_000)
    soon.extend(1_000 - alert.waiting_ms % 1_000 for alert in row.alerts)
    if row.moves_on and row.left_ms is not None:
        if row.left_ms < 0 or row.state == "expired":
            soon.append(1_000 - -row.left_ms % 1_000)
        else:
            step = 100 if row.left_ms <= TENTHS_MS else 1_000
            soon.append(row.left_ms % step or step)
    return min(soon)


class TableList(Grid, can_focus=True):
    """`table`: the one with the cursor, None while there is none."""

    def __init__(self) -> None:
        super().__init__(header=True, id="tables")
        self.step_by("up,k", "down,j")
        self._bindings.bind("enter", "open", _("open the table"), key_display="Enter")
        self._lines: dict[int, Line] = {}
        self._standing: dict[int, tuple[object, ...]] = {}
        self._columns: tuple[Column, ...] = ()
        self._placed: tuple[Place, ...] = ()
        self._room = 0

    @property
    def table(self) -> int | None:
        """The table with the cursor."""
        return None if self.chosen is None else self.lines[self.chosen].table

    def show_rows(self, rows: Iterable[tuple[Row, Known]], all_tables: Sequence[int]) -> None:
        """Rows that may look different now; a table that is not among `all_tables`, in their order, is gone."""
        if self._room != self.room:
            self._room = self.room
            self._columns, self._placed = columns(self._room)
            self._lines.clear()
            self._standing.clear()
        for row, known in rows:
            stands = standing(row, known)
            same = self._standing.get(row.table) == stands
            before = self._lines[row.table].cells if same else None
            self._standing[row.table] = stands
            self._lines[row.table] = Line(row.table, cells(row, self._columns, self._placed, known, before))
        chosen = self.table
        tables = [table for table in all_tables if table in self._lines]
        self.show(self._placed, [self._lines[table] for table in tables])
        self._keep(chosen, tables)

    def show_paper(self, places: tuple[Place, ...], lines: Sequence[Line]) -> None:
        """A hall without boxes: lines that somebody else has made; every table is `missing` for `show_rows` then."""
        chosen = self.table
        self.forget()
        self.show(places, lines)
        self._keep(chosen, [line.table for line in lines])

    def missing(self, tables: Iterable[int]) -> set[int]:
        """Tables that have no line yet, or none for the room there is now."""
        return set(tables) if self._room != self.room else set(tables) - self._lines.keys()

    def forget(self) -> None:
        """Every table is `missing`; what is shown stays until it is."""
        self._room = -1

    def in_sight(self) -> set[int]:
        """Tables whose lines are not scrolled away."""
        top = self.scroll_offset.y
        return {line.table for line in self.lines[top : top + self.size.height - self._above]}

    def choose_table(self, table: int) -> None:
        """Put the cursor on a table."""
        for index, line in enumerate(self.lines):
            if line.table == table:
                self.choose(index)

    def action_step(self, by: int) -> None:
        """Up or down by so many lines."""
        if self.lines:
            self.choose(min(len(self.lines) - 1, max(0, (self.chosen or 0) + by)))

    def action_open(self) -> None:
        """Open the table with the cursor."""
        if self.table is not None:
            self.post_message(self.Picked(self, self.table))

    def _keep(self, table: int | None, tables: list[int]) -> None:
        """The cursor belongs to a table, not to a line."""
        if not tables:
            self.choose(None)
        elif table is None:
            self.choose(0)
        elif table in tables:
            self.choose(tables.index(table))
        else:
            self.choose(next((y for y, other in enumerate(tables) if other >= table), len(tables) - 1))
