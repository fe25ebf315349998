"""Whether the journal of a box is whole and contradicts itself nowhere: a truthful one never has a problem.

Each game is held against the clock's rules, read from the outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final, Self

from dalej.domain.game.commands import MidGame, told_by
from dalej.domain.game.facts import HOWS, STATES, Fact, seat_name
from dalej.errors import Sayable
from dalej.words import N_
from moveclock import facts as k


@dataclass(frozen=True, slots=True)
class Problem:
    """A code for programs, a sentence for people, and which facts it concerns (of missing ones the first and last)."""

    box: str
    epoch: int
    seqs: tuple[int, ...]
    code: str
    template: str
    data: Mapping[str, Sayable]

    @classmethod
    def of(cls, at: Fact, code: str, template: str, data: Mapping[str, Sayable], *seqs: int) -> Self:
        """A problem with the fact `at`, or with the facts `seqs` of its journal."""
        named = {"seq": at.seq, "fact": at.name, "game": at.game, "move": at.move, **data}
        return cls(at.box, at.epoch, seqs or (at.seq,), code, template, named)

    @property
    def sentence(self) -> str:
        """The problem in English; for other readers `template` is translated."""
        return self.template.format(**self.data)


_UPTIME: Final = 0xFFFFFFFF
_RUNS: Final = (k.RUNNING, k.EXPIRED, k.STOPPED)

# kind -> (the states of the clock in which a table can report it, the method that follows it)
RULES: Final[Mapping[int, tuple[tuple[int, ...], str]]] = {
    k.CONFIGURED: ((k.IDLE, k.READY, k.OVER), "configured"),
    k.GAME_STARTED: ((k.READY,), "game_started"),
    k.MOVE_STARTED: ((k.READY, *_RUNS), "move_started"),  # ready: this box takes over from another
    k.TILE_DRAWN: (_RUNS, "tile_drawn"),
    k.MOVE_ENDED: ((k.RUNNING, k.STOPPED), "move_ended"),
    k.TIME_RAN_OUT: ((k.RUNNING,), "time_ran_out"),
    k.TABLE_RESTORED: ((k.EXPIRED,), "table_restored"),
    k.CLICKED_BEFORE_DRAWING: ((k.RUNNING,), ""),
    k.DALEJ_REFUSED: ((k.RUNNING,), ""),
    k.RESTART_CLAIMED: ((k.RUNNING,), ""),
    k.CLAIM_DENIED: ((k.STOPPED,), ""),
    k.MOVE_RESTARTED: ((k.STOPPED,), "move_restarted"),
    k.OPENING_ANNOUNCED: ((k.RUNNING,), ""),
    k.DISPUTE_RAISED: ((k.RUNNING,), ""),
    k.CLOCK_STOPPED: (_RUNS, "clock_stopped"),
    k.CLOCK_RESUMED: ((k.STOPPED,), "clock_resumed"),
    k.TIME_CORRECTED: ((k.STOPPED,), "time_corrected"),
    k.EXTRA_TIME_GIVEN: ((k.STOPPED,), "extra_time_given"),
    k.SEAT_CHANGED: ((k.READY, k.STOPPED), "seat_changed"),
    k.SEAT_WITHDRAWN: ((k.STOPPED,), "seat_withdrawn"),
    k.BANK_CORRECTED: ((k.STOPPED,), "bank_corrected"),
    k.FINAL_LAP_BEGUN: (_RUNS, "final_lap_begun"),
    k.GAME_ENDED: (_RUNS, "game_ended"),
    k.GAME_REOPENED: ((k.OVER,), "game_reopened"),
    k.GAME_REDEALT: ((k.READY, k.STOPPED), "game_redealt"),
}


class TableCheck:
    """Follows one table; `take` its facts in the order of the box."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self.forget()

    def forget(self) -> None:
        """Facts are missing here: anything may have happened since."""
        self.game: int | None = None
        self._forget_table()

    def _forget_table(self) -> None:
        self.state: int | None = None
        self.move: int | None = None
        self.open: bool | None = None  # a move is begun and not ended
        self.ran_out = False  # its time has run out
        self.seat: int | None = None
        self.next_seat: int | None = None  # who must move next
        self.in_play: int | None = None  # mask of seats
        self.bank: int | None = None
        self.drawn: set[int] = set()  # moves whose tile is counted
        self.lap = False
        self.out_of_turn = False  # somebody moved out of turn: the final lap may pass over seats
        self.allowed: int | None = None
        self.played: int | None = None
        self.since: int | None = None
        self.late: bool | None = None  # the stop interrupted an open verdict
        self.stopped_at: int | None = None
        self.expired_at: int | None = None

    def take(self, fact: Fact) -> list[Problem]:
        """What is wrong with the next fact, given those before it."""
        self._problems = []
        if fact.kind == k.BOOTED:
            self.booted(fact)
        elif fact.kind in RULES:
            states, follow = RULES[fact.kind]
            self._expect_game(fact)
            if self.state is not None and self.state not in states:
                template = N_("fact {seq}: {fact} cannot be while the clock is {state}")
                self._wrong(fact, "state", template, state=STATES[self.state])
                self._forget_table()
            if follow:
                getattr(self, follow)(fact)
        return self._problems

    # --- what is expected -----------------------------------------------------------------------------------------

    def _wrong(self, fact: Fact, code: str, template: str, **data: Sayable) -> None:
        self._problems.append(Problem.of(fact, code, template, data))

    def _expect_game(self, fact: Fact) -> None:
        before, self.game = self.game, fact.game
        if not fact.game:
            self._wrong(fact, "game", N_("fact {seq}: {fact} outside of any game"))
        elif before is None or fact.game == before:
            return
        elif fact.kind != k.CONFIGURED:
            self._wrong(fact, "game", N_("fact {seq} is of game {game}, but game {before} is on"), before=before)
            self._forget_table()
        elif fact.code == k.TABLE and fact.game != before + 1:
            self._wrong(fact, "game", N_("fact {seq}: game {game} follows game {before}"), before=before)

    def _expect_bank(self, fact: Fact, *taken: int) -> None:
        """The bank is lower than before by one of the numbers `taken`."""
        if self.bank is not None and self.bank - fact.c not in taken:
            template = N_("fact {seq}: the bank holds {bank}, expected {expected}")
            self._wrong(fact, "bank", template, bank=fact.c, expected=self.bank - max(taken))
        self.bank = fact.c

    def _expect_ms(self, fact: Fact, code: str, said: int, expected: int | None) -> None:
        if expected is not None and said != expected:
            template = N_("fact {seq}: {fact} says {said} ms, the stamps say {expected} ms")
            self._wrong(fact, code, template, said=said, expected=expected)

    def _expect_seat(self, fact: Fact, expected: int | None, template: str) -> None:
        if expected is not None and fact.seat != expected:
            self._wrong(fact, "seat", template, seat=_letter(fact.seat), expected=_letter(expected))

    # --- what is known --------------------------------------------------------------------------------------------

    def _elapsed(self, fact: Fact) -> int | None:
        if self.played is None or self.since is None:
            return self.played
        return self.played + ((fact.uptime_ms - self.since) & _UPTIME)

    def _remaining(self) -> int | None:
        if self.late:
            return 0
        if self.late is None or self.allowed is None or self.played is None:
            return None
        return max(0, self.allowed - self.played)

    def _after(self, seat: int | None) -> int | None:
        if seat is None or self.in_play is None:
            return None
        return next(((seat + step) & 3 for step in range(1, 5) if self.in_play >> ((seat + step) & 3) & 1), None)

    def _goes_on(self, fact: Fact) -> None:
        """The move that the clock stands in goes on, also if its time had run out."""
        if self.late is not False:
            self.late, self.open, self.move = False, True, fact.move

    # --- what each fact does to the table -------------------------------------------------------------------------

    def booted(self, fact: Fact) -> None:
        """A restarted box is where it was, or further; game 0 is a box that has lost its state and says so."""
        if fact.game and self.game is not None:
            back = fact.game < self.game or (fact.game == self.game and self.move is not None and fact.move < self.move)
            if back:
                template = N_("fact {seq}: the box restarts in game {game}, move {move}, but was further before")
                self._wrong(fact, "restart", template)
        self.forget()
        self.game = fact.game or None

    def configured(self, fact: Fact) -> None:
        self._forget_table()
        self.state, self.move, self.open = k.READY, 0, False
        self.in_play, self.bank = fact.b, fact.c

    def game_started(self, fact: Fact) -> None:
        self._expect_bank(fact, 0)
        self.state, self.open, self.next_seat = k.RUNNING, False, fact.seat

    def move_started(self, fact: Fact) -> None:
        if self.open:
            template = N_("fact {seq}: move {move} starts while move {running} goes on")
            self._wrong(fact, "two_moves", template, running=self.move or "–")
        if self.state == k.READY:
            self.bank = fact.c
        else:
            self._expect_bank(fact, 0)
            if self.move is not None and fact.move != self.move + 1:
                self._wrong(fact, "move", N_("fact {seq}: move {move} follows move {before}"), before=self.move)
            if not (self.lap and self.out_of_turn):
                self._expect_seat(
                    fact, self.next_seat, N_("fact {seq}: seat {seat} moves, but it is {expected}'s turn")
                )
        self.move, self.seat, self.open, self.late = fact.move, fact.seat, True, False
        self.allowed = fact.a
        self.played = None if self.state is None else 0
        self.since = None
        if self.state is not None and self.state != k.STOPPED:
            self.state, self.since = k.RUNNING, fact.uptime_ms
        self._taken_over(fact, told_by(fact))

    def _taken_over(self, fact: Fact, before: MidGame) -> None:
        """What the box before has told of the move."""
        if before.drawn or before.penalty:
            self.drawn.add(fact.move)
        if before.lap_reason is not None:
            self.lap = self.out_of_turn = True
        if before.late:
            self.state, self.since, self.open, self.expired_at = k.EXPIRED, None, False, fact.uptime_ms
            self.next_seat = self._after(fact.seat)

    def tile_drawn(self, fact: Fact) -> None:
        if fact.code == 1 and fact.move in self.drawn:
            self._wrong(fact, "tile", N_("fact {seq}: a second tile is counted in move {move}"))
        self._expect_bank(fact, fact.code)
        if fact.code == 1:
            self.drawn.add(fact.move)
        if self.state == k.RUNNING:
            self._expect_ms(fact, "elapsed", fact.a, self._elapsed(fact))

    def move_ended(self, fact: Fact) -> None:
        if self.open is False or (self.open and self.move is not None and fact.move != self.move):
            self._wrong(fact, "no_move", N_("fact {seq}: move {move} ends, but was not going on"))
        elif self.open:
            self._expect_seat(fact, self.seat, N_("fact {seq}: the move of seat {expected} ends as one of seat {seat}"))
        if self.open and self.ran_out != (fact.code == k.BY_TIMEOUT):
            self._wrong(fact, "time_out", N_("fact {seq}: time_ran_out and the end of move {move} do not fit together"))
        at_the_table = fact.code not in (k.BY_DESK, k.BY_WITHDRAWAL)
        if at_the_table and self.state == k.STOPPED:
            template = N_("fact {seq}: a move ends by {how} while the clock stands")
            self._wrong(fact, "state", template, how=HOWS[fact.code])
        self._expect_ms(fact, "elapsed", fact.a, self._elapsed(fact))
        if self.allowed is not None and fact.a > self.allowed:
            template = N_("fact {seq}: a move of {elapsed} ms, allowed were {allowed} ms")
            self._wrong(fact, "over_limit", template, elapsed=fact.a, allowed=self.allowed)
        click_is_tile = fact.code == k.BY_DALEJ and fact.b == 1 and fact.move not in self.drawn
        self._expect_bank(fact, *((0, 1) if click_is_tile else (0,)))
        self.move, self.seat, self.open, self.ran_out = fact.move, fact.seat, False, False
        self.played, self.since = fact.a, None
        self.next_seat = self._after(fact.seat)
        if fact.code == k.BY_TIMEOUT:
            self.state, self.expired_at = k.EXPIRED, fact.uptime_ms
        elif at_the_table:
            self.state = k.RUNNING

    def time_ran_out(self, fact: Fact) -> None:
        self.ran_out = True
        self._expect_ms(fact, "elapsed", fact.a, self._elapsed(fact))
        self._expect_bank(fact, 0)
        if self.allowed is not None and fact.a < self.allowed:
            template = N_("fact {seq}: time ran out after {elapsed} of {allowed} ms")
            self._wrong(fact, "early_time_out", template, elapsed=fact.a, allowed=self.allowed)

    def table_restored(self, fact: Fact) -> None:
        if self.move is not None and fact.move != self.move:
            self._wrong(fact, "no_move", N_("fact {seq}: a verdict on move {move}, whose time did not run out"))
        if self.expired_at is not None:
            self._expect_ms(fact, "overrun", fact.a, (fact.uptime_ms - self.expired_at) & _UPTIME)
        owed = fact.code == k.UNDONE and fact.move not in self.drawn
        self._expect_bank(fact, *((0, fact.b) if owed else (0,)))

    def clock_stopped(self, fact: Fact) -> None:
        if self.state is None:
            self.late = None
            self.stopped_at = fact.uptime_ms if fact.code == k.BOX_LOST_POWER else None
        elif self.state != k.STOPPED:
            self.late = self.state == k.EXPIRED
            self.stopped_at = fact.uptime_ms
        self.played, self.since = self._elapsed(fact), None
        self._expect_ms(fact, "remaining", fact.a, self._remaining())
        self.state = k.STOPPED

    def clock_resumed(self, fact: Fact) -> None:
        if self.stopped_at is not None:
            self._expect_ms(fact, "stopped", fact.a, (fact.uptime_ms - self.stopped_at) & _UPTIME)
        self._expect_ms(fact, "remaining", fact.b, self._remaining())
        if self.late and self.expired_at is not None:
            self.expired_at = (self.expired_at + fact.a) & _UPTIME
        elif self.late is None:
            self.expired_at = None
        if self.late or (self.late is None and not fact.b):  # nothing left: a verdict is open, or time runs out now
            self.state = k.EXPIRED if self.late else None
        else:
            self.state, self.since = k.RUNNING, fact.uptime_ms
        self.stopped_at = None

    def move_restarted(self, fact: Fact) -> None:
        self._goes_on(fact)
        self.allowed, self.played = fact.a, 0

    def time_corrected(self, fact: Fact) -> None:
        if fact.a:
            self._goes_on(fact)
        self.allowed = None if self.played is None else self.played + fact.a

    def extra_time_given(self, fact: Fact) -> None:
        if self.allowed is not None and self.played is not None:
            self._expect_ms(fact, "remaining", fact.a, max(0, self.allowed - self.played) + fact.b)
        self._goes_on(fact)
        self.allowed = None if self.played is None else self.played + fact.a

    def seat_changed(self, fact: Fact) -> None:
        self.out_of_turn = True
        if self.in_play is not None and not self.in_play >> fact.seat & 1:
            self._wrong(fact, "seat", N_("fact {seq}: seat {seat} is not in play"), seat=_letter(fact.seat))
        if self.state != k.READY:
            self.seat = self.next_seat = fact.seat

    def seat_withdrawn(self, fact: Fact) -> None:
        if self.in_play is not None:
            self.in_play &= ~(1 << fact.seat)
        self.next_seat = self._after(self.seat)

    def bank_corrected(self, fact: Fact) -> None:
        if self.bank is not None and fact.a != self.bank:
            template = N_("fact {seq}: the bank held {bank}, expected {expected}")
            self._wrong(fact, "bank", template, bank=fact.a, expected=self.bank)
        self.bank = fact.c

    def final_lap_begun(self, _fact: Fact) -> None:
        self.lap = True

    def game_ended(self, fact: Fact) -> None:
        if self.open:
            template = N_("fact {seq}: the game ends, but move {running} goes on")
            self._wrong(fact, "open_move", template, running=self.move or "–")
        self.state = k.OVER

    def game_reopened(self, fact: Fact) -> None:
        self.state, self.stopped_at, self.out_of_turn = k.STOPPED, None, True
        if fact.code == k.NEXT_SEAT:
            self.open = False
        elif fact.a:
            self.open, self.late, self.stopped_at = True, False, fact.uptime_ms
            self._expect_ms(fact, "remaining", fact.a, self._remaining())
        else:  # nothing was left of that move, or it had ended: the facts that follow tell
            self.open = self.late = self.allowed = self.played = None

    def game_redealt(self, fact: Fact) -> None:
        in_play = self.in_play
        self.configured(fact)
        self.in_play = in_play


