"""What a table does with its phone, whatever that is: a script (`scripted`) or a page in a browser (`paged`)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any, Final, Protocol, Self, TypeVar

from dalej.boxes.phones import Code
from moveclock import facts as k
from tests.waiting import WITHIN_S, until

T = TypeVar("T")

JUZ, DALEJ = 0, 1  # of the seat that is to move
GUARDED_S: Final = 0.35  # a move's first 300 ms take no tap
AGREED_MS: Final = 2_200


class Phone(Protocol):
    """`said`: what the core has said last; `cut`: nothing gets through its network."""

    code: Code
    said: dict[str, Any]

    cut: bool

    @property
    def state(self) -> int:
        return int(self.said.get("state", -1))

    @property
    def linked(self) -> bool:
        return bool(self.said.get("linked"))

    @property
    def seat(self) -> int:
        """Whose buttons are looked at: of whoever is to move, after a time-out the next one's, before a game A's."""
        if self.state == k.EXPIRED:
            blinking = int(self.said["blinking"]) & 255
            return ((blinking & -blinking).bit_length() - 1) // 2
        return int(self.said["seat"]) if self.state == k.RUNNING else k.SEAT_A

    async def load(self) -> None:
        """The page is opened, with what was kept."""

    async def close(self) -> None:
        """The tab is killed: nothing is said to anybody."""

    async def tap(self, button: int) -> None:
        """Of that seat."""

    async def hold(self, button: int, ms: int) -> None:
        """Of whoever is to move, or the table's own (`k.SEDZIA`, `k.KOSTKA`)."""

    async def copied(self) -> Self:
        """Another one with all that it keeps; not loaded yet."""


class Phones(Protocol):
    """Where phones come from, and the loop in which they live."""

    page: str  # what the desk gives those who scan a code

    def run(self, story: Coroutine[Any, Any, T]) -> T: ...

    def phone(self, url: str, code: Code) -> Phone:
        """Of that desk and table; its page is not loaded yet."""


async def begins(phone: Phone) -> None:
    """The round's seating has said who does."""
    await phone.tap(JUZ)
    await until(lambda: phone.state == k.RUNNING, "the first move")


async def moves(phone: Phone, count: int) -> None:
    """So many end; one that ran out of time before its tap, as the next one's Już says."""
    for number in range(count):
        await asyncio.sleep(GUARDED_S)
        before = phone.said["move"]
        if phone.state == k.RUNNING:
            await phone.tap(DALEJ if number % 2 else JUZ)
            await until(partial(_is_over, phone, before), f"the end of move {before}, of {phone.said}")
        if phone.state == k.EXPIRED:
            await phone.tap(JUZ)
        await until(partial(_is_after, phone, before), f"the move after {before}, of {phone.said}")


def _is_over(phone: Phone, move: int) -> bool:
    return phone.state == k.EXPIRED or _is_after(phone, move)


def _is_after(phone: Phone, move: int) -> bool:
    return bool(phone.said["move"] > move)


async def nothing_unsent(phone: Phone, within_s: float = WITHIN_S) -> None:
    await until(lambda: phone.linked and not phone.said["backlog"], "the desk to know everything", within_s)


async def goes_on(phone: Phone) -> None:
    """All agree: Sędzia is held, and the clock goes on after 3-2-1."""
    await phone.hold(k.SEDZIA, AGREED_MS)
    await until(lambda: phone.state == k.RUNNING, "the clock to go on")
