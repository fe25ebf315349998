"""A real `moveclock` box in real time: pumped on an asyncio loop as the firmware's loop would, on flash in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Protocol

from dalej.simulator.box import MemoryFlash, SimBoard
from moveclock import facts as k
from moveclock.box import Box
from moveclock.settings import Settings
from moveclock.ticks import PERIOD
from tests.boxloop import turn


class BoxLink(Protocol):
    """One link as a box's radio has it."""

    def to_desk(self, frame: bytes) -> bool:
        """A notification; False if there is no room for it now."""

    def cut(self) -> None:
        """The box closes the link, or its power is gone; ends in `LiveBox.parted`."""


class LiveBox:
    """One box: contacts, power and links. `on_turn` is called after each turn of its loop."""

    def __init__(self, uid: bytes, secret: bytes, seed: int = 1) -> None:
        self.uid = uid
        self.secret = secret
        self.box: Box | None = None
        self.links: dict[int, BoxLink] = {}
        self.on_turn: list[Callable[[], None]] = []
        self._flash = MemoryFlash()
        self._board = SimBoard(Random(seed))
        self._on_since = 0.0
        self._due: asyncio.TimerHandle | None = None

    @property
    def powered(self) -> Box:
        """The box while it is on."""
        assert self.box is not None
        return self.box

    @property
    def head(self) -> int:
        return self.powered.journal.head

    def power_on(self, reset: int = k.POWER_ON) -> None:
        self._on_since = asyncio.get_running_loop().time()
        self.box = Box(self.uid, self.secret, self._flash, self._board, self._raw(), reset=reset)
        self.pump()

    def power_off(self) -> None:
        """RAM is gone, flash stays, the links break."""
        self.box = None
        self._board.kept = b""
        if self._due is not None:
            self._due.cancel()
        for link in list(self.links.values()):
            link.cut()
        self._tell()

    def linked(self, link: BoxLink, mtu: int) -> int:
        """A central is there; the number of its link."""
        number = next(number for number in range(1, len(self.links) + 2) if number not in self.links)
        self.links[number] = link
        self.powered.opened(number, mtu, self._raw())
        self.pump()
        return number

    def parted(self, number: int) -> None:
        """The link is gone."""
        if self.links.pop(number, None) is not None and self.box is not None:
            self.box.closed(number)
            self.pump()

    def receive(self, number: int, frame: bytes) -> None:
        """A write to the command characteristic."""
        if self.box is not None:
            self.box.receive(number, frame, self._raw())
            self.pump()

    def edge(self, contact: int, down: bool) -> None:
        """A finger comes, or goes."""
        self.powered.edge(contact, down, self._raw())
        self.pump()

    async def tap(self, contact: int, for_ms: int = 60) -> None:
        """A finger on a contact, then time until the tap is decided."""
        self.edge(contact, True)
        await asyncio.sleep(for_ms / 1000)
        self.edge(contact, False)
        await asyncio.sleep(0.08)

    async def moves(self, count: int) -> None:
        """So many moves of a table that is ready or running: whoever's turn it is takes a tile and passes."""
        clock = self.powered.clock
        if clock.state == k.READY:
            await self.tap(2 * clock.starter)
        for _ in range(count):
            await asyncio.sleep(0.32)  # an earlier tap would count as the last one's echo
            await self.tap(k.KOSTKA)
            await self.tap(2 * clock.seat + 1)

    def pump(self) -> None:
        """One turn of the firmware's loop, and the next one when the box asks for it."""
        if self.box is None:
            return
        links = self.links
        wait_s = turn(
            self.box, self._raw(), links, lambda link, frame: links[link].to_desk(frame), lambda link: links[link].cut()
        )
        if self._due is not None:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(wait_s, self.pump)
        self._tell()

    def _tell(self) -> None:
        for tell in self.on_turn:
            tell()

    def _raw(self) -> int:
        run_s = asyncio.get_running_loop().time() - self._on_since
        return int(run_s * 1000) % PERIOD


def seat_a_first(limit_ms: int = 60_000) -> str:
    """The argument of a `configure` command: four seats, seat A begins."""
    settings = Settings()
    settings.first = k.SEAT_A
    settings.limit_ms = limit_ms
    return settings.pack().hex()
