"""Commands that people ask for in the ledger: carried out over a link, answered by the fact that comes back; and what
an event holds of earlier evenings when a desk takes its links: requests of hours ago, and their numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Final, Protocol

from dalej.clock import Clock
from dalej.desk.hearing import Line
from dalej.desk.lease import TRY_AGAIN_MS
from dalej.domain.game import commands
from dalej.domain.game.facts import COMMANDS, REFUSALS, Fact
from dalej.domain.game.sentences import command_said
from dalej.errors import DalejError, Refused, Unreachable
from dalej.event.ledger import APPLIED, FETCH, NO_LINK, REFUSED, SENT, Held, Ledger, Request
from dalej.event.reading import read
from dalej.link.session import Session
from dalej.words import N_
from moveclock import facts as k

LINK_BACK_WITHIN_MS: Final = 15_000
TURN_WITHIN_MS: Final = 120_000  # 25 boxes that share three links all have had their turn by then
GIVEN_UP_MOST: Final = 100
ANSWERS: Final = (k.COMMAND_APPLIED, k.COMMAND_REFUSED)
AT_MS: Final = "at_ms"  # among a request's arguments: Unix time at which the box is to obey, linked or not

Tell = Callable[..., None]
CanWait = Callable[[Line], bool]


class Orders:
    """The open requests of the process that holds the lease. `tell(kind, line, template, **data)` reaches a person;
    `can_wait(line)`: a box without a link will soon be given one.

    What the ledger refuses or cannot take now is raised, except an outcome that has to wait: `unsaid` holds those, and
    `say_at` is when they are due, None: not before `is_to_say` has been asked.
    """

    def __init__(
        self, ledger: Ledger, lease: Held, clock: Clock, lines: Mapping[bytes, Line], tell: Tell, can_wait: CanWait
    ) -> None:
        self.unsaid: dict[int, tuple[str, str]] = {}
        self.say_at: int | None = None
        self._open: dict[int, tuple[Line, Request]] = {}
        self._unsent: dict[int, int] = {}  # of the open ones those that wait for a link, and since when
        self._given_up: dict[int, Request] = {}
        self._early: dict[int, Fact] = {}  # answers to what was asked by a process before, until that is taken up
        self._instants: dict[int, tuple[int, int, int]] = {}  # of those sent ahead: epoch, boot and uptime
        self._held: set[int] = set()  # of those the box says that it holds
        self._fetched: dict[int, tuple[int, int]] = {}  # of those that fetch: epoch and seq that are waited for
        self._ledger = ledger
        self._token = lease.token
        self._clock = clock
        self._lines = lines
        self._tell = tell
        self._can_wait = can_wait
        self._settle_old()

    def ask(self, line: Line, command: str, args: Mapping[str, int | str], who: str, why: str) -> bool:
        """A request of this process: sent at once or as soon as the box has a link, or False if it will have none."""
        commands.encode(command, args)
        request = self._ledger.request(
            line.table, command, args, who=who, at_ms=self._clock.wall_ms(), why=why, box=line.box,
            guard=_guard(line, command),
        )  # fmt: skip
        if line.live is None:
            return self._wait(line, request)
        self._send(line, line.live, request)
        return True

    def take_up(self) -> None:
        """Carry out what other processes have asked for in the ledger."""
        for request in self._ledger.open_requests():
            if request.id in self._open or request.id in self.unsaid:
                continue
            line = self._line_of(request)
            answer = self._early.get(request.id)
            if answer is not None and line is not None and answer.box == line.box:
                self._take_answer(line, request, answer)
            elif line is None:
                self._tell("no_link", None, N_("table {table}: no box is known there, “{command}” was not sent"),
                           table=request.table, command=command_said(request.command))  # fmt: skip
                self._outcome(request.id, NO_LINK)
            elif request.command == FETCH:
                self._fetch(line, request)
            elif line.live is None:
                self._wait(line, request)
            elif line.catch_up is None:
                self._send(line, line.live, request)
            else:
                self._open[request.id] = (line, request)
        self._early.clear()

    def caught_up(self, line: Line) -> None:
        """The ledger has what the box had when it connected: what is still unanswered goes out on this link, or on the
        next one if this one is lost again.
        """
        self.recorded(line)
        session = line.live
        if session is None:
            return
        for number, (asked, request) in list(self._open.items()):
            if number in self._fetched:
                continue
            if asked is line and number not in line.sent and not self._rests(line, request):
                self._send(line, session, request)

    def recorded(self, line: Line) -> None:
        """The ledger has more of the box: perhaps what was to be fetched."""
        for number, (epoch, seq) in list(self._fetched.items()):
            if self._open[number][0] is line and _has(line, epoch, seq):
                self._end_fetch(number, APPLIED)

    def is_fetched(self, line: Line) -> bool:
        """Whether somebody waits for what the box has to tell."""
        return any(self._open[number][0] is line for number in self._fetched)

    def stated(self, line: Line, due_uptime_ms: int) -> None:
        """The box says at which uptime it will obey next, 0: it holds nothing."""
        session = line.live
        for number in line.sent if session is not None and due_uptime_ms else ():
            if session is not None and self._instants.get(number) == (session.epoch, session.boot, due_uptime_ms):
                self._held.add(number)
                session.answered(number)  # it need not be repeated

    def forget(self, line: Line) -> None:
        """The box is none of this event's any more: what it has not answered ends without a link."""
        for number, (asked, request) in list(self._open.items()):
            if asked is line and number in self._fetched:
                self._end_fetch(number, NO_LINK)
            elif asked is line:
                del self._open[number]
                self._unsent.pop(number, None)
                self._no_link(line, request)

    def waits_for(self, line: Line) -> bool:
        """Whether anything was asked of the box that it has not answered, nor holds for an instant to come."""
        return any(
            asked is line and number not in self._fetched and not self._rests(line, request)
            for number, (asked, request) in self._open.items()
        )

    def give_up(self, now_ms: int) -> None:
        """Say of every request whose link did not come, or not come back, that nobody knows what became of it."""
        for number, (line, request) in list(self._open.items()):
            if line.live is None and now_ms >= self._until_ms(line, request):
                if number in self._fetched:
                    self._end_fetch(number, NO_LINK)
                    continue
                template = N_("table {table}: the link to box {box} was lost before it answered “{command}”")
                if number in self._unsent:
                    template = N_("table {table}: box {box} could not be linked in time, “{command}” was not sent")
                self._tell("no_link", line, template, table=line.table, command=command_said(request.command))
                del self._open[number]
                self._unsent.pop(number, None)
                self._give_up(request)

    def next_ms(self) -> int | None:
        """When `give_up` is due next."""
        if not self._open:
            return None
        until = (self._until_ms(line, request) for line, request in self._open.values() if line.live is None)
        return min(until, default=None)

    def _until_ms(self, line: Line, request: Request) -> int:
        """When it is given up for want of a link."""
        since_ms = self._unsent.get(request.id)
        if request.id in self._held:
            since_ms = self._clock.now_ms() + (self._ahead_ms(request) or 0)
        if since_ms is None:
            return line.away_ms + LINK_BACK_WITHIN_MS
        within_ms = TURN_WITHIN_MS if self._can_wait(line) else LINK_BACK_WITHIN_MS
        return max(line.away_ms, since_ms) + within_ms

    def _ahead_ms(self, request: Request) -> int | None:
        """How far ahead its instant is, below 0: over; None: it has none."""
        at_ms = request.args.get(AT_MS)
        return at_ms - self._clock.wall_ms() if isinstance(at_ms, int) else None

    def _rests(self, line: Line, request: Request) -> bool:
        """Whether the box holds it for an instant to come, as far as it was heard."""
        instant, told = self._instants.get(request.id), line.told
        if request.id not in self._held or instant is None or told is None:
            return False
        return instant[:2] == (told.epoch, told.boot) and (self._ahead_ms(request) or 0) > 0

    def answered(self, line: Line, fact: Fact) -> None:
        """A committed fact that may answer a request; also one that had been given up."""
        if line.session is not None:
            line.session.answered(fact.a)
        asked, request = self._open.get(fact.a, (line, self._given_up.get(fact.a)))
        if request is None:
            self._early[fact.a] = fact
            return
        if asked is not line:
            return
        self._open.pop(fact.a, None)
        self._instants.pop(fact.a, None)
        self._held.discard(fact.a)
        self._unsent.pop(fact.a, None)
        self._given_up.pop(fact.a, None)
        self._take_answer(line, request, fact)

    def _take_answer(self, line: Line, request: Request, fact: Fact) -> None:
        if _answers(fact, request):
            self._answer(fact)
        else:  # the box will not take that number again; the ledger has just learned to use higher ones
            self._tell("no_link", line,
                       N_("table {table}: box {box} took “{command}” for a command of another event, ask again"),
                       table=line.table, command=command_said(request.command))  # fmt: skip
            self._outcome(request.id, NO_LINK)

    def is_to_say(self, now_ms: int) -> bool:
        """Whether outcomes have waited long enough to be tried again; asked as time passes."""
        if not self.unsaid:
            self.say_at = None
            return False
        is_due = self.say_at is not None and now_ms >= self.say_at
        if is_due or self.say_at is None:
            self.say_at = now_ms + TRY_AGAIN_MS
        return is_due

    def say(self) -> None:
        """Try again to record the outcomes that had to wait."""
        for number, (result, reason) in list(self.unsaid.items()):
            self._record(number, result, reason)
            del self.unsaid[number]
        self.say_at = None

    def _settle_old(self) -> None:
        """Answers that an earlier process recorded as facts, but did not live to record as outcomes. What it had given
        up may be answered yet.
        """
        unanswered = {request.id: request for request in self._ledger.unanswered_requests()}
        if not unanswered:
            return
        for reported in read(self._ledger).facts():
            fact = reported.fact
            if fact.kind in ANSWERS and fact.a in unanswered and _answers(fact, unanswered[fact.a]):
                self._answer(fact)
                del unanswered[fact.a]
        waiting = {request.id for request in self._ledger.open_requests()}
        given_up = [number for number in unanswered if number not in waiting]
        self._given_up = {number: unanswered[number] for number in given_up[-GIVEN_UP_MOST:]}

    def _line_of(self, request: Request) -> Line | None:
        lines = [line for line in self._lines.values() if line.box == request.box]
        if request.box is None:
            lines = [line for line in self._lines.values() if line.table == request.table]
        return lines[-1] if lines else None

    def _send(self, line: Line, session: Session, request: Request) -> None:
        self._unsent.pop(request.id, None)
        try:
            number, arguments = commands.encode(request.command, request.args)
        except (DalejError, KeyError, ValueError, struct.error):
            self._open.pop(request.id, None)
            self._outcome(request.id, REFUSED, REFUSALS[k.R_ARGUMENT])
            return
        self._open[request.id] = (line, request)
        instant = self._instant(line, session, request)
        if instant is None:
            return  # it goes out as soon as the clocks are compared: at once would be too early
        self._outcome(request.id, SENT)
        line.sent.add(request.id)
        boot, uptime = instant
        self._held.discard(request.id)
        self._instants[request.id] = session.epoch, boot, uptime
        session.command(
            request.id, number, arguments, self._clock.now_ms(), game=request.game or 0, move=request.move or 0,
            boot=boot, at_uptime_ms=uptime,
        )  # fmt: skip

    def _instant(self, line: Line, session: Session, request: Request) -> tuple[int, int] | None:
        """Boot and uptime at which the box is to obey; (0, 0): at once; None: its clock was not compared yet."""
        ahead = self._ahead_ms(request)
        if ahead is None or ahead <= 0:
            return 0, 0
        known = self._instants.get(request.id)
        if known is not None and known[:2] == (session.epoch, session.boot):
            return known[1:]  # the box keeps the instant that it was told first
        uptime = line.uptimes.uptime_at((session.epoch, session.boot), self._clock.now_ms() + ahead)
        return None if uptime is None else (session.boot, uptime)

    def _wait(self, line: Line, request: Request) -> bool:
        """The box has no link: the request waits for one that will come soon, else it ends here. Behind one that
        the box has still to answer it waits as well: a stop that is sent again is followed by what took it back.
        """
        if not self._can_wait(line) and not self.waits_for(line):
            self._no_link(line, request)
            return False
        self._tell("waits", line, N_("table {table}: “{command}” waits for a link to box {box}"),
                   table=line.table, command=command_said(request.command))  # fmt: skip
        self._open[request.id] = (line, request)
        self._unsent[request.id] = self._clock.now_ms()
        return True

    def _fetch(self, line: Line, request: Request) -> None:
        """What the box has by now, as far as it was heard; of one that was not, what it has when it is linked."""
        told = line.told
        epoch, seq = (0, 0) if told is None else (told.epoch, told.head)
        if told is None and line.live is None and not self._can_wait(line):
            self._outcome(request.id, NO_LINK)
            return
        self._open[request.id] = (line, request)
        self._unsent[request.id] = self._clock.now_ms()
        self._fetched[request.id] = epoch, seq
        if _has(line, epoch, seq):
            self._end_fetch(request.id, APPLIED)
        elif line.live is None and not self._can_wait(line):
            self._end_fetch(request.id, NO_LINK)

    def _end_fetch(self, number: int, result: str) -> None:
        del self._open[number], self._fetched[number]
        self._unsent.pop(number, None)
        self._outcome(number, result)

    def _no_link(self, line: Line, request: Request) -> None:
        self._tell("no_link", line, N_("table {table}: no link to box {box}, “{command}” was not sent"),
                   table=line.table, command=command_said(request.command))  # fmt: skip
        self._give_up(request)

    def _give_up(self, request: Request) -> None:
        """Its answer may come all the same, though this process has not sent it: another one has, before it died."""
        self._given_up[request.id] = request
        if len(self._given_up) > GIVEN_UP_MOST:
            del self._given_up[next(iter(self._given_up))]
        self._outcome(request.id, NO_LINK)

    def _answer(self, fact: Fact) -> None:
        if fact.kind == k.COMMAND_REFUSED:
            reason = REFUSALS[fact.c] if fact.c < len(REFUSALS) else str(fact.c)
            self._outcome(fact.a, REFUSED, reason)
        else:
            self._outcome(fact.a, APPLIED)

    def _outcome(self, number: int, result: str, reason: str = "") -> None:
        """Record an outcome; one that the ledger cannot take now waits, and a later one takes its place."""
        try:
            self._record(number, result, reason)
            self.unsaid.pop(number, None)
        except Unreachable:
            self.unsaid[number] = (result, reason)

    def _record(self, number: int, result: str, reason: str) -> None:
        try:
            self._ledger.outcome(number, result, at_ms=self._clock.wall_ms(), token=self._token, reason=reason)
        except Refused as error:
            if "request" not in error.data:  # not "already answered", but the lease
                raise


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


