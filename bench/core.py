"""Recorded elapsed against true time: people who think, bounce and run late, at a real Box, all in true time.

Twice, with the same people: the core alone, where only its whole milliseconds round; and on a board that delays stamps
as `bench.esp32` says. They touch a button out of turn, some of them in the guard time, take tiles, call the referee and
take it back, which stops the clock early in a move, and some end a move as soon as it has begun: what flash does then
they do not wait for. One error for each move: what the box recorded from its begin to its end, a late move's overrun
included, minus the true time between the two presses, but for what it stood.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from random import Random
from typing import Final

from bench.chip import HEAD, Costs
from bench.esp32 import Pumped
from bench.row import NONE, Row, quantile
from moveclock import facts as k
from moveclock import settings as rules

MOVES: Final = 100_000
LEARNING_MOVES: Final = 1_500
MOVES_A_GAME: Final = 200
PRESSES_A_MOVE: Final = 5  # at most; with all that people do it is less than two
LIMIT_MS: Final = 60_000
SEED: Final = 2
PLAIN: Final = "plain asyncio clock"
"""On the same board: its loop stamps a press when it comes round to it."""

MS: Final = 1000  # all true times are µs
SECOND: Final = 1000 * MS
TAP: Final = (60 * MS, 220 * MS)
HOLD: Final = (1100 * MS, 1800 * MS)
LONG_HOLD: Final = (2100 * MS, 2600 * MS)
DECIDED: Final = 50 * MS  # after a release, if flash does not keep the box
QUICK: Final = (350 * MS, SECOND)  # after the press before: the guard time is just over
SHARE_QUICK: Final = 0.03
SHARE_STRAY: Final = 0.15
SHARE_CALLED: Final = 0.05
SHARE_DRAWN: Final = 0.3
CALLED: Final = (200 * MS, 12 * SECOND)  # after the press before
TAKEN_BACK: Final = (400 * MS, 2500 * MS)  # after the call; until 3 s it is possible


@dataclass(slots=True)
class Errors:
    """Recorded minus true, in µs. `held_up`: of the moves one of whose presses met an erase of flash.

    `looped`: those of a `PLAIN` one. `wrong_side`: how far from the limit (true, in µs) presses were that the box put
    on its other side. `lost` counts presses that did not do what they do, be it that no fact tells of a stray tap;
    `slipped` those that should have ended a move and lay in its guard time, or more likely there than after it, by what
    the box could know. Moves with such a one are not among the errors.
    `presses`: all that there were, also those that end no move; of them `met` met an erase. `twice`: of those for the
    referee how many were taken for two, because what came in a call of flash may be a bounce, or another finger.
    """

    all: list[int] = field(default_factory=list)
    held_up: list[int] = field(default_factory=list)
    looped: list[int] = field(default_factory=list)
    wrong_side: list[int] = field(default_factory=list)
    lost: int = 0
    slipped: int = 0
    presses: int = 0
    met: int = 0
    twice: int = 0

    def free(self) -> Iterable[int]:
        """Of the moves none of whose presses met an erase."""
        return (Counter(self.all) - Counter(self.held_up)).elements()


def measure(size: float = 1) -> list[Row]:
    """Median, 99th percentile and worst error, of the core alone and with delayed stamps.

    Each stamp is rounded down to a ms, and a move in which the clock stood has four: what is cut off two of them makes
    its time longer, by almost a ms each, and of the others shorter. How long an erase keeps a press waiting is the
    chip's: moves that met one have no goal.
    """
    moves = max(MOVES_A_GAME, int(MOVES * size))
    costs: Costs = {}
    play(min(moves, LEARNING_MOVES), costs, learn=True)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:  # nothing here is timed
        alone, delayed = pool.map(play, (moves, moves), (None, costs))
    core, board, looped = _sizes(alone.all), _sizes(delayed.all), _sizes(delayed.looped)
    free = _sizes(delayed.free())
    of = f"of {len(core):,} moves"
    return [
        _row(f"core alone: median error {of}", quantile(0.5, core), "a stamp's unit", 1.0),
        _row("core alone: worst", core[-1], "a stamp's unit", 1.0, "≤ 2 ms"),
        _row(f"delayed stamps: median error {of}", quantile(0.5, board), "core alone", quantile(0.5, core), "≤ 1 ms"),
        _row("delayed stamps: 99 %", quantile(0.99, board), "core alone", quantile(0.99, core)),
        _row("delayed stamps: 99.9 %", quantile(0.999, board), "core alone", quantile(0.999, core)),
        _row("delayed stamps: worst", board[-1], "core alone", core[-1]),
        _row(f"... without the {len(delayed.held_up)} that met an erase", free[-1], "core alone", core[-1], "≤ 50 ms"),
        _row(
            f"press ruled on the wrong side of the limit ({len(delayed.wrong_side)}), farthest",
            max(delayed.wrong_side, default=0) / MS,
            f"core alone ({len(alone.wrong_side)})",
            max(alone.wrong_side, default=0) / MS,
        ),
        Row("presses that the box took no notice of", f"{delayed.lost}", f"core alone {alone.lost}", goal="≤ 0"),
        *(
            _row(f"a move's error with delayed stamps, {told}", quantile(part, board), PLAIN, quantile(part, looped))
            for told, part in (("median", 0.5), ("99 %", 0.99), ("worst", 1))
        ),
        *_flash(costs),
    ]


def _flash(costs: Costs) -> list[Row]:
    """How often littlefs reads the chip in the call that makes facts durable, with an erase and without."""
    heads = [cost for kind, known in costs.items() if kind.startswith(f"write {HEAD}") for cost in known]
    plain = sorted(cost.reads for cost in heads if not cost.erases)
    erasing = sorted(cost.reads for cost in heads if cost.erases)
    if not plain or not erasing:
        return []
    often, seldom = plain[len(plain) // 2], erasing[len(erasing) // 2]
    ratio = f"{seldom / often:.1f}"
    return [Row("reads of the chip to write a head that erases", f"{seldom}", f"one that does not {often}", ratio)]


def play(moves: int, costs: Costs | None, *, learn: bool = False, seed: int = SEED) -> Errors:
    """Play so many moves on a `bench.esp32.Pumped`."""
    return _Table(Pumped(Random(f"board {seed}"), costs, learn=learn), Random(seed)).play(moves)


class _Table:
    """Four people at one box."""

    def __init__(self, board: Pumped, random: Random) -> None:
        self._errors = Errors()
        self._random = random
        self._board = board
        self._clock = board.box.clock
        self._presses_left = 0
        self._free_at = 0  # the hand that pressed last is away
        self._began = 0  # true time of the press that began the running move
        self._calls: list[int] = []  # of the presses for the referee in it
        settings = rules.Settings()
        settings.limit_ms = LIMIT_MS
        settings.on_bank_empty = rules.PLAY_ON
        self._clock.settings = settings
        self._clock.prepare(0, 1, k.SEAT_A, k.DESK)

    def play(self, moves: int) -> Errors:
        """Full games, until at least so many moves are played."""
        self._presses_left = PRESSES_A_MOVE * (moves + MOVES_A_GAME)
        while moves > 0:
            while self._clock.state == k.READY:
                self._began = self._board.now + SECOND
                started = self._press(2 * self._clock.starter, self._began, TAP)
                self._errors.lost += not _told(started, k.GAME_STARTED)
            for _ in range(MOVES_A_GAME - 1):
                self._move(self._began + self._thinks(), TAP)
            while self._clock.state == k.RUNNING:
                self._move(self._began + 5 * SECOND, HOLD)
            moves -= MOVES_A_GAME
            self._next_game()
        return self._errors

    def _next_game(self) -> None:
        board = self._board
        journal = board.box.journal
        journal.acknowledge(journal.head)  # as a desk would have by now
        board.run(board.now + 30 * SECOND)
        while self._clock.state == k.OVER:
            held = self._press(k.SEDZIA, board.now + SECOND, LONG_HOLD)
            self._errors.lost += not _told(held, k.CONFIGURED, k.REFEREE_CALLED)  # called: some of it met an erase

    def _move(self, ends: int, gesture: tuple[int, int]) -> None:
        """Somebody ends the running move at the true time `ends`, or the next seat judges it when it was late."""
        board, clock, errors = self._board, self._clock, self._errors
        ignored = errors.lost + errors.slipped
        stand: tuple[int, ...] = ()
        self._calls = []
        draws = False
        if gesture is TAP:
            stand = self._meanwhile(min(ends, self._began + LIMIT_MS * MS))
            ends += _long(stand)
            if ends < self._began + LIMIT_MS * MS and self._random.random() < SHARE_DRAWN:
                draws = self._perhaps(k.KOSTKA, ends - self._random.randint(500 * MS, 2 * SECOND), ends)
        ends = max(ends, self._free_at)
        began = self._began
        limit = began + LIMIT_MS * MS + _long(stand)
        seat = presser = clock.seat
        if ends > limit + SECOND // 2:
            presser = clock.seat_after(seat)
        while (recorded := _recorded(facts := self._press(2 * presser + int(draws), ends, gesture))) is None:
            stray = _told(facts, k.STRAY_TAP)
            if stray and presser == seat and clock.state == k.EXPIRED:
                if ends < limit:
                    errors.wrong_side.append(limit - ends)
                presser, gesture, draws = clock.seat_after(seat), TAP, False
            else:
                slipped = stray and self._guarded(ends)
                errors.slipped += slipped
                errors.lost += not slipped
            ends = board.now + self._random.randint(SECOND, 5 * SECOND)
        if presser == seat and ends >= limit:
            errors.wrong_side.append(ends - limit)
        self._began = ends
        if errors.lost + errors.slipped == ignored:
            counted = (began, *stand, ends)  # from and to, in turn
            error = recorded * MS - _long(counted)
            errors.all.append(error)
            errors.looped.append(_long([board.seen[at] for at in counted]) - _long(counted))
            if not board.held_up.isdisjoint((*counted, *self._calls)):
                errors.held_up.append(error)
        board.seen = {ends: board.seen[ends]}
        board.spans.clear()

    def _guarded(self, at: int) -> bool:
        """Whether the box had to take the press at the true time `at` for one in the running move's guard time."""
        since, seen = self._board.spans[at]
        guarded = self._clock.began_at + self._clock.settings.guard_ms
        return since < guarded and seen - guarded < guarded - since

    def _meanwhile(self, until: int) -> tuple[int, ...]:
        """What else people do in a move before that: from when to when the clock stood for it, if it did."""
        random, clock = self._random, self._clock
        if random.random() < SHARE_STRAY:
            seat = clock.seat_after(clock.seat)
            at = self._free_at + random.choice((0, random.randint(0, SECOND), random.randint(0, 10 * SECOND)))
            self._perhaps(2 * seat + random.randint(0, 1), at, until)
        if random.random() < SHARE_CALLED:
            called = self._free_at + random.randint(*CALLED)
            taken_back = called + random.randint(*TAKEN_BACK)
            if taken_back < until - SECOND:
                return self._call(called, taken_back)
        return ()

    def _call(self, called: int, taken_back: int) -> tuple[int, ...]:
        """The referee, and back, as often as it takes; from when to when the clock stood for it, if it did."""
        board, clock = self._board, self._clock
        if not self._call_or_take_back(called):
            return ()
        stands = clock.state == k.STOPPED
        heard = self._call_or_take_back(taken_back)
        while heard and (clock.pending or clock.state == k.STOPPED):
            if not stands:
                called, stands = taken_back, clock.state == k.STOPPED
            taken_back = max(self._free_at, taken_back + self._random.randint(*TAKEN_BACK))
            heard = self._call_or_take_back(taken_back)
        if not heard:  # a referee comes
            taken_back = board.now
            clock.order(k.C_STOP, board.box.uptime.now, (k.REFEREE,))
            clock.order(k.C_RESUME, board.box.uptime.now, ())
        return (called, taken_back) if stands else ()

    def _call_or_take_back(self, at: int) -> bool:
        """Whether a tap for the referee did the one, or the other if the call stands."""
        clock, errors = self._clock, self._errors
        owed = k.CALL_WITHDRAWN if clock.pending or clock.state == k.STOPPED else k.DISPUTE_RAISED
        facts = self._press(k.SEDZIA, at, TAP)
        self._calls.append(at)
        heard = _told(facts, owed) > 0
        errors.lost += not heard
        errors.twice += _told(facts, k.DISPUTE_RAISED, k.CALL_WITHDRAWN) > 1
        return heard

    def _perhaps(self, contact: int, at: int, until: int) -> bool:
        """A tap, if there is time for it."""
        in_time = self._free_at <= at <= until - SECOND // 2
        if in_time:
            facts = self._press(contact, at, TAP)
            self._errors.lost += not _told(facts, k.TILE_DRAWN if contact == k.KOSTKA else k.STRAY_TAP)
        return in_time

    def _press(self, contact: int, at: int, gesture: tuple[int, int]) -> Sequence[tuple[int, ...]]:
        """The facts up to when the press is decided, from the last one's on. Nobody waits for what flash does then."""
        board, errors = self._board, self._errors
        self._presses_left -= 1
        if not self._presses_left:
            raise RuntimeError("this box does not play: it takes no notice of presses")
        board.facts.clear()
        down_for = self._random.randint(*gesture)
        board.press(contact, at, down_for)
        self._free_at = at + down_for + DECIDED
        board.run(self._free_at)
        while board.undecided():
            self._free_at = board.now + DECIDED
            board.run(self._free_at)
        errors.presses += 1
        errors.met += at in board.held_up
        return list(board.facts)

    def _thinks(self) -> int:
        """Around 10 s, seldom within a blink of the limit, seldom over it, seldom hardly at all."""
        random = self._random
        chance = random.random()
        if chance < 0.02:
            return LIMIT_MS * MS + random.randint(-20 * MS, 20 * MS)
        if chance < 0.04:
            return LIMIT_MS * MS + random.randint(SECOND, 10 * SECOND)
        if chance < 0.04 + SHARE_QUICK:
            return random.randint(*QUICK)
        return min(55 * SECOND, max(400 * MS, int(9 * SECOND * math.exp(random.gauss(0, 0.7)))))


def _long(instants: Sequence[int]) -> int:
    """From the first to the second, from the third to the fourth."""
    return sum(instants[1::2]) - sum(instants[::2])


def _sizes(errors: Iterable[int]) -> list[float]:
    """In ms, smallest first."""
    return sorted(abs(error) / MS for error in errors)


def _row(what: str, ms: float, name: str, baseline: float, goal: str = NONE) -> Row:
    ratio = f"{ms / baseline:.2f}" if baseline else NONE
    return Row(what, f"{ms:.2f} ms", f"{name} {baseline:.2f} ms", ratio, goal)


def _told(facts: Sequence[tuple[int, ...]], *kinds: int) -> int:
    """How many facts are of these kinds."""
    return sum(fact[0] in kinds for fact in facts)


def _recorded(facts: Sequence[tuple[int, ...]]) -> int | None:
    """The ms from the move's begin to the press that ended it or judged it; None if none did."""
    for kind, _, _, _, _, code, a, *_ in facts:
        if kind == k.MOVE_ENDED and code in (k.BY_JUZ, k.BY_DALEJ, k.BY_EMPTY_RACK):
            return a
        if kind == k.TABLE_RESTORED:
            return LIMIT_MS + a
    return None
