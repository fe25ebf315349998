"""Who is logged in: a table in this process alone, so a server that starts anew knows nobody. How fast passwords may
be guessed: after a few wrong ones from an address it waits, each time twice as long. Who came and went is a line in
EVENT.audit.jsonl.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from dalej.clock import Clock
from dalej.errors import DalejError, Refused
from dalej.office.acts.performer import AuditFile
from dalej.office.acts.roles import Actor, Role
from dalej.words import N_

TOKEN_BYTES: Final = 32
IDLE_MS: Final = 2 * 3_600_000
WHOLE_MS: Final = 16 * 3_600_000  # a day of play, set-up to prizes
SESSIONS_MOST: Final = 500  # entries of the table; screens are far fewer, see `dalej.web.screens`
PUBLIC_MOST: Final = 400  # of these the public's: whoever comes in without a password keeps no referee out
_PAST_MOST: Final = 500

Why = Literal["out", "ended", "password", "dropped", "time"]


@dataclass(eq=False, slots=True)
class Session:
    """One log-in. `stamp`: changes with its role's password. `font`: pixels, 0: what fits. `note`: why its last screen
    went away; None if nobody here ended it.
    """

    key: str
    actor: Actor
    address: str
    language: str
    stamp: str
    began_ms: int
    used_ms: int
    font: int = 0
    note: DalejError | None = None
    ended: bool = False
    screens: int = 0
    watchers: set[Callable[[], None]] = field(default_factory=set)


class Sessions:
    """`told(session, why)`: hears of each that ends, after its screens were told."""

    def __init__(
        self, clock: Clock, random: Callable[[int], bytes], told: Callable[[Session, Why], None],
        *, idle_ms: int = IDLE_MS, whole_ms: int = WHOLE_MS,
    ) -> None:  # fmt: skip
        self._clock = clock
        self._random = random
        self._told = told
        self._idle_ms = idle_ms
        self._whole_ms = whole_ms
        self._of: dict[str, Session] = {}
        self._past: OrderedDict[str, Why] = OrderedDict()

    def begin(self, actor: Actor, address: str, language: str, stamp: str) -> tuple[str, Session]:
        """Its token and the session; Refused if too many are open. Of the public, who looked longest ago makes room."""
        if actor.role == "public":
            self._make_room()
        if len(self._of) >= SESSIONS_MOST:
            raise Refused(N_("{most} people are logged in, that is as many as there can be"), most=SESSIONS_MOST)
        token, now_ms = self._random(TOKEN_BYTES).hex(), self._clock.now_ms()
        session = Session(_key(token), actor, address, language, stamp, now_ms, now_ms)
        self._of[session.key] = session
        return token, session

    @property
    def trusted(self) -> set[str]:
        """The addresses of those who are logged in with more than the public's role."""
        return {one.address for one in self._of.values() if one.actor.role != "public"}

    def _make_room(self) -> None:
        public = [one for one in self._of.values() if one.actor.role == "public"]
        if len(public) >= PUBLIC_MOST:
            idle = min((one for one in public if not one.screens), key=lambda one: one.used_ms, default=None)
            if idle is None:
                raise Refused(N_("{most} people are logged in, that is as many as there can be"), most=PUBLIC_MOST)
            self.end(idle, "time")

    def find(self, token: str) -> Session | None:
        """Whose token it is; None if nobody's, or not any more. Looking counts as using it."""
        session = self._of.get(_key(token))
        if session is None or self._over(session):
            return None
        session.used_ms = self._clock.now_ms()
        return session

    def why_over(self, token: str) -> Why | None:
        """Why the session of that token ended; None if it was none, or one of long ago."""
        return self._past.get(_key(token))

    def used(self, session: Session) -> None:
        """Somebody pressed a key in it."""
        session.used_ms = self._clock.now_ms()

    def end(self, session: Session, why: Why) -> None:
        """Its screens close, its token counts no more. May be called twice."""
        if session.ended:
            return
        session.ended = True
        del self._of[session.key]
        self._past[session.key] = why
        if len(self._past) > _PAST_MOST:
            self._past.popitem(last=False)
        for watcher in list(session.watchers):
            watcher()
        self._told(session, why)

    def end_all(self, why: Why, role: Role | None = None) -> int:
        """Those of the role, None: everybody; how many."""
        ending = [one for one in self._of.values() if role in (None, one.actor.role)]
        for session in ending:
            self.end(session, why)
        return len(ending)

    def sweep(self, stamps: Mapping[Role, str] | None) -> None:
        """End what has lasted too long, and whose password is another by now; `stamps` None: cannot be told."""
        for session in list(self._of.values()):
            if stamps is not None and stamps.get(session.actor.role, "") != session.stamp:
                self.end(session, "password" if session.actor.role in stamps else "dropped")
            elif self._over(session):
                self.end(session, "time")

    def __len__(self) -> int:
        return len(self._of)

    def _over(self, session: Session) -> bool:
        """A picture on the wall is used as long as it is looked at; a referee's tablet that lies about is not."""
        now_ms = self._clock.now_ms()
        looked_at = session.actor.role == "public" and session.screens > 0
        idle = now_ms - session.used_ms >= self._idle_ms and not looked_at
        return idle or now_ms - session.began_ms >= self._whole_ms


