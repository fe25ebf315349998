"""The desk's half of one link to one box, without I/O: frames and times in; frames, events and the next timer out.
One that only reads asks for no more than the latest facts of a box, and counts as a desk to nobody.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, Final

from dalej.domain.game.facts import Fact
from dalej.link.uptime import UptimeMap
from moveclock import secure, wire

HELLO_WITHIN_MS: Final = 3000
SILENCE_MS: Final = 12000
PING_MS: Final = 4000
REPEAT_HELLO_MS: Final = 1000
REPEAT_COMMAND_MS: Final = 2000  # doubled each time
REPEAT_COMMAND_MOST_MS: Final = 16_000
_WELCOMES_MOST: Final = 3  # so many proofs a box looks at on one link
_HELLOS_MOST: Final = 4  # so many a box answers on one link


class Phase(Enum):
    """How far the session has come."""

    NEW = auto()
    GREETING = auto()
    PROVING = auto()
    LIVE = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Known:
    """What the desk has stored of one stream: all of it up to `contiguous`, nothing above `top`."""

    epoch: int
    contiguous: int
    top: int


@dataclass(frozen=True, slots=True)
class Trusted:
    """The box proved itself. `oldest`..`head` is what it holds of stream `epoch`."""

    epoch: int
    boot: int
    oldest: int
    head: int
    uptime_ms: int


@dataclass(frozen=True, slots=True)
class FactsArrived:
    """Genuine records, in the order of arrival; `old_through`: seqs up to this one were made before this link."""

    facts: tuple[Fact, ...]
    old_through: int


@dataclass(frozen=True, slots=True)
class StateHeard:
    """The box's state as it was when it left the box; names as in `moveclock.wire.STATE_FIELDS`."""

    at_ms: int
    state: dict[str, int]


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The box refuses this desk: `why` is a `moveclock.wire.NO_` number, `text` may name the desk it serves."""

    why: int
    text: str


@dataclass(frozen=True, slots=True)
class _Welcome:
    """What came as the box's answer to a hello that `told` so, and what follows if it was the box's."""

    told: tuple[int, int]
    auth: bytes
    transcript: bytes
    trusted: Trusted
    sealer: secure.Seal
    opener: secure.Seal


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing genuine came for too long; the link should be closed."""

    for_ms: int


Event = Trusted | FactsArrived | StateHeard | TurnedAway | Silent


@dataclass(slots=True)
class _Command:
    frame: bytes
    due_ms: int
    wait_ms: int = REPEAT_COMMAND_MS


