"""Who sits at which table: a fold over the ledger's decisions.

People are seated at one table (`seated`) or, for a round, in the whole hall (`seating`): then nobody sits at the tables
it does not name. Of several standing decisions the latest counts; what it replaced counts again when it is revoked. A
game keeps the people of its round, also when the next one is seated while it goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, cast

from dalej.domain.facts import SEATS
from dalej.domain.tournament import SEATING, RoundKey
from dalej.domain.tournamentbodies import Body
from dalej.errors import Damaged
from dalej.eventlog import SEATED
from dalej.ledger import REVOKE, Decision, Ledger, Reported
from dalej.office.boxes import PlayingTimes
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
