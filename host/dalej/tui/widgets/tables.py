"""The tables of the hall, one line each, in the order that the screen gives; the cursor stays on its table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dalej.hall.seen import Row
from dalej.tui.cells import Column, Known, cells, columns, standing
from dalej.tui.widgets.grid import Grid, Line, Place
from dalej.words import _


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