class Session:
    """One link. `known`: what the desk has stored of this box, the latest stream last.

    `heard_ms`: when the last genuine frame came, at first when the link came up.
    """

    def __init__(
        self,
        *,
        uid: bytes,
        secret: bytes,
        desk_id: int,
        desk_name: str,
        known: Sequence[Known],
        nonce: bytes,
        uptimes: UptimeMap,
        ping_ms: int = PING_MS,
    ) -> None:
        self.uid = uid
        self.phase = Phase.NEW
        self.refused = 0
        self.repeated = 0
        self.epoch = 0
        self.boot = 0
        self.events: deque[Event] = deque()
        self._secret = secret
        self._desk = (desk_id, desk_name)
        self._nonce = nonce
        self._known = {stream.epoch: stream for stream in known}
        self._told = (known[-1].epoch, known[-1].contiguous) if known else (0, 0)
        self._hello = b""
        self._hellos = 0
        self._passed_over: set[bytes] = set()  # the nonces of welcomes that called for another hello
        self._welcomes: list[_Welcome] = []
        self._hearsay: TurnedAway | None = None
        self._said: tuple[bytes, ...] = ()  # of the handshake, and still without an answer
        self._repeat_ms = 0
        self._uptimes = uptimes
        self._ping_ms = ping_ms
        self._out: deque[bytes] = deque()
        self._sealer: secure.Seal | None = None
        self._opener: secure.Seal | None = None
        self._old_through = 0
        self.heard_ms = 0
        self._ping_due_ms = 0
        self._pings: dict[int, int] = {}
        self._commands: dict[int, _Command] = {}

    # --- the caller's side -----

    def start(self, now_ms: int) -> None:
        """The link is up and notifications are on: say hello."""
        self.heard_ms = now_ms
        self._greet(now_ms)

    def frames(self) -> list[bytes]:
        """What to write to the box now, in this order."""
        out = list(self._out)
        self._out.clear()
        return out

    def committed(self, epoch: int, contiguous: int) -> None:
        """The ledger holds everything up to `contiguous`, durably: the box may forget it."""
        if self.phase is Phase.LIVE and epoch == self.epoch:
            self._send(struct.pack("<BII", wire.ACK, epoch, contiguous))

    def command(
        self,
        number: int,
        what: int,
        arguments: bytes,
        now_ms: int,
        *,
        game: int = 0,
        move: int = 0,
        boot: int = 0,
        at_uptime_ms: int = 0,
    ) -> None:
        """Send a command, again and again until `answered`. Guards and instant as in `moveclock.wire.pack_command`."""
        frame = wire.pack_command(number, what, game, move, boot, at_uptime_ms, arguments)
        live = self.phase is Phase.LIVE
        self._commands[number] = _Command(frame, now_ms + REPEAT_COMMAND_MS if live else now_ms)
        if live:
            self._send(frame)

    def answered(self, number: int) -> None:
        """A committed fact has answered command `number`."""
        self._commands.pop(number, None)

    def say_bye(self) -> None:
        """Leave in good order."""
        if self.phase is Phase.LIVE:
            self._send(bytes([wire.BYE]))
        self.phase = Phase.OVER

    def lost(self) -> None:
        """The link is gone: if it came to nothing, what was said of the reason is all that there is."""
        if self._hearsay is not None and self.phase in (Phase.GREETING, Phase.PROVING):
            self.events.append(self._hearsay)
        self.phase = Phase.OVER

    def next_timer(self) -> int | None:
        """When `handle_timer` must be called next."""
        if self.phase in (Phase.GREETING, Phase.PROVING):
            return min(self.heard_ms + HELLO_WITHIN_MS, self._repeat_ms)
        if self.phase is not Phase.LIVE:
            return None
        due = min(self.heard_ms + SILENCE_MS, self._ping_due_ms)
        return min(due, *[command.due_ms for command in self._commands.values()]) if self._commands else due

    def handle_timer(self, now_ms: int) -> None:
        """Do what is due at `now_ms`: ping, repeat commands, give up on a silent box."""
        limit = SILENCE_MS if self.phase is Phase.LIVE else HELLO_WITHIN_MS
        if self.phase in (Phase.NEW, Phase.OVER):
            return
        if now_ms - self.heard_ms >= limit:
            self.phase, live = Phase.OVER, self.phase is Phase.LIVE
            self.events.append(Silent(now_ms - self.heard_ms) if live or self._hearsay is None else self._hearsay)
            return
        if self.phase is not Phase.LIVE:
            if now_ms >= self._repeat_ms:
                self._say(now_ms, *self._said)
            return
        if now_ms >= self._ping_due_ms:
            self._ping(now_ms)
        for command in self._commands.values():
            if now_ms >= command.due_ms:
                command.wait_ms = min(2 * command.wait_ms, REPEAT_COMMAND_MOST_MS)
                command.due_ms = now_ms + command.wait_ms
                self.repeated += 1
                self._send(command.frame)

    def receive(self, frame: bytes, now_ms: int) -> None:
        """A notification of the box. What is not genuine is counted in `refused` and forgotten."""
        try:
            self._receive(frame, now_ms)
        except wire.WireError:
            self.refused += 1

    # --- what came in -----

    def _receive(self, frame: bytes, now_ms: int) -> None:
        if not frame:
            raise wire.WireError("an empty frame")
        kind = frame[0]
        if self.phase in (Phase.GREETING, Phase.PROVING) and kind == wire.WELCOME:
            self._welcomed(frame, now_ms)
        elif self.phase in (Phase.GREETING, Phase.PROVING) and kind == wire.ACCEPTED:
            self._accepted(frame, now_ms)
        elif self.phase in (Phase.GREETING, Phase.PROVING, Phase.LIVE) and kind == wire.REFUSED:
            self._turned_away(frame)
        elif self.phase is Phase.LIVE and kind == wire.SEALED and self._opener is not None:
            body = self._opener.open(frame[1:])
            self.heard_ms = now_ms
            self._opened(body, now_ms)
        else:
            raise wire.WireError(f"a frame of kind {kind} in a session that is {self.phase.name.lower()}")

    def _welcomed(self, frame: bytes, now_ms: int) -> None:
        if len(frame) > 1 and frame[1] != wire.PROTOCOL:
            self._hearsay = TurnedAway(wire.NO_PROTOCOL, str(frame[1]))
            return
        _, uid, epoch, boot, oldest, head, uptime, nonce = wire.unpack_welcome(frame)
        if uid != self.uid:
            raise wire.WireError("a welcome of another box")
        if nonce in self._passed_over:
            raise wire.WireError("the answer to an earlier hello")
        transcript = self._hello + frame
        if any(known.transcript == transcript for known in self._welcomes):
            return
        told = self._to_tell(epoch, head)
        if told != self._told:
            if self._hellos == _HELLOS_MOST:
                raise wire.WireError("each welcome calls for another hello")
            self._told = told
            self._passed_over.add(nonce)
            self._greet(now_ms)
            return
        if len(self._welcomes) == _WELCOMES_MOST:
            raise wire.WireError("one welcome after the other")
        desk_key, box_key = secure.session_keys(self._secret, uid, epoch, self._nonce, nonce)
        trusted = Trusted(epoch, boot, oldest, head, uptime)
        auth = bytes([wire.AUTH]) + secure.handshake_tag(self._secret, secure.DESK, transcript)
        self._welcomes.append(_Welcome(told, auth, transcript, trusted, secure.Seal(desk_key), secure.Seal(box_key)))
        self._say(now_ms, auth)
        self._said = tuple(one.auth for one in self._welcomes)
        self.phase = Phase.PROVING

    def _to_tell(self, epoch: int, head: int) -> tuple[int, int]:
        """What the hello must say to a box that is at `head` of stream `epoch`.

        A box whose flash was copied back to an older day must hear the latest fact it ever sent, even one beyond a
        gap.
        """
        stream = self._known.get(epoch)
        if stream is None:
            return self._told
        return epoch, stream.contiguous if stream.top <= head else stream.top

    def _accepted(self, frame: bytes, now_ms: int) -> None:
        stream, tag = frame[1:5], frame[5:]
        for welcome in self._welcomes:
            if secure.same(secure.handshake_tag(self._secret, secure.BOX, welcome.transcript + stream), tag):
                break
        else:
            raise wire.WireError("the box could not prove itself")
        self._said = ()
        trusted = welcome.trusted
        (epoch,) = struct.unpack("<I", stream)
        if epoch != trusted.epoch:  # its flash was a copy of an older day: a new stream began with this link
            trusted = replace(trusted, epoch=epoch, oldest=1, head=0)
        self.epoch, self.boot, self._old_through = epoch, trusted.boot, trusted.head
        self._told, self._sealer, self._opener = welcome.told, welcome.sealer, welcome.opener
        self._welcomes.clear()
        self._hearsay = None
        self.phase = Phase.LIVE
        self.heard_ms = now_ms
        self.events.append(trusted)
        self._ping(now_ms)

    def _turned_away(self, frame: bytes) -> None:
        why, tag, reason = wire.unpack_refusal(frame)
        said = TurnedAway(why, wire.text(reason))
        if self.phase is Phase.LIVE:
            return  # it believes its seals and lets silence decide
        if any(
            secure.same(secure.refusal_tag(self._secret, one.transcript, why, reason), tag) for one in self._welcomes
        ):
            self.phase = Phase.OVER
            self.events.append(said)
        else:
            self._hearsay = said

    def _opened(self, body: bytes, now_ms: int) -> None:
        if not body:
            raise wire.WireError("an empty body")
        if body[0] == wire.RECORDS:
            self._records(body)
        elif body[0] == wire.STATE:
            state = dict(zip(wire.STATE_FIELDS, wire.unpack_state(body), strict=True))
            self.events.append(StateHeard(now_ms, state))
        elif body[0] == wire.PONG:
            stamp, uptime = wire.numbers(body, 2)
            sent = self._pings.pop(stamp, None)
            if sent is not None:
                self._uptimes.measured((self.epoch, self.boot), sent, now_ms, uptime)
        else:
            raise wire.WireError(f"a frame of kind {body[0]}")

    def _records(self, body: bytes) -> None:
        if (len(body) - 1) % wire.RECORD_SIZE:
            raise wire.WireError(f"records in {len(body) - 1} bytes")
        box = self.uid.hex()
        facts = []
        for start in range(1, len(body), wire.RECORD_SIZE):
            seq, boot, fact = wire.unpack_record(body[start : start + wire.RECORD_SIZE])
            if not seq:
                raise wire.WireError("a fact without a number")
            kind, at, game, move, seat, code, a, b, c = fact
            facts.append(Fact(box, self.epoch, seq, boot, at, kind, game, move, seat, code, a, b, c))
        self.events.append(FactsArrived(tuple(facts), self._old_through))

    # --- what goes out -----

    def _greet(self, now_ms: int) -> None:
        self.phase = Phase.GREETING
        self._hellos += 1
        desk_id, name = self._desk
        self._hello = wire.pack_hello(self._nonce, desk_id, *self._told, name)
        self._say(now_ms, self._hello)

    def _say(self, now_ms: int, *frames: bytes) -> None:
        """Frames of the handshake: said again until one is answered or the box counts as silent."""
        self._said = frames
        self._repeat_ms = now_ms + REPEAT_HELLO_MS
        self._out.extend(frames)

    def _send(self, body: bytes) -> None:
        if self._sealer is not None:
            self._out.append(bytes([wire.SEALED]) + self._sealer.seal(body))

    def _ping(self, now_ms: int) -> None:
        stamp = now_ms & 0xFFFFFFFF
        for old in [old for old, at in self._pings.items() if now_ms - at >= SILENCE_MS]:
            del self._pings[old]
        self._pings[stamp] = now_ms
        self._ping_due_ms = now_ms + self._ping_ms
        self._send(struct.pack("<BI", wire.PING, stamp))


_MADE_MEANWHILE: Final = 8  # facts between a welcome and the next one: for so few nobody asks anew


class Reading(Session):
    """Asks for the last so many facts of whatever stream the box has, None: for all of them."""

    def __init__(self, last: int | None, **more: Any) -> None:
        super().__init__(**more)
        self._last = last

    @property
    def after(self) -> tuple[int, int]:
        """Once the box has proved itself: the epoch, and the seq after which it was asked to begin."""
        return self._told

    def _to_tell(self, epoch: int, head: int) -> tuple[int, int]:
        """Anybody may have said so: what an earlier welcome called for binds only if this one calls for it too."""
        stored = self._known.get(epoch)
        if stored is not None:
            return epoch, min(stored.contiguous, head)
        begin = 0 if self._last is None else max(0, head - self._last)
        told_of, told = self._told
        if told_of == epoch and begin - _MADE_MEANWHILE <= told <= begin:
            return self._told
        return epoch, begin
