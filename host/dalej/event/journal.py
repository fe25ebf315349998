"""One journal of one box as the ledger has it so far, and what the folds of the domain make of it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Final, NamedTuple

from dalej.domain.game.calls import Call, Calls
from dalej.domain.game.facts import Fact
from dalej.domain.game.games import DealKey
from dalej.domain.game.positions import Position
from dalej.domain.game.rulings import Ruling, Rulings
from dalej.domain.game.turns import Turn, Turns
from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import WrongInput
from dalej.event.ledger import Decision, Reported
from dalej.words import N_
from moveclock import facts as k

_UPTIME: Final = 0xFFFFFFFF
NOTHING: Final = 1 << 32  # later than any fact
KEPT_EVERY: Final = 64  # facts; so many are folded again at most, and some, when a lost one comes a little late
KEPT: Final = 3
# By these a game is the table's: it is set up there, or goes on there.
_BEGINS: Final = (
    k.CONFIGURED, k.GAME_REDEALT, k.GAME_STARTED, k.MOVE_STARTED, k.CLOCK_RESUMED, k.GAME_REOPENED,
)  # fmt: skip


class Journal:
    """Facts of one `(box, epoch)`; they may be added in any order and repeatedly. `facts` are in the box's order.

    `position` is that after the last of them; `here` and `calls` are those at the table on which the box stands, told
    by the facts after `since`. Nothing is folded before it is asked for. Facts out of order cost a fold of those since
    then; facts of long ago and another `since` one from the start, once, however many there were.
    """

    def __init__(self, box: str, epoch: int, ruleset: Callable[[], Ruleset | None], ruled: Sequence[Decision]) -> None:
        """`ruleset` is asked when something is to be ruled; whoever answers otherwise calls `rule_anew`. `ruled`: what
        was decided on time-outs, and every revocation; whoever adds to it calls `decide`.
        """
        self.box = box
        self.epoch = epoch
        self.dates = Dates()
        self.facts: list[Reported] = []
        self._whole = self._here = _Fold(0)
        self._open: tuple[Call, ...] | None = ()
        self._late = NOTHING  # the lowest fact that came after later ones
        self._turns = Turns()
        self._unturned: list[Reported] = []  # those that `_turns` does not have yet
        self._ruled = ruled
        self._ruleset = ruleset
        self._rulings: Rulings | None = None

    def rule_anew(self) -> None:
        """There may be other rules."""
        self._rulings = None

    def add(self, reported: Reported) -> bool:
        """Take in one fact; False if it is known."""
        fact, known = reported.fact, self.facts
        if fact.seq > self.top:
            known.append(reported)
        else:
            place = bisect_left(known, fact.seq, key=_seq)
            if place < len(known) and known[place].fact.seq == fact.seq:
                return False
            known.insert(place, reported)
            self._late = min(self._late, fact.seq)
        self._open = None
        self._unturned.append(reported)
        if self._rulings is not None:
            self._rulings.add(fact, reported.wall_ms)
        if reported.wall_ms is not None:
            self.dates.recorded(fact.boot, fact.uptime_ms, reported.wall_ms)
        return True

    def decide(self, decision: Decision) -> None:
        """One more of what was decided on time-outs; Damaged if it says nothing."""
        if self._rulings is not None:
            self._rulings.decide(decision)

    @property
    def top(self) -> int:
        """The highest number of a fact, 0 for none."""
        return self.facts[-1].fact.seq if self.facts else 0

    @property
    def since(self) -> int:
        """The last fact that tells nothing of the table on which the box stands."""
        return self._here.since

    def stands_since(self, seq: int) -> None:
        """The box stands where it does since that fact; 0: all its facts are told there, `NOTHING`: none so far."""
        if seq != self._here.since:
            self._here = self._whole if seq == 0 else _Fold(seq)
            self._open = None

    @property
    def position(self) -> Position:
        """Where the box stands by all its facts; read it, do not keep it."""
        self._catch_up()
        return self._whole.position

    @property
    def here(self) -> Position | None:
        """Where the table stands on which the box is; None while the box has told of no game there."""
        self._catch_up()
        return self._here.position if self._here.begun else None

    def calls(self) -> tuple[Call, ...]:
        """What waits for a person at the table on which the box stands. Of a game that was brought along only what
        people ask for there.
        """
        if self._open is None:
            self._catch_up()
            self._open = self._here.open()
        return self._open

    def _catch_up(self) -> None:
        late, self._late = self._late, NOTHING
        for fold in {self._whole, self._here}:
            fold.go_back(late)
            if fold.done < self.top:
                for reported in self.facts[bisect_right(self.facts, fold.done, key=_seq) :]:
                    fold.take(reported.fact)

    @property
    def ruled(self) -> Rulings:
        """The fold of the rulings; read it, do not keep it. WrongInput if nobody has said which ruleset."""
        if self._rulings is None:
            ruleset = self._ruleset()
            if ruleset is None:
                raise WrongInput(N_("it is not said by which ruleset is played"))
            self._rulings = Rulings(ruleset)
            for reported in self.facts:
                self._rulings.add(reported.fact, reported.wall_ms)
            for decision in self._ruled:
                self._rulings.decide(decision)
        return self._rulings

    def turns(self, rulings: Iterable[Ruling], deals: Collection[DealKey] | None = None) -> list[Turn]:
        """Every turn, or those of these deals, by sequence number, with what the current rulings of the table add."""
        for reported in self._unturned:
            self._turns.add(reported.fact)
        self._unturned.clear()
        return self._turns.turns(rulings, deals)

    def reported(self, seq: int) -> Reported | None:
        """The fact of that number, as it is in the ledger."""
        place = bisect_left(self.facts, seq, key=_seq)
        return self.facts[place] if place < len(self.facts) and self.facts[place].fact.seq == seq else None

    def cursor(self, seq: int) -> int:
        """That fact's place in the ledger; 0 if it is not known."""
        reported = self.reported(seq)
        return 0 if reported is None else reported.cursor

    def latest(self) -> Reported | None:
        """The fact with the highest number."""
        return self.facts[-1] if self.facts else None