def _has(line: Line, epoch: int, seq: int) -> bool:
    """Whether the ledger has the facts up to there; of a box that nobody has heard, what it had on its link."""
    if not epoch:
        return line.live is not None and line.catch_up is None
    stored, contiguous = line.stored
    return contiguous >= seq if stored == epoch else line.live is not None and line.catch_up is None


def _answers(fact: Fact, request: Request) -> bool:
    """Whether it is this request that the fact answers, and not one of another event under the same number."""
    same_box = request.box in (None, fact.box)
    return same_box and fact.code < len(COMMANDS) and COMMANDS[fact.code] == request.command


OLD_MS: Final = 60_000  # a request that has waited longer is not carried out any more

_NEW: Final = 64_000_000
_AGAIN: Final = 1_000_000  # a few thousand starts of a desk use up what there is


def end_old_requests(ledger: Ledger, clock: Clock, held: Held, older_than_ms: int = 0) -> None:
    """What was asked while no desk was there is not carried out hours later: it had no link. A box that did get it may
    still answer.
    """
    now_ms = clock.wall_ms()
    for request in ledger.open_requests():
        if now_ms - request.at_ms >= older_than_ms:
            ledger.outcome(request.id, NO_LINK, at_ms=now_ms, token=held.token)


class Numbers(Protocol):
    """A ledger, as far as the numbers of its requests go."""

    def skip_requests(self, count: int) -> None: ...


def begin_anywhere(ledger: Numbers, random: Callable[[int], bytes], *, new: bool) -> None:
    """Let the numbers of requests go on somewhere else whenever a desk starts: in a `new` event somewhere among 64
    million, else within the next million. A box does not obey a number twice, and remembers the last 32 of whatever
    event it was at: also of this one, if the file is an older copy of itself.
    """
    ledger.skip_requests(int.from_bytes(random(8), "little") % (_NEW if new else _AGAIN))
