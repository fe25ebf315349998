"""What browsers send to `dalej serve`, byte by byte: the server as it is put together, over a connection without a
socket. Whoever asks is nobody, has invented a cookie, or is somebody of the public, a referee or an organiser.

Reached: aiohttp's parser, all that each request goes through, every page, forms of either kind, lists that are sent,
acts with their JSON up to the event file, and the first part of what is live. Not reached: a body that comes in pieces
or never ends, TLS, several requests at a time, what a live page is told later, a hall whose desk is live.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from aiohttp import hdrs, web

from dalej.clock import ManualClock
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import Actor, Role
from dalej.web.sessions import Session
from tests.fuzz.targets import MEMORY
from tests.web.halls import CLAIMED, LATE, hall
from tests.web.rig import Rig, served

NOBODY, INVENTED, PUBLIC, REFEREE, ORGANISER = range(5)
ROLES: Final[Mapping[int, Role]] = {PUBLIC: "public", REFEREE: "referee", ORGANISER: "organiser"}
FORM: Final = b"{form}"  # what stands for the token of the visitor's own forms
ANSWERED_WITHIN_S: Final = 30.0
FORGIVEN_MS: Final = 300_000  # the longest that an address waits after a wrong password
_ELSEWHERE: Final = re.compile(rb"\r\n(?:Location|Dalej-Go): (?!/(?!/))[^\r]*")

Got = TypeVar("Got")


class Connection(asyncio.Transport):
    """A browser's. `said`: what the server has answered; `over`: nothing more comes, or nothing new."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 50_000)})
        self.said = b""
        self.over = asyncio.Event()

    @property
    def status(self) -> int:
        """Of the answer; 0: the server hung up without a word."""
        answer = self.said.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
        return int(answer[9:12]) if answer else 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """What is live is never over: its first part is enough."""
        self.said += bytes(data)
        if b"text/event-stream" in self.said and b"data:" in self.said:
            self.over.set()

    def close(self) -> None:
        """All is answered."""
        self.over.set()

    def abort(self) -> None:
        """The server hangs up."""
        self.over.set()

    def is_closing(self) -> bool:
        """Whether it has."""
        return self.over.is_set()

    def pause_reading(self) -> None:
        """Nothing more is to be read."""

    def resume_reading(self) -> None:
        """Nothing more is to be read."""


