"""The event of the whole tournament, at the centre: what follows for each of its halls, and what each hall has decided
about its tables, taken where the hall may decide about it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from threading import RLock
from typing import Final

from dalej.centre.admitting import OF_A_HALL, OF_A_TABLE, expect_admitted
from dalej.centre.decided import Cursor, arrived, mark_of
from dalej.centre.mirror import Mirror, SeenHall
from dalej.centre.stream import BroughtLine, DecisionLine, Line, decision_line, decision_of, encoded, read_line
from dalej.centre.talk import ENTRIES_MOST, Asking, Told
from dalej.domain.tournament.tournament import COMPLETE, HOME, RESULT, RoundKey, Tournament
from dalej.errors import DalejError, Damaged, Refused, WrongInput
from dalej.event.event import Event
from dalej.event.homes import CENTRE
from dalej.event.ledger import REVOKE, Decision, Heard, Origin
from dalej.words import N_

HEARD_EVERY_MS: Final = 5_000  # how often it is noted that a hall is there, though it has nothing to tell
OTHER_EVENT: Final = N_(
    "the centre's event is another one than hall {hall} has heard of so far, or an older copy of it"
)
_PUT_BACK: Final = "the hall's event file was put back to an earlier copy"
_NO_DECISION: Final = (WrongInput, Refused, Damaged, OverflowError, RecursionError, ValueError)


class Whole:
    """`event` is used by nobody else; threads may share this."""

    def __init__(self, event: Event) -> None:
        self._event = event
        self._lock = RLock()
        self._adopted: set[int] = set()
        self._not_taken: dict[tuple[str, int], set[int]] = {}  # by hall and epoch
        self._looked_through: set[tuple[str, int]] = set()

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

    # --- to a hall -----

    def told(self, hall: SeenHall, asking: Asking) -> Told:
        """What follows for that hall. Refused if it has heard of another event than this."""
        with self._lock:
            heard = self._event.ledger.heard(hall.name)
            if hall.epoch > 1 and (heard is None or heard[:2] != (hall.epoch, hall.through)):
                return Told([])  # what its file knows is not all here yet
            if hall.epoch > 1:
                self._adopt(hall)
            decisions = self._event.read().decisions()
            at = bisect_right(decisions, asking.after, key=lambda one: one.cursor)
            if asking.after:
                last = self._decision(asking.last)
                ahead = asking.after > (decisions[-1].cursor if decisions else 0)
                if ahead or last is None or mark_of(last) != asking.mark:
                    raise Refused(OTHER_EVENT, hall=hall.name)
            own = {one.cursor for one in decisions if one.origin is not None and one.origin.name == hall.name}
            own -= self._adopted

            def as_the_hall_has_it(cursor: int) -> int:
                origin = None if cursor not in own or (made := self._decision(cursor)) is None else made.origin
                return -origin.number if origin is not None and origin.epoch == hall.epoch else cursor

            wanted = [
                one for one in decisions[at:] if one.kind != HOME and one.cursor not in own and one.revokes not in own
            ]  # fmt: skip
            following = [arrived(one, as_the_hall_has_it) for one in _whole_steps(wanted)]
            not_taken = sorted(self._not_taken.get((hall.name, hall.epoch), ()))
        return Told([encoded(decision_line(one)) for one in following if one is not None], not_taken)

    def _adopt(self, hall: SeenHall) -> None:
        """What the hall's file knows no more since it was put back, and counts all the same, as the round is not with
        the hall any more, is the centre's from now on, and told to the hall as such.
        """
        state = self._event.state()
        for one in self._event.ledger.left_behind(hall.name, hall.epoch):
            if one.kind in OF_A_TABLE and not _is_with(hall.name, one, state):
                self._event.ledger.adopt(one.cursor)
                self._adopted.add(one.cursor)

    # --- from a hall -----

    def bring(self, mirror: Mirror, hall: SeenHall, now_ms: int) -> list[DalejError]:
        """Bring what the hall has told and is not here yet; what was not taken of it, and why. Refused, with nothing
        done, if another program does the same.
        """
        if not hall.through:  # it is about to tell
            return []
        with self._lock:
            ledger = self._event.ledger
            refused: list[DalejError] = []
            known = ledger.heard(hall.name)
            if not _is_home(mirror, hall):
                return [DalejError(
                    N_("hall {hall} tells of an event file that is not its own of this event: nothing of it is taken"),
                    hall=hall.name,
                )]  # fmt: skip
            if known is not None and known.epoch < hall.epoch:
                self._begin_anew(hall, known, now_ms)
            while True:
                known = ledger.heard(hall.name)
                after = 0 if known is None else known.through
                lines = mirror.lines(hall.name, after, ENTRIES_MOST, hall.epoch) if after < hall.through else []
                if not lines:
                    break
                named = _named(mirror, hall, ledger.here(hall.name, hall.epoch))
                self._take(hall, [read_line(line) for line in lines], named, now_ms, refused)
            if known is not None and known.epoch == hall.epoch and now_ms - known.at_ms >= HEARD_EVERY_MS:
                ledger.listened(hall.name, known, known._replace(at_ms=now_ms))
            return refused

    def _begin_anew(self, hall: SeenHall, known: Heard, now_ms: int) -> None:
        """A file that was put back tells everything again, and may have been played on with before it heard that a
        round was taken back. Of rounds that are with the hall nothing counts but what it tells now; and it is complete
        when it says so again, of rounds about which the centre has decided nothing since.
        """
        ledger = self._event.ledger
        with self._event.together():
            before = ledger.left_behind(hall.name, hall.epoch)
            rounds = self._event.state().rounds
            for one in before:
                key = _round_of(one)
                about = None if key is None else rounds.get(key)
                if one.kind != COMPLETE or about is None or about.closed is not None or about.seating is None:
                    continue
                if about.seating.mark.cursor < one.cursor:
                    self._take_back(hall, one, now_ms)
            state, overruled = self._event.state(), self._overruled()
            for one in before:
                stays = one.cursor < overruled.get(one.subject, 0)
                if one.kind in OF_A_TABLE and _is_with(hall.name, one, state) and not stays:
                    self._take_back(hall, one, now_ms)
            ledger.listened(hall.name, known, Heard(hall.epoch, 0, now_ms))

    def _overruled(self) -> dict[str | None, int]:
        """Of each subject on which the centre itself has decided last: where. What was told before stays before it."""
        return {
            one.subject: one.cursor
            for one in self._event.read().decisions()
            if one.kind == RESULT and one.origin is None and one.revoked_by is None
        }

    def _take_back(self, hall: SeenHall, one: Decision, now_ms: int) -> None:
        self._event.ledger.decide(
            REVOKE, {}, who=hall.name, when_ms=now_ms, why=_PUT_BACK, subject=f"{REVOKE}:{one.cursor}",
            revokes=one.cursor,
        )  # fmt: skip

    def _take(
        self, hall: SeenHall, lines: Sequence[Line], named: Cursor, now_ms: int, refused: list[DalejError]
    ) -> None:
        """All of them, or, if the event could not be read with them, in halves: all but the one to blame."""
        wrong: list[DalejError] = []
        try:
            with self._event.together():
                self._put(hall, lines, named, now_ms, wrong)
                self._event.state()
        except Damaged as problem:
            if len(lines) > 1:
                half = len(lines) // 2
                self._take(hall, lines[:half], named, now_ms, refused)
                self._take(hall, lines[half:], named, now_ms, refused)
                return
            with self._event.together():
                self._listened(hall, lines, now_ms)
            wrong = [self._refuse(hall, lines[0], problem)]
        refused += wrong

    def _put(self, hall: SeenHall, lines: Sequence[Line], named: Cursor, now_ms: int, wrong: list[DalejError]) -> None:
        ledger, state = self._event.ledger, self._event.state()
        self._listened(hall, lines, now_ms)
        for line in lines:
            if not isinstance(line, DecisionLine) or line.kind not in OF_A_HALL:
                continue
            try:
                with ledger.together():
                    self._bring_one(hall, line, named, state)
            except _NO_DECISION as problem:
                wrong.append(self._refuse(hall, line, problem))
                continue
            if line.kind == COMPLETE:
                state = self._event.state()

    def _bring_one(self, hall: SeenHall, line: DecisionLine, named: Cursor, state: Tournament) -> None:
        """Refused if it is not the hall's to decide, WrongInput or Damaged if it is no decision."""
        made = arrived(decision_of(line), named)
        if made is None:
            if line.kind == REVOKE:
                return  # of what was not taken
            raise Refused(N_("it refers to what was not taken"))
        revoked = self._decision(made.revokes)
        if revoked is not None and revoked.revoked_by is not None:
            if made.kind == REVOKE:
                return  # it counts no more, and that is what the hall says
            made = replace(made, revokes=None)
        origin = Origin(hall.name, hall.epoch, line.cursor)
        if hall.epoch > 1 and (known := self._event.ledger.known_before(made, origin)) is not None:
            self._adopted.discard(known)
            return
        expect_admitted(hall.name, made, revoked, state)
        self._event.ledger.bring(made, origin)

    def _listened(self, hall: SeenHall, lines: Sequence[Line], now_ms: int) -> None:
        """Refused unless these are the lines that follow what was listened to."""
        ledger = self._event.ledger
        heard = ledger.heard(hall.name)
        at = 0 if heard is None or heard.epoch != hall.epoch else heard.through
        if lines[0].cursor != at + 1:
            raise Refused(N_("{name} was listened to by another program meanwhile"), name=hall.name)
        ledger.listened(hall.name, heard, Heard(hall.epoch, lines[-1].cursor, now_ms))

    def _refuse(self, hall: SeenHall, line: Line, problem: Exception) -> DalejError:
        self._not_taken.setdefault((hall.name, hall.epoch), set()).add(line.cursor)
        said = problem if isinstance(problem, DalejError) else DalejError("{kind}", kind=type(problem).__name__)
        template = N_("hall {hall}, entry {number} is not taken: {problem}")
        return DalejError(template, hall=hall.name, number=line.cursor, problem=said)

    def look_through(self, mirror: Mirror, hall: SeenHall) -> None:
        """What of the hall's decisions was not taken, as this program was not there to see it."""
        at = hall.name, hall.epoch
        with self._lock:
            heard = self._event.ledger.heard(hall.name)
            if at in self._looked_through or heard is None or heard.epoch != hall.epoch:
                return
            here, after = self._event.ledger.here(*at), 0
            found = self._not_taken.setdefault(at, set())
            while lines := mirror.lines(hall.name, after, min(ENTRIES_MOST, heard.through - after), hall.epoch):
                for line in map(read_line, lines):
                    if isinstance(line, DecisionLine) and line.kind in OF_A_TABLE and here(line.cursor) is None:
                        found.add(line.cursor)
                after += len(lines)
            self._looked_through.add(at)

    def _decision(self, cursor: int | None) -> Decision | None:
        if cursor is None:
            return None
        found = self._event.ledger.decisions_between(cursor - 1, cursor)
        return found[0] if found else None


