"""What a box really did, out of reach of whatever happens to its flash, its links and its desk afterwards, and what an
event file says that differs from it: facts, when they were, and what became of what a box was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from dalej.desk.arrivals import OLD_AFTER_MS
from dalej.desk.requests import ANSWERS
from dalej.domain.game.facts import COMMANDS, HOWS, REFUSALS, SEATS, Fact
from dalej.event import eventlog
from dalej.event.eventlog import TableTurn
from dalej.event.ledger import APPLIED, REFUSED, SENT, Reported, Request
from dalej.event.reading import Asked, Reading
from dalej.simulator.box import SimBox, SimLink
from moveclock import facts as k
from moveclock.settings import unpack
from moveclock.wire import unpack_record

NOT_OFF_MS: Final = 400
"""By which a desk may be wrong about when a fact was: half of what a ping's way there and back differ at most, and what
a crystal is off.
"""
LINKED_MS: Final = 30_000  # after which a desk knows what a box had before its link
AT_ONCE_MS: Final = 400  # a link that is over is no sooner back
UNHEARD_MS: Final = 20_000  # after which a link on which nothing is heard is over
MORE_TIME: Final = (k.MOVE_RESTARTED, k.TIME_CORRECTED, k.EXTRA_TIME_GIVEN, k.GAME_REOPENED)
"""A move that was over goes on then."""
OPEN_STILL: Final = ("", HOWS[k.BY_TIMEOUT])  # how it stood where another box could go on with it

Place = tuple[int, int]  # epoch and seq
Wish = tuple[str, Mapping[str, object]]  # command and arguments


class Move(NamedTuple):
    """Whose it was (1A), how it ended and after how many ms; `how` is empty while it goes on. `goes_on`: it began at
    another box, and how long it took at both is not told here.
    """

    table: int
    box: str
    epoch: int
    seq: int  # of the fact that begins it
    game: int
    move: int
    player: str
    goes_on: bool
    how: str = ""
    elapsed_ms: int = 0

    @classmethod
    def of(cls, seen: TableTurn) -> Move:
        """As the file has it."""
        turn = seen.turn
        goes_on = turn.takes_over or "other_box" in turn.flags
        elapsed_ms = 0 if goes_on or turn.elapsed_ms is None else turn.elapsed_ms
        place = turn.box, turn.epoch, turn.seq
        return cls(seen.table, *place, turn.game, turn.move, seen.player, goes_on, turn.how or "", elapsed_ms)


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
        """What is new; AssertionError if the box has none of that number, or now another as the last that was seen."""
        if box.box is None:
            return
        journal, seen = box.box.journal, self._seen.get(box.box.journal.epoch, 0)
        assert journal.head >= seen, f"box {self.name} has {journal.head} records and had {seen}"
        known = journal.record(seen) if seen >= journal.oldest else None
        assert known in (None, self.records.get((journal.epoch, seen))), f"box {self.name} has another record {seen}"
        for seq in range(seen + 1, journal.head + 1):
            record = journal.record(seq)
            assert record is not None, f"box {self.name} has no record {seq}"
            self.records[journal.epoch, seq] = record
            self.sees((journal.epoch, seq))
        self._seen[journal.epoch] = journal.head

    def sees(self, place: Place) -> None:
        """A new one is in `records`."""

    def facts(self) -> list[Fact]:
        """In their order, as the desk words them."""
        found = []
        for (epoch, seq), record in self.records.items():
            number, boot, (kind, at, *rest) = unpack_record(record)
            assert number == seq, f"box {self.name} has record {number} at {seq}"
            found.append(Fact(self.name, epoch, seq, boot, at, kind, *rest))
        return found

    def moves(self, table: int) -> Iterator[Move]:
        """Each that has begun, as it was in the end; `table`: where the box stands."""
        begun_here = set[int]()
        known: dict[Place, Move] = {}  # the last one of each number: games may have the same in another round
        for fact in sorted(self.facts(), key=_place):
            number = (fact.game, fact.move)
            if fact.kind == k.GAME_STARTED:
                begun_here.add(fact.game)
            elif fact.kind == k.MOVE_STARTED:
                if number in known:
                    yield known[number]
                goes_on = fact.game not in begun_here
                begun_here.add(fact.game)
                how = HOWS[k.BY_TIMEOUT] if fact.code else ""
                player = _player(table, fact)
                known[number] = Move(table, fact.box, *_place(fact), *number, player, goes_on, how)
            elif fact.kind == k.MOVE_ENDED:
                elapsed_ms = 0 if known[number].goes_on else fact.a
                known[number] = known[number]._replace(how=HOWS[fact.code], elapsed_ms=elapsed_ms)
            elif fact.kind == k.SEAT_CHANGED and number in known and not known[number].how:
                known[number] = known[number]._replace(player=_player(table, fact))
            elif fact.kind in MORE_TIME and fact.a:
                known[number] = known[number]._replace(how="", elapsed_ms=0)
        yield from known.values()

    def expect_facts(self, stored: Iterable[Reported], *, met_late: bool = False) -> int:
        """How many there are; AssertionError unless all of them are stored, each as it was, and none besides.
        `met_late`: those of boots before its desk has met it at its table need not be.
        """
        found, truth = sorted((one.fact for one in stored), key=_place), sorted(self.facts(), key=_place)
        while met_late and truth and truth[0].kind == k.BOOTED and truth[0] not in found[:1]:
            truth.pop(0)
        assert found == truth, f"box {self.name}: {_first_difference(found, truth)}"
        return len(truth)


class LinkWitness(Witness):
    """Looks at what a box is told as well, and at what the file says of it besides its facts.

    `notified()`: whether one notification would reach a desk now; `linked()`: whether a link is up with a desk behind
    it; `on_disk(box, epoch)`: up to which fact the event file has them all at this instant.

    `unheard`: the records that nobody would know if each were notified once, when it comes, and never again. `fresh`:
    those of a link that had been up for a while. `acknowledged`: how often it took more for stored than before.
    `asked`: what somebody at the desk has asked of it, command and arguments, in that order.
    """

    def __init__(
        self, box: SimBox, notified: Callable[[], bool], linked: Callable[[], bool], on_disk: Callable[[str, int], int]
    ) -> None:
        super().__init__(box)
        self.unheard: set[Place] = set()
        self.fresh: set[Place] = set()
        self.acknowledged = 0
        self.asked: list[Wish] = []
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
            assert acked <= stored, f"box {self.name} takes {acked} facts for stored, and {stored} are"

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
                assert off[-1] <= NOT_OFF_MS, f"{fact} was {true_ms - one.wall_ms} ms later than the file has it"
            news_ms = UNHEARD_MS if one.wall_ms is None else OLD_AFTER_MS + NOT_OFF_MS
            assert one.old or late_ms <= news_ms, f"{fact} is news after {late_ms} ms"
            if (fact.epoch, fact.seq) in self.fresh and late_ms <= AT_ONCE_MS:
                assert not one.old, f"{fact} is no news after {late_ms} ms"
        return off

    def unwritten(self, asked: Sequence[Asked]) -> int:
        """How many of its orders are no requests of the file; AssertionError if that has others, or another order."""
        left = iter(self.asked)
        for one in asked:
            wish = (one.request.command, one.request.args)
            assert any(each == wish for each in left), f"nobody asked box {self.name} for {wish}"
        return len(self.asked) - len(asked)

    def expect_answers(self, reported: Iterable[Reported], asked: Sequence[Asked], *, whole: bool) -> int:
        """How many commands the box answered; AssertionError if it was told what is no request of the file, if what it
        did is not it, or if the file says that something else became of it. `whole`: the file is no copy, which would
        not know all of them.
        """
        requests = {one.request.id: one for one in asked}
        answers: dict[int, Fact] = {}
        obeyed, before = Counter[str](), list[Fact]()
        for one in sorted(reported, key=lambda one: _place(one.fact)):
            fact = one.fact
            if fact.kind not in ANSWERS:
                before.append(fact)
                continue
            obeyed[COMMANDS[fact.code]] += 1
            assert not whole or fact.a not in answers, f"box {self.name} obeyed twice: {fact}"
            assert not whole or fact.a in requests, f"box {self.name} was told what nobody asked: {fact}"
            answers[fact.a] = fact
            if whole and fact.kind == k.COMMAND_APPLIED:
                _expect_done(requests[fact.a].request, before)
            before.clear()
        more = obeyed - Counter(command for command, _ in self.asked)
        assert not more, f"box {self.name} was told {dict(more)} more than anybody asked"
        for each in asked if whole else ():
            self._expect_answer(each, answers.get(each.request.id))
        return obeyed.total()

    def _expect_answer(self, asked: Asked, answer: Fact | None) -> None:
        of = f"request {asked.request.id} to box {self.name}"
        results = [one.result for one in asked.outcomes]
        if answer is None:
            assert asked.result not in (APPLIED, REFUSED), f"{of} is {asked.result}, and the box never answered it"
            return
        assert COMMANDS[answer.code] == asked.request.command, f"{of} was taken for another: {answer}"
        assert SENT in results, f"{of} was never sent, and the box answered it"
        became = (APPLIED, "") if answer.kind == k.COMMAND_APPLIED else (REFUSED, REFUSALS[answer.c])
        assert (asked.result, asked.reason) == became, f"{of} became {became}, not {asked.result, asked.reason}"


DONE: Final[Mapping[str, tuple[int, Callable[[Fact], Mapping[str, object]]]]] = {
    "take_over": (
        k.MOVE_STARTED,
        lambda fact: {"game": fact.game, "move": fact.move, "seat": fact.seat, "remaining_ms": fact.a, "bank": fact.c},
    ),
    "give_time": (k.EXTRA_TIME_GIVEN, lambda fact: {"ms": fact.b}),
    "withdraw": (k.SEAT_WITHDRAWN, lambda fact: {"seat": SEATS[fact.seat]}),
    "deny_claim": (k.CLAIM_DENIED, lambda _: {}),
    "resume": (k.CLOCK_RESUMED, lambda _: {}),
    "end_game": (k.GAME_ENDED, lambda _: {}),
}
"""What a box does at a command, and what it tells of the arguments."""


def _expect_done(request: Request, before: Sequence[Fact]) -> None:
    """Among what it did since it obeyed last."""
    if request.command == "configure":
        rules = unpack(bytes.fromhex(str(request.args["settings"])))
        done = [(fact.game, fact.a, fact.b) for fact in before if fact.kind == k.CONFIGURED and fact.code == k.DESK]
        assert (request.args["game"], rules.limit_ms, rules.seats) in done, f"{request.args} came to {done}"
    else:
        kind, arguments = DONE[request.command]
        given = [arguments(fact) for fact in before if fact.kind == kind]
        obeyed = any(one.items() <= request.args.items() for one in given)
        assert obeyed, f"{request.command} {request.args} came to {given}"


def expect_sound(reading: Reading) -> None:
    """AssertionError if the file tells of anything twofold or amiss."""
    conflicts, problems = reading.conflicts(), list(eventlog.problems(reading))
    assert not conflicts, f"the file has two facts of one number: {conflicts[0]}"
    assert not problems, f"the file says what cannot be: {problems[0]}"


def expect_turns(found: Iterable[TableTurn], begun: Iterable[Move]) -> int:
    """How many there are; AssertionError unless each move that has begun is one turn, whose table, seat, end and time
    are those of the move, and nothing else is. One that another box goes on with is one, unless it had been over.
    """
    told, truth = [Move.of(seen) for seen in found], {*begun}
    gone_on = {(move.table, move.game, move.move) for move in truth if move.goes_on}
    open_still = {move for move in truth if not move.goes_on and move.how in OPEN_STILL}
    truth -= {move for move in open_still if (move.table, move.game, move.move) in gone_on}
    assert told, "nobody has played"
    twice = [move for move, times in Counter(told).items() if times > 1]
    assert not twice, f"a turn is there twice: {twice[0]}"
    missing, more = truth - {*told}, {*told} - truth
    besides = f", and {min(more)} is there" if more else ""
    assert not missing, f"{len(missing)} turns are missing, such as {min(missing)}{besides}"
    assert not more, f"{len(more)} turns are there that nobody played, such as {min(more)}"
    return len(told)


def _player(table: int, fact: Fact) -> str:
    return f"{table}{SEATS[fact.seat]}"


def _place(fact: Fact) -> Place:
    return fact.epoch, fact.seq


def _first_difference(stored: list[Fact], truth: list[Fact]) -> str:
    for there, true in zip(stored, truth, strict=False):
        if there != true:
            return f"{there} in the file, {true} in truth"
    return f"{len(stored)} facts in the file, {len(truth)} in truth"
