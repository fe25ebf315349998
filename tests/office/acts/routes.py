"""Every way by which a person decides: the performer itself, the hands of a screen, the form of a page in a browser,
and the command line. Each plays the same wish on its own copy of one event file, and says what that holds then.

What may differ, and why:
- when, and the numbers of requests' outcomes: each route is played at another instant;
- the author: over the web with the role that logged in, because a role there stands for whoever knows its password;
- nobody with a lesser role than an organiser is at the command line: whoever has the file may write it;
- a command on a table waits for what its box answers, so that it is refused where no desk would tell the box; a screen
  asks all the same and shows what becomes of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Any, Final, Protocol

from dalej.clock import SystemClock
from dalej.errors import DalejError
from dalej.event.event import Event
from dalej.event.ledger import APPLIED, Decision, Ledger, Request
from dalej.office.acts import wishes
from dalej.office.acts.hands import LocalHands
from dalej.office.acts.performer import Line, Performer
from dalej.office.acts.roles import Actor, Role
from dalej.office.acts.wishes import Done, Wish
from tests.office.acts.forms import filling_in

NAME: Final = "event.dalej"
LOOKS_S: Final = 0.01
HOLDS_MS: Final = 600_000


@dataclass(frozen=True)
class Wished:
    """What came of it. `entries`: what the event holds beyond before; `files`: what lies newly beside it."""

    entries: list[object]
    files: list[str] = field(default_factory=list)
    error: DalejError | None = None
    undo: Wish | None = None  # what takes it back


class Hands(Protocol):
    """Plays a wish on an event as somebody with that role; `of`: what takes back that act, which is done before."""

    def __call__(self, event: Path, now_ms: int, role: Role, wish: Wish, of: str = "") -> Wished: ...


def performer(event: Path, now_ms: int, role: Role, wish: Wish, of: str = "") -> Wished:
    """The one way in which anything is done, called as it is."""

    async def does(ledger: Ledger) -> Done:
        one, who = _performer(ledger, now_ms), Actor("Lis", role)
        return one.do(who, _taking_back(one.do(who, replace(wish, act=of))) if of else wish)

    return _played(event, does)


def screen(event: Path, now_ms: int, role: Role, wish: Wish, of: str = "") -> Wished:
    """As a screen on the desk's own computer wishes it."""

    async def does(ledger: Ledger) -> Done:
        return await _by(LocalHands(Actor("Lis", role), _performer(ledger, now_ms)), wish, of)

    return _played(event, does)


def browser(event: Path, now_ms: int, role: Role, wish: Wish, of: str = "") -> Wished:
    """By the form of the page: got, filled in and sent to the server, which knows who logged in."""

    async def does(ledger: Ledger) -> Done:
        async with filling_in(ledger, event, now_ms, role) as fill_in:
            return await fill_in(_taking_back(await fill_in(replace(wish, act=of))) if of else wish)

    return _played(event, does)


HANDS: Final[Mapping[str, Hands]] = {"performer": performer, "screen": screen, "browser": browser}


async def _by(hands: wishes.Hands, wish: Wish, of: str) -> Done:
    return await hands.do(_taking_back(await hands.do(replace(wish, act=of))) if of else wish)


def _taking_back(done: Done) -> Wish:
    assert done.undo is not None
    return done.undo


def _performer(ledger: Ledger, now_ms: int) -> Performer:
    lines: list[Line] = []
    return Performer(Event(ledger, who="", wall_ms=count(now_ms, 1_000).__next__).by, lines.append)


def _played(event: Path, does: Callable[[Ledger], Awaitable[Done]]) -> Wished:
    async def play() -> Done:
        return await does(ledger)

    with Ledger.open(event) as ledger:
        head, files = ledger.head(), beside(event)
        done: Done | None = None
        error: DalejError | None = None
        try:
            done = asyncio.run(play())
        except DalejError as refusal:
            error = refusal
        return Wished(entries(ledger, head), sorted(beside(event) - files), error, None if done is None else done.undo)


def entries(ledger: Ledger, after: int) -> list[object]:
    """What was decided and asked of boxes, as data."""
    found: list[object] = []
    with Ledger.open(ledger.path) as again:
        made = again.since(after)
    for one in made:
        if isinstance(one, Decision):
            found.append((one.kind, one.subject, plain(one.body), author(one.who), one.why, one.revokes))
        elif isinstance(one, Request):
            found.append((one.table, one.box, one.command, plain(one.args), author(one.who), one.why, one.game,
                          one.move))  # fmt: skip
    return found


def plain(value: Any) -> Any:
    """The same however it was read."""
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def author(who: str) -> str:
    """Without the role behind the name."""
    return who.partition(" (")[0]


def beside(event: Path) -> set[str]:
    """What lies beside it, but for what belongs to an event that is open."""
    return {one.name for one in event.parent.iterdir() if not one.name.startswith(event.name)}


@contextmanager
def obeyed(event: Path, result: str = APPLIED, reason: str = "") -> Iterator[None]:
    """A desk holds the links, and each box does at once what it is asked, or says why not."""
    over, clock = Flag(), SystemClock()

    def serve() -> None:
        with Ledger.open(event) as ledger:
            while not over.wait(LOOKS_S):
                for one in ledger.open_requests():
                    ledger.outcome(one.id, result, at_ms=clock.wall_ms(), token=held.token, reason=reason)

    with Ledger.open(event) as ledger:
        held = ledger.lease.acquire("desk 1", clock.wall_ms(), HOLDS_MS)
    desk = Thread(target=serve)
    desk.start()
    try:
        yield
    finally:
        over.set()
        desk.join()
