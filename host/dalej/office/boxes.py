"""Which of the games that boxes tell of is which game of a round: the k-th that was begun at the table since the round
was seated. A spare box that took over goes on with the game of the box before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dalej import eventlog
from dalej.domain.boxgames import BoxGame, box_games
from dalej.domain.tournament import SEATING, GameAt, RoundKey, Tournament
from dalej.ledger import ASSIGN, Baseline, Decision, Ledger, Reported, baseline_of

_FAR: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class Since:
    """An instant of the event: a place in the ledger, and Unix time in ms."""

    cursor: int
    wall_ms: int


class Assigned:
    """Which table a box's fact belongs to: of its standing assignments the latest from before it; else the table that
    the log gives the box.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._of_journal: dict[tuple[str, int], list[Baseline]] = {}
        for decision in ledger.decisions(ASSIGN, standing=True):
            one = baseline_of(decision)
            self._of_journal.setdefault((one.box, one.epoch), []).append(one)
        self._tables = eventlog.tables(ledger)

    def table_of(self, box: str, epoch: int, seq: int) -> int | None:
        """None: before the box was given to any table."""
        assigned = self._of_journal.get((box, epoch))
        if assigned is None:
            return self._tables.get(box)
        return next((one.table for one in reversed(assigned) if one.seq < seq), None)

    def boxes(self, tables: Iterable[int]) -> list[str]:
        """Boxes that stand or stood on one of these tables."""
        wanted = set(tables)
        assigned = {one.box: None for all_of in self._of_journal.values() for one in all_of if one.table in wanted}
        return list(assigned | {box: None for box, table in self._tables.items() if table in wanted})


class BoxGames:
    """The games that the boxes of some tables, or of all, have told of; read once."""

    def __init__(self, ledger: Ledger, tables: Sequence[int] | None = None) -> None:
        self._seatings = ledger.decisions(SEATING, standing=True)
        self._only = None if tables is None else frozenset(tables)
        self._begun: dict[int, list[tuple[Reported, BoxGame]]] = {}
        assigned = Assigned(ledger)
        boxes = dict.fromkeys(one.box for one in ledger.boxes()) if tables is None else assigned.boxes(tables)
        for box in boxes:
            reported = list(ledger.facts(box))
            of_key = {(told.fact.epoch, told.fact.seq): told for told in reported}
            for game in box_games(told.fact for told in reported):
                table = assigned.table_of(box, game.epoch, game.begun)
                if table is not None and (self._only is None or table in self._only):
                    self._begun.setdefault(table, []).append((of_key[game.epoch, game.begun], game))

    def of_round(self, state: Tournament, key: RoundKey) -> dict[GameAt, BoxGame]:
        """Those of one round; {} where there is no box."""
        one = state.rounds.get(key)
        if one is None or one.seating is None:
            return {}
        begin, end = _span(self._seatings, state, key)
        played = {
            table: [(begun.cursor, game) for begun, game in games if _within(begun, begin, end)]
            for table, games in self._begun.items()
            if one.seating.at(table) is not None
        }
        return {
            GameAt(table, number): game
            for table, games in played.items()
            for number, game in enumerate(_whole(games), start=1)
            if number <= one.stage.games
        }


def games_of_round(
    ledger: Ledger, state: Tournament, key: RoundKey, tables: Sequence[int] | None = None
) -> dict[GameAt, BoxGame]:
    """What boxes know of the games of a round, at some tables or at all of them; {} where there is no box."""
    return BoxGames(ledger, tables).of_round(state, key)


def _span(seatings: Sequence[Decision], state: Tournament, key: RoundKey) -> tuple[Since, Since]:
    """From when the round was seated until the next one was."""
    begin = _first(seatings, key)
    later = [_first(seatings, other) for other in list(state.rounds)[list(state.rounds).index(key) + 1 :]]
    end = min((one for one in later if one is not None), key=lambda one: one.cursor, default=None)
    return begin or Since(0, 0), end or Since(_FAR, _FAR)


def _first(seatings: Sequence[Decision], key: RoundKey) -> Since | None:
    """When a round was first seated as it still stands, moves by hand apart."""
    subject = f"{SEATING}:{key.stage}:{key.round}"
    return next((Since(one.cursor, one.when_ms) for one in seatings if one.subject == subject), None)


def _within(begun: Reported, begin: Since, end: Since) -> bool:
    if begun.wall_ms is not None and not begin.wall_ms <= begun.wall_ms < end.wall_ms:
        return False  # told late, of a game that was played before
    return begin.cursor < begun.cursor and (begun.wall_ms is not None or begun.cursor < end.cursor)


def _whole(games: list[tuple[int, BoxGame]]) -> Iterator[BoxGame]:
    """The games in the order they were begun, each with what a spare box tells of its end."""
    whole: list[BoxGame] = []
    for _, game in sorted(games, key=lambda one: one[0]):
        before = whole[-1] if whole else None
        if before is not None and game.takes_over and before.ended is None and before.game == game.game:
            whole[-1] = before.taken_over_by(game)
        else:
            whole.append(game)
    return iter(whole)
