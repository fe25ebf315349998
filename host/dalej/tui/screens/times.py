"""Move times: how long whose moves took, against the limit: a list to choose from, and a picture of characters of the
chosen one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from dalej.domain.game.facts import seat_name
from dalej.domain.game.sentences import seconds
from dalej.domain.tournament.stages import round_name
from dalej.tui.feed import FactsRecorded
from dalej.tui.room import Room
from dalej.tui.screens.office import DeskWork
from dalej.tui.widgets.bars import Button, Headline
from dalej.tui.widgets.grid import Cell, Line, PickList, Place
from dalej.views.movetimes import MoveTime, MoveTimes, Spread, Whose, in_games, of_players, of_tables, spread
from dalej.words import N_, _, ngettext, readable

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


_NAME_LEAST: Final = 6


class TimeList(PickList):
    """`whose`: what stands on the line with the cursor, None while there is none."""

    def __init__(self) -> None:
        super().__init__(id="times-list")
        self._all: Sequence[MoveTimes] = ()

    @property
    def whose(self) -> MoveTimes | None:
        """As it was shown last."""
        return None if self.number is None else self._all[self.number]

    def show_times(self, times: Sequence[MoveTimes]) -> None:
        """These lines in this order; the cursor stays with whom it was on, else it goes to the first."""
        before = None if self.whose is None else self.whose.whose
        self._all = times
        at = next((index for index, one in enumerate(times) if one.whose == before), 0)
        self.show_lines(*_laid(times, self.room))
        self.choose_number(at)


def whose_words(whose: Whose) -> str:
    """`Lis`, `table 3`, `table 3, A`."""
    if whose.name:
        return readable(whose.name)
    letter = None if whose.seat is None else seat_name(whose.seat)
    if letter is None:
        return _("table {table}").format(table=whose.table)
    return _("table {table}, {seat}").format(table=whose.table, seat=letter)


def rounded(ms: int | None) -> str:
    """Whole seconds, to the nearest; `–` where there is no move."""
    return "–" if ms is None else str((ms + 500) // 1_000)


def _laid(times: Sequence[MoveTimes], room: int) -> tuple[tuple[Place, ...], list[Line]]:
    """Names get what the figures leave; where the words are too long for both, the last figures are left out."""
    figures = [
        (_("moves"), [str(len(one.moves)) for one in times]),
        (_("median"), [rounded(one.median_ms) for one in times]),
        (_("late"), [str(one.time_outs) if one.time_outs else "" for one in times]),
        (_("slow"), [rounded(one.slow_ms) for one in times]),
    ]
    names = [whose_words(one.whose) for one in times]
    wides = [max(map(cell_len, [title, *cells])) for title, cells in figures]
    while wides and room - 1 - sum(wide + 1 for wide in wides) < _NAME_LEAST:
        del figures[-1], wides[-1]
    named = max(1, room - 1 - sum(wide + 1 for wide in wides))
    places, left = [Place(_("whose"), 1, named)], 1 + named
    for (title, _cells), wide in zip(figures, wides, strict=True):
        places.append(Place(title, left + 1, wide, right=True))
        left += 1 + wide
    lines = [
        Line(
            index,
            (
                Cell(name, "player"),
                *(
                    Cell(cells[index], "last" if title == _("late") and cells[index] else "")
                    for title, cells in figures
                ),
            ),
        )
        for index, name in enumerate(names)
    ]
    return tuple(places), lines


WIDE: Final = 110  # columns from which on the list has more room
ROWS_MOST: Final = 32  # of the picture
AGAIN_S: Final = 5.0  # turns come all the time, and nobody reads a picture that changes faster
_LOOKS: Final = {"bar": "$primary-lighten-2", "late": "bold $error", "axis": "$text-muted", "mark": "bold"}
WHY_NOT: Final[Mapping[str, str]] = {
    "under_way": N_("under way"), "void": N_("dealt anew"), "partial": N_("start not known"),
    "stopped": N_("the clock stood"), "changed": N_("time or seat changed"),
    "ended_otherwise": N_("not ended by the player"),
}  # fmt: skip
ORDERS: Final = (N_("slowest median first"), N_("slowest tenth first"), N_("most time-outs first"), N_("by name"))


class Picture(Vertical):
    """Words and pictures that are as high as there is room."""

    class Resized(Message):
        """There is other room."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


