"""The event of the whole tournament, at the centre: what follows for each of its halls, and what each hall has decided
about its tables, taken where the hall may decide about it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from threading import RLock
from typing import Final

from dalej.centre.decided import Cursor, arrived, mark_of
from dalej.centre.mirror import Mirror, SeenHall
from dalej.centre.stream import DecisionLine, Line, decision_line, decision_of, encoded, read_line
from dalej.centre.talk import ENTRIES_MOST, Asking, Told
from dalej.domain.tournament.tournament import (
    COMPLETE,
    CONFIRMED,
    HOME,
    RESULT,
    TABLE_RULING,
    WARNED,
    RoundKey,
    Tournament,
)
from dalej.errors import DalejError, Damaged, Refused, WrongInput
from dalej.event.event import Event
from dalej.event.ledger import REVOKE, Brought, Decision, Heard, Origin
from dalej.words import N_

HEARD_EVERY_MS: Final = 5_000  # how often it is noted that a hall is there, though it has nothing to tell
OTHER_EVENT: Final = N_(
    "the centre's event is another one than hall {hall} has heard of so far, or an older copy of it"
)
_OF_A_TABLE: Final = frozenset({RESULT, CONFIRMED, TABLE_RULING})
_OF_A_HALL: Final = _OF_A_TABLE | {WARNED, COMPLETE}
_GIVEN_BACK: Final = frozenset({RESULT, TABLE_RULING, WARNED})
_PUT_BACK: Final = "the hall's event file was put back to an earlier copy"


class Whole:
    """The event of the whole tournament, at the centre. `event` is used by nobody else; threads may share this."""

    def __init__(self, event: Event) -> None:
        self._event = event
        self._lock = RLock()
        self._not_taken: dict[tuple[str, int], set[int]] = {}  # by hall and epoch, of those that were looked through

    def expect_whole(self) -> None:
        """WrongInput if nothing can be told of it, as it is a hall's own file or says no ruleset."""
        with self._lock:
            home = self._event.state().home
        if home:
            raise WrongInput(
                N_("{event} is the event file of hall {hall}: expected the one in which all halls are seated"),
                event=str(self._event.ledger.path), hall=home,
            )  # fmt: skip

    def has(self, hall: str) -> bool:
        """Whether that hall is one of this event."""
        with self._lock:
            return hall in self._event.state().halls

    def told(self, hall: SeenHall, asking: Asking) -> Told:
        """What follows for that hall. Refused if it has heard of another event than this."""
        with self._lock:
            decisions = self._event.read().decisions()
            heard = self._event.ledger.heard(hall.name)
            if hall.epoch > 1 and (heard is None or heard[:2] != (hall.epoch, hall.through)):
                return Told([])  # what its file knows is not all here yet
            lost = self._lost(hall) if hall.epoch > 1 else frozenset()
        at = bisect_right(decisions, asking.after, key=lambda one: one.cursor)
        if asking.after:
            last = decisions[at - 1] if at else None
            if last is None or last.cursor != asking.after or mark_of(last) != asking.mark:
                raise Refused(OTHER_EVENT, hall=hall.name)
        own = {one.cursor for one in decisions if one.origin is not None and one.origin.name == hall.name} - lost
        wanted = [
            one for one in decisions[at:] if one.kind != HOME and one.cursor not in own and one.revokes not in own
        ]  # fmt: skip
        not_taken = sorted(self._not_taken.get((hall.name, hall.epoch), ()))
        return Told([encoded(decision_line(one)) for one in _whole_steps(wanted)], not_taken)

    def _lost(self, hall: SeenHall) -> frozenset[int]:
        """What the hall's file knows no more since it was put back, and counts all the same: of rounds that are not
        with the hall any more.
        """
        state = self._event.state()
        return frozenset(
            one.cursor
            for one in self._event.ledger.left_behind(hall.name, hall.epoch)
            if one.kind in _GIVEN_BACK and not self._is_with(hall.name, one, state)
        )

    @staticmethod
    def _is_with(hall: str, made: Decision, state: Tournament) -> bool:
        """Whether that hall may still decide about the round of it."""
        key = _round_of(made)
        return key in state.rounds and hall in state.rounds[key].returns if key is not None else False

    def bring(self, mirror: Mirror, hall: SeenHall, now_ms: int, *, caught_up: bool = False) -> list[DalejError]:
        """Bring what the hall has told and is not here yet; what was not taken of it, and why. `caught_up`: the hall
        has told everything that it has decided so far.
        """
        with self._lock:
            ledger = self._event.ledger
            refused: list[DalejError] = []
            known = ledger.heard(hall.name)
            if known is not None and known.epoch < hall.epoch:
                with self._event.together():
                    self._void_markers(hall, now_ms)
                    ledger.listened(hall.name, known, Heard(hall.epoch, 0, now_ms))
            while True:
                known = ledger.heard(hall.name)
                after = known.through if known is not None and known.epoch == hall.epoch else 0
                lines = mirror.lines(hall.name, after, ENTRIES_MOST, hall.epoch) if after < hall.through else []
                if not lines:
                    break
                read = [read_line(line) for line in lines]
                self._take(hall, read, now_ms, refused)
            if caught_up and hall.epoch > 1:
                with self._event.together():
                    self._leave_behind(hall, now_ms, self._event.state())
            if caught_up and known is not None and now_ms - known.at_ms >= HEARD_EVERY_MS:
                ledger.listened(hall.name, known, known._replace(at_ms=now_ms))
            return refused

    def _take(self, hall: SeenHall, lines: Sequence[Line], now_ms: int, refused: list[DalejError]) -> None:
        """All of them, or, if the event could not be read with them, in halves: all but the one to blame."""
        wrong: list[DalejError] = []
        try:
            with self._event.together():
                self._put(hall, lines, now_ms, wrong)
                self._event.state()
        except Damaged as problem:
            if len(lines) > 1:
                half = len(lines) // 2
                self._take(hall, lines[:half], now_ms, refused)
                self._take(hall, lines[half:], now_ms, refused)
                return
            self._listened(hall, lines, now_ms)
            self._refuse(hall, lines[0])
            wrong = [_not_taken(hall, lines[0], problem)]
        refused += wrong

    def _refuse(self, hall: SeenHall, line: Line) -> None:
        self._not_taken.setdefault((hall.name, hall.epoch), set()).add(line.cursor)

    def look_through(self, mirror: Mirror, hall: SeenHall) -> None:
        """What of the hall's decisions was not taken, as this program was not there to see it."""
        with self._lock:
            heard = self._event.ledger.heard(hall.name)
            if (hall.name, hall.epoch) in self._not_taken or heard is None or heard.epoch != hall.epoch:
                return
            here, after = self._event.ledger.here(hall.name, hall.epoch), 0
            found = self._not_taken.setdefault((hall.name, hall.epoch), set())
            while lines := mirror.lines(hall.name, after, min(ENTRIES_MOST, heard.through - after), hall.epoch):
                for line in map(read_line, lines):
                    if isinstance(line, DecisionLine) and line.kind in _OF_A_TABLE and here(line.cursor) is None:
                        found.add(line.cursor)
                after += len(lines)

    def _put(self, hall: SeenHall, lines: Sequence[Line], now_ms: int, wrong: list[DalejError]) -> None:
        ledger, state = self._event.ledger, self._event.state()
        here = ledger.here(hall.name, hall.epoch)
        for line in lines:
            if not isinstance(line, DecisionLine) or (line.kind not in _OF_A_HALL and line.kind != REVOKE):
                continue
            try:
                with ledger.together():
                    self._bring_one(hall, line, here, now_ms, state)
            except (WrongInput, Refused, Damaged) as problem:
                wrong.append(_not_taken(hall, line, problem))
                self._refuse(hall, line)
                continue
            if line.kind == COMPLETE:
                state = self._event.state()
        self._listened(hall, lines, now_ms)

    def _bring_one(self, hall: SeenHall, line: DecisionLine, here: Cursor, now_ms: int, state: Tournament) -> None:
        """Refused if it is not the hall's to decide, WrongInput or Damaged if it is no decision."""
        ledger = self._event.ledger
        made = arrived(decision_of(line), here)
        if made is None:
            return
        if made.revokes is not None and (revoked := self._decision(made.revokes)) is not None and revoked.revoked_by:
            if made.kind == REVOKE:
                return  # it counts no more, and that is what the hall says
            made = replace(made, revokes=None)
        brought = Brought(Origin(hall.name, hall.epoch, line.cursor), made)
        if hall.epoch > 1 and ledger.known_before(brought):
            return
        self._expect_its_own(hall.name, made, state)
        if made.kind == COMPLETE and hall.epoch > 1:
            self._leave_behind(hall, now_ms, state)
        ledger.bring(brought)

    def _listened(self, hall: SeenHall, lines: Sequence[Line], now_ms: int) -> None:
        ledger = self._event.ledger
        ledger.listened(hall.name, ledger.heard(hall.name), Heard(hall.epoch, lines[-1].cursor, now_ms))

    def _expect_its_own(self, hall: str, made: Decision, state: Tournament) -> None:
        """Refused if a hall has nothing to decide there."""
        if made.kind == REVOKE:
            revoked = self._decision(made.revokes)
            if revoked is None or revoked.origin is None or revoked.origin.name != hall:
                raise Refused(N_("it takes back what the hall has not decided"))
            if made.subject not in (revoked.subject, f"{REVOKE}:{revoked.cursor}"):
                raise Refused(N_("its subject is of another kind"))
            made = replace(revoked, subject=None)
        if made.subject is not None and not made.subject.startswith(f"{made.kind}:"):
            raise Refused(N_("its subject is of another kind"))
        if made.kind == COMPLETE and made.body.get("hall") != hall:
            raise Refused(N_("it speaks for another hall"))
        if made.kind not in _OF_A_TABLE:
            return
        table, key = made.body.get("table"), _round_of(made)
        if not isinstance(table, int) or state.hall_of(table) != hall:
            raise Refused(N_("the table stands in another hall"))
        one = None if key is None else state.rounds.get(key)
        if one is None or hall not in one.returns:
            raise Refused(N_("the round is not with the hall"))

    def _void_markers(self, hall: SeenHall, now_ms: int) -> None:
        """A file that was put back may have been played on with before it heard that a round was taken back: it is
        complete when it says so again, of rounds about which the centre has decided nothing since.
        """
        rounds = self._event.state().rounds
        for one in self._event.ledger.left_behind(hall.name, hall.epoch):
            key = _round_of(one)
            about = None if key is None else rounds.get(key)
            if one.kind != COMPLETE or about is None or about.closed is not None or about.seating is None:
                continue
            if about.seating.mark.cursor < one.cursor:
                self._take_back(hall, one, now_ms)

    def _take_back(self, hall: SeenHall, one: Decision, now_ms: int) -> None:
        self._event.ledger.decide(
            REVOKE, {}, who=hall.name, when_ms=now_ms, why=_PUT_BACK, subject=f"{REVOKE}:{one.cursor}",
            revokes=one.cursor,
        )  # fmt: skip

    def _leave_behind(self, hall: SeenHall, now_ms: int, state: Tournament) -> None:
        """What its file knew before it was put back, of rounds that are still with the hall, counts no more."""
        ledger = self._event.ledger
        for one in ledger.left_behind(hall.name, hall.epoch):
            if one.kind == COMPLETE or not self._is_with(hall.name, one, state):
                continue
            self._take_back(hall, one, now_ms)

    def _decision(self, cursor: int | None) -> Decision | None:
        if cursor is None:
            return None
        found = self._event.ledger.decisions_between(cursor - 1, cursor)
        return found[0] if found else None


def _not_taken(hall: SeenHall, line: Line, problem: DalejError) -> DalejError:
    template = N_("hall {hall}, entry {number} is not taken: {problem}")
    return DalejError(template, hall=hall.name, number=line.cursor, problem=problem)


def _whole_steps(wanted: Sequence[Decision]) -> Iterable[Decision]:
    """The first of them: so many that a step is not cut, if it is none of thousands."""
    if len(wanted) <= ENTRIES_MOST:
        return wanted
    last = ENTRIES_MOST
    while last and _step(wanted[last]) == _step(wanted[last - 1]):
        last -= 1
    return wanted[: last or 2 * ENTRIES_MOST]


def _step(one: Decision) -> tuple[str, int, str]:
    return one.who, one.when_ms, one.why


def _round_of(made: Decision) -> RoundKey | None:
    stage, number = made.body.get("stage"), made.body.get("round")
    return RoundKey(stage, number) if isinstance(stage, str) and isinstance(number, int) else None
