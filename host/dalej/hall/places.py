"""Which box stands on which table, and who sits there: a fold over the ledger's decisions.

Of several standing decisions the latest counts; what it replaced counts again when it is revoked. What is decided about
boxes is in `dalej.boxtables`; a box of which nothing is decided stands where the desk says, else it gets a number as
`dalej.eventlog.tables` gives it. People are seated at one table (`seated`) or, for a round, in the whole hall
(`seating`): then nobody sits at the tables it does not name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.boxtables import BoxTables, Stay
from dalej.domain.facts import SEATS
from dalej.domain.tournament import SEATING
from dalej.errors import Damaged
from dalej.eventlog import SEATED
from dalej.ledger import Decision
from dalej.words import N_, readable

Names = tuple[str, str, str, str]

NO_NAMES: Final[Names] = ("", "", "", "")


class Places:
    """Boxes are uids in lower-case hex, tables numbers from 1. `version`: another number whenever anything here may be
    answered otherwise than before.
    """

    def __init__(self) -> None:
        self.version = 0
        self._boxes = BoxTables()
        self._seated: dict[int, dict[int, Names]] = {}  # table -> cursor -> names
        self._table_of_seating: dict[int, int] = {}
        self._rounds: dict[int, dict[int, Names]] = {}  # cursor -> the hall of that round: table -> names
        self._met: dict[str, None] = {}
        self._told: dict[str, int] = {}
        self._table_of: dict[str, int] = {}
        self._box_of: dict[int, str] = {}
        self._settled = True
        self._tables: list[int] | None = None
        self._with_people: frozenset[int] | None = None

    def decide(self, decision: Decision) -> set[int] | None:
        """Take in one decision, of whatever kind; the tables that it concerns, None: it may be any.

        Damaged or WrongInput, and nothing changed, if it says nothing.
        """
        touched: set[int] | None = set()
        self.version += 1
        if self._boxes.decide(decision):
            self._settled = False
            touched = None
        if decision.kind == SEATED:
            table, names = _seating(decision)
            self._seated.setdefault(table, {})[decision.cursor] = names
            self._table_of_seating[decision.cursor] = table
            self._tables, self._with_people, touched = None, None, {table}
        elif decision.kind == SEATING:
            self._rounds[decision.cursor] = _hall(decision)
            self._tables, self._with_people, touched = None, None, None
        if decision.revoked_by is not None:
            self._revoke(decision.cursor)
        if decision.revokes is not None:
            self._revoke(decision.revokes)
            touched = None
        return touched

    def _revoke(self, cursor: int) -> None:
        table = self._table_of_seating.pop(cursor, None)
        if table is not None:
            del self._seated[table][cursor]
        if self._rounds.pop(cursor, None) is not None or table is not None:
            self._tables, self._with_people = None, None

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
            self._tables = sorted(self._box_of.keys() | self._people())
        return list(self._tables)

    def has(self, table: int) -> bool:
        """Whether there is such a table."""
        self._settle()
        return table in self._box_of or table in self._people()

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

    def names(self, table: int, cursor: int | None = None) -> Names:
        """Who sits there; with a `cursor`, who sat there then. "" where nobody has said so."""
        seatings = self._seated.get(table, {})
        cursors = sorted((*seatings, *self._rounds))
        if not cursors:
            return NO_NAMES
        then = [one for one in cursors if cursor is None or one < cursor]
        decided = then[-1] if then else cursors[0]
        return seatings[decided] if decided in seatings else self._rounds[decided].get(table, NO_NAMES)

    def round_at(self, cursor: int) -> int:
        """How often everybody had been seated when the ledger's entry of that cursor was made."""
        return sum(1 for seated in self._rounds if seated < cursor)

    def _people(self) -> frozenset[int]:
        """Every table that people have been seated at, unless a round has been seated without it since."""
        if self._with_people is None:
            latest = max(self._rounds, default=0)
            alone = {table for table, names in self._seated.items() if names and max(names) > latest}
            self._with_people = frozenset(alone | self._rounds.get(latest, {}).keys())
        return self._with_people

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


def _hall(decision: Decision) -> dict[int, Names]:
    """Who sits where in a round."""
    tables = decision.body.get("tables")
    named = [_named(one) for one in tables] if isinstance(tables, list | tuple) else [None]
    halls = dict(one for one in named if one is not None)
    if len(halls) != len(named):
        raise Damaged(
            N_("decision {cursor} does not seat a round, expected tables with a number and four names each"),
            cursor=decision.cursor,
        )
    return halls


def _named(table: object) -> tuple[int, Names] | None:
    if isinstance(table, Mapping):
        number, names = table.get("table"), table.get("names")
        if isinstance(number, int) and number > 0 and isinstance(names, list | tuple) and len(names) == len(SEATS):
            a, b, c, d = (readable(str(name or "")) for name in names)
            return number, (a, b, c, d)
    return None


def _seating(decision: Decision) -> tuple[int, Names]:
    table, names = decision.body.get("table"), decision.body.get("names")
    if isinstance(table, int) and table > 0 and isinstance(names, Mapping) and names.keys() <= set(SEATS):
        a, b, c, d = (readable(str(names.get(letter) or "")) for letter in SEATS)
        return table, (a, b, c, d)
    raise Damaged(
        N_("decision {cursor} does not seat anybody, expected table and names, found {body}"),
        cursor=decision.cursor,
        body=dict(decision.body),
    )
