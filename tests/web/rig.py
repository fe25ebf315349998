"""A server on a free port with cheap passwords and a tiny screen, and browsers that are no browsers."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientResponse, ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

from dalej.clock import Clock, SystemClock
from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.ledger import Baseline, Ledger
from dalej.office.acts.performer import AuditFile, FileAudit, Handler, Performer
from dalej.web.passwords import Cost, Passwords
from dalej.web.server import Plan, WebServer
from dalej.web.sessions import Trail, trail_of

DEADLINE_S: Final = 30.0
CHEAP: Final = Cost(8, 1, 1)
SECRETS: Final = {
    "public": "wszyscy patrzą", "referee": "trzy lisy w lesie", "organiser": "borsuk śpi do maja",
}  # fmt: skip


def event_file(folder: Path) -> Path:
    path = folder / "cup.dalej"
    with Ledger.create(path) as ledger:
        eventlog.choose_ruleset(ledger, "school-league", who="Wydra", when_ms=1)
        ledger.assign(Baseline(3, "a0b1c2d3e4f5", 1, 0), who="Wydra", when_ms=1, why="it stands there")
    return path


def passwords(folder: Path) -> Passwords:
    return Passwords(folder / "club", os.urandom, CHEAP)


@dataclass
class Rig:
    server: WebServer
    ledger: Ledger
    passwords: Passwords
    complaints: list[str]

    @property
    def url(self) -> str:
        return self.server.url("127.0.0.1").rstrip("/")

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The audit."""
        file = trail_of(self.ledger.path)
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[Browser]:
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as client:
            yield Browser(client, self.url)


@dataclass
class Browser:
    client: ClientSession
    url: str
    open: list[ClientWebSocketResponse] = field(default_factory=list)  # a screen nobody keeps is hung up on

    async def log_in(self, role: str, name: str = "Sowa", password: str | None = None, **more: str) -> ClientResponse:
        fields = {"role": role, "name": name, "password": SECRETS[role] if password is None else password, **more}
        return await self.post("/login", fields)

    async def post(self, path: str, fields: Mapping[str, str] | None = None) -> ClientResponse:
        return await self.ask("POST", path, {"Origin": self.url}, fields)

    async def get(self, path: str, **headers: str) -> ClientResponse:
        return await self.ask("GET", path, {name.replace("_", "-"): value for name, value in headers.items()})

    async def ask(
        self, method: str, path: str, headers: Mapping[str, str], fields: Mapping[str, str] | None = None
    ) -> ClientResponse:
        async with self.client.request(
            method, self.url + path, data=fields, headers=headers, allow_redirects=False
        ) as answer:
            await answer.read()
            return answer

    async def screen(self) -> ClientWebSocketResponse:
        screen = await self.client.ws_connect(
            self.url + "/ws?width=100&height=30", headers={"Origin": self.url}, max_msg_size=0
        )
        self.open.append(screen)
        return screen

    async def hall(self, role: str, name: str = "Sowa", **more: str) -> ClientWebSocketResponse:
        """Log in, and a screen that is drawn."""
        await self.log_in(role, name, **more)
        screen = await self.screen()
        await shown(screen, "HALL-")
        return screen

    @property
    def token(self) -> str:
        (cookie,) = list(self.client.cookie_jar)
        return cookie.value


@asynccontextmanager
async def served(
    folder: Path, clock: Clock | None = None, roles: tuple[str, ...] = ("public", "referee", "organiser"), **plan: Any
) -> AsyncIterator[Rig]:
    kept = passwords(folder)
    for role in roles:
        kept.set(role, SECRETS[role])  # type: ignore[arg-type]  # a role's name
    event = event_file(folder)
    clock = SystemClock() if clock is None else clock
    complaints: list[str] = []
    written = AuditFile(trail_of(event), complaints.append)
    with Ledger.open(event) as ledger:

        def performer(more: Mapping[str, Handler]) -> Performer:
            return Performer(
                lambda who: Event(ledger, who=who, wall_ms=lambda: 1_000),
                FileAudit(written),
                more,
            )

        made = replace(Plan(event, tiny(event)), **plan)
        server = WebServer(made, kept, performer, Trail(written, clock.wall_ms), clock, os.urandom, sweep_s=0.05)
        await server.open()
        try:
            yield Rig(server, ledger, kept, complaints)
        finally:
            await server.close()


@contextmanager
def held_port() -> Iterator[int]:
    """A port at which servers can listen one after the other, and that is given to nobody else in between."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers have it
        holder.bind(("127.0.0.1", 0))
        port = holder.getsockname()[1]
        if sys.platform != "linux":  # elsewhere what is held so is kept from the servers too
            holder.close()
        yield port


def play(folder: Path, story: Callable[[Rig], Coroutine[Any, Any, None]], **plan: Any) -> None:
    """The story of a test, from the server's first moment to its last."""

    async def run() -> None:
        async with served(folder, **plan) as rig:
            await story(rig)

    asyncio.run(run())


def mute(_language: str) -> list[str]:
    """Where no screen is needed."""
    return [sys.executable, "-S", str(Path(__file__).with_name("mute.py"))]


def tiny(event: Path) -> Callable[[str], list[str]]:
    return lambda language: [sys.executable, str(Path(__file__).with_name("tiny.py")), str(event), language]


async def shown(screen: ClientWebSocketResponse, text: str) -> None:
    """Read on until the screen shows the text."""
    seen = b""
    async with asyncio.timeout(DEADLINE_S):
        while text.encode() not in seen:
            message = await screen.receive()
            assert message.type in (WSMsgType.BINARY, WSMsgType.TEXT), (message, seen[-400:])
            if message.type is WSMsgType.BINARY:
                seen += message.data


async def press(screen: ClientWebSocketResponse, keys: str) -> None:
    await screen.send_str(json.dumps(["stdin", keys]))


async def closed(screen: ClientWebSocketResponse) -> int | None:
    """Read on until the server hangs up; its code."""
    async with asyncio.timeout(DEADLINE_S):
        while not screen.closed:
            await screen.receive()
    return screen.close_code


def alive(pid: int) -> bool:
    """Whether there is such a process, dead ones that wait for their parent left out."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def given_to(pid: int) -> str:
    """A process's arguments and environment, which its user's other programs can read."""
    return "".join(Path(f"/proc/{pid}/{what}").read_text() for what in ("cmdline", "environ"))


async def logged_out(browser: Browser) -> None:
    """Wait until its session is over."""
    for _ in range(500):
        if (await browser.get("/session")).status == HTTPStatus.UNAUTHORIZED:
            return
        await asyncio.sleep(0.02)
    raise TimeoutError


async def gone(pid: int) -> None:
    await asyncio.to_thread(wait_gone, [pid])


def wait_gone(pids: list[int], within_s: float = DEADLINE_S) -> None:
    until = time.monotonic() + within_s
    while any(map(alive, pids)):
        assert time.monotonic() < until, pids
        time.sleep(0.02)
