"""What delays the stamps of an ESP32, as a model: a real Box on a board whose interrupts, memory and flash take time.

Where the numbers come from:
- Pin interrupts are soft and their handlers are queued in order: "a few tens of µs ... 10 ms" (micropython#3894). No
  source says how often which; here four of five find the board idle, 30 to 100 µs, and the fifth finds it busy, when
  every delay up to 10 ms is as likely as its double. Were the board always busy, the median error would be 1.7 ms.
- A collection of a heap as full as the box's takes 6 to 12 ms at 160 MHz, 4 to 8 at 240: it is Python's memory alone,
  and goes with the processor. The pump makes 70 KB of garbage a second (in the machine of
  `bench.whole`), collects every 150 ms and tells of it. Of what comes by itself, at 16 KB, nobody is told: after a
  commit, whose press makes 7 KB more, and one in 10 s for frames that come and go.
- Flash stops everything, interrupts included; for how long, and where that comes from, says `bench.chip`.
- The crystal is within 10 ppm (Espressif's hardware design guidelines).

An edge whose interrupt falls into such a call gets its stamp when the call is over; none is lost. The pump keeps the
order that `moveclock.box` asks for, comes up to 12 ms late, which must not matter, and reports each call to
`Box.stalled`, as `devices.stalls` does.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Final, NamedTuple

from bench.chip import Cost, Costs, FolderFlash, drawing, learning
from dalej.simulator.box import SimBoard
from moveclock.box import Box
from moveclock.segments import Flash
from moveclock.ticks import PERIOD

UID: Final = b"\x02bench"
LATE_TURN_US: Final = 12_000
BOUNCE_US: Final = 5_000
IDLE_US: Final = (30, 100)
BUSY_US: Final = (100, 10_000)
BUSY_SHARE: Final = 0.2
COLLECTION_US: Final = (4_000, 8_000)
HOUSE_US: Final = 150_000  # the pump's own collections
WHOLE_TURN_US: Final = 50_000  # they come with a whole turn, which shows what there is to see
HANDLERS_US: Final = 200  # what the handlers that waited take
LATE_MS: Final = 2  # after a call, when a stamp may still be of an edge in it
COLLECTS_EVERY_US: Final = 10_000_000
PPM: Final = 10


class Stall(NamedTuple):
    """No interrupt ran from `start` to `end` (µs of true time)."""

    start: int
    end: int
    erases: int
    known: bool = True  # the box is told of it


class Edge(NamedTuple):
    """A contact changed at the true time `at`; its interrupt runs `delay` µs later, if nothing is in its way."""

    at: int
    contact: int
    down: bool
    delay: int


class Pumped:
    """A Box that `run` brings forward in true time (µs). Without `costs` nothing delays a stamp.

    With `learn` the flash is littlefs, and adds to `costs`; else its calls draw from them. `facts`: what the box has
    settled so far. `held_up`: true times of the edges that fell into a call with an erase. `seen`: true time at which a
    turn first saw each edge, which is what a loop would stamp that looks at its buttons as it comes round. `spans`:
    from when to when each edge may have been by what the box was told, in ms of its uptime.
    """

    def __init__(self, random: Random, costs: Costs | None = None, *, learn: bool = False) -> None:
        self.now = 0
        self.facts: list[tuple[int, ...]] = []
        self.held_up: set[int] = set()
        self.seen: dict[int, int] = {}
        self.spans: dict[int, tuple[int, int]] = {}
        self._random = random
        self._real = costs is not None
        self._edges: deque[Edge] = deque()
        self._stalls: list[Stall] = []
        self._erased: list[tuple[int, int]] = []  # spans of calls that erased
        self._told: list[tuple[int, int]] = []  # those of calls that the box was told of since its last tick, in its ms
        self._served = 0
        self._ppm = random.randint(-PPM, PPM) if self._real else 0
        self._start = random.randrange(PERIOD)
        self._collects_at = self._keeps_house_at = 0
        if costs is None:
            flash: Flash = FolderFlash()
        else:
            flash = learning(costs, self._spend) if learn else drawing(costs, self._spend, random)
        self._begun = False
        self.box = Box(UID, bytes(32), flash, SimBoard(random), self._raw())
        self._begun = True
        self._wake = self.now

    def press(self, contact: int, at: int, down_for: int) -> None:
        """A finger: closes the contact at `at` and opens it after `down_for`, bouncing at both ends."""
        random = self._random
        for first, down in ((at, True), (at + down_for, False)):
            bounces = sorted(random.randint(1, BOUNCE_US) for _ in range(2 * random.choice((0, 0, 0, 1, 1, 3))))
            self._edges.append(Edge(first, contact, down, self._delay()))
            for place, later in enumerate(bounces):
                self._edges.append(Edge(first + later, contact, down if place & 1 else not down, self._delay()))

    def run(self, until: int) -> None:
        """Turn the pump whenever it is due, up to the true time `until`."""
        while True:
            due = self._wake
            if self._edges:
                due = min(due, self._served_at(self._edges[0]))
            if due > until:
                break
            self._turn(max(due, self.now) + int(self._random.random() * LATE_TURN_US))
        self.now = max(self.now, until)

    def undecided(self) -> bool:
        """Whether there is an edge that no turn has seen, or a press that is not decided yet."""
        return bool(self._edges) or bool(self.box._contacts.queue)  # noqa: SLF001  # nobody else asks that

    def _turn(self, at: int) -> None:
        self.now = at
        box, facts = self.box, self.box.clock.facts
        while self._edges and (served := self._served_at(self._edges[0])) <= at:
            edge = self._edges.popleft()
            self.seen.setdefault(edge.at, at)
            if any(start <= edge.at <= end for start, end in self._erased):
                self.held_up.add(edge.at)
            self._served = served
            for stall in self._stalls:
                if stall.known and stall.start <= edge.at < stall.end:
                    self._tell(stall.start, stall.end + HANDLERS_US)
            self.spans.setdefault(edge.at, self._span(edge.at, served))
            box.edge(edge.contact, edge.down, self._raw(served))
        pending = self._edges[0].at if self._edges else at
        self._stalls = [stall for stall in self._stalls if stall.end > pending]
        self._erased = [span for span in self._erased if span[1] > pending]
        before, raw = len(facts), self._raw()
        box.tick(raw)
        self._told.clear()
        self.facts.extend(facts[before:])
        waiting = len(facts)
        box.work(raw)
        if self._real and len(facts) < waiting and box.clock.may_stall(box.uptime.now):
            self._collect()
        self._wake = self.now + 1000 * max(1, box.wake_at() - box.uptime.advance(self._raw()))

    def _spend(self, cost: Cost) -> None:
        """Nothing else happens for so long."""
        stall = Stall(self.now, self.now + cost.us, cost.erases)
        self._stalls.append(stall)
        if cost.erases:
            self._erased.append(stall[:2])
        self.now += cost.us + HANDLERS_US
        if self._begun:
            self._tell(stall.start, self.now)

    def _tell(self, start: int, end: int) -> None:
        """The box hears of a call, when it is over."""
        self.box.stalled(self._raw(start), self._raw(end))
        self._told.append((self._uptime(start), self._uptime(end)))

    def _span(self, at: int, served: int) -> tuple[int, int]:
        """From the call that kept the interrupt waiting, or might have, to the stamp."""
        seen = self._uptime(served)
        begun = [start for start, end in self._told if start < seen <= end + LATE_MS]
        return min([self._uptime(at), *begun]), seen

    def _collect(self) -> None:
        """Nobody is told that it took its time."""
        stall = Stall(self.now, self.now + self._random.randint(*COLLECTION_US), 0, known=False)
        self._stalls.append(stall)
        self.now = stall.end

    def _delay(self) -> int:
        if not self._real:
            return 0
        random = self._random
        if random.random() >= BUSY_SHARE:
            return random.randint(*IDLE_US)
        least, most = BUSY_US
        return int(least * (most / least) ** random.random())

    def _served_at(self, edge: Edge) -> int:
        """When the edge's interrupt runs, as far as stalls are known by now."""
        served = max(edge.at + edge.delay, self._served)
        if self._real:
            while self._collects_at <= edge.at:
                end = self._collects_at + self._random.randint(*COLLECTION_US)
                self._stalls.append(Stall(self._collects_at, end, 0, known=False))
                self._collects_at = end + int(self._random.expovariate(1 / COLLECTS_EVERY_US))
            while self._keeps_house_at <= edge.at:
                start, end = self._keeps_house_at, self._keeps_house_at + self._random.randint(*COLLECTION_US)
                if self.box.clock.may_stall(self.box.uptime.date(self._raw(start))):
                    self._stalls.append(Stall(start, end, 0))
                self._keeps_house_at = start + HOUSE_US + self._random.randint(0, WHOLE_TURN_US)
            for stall in self._stalls:
                if stall.start <= edge.at < stall.end:
                    served = max(served, stall.end + IDLE_US[0])
        return served

    def _raw(self, at: int | None = None) -> int:
        """The hardware counter at a true time, now if none is given."""
        true = self.now if at is None else at
        return (self._start + (true + true * self._ppm // 1_000_000) // 1000) % PERIOD

    def _uptime(self, at: int) -> int:
        """What the box takes a true time for."""
        return self.box.uptime.date(self._raw(at))
