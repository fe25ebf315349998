"""The desk: the one place where links, ledger and domain meet. It has no I/O of its own but the ledger's.

Facts that arrive are made durable together and only then acknowledged; commands that anybody asked for in the ledger are
carried out while a link is up and answered by the fact that comes back. All times are ms of the desk's monotonic clock.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from dalej.clock import Clock
from dalej.domain import commands
from dalej.domain.facts import REFUSALS, Fact
from dalej.errors import Refused, Unreachable
from dalej.ledger import Ledger, Report, Request
from dalej.ledger.entries import APPLIED, NO_LINK, REFUSED, SENT
from dalej.ledger.lease import Held
from dalej.link.session import PING_MS, FactsArrived, Phase, Session, Silent, StateHeard, Trusted, TurnedAway
from dalej.link.uptime import UptimeMap
from dalej.words import N_
from moveclock import facts as k
from moveclock import wire

LEASE_TTL_MS: Final = 10_000
OLD_AFTER_MS: Final = 3_000

_AWAY: Final[Mapping[int, str]] = {
    wire.NO_PROTOCOL: N_("box {box} speaks another protocol ({text}): update its firmware or this desk"),
    wire.NO_MTU: N_("box {box} needs frames of {least} bytes, the link carries fewer"),
    wire.NO_AUTH: N_("box {box} does not know this desk's secret: pair it, or import the club's keys"),
    wire.NO_BUSY: N_("box {box} is served by another desk: {text}"),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should read: an English template with its fields, and the box it is about (hex uid)."""

    kind: str
    box: str
    template: str
    data: Mapping[str, object]


@dataclass(slots=True)
class Line:
    """What the desk knows of one box. `state`: the last state heard and when (names of `moveclock.wire.STATE_FIELDS`)."""

    uid: bytes
    secret: bytes
    table: int
    session: Session | None = None
    uptimes: UptimeMap = field(default_factory=UptimeMap)
    state: tuple[int, dict[str, int]] | None = None
    running: tuple[int, dict[str, int]] | None = None
    old_through: int = 0

    @property
    def box(self) -> str:
        return self.uid.hex()


