"""A box and a desk's session as a pair over a link that does what a test wants: all on simulated time.

`Shelf` is a desk without a database: it keeps facts under their key, acknowledges what is contiguous, and can be told
that its disk is full. `Rig` puts a simulated box, a radio and a shelf together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from dalej.clock import ManualClock
from dalej.domain.game.facts import Fact
from dalej.link.session import (
    PING_MS,
    Event,
    FactsArrived,
    Known,
    Phase,
    Session,
    Silent,
    StateHeard,
    Trusted,
    TurnedAway,
)
from dalej.link.uptime import UptimeMap
from dalej.simulator.box import MTU, Faults, SimBox, SimRadio
from dalej.simulator.world import World
from moveclock import facts as k
from moveclock import wire
from moveclock.segments import Flash
from moveclock.settings import Settings

UID: Final = bytes.fromhex("a0b1c2d3e4f5")
SECRET: Final = bytes(range(32))
STEPS: Final = 200_000


class Shelf:
    """A desk of one box. `full`: nothing can be stored now; `events`: all that sessions told."""

    def __init__(
        self,
        *,
        name: str = "first laptop",
        desk: int = 1,
        secret: bytes = SECRET,
        seed: int = 1,
        ping_ms: int = PING_MS,
    ) -> None:
        self.facts: dict[tuple[int, int], Fact] = {}
        self.arrivals: list[tuple[Fact, int]] = []  # every copy, and when
        self.conflicts: list[Fact] = []
        self.old: set[tuple[int, int]] = set()
        self.contiguous: dict[int, int] = {}
        self.events: list[Event] = []
        self.full = False
        self.session: Session | None = None
        self.uptimes = UptimeMap()
        self._desk = (desk, name)
        self._secret = secret
        self._random = Random(seed)
        self._ping_ms = ping_ms
        self._commands: dict[int, tuple[int, bytes]] = {}

    # What a radio asks of it

    def connected(self, uid: bytes, now_ms: int) -> None:
        self.session = Session(
            uid=uid,
            secret=self._secret,
            desk_id=self._desk[0],
            desk_name=self._desk[1],
            known=[Known(epoch, upto, self._top(epoch)) for epoch, upto in self.contiguous.items()],
            nonce=self._random.randbytes(16),
            uptimes=self.uptimes,
            ping_ms=self._ping_ms,
        )
        self.session.start(now_ms)

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        if self.session is not None:
            self.session.lost()
            self._heed(now_ms)
        self.session = None

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        if self.session is not None:
            self.session.receive(frame, now_ms)
            self._heed(now_ms)

    def waiting(self) -> list[bytes]:
        return [UID]

    def frames(self, uid: bytes) -> list[bytes]:
        return [] if self.session is None else self.session.frames()

    def wants_to_leave(self, uid: bytes) -> bool:
        return self.session is None or self.session.phase is Phase.OVER

    def next_timer(self) -> int | None:
        return None if self.session is None else self.session.next_timer()

    def handle_timer(self, now_ms: int) -> None:
        if self.session is not None:
            self.session.handle_timer(now_ms)
            self._heed(now_ms)

    # What a test asks of it

    @property
    def live(self) -> bool:
        return self.session is not None and self.session.phase is Phase.LIVE

    def log(self) -> list[Fact]:
        """What it holds, stream by stream as they were met, each in order."""
        order = list(self.contiguous)
        return sorted(self.facts.values(), key=lambda fact: (order.index(fact.epoch), fact.seq))

    def told(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    def turned_away(self) -> list[tuple[int, str]]:
        return [(event.why, event.text) for event in self.events if isinstance(event, TurnedAway)]

    def silences(self) -> list[int]:
        return [event.for_ms for event in self.events if isinstance(event, Silent)]

    def states(self) -> list[dict[str, int]]:
        return [event.state for event in self.events if isinstance(event, StateHeard)]

    def command(self, number: int, what: int, arguments: bytes = b"", *, now_ms: int, game: int = 0) -> None:
        """Sent now, and on every later link, until a stored fact answers it."""
        self._commands[number] = (what, arguments)
        if self.session is not None:
            self.session.command(number, what, arguments, now_ms, game=game)

    def _heed(self, now_ms: int) -> None:
        session = self.session
        while session is not None and session.events:
            event = session.events.popleft()
            self.events.append(event)
            if isinstance(event, Trusted):
                self.contiguous.setdefault(event.epoch, 0)
                self.contiguous[event.epoch] = max(self.contiguous[event.epoch], event.oldest - 1)
                for number, (what, arguments) in self._commands.items():
                    session.command(number, what, arguments, now_ms)
            elif isinstance(event, FactsArrived):
                self._store(session, event, now_ms)

    def _store(self, session: Session, event: FactsArrived, now_ms: int) -> None:
        self.arrivals += [(fact, now_ms) for fact in event.facts]
        if self.full:
            return
        for fact in event.facts:
            key = fact.epoch, fact.seq
            if self.facts.setdefault(key, fact) != fact:
                self.conflicts.append(fact)
            if fact.seq <= event.old_through:
                self.old.add(key)
            if fact.kind in (k.COMMAND_APPLIED, k.COMMAND_REFUSED):
                self._commands.pop(fact.a, None)
                session.answered(fact.a)
        upto = self.contiguous[session.epoch]
        while (session.epoch, upto + 1) in self.facts:
            upto += 1
        self.contiguous[session.epoch] = upto
        session.committed(session.epoch, upto)

    def _top(self, epoch: int) -> int:
        return max((seq for stream, seq in self.facts if stream == epoch), default=self.contiguous[epoch])


class Scripted(SimRadio):
    """A radio whose next frames fare as `fates` says, both directions in one order; then all is well.

    Fates are delays in ms of the copies that arrive; None: the link breaks with this frame.
    """

    script: Sequence[tuple[int, ...] | None] = ()

    def fates(self) -> list[tuple[int, bool]] | None:
        if not self.script:
            return super().fates()
        fate, self.script = self.script[0], self.script[1:]
        return None if fate is None else [(delay, False) for delay in fate]


class Rig:
    """One box at a table of four, one desk, one link. Seat A starts; the limit is 60 s."""

    def __init__(
        self,
        *,
        flash: Flash | None = None,
        shelf: Shelf | None = None,
        seed: int = 1,
        ppm: int = 0,
        raw_start: int = 0,
        mtu: int = MTU,
        reset: int = k.POWER_ON,
    ) -> None:
        self.clock = ManualClock()
        self.world = World(self.clock, STEPS)
        self.shelf = shelf or Shelf()
        self.sim = SimBox(self.world, UID, SECRET, Random(7), ppm=ppm, raw_start=raw_start, flash=flash)
        self.radio = Scripted(self.world, self.shelf, Random(seed), mtu=mtu)
        self.sim.power_on(reset)
        self.radio.add(self.sim)
        self.run(100)

    def configured(self, settings: Settings | None = None) -> Rig:
        """The table is set up over the link that is still good."""
        settings = settings or Settings()
        settings.first = k.SEAT_A
        self.shelf.command(1, k.C_CONFIGURE, bytes([1, 0]) + settings.pack(), now_ms=self.world.now_ms)
        self.radio.serve()
        self.run(1000)
        return self

    def run(self, ms: int) -> None:
        self.world.run_until(self.world.now_ms + ms)

    def tap(self, contact: int, for_ms: int = 80) -> None:
        """A finger on a contact, then time until the tap is decided."""
        self.sim.edge(contact, True)
        self.run(for_ms)
        self.sim.edge(contact, False)
        self.run(120)

    def order(self, number: int, what: int, arguments: bytes = b"", *, game: int = 0) -> None:
        """A command over the link as it is."""
        self.shelf.command(number, what, arguments, now_ms=self.world.now_ms, game=game)
        self.radio.serve()

    def moves(self, count: int, every_ms: int = 3000) -> None:
        """So many moves in turn from seat A on, each with a tile and a click; the first click starts the game."""
        self.tap(2 * k.SEAT_A)
        for move in range(count):
            self.run(every_ms - 400)
            self.tap(k.KOSTKA)
            self.tap(2 * (move % 4) + 1)

    def settle(self, within_ms: int = 60_000) -> None:
        """All is well with the link from now on: wait until the desk has everything."""
        self.radio.faults = Faults()
        self.radio.script = ()
        end = self.world.now_ms + within_ms
        while not (self.shelf.live and self.backlog() == 0) and self.world.now_ms < end:
            self.run(100)
        assert self.shelf.live
        assert self.backlog() == 0

    def backlog(self) -> int:
        assert self.sim.box is not None
        return self.sim.box.journal.backlog

    def journal(self) -> list[Fact]:
        """What lies on the box's flash, as the desk would word it."""
        assert self.sim.box is not None
        journal = self.sim.box.journal
        return facts_of(journal.epoch, [journal.record(seq) for seq in range(journal.oldest, journal.head + 1)])

    def names(self) -> list[str]:
        return [fact.name for fact in self.journal()]


def facts_of(epoch: int, records: Iterable[bytes | None]) -> list[Fact]:
    """Records of the test's box as facts."""
    found = []
    for record in records:
        assert record is not None
        seq, boot, (kind, at, game, move, seat, code, a, b, c) = wire.unpack_record(record)
        found.append(Fact(UID.hex(), epoch, seq, boot, at, kind, game, move, seat, code, a, b, c))
    return found