class _Kept(NamedTuple):
    """A fold as it was after the fact `done`."""

    done: int
    position: Position
    calls: Calls
    begun: bool


class _Fold:
    """Position and calls by the facts after `since`. `begun`: a game was set up, or went on, within them; `done`: the
    last fact that it was given.
    """

    __slots__ = ("_kept", "begun", "calls", "done", "position", "since")

    def __init__(self, since: int) -> None:
        self.since = since
        self._kept: list[_Kept] = []
        self.position, self.calls, self.begun, self.done = Position(), Calls(), since == 0, 0

    def go_back(self, before: int) -> None:
        """To some state before that fact, the latest that is kept."""
        if self.done < before:
            return
        while self._kept and self._kept[-1].done >= before:
            self._kept.pop()
        start = self._kept[-1] if self._kept else _Kept(0, Position(), Calls(), self.since == 0)
        self.done, self.begun = start.done, start.begun
        self.position, self.calls = deepcopy(start.position), deepcopy(start.calls)

    def take(self, fact: Fact) -> None:
        """The next fact of the box."""
        self.done = fact.seq
        if fact.seq > self.since:
            self.position.take(fact)
            self.calls.take(fact)
            if not self.begun:
                self.begun = fact.kind in _BEGINS
        if self.done >= (self._kept[-1].done if self._kept else 0) + KEPT_EVERY:
            self._kept.append(_Kept(self.done, deepcopy(self.position), deepcopy(self.calls), self.begun))
            del self._kept[:-KEPT]

    def open(self) -> tuple[Call, ...]:
        """What waits, see `Journal.calls`."""
        found = self.calls.open()
        if self.begun:
            return found
        asked = (call for call in found if call.kind in ("referee", "dispute"))
        return tuple(replace(call, seat=k.NOBODY, move=0, stopped=False) for call in asked)


class Dates:
    """When the boots of a journal began, on the clock that a screen goes by, as far as anybody can tell.

    A boot that the desk has told of is dated by its uptime, so that the host's wall clock may jump as it likes; any
    other by the wall time of its facts, once.
    """

    __slots__ = ("_began", "_wall")

    def __init__(self) -> None:
        self._began: dict[int, int] = {}
        self._wall: dict[int, int] = {}

    def told(self, boot: int, uptime_ms: int, at_ms: int) -> None:
        """The box was at that uptime at `at_ms` of the desk's clock."""
        self._began[boot] = at_ms - uptime_ms

    def recorded(self, boot: int, uptime_ms: int, wall_ms: int) -> None:
        """A fact of that uptime happened at this Unix time."""
        self._wall[boot] = wall_ms - uptime_ms

    def forget(self) -> None:
        """The screen goes by another clock from now on."""
        self._began.clear()

    def at(self, boot: int, uptime_ms: int, wall_ahead_ms: int) -> int | None:
        """When that was. `wall_ahead_ms`: Unix time minus the screen's clock. None: nobody can tell."""
        began = self._began.get(boot)
        if began is None:
            wall = self._wall.get(boot)
            if wall is None:
                return None
            began = self._began[boot] = wall - wall_ahead_ms
        return began + uptime_ms

    def uptime(self, boot: int, at_ms: int, wall_ahead_ms: int) -> int | None:
        """The uptime of that boot at `at_ms`, modulo 2**32 as boxes count it."""
        began = self.at(boot, 0, wall_ahead_ms)
        return None if began is None else (at_ms - began) & _UPTIME


def _seq(reported: Reported) -> int:
    return reported.fact.seq
