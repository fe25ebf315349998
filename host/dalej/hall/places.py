"""Which box stands on which table, and who sits there: a fold over the ledger's decisions.

Of several standing decisions the latest counts; what it replaced counts again when it is revoked. What is decided about
boxes is in `dalej.boxtables`, about people in `dalej.hall.people`; a box of which nothing is decided stands where the
desk says, else it gets a number as `dalej.eventlog.tables` gives it.
"""

from __future__ import annotations

from dalej.boxtables import BoxTables, Stay
from dalej.hall.people import People
from dalej.ledger import Decision
from dalej.words import readable


class Places:
    """Boxes are uids in lower-case hex, tables numbers from 1. `version`: another number whenever anything here may be
    answered otherwise than before. `people`: who sits where.
    """

    def __init__(self) -> None:
        self.version = 0
        self.people = People()
        self._boxes = BoxTables()
        self._met: dict[str, None] = {}
        self._told: dict[str, int] = {}
        self._table_of: dict[str, int] = {}
        self._box_of: dict[int, str] = {}
        self._settled = True
        self._tables: list[int] | None = None

    def decide(self, decision: Decision) -> set[int] | None:
        """Take in one decision, of whatever kind; the tables that it concerns, None: it may be any.

        Damaged or WrongInput, and nothing changed, if it says nothing.
        """
        self.version += 1
        moved = self._boxes.decide(decision)
        touched = self.people.decide(decision)
        if moved:
            self._settled = False
        if touched != set():
            self._tables = None
        return None if moved or decision.revokes is not None else touched

    def met(self, box: str) -> bool:
        """The box is mentioned in the ledger; whether that is news."""
        if box in self._met:
            return False
        self._met[box] = None
        self.version += 1
        self._settled = self._settled and box in self._table_of
        return True

    def told(self, box: str, table: int) -> None:
        """The desk says that the box stands on this table."""
        if self._told.get(box) != table:
            self._told[box] = table
            self.version += 1
            self._settled = False

    def table_of(self, box: str) -> int | None:
        """The table that the box stands on; None if nobody has heard of it."""
        self._settle()
        return self._table_of.get(box)

    def box_of(self, table: int) -> str:
        """The box that stands on the table, "" if none does."""
        self._settle()
        return self._box_of.get(table, "")

    def tables(self) -> list[int]:
        """Every table with a box, or with people."""
        self._settle()
        if self._tables is None:
            self._tables = sorted(self._box_of.keys() | self.people.tables)
        return list(self._tables)

    def has(self, table: int) -> bool:
        """Whether there is such a table."""
        self._settle()
        return table in self._box_of or table in self.people.tables

    def boxes(self, table: int) -> list[str]:
        """Every box that stands on the table or was assigned to it."""
        self._settle()
        return list(
            dict.fromkeys([*self._boxes.boxes(table), *(box for box, on in self._table_of.items() if on == table)])
        )

    def called(self, box: str) -> str:
        """How a person speaks of the box: by what is written on it, where a decision says it."""
        return readable(self._boxes.called(box)) or box

    def table_of_fact(self, box: str, epoch: int, seq: int) -> int | None:
        """The table at which that fact counts; None if it is from before the box was given to any."""
        return self._boxes.table_of_fact(box, epoch, seq, self.table_of(box))

    def counted_at(self, box: str, epoch: int) -> set[int]:
        """Every table at which that journal has counted."""
        return self._boxes.counted_at(box, epoch)

    def stay(self, table: int, box: str, epoch: int | None, dealt: int) -> Stay | None:
        """What the box on the table tells of it in that journal, or in the one it was met with last (None); None:
        nothing so far. `dealt` as in `BoxTables.stay`.
        """
        if epoch is None:
            epoch = self._boxes.last_met(box)
        return None if epoch is None else self._boxes.stay(table, box, epoch, dealt)

    def counts_by(self, box: str, epoch: int, seq: int) -> int:
        """The cursor of the decision by which that fact counts at its table, 0 if none did."""
        return self._boxes.counts_by(box, epoch, seq)

    def is_undone(self, box: str, epoch: int, seq: int) -> bool:
        """Whether the fact counts where it does because of a step that has been undone since."""
        return self._boxes.is_undone(box, epoch, seq)

    def _settle(self) -> None:
        if self._settled:
            return
        self._settled = True
        self._tables = None
        self._table_of, self._box_of = dict(self._boxes.tables), dict(self._boxes.on_tables)
        free = max(self._table_of.values(), default=0)
        for box in (*self._met, *self._told):
            if box in self._table_of:
                continue
            table = self._told.get(box)
            if table is None:
                table = free = free + 1
            self._table_of[box] = table
            if not self._boxes.is_meant(box):
                self._box_of.setdefault(table, box)
