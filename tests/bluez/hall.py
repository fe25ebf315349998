"""A hall on a fake BlueZ: real boxes on its air, and desks that are the product's own, from bleak to the event file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from dalej.clock import SystemClock
from dalej.desk.desk import Desk
from dalej.desk.evening.linklog import LinkLog
from dalej.event.ledger import Ledger
from dalej.link.ble import BleAir
from dalej.link.pool import LINKS
from dalej.link.serving import Serving
from tests.bluez.bluez import Bluez
from tests.bluez.livebox import LiveBox, seat_a_first
from tests.bluez.peripheral import Peripheral
from tests.bluez.remote import Remote
from tests.desk.setting import expect_clean, sentence
from tests.waiting import until

FIRST: Final = "first laptop"
SECOND: Final = "second laptop"
ONE: Final = (("hci0", LINKS),)


def box(number: int) -> LiveBox:
    """The same box for the same number, in whatever process."""
    draw = Random(1000 + number)
    return LiveBox(draw.randbytes(6), draw.randbytes(32), number)


class Place:
    """A desk in this process: event file, links, Bluetooth."""

    def __init__(self, event: Path, boxes: Sequence[LiveBox], name: str, options: dict[str, Any]) -> None:
        clock = self.clock = SystemClock()
        desk_options = {name: options.pop(name) for name in ("desk_id", "lease_ttl_ms") if name in options}
        self.ledger = Ledger.open(event) if event.exists() else Ledger.create(event)
        self.air = BleAir(clock, **options)
        self.desk = Desk(
            self.ledger, clock=clock, random=os.urandom, name=name, links=lambda: self.air.links,
            connects=len(self.air.adapters), **desk_options,
        )  # fmt: skip
        for table, known in enumerate(boxes, start=1):
            self.desk.know(known.uid, known.secret, table)
        self.noted: list[str] = []
        self.log = LinkLog(self.desk, self.noted.append, names=dict, air=self.air)
        self.serving = Serving(self.log, clock, self.air.connect)

    @property
    def trouble(self) -> str:
        """What people are told of Bluetooth, empty if all is well."""
        return "" if self.air.trouble is None else str(self.air.trouble)

    def live(self, known: LiveBox) -> bool:
        return self.desk.is_live(known.uid)

    def said(self, kind: str) -> list[str]:
        return [sentence(notice) for notice in self.desk.notices if notice.kind == kind]

    def has_all_of(self, known: LiveBox) -> bool:
        """Whether every fact of the box's journal is in the event file."""
        journal = known.powered.journal
        return self.ledger.contiguous(known.uid.hex(), journal.epoch) == journal.head

    def ask(self, known: LiveBox, command: str, **args: int | str) -> bool:
        sent = self.desk.ask(known.uid, command, args, who="referee")
        self.serving.stir()
        return sent

    async def let_in(self, known: LiveBox) -> None:
        await until(lambda: self.live(known), "the desk is let in")

    async def configure(self, known: LiveBox) -> None:
        """Its table is set up, seat A first, as soon as the desk is let in."""
        await self.let_in(known)
        assert self.ask(known, "configure", game=1, settings=seat_a_first())
        await until(lambda: known.powered.clock.game == 1, "the box is set up")

    async def run(self) -> None:
        """Until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.air.run(self.serving))
            group.create_task(self.serving.run())


class Hall:
    """So many boxes that are on and in reach. `ended` desks have left an event file without a contradiction."""

    def __init__(self, folder: Path, boxes: int) -> None:
        self.bluez = Bluez()
        self.boxes = [box(number) for number in range(1, boxes + 1)]
        self.on_air = [Peripheral(one, f"24:0A:C4:00:00:{number:02X}") for number, one in enumerate(self.boxes, 1)]
        self.folder = folder

    def remote(self, number: int = 0, adapter: str = "hci0") -> Remote:
        """A box as BlueZ knows it."""
        return self.bluez.remote(self.on_air[number], adapter)

    @asynccontextmanager
    async def on(self, adapters: Sequence[tuple[str, int]] = ONE) -> AsyncIterator[Hall]:
        """It until the end of the block."""
        await self.start(adapters)
        try:
            yield self
        finally:
            for one in self.boxes:
                one.power_off()
            await self.bluez.stop()

    async def start(self, adapters: Sequence[tuple[str, int]]) -> None:
        await self.bluez.start(*adapters)
        for one in self.on_air:
            one.box.power_on()
            self.bluez.add(one)

    async def restart(self, meanwhile: Callable[[], Awaitable[object]]) -> None:
        """The Bluetooth service ends, all links with it, and is there again after `meanwhile`."""
        slots = [(adapter.path.rpartition("/")[2], adapter.slots) for adapter in self.bluez.adapters.values()]
        for name, _ in slots:
            self.bluez.unplug(name)
        await self.bluez.stop()
        await meanwhile()
        self.bluez = Bluez()
        await self.bluez.start(*slots)
        for one in self.on_air:
            self.bluez.add(one)

    @asynccontextmanager
    async def desk(self, name: str = FIRST, file: str = "event.dalej", **options: Any) -> AsyncIterator[Place]:
        """A desk that runs until the end of the block, and closes in good order."""
        place = Place(self.folder / file, self.boxes, name, options)
        with place.ledger:
            running = asyncio.create_task(place.run())
            try:
                yield place
            finally:
                place.desk.close()
                running.cancel()
                result = (await asyncio.gather(running, return_exceptions=True))[0]
            expect_clean(place.ledger)
        assert isinstance(result, asyncio.CancelledError), result


@asynccontextmanager
async def hall(folder: Path, boxes: int = 1, adapters: Sequence[tuple[str, int]] = ONE) -> AsyncIterator[Hall]:
    """A hall until the end of the block."""
    async with Hall(folder, boxes).on(adapters) as there:
        yield there