class ServedHall:
    """A hall in a loop of its own, which goes on only while somebody asks; it begins anew once anything was done."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._failed: list[str] = []
        self._loop.set_exception_handler(lambda _loop, context: self._failed.append(str(context)))
        self._clock = ManualClock()
        self._open()

    def visit(self, data: bytes) -> None:
        """Who it is, method and path, headers, an empty line, what is sent along. AssertionError if the server fails at
        it, if something is done that this visitor may not do, or if he is led to another server.
        """
        self._failed.clear()
        visitor = data[0] % (ORGANISER + 1) if data else NOBODY
        head, _, body = data[1:].partition(b"\n\n")
        others = [one for one in self._rig.server.sessions.all() if one.actor.role != "public"]
        connection = self._run(self._ask(head, body, *self._session(visitor)))
        assert connection.status < HTTPStatus.INTERNAL_SERVER_ERROR, connection.said.decode("utf-8", "replace")
        assert not _ELSEWHERE.search(connection.said), f"he is led elsewhere: {connection.said!r}"
        assert not self._failed, self._failed[0]
        assert not self._rig.complaints, self._rig.complaints[0]
        done = self._rig.ledger.head() != self._head or any(one.ended for one in others)
        assert not done or (visitor in (REFEREE, ORGANISER) and FORM in body), "something was done"
        if done:
            for line in self._rig.lines:
                may = "act" not in line or line["refused"] or line["role"] in ACTS[line["act"]].roles
                assert may, f"{line} was done"
            self._run(self._rig_of.aclose())
            self._open()
        else:
            for one in self._rig.server.sessions.all():
                if one not in others:
                    self._rig.server.sessions.end(one, "out")
        if connection.status == HTTPStatus.TOO_MANY_REQUESTS:
            self._clock.time_ms += FORGIVEN_MS

    def requests(self) -> Iterator[bytes]:
        """Every page and every act, asked for in good order."""
        sent = "Content-Type: application/x-www-form-urlencoded\n\n"
        form = {"token": FORM.decode(), "sure": "yes", "seen": "1", "why": "so"}
        named = {"table": str(LATE), "kind": "players", "number": "1", "form": ".pdf", "stage": "league", "round": "1",
                 "file": "dalej.css", "token": "1f" * 16, "name": "1f" * 16, "system": "android"}  # fmt: skip
        (runner,) = self._rig.server._runners  # all that there is, and no list of it
        asked: list[tuple[int, str]] = []
        for route in runner.app.router.routes():
            canonical = "" if route.resource is None else route.resource.canonical
            if "{act}" in canonical or route.method == hdrs.METH_HEAD:
                continue
            named["kind"] = "time_out" if "answer" in canonical else "players"
            path = re.sub(r"\{(\w+)\}", lambda one: named[one[1]], canonical)
            more = f"{sent}{urlencode({**form, 'table': '5', 'role': 'public', 'name': 'Lis'}, safe='{}')}"
            asked.append((ORGANISER, f"{route.method} {path}\n{more if route.method == hdrs.METH_POST else ''}"))
        for name, act in ACTS.items():
            args = json.dumps({"table": CLAIMED, "player": 3, "seat": "A", "number": 1, "game": 1})
            visitor = REFEREE if "referee" in act.roles else ORGANISER
            asked.append((visitor, f"GET /act/{name}?{urlencode({'args': args})}\nReferer: http://localhost/seating"))
            asked.append((visitor, f"POST /act/{name}\n{sent}{urlencode({**form, 'args': args}, safe='{}')}"))
        for visitor in (NOBODY, INVENTED, PUBLIC):
            asked += [(visitor, "GET /hall\nAccept: text/html\nAccept-Language: pl;q=0.9"), (visitor, "GET /?lang=it")]
        asked.append((NOBODY, f"POST /login\n{sent}role=referee&name=Lis&password=borsuk"))
        part = b'--x\r\nContent-Disposition: form-data; name="%b"%b\r\n\r\n%b\r\n'
        lists = {b"players": b"name;class\nKret;4b\n", b"results": b"table;game;A;B;C;D\n1;1;0;12;7;30\n"}
        for kind, text in lists.items():
            parts = part % (b"token", b"", FORM) + part % (b"file", b'; filename="a.csv"', text)
            head = b"POST /lists/%b\nContent-Type: multipart/form-data; boundary=x\n\n" % kind
            yield bytes([ORGANISER]) + head + parts + b"--x--\r\n"
        yield from (bytes([visitor]) + text.encode() for visitor, text in asked)

    def close(self) -> None:
        """The server ends, its event is gone."""
        self._run(self._rig_of.aclose())
        self._loop.close()

    def _open(self) -> None:
        self._rig_of = AsyncExitStack()
        folder = Path(self._rig_of.enter_context(tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY)))
        event = folder / "hall.dalej"
        event.write_bytes(_event())
        serving = served(folder, self._clock, event=event, public_open=True)
        self._rig: Rig = self._run(self._rig_of.enter_async_context(serving))
        self._head = self._rig.ledger.head()
        self._stamps = self._rig.passwords.roles()
        self._session(ORGANISER)  # somebody else's

    def _session(self, visitor: int) -> tuple[Session | None, str]:
        """And its cookie."""
        if visitor not in ROLES:
            return None, "1f" * 32 if visitor == INVENTED else ""
        role = ROLES[visitor]
        actor = Actor("Sowa", role, served=True)
        token, session = self._rig.server.sessions.begin(actor, "127.0.0.1", "en", self._stamps[role])
        return session, token

    async def _ask(self, head: bytes, body: bytes, session: Session | None, cookie: str) -> Connection:
        """Over a connection of its own. Headers that the visitor gives stand in the place of a browser's."""
        server = self._rig.server
        first, *given = [line for line in head.split(b"\n") if line] or [b""]
        body = body if session is None else body.replace(FORM, session.form.encode())
        browsers = {"Host": f"127.0.0.1:{server.port}", "Origin": self._rig.url, "Connection": "close"}
        browsers |= {"Cookie": f"dalej-{server.port}={cookie}"} if cookie else {}
        named = {line.partition(b":")[0].strip().lower() for line in given}
        lines = [f"{name}: {value}".encode() for name, value in browsers.items() if name.lower().encode() not in named]
        whole = [first + b" HTTP/1.1", f"Content-Length: {len(body)}".encode(), *lines, *given, b"", body]
        (runner,) = server._runners  # what makes the protocols of its connections
        assert isinstance(runner.server, web.Server)
        connection, protocol = Connection(), runner.server()
        protocol.connection_made(connection)
        protocol.data_received(b"\r\n".join(whole))
        async with asyncio.timeout(ANSWERED_WITHIN_S):
            await connection.over.wait()
        protocol.connection_lost(None)
        return connection

    def _run(self, what: Coroutine[Any, Any, Got]) -> Got:
        return self._loop.run_until_complete(what)


@cache
def served_hall() -> ServedHall:
    """One for the whole process."""
    return ServedHall()


@cache
def _event() -> bytes:
    """At whose tables something waits for a referee."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY) as folder:
        return hall(Path(folder)).read_bytes()
