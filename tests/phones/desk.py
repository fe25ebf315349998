"""A desk that phones reach: a real event file, the running desk, its sockets on a free port of the loopback."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.phones import CLAIM_MS, Code, Phones, why
from dalej.boxes.secret import ClubKeys
from dalej.cli.phones import PhoneTables
from dalej.clock import Clock, SystemClock
from dalej.desk.evening.evening import RunningDesk, go
from dalej.errors import DalejError
from dalej.event.boxplaces import NOW, Wish, decide
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.link.ble import BleAir
from dalej.link.serving import Serving
from dalej.link.sockets import Address, Sockets
from dalej.words import said

_NONE: Final[Mapping[bytes, bytes]] = {}


class PhoneDesk:
    """One run of `dalej run --phones` on that event. `complaints`: what people were told, in words."""

    def __init__(
        self, folder: Path, file: Path, page: str, port: int, clock: Clock, air: BleAir | None,
        secrets: Mapping[bytes, bytes],
    ) -> None:  # fmt: skip
        self.clock = clock
        self.air = air
        self.club = folder / "club"
        self.keys = ClubKeys(self.club, os.urandom)
        self.phones = Phones(self.club, self.keys, os.urandom)
        self.complaints: list[str] = []
        self.ledger = Ledger.open(file)
        self.running = RunningDesk(
            self.ledger, clock=self.clock, random=os.urandom, name="desk 1", desk_id=5,
            secret_of=lambda uid: secrets.get(uid) or self.keys.of_box(uid), links=0 if air is None else air.links,
        )  # fmt: skip
        self.tables = tables = PhoneTables(self.running, self.event(), self.keys, self.phones, clock, lambda line: None)
        self.serving = Serving(self.running.desk, self.clock, None if air is None else air.connect)
        self.sockets = Sockets(
            self.serving, self.running.desk, self.clock, Address("127.0.0.1", port), random=os.urandom, page=page,
            worker="", wants=self.running.desk.lines.__contains__, admit=tables.admit, number=why, said=self._complain,
            face=tables.face, heard=tables.heard,
        )  # fmt: skip

    def _complain(self, error: DalejError) -> None:
        self.complaints.append(said(error))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.sockets.port}"

    def event(self) -> Event:
        return Event(self.ledger, who="Gęś", wall_ms=self.clock.wall_ms)

    def code(self, table: int, lasts_ms: int = CLAIM_MS) -> Code:
        """A code for that table, whose box it is from now on."""
        code = self.phones.draw(table, self.clock.wall_ms(), lasts_ms)
        wish = Wish(code.box.uid, table, NOW, goes_on=True, name=code.box.name)
        decide(self.event(), lambda _before: [wish], "a phone")
        return code

    def forget(self, code: Code) -> None:
        OwnBoxes(self.club).forget(code.box.uid)

    def linked(self, code: Code) -> bool:
        line = self.running.desk.lines.get(code.box.uid_bytes)
        return line is not None and line.live is not None

    def told(self, code: Code) -> int:
        """How many facts of that box the ledger holds."""
        return sum(stream.contiguous for stream in self.ledger.boxes(code.box.uid))


@asynccontextmanager
async def phone_desk(
    folder: Path, file: Path, page: str = "", port: int = 0, *, clock: Clock | None = None, air: BleAir | None = None,
    secrets: Mapping[bytes, bytes] = _NONE,
) -> AsyncIterator[PhoneDesk]:  # fmt: skip
    """It serves for as long as the block lasts. `air`, `secrets`: for boxes with radios, by their uids."""
    desk = PhoneDesk(folder, file, page, port, clock or SystemClock(), air, secrets)
    await desk.sockets.open()
    stop = asyncio.Event()
    carriers = [desk.sockets.run(), *([] if air is None else [air.run(desk.serving)])]
    going = asyncio.create_task(go(desk.running, desk.serving, carriers, None, stop, lambda: None))
    try:
        yield desk
    finally:
        stop.set()
        await going
        desk.ledger.close()
