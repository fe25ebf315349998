"""What boxes report, made durable: facts are gathered, recorded together and only then acknowledged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from dalej.clock import Clock
from dalej.desk.hearing import Hearing, Line
from dalej.desk.lease import Care
from dalej.desk.notices import Notices
from dalej.desk.requests import ANSWERS, Orders
from dalej.domain.game.facts import Fact
from dalej.domain.game.sentences import seconds_said
from dalej.event.ledger import Ledger, Report, Stream
from dalej.link.session import FactsArrived, Trusted
from dalej.words import N_
from moveclock import facts as k

OLD_AFTER_MS: Final = 3_000


class Meets(Protocol):
    """Who decides from which fact on a box counts at its table."""

    def met(self, line: Line, event: Trusted) -> None:
        """The box proved itself; what it decides about the box's facts is in the ledger when it returns."""

    def caught_up(self, line: Line, epoch: int, contiguous: int) -> None:
        """The ledger has everything that the box had when it proved itself."""


class Attendant(Meets, Protocol):
    """Who looks after a desk that keeps running: which box stands where, what its table is set up with."""

    def attend(self, now_ms: int) -> int:
        """Do what is due; when to be asked again."""


class Arrivals:
    """`commit_at`: when the facts gathered so far are to be recorded; `resends` counts those that came again.

    `stirred(line)`: its session may have something to say; `meets`: asked whenever a box has proved itself.
    """

    def __init__(
        self,
        ledger: Ledger,
        clock: Clock,
        lines: Mapping[bytes, Line],
        notices: Notices,
        orders: Orders,
        care: Care,
        hearing: Hearing,
        stirred: Callable[[Line], None],
        commit_delay_ms: int,
        meets: Meets | None = None,
    ) -> None:
        self.commit_at: int | None = None
        self.resends = 0
        self._ledger = ledger
        self._clock = clock
        self._lines = lines
        self._notices = notices
        self._orders = orders
        self._care = care
        self._hearing = hearing
        self._stirred = stirred
        self._commit_delay_ms = commit_delay_ms
        self._meets = meets
        self._reports: list[Report] = []
        self._not_asked: dict[tuple[str, int], int] = {}  # box and epoch: facts up to there do not count

    def trusted(self, line: Line, event: Trusted) -> None:
        """A box proved itself and says which facts it holds."""
        self._notices.on_the_line(line)
        line.uptimes.heard((event.epoch, event.boot), event.uptime_ms, self._clock.now_ms())
        with self._care.taken(line):
            known = self._ledger.boxes(line.box)
            if known and event.epoch not in {stream.epoch for stream in known}:
                template = N_("table {table}: box {box} began a new journal; the old one is kept apart")
                self._notices.tell("new_epoch", line, template, table=line.table)
            told = _contiguous(known, event.epoch)
            if self._meets is not None:
                self._meets.met(line, event)
                known = self._ledger.boxes(line.box)
            contiguous = _contiguous(known, event.epoch)
            self._not_asked.update({(one.box, one.epoch): one.baseline for one in known})
            if contiguous > told and line.session is not None:
                line.session.committed(event.epoch, contiguous)
            if event.oldest > contiguous + 1:
                self._lost(line, event.epoch, contiguous + 1, event.oldest - 1)
                contiguous = self._ledger.contiguous(line.box, event.epoch)
            line.catch_up = (event.epoch, event.head)
            self._hearing.stored(line, event.epoch, contiguous, self._clock.now_ms())
            self._has_come_to(line, event.epoch, contiguous)

    def arrived(self, line: Line, event: FactsArrived, now_ms: int) -> None:
        """Facts of a box: to be recorded soon, with the time at which they were made where that is known."""
        wall = self._clock.wall_ms()
        for fact in event.facts:
            if fact.seq <= self._not_asked.get((fact.box, fact.epoch), 0):
                continue
            boot = fact.epoch, fact.boot
            made_ms, latest_ms = (ask(boot, fact.uptime_ms) for ask in (line.uptimes.desk_ms, line.uptimes.latest_ms))
            old = fact.seq <= event.old_through or (latest_ms is not None and now_ms - latest_ms > OLD_AFTER_MS)
            self._reports.append(Report(fact, wall, None if made_ms is None else made_ms + wall - now_ms, old))
        if self._commit_delay_ms == 0:
            self.commit(now_ms)
        elif self.commit_at is None:
            self.commit_at = now_ms + self._commit_delay_ms

    def commit(self, now_ms: int) -> None:
        """Make what has arrived durable, then acknowledge it; if that fails it comes again."""
        reports, self._reports, self.commit_at = self._reports, [], None
        if not reports or self._care.resigned is not None:
            return
        with self._care.taken():
            recorded = self._ledger.record(reports, token=self._care.held.token)
            self._notices.at_ease(self._ledger.path)
            self.resends += len(recorded.duplicate)
            for conflict in recorded.conflicting:
                line = self._lines[bytes.fromhex(conflict.stored.box)]
                template = N_("table {table}: box {box} contradicts its own fact {seq}; both are kept")
                self._notices.tell("conflict", line, template, table=line.table, seq=conflict.stored.seq)
            for fact in recorded.new:
                self._recorded(fact)
            for (box, epoch), contiguous in recorded.contiguous.items():
                line = self._lines[bytes.fromhex(box)]
                if line.stored[0] == epoch:
                    self._hearing.stored(line, epoch, contiguous, now_ms)
                    self._orders.recorded(line)
                if line.session is not None:
                    line.session.committed(epoch, contiguous)
                    self._stirred(line)
                with self._care.taken(line):
                    self._has_come_to(line, epoch, contiguous)

    def _has_come_to(self, line: Line, epoch: int, contiguous: int) -> None:
        """The ledger has the box's facts up to there; commands of an earlier link wait for that."""
        if line.catch_up is not None and line.catch_up[0] == epoch and line.catch_up[1] <= contiguous:
            line.catch_up = None
            if self._meets is not None:
                self._meets.caught_up(line, epoch, contiguous)
            self._orders.take_up()
            self._orders.caught_up(line)

    def _lost(self, line: Line, epoch: int, first: int, last: int) -> None:
        why = "no longer on the box"
        if self._ledger.lost(line.box, epoch, first, last, why, self._clock.wall_ms()):
            self._notices.tell("lost", line, N_("table {table}: box {box} no longer holds facts {first} to {last}"),
                               table=line.table, first=first, last=last)  # fmt: skip

    def _recorded(self, fact: Fact) -> None:
        line = self._lines[bytes.fromhex(fact.box)]
        with self._care.taken(line):
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
            self._notices.tell(
                "offer", line,
                N_("table {table}: box {box} lost its power and goes on with {shown} s; when it was last heard there "
                   "were {heard} s left"),
                table=line.table, shown=seconds_said(fact.a), heard=seconds_said(heard["left"]),
            )  # fmt: skip


def _contiguous(streams: Iterable[Stream], epoch: int) -> int:
    return next((stream.contiguous for stream in streams if stream.epoch == epoch), 0)
