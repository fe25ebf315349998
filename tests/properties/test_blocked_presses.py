"""Random presses and random calls that keep the interpreter, at a real Box: each press is one fact, dated by the rule.

What a pin's handler does is modelled as MicroPython for the ESP32 does it: handlers wait while a call blocks, eight at
most, and all of them read level and clock when it is over; what was dropped is found by looking at every pin.
"""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

from dalej.simulator.box import SimBoard
from memory_flash import MemoryFlash
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.box import Box
from moveclock.debounce import FINGER_MS, WINDOW_MS

TURN_MS: Final = 12
QUEUE: Final = 8
LONGEST_MS: Final = 1300  # of a call: a display on a dead bus
SPAN_MS: Final = 12_000
BEGAN_MS: Final = 1_000
CONTACTS: Final = (k.KOSTKA, 2, 5, 7)  # each press of one is one fact, and none of them means anything held
GAMES: Final = 25


class Press(NamedTuple):
    contact: int
    down: int
    up: int


class Hall:
    """A box in a long move, its pins, and the calls `(start, end)` that block it."""

    def __init__(self, random: Random, presses: list[Press], blocks: list[tuple[int, int]]) -> None:
        self.box = Box(b"uid uid", bytes(32), MemoryFlash(), SimBoard(random), 0)
        settings = rules.Settings()
        settings.limit_ms = 600_000
        settings.first = k.SEAT_A
        self.box.clock.settings = settings
        self.box.clock.prepare(0, 1, k.SEAT_A, k.DESK)
        self.facts: list[tuple[int, ...]] = []
        self._levels = dict.fromkeys(CONTACTS, False)
        self._seen = dict.fromkeys(CONTACTS, False)
        self._stamps = dict.fromkeys(CONTACTS, 0)
        self._looked = 0
        self._edges = sorted(_bouncing(random, presses))
        self._blocks = blocks

    def play(self) -> list[tuple[int, ...]]:
        """Every fact of a press."""
        now = 0
        blocks = list(self._blocks)
        self.box.edge(0, True, BEGAN_MS - 200)  # seat A begins
        self.box.edge(0, False, BEGAN_MS - 100)
        while now < SPAN_MS + 3 * LONGEST_MS:
            self._turn(now)
            later = now + TURN_MS
            if blocks and blocks[0][0] < later:
                start, end = blocks.pop(0)
                self._open(max(now, start))
                self.box.stalled(max(now, start), end)  # edges wait in the pump's ring until then
                self._blocked(end)
                now = end
            else:
                self._open(later)
                now = later
        return [fact for fact in self.facts if fact[0] in (k.TILE_DRAWN, k.STRAY_TAP)]

    def _turn(self, now: int) -> None:
        for contact in CONTACTS:
            if self._levels[contact] != self._seen[contact]:
                down = self._levels[contact]
                last = self._stamps[contact] + (0 if down else FINGER_MS)
                self._put(contact, down, max(self._looked, last))
        self._looked = now
        before = len(self.box.clock.facts)
        self.box.tick(now)
        self.facts.extend(self.box.clock.facts[before:])
        self.box.work(now)

    def _open(self, until: int) -> None:
        """Handlers run at once."""
        while self._edges and self._edges[0][0] < until:
            at, contact, down = self._edges.pop(0)
            self._levels[contact] = down
            self._handle(contact, at)

    def _blocked(self, until: int) -> None:
        waiting = []
        while self._edges and self._edges[0][0] < until:
            _, contact, down = self._edges.pop(0)
            self._levels[contact] = down
            waiting.append(contact)
        for contact in waiting[:QUEUE]:
            self._handle(contact, until)

    def _handle(self, contact: int, at: int) -> None:
        down = self._levels[contact]
        if down == self._seen[contact]:
            self._put(contact, not down, at)
        self._put(contact, down, at)

    def _put(self, contact: int, down: bool, at: int) -> None:
        self._seen[contact] = down
        self._stamps[contact] = at
        self.box.edge(contact, down, at)


def _bouncing(random: Random, presses: list[Press]) -> list[tuple[int, int, bool]]:
    edges = []
    for contact, down, up in presses:
        for at, level in ((down, True), (up, False)):
            edges.append((at, contact, level))
            if random.random() < 0.3:
                edges += [(at + 1, contact, not level), (at + 2, contact, level)]
    return edges


def _presses(random: Random, most: int) -> list[Press]:
    """Presses of each contact, so far apart that no call has two of one contact."""
    found = []
    for contact in random.sample(CONTACTS, most):
        at = BEGAN_MS + random.randint(400, 2_000)
        while at < SPAN_MS:
            length = random.randint(WINDOW_MS, 250)
            found.append(Press(contact, at, at + length))
            at += length + random.randint(LONGEST_MS + 100, 3_000)
    return found


def _calls(random: Random) -> list[tuple[int, int]]:
    calls = []
    at = BEGAN_MS + 300
    while at < SPAN_MS:
        at += random.choice((random.randint(1, 20), random.randint(20, 1_000)))
        length = random.choice((3, 9, 30, 90, 190, 250, LONGEST_MS))
        calls.append((at, at + length))
        at += length
    return calls


def test_every_press_longer_than_the_debounce_is_one_fact_dated_by_the_rule(seed: int) -> None:
    random = Random(seed)
    for _ in range(GAMES):
        presses, calls = sorted(_presses(random, 2), key=lambda press: press.down), _calls(random)

        found = Hall(random, presses, calls).play()

        assert len(found) == len(presses), (presses, calls, found)
        for press, stamp in zip(presses, sorted(fact[1] for fact in found), strict=True):
            within = [start for start, end in calls if start <= press.down < end]
            earliest = within[0] if within else press.down
            assert earliest - TURN_MS <= stamp <= press.down, (press, stamp, calls)


def test_where_interrupts_are_dropped_what_is_still_to_be_seen_is_found(seed: int) -> None:
    """All four contacts at once fill the scheduler; whoever is still down at the end of the call is not lost."""
    random = Random(seed)
    for _ in range(GAMES):
        down = BEGAN_MS + random.randint(600, 2_000)
        start = down - random.randint(1, 60)
        end = down + random.randint(10, 200)
        presses = [Press(contact, down + random.randint(0, 9), end + random.randint(30, 90)) for contact in CONTACTS]

        found = Hall(random, presses, [(start, end)]).play()

        assert len(found) == len(CONTACTS), (presses, start, end, found)
        assert all(start - TURN_MS <= fact[1] <= press.down for fact in found for press in presses)
