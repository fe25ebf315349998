"""Who is logged in: a table in this process alone, so a server that starts anew knows nobody. Who came and went is a
line in EVENT.audit.jsonl.
"""

from __future__ import annotations

import hashlib
import ipaddress
from asyncio import BaseTransport
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, cast
from weakref import WeakKeyDictionary

from dalej.clock import Clock
from dalej.errors import Refused
from dalej.office.acts.performer import AuditFile
from dalej.office.acts.roles import Actor, Role
from dalej.views.deeds import History
from dalej.web.sendings import Sendings
from dalej.words import N_, readable

TOKEN_BYTES: Final = 32
IDLE_MS: Final = 2 * 3_600_000
WHOLE_MS: Final = 16 * 3_600_000  # a day of play, set-up to prizes
SESSIONS_MOST: Final = 1_300
PUBLIC_MOST: Final = 1_200  # of these the public's: whoever comes in without a password keeps no referee out
_PAST_MOST: Final = 500

Why = Literal["out", "ended", "password", "dropped", "time"]


@dataclass(eq=False, slots=True)
class Session:
    """One log-in. `stamp`: changes with its role's password. `form`: what a form must bring along, so that no other
    page can send one. `tables`: those that may be decided on, empty: all. `device`: as of `device_of`. `look`,
    `sounds`: as this person wants pages. `screens`: live pages that are open. `history`: what was done in it,
    `told_at`: the path of the page that tells of it. `sendings`: what its pages sent last.
    """

    key: str
    actor: Actor
    address: str
    language: str
    stamp: str
    began_ms: int
    used_ms: int
    form: str
    tables: frozenset[int] = frozenset()
    device: str = ""
    look: str = ""
    sounds: bool = False
    ended: bool = False
    history: History = field(default_factory=History)
    told_at: str = ""
    sendings: Sendings = field(default_factory=Sendings)
    screens: int = 0
    watchers: set[Callable[[], None]] = field(default_factory=set)


DEVICES: Final = (
    (("iPhone",), "iPhone"), (("iPad",), "iPad"), (("Android", "Mobile"), N_("Android phone")),
    (("Android",), N_("Android tablet")), (("CrOS",), "Chromebook"), (("Windows",), "Windows"), (("Macintosh",), "Mac"),
    (("Linux",), "Linux"),
)  # fmt: skip


def device_of(browser: str) -> str:
    """Which kind of device it is by what its browser calls itself, in English words; "" for any other."""
    return next((device for signs, device in DEVICES if all(sign in browser for sign in signs)), "")


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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
        self.asked_over: WeakKeyDictionary[BaseTransport, Session] = WeakKeyDictionary()  # who has, last

    def begin(
        self, actor: Actor, address: str, language: str, stamp: str, tables: frozenset[int] = frozenset(),
        device: str = "",
    ) -> tuple[str, Session]:  # fmt: skip
        """Its token and the session; Refused if too many are open. Of the public, who looked longest ago makes room."""
        if actor.role == "public":
            self._make_room()
        if len(self._of) >= SESSIONS_MOST:
            raise Refused(N_("{most} people are logged in, that is as many as there can be"), most=SESSIONS_MOST)
        token, now_ms = self._random(TOKEN_BYTES).hex(), self._clock.now_ms()
        form = self._random(TOKEN_BYTES).hex()
        session = Session(_key(token), actor, address, language, stamp, now_ms, now_ms, form, tables, device)
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

    def stop(self) -> None:
        """Whoever looks is told that it is over; the server ends."""
        for session in self._of.values():
            for watcher in list(session.watchers):
                watcher()

    def sweep(self, stamps: Mapping[Role, str] | None) -> None:
        """End what has lasted too long, and whose password is another by now; `stamps` None: cannot be told."""
        for session in list(self._of.values()):
            if stamps is not None and stamps.get(session.actor.role, "") != session.stamp:
                self.end(session, "password" if session.actor.role in stamps else "dropped")
            elif self._over(session):
                self.end(session, "time")

    def all(self) -> list[Session]:
        """Everybody who is logged in, the longest first."""
        return list(self._of.values())

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


def trail_of(event: Path) -> Path:
    """The file beside the event."""
    return event.with_name(f"{event.name}.audit.jsonl")


class Trail:
    """`file`: the one of the acts too; `wall_ms` tells Unix time. `told(line)`: hears each in words as well."""

    def __init__(
        self, file: AuditFile, wall_ms: Callable[[], int], told: Callable[[str], object] = lambda _line: None
    ) -> None:
        self._file = file
        self._wall_ms = wall_ms
        self._told = told

    def note(self, what: Mapping[str, object]) -> None:
        """Add the line."""
        self._file.add({"when_ms": self._wall_ms(), **what})
        self._told(_in_words(what))


def _in_words(what: Mapping[str, object]) -> str:
    """For a log, in English. A name with which nobody got in is left out: it may be a password in the wrong field."""
    role, address, name = what["role"], what["address"], readable(str(what["name"]))
    if what["log"] == "in":
        return f"{name} logged in as {role}, from {address}"
    if what["log"] == "out":
        return f"{name} ({role}, from {address}) is logged out: {_ENDED[cast('Why', what['why'])]}"
    return f"a log-in as {role} was refused, from {address}: wrong password"


_ENDED: Final[Mapping[Why, str]] = {
    "out": "that was wished", "ended": "an organiser ended all sessions", "password": "the password was changed",
    "dropped": "the password was taken away", "time": "it lasted long enough",
}  # fmt: skip
