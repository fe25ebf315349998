"""A server on a free port with cheap passwords, and browsers that are no browsers."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import ClientResponse, ClientSession, ClientTimeout, CookieJar

from dalej.cli.serve import watching
from dalej.clock import Clock, SystemClock
from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.ledger import Baseline, Ledger, Reported
from dalej.office.acts.performer import AuditFile, FileAudit, Handler, Performer
from dalej.office.phonecodes import PhoneCodes
from dalej.views.feed import Connect
from dalej.web.passwords import Cost, Passwords
from dalej.web.server import Plan, WebServer
from dalej.web.sessions import Trail, trail_of
from dalej.web.watch import Watch

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
    watch: Watch
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


def form_of(page: str) -> str:
    """The token of its forms."""
    (token,) = set(re.findall(r'name="token" value="([0-9a-f]+)"', page))
    return str(token)


@dataclass
class Live:
    """What the server sends to a page that is open."""

    answer: ClientResponse

    async def said(self) -> dict[str, Any] | None:
        """The next that it says; None once it has hung up."""
        async with asyncio.timeout(DEADLINE_S):
            while line := await self.answer.content.readline():
                if line.startswith(b"data:"):
                    return dict(json.loads(line[5:]))
        return None

    async def parts(self) -> dict[str, str]:
        """The next parts that are others."""
        while (said := await self.said()) is not None:
            if said.get("parts"):
                return dict(said["parts"])
        raise AssertionError("the server has hung up")

    async def over(self) -> None:
        """Until it says that it is over, and hangs up."""
        while (said := await self.said()) is not None:
            if said.get("over"):
                assert await self.said() is None
                return
        raise AssertionError("the server has hung up and said nothing")


@dataclass
class Browser:
    client: ClientSession
    url: str

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

    async def page(self, path: str) -> str:
        """What stands there for whoever is logged in."""
        answer = await self.get(path, Accept="text/html")
        assert answer.status == HTTPStatus.OK, (path, answer.status)
        return await answer.text()

    async def form(self, path: str) -> str:
        """The token that a form of that page brings along."""
        return form_of(await self.page(path))

    async def send(self, path: str, fields: Mapping[str, str], page: str = "/acts") -> ClientResponse:
        """A form of that page, as a person sends it."""
        return await self.post(path, {"token": await self.form(page), **fields})

    async def act(
        self, act: str, args: Mapping[str, object] | None = None, fields: Mapping[str, str] | None = None, **more: str
    ) -> ClientResponse:
        """The form of an act for which `args` are known, filled in. `more`: `sure`, `path`, `seen`, …"""
        known = json.dumps(dict(args or {}))
        page = await self.page(f"/act/{act}?{urlencode({'args': known})}")
        (seen,) = set(re.findall(r'name="seen" value="(\d+)"', page))
        return await self.post(
            f"/act/{act}", {"token": form_of(page), "args": known, "seen": seen, **(fields or {}), **more}
        )

    @asynccontextmanager
    async def looking(self, path: str, silent_s: float = 600.0) -> AsyncIterator[Live]:
        """The live parts of a page, until nothing at all has been said for so long."""
        async with self.client.get(self.url + path, timeout=ClientTimeout(None, sock_read=silent_s)) as answer:
            assert answer.status == HTTPStatus.OK, answer.status
            yield Live(answer)

    @property
    def token(self) -> str:
        (cookie,) = list(self.client.cookie_jar)
        return cookie.value


@asynccontextmanager
async def served(
    folder: Path, clock: Clock | None = None, roles: tuple[str, ...] = ("public", "referee", "organiser"),
    event: Path | None = None, desk: Connect | None = None, **plan: Any,
) -> AsyncIterator[Rig]:  # fmt: skip
    """`event` None: one with a box at table 3 and nothing else; `desk` None: none is live, unless one is."""
    kept = passwords(folder)
    for role in roles:
        kept.set(role, SECRETS[role])  # type: ignore[arg-type]  # a role's name
    event = event_file(folder) if event is None else event
    clock = SystemClock() if clock is None else clock
    complaints: list[str] = []
    written = AuditFile(trail_of(event), complaints.append)
    told: dict[int, Reported] = {}
    with (
        Ledger.open(event, told=told) as ledger,
        Ledger.open(event, read_only=True, told=told) as of_tables,
        Ledger.open(event, read_only=True, told=told) as of_book,
    ):

        def performer(more: Mapping[str, Handler]) -> Performer:
            return Performer(lambda who: Event(ledger, who=who, wall_ms=clock.wall_ms), FileAudit(written), more)

        watch = watching(of_tables, of_book, clock, desk)
        trail = Trail(written, clock.wall_ms)
        by = Event(ledger, who="", wall_ms=clock.wall_ms).by
        phones = PhoneCodes.of_club(folder / "club", os.urandom, by, clock.wall_ms)
        server = WebServer(Plan(event, **plan), watch, kept, performer, trail, clock, os.urandom,
                           phones=phones, sweep_s=0.05)  # fmt: skip
        await server.open()
        try:
            yield Rig(server, watch, ledger, kept, complaints)
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


async def invited(organiser: Browser, role: str = "referee", **more: str) -> str:
    """The path of the way in, as the code has it."""
    answer = await organiser.send("/people/invite", {"role": role, **more}, "/people")
    assert answer.status == HTTPStatus.OK
    (path,) = set(re.findall(r"/join/[0-9a-f]{32}", await answer.text()))
    return str(path)


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Of a process whose club lies in that folder."""
    return {**os.environ, "DALEJ_HOME": str(folder / "club"), "LANGUAGE": "en", "PYTHONIOENCODING": "utf-8", **more}


async def logged_out(browser: Browser) -> None:
    """Wait until its session is over."""
    for _ in range(500):
        if (await browser.get("/session")).status == HTTPStatus.UNAUTHORIZED:
            return
        await asyncio.sleep(0.02)
    raise TimeoutError
