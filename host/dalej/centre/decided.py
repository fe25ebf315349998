"""What is decided in one event of a tournament and counts in the others: the centre's decisions go to its halls, what a
hall has decided about its tables goes to the centre (`dalej.centre.whole`), and from there to the other halls. Each is
brought once, in its order, with what it refers to named as it is called where it arrives. Who may decide what:
`dalej.event.homes`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Final

from dalej.centre.stream import DecisionLine, decision_of, read_line
from dalej.centre.talk import Asking, Told
from dalej.domain.tournament.tournament import COMPLETE, CONFIRMED, GIVEN, TABLE_RULING
from dalej.event.event import Event
from dalej.event.homes import CENTRE, OF_A_TABLE
from dalej.event.ledger import REVOKE, Decision, Heard, Origin

ONE_EPOCH: Final = 1  # of the centre's event, as its halls call it

Cursor = Callable[[int], int | None]


def mark_of(made: Decision) -> str:
    """By which two ends know that they mean the same decision, whatever it and those it refers to are called there."""
    said = (made.kind, made.who, str(made.when_ms), made.why)
    return sha256("\0".join(said).encode()).hexdigest()


def arrived(made: Decision, here: Cursor) -> Decision | None:
    """The decision as it is put down here, `here` naming what it refers to; None: it refers to what did not come."""
    revokes = None if made.revokes is None else here(made.revokes)
    if made.revokes is not None and revokes is None:
        return None
    body = dict(made.body)
    if made.kind == CONFIRMED:
        of = body.get("results")
        found = [here(one) for one in of if isinstance(one, int)] if isinstance(of, list) else []
        body["results"] = [one for one in found if one is not None]
        if not body["results"]:
            return None
    elif made.kind == TABLE_RULING and isinstance(instead := body.get("instead"), int):
        if (found_instead := here(instead)) is None:
            del body["instead"]
        else:
            body["instead"] = found_instead
    subject = made.subject
    if made.revokes is not None and subject == f"{REVOKE}:{made.revokes}":
        subject = f"{REVOKE}:{revokes}"
    return replace(made, body=body, revokes=revokes, subject=subject)


class Listening:
    """A hall's end: its event file takes what the centre has decided. `event` is used by nobody else."""

    def __init__(self, event: Event, hall: str) -> None:
        self._event = event
        self._hall = hall

    def asking(self) -> Asking:
        """From where on."""
        ledger = self._event.ledger
        heard, last = ledger.heard(CENTRE), ledger.last_brought(CENTRE, ONE_EPOCH)
        if heard is None or last is None or last.origin is None:
            return Asking(0)
        return Asking(heard.through, last.origin.number, mark_of(last))

    def take(self, told: Told) -> int:
        """How many were new; all of them are taken or none. A round that was taken back is told to be complete in the
        same step, so that nobody decides about it in between.
        """
        ledger, now_ms = self._event.ledger, self._event.wall_ms()
        back = [number for number in told.not_taken if self._counts(number)]
        count = 0
        if not told.lines and not back:
            return count
        with self._event.together():
            heard, here = ledger.heard(CENTRE), ledger.here(CENTRE, ONE_EPOCH)

            def named(number: int) -> int | None:
                return here(number) if number > 0 else -number  # of this file itself

            lines = [line for text in told.lines if isinstance(line := read_line(text), DecisionLine)]
            new = [line for line in lines if heard is None or line.cursor > heard.through]
            for line in new:
                made = arrived(decision_of(line), named)
                if made is None:
                    continue  # it refers to what counts for nothing here
                ledger.bring(made, Origin(CENTRE, ONE_EPOCH, line.cursor))
                count += 1
                if line.kind == GIVEN and line.body.get("given") is False:
                    body = {
                        "stage": line.body["stage"],
                        "round": line.body["round"],
                        "hall": self._hall,
                        "of": line.cursor,
                    }
                    ledger.decide(COMPLETE, body, who=self._hall, when_ms=now_ms, why="the centre takes it back")
            if new:
                ledger.listened(CENTRE, heard, Heard(ONE_EPOCH, new[-1].cursor, now_ms))
            for number in back:
                ledger.decide(
                    REVOKE, {}, who=self._hall, when_ms=now_ms, why="the centre did not take it",
                    subject=f"{REVOKE}:{number}", revokes=number,
                )  # fmt: skip
            self._event.state()
        return count

    def _counts(self, number: int) -> bool:
        """Whether that was decided here and stands, though it counts nowhere else."""
        made = self._event.ledger.decisions_between(number - 1, number)
        return bool(made) and made[0].origin is None and made[0].kind in OF_A_TABLE and made[0].revoked_by is None