class TimesScreen(DeskWork):
    """Turns are read from the hall's model when they have grown, every five seconds at most."""

    NAME = N_("Move times")
    WAY = "times"
    NAMES_NEXT = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 -- as Textual declares it
    AUTO_FOCUS = "#times-list"
    CSS = """
    TimesScreen #times-list { width: 36; height: 1fr; }
    TimesScreen.-wide #times-list { width: 52; }
    TimesScreen #times-picture { width: 1fr; height: 1fr; padding: 0 1; }
    TimesScreen #times-said, TimesScreen #times-order { height: auto; }
    TimesScreen #times-plot { height: auto; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.bind_keys(
            ("p", "players", _("players or tables")), ("o", "order", _("order")), ("r", "scope", _("round or day"))
        )
        self._tables = False
        self._order = 0
        self._day = False
        self._grown = True
        self._count = 0

    def compose_work(self) -> ComposeResult:
        """The list beside words and pictures."""
        with Horizontal():
            yield TimeList()
            with Picture(id="times-picture"):
                yield Static(id="times-said", markup=False)
                yield Static(id="times-plot", markup=False)
                yield Static(id="times-order", markup=False)

    def on_mount(self) -> None:
        """Look again and again."""
        if not self.room.frozen:
            self.set_interval(AGAIN_S, self._look_again)

    def on_facts_recorded(self, _recorded: FactsRecorded) -> None:
        """It is looked at soon."""
        self._grown = True

    def on_picture_resized(self) -> None:
        """As large as it gets now."""
        self.call_after_refresh(self._draw)

    def on_pick_list_moved(self, _moved: PickList.Moved) -> None:
        """The picture of whoever is chosen."""
        self._draw()

    def buttons(self) -> Sequence[Button]:
        """What can be looked at."""
        return [
            Button("p", _("players or tables"), "players"), Button("o", _("order"), "order"),
            Button("r", _("round or day"), "scope"), *self.common_buttons(),
        ]  # fmt: skip

    def help_text(self) -> str:
        """What the picture shows."""
        return explanation()

    def headline(self) -> str:
        """Of which round, how many, in which order."""
        one = self.page.round
        whose = (
            ngettext("{count} table", "{count} tables", self._count)
            if self._tables
            else ngettext("{count} player", "{count} players", self._count)
        ).format(count=self._count)
        scope = round_name(*one.key) if self._of_round and one is not None else _("all rounds")
        return " · ".join([_(self.NAME), scope, whose, _(ORDERS[self._order])])

    @property
    def _of_round(self) -> bool:
        """Whether only the games of the round that is played are looked at."""
        return not self._day and bool(self.page.boxes)

    def show_page(self) -> None:
        """Work everything out anew."""
        self._grown = False
        hall = self.room.feed.hall
        of = of_tables if self._tables else of_players
        wanted = in_games(self.page.boxes.values()) if self._of_round else None
        times = _ordered(of({table: hall.turns(table) for table in hall.tables()}, wanted), self._order)
        self._count = len(times)
        self.query_one(TimeList).show_times(times)
        self.query_one(Headline).show(self.room.feed, self.headline())

    def action_players(self) -> None:
        """Players, or tables."""
        self._tables = not self._tables
        self.refresh_page()

    def action_order(self) -> None:
        """The next order."""
        self._order = (self._order + 1) % len(ORDERS)
        self.refresh_page()

    def action_scope(self) -> None:
        """The games of the round that is played, or all there are."""
        self._day = not self._day
        self.refresh_page()

    def _look(self) -> None:
        """What has come in is drawn soon, not at once."""
        if self.is_attached and self._ready:
            self._show_live()

    def _look_again(self) -> None:
        if self._grown and self.is_active:
            self.refresh_page()

    def _draw(self) -> None:
        times = self.query_one(TimeList).whose
        said, plot, order = (self.query_one(f"#times-{name}", Static) for name in ("said", "plot", "order"))
        if times is None:
            said.update(Content(_("No move has been made yet.")))
            plot.update("")
            order.update("")
            return
        said.update(Content("\n").join(map(Content, sentences(times))))
        room = self.query_one(Picture).scrollable_content_region
        rows = room.height - said_rows(sentences(times), room.width) - 2
        lines = histogram(times, room.width, min(rows, ROWS_MOST))
        plot.update(Content("\n").join(map(_content, lines)))
        latest = _content(in_order(times.moves, room.width)) if times.moves else Content("")
        order.update(Content("\n").join([Content.styled(_("Move by move, the latest on the right:"), "dim"), latest]))


def sentences(times: MoveTimes) -> list[str]:
    """What the picture shows, a line each: whose, how many moves, median and time-outs, the slowest tenth, what is left
    out.
    """
    late, moves = times.time_outs, len(times.moves)
    head = [ngettext("{count} move", "{count} moves", moves).format(count=moves)]
    if times.limits:
        head.append(_("limit {seconds} s").format(seconds=", ".join(map(rounded, times.limits))))
    said = [f"{whose_words(times.whose)}: {', '.join(head)}"]
    if moves:
        said.append(
            f"{MEDIAN} "
            + _("median {seconds} s").format(seconds=rounded(times.median_ms))
            + f"   {LATE} "
            + ngettext("{count} time-out", "{count} time-outs", late).format(count=late)
        )
        said.append(f"{SLOW} " + _("slowest tenth {seconds} s or more").format(seconds=rounded(times.slow_ms)))
    if times.left_out:
        left = ", ".join(f"{_(WHY_NOT[why])} {count}" for why, count in times.left_out.items())
        said.append(_("Not counted: {moves}").format(moves=left))
    return said


def said_rows(texts: Sequence[str], width: int) -> int:
    """Rows that these take when they are wrapped."""
    return sum(len(Content(text).wrap(width)) for text in texts) if width > 0 else len(texts)


def explanation() -> str:
    """The help of this screen."""
    return "\n\n".join([
        _("Each bar says how many moves took so many seconds; the scale ends at the limit. Moves that ran out of time "
          "stand apart on the right, under ×."),
        _("▲ median: half of the moves took no longer. △ slowest tenth: one move in ten took this long or longer."),
        _("Below it each move stands in its order, as high as the part of the limit that it took; × is a time-out."),
        _("Only moves that a player made from beginning to end alone are counted. How many are left out, and why, "
          "stands beside: the clock stood, the referee changed time or seat, the deal was dealt anew."),
        _("p: players or tables.  o: another order.  r: this round or all rounds.  ↑ ↓ or a click: choose."),
    ])  # fmt: skip


def _ordered(times: Sequence[MoveTimes], order: int) -> list[MoveTimes]:
    figures: tuple[Callable[[MoveTimes], int], ...] = (
        lambda one: -(one.median_ms or 0), lambda one: -(one.slow_ms or 0), lambda one: -one.time_outs,
    )  # fmt: skip
    named = sorted(times, key=lambda one: (one.whose.table, one.whose.seat or 0, whose_words(one.whose).casefold()))
    return named if order >= len(figures) else sorted(named, key=figures[order])


def _content(pieces: Sequence[Piece]) -> Content:
    return Content.assemble(*((text, _LOOKS[look]) for text, look in pieces))
