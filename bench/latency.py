"""From press to committed row over the simulated link, against the same link with a bare echo.

One box, one desk, one ledger on disk. A press is a tap of 100 ms, which the box decides 30 ms after its release; the
desk gathers facts for 20 ms before it commits. On the steady link every frame takes 30 ms each way, and frames keep
their order, as they do on Bluetooth; the rough link is that of the demo's halls, 5 to 60 ms, with frames lost, doubled
and swapped. The echo is one frame from the desk to a box that sends it straight back, and again after a second without
an answer: the same world, radio and delays, but nobody thinks at either end.

Simulated time tells how long a person waits; CPU time what box and desk together work for it on this machine, SQLite's
waiting for the disk not included.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bench.ledger import DISK
from bench.row import NONE, Row, quantile
from dalej.clock import ManualClock
from dalej.desk.desk import Desk
from dalej.event.ledger import Ledger, Report
from dalej.event.ledger.entries import Recorded
from dalej.event.ledger.sqlitefile import SqliteStore
from dalej.event.ledger.store import BUSY_MS
from dalej.simulator.box import Faults, SimBox, SimRadio
from dalej.simulator.hall import COMMIT_DELAY_MS, DAY_MS, LOSSY
from dalej.simulator.world import World
from moveclock import facts as k
from moveclock.clock import Clock
from moveclock.peer import RESEND_MS
from moveclock.settings import PLAY_ON, Settings

PRESSES: Final = 3_000
STEPS: Final = 1_000_000  # a world that takes more is stuck
STEADY: Final = Faults(delay_ms=(30, 30))
TAP_MS: Final = 100
DECIDED_MS: Final = 30
SEED: Final = 4
FRAME: Final = bytes(78)  # a sealed frame with the two facts of a press
UID: Final = b"\x02bench"
SECRET: Final = bytes(32)


class Trip(NamedTuple):
    """One way from begin to end, in simulated ms and in µs of CPU."""

    ms: int
    cpu_us: float


def measure(size: float = 1) -> list[Row]:
    """Median and 99th percentile on both links, the wait that is not the press itself, and the work done."""
    presses = max(1, int(PRESSES * size))
    rows = []
    for name, faults in (("steady", STEADY), ("rough", LOSSY)):
        echoes, trips = _echoes(faults, presses), _presses(faults, presses)
        for label, part in (("median", 0.5), ("99 %", 0.99)):
            back, wait = quantile(part, [trip.ms for trip in echoes]), quantile(part, [trip.ms for trip in trips])
            rows.append(_row(f"press to committed row, {name} link, {label}", wait, back))
            rows.append(_row(f"... from the box's decision on, {label}", wait - TAP_MS - DECIDED_MS, back))
        if faults is STEADY:
            for label, part in (("median", 0.5), ("99 %", 0.99)):
                idle, work = (
                    quantile(part, [trip.cpu_us for trip in echoes]),
                    quantile(part, [trip.cpu_us for trip in trips]),
                )
                rows.append(_row(f"CPU of box and desk for it, {label}", work, idle, "µs"))
    return rows


def _row(what: str, value: float, echo: float, unit: str = "ms") -> Row:
    return Row(what, f"{value:,.0f} {unit}", f"bare echo {echo:,.0f} {unit}", f"{value / echo:.2f}" if echo else NONE)


class _WatchedLedger(Ledger):
    """Knows the newest move whose end has been committed."""

    ended = 0

    def record(self, reports: Iterable[Report], *, token: int | None = None) -> Recorded:
        recorded = super().record(reports, token=token)
        self.ended = max([self.ended, *(fact.move for fact in recorded.new if fact.kind == k.MOVE_ENDED)])
        return recorded


class _Table:
    """One box and its desk on a link with these faults; the first move is running."""

    def __init__(self, ledger: _WatchedLedger, faults: Faults) -> None:
        self._random = Random(SEED)
        self._world = World(ManualClock(), STEPS)
        self._ledger = ledger
        self._move = 0
        desk = Desk(
            ledger, clock=self._world.clock, random=self._random.randbytes, name="bench",
            commit_delay_ms=COMMIT_DELAY_MS, lease_ttl_ms=DAY_MS,
        )  # fmt: skip
        desk.know(UID, SECRET, table=1)
        radio = SimRadio(self._world, desk, self._random, faults)
        self._sim = SimBox(self._world, UID, SECRET, self._random)
        self._sim.power_on()
        radio.add(self._sim)
        settings = Settings()
        settings.first = k.SEAT_A
        settings.on_bank_empty = PLAY_ON
        while not desk.is_live(UID):
            self._world.step()
        desk.ask(UID, "configure", {"game": 1, "settings": settings.pack().hex()}, who="bench")
        radio.serve()
        while self._clock.state != k.READY:
            self._world.step()
        self._tap()
        self._world.run_until(self._world.now_ms + 1_000)

    @property
    def _clock(self) -> Clock:
        assert self._sim.box is not None
        return self._sim.box.clock

    def press(self) -> Trip:
        """Think, then end the running move: from the down edge to the row."""
        self._world.run_until(self._world.now_ms + self._random.randint(1_000, 8_000))
        self._move = self._clock.move
        return _timed(self._world, self._tap, lambda: self._ledger.ended >= self._move)

    def _tap(self) -> None:
        contact = 2 * (self._clock.starter if self._clock.state == k.READY else self._clock.seat)
        self._sim.edge(contact, True)
        self._world.after(TAP_MS, lambda: self._sim.edge(contact, False))


def _presses(faults: Faults, count: int) -> list[Trip]:
    DISK.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as folder,
        _WatchedLedger(SqliteStore.create(Path(folder) / "event.dalej", BUSY_MS)) as ledger,
    ):
        table = _Table(ledger, faults)
        return [table.press() for _ in range(count)]


class _EchoBox(SimBox):
    """A box that sends every frame straight back, and nothing else."""

    def pump(self) -> None:
        pass

    def receive(self, link: int, frame: bytes) -> None:
        self.links[link].to_desk(frame)


class _EchoDesk:
    """Says what it is told to say, and knows when its frame came back."""

    def __init__(self) -> None:
        self.to_say: dict[bytes, list[bytes]] = {}
        self.heard_ms: int | None = None

    def connected(self, uid: bytes, now_ms: int) -> None:
        pass

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        pass

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        if (uid, frame) == (UID, FRAME):
            self.heard_ms = now_ms

    def waiting(self) -> list[bytes]:
        return list(self.to_say)

    def frames(self, uid: bytes) -> list[bytes]:
        return self.to_say.pop(uid, [])

    def wants_to_leave(self, uid: bytes) -> bool:
        return uid != UID

    def next_timer(self) -> int | None:
        return None

    def handle_timer(self, now_ms: int) -> None:
        pass


def _echoes(faults: Faults, count: int) -> list[Trip]:
    random, world, desk = Random(SEED), World(ManualClock(), STEPS), _EchoDesk()
    radio = SimRadio(world, desk, random, faults)
    box = _EchoBox(world, UID, SECRET, random)
    box.power_on()
    radio.add(box)

    def say() -> None:
        if desk.heard_ms is None:
            desk.to_say[UID] = [FRAME]
            radio.serve()
            world.after(RESEND_MS, say)

    trips = []
    for _ in range(count):
        desk.heard_ms = None
        trips.append(_timed(world, say, lambda: desk.heard_ms is not None))
        world.run_until(world.now_ms + 2 * RESEND_MS)
    return trips


def _timed(world: World, begin: Callable[[], None], done: Callable[[], bool]) -> Trip:
    at, cpu = world.now_ms, time.process_time_ns()
    begin()
    while not done():
        world.step()
    return Trip(world.now_ms - at, (time.process_time_ns() - cpu) / 1000)
