"""Which of the games that boxes tell of is which game of a round: the k-th that was begun at the table since the round
was drawn, in the time in which it was played. A spare box that took over goes on with the game of the box before,
unless it was taken back from the table before it ended that game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dalej.domain.game.facts import Fact
from dalej.domain.game.games import BoxGame, box_games
from dalej.domain.tournament.tournament import SEATING, GameAt, RoundKey, Tournament
from dalej.event.boxplaces import STAND, BoxTables
from dalej.event.ledger import ASSIGN, REVOKE, Decision, Entry, Reported
from dalej.event.reading import Reading
from dalej.event.tables import Tables
from moveclock import facts as k

PUT_BACK: Final = "desk"  # ended so, and taken over under its number: a referee has put the table back

BegunGame = tuple[Reported, BoxGame]  # the fact that began it, and all that its box has told of it

_TOLD_ANEW: Final = frozenset({
    k.CONFIGURED, k.GAME_STARTED, k.GAME_ENDED, k.GAME_REOPENED, k.GAME_REDEALT, k.SEAT_WITHDRAWN, k.OPENING_ANNOUNCED,
})  # fmt: skip
_PLACES: Final = frozenset({SEATING, ASSIGN, STAND, REVOKE})  # decisions that say where or when a game was played


def games_of_round(
    reading: Reading, state: Tournament, key: RoundKey, tables: Sequence[int] | None = None, *, lately: bool = False
) -> dict[GameAt, BoxGame]:
    """What boxes know of the games of a round, at some tables or at all of them; {} where there is no box. `lately`:
    as of when one of them began or ended; what does not change a screen costs nothing then.
    """
    return reading.fold(RoundGames).of_round(reading.fold(Tables), state, key, tables, lately=lately)


class RoundGames:
    """What each box has told of its games, gone through again only when it says more. `reads`: how often any was."""

    def __init__(self) -> None:
        self.reads = 0
        self._told: defaultdict[str, list[Reported]] = defaultdict(list)
        self._of_box: dict[str, tuple[int, list[BegunGame]]] = {}  # with how many facts there were
        self._numbers: dict[str, set[tuple[int, int]]] = {}  # epoch and number of the games known of a box
        self._news: set[str] = set()  # boxes that have begun or ended a game since
        self._lately: tuple[RoundKey, int, dict[GameAt, BoxGame]] | None = None  # of that state of the tournament

    def take(self, entry: Entry) -> None:
        """The next entry, of whatever kind."""
        if isinstance(entry, Decision):
            if entry.kind in _PLACES or entry.revokes is not None:
                self._of_box.clear()
                self._lately = None
        elif isinstance(entry, Reported):
            self._told[entry.fact.box].append(entry)
            if self._is_news(entry):
                self._news.add(entry.fact.box)

    def _is_news(self, entry: Reported) -> bool:
        fact = entry.fact
        if fact.kind in _TOLD_ANEW:
            return True
        return bool(fact.move) and (fact.epoch, fact.game) not in self._numbers.get(fact.box, ())

    def of_round(
        self, event: Tables, state: Tournament, key: RoundKey, tables: Sequence[int] | None, *, lately: bool
    ) -> dict[GameAt, BoxGame]:
        """As `games_of_round`."""
        if not lately:
            boxes = (
                self._told if tables is None else {box: None for table in tables for box in event.boxes.boxes(table)}
            )
            return self._found(event, state, key, boxes, tables, lately=False)
        if self._news or self._lately is None or self._lately[:2] != (key, state.changed):
            self._lately = key, state.changed, self._found(event, state, key, self._told, None, lately=True)
        whole = self._lately[2]
        return whole if tables is None else {at: game for at, game in whole.items() if at.table in tables}

    def _found(
        self, event: Tables, state: Tournament, key: RoundKey, boxes: Iterable[str], tables: Sequence[int] | None, *,
        lately: bool,
    ) -> dict[GameAt, BoxGame]:  # fmt: skip
        one = state.rounds.get(key)
        if one is None or one.seating is None:
            return {}
        begun = self._of_boxes(event, boxes, lately)
        return {
            GameAt(seats.table, number): game
            for seats in one.seating.tables
            if tables is None or seats.table in tables
            for number, game in enumerate(_whole(begun.get((key, seats.table), [])), start=1)
            if number <= one.stage.games
        }

    def _of_boxes(
        self, event: Tables, boxes: Iterable[str], lately: bool
    ) -> dict[tuple[RoundKey, int], list[tuple[int, BoxGame]]]:
        """By round and table: when each was begun, and what its box tells."""
        found: dict[tuple[RoundKey, int], list[tuple[int, BoxGame]]] = {}
        for box in boxes:
            for begun, game in self._games_of(box, event.boxes, lately):
                table = event.boxes.table_of_fact(box, game.epoch, game.begun)
                key = event.people.seatings.times.round_of(begun)
                idle = game.takes_over and game.ended is None
                undone = idle and event.boxes.is_undone(box, game.epoch, game.begun)
                if table is not None and key is not None and not undone:
                    found.setdefault((key, table), []).append((begun.cursor, game))
        return found

    def _games_of(self, box: str, boxes: BoxTables, lately: bool) -> list[BegunGame]:
        reported = self._told.get(box, [])
        count, known = self._of_box.get(box, (-1, []))
        if count == len(reported) or (count >= 0 and lately and box not in self._news):
            return known
        self.reads += 1
        self._lately = None
        of_key = {(told.fact.epoch, told.fact.seq): told for told in reported}
        known = [(of_key[game.epoch, game.begun], game) for game in _games(reported, boxes)]
        self._of_box[box] = len(reported), known
        self._numbers[box] = {(game.epoch, game.game) for _, game in known}
        self._news.discard(box)
        return known


def _games(reported: Iterable[Reported], boxes: BoxTables) -> Iterator[BoxGame]:
    """The games of one box, by where they were set up: a game that the next table plays under its number does not
    replace the one that was left there unended.
    """
    at: int | None = None
    set_up_at: defaultdict[int | None, list[Fact]] = defaultdict(list)
    for fact in sorted((told.fact for told in reported), key=lambda fact: (fact.epoch, fact.seq)):
        if fact.kind == k.CONFIGURED:
            at = boxes.table_of_fact(fact.box, fact.epoch, fact.seq)
        set_up_at[at].append(fact)
    return (game for facts in set_up_at.values() for game in box_games(facts))


def _whole(games: list[tuple[int, BoxGame]]) -> Iterator[BoxGame]:
    """The games in the order they were begun, each with what a spare box tells of its end, also if somebody ended it
    at the replaced box too. One that never ended and was set up again under its number, at another box or after this
    one was erased, is none.
    """
    whole: list[BoxGame] = []
    for _, game in sorted(games, key=lambda one: one[0]):
        before = whole[-1] if whole else None
        if before is not None and game.takes_over and before.game == game.game and _goes_on(before, game):
            whole[-1] = before.taken_over_by(game)
        elif before is not None and before.ended is None and before.game == game.game:
            whole[-1] = game
        else:
            whole.append(game)
    return iter(whole)


def _goes_on(before: BoxGame, game: BoxGame) -> bool:
    return before.ended in (None, PUT_BACK) or (before.box, before.epoch) != (game.box, game.epoch)
