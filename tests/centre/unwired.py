"""A hall and its centre in one thread, with no network between them, in which whoever sleeps has slept: the forwarder's
own loop, the handlers that answer it, their event files and PostgreSQL, and whoever carries requests from one to the
other as they please. Each end crashes when it is told to, and tells of each of its commits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from selectors import DefaultSelector, SelectorKey
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar, TypeVarTuple, cast

from aiohttp import ClientSession, web
from psycopg import Connection

from dalej.centre.decided import Listening
from dalej.centre.forward import Forwarder
from dalej.centre.mirror import Mirror
from dalej.centre.serving import CentreServer
from dalej.centre.stream import DecisionLine, line_of, read_line
from dalej.centre.talk import Batch, HallKey, Reached, Told
from dalej.centre.whole import Whole
from dalej.domain.tournament.tournament import GIVEN, HOME
from dalej.errors import DalejError
from dalej.event.event import Event
from dalej.event.ledger import Decision, Ledger
from tests.event.ledger.making import raw

if TYPE_CHECKING:
    from selectors import EpollSelector as _Selector
else:
    _Selector = DefaultSelector

NORTH: Final = "North"
KEY: Final = "k" * 43
NOON: Final = 1_795_000_000_000

Request = tuple[str, bytes, dict[str, str]]  # the end of its path, body, headers
Carry = Callable[[Request], Awaitable["Answer"]]
Heard = Callable[[], object]
_Given = TypeVarTuple("_Given")
_Result = TypeVar("_Result")


# --- time and network, without either -----


class _Passing(_Selector):
    now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        assert timeout is not None, "everybody waits, and nobody for anything that comes"
        self.now_s += max(0.0, timeout)
        return super().select(0)


class Instant(asyncio.SelectorEventLoop):
    """A loop in which whoever sleeps has slept and threads are done at once, and its clock. `faults`: of what it was
    asked to call later.
    """

    def __init__(self) -> None:
        self._passing: Final = _Passing()
        super().__init__(self._passing)
        self.faults: list[object] = []
        self.set_exception_handler(lambda _, told: self.faults.append(told.get("exception")))

    def time(self) -> float:
        return self._passing.now_s

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Given], _Result], *args: *_Given
    ) -> asyncio.Future[_Result]:
        del executor
        done: asyncio.Future[_Result] = self.create_future()
        try:
            done.set_result(func(*args))
        except BaseException as error:  # noqa: BLE001 -- whoever waits for it has it
            done.set_exception(error)
        return done

    def now_ms(self) -> int:
        return int(self.time() * 1_000)

    def wall_ms(self) -> int:
        return NOON + self.now_ms()


class Answer:
    """What a handler has answered, as a web client has it."""

    def __init__(self, status: int, text: bytes) -> None:
        self.status, self.text = status, text
        self.content = self

    async def iter_any(self) -> AsyncIterator[bytes]:
        yield self.text


class _Posted:
    def __init__(self, coming: Awaitable[Answer]) -> None:
        self._coming = coming

    async def __aenter__(self) -> Answer:
        return await self._coming

    async def __aexit__(self, *_error: object) -> None:
        pass


class _Session:
    """Instead of a web client's."""

    def __init__(self, carry: Carry) -> None:
        self._carry = carry

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        pass

    def post(self, url: str, *, data: bytes, headers: dict[str, str], allow_redirects: bool) -> _Posted:
        assert not allow_redirects
        return _Posted(self._carry((url.rpartition("/")[2], data, headers)))


class _Asked:
    """What a handler sees of a request."""

    def __init__(self, data: bytes, headers: dict[str, str]) -> None:
        self._data, self.headers = data, headers

    async def read(self) -> bytes:
        return self._data


async def answered(server: CentreServer, request: Request) -> Answer:
    """As its handlers do."""
    path, data, headers = request
    handler = server._entries if path == "entries" else server._decisions
    told = await handler(cast(web.Request, _Asked(data, headers)))
    assert isinstance(told.body, bytes)
    return Answer(told.status, told.body)


class Crash(BaseException):
    """That program is gone."""


class Settled(BaseException):
    """Nobody has anything left to do or to say."""


# --- what is kept -----


class WatchedMirror(Mirror):
    """Of each transaction that takes a batch: `commits` is called before its end, `committed` after it."""

    def __init__(self, database: str) -> None:
        super().__init__(database)
        self.commits: Heard = bool
        self.committed: Heard = bool
        self._takes = False

    def take(self, key: str, batch: Batch, now_ms: int) -> Reached:
        self._takes = True
        try:
            return super().take(key, batch, now_ms)
        finally:
            self._takes = False

    @contextmanager
    def _transaction(self, *, versioned: bool = True) -> Iterator[Connection[tuple[Any, ...]]]:
        with super()._transaction(versioned=versioned) as db:
            yield db
            if self._takes:
                self.commits()
        if self._takes:
            self.committed()


