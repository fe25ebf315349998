"""Beside the tables: who has no chair, who misses the round, and a new table where one can be opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip

from dalej.tui.widgets.grid import Cell, Line, Place
from dalej.tui.widgets.picklist import HEADING, PickList
from dalej.words import _, ngettext

NEW_TABLE = 0  # in place of a player's number: the line of a new table
EMPTY = -2  # a line that says that nobody is there

Part = Literal["free", "absent", "new"]


@dataclass(frozen=True, slots=True)
class OnBench:
    """Somebody without a chair. `note`: behind the name."""

    player: int
    name: str
    note: str = ""


class Bench(PickList):
    """`part_at`: what a place of the screen belongs to. A player who is dropped there misses the round, or does not."""

    DEFAULT_CSS = """
    Bench { width: 27; height: 1fr; min-height: 0; border-left: solid $primary; }
    Bench.-drop { border-left: heavy $success; background: $boost; }
    Bench.-refused { border-left: heavy $error; }
    """

    class Back(Message):
        """The cursor would leave to the left."""

    def __init__(self) -> None:
        super().__init__(id="bench", header=False)
        self._bindings.bind("left", "back", show=False)
        self._absent_from = 0
        self._people: list[Line] = []

    def show_people(self, free: Sequence[OnBench], absent: Sequence[OnBench], *, new_table: bool) -> None:
        """These."""
        lines = [_heading(ngettext("NO CHAIR: {count}", "NO CHAIR: {count}", len(free)).format(count=len(free)))]
        lines += [_line(one) for one in free] or [_nobody(_("everybody sits"))]
        if new_table:
            lines.append(Line(NEW_TABLE, (Cell("+ " + _("a new table"), "runs"),)))
        lines.append(_heading(""))
        self._absent_from = len(lines)
        lines.append(_heading(ngettext("ABSENT: {count}", "ABSENT: {count}", len(absent)).format(count=len(absent))))
        lines += [_line(one) for one in absent] or [_nobody(_("nobody"))]
        self._people = lines
        self._lay_out()

    def on_resize(self) -> None:
        """Another width."""
        super().on_resize()
        self._lay_out()

    def _lay_out(self) -> None:
        self.show_lines((Place("", 1, max(1, self.room - 1)),), self._people)

    @property
    def part(self) -> Part:
        """Where the cursor is."""
        return self._part(self.chosen or 0)

    def part_at(self, screen: Offset) -> Part | None:
        """What is under that place of the screen; below all lines it is who is absent."""
        if not self.region.contains_point(screen):
            return None
        return self._part(screen.y - self.content_region.y + self.scroll_offset.y)

    def player_at(self, screen: Offset) -> int:
        """Who is under that place of the screen, 0 for nobody."""
        index = screen.y - self.content_region.y + self.scroll_offset.y
        if not self.content_region.contains_point(screen) or index >= len(self.lines):
            return 0
        return max(0, self.lines[index].table)

    def mark(self, *, drop: bool = False, refused: bool = False) -> None:
        """Show that somebody would be dropped here."""
        self.set_class(drop and not refused, "-drop")
        self.set_class(drop and refused, "-refused")

    def render_line(self, y: int) -> Strip:
        """The cursor is drawn only where the keys go."""
        if self.has_focus:
            return super().render_line(y)
        chosen, self.chosen = self.chosen, None
        try:
            return super().render_line(y)
        finally:
            self.chosen = chosen

    def action_back(self) -> None:
        """To the tables."""
        self.post_message(self.Back())

    def on_click(self, click: events.Click) -> None:
        """A click only chooses; what is done with the mouse is done by dragging."""

    def _part(self, index: int) -> Part:
        if index < len(self.lines) and self.lines[index].table == NEW_TABLE:
            return "new"
        return "free" if index < self._absent_from - 1 else "absent"


def _heading(text: str) -> Line:
    return Line(HEADING, (Cell(text, "table"),))


def _nobody(text: str) -> Line:
    return Line(EMPTY, (Cell(f"({text})", "quiet"),))


def _line(one: OnBench) -> Line:
    note = f" ({one.note})" if one.note else ""
    return Line(one.player, (Cell(f"{one.name}{note}"),))
