"""Who sat at which table, and in which round a game was begun: a fold over the ledger's decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.tournament import MOVED, SEATING, RoundKey
from dalej.errors import Damaged
from dalej.event.ledger import Decision, Reported
from dalej.words import N_, readable

Names = tuple[str, str, str, str]

SEATED: Final = "seated"  # who sits at a table: {"table": 3, "names": {"A": "Lis", ...}}, subject "seated:3"
NO_NAMES: Final[Names] = ("", "", "", "")


class People:
    """Tables are numbers from 1. Decisions are taken in by cursor. `version`: another number whenever somebody may sit
    elsewhere.
    """

    def __init__(self) -> None:
        self.version = 0
        self._alone: dict[int, dict[int, Names]] = {}  # table -> cursor -> names
        self._table_of: dict[int, int] = {}  # the same, by cursor: the table
        self._halls: dict[int, dict[int, Names]] = {}  # cursor -> the hall of that round: table -> names
        self.seatings = Seatings()
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
        self.seatings.decide(decision)
        for revoked in (decision.revokes, decision.cursor if decision.revoked_by is not None else None):
            if revoked is not None:
                self._revoke(revoked)
                touched = None
        if touched is None or touched:
            self.version += 1
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
        key = self.seatings.times.round_of(begun)
        if key is not None:
            return {one for one in self._halls if self.seatings.key(one) == key}
        return {one for one in self._halls if self.seatings.was_before(one, begun)}

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


class Seatings:
    """Every decision that seated a round, those that were revoked too."""

    def __init__(self) -> None:
        self._made: dict[int, Decision] = {}
        self._revoked_ms: dict[int, int] = {}  # by the cursor of a revocation
        self._times: PlayingTimes | None = None

    def decide(self, decision: Decision) -> None:
        """The next decision, of whatever kind."""
        revoked = None if decision.revokes is None else self._made.get(decision.revokes)
        if revoked is not None:
            self._made[revoked.cursor] = replace(revoked, revoked_by=decision.cursor)
            self._revoked_ms[decision.cursor] = decision.when_ms
        if decision.kind == SEATING:
            self._made[decision.cursor] = decision
        if revoked is not None or decision.kind == SEATING:
            self._times = None

    @property
    def times(self) -> PlayingTimes:
        """In which round a game was begun."""
        if self._times is None:
            self._times = PlayingTimes(list(self._made.values()), self._revoked_ms)
        return self._times

    def key(self, cursor: int) -> RoundKey:
        """The round that was seated."""
        return Body(self._made[cursor]).round_key()

    def was_before(self, cursor: int, begun: Reported) -> bool:
        """Whether the game was begun after that seating, also if it was told late."""
        return cursor < begun.cursor and (begun.wall_ms is None or self._made[cursor].when_ms <= begun.wall_ms)


@dataclass(frozen=True, slots=True)
class Since:
    """An instant of the event: a place in the ledger, and Unix time in ms."""

    cursor: int
    wall_ms: int


class PlayingTimes:
    """In which round a game was begun: in the last one that was seated then. So a round goes on from when it is opened
    again, because that takes back the seating of the next one.
    """

    def __init__(self, seatings: Sequence[Decision], revoked_ms: Mapping[int, int]) -> None:
        """Every decision that seated a round, those that were revoked too; and when each revocation was made."""
        self._spans = list(_spans(seatings, revoked_ms))
        self._drawn: dict[RoundKey, Since] = {}
        for one in seatings:
            key = Body(one).round_key()
            if one.revoked_by is None and (key not in self._drawn or one.body.get("how") != MOVED):
                self._drawn[key] = Since(one.cursor, one.when_ms)

    def round_of(self, begun: Reported) -> RoundKey | None:
        """None if nobody sat in a round then, or they sat as they had before everybody was drawn anew."""
        key = next((key for since, key in reversed(self._spans) if _after(begun, since)), None)
        drawn = None if key is None else self._drawn.get(key)
        return key if drawn is not None and _after(begun, drawn) else None


def _spans(seatings: Iterable[Decision], revoked_ms: Mapping[int, int]) -> Iterator[tuple[Since, RoundKey | None]]:
    """From when on a game that is begun belongs to which round, one after the other."""
    changes = []
    for one in seatings:
        key = Body(one).round_key()
        changes.append((Since(one.cursor, one.when_ms), key, 1))
        if one.revoked_by is not None:
            changes.append((Since(one.revoked_by, revoked_ms.get(one.revoked_by, one.when_ms)), key, -1))
    changes.sort(key=lambda change: change[0].cursor)
    in_order = dict.fromkeys(key for _, key, _ in changes)
    stand: Counter[RoundKey] = Counter()
    for since, key, more in changes:
        stand[key] += more
        yield since, next((one for one in reversed(in_order) if stand[one]), None)


def _after(begun: Reported, since: Since) -> bool:
    """What the desk has heard before an instant is older than it, whatever the clock says by which a box's times are
    told; what it heard later may have been told late.
    """
    return begun.cursor > since.cursor and (begun.wall_ms is None or begun.wall_ms >= since.wall_ms)


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
        body=str(dict(decision.body)),
    )
