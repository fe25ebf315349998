"""What one laptop's Bluetooth can do: how many boxes it holds at a time, how long a connect takes, how old what it
hears gets. A port like a desk, which links one box after the other until one cannot be linked, and then holds them.

Nothing is recorded and nothing is acknowledged: what boxes have to tell they tell their desk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dalej.link.roster import Roster
from dalej.link.session import Phase, Session, TurnedAway
from dalej.link.uptime import UptimeMap
from moveclock import wire

SAMPLE_MS: Final = 100
FAILURES_MOST: Final = 2  # in a row: then the adapter holds no more
LISTEN_MS: Final = 5_000  # before the first connect
BETWEEN_MS: Final = 500
SILENT_MS: Final = 30_000  # a box that was not heard for so long is switched off or away, and not old


@dataclass(frozen=True, slots=True)
class Found:
    """`boxes`: of the club; `heard` of them; `most` were linked at a time and `held` of these to the end; `full`: one
    more could not be linked, so there is no room for it. Times in ms; `ages`: how long ago heard boxes were heard, at
    many instants; `busy`: names of desks that hold a box.
    """

    boxes: int
    heard: int
    most: int
    held: int
    full: bool
    connects_ms: Sequence[int]
    ages_ms: Sequence[int]
    busy: Sequence[str]

    def connect_ms(self) -> int:
        """The median, 0 if nothing was linked."""
        return share(self.connects_ms, 50)

    def round_ms(self, tables: int) -> int:
        """At least so often each of so many tables gets its turn, if each needs one."""
        return 0 if tables <= self.held else tables * (self.connect_ms() + BETWEEN_MS)


def share(values: Sequence[int], percent: int) -> int:
    """The value that so many percent do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0


@dataclass(slots=True)
class _Box:
    secret: bytes
    heard_ms: int | None = None
    began_ms: int = 0
    session: Session | None = None
    failed: bool = False
    uptimes: UptimeMap = field(default_factory=UptimeMap)