class Desk:
    """One process that holds the lease on the links. `random(n)` gives unpredictable bytes; `commit_delay_ms` gathers facts.

    `notices` grows with what people should be told; `resends` counts facts that came again.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        clock: Clock,
        random: Callable[[int], bytes],
        name: str,
        commit_delay_ms: int = 0,
        ping_ms: int = PING_MS,
        lease_ttl_ms: int = LEASE_TTL_MS,
    ) -> None:
        self.ledger = ledger
        self.lines: dict[bytes, Line] = {}
        self.notices: list[Notice] = []
        self.resends = 0
        self._clock = clock
        self._random = random
        self._name = name
        self._id = int.from_bytes(random(4), "little")
        self._commit_delay_ms = commit_delay_ms
        self._ping_ms = ping_ms
        self._lease: Held = ledger.lease.acquire(name, clock.wall_ms(), lease_ttl_ms)
        self._lease_ttl_ms = lease_ttl_ms
        self._renew_ms = clock.now_ms() + lease_ttl_ms // 3
        self._reports: list[Report] = []
        self._commit_at: int | None = None
        self._waiting: dict[bytes, None] = {}
        self._timers: list[tuple[int, bytes]] = []
        self._queued: dict[bytes, int] = {}
        self._requests: dict[int, Request] = {}

    def know(self, uid: bytes, secret: bytes, table: int) -> None:
        """A box of this event: its secret, and the table it stands on."""
        self.lines[uid] = Line(uid, secret, table)

    def close(self) -> None:
        """Say goodbye to every box and give the lease back."""
        for line in self.lines.values():
            if line.session is not None:
                line.session.say_bye()
                self._waiting[line.uid] = None
        self._commit(self._clock.now_ms())
        self.ledger.lease.release(self._lease)

    # --- links -----

    def connected(self, uid: bytes, now_ms: int) -> None:
        line = self.lines[uid]
        known = [stream for stream in self.ledger.boxes() if stream.box == line.box]
        line.session = Session(
            uid=uid,
            secret=line.secret,
            desk_id=self._id,
            desk_name=self._name,
            known=(known[-1].epoch, known[-1].contiguous) if known else (0, 0),
            nonce=self._random(16),
            uptimes=line.uptimes,
            ping_ms=self._ping_ms,
        )
        line.session.start(now_ms)
        self._stirred(line)

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        line = self.lines[uid]
        line.session = None
        for number, request in list(self._requests.items()):
            if request.table == line.table:
                del self._requests[number]

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        line = self.lines[uid]
        if line.session is not None:
            line.session.receive(frame, now_ms)
            self._heed(line, now_ms)

    def frames(self, uid: bytes) -> list[bytes]:
        session = self.lines[uid].session
        return [] if session is None else session.frames()

    def waiting(self) -> list[bytes]:
        waiting = list(self._waiting)
        self._waiting.clear()
        return waiting

    def wants_to_leave(self, uid: bytes) -> bool:
        session = self.lines[uid].session
        return session is not None and session.phase is Phase.OVER

    def next_timer(self) -> int | None:
        due = [self._renew_ms]
        if self._timers:
            due.append(self._timers[0][0])
        if self._commit_at is not None:
            due.append(self._commit_at)
        return min(due)

    def handle_timer(self, now_ms: int) -> None:
        if now_ms >= self._renew_ms:
            self._renew_ms = now_ms + self._lease_ttl_ms // 3
            self._lease = self.ledger.lease.renew(self._lease, self._clock.wall_ms(), self._lease_ttl_ms)
        while self._timers and self._timers[0][0] <= now_ms:
            due, uid = heapq.heappop(self._timers)
            if self._queued.get(uid) != due:
                continue
            del self._queued[uid]
            line = self.lines[uid]
            if line.session is not None:
                line.session.handle_timer(now_ms)
                self._heed(line, now_ms)
        if self._commit_at is not None and self._commit_at <= now_ms:
            self._commit(now_ms)

    def is_live(self, uid: bytes) -> bool:
        """Whether the box is on the line and trusted."""
        session = self.lines[uid].session
        return session is not None and session.phase is Phase.LIVE

    # --- commands -----

    def ask(self, uid: bytes, command: str, args: Mapping[str, int | str], *, who: str, why: str = "") -> bool:
        """Ask for a command and carry it out at once; False, and said in words, if there is no link to the box."""
        line = self.lines[uid]
        heard = line.state[1] if line.state is not None else {"game": 0, "move": 0}
        guard = None
        if command in commands.GUARDED_BY_MOVE and heard["move"]:
            guard = (heard["game"], heard["move"])
        elif command in commands.GUARDED_BY_GAME and heard["game"]:
            guard = (heard["game"], 0)
        request = self.ledger.request(
            line.table, command, args, who=who, at_ms=self._clock.wall_ms(), why=why, box=line.box, guard=guard
        )
        return self._carry_out(line, request)

    def carry_out(self) -> None:
        """Take up what other processes asked for in the ledger."""
        by_table = {line.table: line for line in self.lines.values()}
        for request in self.ledger.open_requests():
            if request.id not in self._requests and request.table in by_table:
                self._carry_out(by_table[request.table], request)

    def _carry_out(self, line: Line, request: Request) -> bool:
        wall = self._clock.wall_ms()
        if line.session is None or line.session.phase is not Phase.LIVE:
            self.ledger.outcome(request.id, NO_LINK, at_ms=wall, token=self._lease.token)
            self._notice("no_link", line, N_("table {table}: no link to box {box}, {command} was not sent"),
                         table=line.table, command=request.command)  # fmt: skip
            return False
        number, arguments = commands.encode(request.command, request.args)
        self._requests[request.id] = request
        line.session.command(
            request.id, number, arguments, self._clock.now_ms(), game=request.game or 0, move=request.move or 0
        )
        self.ledger.outcome(request.id, SENT, at_ms=wall, token=self._lease.token)
        self._stirred(line)
        return True

    # --- what sessions tell -----

    def _heed(self, line: Line, now_ms: int) -> None:
        session = line.session
        while session is not None and session.events:
            event = session.events.popleft()
            match event:
                case Trusted():
                    self._trusted(line, event)
                case FactsArrived():
                    self._arrived(line, event, now_ms)
                case StateHeard():
                    line.state = (event.at_ms, event.state)
                    if event.state["state"] == k.RUNNING:
                        line.running = line.state
                case TurnedAway():
                    self._notice("turned_away", line, _AWAY.get(event.why, N_("box {box} refuses the link ({text})")),
                                 text=event.text, least=wire.MTU_AT_LEAST)  # fmt: skip
                case Silent():
                    self._notice("silent", line, N_("table {table}: box {box} has been silent for {seconds} s"),
                                 table=line.table, seconds=event.for_ms // 1000)  # fmt: skip
        self._stirred(line)

    def _trusted(self, line: Line, event: Trusted) -> None:
        known = [stream for stream in self.ledger.boxes() if stream.box == line.box]
        stream = next((stream for stream in known if stream.epoch == event.epoch), None)
        contiguous = 0 if stream is None else stream.contiguous
        if known and stream is None:
            self._notice("new_epoch", line, N_("table {table}: box {box} began a new journal; the old one is kept apart"),
                         table=line.table)  # fmt: skip
        if event.oldest > contiguous + 1:
            self._lost(line, event.epoch, contiguous + 1, event.oldest - 1)
        self.carry_out()

    def _lost(self, line: Line, epoch: int, first: int, last: int) -> None:
        why = "no longer on the box"
        if self.ledger.lost(line.box, epoch, first, last, why, self._clock.wall_ms()):
            self._notice("lost", line, N_("table {table}: box {box} no longer holds facts {first} to {last}"),
                         table=line.table, first=first, last=last)  # fmt: skip

    def _arrived(self, line: Line, event: FactsArrived, now_ms: int) -> None:
        wall, offset = self._clock.wall_ms(), self._clock.wall_ms() - now_ms
        for fact in event.facts:
            made_ms = line.uptimes.desk_ms(fact.boot, fact.uptime_ms)
            old = fact.seq <= event.old_through or (made_ms is not None and now_ms - made_ms > OLD_AFTER_MS)
            self._reports.append(Report(fact, wall, None if made_ms is None else made_ms + offset, old))
        if self._commit_at is None:
            self._commit_at = now_ms + self._commit_delay_ms
        if self._commit_delay_ms == 0:
            self._commit(now_ms)

    def _commit(self, now_ms: int) -> None:
        """Make what has arrived durable, then acknowledge it; if that fails, nothing is acknowledged and it comes again."""
        reports, self._reports, self._commit_at = self._reports, [], None
        if not reports:
            return
        try:
            recorded = self.ledger.record(reports, token=self._lease.token)
        except Unreachable as error:
            self.notices.append(Notice("not_recorded", "", error.template, error.data))
            return
        self.resends += len(recorded.duplicate)
        for conflict in recorded.conflicting:
            line = self.lines[bytes.fromhex(conflict.stored.box)]
            self._notice("conflict", line, N_("table {table}: box {box} contradicts its own fact {seq}; both are kept"),
                         table=line.table, seq=conflict.stored.seq)  # fmt: skip
        heads = dict(recorded.contiguous)
        for fact in recorded.new:
            self._recorded(fact, heads)
        for (box, epoch), contiguous in heads.items():
            line = self.lines[bytes.fromhex(box)]
            if line.session is not None:
                line.session.committed(epoch, contiguous)
                self._stirred(line)

    def _recorded(self, fact: Fact, heads: dict[tuple[str, int], int]) -> None:
        line = self.lines[bytes.fromhex(fact.box)]
        if fact.kind == k.RECORDS_LOST and fact.a < fact.seq:
            self._lost(line, fact.epoch, fact.a, fact.b)
            heads[fact.box, fact.epoch] = self.ledger.contiguous(fact.box, fact.epoch)
        elif fact.kind in (k.COMMAND_APPLIED, k.COMMAND_REFUSED):
            self._answered(line, fact)
        elif fact.kind == k.CLOCK_STOPPED and fact.code == k.BOX_LOST_POWER:
            self._offer(line, fact)

    def _answered(self, line: Line, fact: Fact) -> None:
        request = self._requests.pop(fact.a, None)
        if line.session is not None:
            line.session.answered(fact.a)
        if request is None:
            return
        refused = fact.kind == k.COMMAND_REFUSED
        reason = REFUSALS[fact.c] if refused and fact.c < len(REFUSALS) else ""
        try:
            self.ledger.outcome(
                request.id, REFUSED if refused else APPLIED, at_ms=self._clock.wall_ms(), token=self._lease.token,
                reason=reason,
            )  # fmt: skip
        except Refused as error:
            self.notices.append(Notice("outcome", line.box, error.template, error.data))

    def _offer(self, line: Line, fact: Fact) -> None:
        """After a power cut the box goes by its last checkpoint; the desk may have heard a later value."""
        if line.running is None:
            return
        _, heard = line.running
        if (heard["game"], heard["move"]) == (fact.game, fact.move) and heard["left"] < fact.a:
            self._notice("offer", line, N_("table {table}: box {box} lost power; last heard were {remaining_ms} ms left"),
                         table=line.table, remaining_ms=heard["left"])  # fmt: skip

    def _stirred(self, line: Line) -> None:
        """The session may have frames, want to leave, or have a new timer."""
        session = line.session
        if session is None:
            return
        self._waiting[line.uid] = None
        due = session.next_timer()
        if due is not None and due < self._queued.get(line.uid, due + 1):
            self._queued[line.uid] = due
            heapq.heappush(self._timers, (due, line.uid))

    def _notice(self, kind: str, line: Line, template: str, **data: object) -> None:
        self.notices.append(Notice(kind, line.box, template, {"box": line.box, **data}))