def _is_home(mirror: Mirror, hall: SeenHall) -> bool:
    """Whether that file was made as the one of that hall, which is what its first entry says."""
    first = read_line(mirror.lines(hall.name, 0, 1, hall.epoch)[0])
    return isinstance(first, DecisionLine) and first.kind == HOME and first.body.get("hall") == hall.name


def _named(mirror: Mirror, hall: SeenHall, here: Cursor) -> Cursor:
    """Tells what something is called here that has that number in the hall's file: its own, or what it was told."""

    def cursor_of(number: int) -> int | None:
        if (own := here(number)) is not None or not 0 < number <= hall.through:
            return own
        line = read_line(mirror.lines(hall.name, number - 1, 1, hall.epoch)[0])
        return line.number if isinstance(line, BroughtLine) and line.origin == CENTRE else None

    return cursor_of


def _is_with(hall: str, made: Decision, state: Tournament) -> bool:
    """Whether that hall may still decide about the round of it."""
    key = _round_of(made)
    return key is not None and key in state.rounds and hall in state.rounds[key].returns


def _whole_steps(wanted: Sequence[Decision]) -> Sequence[Decision]:
    """The first of them: so many that a step is not cut, if it is none of thousands."""
    if len(wanted) <= ENTRIES_MOST:
        return wanted
    last = ENTRIES_MOST
    while last and _step(wanted[last]) == _step(wanted[last - 1]):
        last -= 1
    return wanted[: last or 2 * ENTRIES_MOST]


def _step(one: Decision) -> tuple[str, int, str, str]:
    return one.who, one.when_ms, one.why, "" if one.origin is None else one.origin.name


def _round_of(made: Decision) -> RoundKey | None:
    stage, number = made.body.get("stage"), made.body.get("round")
    return RoundKey(stage, number) if isinstance(stage, str) and isinstance(number, int) else None
