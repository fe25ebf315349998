"""A phone without a browser: the page's own edge (`glass.py`) in this interpreter, and what `box.js` does around it:
what is to be kept is written down first, and only then anything leaves.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Coroutine
from typing import Any, Final, Self, TypeVar

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType

from dalej.boxes.page.glass import Glass
from dalej.boxes.phones import Code
from moveclock import facts as k
from tests.phones.playing import Phone

T = TypeVar("T")

AGAIN_S: Final = 0.2
TURN_S: Final = 0.25  # how often a page looks at its clock by itself: what is pressed or heard it sees at once
TAP_MS: Final = 30
TAP_S: Final = TAP_MS / 1_000


class ScriptedPhone(Phone):
    """`files`: what its browser holds, which outlives the page; `refused`: the number by which it was turned away."""

    def __init__(self, url: str, code: Code, device: bytes | None = None) -> None:
        self.url = url
        self.code = code
        self.device = os.urandom(16) if device is None else device
        self.files: dict[str, str] = {}
        self.said: dict[str, Any] = {}
        self.face: dict[str, Any] = {}  # what the desk tells the table beside its game
        self.trouble = ""  # why it has not done what the table said last
        self.refused = 0
        self.cut = False  # nothing gets through
        self._socket: ClientWebSocketResponse | None = None
        self._out: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._glass: Glass | None = None

    async def load(self) -> None:
        secret = self.code.secret.hex()
        self._glass = Glass(
            self.code.box.uid, secret, json.dumps(self.files), os.urandom(32).hex(), self._raw(), False, True
        )
        self.turn()
        self._tasks = [asyncio.create_task(self._turning()), asyncio.create_task(self._linking())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()
        self._glass = self._socket = None

    async def tap(self, button: int) -> None:
        """Heard of when it is over, as a page that stalled does: a loop that is late makes no hold of it."""
        assert self._glass is not None
        contact, at = 2 * self.seat + button, self._raw()
        await asyncio.sleep(TAP_S)
        if self._glass is not None:
            self._glass.edge(contact, True, at)
            self._glass.edge(contact, False, min(at + TAP_MS, self._raw()))
            self.turn()

    async def hold(self, button: int, ms: int) -> None:
        assert self._glass is not None
        contact = button if button in (k.SEDZIA, k.KOSTKA) else 2 * int(self.said["seat"]) + button
        self._glass.edge(contact, True, self._raw())
        await asyncio.sleep(ms / 1_000)
        self._glass.edge(contact, False, self._raw())
        self.turn()

    async def copied(self) -> Self:
        twin = type(self)(self.url, self.code, self.device)
        twin.files = dict(self.files)
        return twin

    async def say(self, act: str, **args: Any) -> None:
        """Beside the game, to the desk."""
        self.trouble = ""
        assert self._glass is not None
        assert self._socket is not None
        await self._socket.send_str(self._glass.says(json.dumps({"act": act, "args": args, "lang": "en"})))

    def turn(self) -> None:
        glass = self._glass
        assert glass is not None
        self.said = json.loads(glass.turn(self._raw()))
        for path, data in self.said["changed"].items():
            if data is None:
                self.files.pop(path, None)
            else:
                self.files[path] = data
        socket = self._socket
        if socket is None or self.cut:
            return
        for frame in self.said["frames"]:
            self._out.put_nowait(bytes.fromhex(frame))
        if self.said["hang_up"]:
            self._out.put_nowait(None)

    async def _turning(self) -> None:
        while True:
            await asyncio.sleep(TURN_S)
            self.turn()

    async def _linking(self) -> None:
        async with ClientSession() as session:
            while not self.refused:
                try:
                    async with session.ws_connect(f"{self.url}/link") as socket:
                        await self._link(socket)
                        if (socket.close_code or 0) in (4_001, 4_002, 4_003):
                            self.refused = int(socket.close_code or 0)
                except (ClientError, OSError):
                    pass
                await asyncio.sleep(AGAIN_S)

    async def _link(self, socket: ClientWebSocketResponse) -> None:
        glass = self._glass
        assert glass is not None
        known = False
        async for message in socket:
            if self.cut:
                continue
            if message.type is WSMsgType.TEXT:
                told = json.loads(glass.words(message.data) or "{}")
                if "trouble" in told:
                    self.trouble = told["trouble"]
                else:
                    self.face = told
                continue
            if message.type is not WSMsgType.BINARY:
                break
            if known:
                glass.receive(message.data.hex(), self._raw())
                self.turn()
                continue
            known = True
            await socket.send_bytes(bytes.fromhex(glass.prove(message.data.hex(), self.device.hex())))
            glass.opened(self._raw())
            self._socket, self._out = socket, asyncio.Queue()
            sending = asyncio.create_task(_send(socket, self._out))
            self._tasks.append(sending)
        self._socket = None
        glass.closed()

    @staticmethod
    def _raw() -> int:
        return int(asyncio.get_running_loop().time() * 1_000) % (1 << 30)


async def _send(socket: ClientWebSocketResponse, out: asyncio.Queue[bytes | None]) -> None:
    """Frames in their order, until the box hangs up or the socket is gone."""
    try:
        while (frame := await out.get()) is not None:
            await socket.send_bytes(frame)
        await socket.close()
    except (ClientError, OSError):
        return


class ScriptedPhones:
    """Their loop is made for each story."""

    page = ""

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        return asyncio.run(story)

    def phone(self, url: str, code: Code) -> ScriptedPhone:
        return ScriptedPhone(url, code)