def _opened(file: Path, committed: Heard | None = None) -> Ledger:
    """`committed` is called after each commit."""
    ledger = Ledger.open(file)
    raw(ledger).execute("PRAGMA synchronous = OFF")  # programs crash here, and not the computer
    if committed is not None:
        commit = ledger._store._commit

        def commits() -> None:
            commit()
            committed()

        ledger._store._commit = commits  # type: ignore[method-assign]  # each of them is heard of
    return ledger


def put(ledger: Ledger, made: Decision) -> None:
    """What somebody has decided elsewhere is decided here as well, by somebody who has seen what there is."""
    (latest,) = raw(ledger).execute("SELECT max(cursor) FROM decisions WHERE subject = ?", (made.subject,)).fetchone()
    ledger.decide(
        made.kind, made.body, who=made.who, when_ms=made.when_ms, why=made.why, subject=made.subject, expects=latest
    )


def has(ledger: Ledger, kind: str) -> bool:
    """Whether there is a decision of that kind."""
    return raw(ledger).execute("SELECT 1 FROM decisions WHERE kind = ?", (kind,)).fetchone() is not None


def brought(ledger: Ledger, name: str) -> list[int]:
    """The numbers of what was brought from there, in the order in which it came."""
    found = raw(ledger).execute("SELECT number FROM origins WHERE name = ? ORDER BY cursor", (name,))
    return [number for (number,) in found]


def own(ledger: Ledger) -> list[int]:
    """The numbers of what was decided here, but for whose file it is, in its order."""
    found = raw(ledger).execute(
        "SELECT cursor FROM decisions WHERE cursor NOT IN (SELECT cursor FROM origins) AND kind <> ? ORDER BY cursor",
        (HOME,),
    )
    return [number for (number,) in found]


# --- the ends -----


class Centre:
    """`said`: what went wrong; `committed`: called after each commit of what listens to halls. `organiser`: the same
    event, as another program has it.
    """

    def __init__(self, mirror: WatchedMirror, file: Path, loop: Instant) -> None:
        self._mirror, self._file, self._loop = mirror, file, loop
        self.said: list[DalejError] = []
        self.committed: Heard = bool
        self.organiser = _opened(file)
        self._start()

    def _start(self) -> None:
        self.ledger = _opened(self._file, self._commits)
        event = Event(self.ledger, who="the centre", wall_ms=self._loop.wall_ms)
        self._server = CentreServer(self._mirror, self._loop, "", 0, None, self.said.append, [Whole(event)])

    def _commits(self) -> None:
        self.committed()

    def crash(self) -> None:
        """It is there again at once, and knows what it has committed."""
        self.ledger.close()
        self._mirror.close()
        self._start()

    def close(self) -> None:
        self.ledger.close()
        self.organiser.close()

    async def answer(self, request: Request) -> Answer:
        """As its handlers do."""
        return await answered(self._server, request)


class _Listens(Listening):
    before: Heard = bool

    def take(self, told: Told) -> int:
        lines = [read_line(one) for one in told.lines]
        if any(isinstance(one, DecisionLine) and one.kind == GIVEN and not one.body["given"] for one in lines):
            self.before()
        return super().take(told)


class Tells(Forwarder):
    """`carry`: what takes its requests to a centre."""

    carry: Carry

    def _session(self) -> ClientSession:
        return cast(ClientSession, _Session(self.carry))


class Hall:
    """`committed`: called after each commit of the desk that tells the centre. `referee`: the same event, as another
    program has it.
    """

    def __init__(self, file: Path, loop: Instant) -> None:
        self._file, self._loop = file, loop
        self.committed: Heard = bool
        self.referee = _opened(file)
        self._log: list[str] = []
        self._start()

    def _start(self) -> None:
        self.ledger = _opened(self._file, self._commits)

    def _commits(self) -> None:
        self.committed()

    def crash(self) -> None:
        """It is there again at once, and knows what it has committed."""
        self.ledger.close()
        self._start()

    def close(self) -> None:
        self.ledger.close()
        self.referee.close()

    def forwarder(self, carry: Carry, before: Heard = bool) -> Forwarder:
        """`before` is called before the hall hears that a round is taken back."""
        listening = _Listens(Event(self.ledger, who=NORTH, wall_ms=self._loop.wall_ms), NORTH)
        listening.before = before
        made = Tells(self.ledger, HallKey(NORTH, "http://127.0.0.1", KEY), "desk", tells_nobody, listening)
        made.carry = carry
        return made

    def log(self) -> list[str]:
        """As it travels."""
        self._log += map(line_of, self.referee.since(len(self._log)))
        return self._log


def tells_nobody(_what: DalejError) -> None:
    """Is told anything."""
