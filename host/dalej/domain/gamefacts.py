"""Facts sorted into games: in whatever order they arrive, however often, each game's facts are the same list.

This is what makes a fold over them safe to repeat: a replay adds nothing, a late fact takes its place by its number.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dalej.domain.facts import Fact
from moveclock import facts as k


class GameKey(NamedTuple):
    """One game as one box counted it. A box may count the same number again after it was set up anew: see `deals`."""

    box: str
    epoch: int
    game: int


class GameFacts:
    """The facts of the given kinds that belong to a game, by game, in the order of the box."""

    def __init__(self, kinds: Collection[int]) -> None:
        self._kinds = frozenset(kinds) | {k.CONFIGURED, k.GAME_REDEALT}
        self._games: dict[GameKey, list[Fact]] = {}

    def add(self, fact: Fact) -> GameKey | None:
        """Sort in one fact. The game it changed; None if it is known already, of another kind, or of no game."""
        if not fact.game or fact.kind not in self._kinds:
            return None
        key = GameKey(fact.box, fact.epoch, fact.game)
        known = self._games.setdefault(key, [])
        place = len(known)
        if known and fact.seq <= known[-1].seq:
            place = bisect_left(known, fact.seq, key=_seq)
            if known[place].seq == fact.seq:
                return None
        known.insert(place, fact)
        return key

    def add_all(self, facts: Iterable[Fact]) -> None:
        """Sort in all of them; they may come in any order and repeatedly."""
        for fact in facts:
            self.add(fact)

    def games(self) -> list[GameKey]:
        """Every game of which there is a fact."""
        return list(self._games)

    def deals(self, key: GameKey) -> Iterator[Deal]:
        """The game's facts, cut where the tiles were dealt anew; each deal counts its moves from 1."""
        start = 0
        facts = self._games.get(key, [])
        for place, fact in enumerate(facts):
            if fact.kind in (k.CONFIGURED, k.GAME_REDEALT) and place > start:
                yield Deal(facts[start:place], fact.kind == k.GAME_REDEALT)
                start = place
        if facts[start:]:
            yield Deal(facts[start:], False)


@dataclass(frozen=True, slots=True)
class Deal:
    """The facts from one deal of the tiles to the next; `void` if the players asked for a redeal."""

    facts: Sequence[Fact]
    void: bool


def _seq(fact: Fact) -> int:
    return fact.seq
