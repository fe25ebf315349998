"""A conversation with one box, without an event: what it holds, how it stands, a command and its answer.

A `ScanningPort` around one `Session` at a time, so it is carried over a cable or over the air like any desk; whoever
started it waits for what comes. It says hello as a reader: nothing that it hears counts as delivered, and a real desk
takes its place whenever it comes. Every wait ends: with what was waited for, with the box's refusal, or when nothing
has come for the time that was given.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from dalej.clock import Clock
from dalej.domain.game import commands
from dalej.domain.game.facts import COMMANDS, REFUSALS, Fact
from dalej.errors import DalejError, Refused, Sayable, Unreachable
from dalej.hints import typed
from dalej.link.session import FactsArrived, Known, Phase, Reading, Silent, StateHeard, Trusted, TurnedAway
from dalej.link.uptime import UptimeMap
from dalej.words import N_
from moveclock import advert, secure, wire
from moveclock import facts as k

QUIET_MS: Final = 8_000
RETRY_MS: Final = 1_000
PING_MS: Final = 2_000
_ID_FROM: Final = 1 << 20  # ids of commands: above those that events use up in a day, far below where u32 ends
_ID_BYTES: Final = 20 // 8 + 1
_BACKLOG: Final = 4  # its place in an advertisement

_AWAY: Final[Mapping[int, str]] = {
    wire.NO_PROTOCOL: N_("box {box} speaks another protocol ({text}): install its firmware, or update this program"),
    wire.NO_MTU: N_("the link to box {box} carries too few bytes at a time: use its cable"),
    wire.NO_AUTH: N_("box {box} does not know this club's secret: pair it, or bring its club's"),
    wire.NO_BUSY: N_("box {box} is served by another desk now, {text}: ask there, or end that desk and try again"),
}  # fmt: skip
_FULL: Final = N_(
    "box {box} has no link left: other computers hold all that it has; end one of them, or restart the box"
)
_REASONS: Final[Mapping[str, str]] = {
    "state": N_("not while its table is in this state"),
    "guard": N_("its table has moved on"),
    "argument": N_("a value is outside what it accepts"),
    "unknown_command": N_("its firmware does not know this"),
    "seat": N_("that seat is not in play"),
    "too_late": N_("the first round is over"),
}

T = TypeVar("T")


class Talk:
    """One box. `last`: how many of its facts are wanted, counted from the newest when the link came up; those that it
    makes later come as well. `name` is what a desk that is refused because of this one gets to hear. `backlog`: how
    many facts no desk had acknowledged when the box last changed its advertisement, None if it was not heard.
    """

    def __init__(
        self,
        uid: bytes,
        secret: bytes,
        clock: Clock,
        random: Callable[[int], bytes],
        *,
        called: str,
        name: str = "dalej",
        last: int | None = 0,
        quiet_ms: int = QUIET_MS,
    ) -> None:
        self.uid = uid
        self.called = called
        self.trusted: Trusted | None = None
        self.state: dict[str, int] | None = None
        self.backlog: int | None = None
        self.facts: list[Fact] = []  # without a gap, oldest first
        self._secret = secret
        self._clock = clock
        self._random = random
        self._name = name
        self._last = last
        self._quiet_ms = quiet_ms
        self._session: Reading | None = None
        self._uptimes = UptimeMap()
        self._advert_key = secure.advert_key(secret, uid)
        self._epoch = 0
        self._contiguous = 0
        self._early: dict[int, Fact] = {}
        self._sought = False
        self._heard_ms: int | None = None
        self._retry_ms = clock.now_ms()
        self._failure: DalejError | None = None
        self._progress_ms = clock.now_ms()
        self._waiters: set[asyncio.Future[None]] = set()
        self._pending: dict[int, tuple[str, bytes]] = {}
        self._left = False
        self._on_stir: Callable[[], None] = lambda: None

    # --- what whoever started it waits for -----

    async def until_trusted(self) -> Trusted:
        """The box has proved itself. Refused if it turns this club away."""
        return await self._until(lambda: self.trusted)

    async def until_state(self) -> dict[str, int]:
        """Its state, under the names of `moveclock.wire.STATE_FIELDS`."""
        return await self._until(lambda: self.state)

    async def until_read(self) -> Sequence[Fact]:
        """All facts that were wanted, as far as the box had them when the link came up."""
        await self._until(lambda: (self.trusted is not None and self._contiguous >= self.trusted.head) or None)
        return self.facts

    async def until_more(self, than: int, within_ms: int) -> Sequence[Fact]:
        """The facts after the first `than`, as soon as there are any; none if there are none in that time."""
        await self._until(lambda: len(self.facts) > than or None, within_ms=within_ms, or_else=False)
        return self.facts[than:]

    async def command(self, command: str, args: Mapping[str, int | str] | None = None) -> Fact:
        """Has the box carry it out; its answer. Refused, with its reason (`data["code"]`: its name), if it does not."""
        number, arguments = commands.encode(command, args or {})
        ident = _ID_FROM | int.from_bytes(self._random(_ID_BYTES), "little") % _ID_FROM
        self._pending[ident] = (command, arguments)
        self._progress_ms = self._clock.now_ms()
        live = self._live()
        if live is not None:
            live.command(ident, number, arguments, self._clock.now_ms())
        self._stir()
        fact = await self._until(lambda: self._answer_to(ident))
        if fact.kind == k.COMMAND_REFUSED:
            reason = REFUSALS[fact.c] if fact.c < len(REFUSALS) else str(fact.c)
            why: Sayable = DalejError(_REASONS[reason]) if reason in _REASONS else reason
            raise Refused(N_("box {box} refuses: {reason}"), box=self.called, reason=why, code=reason)
        return fact

    def desk_ms(self, fact: Fact) -> int | None:
        """When it happened on this computer's monotonic clock; None if the box has been restarted since."""
        return self._uptimes.desk_ms((fact.epoch, fact.boot), fact.uptime_ms)

    def leave(self) -> None:
        """Say goodbye; the link is closed when that is written."""
        self._left = True
        if self._session is not None:
            self._session.say_bye()

    def fail(self, why: DalejError) -> None:
        """Whoever waits hears this: the way to the box is no more."""
        self._failure = why
        self._stir()

    def on_stir(self, stir: Callable[[], None]) -> None:
        """`stir` is called when there is something to write that nothing from outside has caused."""
        self._on_stir = stir

    # --- the port -----

    def connected(self, uid: bytes, now_ms: int) -> None:
        assert uid == self.uid
        self._sought = False
        self.trusted = self.state = None
        known = [Known(self._epoch, self._contiguous, self._contiguous)] if self._epoch else []
        self._session = Reading(
            self._last, uid=self.uid, secret=self._secret, desk_id=wire.READER, desk_name=self._name, known=known,
            nonce=self._random(16), uptimes=self._uptimes, ping_ms=PING_MS,
        )  # fmt: skip
        self._session.start(now_ms)

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        if uid == self.uid:
            if self._session is not None:
                self._session.lost()
                self._heed(now_ms)
            self._session = None
            self._retry_ms = now_ms + RETRY_MS

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        if self._session is not None and uid == self.uid:
            self._session.receive(frame, now_ms)
            self._heed(now_ms)

    def waiting(self) -> list[bytes]:
        return [] if self._session is None else [self.uid]

    def frames(self, uid: bytes) -> list[bytes]:
        return self._session.frames() if self._session is not None and uid == self.uid else []

    def wants_to_leave(self, uid: bytes) -> bool:
        return uid != self.uid or self._session is None or self._session.phase is Phase.OVER

    def next_timer(self) -> int | None:
        if self._session is not None:
            return self._session.next_timer()
        return self._retry_ms if self._may_connect() else None

    def handle_timer(self, now_ms: int) -> None:
        if self._session is not None:
            self._session.handle_timer(now_ms)
            self._heed(now_ms)

    def advertised(self, data: bytes, now_ms: int) -> bytes | None:
        """Its own tag is enough here: whether it is of now or a replay, the session that follows will show."""
        try:
            said = advert.unpack(self._advert_key, data)
        except wire.WireError:
            return None
        self._heard_ms, self.backlog = now_ms, said[_BACKLOG]
        return self.uid

    def to_connect(self, now_ms: int) -> list[bytes]:
        """The box, once it is heard, unless there is a link or it has turned this club away."""
        if not self._may_connect() or now_ms < self._retry_ms:
            return []
        self._sought = True
        self._heard_ms = None  # before another attempt it is to be heard again
        return [self.uid]

    def failed(self, uid: bytes, now_ms: int) -> None:
        if uid == self.uid:
            self._sought = False
            self._retry_ms = now_ms + RETRY_MS

    def proved(self, uid: bytes) -> bool:
        return uid == self.uid and self.trusted is not None

    def plugged(self, uid: bytes, now_ms: int) -> None:
        """One box over one way: there is nothing to share out."""

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        """As `plugged`."""

    # --- what the session tells -----

    def _heed(self, now_ms: int) -> None:
        session = self._session
        while session is not None and session.events:
            event = session.events.popleft()
            self._progress_ms = now_ms
            match event:
                case Trusted():
                    self._begin(session, event, now_ms)
                case FactsArrived(facts):
                    self._take(session, facts)
                case StateHeard(state=state):
                    self.state = state
                case TurnedAway(why, text):
                    template = _AWAY.get(why, N_("box {box} refuses the link ({text})"))
                    if why == wire.NO_BUSY and not text:
                        template = _FULL
                    self._failure = Refused(template, box=self.called, text=text)
                    if why == wire.NO_AUTH:
                        self._failure.hinted(
                            N_("{pair} pairs it, {command} brings its club's"),
                            pair=typed("box", "pair", "PORT"), command=typed("box", "keys", "import", "FILE"),
                        )  # fmt: skip
                case Silent(for_ms):
                    template = N_("box {box} has been silent for {seconds} s")
                    if self.trusted is None:  # a system gives two programs one link, on which the first has the word
                        template = N_("box {box} does not answer: if a desk on this computer serves it, ask there or "
                                      "end that desk and try again")  # fmt: skip
                    self._failure = Unreachable(template, box=self.called, seconds=for_ms // 1000)
            self._stir()

    def _begin(self, session: Reading, event: Trusted, now_ms: int) -> None:
        epoch, begin = session.after
        after = max(begin if epoch == event.epoch else 0, event.oldest - 1)
        if self._epoch != event.epoch or after > self._contiguous:
            self._epoch, self._contiguous = event.epoch, after
            self.facts, self._early = [], {}
        self.trusted = event
        for ident, (command, arguments) in self._pending.items():
            session.command(ident, COMMANDS.index(command), arguments, now_ms)

    def _take(self, session: Reading, facts: Sequence[Fact]) -> None:
        for fact in facts:
            if fact.seq > self._contiguous:
                self._early[fact.seq] = fact
        while (following := self._early.pop(self._contiguous + 1, None)) is not None:
            self._contiguous += 1
            self.facts.append(following)
            if following.kind in (k.COMMAND_APPLIED, k.COMMAND_REFUSED) and following.a in self._pending:
                del self._pending[following.a]
                session.answered(following.a)
        session.committed(session.epoch, self._contiguous)

    def _answer_to(self, ident: int) -> Fact | None:
        if ident in self._pending:
            return None
        answers = (fact for fact in reversed(self.facts) if fact.a == ident)
        return next((fact for fact in answers if fact.kind in (k.COMMAND_APPLIED, k.COMMAND_REFUSED)), None)

    def _may_connect(self) -> bool:
        idle = self._session is None and not self._sought
        return idle and self._heard_ms is not None and not self._left and self._failure is None

    def _live(self) -> Reading | None:
        session = self._session
        return session if session is not None and session.phase is Phase.LIVE else None

    # --- waiting -----

    def _stir(self) -> None:
        self._on_stir()
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _until(
        self, look: Callable[[], T | None], *, within_ms: int | None = None, or_else: T | None = None
    ) -> T:
        """What `look` finds, looked for again whenever something comes. After `within_ms`: `or_else`; without it, the
        wait ends when nothing has come for `quiet_ms`.
        """
        begun_ms = self._clock.now_ms()
        if within_ms is None:
            self._progress_ms = begun_ms
        while (found := look()) is None:
            if self._failure is not None:
                raise self._failure
            end_ms = self._progress_ms + self._quiet_ms if within_ms is None else begun_ms + within_ms
            rest_ms = end_ms - self._clock.now_ms()
            if rest_ms <= 0:
                if or_else is not None:
                    return or_else
                raise Unreachable(
                    N_("box {box} did not answer within {seconds} s"), box=self.called, seconds=self._quiet_ms // 1000
                )
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.add(waiter)
            await asyncio.wait((waiter,), timeout=rest_ms / 1000)
            self._waiters.discard(waiter)
        return found
