"""Lines of cells under a header, redrawn cell by cell; and lines to choose one of, some of which are headings that
the cursor passes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from dalej.words import _

LOOKS: Final = (
    "header", "cursor", "table", "player", "quiet", "runs", "hurry", "last", "late", "stands", "urgent", "patient",
    "silent",
)  # fmt: skip
CURSOR: Final = "▸"
MADE_MOST: Final = 5_000  # drawn cells that are kept for the next time


class Cell(NamedTuple):
    """Text, and its look: one of `LOOKS`, "" for plain. A text that is too long runs on over empty cells beside it."""

    text: str
    look: str = ""


class Place(NamedTuple):
    """A column on the line: `width` characters from `left` on, one blank before; `right`: text stands to the right."""

    title: str
    left: int
    width: int
    right: bool = False


class Line(NamedTuple):
    """What a line says, and the table it is about; several lines may be about one table."""

    table: int
    cells: tuple[Cell, ...]


class Grid(ScrollView, can_focus=False, inherit_bindings=False):
    """`chosen`: index of the line with the cursor, None if there is none. `drawn`: cells drawn anew so far.

    `by`: how many lines more there is room for at a time, once they do not all fit.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"grid--{look}" for look in LOOKS}

    class Picked(Message):
        """A line was clicked, or entered by key."""

        def __init__(self, grid: Grid, table: int) -> None:
            super().__init__()
            self.grid = grid
            self.table = table

        @property
        def control(self) -> Grid:
            """Whose line."""
            return self.grid

    def __init__(self, *, header: bool, id: str, by: int = 1) -> None:  # noqa: A002 -- Textual's name for it
        super().__init__(id=id)
        self.chosen: int | None = None
        self.drawn = 0
        self.lines: Sequence[Line] = ()
        self._places: tuple[Place, ...] = ()
        self._above = 1 if header else 0
        self._by = by
        self._pressed: int | None = None
        self._styles_of: dict[str, Style] = {}
        self._segments: dict[tuple[Cell, int, int, bool, Style], tuple[Segment, ...]] = {}

    def step_by(self, up: str = "up", down: str = "down") -> None:
        """The keys of a list with a cursor, whose class has the action `step`."""
        self._bindings.bind(up, "step(-1)", _("choose"), key_display="↑↓")
        self._bindings.bind(down, "step(1)", show=False)
        self._bindings.bind("pageup", "step(-10)", show=False)
        self._bindings.bind("pagedown", "step(10)", show=False)
        self._bindings.bind("home", "step(-10000)", show=False)
        self._bindings.bind("end", "step(10000)", show=False)

    @property
    def room(self) -> int:
        """Characters on a line, beside the scrollbar whether there is one now or not."""
        return self.scrollable_content_region.width

    def show(self, places: tuple[Place, ...], lines: Sequence[Line]) -> None:
        """Say this from now on; only what differs from before is drawn."""
        before, self.lines = self.lines, lines
        if places != self._places:
            self._places = places
            self.drawn += sum(len(line.cells) for line in lines)
            self._fit()
            self.refresh()
            return
        changed = [
            (
                y,
                place,
                place.width if max(len(was.text), len(now.text)) <= place.width else self.size.width - place.left,
            )
            for y, (old, new) in enumerate(zip(before, lines, strict=False))
            if old is not new
            for place, was, now in zip(places, old.cells, new.cells, strict=True)
            if was != now
        ]
        come_or_gone = range(*sorted((len(before), len(lines))))
        self.drawn += len(changed) + len(come_or_gone) * len(places)
        if come_or_gone:
            self._fit()
        self._redraw(
            [
                *(
                    Region(place.left - 1, y, width + 1, 1) for y, place, width in changed
                ),  # a text may have run up to it
                *(Region(0, y, self.size.width, 1) for y in come_or_gone),
            ]
        )

    def choose(self, index: int | None) -> None:
        """Put the cursor on a line and scroll it into view."""
        if index == self.chosen:
            return
        moved = [self.chosen, index]
        self.chosen = index
        self._redraw([Region(0, y, self.size.width, 1) for y in moved if y is not None])
        self._scroll_to_chosen()

    def render_line(self, y: int) -> Strip:
        """The header stays; lines scroll beneath it."""
        plain, width = self._style(""), self.size.width
        if y < self._above:
            titles = tuple(Cell(place.title, "header") for place in self._places)
            return self._strip(titles, plain + self._style("header"), " ", width)
        index = y - self._above + self.scroll_offset.y
        if index >= len(self.lines):
            return Strip.blank(width, plain)
        if index == self.chosen:
            return self._strip(self.lines[index].cells, plain + self._style("cursor"), CURSOR, width)
        return self._strip(self.lines[index].cells, plain, " ", width)

    def on_mouse_down(self, press: events.MouseDown) -> None:
        """What is under the pointer now is what is meant, even if lines move before the button is up."""
        self._pressed = self._table_at(press)

    def on_click(self, click: events.Click) -> None:
        """A click on a line picks its table."""
        table = self._table_at(click) if self._pressed is None else self._pressed
        if self._table_at(click) is not None and table is not None:
            self.post_message(self.Picked(self, table))
        self._pressed = None

    def on_resize(self) -> None:
        """Columns follow the room there is: whoever shows is asked by the screen."""
        self._fit()
        self._scroll_to_chosen()

    def notify_style_update(self) -> None:
        """Another theme."""
        self._styles_of.clear()
        self._segments.clear()
        super().notify_style_update()

    def _fit(self) -> None:
        """Another size lays out the whole screen anew: blank lines count too, and some more where lines come and go."""
        lines = len(self.lines) + self._above
        if lines > self.size.height:
            lines = -(-lines // self._by) * self._by
        self.virtual_size = Size(self.size.width, max(self.size.height, lines))

    def _scroll_to_chosen(self) -> None:
        if self.chosen is not None:
            room = max(1, self.size.height - self._above)
            top = min(self.chosen, max(self.scroll_offset.y, self.chosen - room + 1))
            if top != self.scroll_offset.y:
                self.scroll_to(y=top, animate=False)

    def _table_at(self, event: events.MouseEvent) -> int | None:
        """The table whose line the pointer is on."""
        at = event.get_content_offset(self)
        if at is None or at.y < self._above:
            return None
        index = at.y - self._above + self.scroll_offset.y
        return self.lines[index].table if index < len(self.lines) else None

    def _redraw(self, regions: list[Region]) -> None:
        room = Region(0, self._above, self.size.width, self.size.height - self._above)
        shift = self._above - self.scroll_offset.y
        seen = [region.translate((0, shift)).intersection(room) for region in regions]
        if dirty := [region for region in seen if region]:
            self.refresh(*dirty)

    def _style(self, look: str) -> Style:
        if look not in self._styles_of:
            self._styles_of[look] = self._style_of(look) if look else self.rich_style
        return self._styles_of[look]

    def _style_of(self, look: str) -> Style:
        """Without the background, unless it has one of its own; muted colours are worked out against the widget's."""
        style = self.get_component_rich_style(f"grid--{look}", partial=True)
        return style + Style(color=self.get_component_rich_style(f"grid--{look}").color) if style.color else style

    def _strip(self, cells: tuple[Cell, ...], base: Style, first: str, width: int) -> Strip:
        segments, used, last = [Segment(first, base)], 1, len(cells) - 1
        for at, (place, cell) in enumerate(zip(self._places, cells, strict=True)):
            if not cell.text and used > place.left:
                continue  # the text before runs over it
            if len(cell.text) > place.width and at < last and not place.right:
                place = self._with_room_beside(at, cells)  # noqa: PLW2901 -- the same column, wider
            key = (cell, place.left - used, place.width, place.right, base)
            segment = self._segments.get(key)
            if segment is None:
                segment = self._segments[key] = self._segment(cell, place, used, base)
            segments += segment
            used = place.left + place.width
        if used < width:
            segments.append(Segment(" " * (width - used), base))
        strip = Strip(segments, max(used, width))
        return strip if used <= width else strip.crop(0, width)

    def _with_room_beside(self, at: int, cells: tuple[Cell, ...]) -> Place:
        """The column as wide as it may be on this line."""
        place, until = self._places[at], self._places[at]
        for other, beside in zip(self._places[at + 1 :], cells[at + 1 :], strict=True):
            if beside.text:
                return place._replace(
                    width=max(place.width, min(other.left - 1, until.left + until.width) - place.left)
                )
            until = other
        return place._replace(width=until.left + until.width - place.left)

    def _segment(self, cell: Cell, place: Place, used: int, base: Style) -> tuple[Segment, ...]:
        if len(self._segments) > MADE_MOST:
            self._segments.clear()
        style = base + self._style(cell.look) if cell.look else base
        text = Segment(fitted(cell.text, place.width, right=place.right), style)
        return (Segment(" " * (place.left - used), base), text) if place.left > used else (text,)


def first_fit(texts: Sequence[str], width: int) -> str:
    """The first of these texts that has room on `width` columns, else the last."""
    return next((text for text in texts if cell_len(text) <= width), texts[-1])


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """The text on `width` columns of the screen; what does not fit ends in `…`."""
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…" if width else ""
    return " " * (width - length) + text if right else text + " " * (width - length)


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
