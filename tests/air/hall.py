"""A hall with everything real but the radio: desks on event files, `Serving`, `link.ble`, bleak, boxes; one clock."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from dalej.desk.desk import Desk
from dalej.domain.game.facts import Fact
from dalej.domain.game.heard import Told
from dalej.domain.game.verify import verify
from dalej.event.ledger import Ledger, Reported
from dalej.event.reading import read
from dalej.link.ble import BleAir
from dalej.link.serving import Serving
from moveclock import facts as k
from moveclock.settings import Settings
from tests.air.air import Air
from tests.air.boardonair import BoardOnAir
from tests.air.boxonair import BoxOnAir
from tests.air.bumble_backend import Computer, LocalAdapter, Program
from tests.air.onair import OnAir
from tests.air.peripheral import Peripheral
from tests.air.stranger import CLONE, Stranger
from tests.air.timing import MovableClock
from tests.told import facts_of
from tests.waiting import until

SCENARIO_S: Final = 100.0
CPYTHON: Final = "cpython"
BEHIND: Final = (CPYTHON, "micropython")  # what plays a box


class Place:
    """One desk: a program on a computer, its event file, what it drives."""

    def __init__(self, hall: Hall, computer: Computer, path: Path, name: str, options: dict[str, Any]) -> None:
        self.hall = hall
        self.computer = computer
        self.program = Program(computer)
        self.ledger = Ledger.open(path) if path.exists() else Ledger.create(path)
        links, quiet_ms, every = (
            options.pop("links", 3),
            options.pop("quiet_ms", 10_000),
            options.pop("adapters", tuple(computer.adapters)),
        )
        self.air = BleAir(
            hall.clock, links=links, adapters=every, backend=self.program.backend, quiet_ms=quiet_ms, again_ms=100,
            connect_ms=options.pop("connect_ms", 3_000),
        )  # fmt: skip
        options.setdefault("lease_ttl_ms", 2_000_000)
        self.desk = Desk(
            self.ledger,
            clock=hall.clock,
            random=secrets.token_bytes,
            name=name,
            links=lambda: self.air.links,
            connects=lambda: self.air.connects,
            **options,
        )
        self.serving = Serving(self.desk, hall.clock, self.air.connect)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [
            asyncio.create_task(self.serving.run()),
            asyncio.create_task(self.air.run(self.serving)),
        ]

    async def stop(self) -> None:
        """In good order."""
        if self._tasks:
            self.desk.close()
        await self._end()

    async def kill(self) -> None:
        """SIGKILL: its links stay in the system, and nobody says goodbye."""
        self.program.kill()
        await self._end()

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        self._tasks = []
        self.ledger.close()

    def knows(self, box: OnAir, table: int) -> None:
        self.desk.know(box.uid, box.secret, table)

    def is_live(self, box: OnAir) -> bool:
        return self.desk.is_live(box.uid)

    async def live(self, *boxes: OnAir) -> None:
        await until(lambda: all(map(self.is_live, boxes)), "all boxes to be linked and trusted")

    async def settled(self, *boxes: OnAir) -> None:
        """Until nothing is under way."""
        await until(lambda: all(box.settled and self.has_all(box) for box in boxes), "every fact to be in the ledger")

    def has_all(self, box: OnAir) -> bool:
        """Whether the ledger holds every fact that the box has told the world of."""
        streams = self.ledger.boxes(box.uid.hex())
        return bool(streams) and streams[-1].contiguous == box.face.head

    def ask(self, box: OnAir, command: str, args: dict[str, int | str] | None = None) -> bool:
        sent = self.desk.ask(box.uid, command, args or {}, who="referee")
        self.serving.stir()
        return sent

    def told(self, box: OnAir) -> Told:
        """What this desk has heard of a box."""
        told = next(one for one in self.desk.heard_since(0) if one.box == box.uid.hex()).told
        assert told is not None
        return told

    @staticmethod
    def settings() -> dict[str, int | str]:
        """Those of a first game, seat A first."""
        settings = Settings()
        settings.first = k.SEAT_A
        return {"game": 1, "settings": settings.pack().hex()}

    async def configure(self, box: OnAir) -> None:
        assert self.ask(box, "configure", self.settings())
        await until(lambda: box.face.state == k.READY, "the box to be configured")

    @property
    def adapter(self) -> LocalAdapter:
        """The computer's first."""
        return self.computer.adapter(None)

    def reported(self, box: OnAir) -> list[Reported]:
        return list(facts_of(self.ledger, box.uid.hex()))

    def facts(self, box: OnAir) -> list[Fact]:
        return [reported.fact for reported in self.reported(box)]

    def names(self, box: OnAir) -> list[str]:
        return [fact.name for fact in self.facts(box)]

    def said(self, kind: str) -> list[str]:
        return [one.template.format(**one.data) for one in self.desk.notices if one.kind == kind]

    def expect_once(self, *boxes: OnAir) -> None:
        """Each fact of the boxes' journals is in the ledger exactly once and as it was."""
        assert not read(self.ledger).conflicts()
        for box in boxes:
            facts = self.facts(box)
            assert [fact.seq for fact in facts] == list(range(1, box.face.head + 1))
            for stream in self.ledger.boxes(box.uid.hex()):
                assert not verify(facts, baseline=stream.baseline, head=stream.top, lost=[])


