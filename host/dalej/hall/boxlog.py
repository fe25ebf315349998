"""One journal of one box as the ledger has it so far, and what the folds of the domain make of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from dalej.domain.calls import Call, Calls
from dalej.domain.positions import Position
from dalej.domain.rulesets import Ruleset
from dalej.domain.rulings import Decision, Ruling, Rulings
from dalej.domain.turns import Turn, Turns
from dalej.ledger import Reported

_UPTIME: Final = 0xFFFFFFFF


class BoxLog:
    """Facts of one `(box, epoch)`; they may be added in any order and repeatedly.

    `position` and `calls` are those after the last of them. Facts out of order cost a fold from the start, once,
    however many there were.
    """

    def __init__(self, box: str, epoch: int, ruleset: Ruleset, decisions: Iterable[Decision]) -> None:
        self.box = box
        self.epoch = epoch
        self.dates = Dates()
        self.top = 0  # the highest seq
        self._reported: list[Reported] = []
        self._position = Position()
        self._calls = Calls()
        self._open: tuple[Call, ...] | None = ()
        self._behind = False
        self._turns = Turns()
        self._unturned: list[Reported] = []  # those that `_turns` does not have yet
        self.play_by(ruleset, decisions)

    def play_by(self, ruleset: Ruleset, decisions: Iterable[Decision]) -> None:
        """Rule anew, by this ruleset and all decisions so far."""
        self._rulings = Rulings(ruleset)
        self._ruled: list[Ruling] | None = None
        for reported in self._reported:
            self._rulings.add(reported.fact)
        for decision in decisions:
            self._rulings.decide(decision)

    def add(self, reported: Reported) -> bool:
        """Take in one fact; False if it is known."""
        fact, known = reported.fact, self._reported
        if fact.seq > self.top:
            known.append(reported)
            self.top = fact.seq
            if not self._behind:
                self._position.take(fact)
                self._calls.take(fact)
        else:
            place = bisect_left(known, fact.seq, key=_seq)
            if place < len(known) and known[place].fact.seq == fact.seq:
                return False
            known.insert(place, reported)
            self._behind = True
        self._open = self._ruled = None
        self._unturned.append(reported)
        self._rulings.add(fact)
        if reported.wall_ms is not None:
            self.dates.recorded(fact.boot, fact.uptime_ms, reported.wall_ms)
        return True

    def decide(self, decision: Decision) -> None:
        """A decision, of whatever kind; Damaged if it says nothing."""
        self._rulings.decide(decision)
        self._ruled = None

    @property
    def position(self) -> Position:
        """Where the table stands; read it, do not keep it."""
        if self._behind:
            self._behind = False
            self._position, self._calls = Position(), Calls()
            for reported in self._reported:
                self._position.take(reported.fact)
                self._calls.take(reported.fact)
        return self._position

    def calls(self) -> tuple[Call, ...]:
        """What waits for a person."""
        if self._open is None:
            _ = self.position
            self._open = self._calls.open()
        return self._open

    def rulings(self) -> list[Ruling]:
        """The current ones, by sequence number."""
        if self._ruled is None:
            self._ruled = self._rulings.current()
        return self._ruled

    def turns(self) -> list[Turn]:
        """Every turn, by sequence number, with what the current rulings add."""
        for reported in self._unturned:
            self._turns.add(reported.fact)
        self._unturned.clear()
        return self._turns.turns(self.rulings())

    def reported(self, seq: int) -> Reported | None:
        """The fact of that number, as it is in the ledger."""
        place = bisect_left(self._reported, seq, key=_seq)
        if place < len(self._reported) and self._reported[place].fact.seq == seq:
            return self._reported[place]
        return None

    def latest(self) -> Reported | None:
        """The fact with the highest number."""
        return self._reported[-1] if self._reported else None


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
