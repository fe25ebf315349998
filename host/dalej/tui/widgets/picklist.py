"""Lines to choose one of, by key or mouse; some are headings, which the cursor passes over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len
from textual import events
from textual.message import Message

from dalej.tui.widgets.grid import Grid, Line, Place
from dalej.words import _

HEADING: Final = -1  # in place of a line's number


class PickList(Grid, can_focus=True):
    """`number`: of the line with the cursor, None while there is none."""

    DEFAULT_CSS = """
    PickList { overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    """

    class Taken(Message):
        """A line was clicked, or entered by key."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class Moved(Message):
        """The cursor is on another line, or what the line is about has changed."""

    class Left(Message):
        """Up from the first line."""

    def __init__(self, *, id: str, header: bool = True) -> None:  # noqa: A002 -- Textual's name for it
        super().__init__(header=header, id=id)
        self.step_by()
        self._bindings.bind("enter", "open", _("open"), key_display="Enter")

    @property
    def number(self) -> int | None:
        """The chosen line's."""
        return None if self.chosen is None or self.chosen >= len(self.lines) else self.lines[self.chosen].table

    def show_lines(self, places: tuple[Place, ...], lines: Sequence[Line]) -> None:
        """Say this; the cursor stays with its number, or near where it was."""
        number, index = self.number, self.chosen
        self.show(places, lines)
        there = next((y for y, line in enumerate(lines) if line.table == number and number is not None), None)
        self.choose(self._near(index or 0) if there is None else there)
        self.post_message(self.Moved())

    def choose_number(self, number: int) -> None:
        """Put the cursor on the line of that number."""
        for index, line in enumerate(self.lines):
            if line.table == number:
                self.choose(index)
                self.post_message(self.Moved())

    def on_mouse_down(self, press: events.MouseDown) -> None:
        """Choose at once what is pressed."""
        at = self._table_at(press)
        if at is not None and at != HEADING:
            self.choose_number(at)

    def on_click(self, click: events.Click) -> None:
        """A click where the button went down picks the line."""
        at, self._pressed = self._table_at(click), None
        if at is not None and at != HEADING and at == self.number:
            self.post_message(self.Taken(at))

    def action_step(self, by: int) -> None:
        """Up or down by so many lines, on a line that is no heading."""
        if not self.lines:
            return
        index = min(len(self.lines) - 1, max(0, (self.chosen or 0) + by))
        found = self._from(index, 1 if by > 0 else -1)
        if found is None or found == self.chosen:
            if by == -1:
                self.post_message(self.Left())
                return
            found = self._near(index)
        self.choose(found)
        if found is not None and not any(line.table != HEADING for line in self.lines[:found]):
            self.scroll_to(y=0, animate=False)  # the heading above it comes into sight
        self.post_message(self.Moved())

    def action_open(self) -> None:
        """Pick the chosen line."""
        if self.number is not None:
            self.post_message(self.Taken(self.number))

    def _from(self, index: int, by: int) -> int | None:
        while 0 <= index < len(self.lines):
            if self.lines[index].table != HEADING:
                return index
            index += by
        return None

    def _near(self, index: int) -> int | None:
        index = min(index, len(self.lines) - 1)
        down = self._from(max(0, index), 1)
        return down if down is not None else self._from(index, -1)


def placed(room: int, columns: Iterable[tuple[str, int, int]]) -> tuple[Place, ...]:
    """Columns side by side: title, least width and share of what room is left over. None is narrower than its title.
    Those that have no room are left out, the last first.
    """
    wanted = [(title, max(least, cell_len(title)), share) for title, least, share in columns]
    while len(wanted) > 1 and 1 + sum(least + 1 for _title, least, _share in wanted) > room:
        wanted.pop()
    spare = max(0, room - 1 - sum(least + 1 for _title, least, _share in wanted))
    shares = sum(share for _title, _least, share in wanted) or 1
    places, left = [], 1
    for title, least, share in wanted:
        width = least + spare * share // shares
        places.append(Place(title, left, width))
        left += width + 1
    return tuple(places)
