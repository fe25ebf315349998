"""The server's end of what screens wish: a loopback socket that each opens with a token it was given at its start.

Who wishes is who logged in: the token stands for a session, and nothing that a screen says can change that. A token
counts once, and not longer than a screen takes to start; whoever shows another is hung up on.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from dalej.acts.roles import Actor
from dalej.acts.wishes import Done, Wish, from_json
from dalej.errors import DalejError, Unreachable, WrongInput
from dalej.live.address import LOOPBACK
from dalej.live.loopback import Loopback
from dalej.web.answers import LONGEST, done_to_json, error_to_json, line_of, read
from dalej.words import N_

OPEN_WITHIN_S: Final = 3.0
SHOW_WITHIN_S: Final = 30.0  # a crowded laptop takes seconds to start a program
DONE_WITHIN_S: Final = 3.0  # once the server ends
STRANGERS_MOST: Final = 32
TOKEN_BYTES: Final = 32

log = logging.getLogger("dalej.web")


@dataclass(eq=False, slots=True)
class Handed:
    """What one screen was given. `address`: for its environment; `until_s`: by the loop's time its token counts."""

    actor: Actor
    token: str
    address: str
    until_s: float
    writer: asyncio.StreamWriter | None = None
    over: bool = False


class Handing:
    """`perform(actor, wish)`: does it, or raises a DalejError; `random(n)`: that many unpredictable bytes."""

    def __init__(
        self, perform: Callable[[Actor, Wish], Awaitable[Done]], random: Callable[[int], bytes],
        *, show_within_s: float = SHOW_WITHIN_S, done_within_s: float = DONE_WITHIN_S,
    ) -> None:  # fmt: skip
        self._show_within_s = show_within_s
        self._done_within_s = done_within_s
        self._perform = perform
        self._random = random
        self._loopback = Loopback(self._meet, LONGEST)
        self._port = 0
        self._expected: list[Handed] = []
        self._strangers: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listen at a port that the system picks; Unreachable if that cannot be."""
        self._port = await self._loopback.open()

    def hand(self, actor: Actor) -> Handed:
        """A token for a screen that is about to start; give it back with `take`."""
        assert self._port, "it was not opened"
        token = self._random(TOKEN_BYTES).hex()
        until_s = asyncio.get_running_loop().time() + self._show_within_s
        handed = Handed(actor, token, f"{LOOPBACK}:{self._port}:{token}", until_s)
        self._expected.append(handed)
        return handed

    def take(self, handed: Handed) -> None:
        """It can do nothing any more, from this instant; its screen ends itself when it finds out."""
        handed.over = True
        with suppress(ValueError):
            self._expected.remove(handed)
        if handed.writer is not None:
            handed.writer.close()

    async def close(self) -> None:
        """Hang up on everybody; what is being done has a few seconds to be done."""
        try:
            async with asyncio.timeout(self._done_within_s):
                await self._loopback.close()
        except TimeoutError:
            log.error("an act does not end")  # nobody waits for its answer any more

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its token to its end."""
        if len(self._strangers) >= STRANGERS_MOST:
            writer.transport.abort()
            return
        self._strangers.add(writer)
        try:
            async with asyncio.timeout(OPEN_WITHIN_S):
                handed = self._known(read(await reader.readuntil(b"\n")).get("token"))
            self._strangers.discard(writer)
            if handed is None:
                return
            handed.writer = writer
            writer.write(line_of({"name": handed.actor.name, "role": handed.actor.role}))
            while not handed.over:
                said = read(await reader.readuntil(b"\n"))
                if handed.over:
                    return
                writer.write(line_of(await self._answer(handed, said)))
                await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, WrongInput, OSError):
            pass
        finally:
            self._strangers.discard(writer)
            writer.close()

    def _known(self, token: object) -> Handed | None:
        """Whose token it is; it counts no more."""
        shown = token.encode("utf-8", "replace") if isinstance(token, str) else b""
        now_s = asyncio.get_running_loop().time()
        self._expected = [one for one in self._expected if now_s < one.until_s]
        found = [one for one in self._expected if hmac.compare_digest(one.token.encode(), shown)]
        if not found:
            return None
        self._expected.remove(found[0])
        return found[0]

    async def _answer(self, handed: Handed, said: dict[str, object]) -> dict[str, object]:
        number = said.get("id")
        if type(number) is not int:
            raise WrongInput(N_("a wish without its number"))
        try:
            done = await self._perform(handed.actor, from_json(said.get("wish")))
        except DalejError as error:
            return {"id": number, "error": error_to_json(error)}
        except Exception:
            log.exception("an act failed")
            failed = Unreachable(N_("the desk has failed at that; the server's terminal says at what"))
            return {"id": number, "error": error_to_json(failed)}
        return {"id": number, "done": done_to_json(done)}
