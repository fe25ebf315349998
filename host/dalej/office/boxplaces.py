"""Which box is meant to stand on which table, as organisers decide it, whether or not the box is heard just now.

The desk that holds the links turns each of these into an `assign` decision (with the epoch and sequence number from
which the box's facts count) as soon as it has met the box: see `dalej.running`.

A decision puts a box on a table, away from where it stood and in the place of what stood there; or it says that no box
stands on the table any more. They are taken in one after the other, so one that is undone is as if nobody had made it:
what stood there before stands there again, under the cursor of the decision that put it there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from dalej import boxtables
from dalej.domain.tournamentbodies import Body
from dalej.errors import Damaged, Refused, WrongInput
from dalej.ledger import Decision, Draft, Json, Ledger, Outrun
from dalej.office.event import ATTEMPTS, at_once
from dalej.words import N_

STAND: Final = boxtables.STAND
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


def place(
    ledger: Ledger, table: int, box: str, *, since: str, goes_on: bool, who: str, when_ms: int, why: str, name: str = ""
) -> BoxPlace:
    """Decide that a box stands on a table; a box stands on one table, a table has one box. Nothing is decided if it
    stands there just so already.
    """
    wish = Wish(box, table, since, goes_on, name)
    moved = decide(ledger, lambda _: [wish], who=who, when_ms=when_ms, why=why)
    return next(one for one in moved.after if one.box == box)


def take_away(ledger: Ledger, box: str, *, who: str, when_ms: int, why: str) -> None:
    """Decide that a box stands on no table any more. Refused if it does not stand on any."""
    decide(ledger, lambda _: [Wish(box, None)], who=who, when_ms=when_ms, why=why)


def places(ledger: Ledger) -> Sequence[BoxPlace]:
    """Those that hold now, by table."""
    return placed(ledger.decisions(STAND))


def placed(decisions: Iterable[Decision]) -> Sequence[BoxPlace]:
    """Those that hold after these decisions, by table; Damaged if one says nothing."""
    on: dict[int, BoxPlace] = {}
    for decision in decisions:
        if decision.kind == STAND and decision.revoked_by is None:
            _put(on, _read(decision))
    return [on[table] for table in sorted(on)]


def decide(
    ledger: Ledger,
    plan: Callable[[Sequence[BoxPlace]], Sequence[Wish]],
    *,
    who: str,
    when_ms: int,
    why: str,
    pause: Callable[[int], None] = at_once,
) -> Moved:
    """Carry out what `plan` wishes of the places as they are, in one step. If another desk decides something at the
    same instant, `plan` is asked again; `pause(attempt)` waits a little before that.
    """
    for attempt in range(1, ATTEMPTS + 1):
        head = ledger.head()
        decisions = ledger.decisions()
        before = placed(decisions)
        drafts = _drafts(decisions, before, plan(before))
        try:
            made = ledger.decide_together(drafts, who=who, when_ms=when_ms, why=why, seen=head) if drafts else []
            return Moved(before, placed([*decisions, *made]))
        except Outrun as outrun:
            last = outrun
        if attempt < ATTEMPTS:
            pause(attempt)
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
