"""Real desks with real event files, simulated boxes and radios, one clock."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final

from dalej.clock import ManualClock
from dalej.desk.desk import Desk
from dalej.desk.notices import Notice
from dalej.domain.game.facts import Fact
from dalej.domain.game.heard import Heard, Told
from dalej.domain.game.verify import verify
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.simulator.air import SimAdapter
from dalej.simulator.box import Faults, SimBox, SimRadio
from dalej.simulator.world import World
from moveclock import facts as k
from moveclock.segments import Flash
from moveclock.settings import Settings
from tests.told import facts_of

NOON: Final = 1_760_000_000_000
FIRST: Final = "first laptop"
SECOND: Final = "second laptop"
THIRD: Final = "third laptop"
BUSY_MS: Final = 2


class Place:
    """One desk: its event file, its process, its radio; with `links` an adapter that holds so many."""

    def __init__(self, setting: Setting, path: Path, name: str, options: dict[str, Any]) -> None:
        way = Ledger.open if path.exists() else Ledger.create
        self.ledger = setting.enter_context(way(path, busy_ms=BUSY_MS))
        self.desk = Desk(self.ledger, clock=setting.clock, random=setting.random.randbytes, name=name, **options)
        self.radio: SimRadio
        if options.get("links") is None:
            self.radio = SimRadio(setting.world, self.desk, setting.random)
        else:
            self.radio = SimAdapter(setting.world, self.desk, setting.random, links=options["links"])
        for table, box in enumerate(setting.boxes, start=1):
            self.desk.know(box.uid, box.secret, table)
            self.radio.add(box)
        self.radio.serve()

    def kinds(self) -> list[str]:
        return [notice.kind for notice in self.desk.notices]

    def said(self, kind: str) -> list[str]:
        """The sentences of that kind."""
        return [sentence(notice) for notice in self.desk.notices if notice.kind == kind]

    def heard(self, box: SimBox) -> Heard:
        """What this desk has heard of a box."""
        return next(heard for heard in self.desk.heard_since(0) if heard.box == box.uid.hex())

    def told(self, box: SimBox) -> Told:
        told = self.heard(box).told
        assert told is not None
        return told

    def facts(self) -> list[Fact]:
        """Stream by stream as they were met, each in its own order."""
        streams = self.ledger.boxes()
        return [one.fact for stream in streams for one in facts_of(self.ledger, stream.box, stream.epoch)]

    def names(self) -> list[str]:
        return [fact.name for fact in self.facts()]


class Setting(ExitStack):
    """A hall with so many boxes, all in reach, tables 1.. of four seats, seat A first.

    With it every desk's event file is closed, however the desk ended.
    """

    def __init__(self, folder: Path, boxes: int = 1, *, seed: int = 1, flashes: list[Flash] | None = None) -> None:
        super().__init__()
        self.folder = folder
        self.clock = ManualClock(NOON)
        self.world = World(self.clock, 2_000_000)
        self.random = Random(seed)
        self.boxes = []
        for number in range(boxes):
            draw = Random(100 + number)
            flash = None if flashes is None else flashes[number]
            self.boxes.append(SimBox(self.world, draw.randbytes(6), draw.randbytes(32), draw, flash=flash))
            self.boxes[-1].power_on()

    @property
    def box(self) -> SimBox:
        return self.boxes[0]

    def desk(self, name: str = FIRST, file: str = "event.dalej", wait_ms: int = 100, **options: Any) -> Place:
        """A process at the desk, connected to whatever is in reach."""
        place = Place(self, self.folder / file, name, options)
        self.run(wait_ms)
        return place

    def run(self, ms: int) -> None:
        self.world.run_until(self.world.now_ms + ms)

    def configure(self, place: Place, box: SimBox | None = None, limit_ms: int = Settings().limit_ms) -> None:
        box = box or self.box
        settings = Settings()
        settings.first = k.SEAT_A
        settings.limit_ms = limit_ms
        assert place.desk.ask(box.uid, "configure", {"game": 1, "settings": settings.pack().hex()}, who="referee")
        place.radio.serve()
        self.run(1000)

    def ask(self, place: Place, command: str, args: dict[str, int | str] | None = None, *, box: int = 0) -> bool:
        """Somebody at the desk asks for a command."""
        sent = place.desk.ask(self.boxes[box].uid, command, args or {}, who="referee")
        place.radio.serve()
        return sent

    def tap(self, contact: int, for_ms: int = 80, *, box: int = 0) -> None:
        self.boxes[box].edge(contact, True)
        self.run(for_ms)
        self.boxes[box].edge(contact, False)
        self.run(120)

    def moves(self, count: int, every_ms: int = 3000, *, box: int = 0) -> None:
        """So many moves, each with a tile and a click of whoever's turn it is; a click starts the game first."""
        powered = self.boxes[box].box
        assert powered is not None
        clock = powered.clock
        if clock.state == k.READY:
            self.tap(2 * clock.starter, box=box)
        for _ in range(count):
            self.run(every_ms - 400)
            self.tap(k.KOSTKA, box=box)
            self.tap(2 * clock.seat + 1, box=box)

    def settle(self, place: Place, within_ms: int = 60_000) -> None:
        """All is well now: wait until the desk has everything that its boxes have."""
        place.radio.faults = Faults()
        end = self.world.now_ms + within_ms
        while self.backlog() and self.world.now_ms < end:
            self.run(100)
        assert not self.backlog()

    def backlog(self) -> int:
        """Facts that boxes hold and no desk has acknowledged."""
        return sum(box.box.journal.backlog for box in self.boxes if box.box is not None)


def sentence(notice: Notice) -> str:
    return notice.template.format(**notice.data)


def expect_clean(ledger: Ledger) -> None:
    """Nothing is missing, nothing contradicts itself."""
    assert not read(ledger).conflicts()
    for stream in ledger.boxes():
        facts = [reported.fact for reported in facts_of(ledger, stream.box, stream.epoch)]
        lost = [(fact.a, fact.b) for fact in facts if fact.kind == k.RECORDS_LOST]
        assert not verify(facts, baseline=stream.baseline, head=stream.top, lost=lost)
        assert not ledger.missing(stream.box, stream.epoch)