class Survey:
    """A `ScanningPort`. `boxes`: uid -> secret; `most`: links to try for; `over` once `hold_ms` have passed with them.

    `random(n)`: unpredictable bytes; `desk`: number and name by which boxes know this desk.
    """

    def __init__(
        self,
        boxes: Mapping[bytes, bytes],
        *,
        most: int,
        hold_ms: int,
        now_ms: int,
        random: Callable[[int], bytes],
        desk: tuple[int, str],
    ) -> None:
        self._boxes = {uid: _Box(secret) for uid, secret in boxes.items()}
        self._roster = Roster()
        for uid, box in self._boxes.items():
            self._roster.know(uid, box.secret, box.uptimes)
        self._most = most
        self._hold_ms = hold_ms
        self._random = random
        self._desk = desk
        self._begin_ms = now_ms + LISTEN_MS
        self._connecting: bytes | None = None
        self._failures = 0
        self._full = False
        self._peak = 0
        self._holds_ms: int | None = None
        self._sample_ms = now_ms + SAMPLE_MS
        self._connects: list[int] = []
        self._ages: list[int] = []
        self._busy: dict[str, None] = {}
        self._waiting: dict[bytes, None] = {}
        self.over = False

    def found(self) -> Found:
        """What is known by now."""
        return Found(
            boxes=len(self._boxes), heard=sum(box.heard_ms is not None for box in self._boxes.values()),
            most=self._peak, held=self._live(), full=self._full, connects_ms=tuple(self._connects),
            ages_ms=tuple(self._ages), busy=tuple(self._busy),
        )  # fmt: skip

    # --- a scanning port -----

    def advertised(self, data: bytes, now_ms: int) -> bytes | None:
        sighting = self._roster.hear(data, now_ms)
        if sighting is None:
            return None
        self._boxes[sighting.uid].heard_ms = now_ms
        return sighting.uid

    def to_connect(self, now_ms: int) -> list[bytes]:
        if self._connecting is not None or self._holds_ms is not None or now_ms < self._begin_ms:
            return []
        fresh = (
            uid
            for uid, box in self._boxes.items()
            if box.session is None and not box.failed and box.heard_ms is not None
        )
        uid = next(fresh, None)
        if uid is None or self._full or self._live() >= self._most:
            self._holds_ms = now_ms
            return []
        self._connecting = uid
        self._boxes[uid].began_ms = now_ms
        return [uid]

    def failed(self, uid: bytes, now_ms: int) -> None:
        self._connecting = None
        self._boxes[uid].failed = True
        self._failures += 1
        self._full = self._failures >= FAILURES_MOST
        self._begin_ms = now_ms + BETWEEN_MS

    def proved(self, uid: bytes) -> bool:
        session = self._boxes[uid].session
        return session is not None and session.phase is Phase.LIVE

    def plugged(self, uid: bytes, now_ms: int) -> None:
        """Cables are not what is measured."""

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        """Neither plugged nor unplugged."""

    def connected(self, uid: bytes, now_ms: int) -> None:
        box = self._boxes[uid]
        box.session = Session(
            uid=uid, secret=box.secret, desk_id=self._desk[0], desk_name=self._desk[1], known=[],
            nonce=self._random(16), uptimes=box.uptimes,
        )  # fmt: skip
        box.session.start(now_ms)
        self._waiting[uid] = None

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        box = self._boxes[uid]
        if box.session is not None:
            box.session.lost()
            self._heed(uid, box.session, now_ms)
        box.session = None
        if uid == self._connecting:  # it had a link and did not get so far as to be trusted
            self.failed(uid, now_ms)

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        session = self._boxes[uid].session
        if session is not None:
            session.receive(frame, now_ms)
            self._heed(uid, session, now_ms)

    def waiting(self) -> list[bytes]:
        waiting = list(self._waiting)
        self._waiting.clear()
        return waiting

    def frames(self, uid: bytes) -> list[bytes]:
        session = self._boxes[uid].session
        return [] if session is None else session.frames()

    def wants_to_leave(self, uid: bytes) -> bool:
        session = self._boxes[uid].session
        return session is None or session.phase is Phase.OVER

    def next_timer(self) -> int | None:
        timers = [self._sample_ms]
        for box in self._boxes.values():
            due = None if box.session is None else box.session.next_timer()
            if due is not None:
                timers.append(due)
        return min(timers)

    def handle_timer(self, now_ms: int) -> None:
        for uid, box in self._boxes.items():
            if box.session is not None:
                box.session.handle_timer(now_ms)
                self._heed(uid, box.session, now_ms)
        if now_ms >= self._sample_ms:
            self._sample_ms = now_ms + SAMPLE_MS
            ages = (now_ms - box.heard_ms for box in self._boxes.values() if box.heard_ms is not None)
            self._ages += [age for age in ages if age <= SILENT_MS]
        self.over = self._holds_ms is not None and now_ms - self._holds_ms >= self._hold_ms

    def close(self) -> None:
        """Goodbye to every box."""
        for uid, box in self._boxes.items():
            if box.session is not None:
                box.session.say_bye()
                self._waiting[uid] = None

    # --- links -----

    def _live(self) -> int:
        return sum(box.session is not None and box.session.phase is Phase.LIVE for box in self._boxes.values())

    def _heed(self, uid: bytes, session: Session, now_ms: int) -> None:
        while session.events:
            event = session.events.popleft()
            if isinstance(event, TurnedAway) and event.why == wire.NO_BUSY:
                self._busy[event.text] = None
        if uid == self._connecting and session.phase is Phase.LIVE:
            self._connecting = None
            self._failures = 0
            self._connects.append(now_ms - self._boxes[uid].began_ms)
            self._peak = max(self._peak, self._live())
        self._waiting[uid] = None
