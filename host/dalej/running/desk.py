"""A desk that keeps running through an evening: it follows what people decide, and looks after the boxes accordingly.

What carries frames is handed in from outside, so the same desk runs over simulated links, Bluetooth and cables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from dalej.clock import Clock
from dalej.desk import LEASE_TTL_MS, POLL_MS, Desk
from dalej.errors import DalejError, WrongInput
from dalej.ledger import Ledger
from dalej.line import Line
from dalej.link.session import Trusted
from dalej.notices import Notice
from dalej.office.boxplaces import BoxPlace
from dalej.office.event import Event
from dalej.running.leftovers import OLD_MS, begin_anywhere, end_old_requests
from dalej.running.meeting import Meetings
from dalej.running.owngame import OwnGames
from dalej.running.places import Places
from dalej.running.roundnow import RoundNow
from dalej.running.setup import SetUp
from dalej.running.takeover import LastHeard
from dalej.words import N_

COMMIT_DELAY_MS: Final = 20
LOOK_MS: Final = 200
HEARD_LATELY_MS: Final = 12_000
SECRET_AGAIN_MS: Final = 10_000  # a keyring that is locked may ask people each time, and nothing goes on meanwhile

NO_SECRET: Final = N_("table {table}: box {box} cannot be served: {problem}")
STANDS: Final = N_("table {table}: box {box} stands here now")
GONE: Final = N_("table {table}: box {box} does not stand here any more")


@dataclass(frozen=True, slots=True)
class Counts:
    """Boxes that stand on tables: how many, and of them heard lately and linked; facts that they still have to tell."""

    boxes: int
    heard: int
    linked: int
    waiting: int


class RunningDesk:
    """Whoever makes one holds no lease on the links: this takes it, and Refused names who has it.

    `secret_of(uid)`: by which the box and the club know each other; `desk_id`: see `dalej.running.deskid`; `links`,
    `connects`, `poll_ms`: see `dalej.desk.Desk`.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        clock: Clock,
        random: Callable[[int], bytes],
        secret_of: Callable[[bytes], bytes],
        name: str,
        desk_id: int,
        links: int | Callable[[], int] | None,
        connects: int = 1,
        poll_ms: int = POLL_MS,
    ) -> None:
        self._clock = clock
        self._secret_of = secret_of
        self._name = name
        self._known: dict[str, BoxPlace] = {}
        self._last: dict[str, LastHeard] = {}
        self._again: set[str] = set()  # boxes whose link is to be begun anew: more of what they hold is asked for
        self._secrets_ms = clock.now_ms() + SECRET_AGAIN_MS
        self._unserved: dict[tuple[str, int], int] = {}  # box and decision -> when its secret is asked for again
        self._places = Places(ledger)
        while self._places.behind:
            self._places.read_on()
        held = ledger.lease.acquire(name, clock.wall_ms(), LEASE_TTL_MS)
        try:
            end_old_requests(ledger, clock, held, OLD_MS)
            begin_anywhere(ledger, random, new=not self._places.requests)
        finally:
            ledger.lease.release(held)
        self.desk = Desk(
            ledger, clock=clock, random=random, name=name, desk_id=desk_id, commit_delay_ms=COMMIT_DELAY_MS,
            poll_ms=poll_ms, links=links, connects=connects, attendant=self,
        )  # fmt: skip
        event = Event(ledger, who=name, wall_ms=clock.wall_ms)
        self._round = RoundNow(event, self._places)
        self._meetings = Meetings(
            ledger, clock, self._places, name, self._tell, self._last.get, self._round.began, self._again.add
        )  # fmt: skip
        own_games = OwnGames(ledger, self._places, self._round.began)
        self._set_up = SetUp(self.desk, self._places, self._meetings, own_games, self._round, self._tell, self._ask)
        self._follow(self.desk.lines)

    def names(self) -> Mapping[str, str]:
        """What is written on the boxes that stand on tables, by uid."""
        return {place.box: place.called for place in self._known.values()}

    def counts(self) -> Counts:
        """How the hall is served now."""
        now_ms = self._clock.now_ms()
        lines = self.desk.lines.values()
        return Counts(
            boxes=len(lines),
            heard=sum(line.seen_ms is not None and now_ms - line.seen_ms <= HEARD_LATELY_MS for line in lines),
            linked=sum(line.live is not None for line in lines),
            waiting=sum(line.backlog for line in lines),
        )

    # --- what the desk asks for -----

    def met(self, line: Line, event: Trusted) -> None:
        self._places.read_on()
        self._meetings.met(line, event)

    def caught_up(self, line: Line, epoch: int, contiguous: int) -> None:  # noqa: ARG002 -- the ledger tells
        self._places.read_on()
        self._meetings.caught_up(line, epoch)

    def attend(self, now_ms: int) -> int:
        self._places.read_on()
        if self._places.behind:
            return now_ms
        self._round.look()
        self._follow(self.desk.lines)
        self._ask_secrets(now_ms)
        for place in self._known.values():
            line = self.desk.lines[bytes.fromhex(place.box)]
            if line.live is not None and line.catch_up is None:
                self._meetings.caught_up(line, line.live.epoch)
            try:
                self._set_up.look(line, place, now_ms)
            except WrongInput as error:  # of one table: the others go on
                self._set_up.cannot(line, place, error)
        self._link_again()
        return now_ms + LOOK_MS

    # --- which boxes -----

    def _link_again(self) -> None:
        """What a box is asked for is agreed on when its link begins."""
        while self._again:
            box = self._again.pop()
            if box in self._known:
                self.desk.forget(bytes.fromhex(box))
                self._know(self._known.pop(box), new=True)

    def _follow(self, lines: Mapping[bytes, Line]) -> None:
        """Know the boxes that stand on tables, and no others."""
        places = self._places.places
        for box, before in list(self._known.items()):
            if box not in places:
                self._keep_heard(lines[bytes.fromhex(box)])
                self._tell("gone", lines[bytes.fromhex(box)], GONE, table=before.table)
                self.desk.forget(bytes.fromhex(box))
                del self._known[box]
        for box, place in places.items():
            before_it = self._known.get(box)
            if before_it is None or before_it.table != place.table:
                self._know(place, new=before_it is None)
            elif before_it != place:
                self._known[box] = place

    def _know(self, place: BoxPlace, *, new: bool) -> None:
        uid, asked = bytes.fromhex(place.box), (place.box, place.cursor)
        now_ms = self._clock.now_ms()
        if now_ms < self._unserved.get(asked, now_ms):
            return
        try:
            secret = self._secret_of(uid)
        except DalejError as error:
            said = asked in self._unserved
            self._unserved[asked] = now_ms + SECRET_AGAIN_MS
            if not said:
                self.desk.notify(Notice("no_secret", place.box, NO_SECRET,
                                        {"table": place.table, "box": place.called, "problem": error}))  # fmt: skip
            return
        self.desk.know(uid, secret, place.table)
        self._known[place.box] = place
        if not new:
            self._tell("stands", self.desk.lines[uid], STANDS, table=place.table)

    def _ask_secrets(self, now_ms: int) -> None:
        """A box may have been paired anew meanwhile: whatever holds a link with its secret from before loses it."""
        if now_ms < self._secrets_ms:
            return
        self._secrets_ms = now_ms + SECRET_AGAIN_MS
        for place in self._known.values():
            uid = bytes.fromhex(place.box)
            with suppress(DalejError):  # what could be read before still holds
                if self._secret_of(uid) != self.desk.lines[uid].secret:
                    self._again.add(place.box)

    def _keep_heard(self, line: Line) -> None:
        if line.told is not None and line.seen_ms is not None:
            self._last[line.box] = LastHeard(line.told, line.seen_ms)

    def _ask(self, line: Line, command: str, args: Mapping[str, int | str], why: str) -> bool:
        return self.desk.ask(line.uid, command, args, who=self._name, why=why)

    def _tell(self, kind: str, line: Line, template: str, **data: object) -> None:
        self.desk.notify(Notice(kind, line.box, template, {"box": line.box, **data}))
