"""What browsers send to `dalej serve`, byte by byte: the server as it is put together, over a connection without a
socket. Whoever asks is nobody, has invented a cookie, or is somebody of the public, a referee or an organiser.

Reached: aiohttp's parser, all that each request goes through, every page, forms of either kind, lists that are sent,
acts with their JSON up to the event file, the way in of whoever was invited, codes for phones, and the first part of
what is live. Not reached: a body that comes in pieces or never ends, TLS, several requests at a time, what a live page
is told later, a hall whose desk is live.

What is compared, before and after: the event, the audit, who is in, who is invited, the club's files. After whatever
changed any of them the hall begins anew, so that each input meets the same one.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes, urlencode

from aiohttp import hdrs, web

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.phones import Phones
from dalej.boxes.secret import NO_KEYRING, ClubKeys
from dalej.clock import ManualClock
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import Actor, Role
from dalej.web.invitations import VALID_MS, Invitation, Invitations
from dalej.web.joining import JoiningPages
from dalej.web.sessions import Session, trail_of
from moveclock.identity import KOSTKA, SHARED
from tests.memory import MEMORY
from tests.web.halls import CLAIMED, LATE, hall
from tests.web.rig import Rig, served

NOBODY, INVENTED, PUBLIC, REFEREE, ORGANISER = range(5)
ROLES: Final[Mapping[int, Role]] = {PUBLIC: "public", REFEREE: "referee", ORGANISER: "organiser"}
FORM: Final = b"{form}"  # what stands for the token of the visitor's own forms
INVITED: Final = "2f" * 16  # the token of an invitation that is open to whoever has it
INVITATION: Final = sha256(INVITED.encode()).hexdigest()
PHONE: Final = "0200000000f1"  # a box of the club's that stands nowhere
ANSWERED_WITHIN_S: Final = 30.0
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


class Standing(NamedTuple):
    """What a visit may change. `inside`: sessions of those who may do more than look; `invited`: open invitations;
    `club`: its files, with passwords and phones.
    """

    head: int
    inside: frozenset[str]
    invited: frozenset[str]
    club: Mapping[str, bytes]


class ServedHall:
    """A hall in a loop of its own, which goes on only while somebody asks; it begins anew once anything was done."""

    def __init__(self) -> None:
        variable, _, value = NO_KEYRING.partition("=")
        os.environ[variable] = value  # the secret of whoever fuzzes stays alone
        self._loop = asyncio.new_event_loop()
        self._failed: list[str] = []
        self._loop.set_exception_handler(lambda _loop, context: self._failed.append(str(context)))
        self._clock = ManualClock()
        self._open()

    def visit(self, data: bytes) -> int:
        """Who it is, method and path, headers, an empty line, what is sent along. The status of the answer, 0: none.
        AssertionError if the server fails at it, if something is done that this visitor may not do, or if he is led to
        another server.
        """
        self._failed.clear()
        visitor = data[0] % (ORGANISER + 1) if data else NOBODY
        head, _, body = data[1:].partition(b"\n\n")
        before, written = self._standing(), self._trail.stat().st_size
        session, cookie = self._session(visitor)
        connection = self._run(self._ask(head, body, session, cookie))
        assert connection.status < HTTPStatus.INTERNAL_SERVER_ERROR, connection.said.decode("utf-8", "replace")
        assert not _ELSEWHERE.search(connection.said), f"he is led elsewhere: {connection.said!r}"
        assert not self._failed, self._failed[0]
        assert not self._rig.complaints, self._rig.complaints[0]
        after, lines = self._standing(session), self._lines(written)
        _expect_own(ROLES.get(visitor), body, lines)
        _expect_allowed(ROLES.get(visitor), head, body, before, after)
        if after != before or any("log" in line for line in lines):  # a wrong password is remembered too
            self._end()
            self._open()
        elif session is not None:
            self._rig.server.sessions.end(session, "out")
        return connection.status

    def requests(self) -> Iterator[bytes]:
        """Every page and every act, asked for in good order."""
        sent = "Content-Type: application/x-www-form-urlencoded\n\n"
        form = {"token": FORM.decode(), "sure": "yes", "seen": "1", "why": "so"}
        keys = {"withdraw": INVITATION, "forget": PHONE}
        named = {"table": str(LATE), "kind": "players", "number": "1", "form": ".pdf", "stage": "league", "round": "1",
                 "file": "dalej.css", "token": INVITED, "name": "1f" * 16, "system": "android"}  # fmt: skip
        (runner,) = self._rig.server._runners  # all that there is, and no list of it
        asked: list[tuple[int, str]] = []
        for route in runner.app.router.routes():
            canonical = "" if route.resource is None else route.resource.canonical
            if "{act}" in canonical or route.method == hdrs.METH_HEAD:
                continue
            named["kind"] = "time_out" if "answer" in canonical else "players"
            path = re.sub(r"\{(\w+)\}", lambda one: named[one[1]], canonical)
            key = keys.get(path.rpartition("/")[2], "")
            more = f"{sent}{urlencode({**form, 'table': '5', 'role': 'public', 'name': 'Lis', 'key': key}, safe='{}')}"
            asked.append((ORGANISER, f"{route.method} {path}\n{more if route.method == hdrs.METH_POST else ''}"))
        for name, act in ACTS.items():
            args = json.dumps({"table": CLAIMED, "player": 3, "seat": "A", "number": 1, "game": 1})
            visitor = REFEREE if "referee" in act.roles else ORGANISER
            asked.append((visitor, f"GET /act/{name}?{urlencode({'args': args})}\nReferer: http://localhost/seating"))
            asked.append((visitor, f"POST /act/{name}\n{sent}{urlencode({**form, 'args': args}, safe='{}')}"))
        for visitor in (NOBODY, INVENTED, PUBLIC):
            asked += [(visitor, "GET /hall\nAccept: text/html\nAccept-Language: pl;q=0.9"), (visitor, "GET /?lang=it")]
        asked += [(NOBODY, f"GET /join/{INVITED}"), (NOBODY, f"POST /join/{INVITED}\n{sent}name=Lis")]
        asked += [(NOBODY, f"POST /login\n{sent}role={role}&name=Lis&password=borsuk") for role in ROLES.values()]
        other = sent.replace("\n", "; charset=utf-7\n", 1)
        asked.append((NOBODY, f"POST /login\n{other}role=referee&name=Lis&password=borsuk"))
        part = b'--x\r\nContent-Disposition: form-data; name="%b"%b\r\n\r\n%b\r\n'
        lists = {b"players": b"name;class\nKret;4b\n", b"results": b"table;game;A;B;C;D\n1;1;0;12;7;30\n"}
        for kind, text in lists.items():
            parts = part % (b"token", b"", FORM) + part % (b"file", b'; filename="a.csv"', text)
            head = b"POST /lists/%b\nContent-Type: multipart/form-data; boundary=x\n\n" % kind
            yield bytes([ORGANISER]) + head + parts + b"--x--\r\n"
        yield from (bytes([visitor]) + text.encode() for visitor, text in asked)

    def close(self) -> None:
        """The server ends, its event is gone."""
        self._end()
        self._loop.close()

    def _open(self) -> None:
        self._rig_of = AsyncExitStack()
        folder = Path(self._rig_of.enter_context(tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY)))
        event, club = folder / "hall.dalej", folder / "club"
        event.write_bytes(_event())
        serving = served(folder, self._clock, event=event, public_open=True)
        self._rig: Rig = self._run(self._rig_of.enter_async_context(serving))
        phones = Phones(club, ClubKeys(club, os.urandom), os.urandom)
        self._rig_of.enter_context(phones.reached_at("https://192.0.2.7:8643"))  # so that codes for phones are drawn
        OwnBoxes(club).keep(OwnBox(PHONE, "P9", KOSTKA | SHARED, 1, "1f" * 16))
        self._club = club
        self._trail = trail_of(event)
        self._trail.touch(0o600)
        self._stamps = self._rig.passwords.roles()
        self._invitations = _invitations(self._rig)
        self._invitations._open[INVITATION] = Invitation(
            INVITATION, "", "referee", frozenset(), self._stamps["referee"], self._clock.now_ms() + VALID_MS
        )  # with a token that inputs can name
        self._session(ORGANISER)  # somebody else's

    def _end(self) -> None:
        self._run(self._rig_of.aclose())
        self._run(_nothing_else())

    def _standing(self, visitors: Session | None = None) -> Standing:
        """But for that session, which is the visitor's own."""
        inside = [one for one in self._rig.server.sessions.all() if one.actor.role != "public" and one is not visitors]
        files = sorted(file for file in self._club.rglob("*") if file.is_file())
        return Standing(
            self._rig.ledger.head(), frozenset(one.key for one in inside),
            frozenset(one.key for one in self._invitations.open()), {file.name: file.read_bytes() for file in files},
        )  # fmt: skip

    def _lines(self, start: int) -> list[dict[str, Any]]:
        """Of the audit, from that byte on."""
        with self._trail.open("rb") as file:
            file.seek(start)
            return [json.loads(line) for line in file]

    def _session(self, visitor: int) -> tuple[Session | None, str]:
        """And its cookie."""
        if visitor not in ROLES:
            return None, "1f" * 32 if visitor == INVENTED else ""
        role = ROLES[visitor]
        actor = Actor("Sowa", role, served=True)
        token, session = self._rig.server.sessions.begin(actor, "127.0.0.1", "en", self._stamps[role])
        return session, token

    async def _ask(self, head: bytes, body: bytes, session: Session | None, cookie: str) -> Connection:
        """Over a connection of its own, which ends with the answer. Headers that the visitor gives stand in the place
        of a browser's.
        """
        server = self._rig.server
        first, *given = [line for line in head.split(b"\n") if line] or [b""]
        body = body if session is None else body.replace(FORM, session.form.encode())
        browsers = {"Host": f"127.0.0.1:{server.port}", "Origin": self._rig.url}
        browsers |= {"Cookie": f"dalej-{server.port}={cookie}"} if cookie else {}
        named = {line.partition(b":")[0].strip().lower() for line in given}
        lines = [f"{name}: {value}".encode() for name, value in browsers.items() if name.lower().encode() not in named]
        whole = [first + b" HTTP/1.1", f"Content-Length: {len(body)}".encode(), *lines, *given, b"", body]
        (runner,) = server._runners  # what makes the protocols of its connections
        assert isinstance(runner.server, web.Server)
        connection, protocol = Connection(), runner.server()
        protocol.connection_made(connection)
        protocol.data_received(b"\r\n".join(whole))
        protocol.close()  # once what has come is answered, whatever its own headers say
        async with asyncio.timeout(ANSWERED_WITHIN_S):
            await connection.over.wait()
        protocol.connection_lost(None)
        return connection

    def _run(self, what: Coroutine[Any, Any, Got]) -> Got:
        return self._loop.run_until_complete(what)