class Hall:
    """`boxes`: those that are on; desks get the computer that they are given, each its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.air = Air()
        self.clock = MovableClock()
        self.boxes: list[OnAir] = []
        self.places: list[Place] = []
        self._computers = 0
        self._clones: list[Peripheral] = []

    async def box(self, behind: str = CPYTHON, **options: Any) -> OnAir:
        """One more box, which is on; `behind` its radio is CPython or the firmware on MicroPython."""
        number = len(self.boxes) + 1
        made: OnAir
        if behind == CPYTHON:
            made = BoxOnAir(self.air, self.clock, number, **options)
        else:
            made = BoardOnAir(self.air, self.folder, number, **options)
        self.boxes.append(made)
        await made.power_on()
        return made

    async def stranger(self, box: OnAir) -> Stranger:
        """Somebody who is connected to the box."""
        stranger = Stranger(self.air)
        await stranger.connect(box)
        return stranger

    async def repeat(self, data: bytes) -> Peripheral:
        """Somebody advertises the same."""
        clone = Peripheral(self.air, CLONE)
        await clone.start()
        clone.advertise(data)
        self._clones.append(clone)
        return clone

    async def computer(self, *names: str, links: int = 7) -> Computer:
        self._computers += 1
        made = Computer(self.air, self._computers, names or ("hci0",), links)
        await made.start()
        return made

    async def desk(
        self,
        computer: Computer | None = None,
        *,
        file: str = "event.dalej",
        name: str = "first laptop",
        wait: bool = True,
        **options: Any,
    ) -> Place:
        """A desk that knows all boxes as tables 1, 2, …; `wait`: until they are linked and trusted."""
        computer = computer or await self.computer()
        place = Place(self, computer, self.folder / file, name, options)
        self.places.append(place)
        for table, box in enumerate(self.boxes, start=1):
            place.knows(box, table)
        place.start()
        if wait:
            await place.live(*self.boxes)
        return place

    def skip(self, ms: int) -> None:
        """Later, for boxes and desks."""
        self.clock.skip(ms)
        for box in self.boxes:
            box.skipped(ms)
        for place in self.places:
            place.serving.stir()

    async def pass_by(self, ms: int) -> None:
        """So much time passes, at once if all boxes can skip it."""
        if all(box.skips for box in self.boxes):
            self.skip(ms)
        else:
            await asyncio.sleep(ms / 1_000)

    async def moves(self, box: OnAir, count: int, every_ms: int = 500) -> None:
        """So many moves of a game that is ready or running, each with a tile and a click."""
        if box.face.state == k.READY:
            await box.tap(2 * k.SEAT_A)
            await until(lambda: box.face.state == k.RUNNING, "the game to begin")
        for _ in range(count):
            await self.pass_by(every_ms)
            head, seat = box.face.head, box.face.seat
            await box.tap(k.KOSTKA)
            await until(lambda: box.face.head != head, "the tile to be counted")  # noqa: B023 (asked at once)
            await box.tap(2 * seat + 1)
            await until(lambda: box.face.seat != seat, "the next seat's move")  # noqa: B023 (asked at once)


@asynccontextmanager
async def hall_in(folder: Path) -> AsyncIterator[Hall]:
    hall = Hall(folder)
    try:
        yield hall
    finally:
        for place in hall.places:
            with suppress(Exception):
                await place.stop()
        for box in hall.boxes:
            if box.is_on:
                await box.power_off()
        for clone in hall._clones:
            clone.stop()


def play(folder: Path, scenario: Callable[[Hall], Coroutine[Any, Any, None]]) -> None:
    """One scenario in a hall of its own."""

    async def run() -> None:
        async with asyncio.timeout(SCENARIO_S), hall_in(folder) as hall:
            await scenario(hall)

    asyncio.run(run())
