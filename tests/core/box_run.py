"""A box on a simulated counter, with flash and RTC memory in RAM and a pump that is as prompt or as late as it is told.

All times are uptime in ms; the counter starts anywhere.
"""

from memory_flash import MemoryFlash
from moveclock import facts as k
from moveclock import settings as rules
from moveclock import wire
from moveclock.box import Box
from moveclock.ticks import PERIOD
from moveclock.upkeep import Board

UID = b"\x24\x6f\x28\x01\x02\x03"
SECRET = bytes(range(32))
TAP_MS = 80


class RamBoard(Board):
    """Memory that a reset leaves intact, and bytes that are never the same twice."""

    def __init__(self) -> None:
        self.kept = b""
        self.drawn = 0

    def load(self) -> bytes:
        return self.kept

    def save(self, data: bytes) -> None:
        self.kept = data

    def random(self, count: int) -> bytes:
        self.drawn += 1
        return bytes([self.drawn * 37 + place & 255 for place in range(count)])


class TimedFlash(MemoryFlash):
    """Knows at which uptime each write was made."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self.written_at: list[int] = []

    def _may(self) -> bool:
        self.written_at.append(self.now)
        return super()._may()


class BoxRun:
    """One box and its pump; edges wait in a ring until the pump comes round."""

    def __init__(self, raw: int = 0, kostka: bool = True, shared: bool = False) -> None:
        self.flash = TimedFlash()
        self.board = RamBoard()
        self.now = 0
        self._raw = raw
        self._built = (kostka, shared)
        self._ring: list[tuple[int, bool, int]] = []
        self._orders = 0
        self.box = self._switch_on((), k.POWER_ON)

    def raw(self, at: int) -> int:
        """The counter at that uptime."""
        return (self._raw + at) % PERIOD

    def power(self, held: tuple[int, ...] = (), reset: int = k.POWER_ON) -> None:
        """The power fails, or the box is reset, and it starts again with an uptime of 0."""
        if reset == k.POWER_ON:
            self.board.kept = b""
        self.flash.revive()
        self._ring = []
        self._raw = (self._raw + self.now + 12345) % PERIOD
        self.now = self.flash.now = 0
        self.box = self._switch_on(held, reset)

    def stamp(self, contact: int, down: bool, at: int) -> None:
        """An interrupt stores an edge, in the order of stamps."""
        self._ring.append((contact, down, at))

    def touch(self, contact: int, at: int, length: int = TAP_MS) -> None:
        """A whole press; presses of several contacts may overlap."""
        self.stamp(contact, True, at)
        self.stamp(contact, False, at + length)
        self._ring.sort(key=_by_stamp)

    def pump(self, at: int) -> None:
        """One turn of the firmware's loop that reads the counter at `at`."""
        assert at >= self.now
        self.now = self.flash.now = at
        while self._ring and self._ring[0][2] <= at:
            contact, down, stamp = self._ring.pop(0)
            self.box.edge(contact, down, self.raw(stamp))
        self.box.tick(self.raw(at))
        self.box.work(self.raw(at))

    def stall(self, until: int) -> None:
        """Flash keeps everything waiting from now on, interrupts too; then the pump says so to the box."""
        self.box.stalled(self.raw(self.now), self.raw(until))
        self.now = self.flash.now = until

    def run(self, until: int, late: int = 0) -> None:
        """Up to `until`, called only when an edge comes or the box asked to be, or up to `late` ms after that."""
        turns = 0
        while True:
            at = self.next_turn()
            if at > until:
                break
            turns += 1
            assert turns < 100000, "the box never rests"
            self.pump(min(until, at + turns * 7919 % (late + 1)))
        self.pump(until)

    def run_every_ms(self, until: int) -> None:
        """The same with a loop that never sleeps."""
        while self.now < until:
            self.pump(self.now + 1)

    def next_turn(self) -> int:
        """When the pump comes round next: the box's wake-up or the next edge."""
        wake = self.box.wake_at()
        assert wake >= self.box.uptime.now, "a wake-up in the past"
        wake = max(wake, self.now + 1)  # a loop takes its time
        return max(self.now, min(wake, self._ring[0][2])) if self._ring else wake

    def order(self, command: int, *arguments: int) -> None:
        """A desk's command, past the link, at this instant; its answer is a fact."""
        data = b"".join([bytes([number >> shift & 255 for shift in (0, 8, 16, 24)]) for number in arguments])
        self.command(command, data)

    def command(self, command: int, data: bytes) -> None:
        self._orders += 1
        number = 1000 * self.box.journal.boot + self._orders
        frame = wire.pack_command(number, command, 0, 0, self.box.journal.boot, 0, data)
        self.box.commands.take(wire.unpack_command(frame), self.now)
        self.pump(self.now)

    def facts(self, *kinds: int) -> list[tuple[int, ...]]:
        """Everything in the journal, over all boots, then what is not in it yet; with `kinds` only those."""
        found: list[tuple[int, ...]] = []
        for seq in range(self.box.journal.oldest, self.box.journal.head + 1):
            record = self.box.journal.record(seq)
            assert record is not None, seq
            found.append(wire.unpack_record(record)[2])
        found.extend(self.box.clock.facts)
        return [fact for fact in found if not kinds or fact[0] in kinds]

    def _switch_on(self, held: tuple[int, ...], reset: int) -> Box:
        kostka, shared = self._built
        return Box(
            UID, SECRET, self.flash, self.board, self.raw(0), kostka=kostka, shared=shared, held=held, reset=reset
        )


def _by_stamp(edge: tuple[int, bool, int]) -> int:
    """Down before up at the same stamp: MicroPython's sort keeps no order of its own."""
    return 2 * edge[2] + (0 if edge[1] else 1)


def started(raw: int = 0, kostka: int = True, shared: int = False, **values: int) -> BoxRun:
    """A box whose seat A runs since 1 000 ms; `values` are settings."""
    run = BoxRun(raw, bool(kostka), bool(shared))
    settings = rules.Settings()
    settings.first = k.SEAT_A
    for name, value in values.items():
        assert hasattr(settings, name), name
        setattr(settings, name, value)
    run.run(1000)
    run.command(k.C_CONFIGURE, b"\x01\x00" + settings.pack())
    run.order(k.C_START)
    assert run.box.clock.state == k.RUNNING
    return run
