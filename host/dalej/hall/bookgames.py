"""The games that boxes tell of, kept up to date: of each box its facts are read again only when they say that one of
its games began, ended, was taken over or is otherwise told about anew. A game that merely goes on is not: how many
tiles its bank has is that of when it was read last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from dalej.domain.boxgames import BoxGame
from dalej.domain.tournament import SEATING, GameAt, RoundKey, Tournament
from dalej.ledger import ASSIGN, REVOKE, Decision, Entry, Ledger, Reported
from dalej.office.boxes import Assigned, BegunGame, BoxGames, games_of_box
from dalej.office.boxplaces import STAND
from moveclock import facts as k

_TOLD_ANEW: Final = frozenset({
    k.CONFIGURED, k.GAME_STARTED, k.GAME_ENDED, k.GAME_REOPENED, k.GAME_REDEALT, k.SEAT_WITHDRAWN, k.OPENING_ANNOUNCED,
})  # fmt: skip
_PLACES: Final = frozenset({SEATING, ASSIGN, STAND, REVOKE})  # decisions that say where or when a game was played


class KnownGames:
    """Of every box what it has told; `take` each new entry, then ask. `reads`: boxes read from their facts so far."""

    def __init__(self) -> None:
        self.reads = 0
        self._of_box: dict[str, list[BegunGame]] = {}
        self._numbers: dict[str, set[tuple[int, int]]] = {}  # epoch and number of the games known of a box
        self._games: BoxGames | None = None

    def take(self, entry: Entry) -> None:
        """What that entry makes out of date."""
        if isinstance(entry, Decision):
            if entry.kind in _PLACES:
                self._games = None
                if entry.kind != SEATING:
                    self._of_box.clear()
        elif isinstance(entry, Reported) and self._is_news(entry):
            self._of_box.pop(entry.fact.box, None)
            self._games = None

    def of_round(self, ledger: Ledger, state: Tournament, key: RoundKey) -> Mapping[GameAt, BoxGame]:
        """The games of a round; {} where there is no box."""
        if self._games is None:
            self._games = BoxGames(ledger, told_by=lambda box, assigned: self._told_by(ledger, box, assigned))
        return self._games.of_round(state, key)

    def _told_by(self, ledger: Ledger, box: str, assigned: Assigned) -> Sequence[BegunGame]:
        known = self._of_box.get(box)
        if known is None:
            self.reads += 1
            known = self._of_box[box] = games_of_box(ledger, box, assigned)
            self._numbers[box] = {(game.epoch, game.game) for _, game in known}
        return known

    def _is_news(self, entry: Reported) -> bool:
        fact = entry.fact
        if fact.kind in _TOLD_ANEW:
            return True
        return bool(fact.move) and (fact.epoch, fact.game) not in self._numbers.get(fact.box, ())
