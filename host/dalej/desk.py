"""The desk: the one place where links, ledger and domain meet. It has no I/O of its own but the ledger's.

Facts that arrive are made durable together and only then acknowledged; commands that anybody asked for in the ledger
are carried out while a link is up and answered by the fact that comes back. Whatever the ledger cannot take is said in
words and not acknowledged, so the box keeps it. All times are ms of the desk's monotonic clock.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from dalej.clock import Clock
from dalej.domain import commands
from dalej.domain.facts import Fact
from dalej.errors import Damaged, Refused, Unreachable
from dalej.ledger import Held, Ledger, Report
from dalej.line import Line
from dalej.link.session import PING_MS, FactsArrived, Known, Phase, Session, Silent, StateHeard, Trusted, TurnedAway
from dalej.notices import Notice, Notices
from dalej.orders import ANSWERS, Orders
from dalej.words import N_
from moveclock import facts as k
from moveclock import wire

LEASE_TTL_MS: Final = 10_000
POLL_MS: Final = 200  # how often a desk that shares its event looks for requests of other processes
OLD_AFTER_MS: Final = 3_000
TRY_AGAIN_MS: Final = 1_000

_AWAY: Final[Mapping[int, str]] = {
    wire.NO_PROTOCOL: N_("box {box} speaks another protocol ({text}): update its firmware or this desk"),
    wire.NO_MTU: N_("box {box} needs frames of {least} bytes, the link carries fewer"),
    wire.NO_AUTH: N_("box {box} does not know this desk's secret: pair it, or import the club's keys"),
    wire.NO_BUSY: N_("box {box} is served by another desk: {text}"),
}


class Desk:
    """One process that holds the lease on the links. `random(n)` gives unpredictable bytes.

    `commit_delay_ms`: how long facts are gathered before they are recorded together. `desk_id`: the same for a
    process that takes a killed one's place, whose links it then takes over at once; drawn if None. `poll_ms`:
    how often to look for requests of other processes, None: only when `carry_out` is called. `resends` counts
    facts that came again; `resigned` is set when another process has taken the lease: then this desk has left
    every box and records nothing more.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        clock: Clock,
        random: Callable[[int], bytes],
        name: str,
        desk_id: int | None = None,
        commit_delay_ms: int = 0,
        ping_ms: int = PING_MS,
        poll_ms: int | None = None,
        lease_ttl_ms: int = LEASE_TTL_MS,
    ) -> None:
        self.ledger = ledger
        self.lines: dict[bytes, Line] = {}
        self._notices = Notices()
        self.resends = 0
        self.resigned: Refused | None = None
        self._clock = clock
        self._random = random
        self._name = name
        self._id = int.from_bytes(random(4), "little") if desk_id is None else desk_id
        self._commit_delay_ms = commit_delay_ms
        self._ping_ms = ping_ms
        self._poll_ms = poll_ms
        self._poll_at = clock.now_ms() if poll_ms is not None else None
        self._seen = 0  # the ledger's head at the last look
        self._lease: Held = ledger.lease.acquire(name, clock.wall_ms(), lease_ttl_ms)
        self._lease_ttl_ms = lease_ttl_ms
        self._renew_at = clock.now_ms() + lease_ttl_ms // 3
        self._orders = Orders(ledger, self._lease, clock, self.lines, self._notices.tell)
        self._say_at: int | None = None
        self._reports: list[Report] = []
        self._commit_at: int | None = None
        self._waiting: dict[bytes, None] = {}
        self._timers: list[tuple[int, bytes]] = []
        self._queued: dict[bytes, int] = {}

    def know(self, uid: bytes, secret: bytes, table: int) -> None:
        """A box of this event: its secret, and the table it stands on."""
        self.lines[uid] = Line(uid, secret, table)

    def close(self) -> None:
        """Say goodbye to every box and give the lease back."""
        self._commit(self._clock.now_ms())
        self._leave_all()
        if self.resigned is None:
            self.ledger.lease.release(self._lease)

    # --- links -----

    def connected(self, uid: bytes, now_ms: int) -> None:
        line = self.lines[uid]
        line.session = None
        line.sent.clear()
        self._waiting[uid] = None
        if self.resigned is not None:
            return
        with self._care():
            known = [stream for stream in self.ledger.boxes() if stream.box == line.box]
            line.session = Session(
                uid=uid,
                secret=line.secret,
                desk_id=self._id,
                desk_name=self._name,
                known=[Known(stream.epoch, stream.contiguous, max(stream.contiguous, stream.top)) for stream in known],
                nonce=self._random(16),
                uptimes=line.uptimes,
                ping_ms=self._ping_ms,
            )
            line.session.start(now_ms)
            self._stirred(line)

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        line = self.lines[uid]
        line.session = None
        line.away_ms = now_ms

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
        return session is None or session.phase is Phase.OVER

    def next_timer(self) -> int | None:
        if self.resigned is not None:
            return None
        due = self._renew_at
        for at in (self._commit_at, self._poll_at, self._say_at, self._orders.next_ms()):
            if at is not None and at < due:
                due = at
        timers, queued = self._timers, self._queued
        while timers and queued.get(timers[0][1]) != timers[0][0]:
            heapq.heappop(timers)  # put off since
        return min(due, timers[0][0]) if timers else due

    def handle_timer(self, now_ms: int) -> None:
        if now_ms >= self._renew_at and self.resigned is None:
            self._renew(now_ms)
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
        give_up_at = self._orders.next_ms()
        if give_up_at is not None and now_ms >= give_up_at:
            with self._care():
                self._orders.give_up(now_ms)
        if self._poll_ms is not None and self._poll_at is not None and now_ms >= self._poll_at:
            self._poll_at = now_ms + self._poll_ms
            self._look()
        if self._orders.unsaid:
            self._say(now_ms)

    @property
    def notices(self) -> list[Notice]:
        """The latest things that people should be told, oldest first."""
        return self._notices.latest

    def is_live(self, uid: bytes) -> bool:
        """Whether the box is on the line and trusted."""
        return self.lines[uid].live is not None

    # --- commands -----

    def ask(self, uid: bytes, command: str, args: Mapping[str, int | str], *, who: str, why: str = "") -> bool:
        """Ask for a command and carry it out at once; False, and said in words, if there is no link to the box.

        Refused if this desk does not hold the links any more, Unreachable if the ledger cannot take the request.
        """
        if self.resigned is not None:
            raise self.resigned
        line = self.lines[uid]
        sent = self._orders.ask(line, command, args, who, why, _guard(line, command))
        self._stirred(line)
        return sent

    def carry_out(self) -> None:
        """Take up what other processes asked for in the ledger."""
        with self._care():
            self._orders.take_up()
        for line in self.lines.values():
            self._stirred(line)

    def _look(self) -> None:
        """Carry out new requests, if anything at all was added since the last look."""
        with self._care():
            head = self.ledger.head()
            if head != self._seen:
                self._seen = head
                self.carry_out()

    def _say(self, now_ms: int) -> None:
        """Record outcomes that the ledger could not take before."""
        if not self._orders.unsaid:
            self._say_at = None
        elif self._say_at is None:
            self._say_at = now_ms + TRY_AGAIN_MS
        elif now_ms >= self._say_at:
            self._say_at = now_ms + TRY_AGAIN_MS
            with self._care():
                self._orders.say()
                self._say_at = None

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
                    template = _AWAY.get(event.why, N_("box {box} refuses the link ({text})"))
                    self._notices.tell_once("turned_away", line, template, text=event.text, least=wire.MTU_AT_LEAST)
                case Silent():
                    template = N_("table {table}: box {box} has been silent for {seconds} s")
                    seconds = event.for_ms // 1000
                    self._notices.tell_once("silent", line, template, table=line.table, seconds=seconds)
        self._stirred(line)

    def _trusted(self, line: Line, event: Trusted) -> None:
        self._notices.on_the_line(line)
        with self._care(line):
            known = [stream for stream in self.ledger.boxes() if stream.box == line.box]
            stream = next((stream for stream in known if stream.epoch == event.epoch), None)
            contiguous = 0 if stream is None else stream.contiguous
            if known and stream is None:
                template = N_("table {table}: box {box} began a new journal; the old one is kept apart")
                self._notices.tell("new_epoch", line, template, table=line.table)
            if event.oldest > contiguous + 1:
                self._lost(line, event.epoch, contiguous + 1, event.oldest - 1)
                contiguous = self.ledger.contiguous(line.box, event.epoch)
            line.catch_up = (event.epoch, event.head)
            self._has_come_to(line, event.epoch, contiguous)

    def _has_come_to(self, line: Line, epoch: int, contiguous: int) -> None:
        """The ledger has the box's facts up to there; commands of an earlier link wait for that."""
        if line.catch_up is not None and line.catch_up[0] == epoch and line.catch_up[1] <= contiguous:
            line.catch_up = None
            self._orders.take_up()
            self._orders.caught_up(line)

    def _lost(self, line: Line, epoch: int, first: int, last: int) -> None:
        why = "no longer on the box"
        if self.ledger.lost(line.box, epoch, first, last, why, self._clock.wall_ms()):
            self._notices.tell("lost", line, N_("table {table}: box {box} no longer holds facts {first} to {last}"),
                       table=line.table, first=first, last=last)  # fmt: skip

    def _arrived(self, line: Line, event: FactsArrived, now_ms: int) -> None:
        wall = self._clock.wall_ms()
        for fact in event.facts:
            made_ms = line.uptimes.desk_ms((fact.epoch, fact.boot), fact.uptime_ms)
            old = fact.seq <= event.old_through or (made_ms is not None and now_ms - made_ms > OLD_AFTER_MS)
            self._reports.append(Report(fact, wall, None if made_ms is None else made_ms + wall - now_ms, old))
        if self._commit_delay_ms == 0:
            self._commit(now_ms)
        elif self._commit_at is None:
            self._commit_at = now_ms + self._commit_delay_ms

    def _commit(self, now_ms: int) -> None:
        """Make what has arrived durable, then acknowledge it; if that fails it comes again."""
        reports, self._reports, self._commit_at = self._reports, [], None
        if not reports or self.resigned is not None:
            return
        with self._care():
            recorded = self.ledger.record(reports, token=self._lease.token)
            self._notices.at_ease(self.ledger.path)
            self.resends += len(recorded.duplicate)
            for conflict in recorded.conflicting:
                line = self.lines[bytes.fromhex(conflict.stored.box)]
                template = N_("table {table}: box {box} contradicts its own fact {seq}; both are kept")
                self._notices.tell("conflict", line, template, table=line.table, seq=conflict.stored.seq)
            for fact in recorded.new:
                self._recorded(fact)
            for (box, epoch), contiguous in recorded.contiguous.items():
                line = self.lines[bytes.fromhex(box)]
                if line.session is not None:
                    line.session.committed(epoch, contiguous)
                    self._stirred(line)
                with self._care(line):
                    self._has_come_to(line, epoch, contiguous)
        self._say(now_ms)

    def _recorded(self, fact: Fact) -> None:
        line = self.lines[bytes.fromhex(fact.box)]
        with self._care(line):
            if fact.kind in ANSWERS:
                self._orders.answered(line, fact)
            elif fact.kind == k.CLOCK_STOPPED and fact.code == k.BOX_LOST_POWER:
                self._offer(line, fact)

    def _offer(self, line: Line, fact: Fact) -> None:
        """After a power cut the box goes by its last checkpoint; the desk may have heard a later value."""
        if line.running is None:
            return
        _, heard = line.running
        if (heard["game"], heard["move"]) == (fact.game, fact.move) and heard["left"] < fact.a:
            template = N_("table {table}: box {box} lost power; last heard were {remaining_ms} ms left")
            self._notices.tell("offer", line, template, table=line.table, remaining_ms=heard["left"])

    def _stirred(self, line: Line) -> None:
        """The session may have frames, want to leave, or have a new timer."""
        session = line.session
        if session is None:
            return
        self._waiting[line.uid] = None
        due = session.next_timer()
        if due is not None and due != self._queued.get(line.uid):
            self._queued[line.uid] = due
            heapq.heappush(self._timers, (due, line.uid))

    # --- the ledger's troubles -----

    @contextmanager
    def _care(self, line: Line | None = None) -> Iterator[None]:
        """What the ledger cannot take is said, and given up for now; for a `line` by a fresh start of its link."""
        try:
            yield
        except Refused as error:
            self._resign(error)
        except (Unreachable, Damaged) as error:
            self._notices.in_trouble(error)
            if line is not None and line.session is not None:
                line.session.say_bye()
                self._stirred(line)

    def _renew(self, now_ms: int) -> None:
        self._renew_at = now_ms + TRY_AGAIN_MS
        with self._care():
            self._lease = self.ledger.lease.renew(self._lease, self._clock.wall_ms(), self._lease_ttl_ms)
            self._renew_at = now_ms + self._lease_ttl_ms // 3

    def _resign(self, error: Refused) -> None:
        """Another process holds the links now: it alone talks to the boxes."""
        if self.resigned is None:
            self.resigned = error
            self._notices.error("lease_lost", error)
            self._leave_all()

    def _leave_all(self) -> None:
        for line in self.lines.values():
            self._waiting[line.uid] = None
            if line.session is not None:
                line.session.say_bye()


def _guard(line: Line, command: str) -> tuple[int, int] | None:
    """Game and move that the box was at when it last spoke, for commands that mean no other."""
    if line.state is None:
        return None
    _, heard = line.state
    if command in commands.GUARDED_BY_MOVE and heard["move"]:
        return heard["game"], heard["move"]
    if command in commands.GUARDED_BY_GAME and heard["game"]:
        return heard["game"], 0
    return None
