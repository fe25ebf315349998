"""People's phones without their screens: `python -m bench.crowd URL PATH LIVE ROLE VIEWERS ADDRESSES`, with the role's
password on the first line of standard input.

Each has a session of its own, reads the page, holds its live parts open, and reads the page anew when these say that it
is another, as late as the page's own script would. ADDRESSES: of this computer from which they come, in turns; more
than one only where it has all of 127.0.0.0/8, and then others than its usual one. One line when all of them have heard
something; at the end of input one more, a `Heard` in JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Final
from urllib.parse import urlencode, urlsplit

SPREAD_S: Final = 1.5  # within which a page is read anew
AT_ONCE: Final = 16  # that come in
STAMP: Final = "stamp"
LONGEST: Final = 1 << 20  # bytes of all parts


@dataclass(slots=True)
class Heard:
    """`told`: of each viewer who is still connected, when each change was told to it, in Unix ms, in order; `read`:
    when it had read the page anew.
    """

    told: list[list[float]] = field(default_factory=list)
    read: list[list[float]] = field(default_factory=list)


class Viewer:
    """One phone."""

    def __init__(self, url: str, address: str, random: Random) -> None:
        split = urlsplit(url)
        self._at = (str(split.hostname), int(split.port or 80))
        self._host = split.netloc
        self._address = address
        self._random = random
        self._cookie = ""
        self._stamp: str | None = None
        self._reading: set[asyncio.Task[None]] = set()
        self.there = asyncio.Event()
        self.gone = False
        self.told: list[float] = []
        self.read: list[float] = []

    async def come_in(self, role: str, password: str) -> None:
        """Log in."""
        form = urlencode({"role": role, "name": "Lis", "password": password})
        head = await self._ask(
            "POST /login",
            f"Origin: http://{self._host}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(form)}\r\n",
            form,
        )
        cookies = [line.partition(":")[2] for line in head.split("\r\n") if line.lower().startswith("set-cookie:")]
        if not cookies:
            raise ConnectionError(head.partition("\r\n")[0])
        self._cookie = cookies[0].partition(";")[0].strip()

    async def look(self, path: str, live: str) -> None:
        """At that page, until it is hung up on."""
        await self._ask(f"GET {path}")
        reader, writer = await self._open(f"GET {live}", "Accept: text/event-stream\r\n")
        try:
            while line := await reader.readline():
                if line.startswith(b"data:"):
                    self._hear(json.loads(line[5:]).get("parts", {}), path)
        finally:
            self.gone = True
            writer.close()

    def _hear(self, parts: dict[str, str], path: str) -> None:
        self.there.set()
        if STAMP not in parts:
            return
        if self._stamp is not None:
            self.told.append(time.time() * 1_000)
            again = asyncio.create_task(self._read_anew(path))
            self._reading.add(again)
            again.add_done_callback(self._reading.discard)
        self._stamp = parts[STAMP]

    async def _read_anew(self, path: str) -> None:
        await asyncio.sleep(self._random.random() * SPREAD_S)
        with suppress(OSError):
            await self._ask(f"GET {path}", "Dalej-Here: 1\r\nAccept-Encoding: gzip\r\n")
            self.read.append(time.time() * 1_000)

    async def _ask(self, what: str, headings: str = "", body: str = "") -> str:
        """The headings of the answer, once all of it is there."""
        reader, writer = await self._open(what, f"Connection: close\r\nAccept: text/html\r\n{headings}", body)
        try:
            answer = await reader.read()
        finally:
            writer.close()
        return answer.partition(b"\r\n\r\n")[0].decode("latin-1")

    async def _open(
        self, what: str, headings: str, body: str = ""
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(*self._at, local_addr=(self._address, 0), limit=LONGEST)
        cookie = f"Cookie: {self._cookie}\r\n" if self._cookie else ""
        writer.write(f"{what} HTTP/1.1\r\nHost: {self._host}\r\n{cookie}{headings}\r\n{body}".encode())
        return reader, writer


async def crowd(url: str, path: str, live: str, role: str, password: str, viewers: int, addresses: int) -> Heard:
    """All of them, until the end of input."""
    random, door = Random(viewers), asyncio.Semaphore(AT_ONCE)
    all_of_them = [
        Viewer(url, f"127.0.0.{addresses - number % addresses + (addresses > 1)}", random) for number in range(viewers)
    ]

    async def come(viewer: Viewer) -> None:
        async with door:
            await viewer.come_in(role, password)
        with suppress(ConnectionError):
            await viewer.look(path, live)

    looking = [asyncio.create_task(come(viewer)) for viewer in all_of_them]
    there = asyncio.create_task(_all_there(all_of_them))
    await asyncio.wait((there, *looking), return_when=asyncio.FIRST_COMPLETED)
    for one in looking:
        if one.done():
            one.result()
            raise ConnectionError("the server hung up before all were there")
    print("there", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    kept = [viewer for viewer in all_of_them if not viewer.gone]
    for one in looking:
        one.cancel()
    return Heard([viewer.told for viewer in kept], [viewer.read for viewer in kept])


async def _all_there(viewers: Iterable[Viewer]) -> None:
    for viewer in viewers:
        await viewer.there.wait()


if __name__ == "__main__":
    _url, _path, _live, _role, _viewers, _addresses = sys.argv[1:]
    _password = sys.stdin.readline().rstrip("\n")
    heard = asyncio.run(crowd(_url, _path, _live, _role, _password, int(_viewers), int(_addresses)))
    print(json.dumps(asdict(heard)))