_BOOT: Final = 0xFFFF
_IN_MEMORY: Final = 64  # facts a box holds while its flash cannot be written; the fault comes after what it gave up

Span = tuple[int, int]  # first and last seq


def verify(
    facts: Iterable[Fact], *, baseline: int | None = None, head: int | None = None, lost: Iterable[Span] = ()
) -> list[Problem]:
    """What is missing or contradictory in the facts of one box and one epoch, in the order of their numbers.

    `baseline`: the last seq that does not count, None if the first fact there is may be the first; `head`: the last seq
    the box is known to have written; `lost`: ranges (first, last) that it reported as no longer held.
    """
    ordered = sorted(facts, key=lambda fact: fact.seq)
    problems = list(_said_twice(ordered))
    unique = [next(same) for _, same in groupby(ordered, key=lambda fact: fact.seq)]
    told = [(fact.a, fact.b) for fact in unique if fact.kind == k.RECORDS_LOST]
    problems += _missing(unique, baseline, head, [*lost, *told])
    problems += _back_in_time(unique)
    problems += _at_the_table(unique)
    return sorted(problems, key=lambda problem: problem.seqs)


def _said_twice(ordered: Sequence[Fact]) -> Iterator[Problem]:
    for before, fact in pairwise(ordered):
        if before.seq == fact.seq and before != fact:
            yield Problem.of(fact, "contradiction", N_("fact {seq} was reported in two versions"), {})


