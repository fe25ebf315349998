"""The tables of a round with their four chairs, drawn as cards side by side, a chair to be pointed at; beside them
who has no chair, who misses the round, and a new table where one can be opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from dalej.domain.game.facts import SEATS
from dalej.tui.widgets.grid import HEADING, Cell, Line, PickList, Place, fitted
from dalej.words import _, ngettext

CARD_LEAST: Final = 25  # columns
CARD_MOST: Final = 44
CARD_HEIGHT: Final = len(SEATS) + 2  # a title, the chairs, a blank line
LOOKS: Final = ("title", "quiet", "cursor", "held", "target", "refused", "met", "gone")
CURSOR, TARGET, REFUSED = "▸", "◉", "✗"


@dataclass(frozen=True, slots=True)
class ChairShown:
    """Who sits there, 0 and "" for an empty chair. `mark`: a word or shape behind the name; `look`: of the name."""

    player: int = 0
    name: str = ""
    group: str = ""
    mark: str = ""
    look: str = ""


@dataclass(frozen=True, slots=True)
class TableShown:
    """A card. `note`: behind its number."""

    table: int
    chairs: tuple[ChairShown, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A chair of the plan; seat 0..3."""

    table: int
    seat: int


class SeatingPlan(ScrollView, can_focus=True, inherit_bindings=False):
    """`spot`: the chair with the cursor. `held`: the player who is picked up; `target`: the chair it would go to, and
    `refused` whether it may not.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"seatingplan--{look}" for look in LOOKS}
    DEFAULT_CSS = """
    SeatingPlan { width: 1fr; height: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable;
        background: $background; color: $foreground; }
    SeatingPlan > .seatingplan--title { text-style: bold; color: $text-primary; }
    SeatingPlan > .seatingplan--quiet { color: $text-muted; }
    SeatingPlan > .seatingplan--cursor { background: $surface-lighten-2; text-style: bold; }
    SeatingPlan > .seatingplan--held { text-style: reverse; }
    SeatingPlan > .seatingplan--target { background: $success; color: $text; text-style: bold; }
    SeatingPlan > .seatingplan--refused { background: $error; color: $text; text-style: bold; }
    SeatingPlan > .seatingplan--met { color: $text-warning; }
    SeatingPlan > .seatingplan--gone { color: $text-muted; text-style: strike; }
    """

    class Moved(Message):
        """The cursor is on another chair."""

    class Over(Message):
        """The cursor would leave the plan to the right."""

    def __init__(self) -> None:
        super().__init__(id="plan")
        self.held = 0
        self.target: Spot | None = None
        self.refused = False
        self._tables: tuple[TableShown, ...] = ()
        self._at: tuple[int, int] = (0, 0)  # which card, which chair
        for key, by in (("up", (0, -1)), ("down", (0, 1)), ("left", (-1, 0)), ("right", (1, 0))):
            self._bindings.bind(key, f"step({by[0]}, {by[1]})", show=False)
        self._bindings.bind("home", "first", show=False)
        self._bindings.bind("end", "last", show=False)

    @property
    def spot(self) -> Spot | None:
        """The chair with the cursor, None while there is no table."""
        if not self._tables:
            return None
        return Spot(self._tables[self._at[0]].table, self._at[1])

    def show_tables(self, tables: Sequence[TableShown]) -> None:
        """These, in this order; the cursor stays on its chair."""
        spot = self.spot
        if tuple(tables) != self._tables:
            self._tables = tuple(tables)
            self._fit()
        self._at = (min(self._at[0], max(0, len(self._tables) - 1)), self._at[1])
        if spot is not None:
            self._put(spot)
        self.refresh()

    def shown(self, spot: Spot) -> ChairShown | None:
        """What is drawn on that chair."""
        return next((one.chairs[spot.seat] for one in self._tables if one.table == spot.table), None)

    def go(self, spot: Spot) -> None:
        """Put the cursor on that chair and bring it into sight."""
        self._put(spot)
        self._reveal()
        self.refresh()
        self.post_message(self.Moved())

    def spot_at(self, screen: Offset) -> Spot | None:
        """The chair under that place of the screen; a title belongs to no chair."""
        if not self.content_region.contains_point(screen):
            return None
        at = screen - self.content_region.offset + self.scroll_offset
        card, chair = at.y // CARD_HEIGHT * self._columns + min(at.x // self._width, self._columns - 1), at.y
        chair = chair % CARD_HEIGHT - 1
        if 0 <= chair < len(SEATS) and card < len(self._tables):
            return Spot(self._tables[card].table, chair)
        return None

    def place_of(self, spot: Spot) -> Offset | None:
        """Where a chair is drawn, within the widget; None if it is scrolled away or there is none."""
        card = next((index for index, one in enumerate(self._tables) if one.table == spot.table), None)
        if card is None:
            return None
        at = (
            Offset(card % self._columns * self._width + 4, card // self._columns * CARD_HEIGHT + 1 + spot.seat)
            - self.scroll_offset
        )
        return at if 0 <= at.y < self.size.height else None

    def nudge(self, screen: Offset) -> None:
        """Scroll on by a line if that place of the screen is at the upper or lower edge, where one pulls somebody."""
        region = self.content_region
        if region.x <= screen.x < region.right and screen.y in (region.y, region.bottom - 1):
            self.scroll_relative(y=-1 if screen.y == region.y else 1, animate=False)

    def mark(self, *, held: int = 0, target: Spot | None = None, refused: bool = False) -> None:
        """Show who is picked up and where it would go."""
        if (held, target, refused) != (self.held, self.target, self.refused):
            self.held, self.target, self.refused = held, target, refused
            self.refresh()

    def action_step(self, across: int, down: int) -> None:
        """To the chair beside or below; to the right of the last column there is the bench."""
        if not self._tables:
            self.post_message(self.Over())
            return
        card, chair = self._at
        if across:
            column = card % self._columns + across
            if column >= self._columns or (across > 0 and card + 1 >= len(self._tables)):
                self.post_message(self.Over())
                return
            card += across if column >= 0 else 0
        else:
            chair += down
            if not 0 <= chair < len(SEATS):
                beyond = card + down * self._columns
                last = len(self._tables) - 1
                if beyond > last and card // self._columns < last // self._columns:
                    beyond = last  # the last row of cards is shorter
                if not 0 <= beyond <= last:
                    return
                card, chair = beyond, chair % len(SEATS)
        self._at = (card, chair)
        self._reveal()
        self.refresh()
        self.post_message(self.Moved())

    def action_first(self) -> None:
        """To the first chair."""
        if self._tables:
            self.go(Spot(self._tables[0].table, 0))

    def action_last(self) -> None:
        """To the last chair."""
        if self._tables:
            self.go(Spot(self._tables[-1].table, len(SEATS) - 1))

    def on_resize(self) -> None:
        """Other columns."""
        self._fit()
        self._reveal()

    def render_line(self, y: int) -> Strip:
        """One line of all the cards that it goes through."""
        base, width = self.rich_style, self.size.width
        row, line = divmod(y + self.scroll_offset.y, CARD_HEIGHT)
        cards = self._tables[row * self._columns : (row + 1) * self._columns]
        if not cards or line > len(SEATS):
            return Strip.blank(width, base)
        segments: list[Segment] = []
        for card in cards:
            segments += self._title(card, base) if line == 0 else self._chair(card, line - 1, base)
        return Strip(segments).adjust_cell_length(width, base)

    @property
    def _columns(self) -> int:
        return max(1, self.size.width // CARD_LEAST)

    @property
    def _width(self) -> int:
        return max(4, min(CARD_MOST, self.size.width // self._columns))

    def _title(self, card: TableShown, base: Style) -> list[Segment]:
        title = " " + _("Table {table}").format(table=card.table)
        note = f" · {card.note}" if card.note else ""
        room = self._width - 1
        text = fitted(title + note, room)
        cut = len(title)
        return [
            Segment(text[:cut], base + self._look("title")), Segment(text[cut:], base + self._look("quiet")),
            Segment(" ", base),
        ]  # fmt: skip

    def _chair(self, card: TableShown, seat: int, base: Style) -> list[Segment]:
        chair, spot = card.chairs[seat], Spot(card.table, seat)
        sign, style = " ", base
        if spot == self.target:
            sign, style = (
                (REFUSED, base + self._look("refused")) if self.refused else (TARGET, base + self._look("target"))
            )
        elif chair.player and chair.player == self.held:
            sign, style = "»", base + self._look("held")
        elif spot == self.spot and self.has_focus:
            sign, style = CURSOR, base + self._look("cursor")
        marked = f" {chair.mark}" if chair.mark else ""
        room = self._width - 5 - len(marked)
        name = chair.name or "–"
        plain = style is base
        if chair.group and room - len(name) > len(chair.group) + 3:
            name = f"{name} ({chair.group})"
        look = style + self._look(chair.look) if plain and chair.look else style
        return [
            Segment(f"{sign}{SEATS[seat]} ", style if not plain else base + self._look("quiet")),
            Segment(fitted(name, max(1, room)), look),
            Segment(marked, style + self._look("met") if plain else style),
            Segment(" ", style), Segment(" ", base),
        ]  # fmt: skip

    def _look(self, look: str) -> Style:
        return self.get_component_rich_style(f"seatingplan--{look}", partial=True)

    def _put(self, spot: Spot) -> None:
        for index, one in enumerate(self._tables):
            if one.table == spot.table:
                self._at = (index, spot.seat)

    def _fit(self) -> None:
        rows = -(-len(self._tables) // self._columns)
        self.virtual_size = Size(self.size.width, max(self.size.height, rows * CARD_HEIGHT))
        self.refresh()

    def _reveal(self) -> None:
        top = self._at[0] // self._columns * CARD_HEIGHT
        y, height = self.scroll_offset.y, self.size.height
        if top < y:
            self.scroll_to(y=top, animate=False)
        elif top + CARD_HEIGHT - 1 > y + height:
            self.scroll_to(y=top + CARD_HEIGHT - 1 - height, animate=False)


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
