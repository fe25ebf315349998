"""Which box stands on which table: which one is meant to, as organisers decide it, whether or not the box is heard
just now; and at which table each of its facts counts, a fold over the ledger's decisions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.tournament.bodies import Body
from dalej.errors import Damaged, Refused, WrongInput
from dalej.event.event import ATTEMPTS, Event
from dalej.event.ledger import ASSIGN, Baseline, Decision, Draft, Entry, Gap, Json, Outrun, Reported, baseline_of
from dalej.event.reading import Reading
from dalej.words import N_

STAND: Final = (
    "stand"  # kind: {"table", "box" (hex uid), "from": "now" | "all", "goes_on": bool}, subject "stand:TABLE"
)
# "box" is "" where no box stands on the table any more; "name", what is written on the box, may be left out.

_NONE: Final[dict[int, Baseline]] = {}


@dataclass(frozen=True, slots=True)
class Stay:
    """What a journal tells of the table on which its box stands: the facts after `since`, 0 for all of them.

    `goes_on`: the decision that the box goes on here with a game that another one began, None: it does not.
    """

    since: int
    goes_on: Baseline | None = None


class BoxTables:
    """Boxes are uids in lower-case hex, tables numbers from 1. Decisions are taken in by cursor. `version`: another
    number whenever anything here may be answered otherwise than before.

    A box of which nobody decided anything has a table of its own: the one that the desk says, else the next free number
    in the order in which boxes were first heard of.
    """

    def __init__(self) -> None:
        self.version = 0
        self._met: dict[str, None] = {}
        self._told: dict[str, int] = {}
        self._moves: dict[int, tuple[int, str]] = {}  # by cursor: the table, and its box from then on
        self._assigned: dict[int, Baseline] = {}  # by cursor
        self._of_journal: dict[tuple[str, int], dict[int, Baseline]] = {}  # the same, by box and epoch
        self._at_table: dict[int, dict[int, Baseline]] = {}  # the same, by table
        self._names: dict[int, tuple[str, str]] = {}  # by cursor: a box, and what is written on it
        self._meant: dict[str, dict[int, int]] = {}  # box -> where it was ever meant to stand: cursor -> table
        self._revoked: dict[int, int] = {}  # such a decision -> the one by which it was undone
        self._meant_on: dict[int, str] = {}
        self._box_of: dict[int, str] = {}
        self._table_of: dict[str, int] = {}
        self._settled = True

    def take(self, entry: Entry) -> None:
        """The next entry of a ledger, of whatever kind."""
        match entry:
            case Decision():
                self.decide(entry)
            case Reported():
                self.met(entry.fact.box)
            case Gap():
                self.met(entry.box)

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
            self._unsettle()

    def _unsettle(self) -> None:
        self.version += 1
        self._settled = False

    def decide(self, decision: Decision) -> bool:
        """Take in one decision, of whatever kind; whether it is about boxes. Damaged or WrongInput, and nothing
        changed, if it says nothing.
        """
        about = self._decide(decision)
        if decision.revoked_by is not None:
            self._revoke(decision.cursor, decision.revoked_by)
        if decision.revokes is not None:
            about = self._revoke(decision.revokes, decision.cursor) or about
        return about

    def _decide(self, decision: Decision) -> bool:
        cursor = decision.cursor
        if decision.kind == ASSIGN:
            one = baseline_of(decision)
            self._assigned[cursor] = one
            self._of_journal.setdefault((one.box, one.epoch), {})[cursor] = one
            self._at_table.setdefault(one.table, {})[cursor] = one
            if one.box not in self._meant:
                self._moves[cursor] = one.table, one.box
        elif decision.kind == STAND:
            body = Body(decision)
            table, box, name = body.number("table"), body.text("box"), body.text("name", "")
            self._moves[cursor] = table, box
            self._meant.setdefault(box, {})[cursor] = table
            if name:
                self._names[cursor] = box, name
        else:
            return False
        self._unsettle()
        return True

    def _revoke(self, cursor: int, by: int) -> bool:
        self._revoked[cursor] = by
        move, assigned = self._moves.pop(cursor, None), self._assigned.pop(cursor, None)
        self._names.pop(cursor, None)
        if assigned is not None:
            del self._of_journal[assigned.box, assigned.epoch][cursor]
            del self._at_table[assigned.table][cursor]
        if move is None and assigned is None:
            return False
        self._unsettle()
        return True

    # --- now -----

    @property
    def on_tables(self) -> dict[int, str]:
        """The box that somebody put on each table that has one."""
        self._settle()
        return self._meant_on

    @property
    def box_of(self) -> dict[int, str]:
        """The box that stands on each table that has one, also if nobody decided it."""
        self._settle()
        return self._box_of

    @property
    def tables(self) -> dict[str, int]:
        """Where each box stands; of one that stands nowhere any more, where it counted last."""
        self._settle()
        return self._table_of

    def is_meant(self, box: str) -> bool:
        """Whether anybody ever said where the box is meant to stand: then nothing else says it."""
        return box in self._meant

    def called(self, box: str) -> str:
        """What is written on the box, as far as a decision that stands says it; "" if none does."""
        return next((name for of, name in reversed(self._names.values()) if of == box), "")

    # --- facts -----

    def boxes(self, table: int) -> list[str]:
        """Every box that stands on the table or counted there."""
        found = {one.box: None for one in self._at_table.get(table, _NONE).values()}
        return list(found | {box: None for box, on in self.tables.items() if on == table})

    def baseline(self, box: str, epoch: int) -> int:
        """The last fact of that journal that counts nowhere, by the latest assignment that stands; 0: all count."""
        return next((one.seq for one in reversed(self._of_journal.get((box, epoch), _NONE).values())), 0)

    def counted(self, box: str, epoch: int) -> bool:
        """Whether anybody has decided from where on that journal counts at a table."""
        return bool(self._of_journal.get((box, epoch)))

    def counted_at(self, box: str, epoch: int) -> set[int]:
        """Every table at which that journal has counted."""
        return {one.table for one in self._of_journal.get((box, epoch), _NONE).values()}

    def table_of_fact(self, box: str, epoch: int, seq: int) -> int | None:
        """The table at which that fact counts, which is where the box stands while nobody has decided anything about
        the journal; None if it is from before the journal counted at any.
        """
        decided = self._decided(box, epoch, seq)
        if decided is not None:
            return decided[1].table
        return None if self.counted(box, epoch) else self.tables.get(box)

    def counts_by(self, box: str, epoch: int, seq: int) -> int:
        """The cursor of the decision by which that fact counts at its table, 0 if none did. What a table's boxes told
        one after the other stands in the order of these.
        """
        decided = self._decided(box, epoch, seq)
        return 0 if decided is None else decided[0]

    def is_undone(self, box: str, epoch: int, seq: int) -> bool:
        """Whether the fact counts where it does because of a step that has been undone since."""
        decided = self._decided(box, epoch, seq)
        return decided is not None and self._is_undone(*decided)

    def stay(self, table: int, box: str, epoch: int, dealt: int) -> Stay | None:
        """What the box, which stands on the table, tells of it in that journal; None: nothing so far.

        `dealt`: the fact by which the tiles of the box's present game were dealt, 0: not known. If that counts at the
        table the game is the table's, even if the box was carried away and back since; unless another box was there
        meanwhile. Else the box tells of the table what it told since it counts there.
        """
        of_journal = self._of_journal.get((box, epoch), {})
        if not of_journal:
            return None if self.is_meant(box) else Stay(0)
        decided = self._decided(box, epoch, dealt)
        if decided is not None and decided[1].table == table and not self._went_on_without(table, decided[0], box):
            return Stay(decided[1].seq)
        last = list(of_journal.values())[-1]
        if last.table != table:
            return None
        return Stay(last.seq, last if last.game is not None else None)

    def last_met(self, box: str) -> int | None:
        """The epoch of the journal of the box that was decided about last."""
        return next((one.epoch for one in reversed(self._assigned.values()) if one.box == box), None)

    def _decided(self, box: str, epoch: int, seq: int) -> tuple[int, Baseline] | None:
        """The decision by which that fact counts where it does, and its cursor."""
        for decided in reversed(self._of_journal.get((box, epoch), _NONE).items()):
            if decided[1].seq < seq:
                return decided
        return None

    def _is_undone(self, cursor: int, one: Baseline) -> bool:
        meant = [at for at, on in self._meant.get(one.box, {}).items() if on == one.table and at < cursor]
        stood_then = [at for at in meant if self._revoked.get(at, cursor) >= cursor]
        return bool(meant) and (not stood_then or stood_then[-1] in self._revoked)

    def _went_on_without(self, table: int, cursor: int, box: str) -> bool:
        """Whether the table has played on after that decision at another box than this one."""
        return any(
            at > cursor and (one.box != box or one.game is not None) and not self._is_undone(at, one)
            for at, one in self._at_table.get(table, {}).items()
        )

    def stood_before(self, table: int, cursor: int) -> str:
        """The box that stood on the table last before a decision, as far as that was not undone; "" if none did."""
        before = {at: box for at, (on, box) in self._moves.items() if on == table and box and at < cursor}
        return before[max(before)] if before else ""

    def _settle(self) -> None:
        if self._settled:
            return
        self._settled = True
        on: dict[int, str] = {}
        for _, (table, box) in sorted(self._moves.items()):
            for left in [other for other, stood in on.items() if stood == box]:
                del on[left]
            on[table] = box
        self._meant_on = {table: box for table, box in on.items() if box}
        self._box_of = dict(self._meant_on)
        last = {one.box: one.table for _, one in sorted(self._assigned.items())}
        self._table_of = last | {box: table for table, box in self._meant_on.items()}
        free = max(self._table_of.values(), default=0)
        for box in (*self._met, *self._told):
            if box in self._table_of:
                continue
            table = self._told.get(box, 0)
            if not table:
                table = free = free + 1
            self._table_of[box] = table
            if not self.is_meant(box):
                self._box_of.setdefault(table, box)


NOW: Final = "now"
ALL: Final = "all"

_UID: Final = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class BoxPlace:
    """`since`: NOW, the box's facts count from when the desk meets it, or ALL, everything it holds. `goes_on`: it takes
    over the game that the table's box before it has not ended. `cursor`: of the decision. `name`: as the box was called
    then, "" if nobody said so.
    """

    table: int
    box: str
    since: str
    goes_on: bool
    cursor: int
    name: str = ""

    @property
    def called(self) -> str:
        """How a person speaks of the box."""
        return self.name or self.box


@dataclass(frozen=True, slots=True)
class Wish:
    """That a box, by uid, stands on a table; None: on no table any more. The rest is as in `BoxPlace`."""

    box: str
    table: int | None
    since: str = NOW
    goes_on: bool = True
    name: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """Where boxes stood before a step and where they stand after it, by table."""

    before: Sequence[BoxPlace]
    after: Sequence[BoxPlace]


def places(reading: Reading) -> Sequence[BoxPlace]:
    """Those that hold now, by table."""
    return placed(reading.decisions(STAND))


def placed(decisions: Iterable[Decision]) -> Sequence[BoxPlace]:
    """Those that hold after these decisions, by table; Damaged if one says nothing."""
    on: dict[int, BoxPlace] = {}
    for decision in decisions:
        if decision.kind == STAND and decision.revoked_by is None:
            _put(on, _read(decision))
    return [on[table] for table in sorted(on)]


def decide(event: Event, plan: Callable[[Sequence[BoxPlace]], Sequence[Wish]], why: str) -> Moved:
    """Carry out what `plan` wishes of the places as they are, in one step; a box stands on one table, a table has one
    box, and what is so already is not decided again. If another desk decides something at the same instant, `plan` is
    asked again.
    """

    def drafts_of(decisions: Sequence[Decision], before: Sequence[BoxPlace]) -> list[Draft]:
        return _drafts(decisions, before, plan(before))

    return _in_one_step(event, drafts_of, why)


def take_all_away(event: Event, why: str) -> Mapping[int, str]:
    """No table has a box any more, in one step; the tables that had one, and how people speak of that box. Boxes that a
    simulated hall or an old desk put there, without anybody's decision, are among them.
    """
    boxes = event.read().fold(BoxTables)
    had = {table: boxes.called(box) or box for table, box in sorted(boxes.box_of.items())}

    def drafts_of(decisions: Sequence[Decision], _before: Sequence[BoxPlace]) -> list[Draft]:
        latest = {one.subject: one.cursor for one in decisions if one.subject is not None}
        subjects = {table: f"{STAND}:{table}" for table in had}
        return [
            Draft(STAND, _body(BoxPlace(table, "", NOW, False, 0)), subject, latest.get(subject))
            for table, subject in subjects.items()
        ]

    _in_one_step(event, drafts_of, why)
    return had


def _in_one_step(
    event: Event, drafts_of: Callable[[Sequence[Decision], Sequence[BoxPlace]], Sequence[Draft]], why: str
) -> Moved:
    for attempt in range(1, ATTEMPTS + 1):
        reading = event.read()
        decisions = reading.decisions()
        before = placed(decisions)
        drafts = drafts_of(decisions, before)
        if not drafts:
            return Moved(before, before)
        try:
            made = event.ledger.decide_together(
                drafts, who=event.who, when_ms=event.wall_ms(), why=why, seen=reading.head
            )
            return Moved(before, placed([*decisions, *made]))
        except Outrun as outrun:
            last = outrun
        if attempt < ATTEMPTS:
            event.pause(attempt)
    raise last


def _drafts(decisions: Sequence[Decision], before: Sequence[BoxPlace], wishes: Sequence[Wish]) -> list[Draft]:
    on = {one.table: one for one in before}
    latest = {one.subject: one.cursor for one in decisions if one.subject is not None}
    drafts: list[Draft] = []
    for wish in wishes:
        stands = next((one for one in on.values() if one.box == wish.box), None)
        wanted = _wanted(wish, stands)
        if stands is not None and wish.table == stands.table and _same(wanted, stands):
            continue
        _put(on, wanted)
        subject = f"{STAND}:{wanted.table}"
        drafts.append(Draft(STAND, _body(wanted), subject, latest.get(subject)))
        if [one.subject for one in drafts].count(subject) > 1:
            raise WrongInput(N_("table {table} is to get two boxes at once: expected one"), table=wanted.table)
    return drafts


def _wanted(wish: Wish, stands: BoxPlace | None) -> BoxPlace:
    """The place as it would be; without a box if it is to be taken away from where it stands."""
    name = wish.name or wish.box
    if wish.table is None:
        if stands is None:
            raise Refused(N_("box {box} stands on no table"), box=name)
        return BoxPlace(stands.table, "", NOW, False, 0)
    if wish.table < 1 or _UID.fullmatch(wish.box) is None or wish.since not in (NOW, ALL):
        raise WrongInput(N_("box {box} cannot stand on table {table}: expected a box's uid and a table from 1 on"),
                         box=name, table=wish.table)  # fmt: skip
    return BoxPlace(wish.table, wish.box, wish.since, wish.goes_on, 0, wish.name)


def _same(one: BoxPlace, other: BoxPlace) -> bool:
    return (one.box, one.since, one.goes_on) == (other.box, other.since, other.goes_on)


def _put(on: dict[int, BoxPlace], one: BoxPlace) -> None:
    """On that table, and on no other."""
    for table in [table for table, other in on.items() if other.box == one.box]:
        del on[table]
    if one.box:
        on[one.table] = one
    else:
        on.pop(one.table, None)


def _body(one: BoxPlace) -> dict[str, Json]:
    body: dict[str, Json] = {"table": one.table, "box": one.box, "from": one.since, "goes_on": one.goes_on}
    return {**body, "name": one.name} if one.name else body


def _read(decision: Decision) -> BoxPlace:
    body = Body(decision)
    box = body.text("box")
    if box and _UID.fullmatch(box) is None:
        raise Damaged(
            N_("decision {cursor} puts no box on a table, expected a uid of 12 hex digits"), cursor=decision.cursor
        )
    return BoxPlace(
        body.number("table"), box, body.one_of("from", (NOW, ALL)), body.flag("goes_on"), decision.cursor,
        body.text("name", ""),
    )  # fmt: skip
