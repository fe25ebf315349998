"""The desk: the one place where links, ledger and domain meet. It has no I/O of its own but the ledger's.

When each box's session wants to be called, and the earliest of all, is kept here too.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dalej.clock import Clock
from dalej.desk.arrivals import Arrivals, Attendant
from dalej.desk.hearing import REACH_MS, Hearing, Line
from dalej.desk.lease import TRY_AGAIN_MS, Care
from dalej.desk.links import Turns
from dalej.desk.notices import Notice, Notices
from dalej.desk.requests import AT_MS, Orders
from dalej.domain.game.heard import Heard
from dalej.errors import Refused
from dalej.event.ledger import Ledger
from dalej.link.session import PING_MS, FactsArrived, Known, Phase, Session, Silent, StateHeard, Trusted, TurnedAway
from moveclock import facts as k


class Due:
    """One instant for every uid; setting another one puts the call off or forward."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, bytes]] = []
        self._at: dict[bytes, int] = {}

    def set(self, uid: bytes, at_ms: int | None) -> None:
        """Call it then; None leaves what was set."""
        if at_ms is not None and at_ms != self._at.get(uid):
            self._at[uid] = at_ms
            heapq.heappush(self._heap, (at_ms, uid))

    def next_ms(self) -> int | None:
        """When the next one is due."""
        heap, at = self._heap, self._at
        while heap and at.get(heap[0][1]) != heap[0][0]:
            heapq.heappop(heap)  # put off since
        return heap[0][0] if heap else None

    def take(self, now_ms: int) -> Iterator[bytes]:
        """Those due by now, in order; each is taken off before it is handed out."""
        while self._heap and self._heap[0][0] <= now_ms:
            at_ms, uid = heapq.heappop(self._heap)
            if self._at.get(uid) == at_ms:
                del self._at[uid]
                yield uid


LEASE_TTL_MS: Final = 10_000
POLL_MS: Final = 200  # how often a desk that shares its event looks for requests of other processes