def _missing(facts: Sequence[Fact], baseline: int | None, head: int | None, lost: Sequence[Span]) -> Iterator[Problem]:
    if not facts:
        return
    expected = facts[0].seq if baseline is None else baseline + 1
    end = facts[-1].seq if head is None else head
    for first, last in sorted([*((fact.seq, fact.seq) for fact in facts), *lost, (end + 1, end + 1)]):
        if first > expected and expected <= end:
            template = N_("facts {first} to {last} are missing")
            if first == expected + 1:
                template = N_("fact {first} is missing")
            span = (expected, min(first - 1, end))
            yield Problem.of(facts[0], "missing", template, {"first": span[0], "last": span[1]}, *span)
        expected = max(expected, last + 1)


def _back_in_time(facts: Sequence[Fact]) -> Iterator[Problem]:
    """Boots count up; within one, what happens at the table is dated in the order in which it was written."""
    for before, fact in pairwise(facts):
        if (fact.boot - before.boot) & _BOOT > _BOOT // 2:
            template = N_("fact {seq} is of boot {boot}, after one of boot {before}")
            yield Problem.of(fact, "boot_back", template, {"boot": fact.boot, "before": before.boot})
    for before, fact in pairwise(fact for fact in facts if fact.kind in RULES):
        if before.boot == fact.boot and (fact.uptime_ms - before.uptime_ms) & _UPTIME > _UPTIME // 2:
            template = N_("fact {seq} is dated {earlier} ms before fact {before}")
            earlier = (before.uptime_ms - fact.uptime_ms) & _UPTIME
            data = {"before": before.seq, "earlier": earlier}
            yield Problem.of(fact, "uptime_back", template, data, before.seq, fact.seq)


def _at_the_table(facts: Sequence[Fact]) -> Iterator[Problem]:
    given_up = [fact.seq for fact in facts if fact.kind == k.FAULT and fact.code == k.E_FLASH_WRITE and fact.a]
    check = TableCheck()
    expected = 0
    for fact in facts:
        if fact.seq != expected or any(seq - _IN_MEMORY <= fact.seq <= seq for seq in given_up):
            check.forget()
        expected = fact.seq + 1
        yield from check.take(fact)


def _letter(seat: int) -> str:
    return seat_name(seat) or "–"
