"""Which of the games that boxes tell of is which game of a round: the k-th that was begun at the table since the round
was drawn, in the time in which it was played. A spare box that took over goes on with the game of the box before,
unless it was taken back from the table before it ended that game.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from dalej.domain.game.games import BoxGame, BoxGames
from dalej.domain.tournament.tournament import GameAt, RoundKey, Tournament
from dalej.event.boxplaces import BoxTables
from dalej.event.ledger import Entry, Reported
from dalej.event.reading import Reading
from dalej.event.tables import Tables
from moveclock import facts as k

PUT_BACK: Final = "desk"  # ended so, and taken over under its number: a referee has put the table back

BegunGame = tuple[Reported, BoxGame]  # the fact that began it, and all that its box has told of it
Placed = tuple[int, int, BoxGame]  # its table, and the cursor of the fact that began it

_TOLD_ANEW: Final = frozenset({
    k.CONFIGURED, k.GAME_STARTED, k.GAME_ENDED, k.GAME_REOPENED, k.GAME_REDEALT, k.SEAT_WITHDRAWN, k.OPENING_ANNOUNCED,
})  # fmt: skip


def games_of_round(
    reading: Reading, state: Tournament, key: RoundKey, tables: Sequence[int] | None = None, *, lately: bool = False
) -> dict[GameAt, BoxGame]:
    """What boxes know of the games of a round, at some tables or at all of them; {} where there is no box. `lately`:
    as of when one of them began or ended; what does not change a screen costs nothing then.
    """
    return reading.fold(RoundGames).of_round(reading.fold(Tables), state, key, tables, lately=lately)


class RoundGames:
    """What each box has told of its games, gone on with when it says more. `reads`: how often that was."""

    def __init__(self) -> None:
        self.reads = 0
        self._told: dict[str, _Told] = {}
        self._news: set[str] = set()  # boxes that have begun or ended a game since
        self._stands = self._sits = -1  # by which version of where boxes stand, and of who sits where
        self._lately: tuple[RoundKey, int, dict[GameAt, BoxGame]] | None = None  # of that state of the tournament

    def take(self, entry: Entry) -> None:
        """The next entry, of whatever kind."""
        if isinstance(entry, Reported):
            box = entry.fact.box
            if self._told.setdefault(box, _Told()).add(entry):
                self._news.add(box)

    def of_round(
        self, event: Tables, state: Tournament, key: RoundKey, tables: Sequence[int] | None, *, lately: bool
    ) -> dict[GameAt, BoxGame]:
        """As `games_of_round`."""
        if event.boxes.version != self._stands:
            self._stands, self._lately = event.boxes.version, None
            for told in self._told.values():
                told.forget()
        if event.people.version != self._sits:
            self._sits = event.people.version
            for told in self._told.values():
                told.placed = None
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
        begun: dict[int, list[tuple[int, BoxGame]]] = {}
        for box in boxes:
            for table, cursor, game in self._of_box(event, box, lately).get(key, ()):
                begun.setdefault(table, []).append((cursor, game))
        return {
            GameAt(seats.table, number): game
            for seats in one.seating.tables
            if tables is None or seats.table in tables
            for number, game in enumerate(_whole(begun.get(seats.table, [])), start=1)
            if number <= one.stage.games
        }

    def _of_box(self, event: Tables, box: str, lately: bool) -> Mapping[RoundKey, Sequence[Placed]]:
        """By round."""
        told = self._told.get(box)
        if told is None:
            return {}
        if told.games is None or not (told.is_read or (lately and box not in self._news)):
            self.reads += 1
            self._lately = None
            told.read_on(event.boxes)
            self._news.discard(box)
        if told.placed is None:
            told.placed = _placed(event, told.games or ())
        return told.placed


def _placed(event: Tables, games: Sequence[BegunGame]) -> Mapping[RoundKey, Sequence[Placed]]:
    found: dict[RoundKey, list[Placed]] = {}
    for begun, game in games:
        table = event.boxes.table_of_fact(game.box, game.epoch, game.begun)
        key = event.people.seatings.times.round_of(begun)
        idle = game.takes_over and game.ended is None
        undone = idle and event.boxes.is_undone(game.box, game.epoch, game.begun)
        if table is not None and key is not None and not undone:
            found.setdefault(key, []).append((table, begun.cursor, game))
    return found


class _Told:
    """All that one box has told, in its own order. `games`: as they were read last; None: they have to be read from the
    first fact on. `placed`: the same by rounds; None: to be looked up.

    A game counts where it was set up: one that the next table plays under its number does not replace the one that was
    left there unended.
    """

    def __init__(self) -> None:
        self.games: Sequence[BegunGame] | None = None
        self.placed: Mapping[RoundKey, Sequence[Placed]] | None = None
        self._facts: list[Reported] = []
        self._set_up: dict[tuple[int, int], int] = {}  # epoch and number of a game -> the fact that set it up last
        self._dealt: dict[tuple[int, int], int] = {}  # the same of those games that have begun: the last that dealt one
        self.forget()

    def forget(self) -> None:
        """What was read: where the box stood may be another table by now, or a fact came late."""
        self.games = None
        self._set_up_at: defaultdict[int | None, BoxGames] = defaultdict(BoxGames)
        self._at: int | None = None
        self._folded = 0

    def add(self, reported: Reported) -> bool:
        """The next fact that came; whether a game has begun or ended by it."""
        fact, known = reported.fact, self._facts
        if known and _place(reported) <= _place(known[-1]):
            known.insert(bisect_left(known, _place(reported), key=_place), reported)
            self.forget()
        else:
            known.append(reported)
        game = fact.epoch, fact.game
        if fact.kind == k.CONFIGURED:
            self._set_up[game] = max(fact.seq, self._set_up.get(game, 0))
        unknown = self._dealt.get(game, -1) < self._set_up.get(game, 0)
        return fact.kind in _TOLD_ANEW or (bool(fact.move) and unknown)

    @property
    def is_read(self) -> bool:
        """Whether it has told nothing since."""
        return self._folded == len(self._facts)

    def read_on(self, boxes: BoxTables) -> None:
        """What it has told since."""
        for reported in self._facts[self._folded :]:
            fact = reported.fact
            if fact.kind == k.CONFIGURED:
                self._at = boxes.table_of_fact(fact.box, fact.epoch, fact.seq)
            self._set_up_at[self._at].add(fact)
        self._folded = len(self._facts)
        games = [game for of_table in self._set_up_at.values() for game in of_table.games()]
        self._dealt = {(game.epoch, game.game): game.dealt for game in sorted(games, key=lambda one: one.dealt)}
        self.games = [(self._reported(game.epoch, game.begun), game) for game in games]
        self.placed = None

    def _reported(self, epoch: int, seq: int) -> Reported:
        return self._facts[bisect_left(self._facts, (epoch, seq), key=_place)]


def _place(reported: Reported) -> tuple[int, int]:
    return reported.fact.epoch, reported.fact.seq


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
