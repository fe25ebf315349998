"""Move times as a picture of characters: how many moves took how long, and each move in its order. Pure.

Drawn here and not with a plotting library: in the 44 columns that are left beside a list, bars all have one width, the
time-outs stand apart, and the marks are shapes; nothing has to be loaded for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from dalej.hall.movetimes import MoveTime, MoveTimes, Spread, spread
from dalej.telling import seconds
from dalej.words import _

Look = Literal["bar", "late", "axis", "mark"]
Piece = tuple[str, Look]

MEDIAN, SLOW, LATE = "▲", "△", "×"
LEAST_WIDE: Final = 20
LEAST_HIGH: Final = 5  # a row of bars, the axis, its marks, its numbers
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_BAR_MOST: Final = 6  # columns
_COUNTS_MOST: Final = 24
_LATE_WIDE: Final = 3


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where things stand: `left` columns for numbers and the axis, each bar `bar` wide."""

    spread: Spread
    left: int
    bar: int
    rows: int

    @property
    def wide(self) -> int:
        return self.bar * len(self.spread.counts)

    def column(self, ms: int) -> int:
        """Of that time, on the axis."""
        return min(self.wide - 1, ms * self.bar // self.spread.step_ms)


def histogram(times: MoveTimes, width: int, height: int) -> list[list[Piece]]:
    """Lines of pieces with their looks, `height` of them; [] where there is no room, or nothing to draw."""
    if width < LEAST_WIDE or height < LEAST_HIGH or not times.moves:
        return []
    left = len(str(len(times.moves))) + 1
    room = width - left - _LATE_WIDE - 2
    shown = spread(times, min(_COUNTS_MOST, room))
    plan = _Plan(shown, left, max(1, min(_BAR_MOST, room // len(shown.counts))), height - 3)
    return [*_bars(plan), _axis(plan), _marks(plan, times), _numbers(plan)]


def in_order(moves: Sequence[MoveTime], width: int) -> list[Piece]:
    """The latest moves that fit, each as high as the part of its limit that it took; a time-out is a cross."""
    shown = moves[-width:] if width > 0 else ()
    longest = max((move.elapsed_ms for move in moves), default=1)
    return [_step(move, longest) for move in shown]


def _step(move: MoveTime, longest_ms: int) -> Piece:
    if move.timed_out:
        return LATE, "late"
    whole = max(1, move.limit_ms or longest_ms)
    return _EIGHTHS[max(1, min(8, -(-8 * move.elapsed_ms // whole)))], "bar"


def _bars(plan: _Plan) -> Iterator[list[Piece]]:
    counts, late = plan.spread.counts, plan.spread.late
    most = max(*counts, late, 1)
    for row in range(plan.rows, 0, -1):
        number = str(most) if row == plan.rows else ""
        cells = "".join(_EIGHTHS[_filled(count, most, row, plan.rows)] * plan.bar for count in counts)
        full = _filled(late, most, row, plan.rows)
        yield [
            (f"{number.rjust(plan.left - 1)}┤" if number else "│".rjust(plan.left), "axis"),
            (cells, "bar"), ("  ", "axis"),
            ((_EIGHTHS[full] if full < 8 else "▓") * _LATE_WIDE, "late"),
        ]  # fmt: skip


def _filled(count: int, most: int, row: int, rows: int) -> int:
    """How many eighths of that row, from 1 below, the bar fills; one move is always seen."""
    eighths = max(1, count * rows * 8 // most) if count else 0
    return max(0, min(8, eighths - 8 * (row - 1)))


def _axis(plan: _Plan) -> list[Piece]:
    line = "└".rjust(plan.left) + "─" * plan.wide
    return [(line, "axis"), ("  ", "axis"), ("─" * _LATE_WIDE, "axis")]


def _marks(plan: _Plan, times: MoveTimes) -> list[Piece]:
    line = [" "] * plan.wide
    for ms, mark in ((times.slow_ms, SLOW), (times.median_ms, MEDIAN)):
        if ms is not None:
            line[plan.column(ms)] = mark
    return [(" " * plan.left, "axis"), ("".join(line), "mark"), ("  ", "axis"), (LATE.center(_LATE_WIDE), "late")]


def _numbers(plan: _Plan) -> list[Piece]:
    """Seconds under the axis where there is room for them; at its end always."""
    line = [" "] * (plan.wide + plan.left)
    end = _("{seconds} s").format(seconds=_short(plan.spread.until_ms))
    _put(line, len(line) - len(end), end)
    for step in _nice(plan):
        text = _short(step * plan.spread.step_ms)
        at = plan.left + step * plan.bar
        around = line[max(0, at - 1) : at + len(text) + 1]
        if at + len(text) <= len(line) and not "".join(around).strip():
            _put(line, at, text)
    return [("".join(line), "axis"), ("  ", "axis"), (str(plan.spread.late).center(_LATE_WIDE), "late")]


def _nice(plan: _Plan) -> Iterable[int]:
    """Every so many bars, so that numbers keep apart."""
    apart = max(1, -(-(len(_short(plan.spread.until_ms)) + 3) // plan.bar))
    apart = next(nice for nice in (1, 2, 5, 10, 20, 50, 100) if nice >= apart)
    return range(0, len(plan.spread.counts), apart)


def _put(line: list[str], at: int, text: str) -> None:
    line[at : at + len(text)] = text


def _short(ms: int) -> str:
    return seconds(ms) if ms % 1_000 else str(ms // 1_000)