def _key(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


FREE: Final = 3  # wrong ones of an address that cost nothing
FIRST_MS: Final = 2_000
LONGEST_MS: Final = 300_000
FORGOTTEN_MS: Final = 900_000  # after its last wrong one an address begins anew
ADDRESSES_MOST: Final = 1_024
ALL_FREE: Final = 30  # wrong ones of all addresses together
ALL_EVERY_MS: Final = 5_000  # after those, one in so long
OPEN_FREE: Final = 32  # log-ins of an address that need no password, then one in so long: a hall behind one router
OPEN_EVERY_MS: Final = 1_000
IN_LINE_MOST: Final = 32  # of an address, that wait while another of its attempts is looked at


@dataclass(slots=True)
class _Guesses:
    wrong: int = 0
    last_ms: int = 0
    next_ms: int = 0
    known: bool = False


@dataclass(slots=True)
class _Line:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class Attempts:
    """Counts what is tried; `begin` before the password is looked at, `right` if it was right.

    An attempt counts as wrong from its beginning, so that many at once are not free. Those of one address that come
    together go one after the other (`turn`), so that right ones are not taken for wrong ones that are not over yet.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._of: OrderedDict[str, _Guesses] = OrderedDict()
        self._lines: dict[str, _Line] = {}
        self._all = float(ALL_FREE)  # what is left of those that are free
        self._filled_ms = clock.now_ms()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[bool]:
        """Waits until no other attempt of the address is under way; False: too many wait for that already."""
        home = home_of(address)
        line = self._lines.setdefault(home, _Line())
        if line.waiting >= IN_LINE_MOST:
            yield False
            return
        line.waiting += 1
        try:
            async with line.lock:
                yield True
        finally:
            line.waiting -= 1
            if not line.waiting:
                del self._lines[home]

    def begin(self, address: str) -> int:
        """0: go on; else for how many ms the address must wait, and nothing is counted."""
        now_ms = self._clock.now_ms()
        guesses = self._guesses(home_of(address), now_ms)
        if now_ms < guesses.next_ms:
            return guesses.next_ms - now_ms
        if not guesses.known:
            self._all = min(float(ALL_FREE), self._all + (now_ms - self._filled_ms) / ALL_EVERY_MS)
            self._filled_ms = now_ms
            if self._all < 1:
                return int((1 - self._all) * ALL_EVERY_MS) + 1
            self._all -= 1
        guesses.wrong += 1
        guesses.last_ms = now_ms
        if guesses.wrong >= FREE:
            guesses.next_ms = now_ms + min(FIRST_MS << min(guesses.wrong - FREE, 16), LONGEST_MS)
        return 0

    def right(self, address: str, role: Role) -> None:
        """It was right, of that role: the address begins anew, and is known unless everybody has the password."""
        guesses = self._guesses(home_of(address), self._clock.now_ms())
        if not guesses.known:
            self._all = min(float(ALL_FREE), self._all + 1)
        guesses.wrong, guesses.next_ms, guesses.known = 0, 0, guesses.known or role != "public"

    def _guesses(self, home: str, now_ms: int) -> _Guesses:
        found = self._of.get(home)
        if found is None:
            if len(self._of) >= ADDRESSES_MOST:
                # Whoever logged in goes last: a flood of addresses must not make strangers of referees.
                del self._of[next((one for one, kept in self._of.items() if not kept.known), next(iter(self._of)))]
            found = self._of[home] = _Guesses()
        elif now_ms - found.last_ms > FORGOTTEN_MS:
            found.wrong, found.next_ms = 0, 0
        self._of.move_to_end(home)
        return found


class Arrivals:
    """How often an address may come in where no password is asked for: a page that is loaded often costs nothing, a
    program that comes in for ever would fill the audit and the table of sessions.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._full_ms: OrderedDict[str, int] = OrderedDict()  # when an address will have all its free ones again

    def begin(self, address: str) -> int:
        """0: come in, and it is counted; else for how many ms to wait."""
        home, now_ms = home_of(address), self._clock.now_ms()
        full_ms = max(self._full_ms.get(home, 0), now_ms)
        wait_ms = full_ms - now_ms - (OPEN_FREE - 1) * OPEN_EVERY_MS
        if wait_ms > 0:
            return wait_ms
        self._full_ms[home] = full_ms + OPEN_EVERY_MS
        self._full_ms.move_to_end(home)
        if len(self._full_ms) > ADDRESSES_MOST:
            self._full_ms.popitem(last=False)
        return 0


def home_of(address: str) -> str:
    """Of IPv6 the network: one computer has as many addresses there as it likes."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "?"
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else found)


def trail_of(event: Path) -> Path:
    """The file beside the event."""
    return event.with_name(f"{event.name}.audit.jsonl")


class Trail:
    """`file`: the one of the acts too; `wall_ms` tells Unix time."""

    def __init__(self, file: AuditFile, wall_ms: Callable[[], int]) -> None:
        self._file = file
        self._wall_ms = wall_ms

    def note(self, what: Mapping[str, object]) -> None:
        """Add the line."""
        self._file.add({"when_ms": self._wall_ms(), **what})
