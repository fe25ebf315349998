"""What a table does with its phone."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from moveclock import facts as k
from tests.phones.desk import WITHIN_S, until
from tests.phones.scripted import DALEJ, JUZ, ScriptedPhone

GUARDED_S: Final = 0.35  # a move's first 300 ms take no tap


async def begins(phone: ScriptedPhone) -> None:
    """The round's seating has said who does."""
    await phone.tap(JUZ)
    await until(lambda: phone.state == k.RUNNING, "the first move")


async def moves(phone: ScriptedPhone, count: int) -> None:
    for number in range(count):
        await asyncio.sleep(GUARDED_S)
        before = phone.said["move"]
        await phone.tap(DALEJ if number % 2 else JUZ)
        await until(partial(_is_after, phone, before), f"the move after {before}")


def _is_after(phone: ScriptedPhone, move: int) -> bool:
    return bool(phone.said["move"] > move)


async def nothing_unsent(phone: ScriptedPhone, within_s: float = WITHIN_S) -> None:
    await until(lambda: phone.linked and not phone.said["backlog"], "the desk to know everything", within_s)


async def goes_on(phone: ScriptedPhone) -> None:
    """All agree: Sędzia is held, and the clock goes on after 3-2-1."""
    glass = phone._glass
    assert glass is not None
    glass.edge(k.SEDZIA, True, phone._raw())
    await asyncio.sleep(2.2)
    glass.edge(k.SEDZIA, False, phone._raw())
    await until(lambda: phone.state == k.RUNNING, "the clock to go on")
