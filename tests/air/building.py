"""A building in which other computers lend a desk their Bluetooth."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from dalej.errors import DalejError, Refused
from dalej.link.gateways import Gateways, Joined, Lending, code_of, lend
from dalej.link.lent import Lender, Lent
from dalej.words import said
from tests.air.bumble_backend import Computer, Program
from tests.air.hall import Hall, Place
from tests.air.onair import OnAir
from tests.waiting import until

CODE = code_of(bytes(range(10)))


class Building:
    """A desk that takes gateways, and what people are told at both ends."""

    def __init__(self, place: Place, code: str = CODE) -> None:
        self.place = place
        self.told: list[str] = []
        self.server = Gateways(
            "127.0.0.1", 0, code, "first laptop", random=secrets.token_bytes, join=self._join,
            leave=place.air.leave, said=self._say,
        )  # fmt: skip
        self.gateways: list[Gateway] = []

    def _join(self, joined: Joined, lent: Lent) -> None:
        self.place.air.join(joined.name, joined.links, lent.backend)

    def _say(self, what: DalejError) -> None:
        self.told.append(said(what))

    async def gateway(
        self, computer: Computer, name: str = "library", *, code: str = CODE, links: int = 3, port: int = 0
    ) -> Gateway:
        made = Gateway(computer, f"http://127.0.0.1:{port or self.server.port}", name, code, links)
        self.gateways.append(made)
        return made

    async def joined(self, *names: str) -> None:
        await until(lambda: {*names} <= {one.name for one in self.place.air.adapters}, f"{names} to lend")

    async def close(self) -> None:
        for one in self.gateways:
            await one.stop()
        await self.server.close()


class Gateway:
    """`dalej gateway` on that computer. `told`: what it says."""

    def __init__(self, computer: Computer, url: str, name: str, code: str, links: int) -> None:
        self.computer = computer
        self.program = Program(computer)
        self.told: list[str] = []
        lender: Callable[[Callable[[bytes], None]], Lender] = partial(Lender, backend=self.program.backend)
        lending = Lending(url, code, name, "", links)
        self.task = asyncio.create_task(lend(lending, lender, secrets.token_bytes, self._say))

    def _say(self, what: DalejError) -> None:
        self.told.append(said(what))

    async def stop(self) -> None:
        self.task.cancel()
        with suppress(asyncio.CancelledError, Refused):
            await self.task

    async def kill(self) -> None:
        """Its links stay in the system."""
        self.program.kill()
        await self.stop()


async def building(hall: Hall, **options: Any) -> Building:
    """A desk whose own adapter hears nothing of what is far."""
    computer = await hall.computer()
    place = await hall.desk(computer, wait=False, **options)
    found = Building(place)
    await found.server.open()
    return found


def far_from(hall: Hall, box: OnAir, *computers: Computer) -> None:
    for computer in computers:
        hall.air.part(box, computer.adapter(None))
