"""Who sits at which table, and which box stands there: folds over the ledger's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.tournament import SEATING, RoundKey
from dalej.errors import Damaged
from dalej.event.boxplaces import BoxTables, Stay
from dalej.event.eventlog import SEATED
from dalej.event.ledger import REVOKE, Decision, Ledger, Reported
from dalej.event.roundgames import PlayingTimes
from dalej.words import N_, readable

Names = tuple[str, str, str, str]

NO_NAMES: Final[Names] = ("", "", "", "")


class People:
    """Tables are numbers from 1. Decisions are taken in by cursor."""

    def __init__(self) -> None:
        self._alone: dict[int, dict[int, Names]] = {}  # table -> cursor -> names
        self._table_of: dict[int, int] = {}  # the same, by cursor: the table
        self._halls: dict[int, dict[int, Names]] = {}  # cursor -> the hall of that round: table -> names
        self._seatings = _Seatings()
        self._times: PlayingTimes | None = None
        self._tables: frozenset[int] | None = None

    def decide(self, decision: Decision) -> set[int] | None:
        """Take in one decision, of whatever kind; the tables that it concerns, None: it may be any.

        Damaged, and nothing changed, if it says nothing.
        """
        touched: set[int] | None = set()
        if decision.kind == SEATED:
            table, names = _seating(decision)
            self._alone.setdefault(table, {})[decision.cursor] = names
            self._table_of[decision.cursor] = table
            touched = {table}
        elif decision.kind == SEATING:
            self._halls[decision.cursor] = _hall(decision)
            touched = None
        if self._seatings.take(decision):
            self._times = None
        for revoked in (decision.revokes, decision.cursor if decision.revoked_by is not None else None):
            if revoked is not None:
                self._revoke(revoked)
                touched = None
        if touched is None or touched:
            self._tables = None
        return touched

    def _revoke(self, cursor: int) -> None:
        table = self._table_of.pop(cursor, None)
        if table is not None:
            del self._alone[table][cursor]
        self._halls.pop(cursor, None)

    def names(self, table: int, then: int | None = None, begun: Reported | None = None) -> Names:
        """Who sits there; with a cursor `then`, who sat there then. `begun`: the fact that began a game; of rounds that
        were seated only its own counts. "" where nobody has said so.
        """
        alone = self._alone.get(table, {})
        cursors = sorted((*alone, *self._halls))
        if not cursors:
            return NO_NAMES
        of_game = self._halls if begun is None else self._halls_of(begun)
        counting = [one for one in cursors if (then is None or one < then) and (one in alone or one in of_game)]
        decided = counting[-1] if counting else cursors[0]
        return alone[decided] if decided in alone else self._halls[decided].get(table, NO_NAMES)

    def _halls_of(self, begun: Reported) -> set[int]:
        """Seatings of the round that the game is of; of none: those from before it began."""
        if self._times is None:
            self._times = PlayingTimes(cast(Ledger, self._seatings))  # it asks for these decisions alone
        key = self._times.round_of(begun)
        if key is not None:
            return {one for one in self._halls if self._seatings.key(one) == key}
        return {one for one in self._halls if self._seatings.was_before(one, begun)}

    def round_at(self, cursor: int) -> int:
        """How often everybody had been seated when the ledger's entry of that cursor was made."""
        return sum(1 for seated in self._halls if seated < cursor)

    @property
    def tables(self) -> frozenset[int]:
        """Every table that people have been seated at, unless a round has been seated without it since."""
        if self._tables is None:
            latest = max(self._halls, default=0)
            alone = {table for table, names in self._alone.items() if names and max(names) > latest}
            self._tables = frozenset(alone | self._halls.get(latest, {}).keys())
        return self._tables


class _Seatings:
    """Every decision that seated a round, those that were revoked too, as a ledger has them."""

    def __init__(self) -> None:
        self._made: dict[int, Decision] = {}
        self._revoking: dict[int, Decision] = {}

    def take(self, decision: Decision) -> bool:
        """The next decision, of whatever kind; whether it is about a seating."""
        revoked = None if decision.revokes is None else self._made.get(decision.revokes)
        if revoked is not None:
            self._made[revoked.cursor] = replace(revoked, revoked_by=decision.cursor)
            self._revoking[decision.cursor] = decision
        elif decision.kind == SEATING:
            self._made[decision.cursor] = decision
        else:
            return False
        return True

    def decisions(self, kind: str) -> list[Decision]:
        """As `Ledger.decisions`."""
        return list({SEATING: self._made, REVOKE: self._revoking}[kind].values())

    def key(self, cursor: int) -> RoundKey:
        """The round that was seated."""
        return Body(self._made[cursor]).round_key()

    def was_before(self, cursor: int, begun: Reported) -> bool:
        """Whether the game was begun after that seating, also if it was told late."""
        return cursor < begun.cursor and (begun.wall_ms is None or self._made[cursor].when_ms <= begun.wall_ms)


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
    Body(decision).round_key()
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