class Desk:
    """One process that holds the lease on the links. `random(n)` gives unpredictable bytes.

    `commit_delay_ms`: how long facts are gathered before they are recorded together. `desk_id`: the same for a
    process that takes a killed one's place, whose links it then takes over at once; drawn if None. `poll_ms`:
    how often to look for requests of other processes, None: only when `carry_out` is called. `links`: how many the
    adapters hold (or who tells that), so that boxes take turns; None: whoever drives the adapter connects to every box;
    `connects`: how many connects may be under way at a time. `attendant`: asked first of all as soon as time passes.
    `hearing` counts the advertisements that were refused.
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
        links: int | Callable[[], int] | None = None,
        connects: int | Callable[[], int] = 1,
        attendant: Attendant | None = None,
    ) -> None:
        self.ledger = ledger
        self.lines: dict[bytes, Line] = {}
        self._notices = Notices()
        self._clock = clock
        self._random = random
        self._name = name
        self._id = int.from_bytes(random(4), "little") if desk_id is None else desk_id
        self._ping_ms = ping_ms
        self._poll_ms = poll_ms
        self._poll_at = clock.now_ms() if poll_ms is not None else None
        self._seen = 0  # the ledger's head at the last look
        self._waiting: dict[bytes, None] = {}
        self._due = Due()
        self._attendant = attendant
        self._attend_at = None if attendant is None else clock.now_ms()
        self._parting: dict[bytes, Line] = {}  # forgotten, and boxes nobody knows, whose link is still up
        self.hearing = Hearing(self.lines)
        self._turns = Turns(
            self.lines, self.hearing, self._waits_for, self._is_opened,
            links=links, connects=connects, listens_until_ms=clock.now_ms() + (0 if attendant is None else REACH_MS),
        )  # fmt: skip
        self._care = Care(ledger, clock, self._notices, self._leave, name, lease_ttl_ms)
        self._orders = Orders(ledger, self._care.held, clock, self.lines, self._notices.tell, self._can_wait)
        self._arrivals = Arrivals(
            ledger, clock, self.lines, self._notices, self._orders, self._care, self.hearing, self._stirred,
            commit_delay_ms, attendant,
        )  # fmt: skip

    def know(self, uid: bytes, secret: bytes, table: int) -> None:
        """A box of this event: its secret, and the table it stands on. One that is known may change its table."""
        now_ms = self._clock.now_ms()
        known = self.lines.pop(uid, None)
        if known is not None and known.secret == secret:
            self.lines[uid] = known  # the latest of its table
            known.table = table
            self.hearing.moved(known, now_ms)
            return
        if known is not None:
            self._part(known)
        line = self.lines[uid] = Line(uid, secret, table)
        with self._care.taken():
            for stream in self.ledger.boxes(line.box):
                line.stored = (stream.epoch, stream.contiguous)
        self.hearing.know(line, now_ms)
        self._turns.know(uid, now_ms)

    def forget(self, uid: bytes) -> None:
        """The box is none of this event's any more: its link is closed, and what is asked of it ends."""
        line = self.lines.pop(uid, None)
        if line is None:
            return
        self._arrivals.commit(self._clock.now_ms())
        with self._care.taken():
            self._orders.forget(line)
        self._part(line)
        self.hearing.forget(line)
        self._turns.forget(uid, self._clock.now_ms())

    def close(self) -> None:
        """Say goodbye to every box and give the lease back."""
        self._arrivals.commit(self._clock.now_ms())
        self._say(self._clock.now_ms())
        self._leave()
        self._care.release()

    @property
    def desk_id(self) -> int:
        """The same for a copy of the event on this computer, another one elsewhere."""
        return self._id

    @property
    def notices(self) -> list[Notice]:
        """The latest things that people should be told, oldest first."""
        return self._notices.latest

    def notify(self, notice: Notice) -> None:
        """Something that whoever looks after this desk wants people to be told."""
        self._notices.add(notice)

    @property
    def resends(self) -> int:
        """How many facts came again."""
        return self._arrivals.resends

    @property
    def resigned(self) -> Refused | None:
        """Set when another process has taken the lease: this desk has left every box and records nothing more."""
        return self._care.resigned

    # --- what is heard -----

    @property
    def version(self) -> int:
        """Grows with every change of what `heard_since` tells."""
        return self.hearing.version

    def heard_since(self, version: int) -> list[Heard]:
        """The boxes of which something has changed after that version, 0: all of them; the latest change first.

        A box that is heard but has nothing new counts as changed once a second; one that falls silent does not.
        """
        return self.hearing.since(version, self._clock.now_ms())

    def is_live(self, uid: bytes) -> bool:
        """Whether the box is on the line and trusted."""
        return self.lines[uid].live is not None

    def in_reach(self, uid: bytes) -> bool:
        """Whether the box has a link, or is heard and will be given one when it needs it."""
        line = self.lines[uid]
        return line.live is not None or self._can_wait(line)

    def is_asked(self, uid: bytes) -> bool:
        """Whether the box has not answered something it was asked."""
        return self._waits_for(self.lines[uid])

    # --- links -----

    def advertised(self, data: bytes, now_ms: int) -> bytes | None:
        line = self.hearing.advertised(data, now_ms)
        if line is None:
            return None
        self._turns.heard(line, now_ms)
        return line.uid

    def to_connect(self, now_ms: int) -> list[bytes]:
        if self.resigned is not None:
            return []
        chosen, left = self._turns.decide(now_ms)
        line = None if left is None else self.lines.get(left)
        if line is not None:  # else it is leaving already
            self._leave(line)
        return chosen

    def failed(self, uid: bytes, now_ms: int) -> None:
        self._turns.failed(uid, now_ms)

    def proved(self, uid: bytes) -> bool:
        line = self.lines.get(uid)
        return line is not None and line.served

    def plugged(self, uid: bytes, now_ms: int) -> None:
        self._turns.plugged(uid, now_ms)

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        self._turns.unplugged(uid, now_ms)

    def connected(self, uid: bytes, now_ms: int) -> None:
        self._parting.pop(uid, None)
        line = self.lines.get(uid)
        if line is None:  # a box of no table: its link is closed again
            self._parting[uid] = Line(uid, b"", 0)
            self._waiting[uid] = None
            return
        line.session = None
        line.served = False
        line.sent.clear()
        self._waiting[uid] = None
        self._turns.connected(uid, now_ms)
        if self.resigned is not None:
            return
        with self._care.taken():
            known = self.ledger.boxes(line.box)
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
        line = self.lines.get(uid)
        if self._parting.pop(uid, None) is not None or line is None:
            self._turns.disconnected(uid, now_ms, served=True)
            return
        if line.session is not None:
            line.session.lost()
            self._heed(line, now_ms)
        line.session = None
        line.away_ms = now_ms
        self.hearing.parted(line, now_ms)
        self._turns.mind(line, now_ms)
        self._turns.disconnected(uid, now_ms, served=line.served)

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        line = self.lines.get(uid)
        session = None if line is None else line.session
        if line is not None and session is not None:
            session.receive(frame, now_ms)
            if session.phase is Phase.LIVE and session.heard_ms == now_ms:
                self.hearing.seen(line, now_ms)
            self._heed(line, now_ms)
            self._say(now_ms)

    def frames(self, uid: bytes) -> list[bytes]:
        line = self._parting.get(uid) or self.lines.get(uid)
        return [] if line is None or line.session is None else line.session.frames()

    def waiting(self) -> list[bytes]:
        waiting = list(self._waiting)
        self._waiting.clear()
        return waiting

    def wants_to_leave(self, uid: bytes) -> bool:
        line = self._parting.get(uid) or self.lines.get(uid)
        return line is None or line.session is None or line.session.phase is Phase.OVER

    def next_timer(self) -> int | None:
        if self.resigned is not None:
            return None
        due = (
            self._care.renew_at, self._arrivals.commit_at, self._poll_at, self._attend_at, self._orders.say_at,
            self._orders.next_ms(), self._turns.next_timer(), self._due.next_ms(),
        )  # fmt: skip
        return min(at for at in due if at is not None)

    def handle_timer(self, now_ms: int) -> None:
        self._care.renew(now_ms)
        if self._attendant is not None and self._attend_at is not None and now_ms >= self._attend_at:
            self._attend_at = now_ms + TRY_AGAIN_MS
            with self._care.taken():
                self._attend_at = self._attendant.attend(now_ms)
        for uid in self._due.take(now_ms):
            line = self.lines.get(uid)
            if line is not None and line.session is not None:
                line.session.handle_timer(now_ms)
                self._heed(line, now_ms)
        if self._arrivals.commit_at is not None and self._arrivals.commit_at <= now_ms:
            self._arrivals.commit(now_ms)
        give_up_at = self._orders.next_ms()
        if give_up_at is not None and now_ms >= give_up_at:
            with self._care.taken():
                self._orders.give_up(now_ms)
        if self._poll_ms is not None and self._poll_at is not None and now_ms >= self._poll_at:
            self._poll_at = now_ms + self._poll_ms
            self._look()
        self._say(now_ms)

    # --- commands -----

    def ask(
        self,
        uid: bytes,
        command: str,
        args: Mapping[str, int | str],
        *,
        who: str,
        why: str = "",
        at_wall_ms: int | None = None,
    ) -> bool:
        """Ask for a command and carry it out at once, or as soon as the box has its turn; False, and said in words, if
        there is no link to the box and none to come. `at_wall_ms`: Unix time at which the box is to obey, whether it
        has a link then or not.

        Refused if this desk does not hold the links any more, Unreachable if the ledger cannot take the request.
        """
        if self.resigned is not None:
            raise self.resigned
        line = self.lines[uid]
        given = dict(args) if at_wall_ms is None else {**args, AT_MS: at_wall_ms}
        sent = self._orders.ask(line, command, given, who, why)
        self._stirred(line)
        return sent

    def carry_out(self) -> None:
        """Take up what other processes asked for in the ledger."""
        with self._care.taken():
            self._take_up()

    def _look(self) -> None:
        """Carry out new requests, if anything at all was added since the last look that succeeded."""
        with self._care.taken():
            head = self.ledger.head()
            if head != self._seen:
                self._take_up()
                self._seen = head

    def _take_up(self) -> None:
        try:
            self._orders.take_up()
        finally:
            for line in self.lines.values():
                self._stirred(line)

    def _say(self, now_ms: int) -> None:
        """Record outcomes that the ledger could not take before."""
        if self._orders.is_to_say(now_ms):
            with self._care.taken():
                self._orders.say()

    # --- what sessions tell -----

    def _heed(self, line: Line, now_ms: int) -> None:
        session = line.session
        while session is not None and session.events:
            event = session.events.popleft()
            match event:
                case Trusted():
                    self.hearing.proved(line, event.epoch, event.boot, event.head, now_ms)
                    self._arrivals.trusted(line, event)
                case FactsArrived():
                    self._arrivals.arrived(line, event, now_ms)
                case StateHeard():
                    self.hearing.stated(line, session.boot, event)
                    line.state = (event.at_ms, event.state)
                    self._orders.stated(line, event.state["due"])
                    if event.state["state"] == k.RUNNING:
                        line.running = line.state
                case TurnedAway():
                    self._notices.turned_away(line, event)
                case Silent():
                    self._notices.silent(line, event)
        if line.catch_up is None:
            self._orders.caught_up(line)
        self._stirred(line)

    def _stirred(self, line: Line) -> None:
        """The session may have frames, want to leave, or have a new timer; the box may need more or less of it."""
        session = line.session
        if session is not None:
            self._waiting[line.uid] = None
            self._due.set(line.uid, session.next_timer())
        self._turns.mind(line, self._clock.now_ms())

    def _waits_for(self, line: Line) -> bool:
        return self._orders.waits_for(line)

    def _is_opened(self, line: Line) -> bool:
        return self._orders.is_fetched(line)

    def _can_wait(self, line: Line) -> bool:
        return self._turns.can_wait(line, self._clock.now_ms())

    def _part(self, line: Line) -> None:
        """Its link, if there is one, is closed with a goodbye; nothing that comes on it is heard any more."""
        if line.session is not None:
            line.session.say_bye()
            self._parting[line.uid] = line
            self._waiting[line.uid] = None

    def _leave(self, line: Line | None = None) -> None:
        """Say goodbye to this box, or to all."""
        for left in self.lines.values() if line is None else (line,):
            self._waiting[left.uid] = None
            if left.session is not None:
                left.session.say_bye()