def _expect_own(role: Role | None, body: bytes, lines: Sequence[Mapping[str, Any]]) -> None:
    """AssertionError if an act of these lines of the audit is not the visitor's, or one that his role may not do."""
    for line in lines:
        if "act" in line:
            done = not line["refused"]
            assert line["role"] == role, f"something was wished as somebody else: {line}"
            assert not done or (FORM in body and role in ACTS[line["act"]].roles), f"something was done: {line}"


def _expect_allowed(role: Role | None, head: bytes, body: bytes, before: Standing, after: Standing) -> None:
    """AssertionError if anything is other that this visitor may not change. Whoever sends no form of his own session
    changes nothing, but that the invitation that he names lets him in.
    """
    organises = role == "organiser" and FORM in body
    joins = INVITED.encode() in unquote_to_bytes(head)
    came, used = after.inside - before.inside, before.invited - after.invited
    assert after.head == before.head or (role in ("referee", "organiser") and FORM in body), "the event is another"
    assert organises or after.club == before.club, "the club's files are others"
    assert organises or after.inside >= before.inside, "somebody was logged out"
    assert organises or after.invited <= before.invited, "somebody was invited"
    assert not came or (joins and len(came) == 1 and INVITATION in used), "somebody came in who may not"
    assert organises or used == ({INVITATION} if came else set()), "an invitation is gone"


def _invitations(rig: Rig) -> Invitations:
    """Those of the server, which no other door leads to than its pages."""
    (runner,) = rig.server._runners
    handlers = [getattr(route.handler, "__self__", None) for route in runner.app.router.routes()]
    return next(pages._invitations for pages in handlers if isinstance(pages, JoiningPages))


async def _nothing_else() -> None:
    """Whatever a server leaves running ends with it, such as who waits for a phone."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


@cache
def served_hall() -> ServedHall:
    """One for the whole process."""
    return ServedHall()


@cache
def _event() -> bytes:
    """At whose tables something waits for a referee."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY) as folder:
        return hall(Path(folder)).read_bytes()
