"""Players or tables, one line each, with what is to be said of their move times; the cursor stays with whose it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual.message import Message

from dalej.domain.facts import seat_name
from dalej.hall.movetimes import MoveTimes, Whose
from dalej.tui.widgets.grid import Cell, Grid, Line, Place
from dalej.words import _, readable

_NAME_LEAST: Final = 6


class TimeList(Grid, can_focus=True):
    """`whose`: the line with the cursor, None while there is none. Says `Chosen` when that is another."""

    class Chosen(Message):
        """The cursor stands on another line."""

    def __init__(self) -> None:
        super().__init__(header=True, id="times-list")
        self.step_by()
        self._all: Sequence[MoveTimes] = ()

    @property
    def whose(self) -> MoveTimes | None:
        """What stands on the line with the cursor."""
        return None if self.chosen is None or self.chosen >= len(self._all) else self._all[self.chosen]

    def show_times(self, times: Sequence[MoveTimes]) -> None:
        """These lines in this order."""
        before = None if self.whose is None else self.whose.whose
        self._all = times
        places, lines = _laid(times, self.room)
        self.show(places, lines)
        at = next((index for index, one in enumerate(times) if one.whose == before), 0)
        self.choose(at if times else None)
        self.post_message(self.Chosen())

    def action_step(self, by: int) -> None:
        """Up or down by so many lines."""
        if self._all:
            self.go_to(min(len(self._all) - 1, max(0, (self.chosen or 0) + by)))

    def go_to(self, index: int) -> None:
        """Put the cursor there and say so."""
        self.choose(index)
        self.post_message(self.Chosen())


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
