"""A row of the table list as text: which columns there is room for, and what each says of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.facts import SEATS, seat_name
from dalej.hall.seen import Row
from dalej.tui.widgets.grid import Cell, Place
from dalej.tui.words import (
    STALE,
    TENTHS_MS,
    alert_mark,
    alert_words,
    brief,
    clock_text,
    lag_text,
    move_text,
    penalties_text,
    state_words,
)
from dalej.words import N_, _

BAR: Final = 10  # characters of the bar of time left
FRESH_MS: Final = 3_000  # an age below this is not worth a word where room is scarce
HURRY_MS, LAST_MS = 10_000, 5_000  # where the box's ring turns amber and red


@dataclass(frozen=True, slots=True)
class Column:
    """`rank`: lower ones are shown first; `right`: text stands to the right; `grows`: by so many characters, if free.

    `ticks`: it shows how much time is left; all others stay as they are while `standing` does.
    """

    title: str
    width: int
    rank: int
    cell: Callable[[Row], Cell]
    right: bool = False
    grows: int = 0
    gap: int = 1
    ticks: bool = False


def _table(row: Row) -> Cell:
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


def _penalties(row: Row) -> Cell:
    return Cell(penalties_text(row))


def _names(row: Row) -> Cell:
    said = []
    for seat, letter in enumerate(SEATS):
        if row.seats >> seat & 1:
            said.append(f"({row.names[seat] or letter})" if row.out >> seat & 1 else row.names[seat] or letter)
    return Cell(" ".join(said), "quiet")


def _now(row: Row) -> Cell:
    if not row.alerts:
        return Cell(state_words(row), "quiet" if row.state == "running" and not row.final_lap else "")
    first = next((alert for alert in row.alerts if alert.urgent), row.alerts[0])
    more = f" +{len(row.alerts) - 1}" if len(row.alerts) > 1 else ""
    look = "urgent" if first.urgent else "patient"
    return Cell(f"{alert_mark(first)} {alert_words(first)} {brief(first.waiting_ms)}{more}", look)


def _box(row: Row) -> Cell:
    """Link, lag and age in one."""
    if row.age_ms is None:
        return Cell(f"{STALE} {_('no sign')} {STALE}", "silent")
    if row.stale:
        return Cell(f"{STALE} {_('{age} old').format(age=brief(row.age_ms))} {STALE}", "silent")
    if row.lag:
        return Cell(f"{_WAYS[row.way]} {_('lag {lag}').format(lag=lag_text(row.lag))}", "hurry")
    if row.age_ms >= FRESH_MS:
        return Cell(f"{_WAYS[row.way]} {_('{age} ago').format(age=brief(row.age_ms))}", "quiet")
    return Cell(f"{_WAYS[row.way]} {_(_WAY_WORDS[row.way])}", "quiet")


def _age(row: Row) -> Cell:
    return Cell("–" if row.age_ms is None else brief(row.age_ms), "silent" if row.stale else "quiet")


_WAYS: Final[Mapping[str, str]] = {"link": "●", "advert": "◐", "none": "○"}
_WAY_WORDS: Final[Mapping[str, str]] = {"link": N_("linked"), "advert": N_("by radio"), "none": N_("not heard")}
_COLUMNS: Final = (
    Column(N_("table"), 5, 0, _table, right=True),
    Column(N_("player"), 10, 0, _player, grows=2),
    Column(N_("time"), BAR, 2, _bar, ticks=True),
    Column(N_("left"), 6, 0, _left, right=True, ticks=True),
    Column(N_("move"), 4, 0, _move, right=True),
    Column(N_("game"), 4, 3, _game, right=True),
    Column(N_("bank"), 4, 0, _bank, right=True),
    Column(N_("penalty"), 8, 1, _penalties, gap=2, grows=3),
    Column(N_("what goes on"), 20, 0, _now, grows=1_000),
    Column(N_("players"), 24, 4, _names),
    Column(N_("box"), 12, 1, _box),
    Column(N_("age"), 5, 5, _age, right=True),
)


def columns(room: int) -> tuple[tuple[Column, ...], tuple[Place, ...]]:
    """The columns that fit on lines of `room` characters, and their places; the growing ones take what is left."""
    used, chosen = 0, set()
    for column in sorted(_COLUMNS, key=lambda column: column.rank):
        if column.rank and used + column.gap + column.width > room:
            break
        chosen.add(column.title)
        used += column.gap + column.width
    shown, places, left = [], [], 0
    for column in (column for column in _COLUMNS if column.title in chosen):
        more = max(0, min(column.grows, room - used))
        width, used = column.width + more, used + more
        shown.append(column)
        places.append(Place(_(column.title), left + column.gap, width, column.right))
        left += column.gap + width
    return tuple(shown), tuple(places)


def cells(row: Row, shown: Sequence[Column], before: Sequence[Cell] | None = None) -> tuple[Cell, ...]:
    """What these columns say of the table; `before`: what they said when as much was `standing`."""
    if before is None:
        return tuple(column.cell(row) for column in shown)
    return tuple(column.cell(row) if column.ticks else cell for column, cell in zip(shown, before, strict=True))


def standing(row: Row) -> tuple[object, ...]:
    """What the columns that do not tick are made of; costs less than to write them."""
    age_s = None if row.age_ms is None else row.age_ms // 1_000
    return (
        row.state, row.reason, row.seat, row.name, row.game, row.move, row.move_at_least, row.bank, row.names,
        row.seats, row.out, row.penalties, row.final_lap, row.lag, row.way, row.stale, age_s,
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
