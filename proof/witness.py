"""What a box really did, out of reach of whatever happens to its flash, its links and its desk afterwards, and what an
event file says that differs from it: facts, when they were, and what became of what a box was asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Final

from dalej.desk.arrivals import OLD_AFTER_MS
from dalej.desk.requests import ANSWERS
from dalej.domain.game.facts import COMMANDS, REFUSALS, Fact
from dalej.event.ledger import APPLIED, NO_LINK, REFUSED, Ledger, Reported
from dalej.event.reading import Asked
from dalej.simulator.box import SimBox, SimLink
from moveclock import facts as k
from moveclock.wire import unpack_record
from tests.told import facts_of

NOT_OFF_MS: Final = 600
"""By which a desk may be wrong about when a fact was: half the way there and back of its pings at their slowest, and
what a crystal is off until they are quicker.
"""
LINKED_MS: Final = 30_000  # after which a desk knows what a box had before its link
AT_ONCE_MS: Final = 1_000

Place = tuple[int, int]  # epoch and seq


class Witness:
    """Copies each record of one box when it is on flash."""

    def __init__(self, box: SimBox) -> None:
        self.records: dict[Place, bytes] = {}
        self.box = box
        self._seen: dict[int, int] = {}
        box.watchers.append(self.look)

    @property
    def name(self) -> str:
        return self.box.uid.hex()

    def look(self, box: SimBox) -> None:
        """What is new; AssertionError if the box has none of that number, or another."""
        if box.box is None:
            return
        journal = box.box.journal
        for seq in range(self._seen.get(journal.epoch, 0) + 1, journal.head + 1):
            record = journal.record(seq)
            assert record is not None, f"box {self.name} has no record {seq}"
            place = (journal.epoch, seq)
            new, self.records[place] = place not in self.records, record
            if new:
                self.sees(place)
        assert journal.head >= self._seen.get(journal.epoch, 0), f"box {self.name} gave a number twice"
        self._seen[journal.epoch] = journal.head

    def sees(self, place: Place) -> None:
        """A new one is in `records`."""

    def facts(self) -> list[Fact]:
        """In their order, as the desk words them."""
        found = []
        for (epoch, seq), record in self.records.items():
            number, boot, (kind, at, *rest) = unpack_record(record)
            assert number == seq
            found.append(Fact(self.name, epoch, seq, boot, at, kind, *rest))
        return found

    def expect_facts(self, ledger: Ledger) -> int:
        """How many there are; AssertionError unless the file has all of them, each as it was, and none besides."""
        stored = sorted((one.fact for one in facts_of(ledger, self.name)), key=_place)
        truth = sorted(self.facts(), key=_place)
        assert stored == truth, f"box {self.name}: {_first_difference(stored, truth)}"
        return len(truth)


class LinkWitness(Witness):
    """Looks at what a box is told as well, and at what the file says of it besides its facts.

    `notified()`: whether one notification would reach a desk now; `linked()`: whether a link is up with a desk behind
    it; `on_disk(box, epoch)`: up to which fact the event file has them all at this instant.

    `unheard`: the records that nobody would know if each were notified once, when it comes, and never again. `fresh`:
    those of a link that had been up for a while. `acknowledged`: how often it was told that more are stored. `asked`:
    commands that somebody at the desk has asked of it; `set_up`: games that were among them, and their limit in ms.
    """

    def __init__(
        self, box: SimBox, notified: Callable[[], bool], linked: Callable[[], bool], on_disk: Callable[[str, int], int]
    ) -> None:
        super().__init__(box)
        self.unheard: set[Place] = set()
        self.fresh: set[Place] = set()
        self.acknowledged = 0
        self.asked: Counter[str] = Counter()
        self.set_up: set[tuple[int, int]] = set()
        self._notified, self._linked, self._on_disk = notified, linked, on_disk
        self._acked: dict[int, int] = {}
        self._link: SimLink | None = None
        self._linked_ms = 0

    def look(self, box: SimBox) -> None:
        """AssertionError if the box takes for stored what is in no file."""
        link = next(iter(box.links.values())) if len(box.links) == 1 and self._linked() else None
        if link is not self._link:
            self._link, self._linked_ms = link, box.world.now_ms
        super().look(box)
        if box.box is None:
            return
        epoch, acked = box.box.journal.epoch, box.box.journal.acked
        if acked > self._acked.get(epoch, 0):
            self._acked[epoch] = acked
            self.acknowledged += 1
            stored = self._on_disk(self.name, epoch)
            assert acked <= stored, f"box {self.name} was told that {acked} facts are stored, and {stored} are"

    def sees(self, place: Place) -> None:
        if not self._notified():
            self.unheard.add(place)
        if self._link is not None and self.box.world.now_ms - self._linked_ms >= LINKED_MS:
            self.fresh.add(place)

    def expect_times(self, reported: Iterable[Reported], begun_ms: int) -> list[int]:
        """By how much the file is wrong about when each fact was, in ms; AssertionError if that is too much, or if one
        counts as news that was none, or the other way round. `begun_ms`: Unix time at which the world began.
        """
        off = []
        for one in reported:
            fact = one.fact
            if fact.boot not in self.box.boots:
                continue  # whose power went before it had begun
            true_ms = begun_ms + self.box.world_ms(fact.boot, fact.uptime_ms)
            late_ms = one.received_ms - true_ms
            assert late_ms > -NOT_OFF_MS, f"{fact} was received {-late_ms} ms before it was"
            if one.wall_ms is not None:
                off.append(abs(one.wall_ms - true_ms))
                assert off[-1] <= NOT_OFF_MS, f"{fact} was {one.wall_ms - true_ms} ms earlier than the file has it"
                assert one.old or late_ms <= OLD_AFTER_MS + NOT_OFF_MS, f"{fact} is news after {late_ms} ms"
            if (fact.epoch, fact.seq) in self.fresh and late_ms <= AT_ONCE_MS:
                assert not one.old, f"{fact} is no news after {late_ms} ms"
        return off

    def expect_answers(self, asked: Iterable[Asked], *, whole: bool) -> int:
        """How many commands the box answered; AssertionError if it was told of one that nobody asked of it, or if the
        file says that something else became of it. `whole`: the file is no copy, which would not know all of them.
        """
        answers: defaultdict[int, list[Fact]] = defaultdict(list)
        for fact in self.facts():
            if fact.kind in ANSWERS:
                answers[fact.a].append(fact)
            if fact.kind == k.CONFIGURED and fact.code == k.DESK:
                assert (fact.game, fact.a) in self.set_up, f"box {self.name} was set up as another: {fact}"
        obeyed = Counter(COMMANDS[fact.code] for each in answers.values() for fact in each)
        assert obeyed <= self.asked, f"box {self.name} was told {obeyed - self.asked} more than anybody asked"
        if whole:
            assert all(len(each) == 1 for each in answers.values()), f"box {self.name} obeyed twice: {answers}"
            for each in asked:
                self._expect_answer(each, answers.get(each.request.id, []))
        return obeyed.total()

    def _expect_answer(self, asked: Asked, given: list[Fact]) -> None:
        of = f"request {asked.request.id} to box {self.name}"
        assert [COMMANDS[fact.code] for fact in given] in ([], [asked.request.command]), f"{of} was {given}"
        if asked.result in (APPLIED, REFUSED):
            assert given, f"{of} is {asked.result}, and the box never answered it"
        for fact in given:
            became = (APPLIED, "") if fact.kind == k.COMMAND_APPLIED else (REFUSED, REFUSALS[fact.c])
            found = asked.result, asked.reason
            assert found == became or asked.result == NO_LINK, f"{of} became {became}, not {found}"


def _place(fact: Fact) -> Place:
    return fact.epoch, fact.seq


def _first_difference(stored: list[Fact], truth: list[Fact]) -> str:
    for there, true in zip(stored, truth, strict=False):
        if there != true:
            return f"{there} in the file, {true} in truth"
    return f"{len(stored)} facts in the file, {len(truth)} in truth"
