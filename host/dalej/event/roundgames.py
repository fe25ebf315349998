"""Which of the games that boxes tell of is which game of a round: the k-th that was begun at the table since the round
was drawn, in the time in which it was played. A spare box that took over goes on with the game of the box before,
unless it was taken back from the table before it ended that game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.game.facts import Fact
from dalej.domain.game.games import BoxGame, box_games
from dalej.domain.tournament.bodies import Body
from dalej.domain.tournament.tournament import MOVED, SEATING, GameAt, RoundKey, Tournament
from dalej.event import eventlog
from dalej.event.ledger import REVOKE, Decision, Ledger, Reported
from moveclock import facts as k

PUT_BACK: Final = "desk"  # ended so, and taken over under its number: a referee has put the table back


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
        self._decided = eventlog.boxes_and_tables(ledger)
        self._tables = eventlog.tables(ledger)

    def table_of(self, box: str, epoch: int, seq: int) -> int | None:
        """None: before the box was given to any table."""
        return self._decided.table_of_fact(box, epoch, seq, self._tables.get(box))

    def is_undone(self, box: str, epoch: int, seq: int) -> bool:
        """Whether that is its table by a step that has been undone since."""
        return self._decided.is_undone(box, epoch, seq)

    def boxes(self, tables: Iterable[int]) -> list[str]:
        """Boxes that stand or stood on one of these tables."""
        wanted = set(tables)
        counted = dict.fromkeys(box for table in wanted for box in self._decided.boxes(table))
        return list(counted | {box: None for box, table in self._tables.items() if table in wanted})


BegunGame = tuple[Reported, BoxGame]  # the fact that began it, and all that its box has told of it
ToldBy = Callable[[str, Assigned], Sequence[BegunGame]]


def games_of_box(ledger: Ledger, box: str, assigned: Assigned) -> list[BegunGame]:
    """Every game of one box, read from all its facts."""
    reported = list(ledger.facts(box))
    of_key = {(told.fact.epoch, told.fact.seq): told for told in reported}
    return [(of_key[game.epoch, game.begun], game) for game in _games(reported, assigned)]


class BoxGames:
    """The games that the boxes of some tables, or of all, have told of; read once. `told_by`: answers for a box in
    place of `games_of_box`, whoever has read its games already.
    """

    def __init__(self, ledger: Ledger, tables: Sequence[int] | None = None, told_by: ToldBy | None = None) -> None:
        self._begun: dict[tuple[RoundKey, int], list[tuple[int, BoxGame]]] = {}  # by round and table, when
        only = None if tables is None else frozenset(tables)
        assigned, times = Assigned(ledger), PlayingTimes(ledger)
        boxes = dict.fromkeys(one.box for one in ledger.boxes()) if tables is None else assigned.boxes(tables)
        for box in boxes:
            for begun, game in games_of_box(ledger, box, assigned) if told_by is None else told_by(box, assigned):
                table = assigned.table_of(box, game.epoch, game.begun)
                key = times.round_of(begun)
                undone = game.takes_over and game.ended is None and assigned.is_undone(box, game.epoch, game.begun)
                if table is not None and key is not None and (only is None or table in only) and not undone:
                    self._begun.setdefault((key, table), []).append((begun.cursor, game))

    def of_round(self, state: Tournament, key: RoundKey) -> dict[GameAt, BoxGame]:
        """Those of one round; {} where there is no box."""
        one = state.rounds.get(key)
        if one is None or one.seating is None:
            return {}
        return {
            GameAt(seats.table, number): game
            for seats in one.seating.tables
            for number, game in enumerate(_whole(self._begun.get((key, seats.table), [])), start=1)
            if number <= one.stage.games
        }


def _games(reported: Iterable[Reported], assigned: Assigned) -> Iterator[BoxGame]:
    """The games of one box, by where they were set up: a game that the next table plays under its number does not
    replace the one that was left there unended.
    """
    at: int | None = None
    set_up_at: defaultdict[int | None, list[Fact]] = defaultdict(list)
    for fact in sorted((told.fact for told in reported), key=lambda fact: (fact.epoch, fact.seq)):
        if fact.kind == k.CONFIGURED:
            at = assigned.table_of(fact.box, fact.epoch, fact.seq)
        set_up_at[at].append(fact)
    return (game for facts in set_up_at.values() for game in box_games(facts))


class PlayingTimes:
    """In which round a game was begun: in the last one that was seated then. So a round goes on from when it is opened
    again, because that takes back the seating of the next one.
    """

    def __init__(self, ledger: Ledger) -> None:
        seatings = ledger.decisions(SEATING)
        revoked_ms = {one.cursor: one.when_ms for one in ledger.decisions(REVOKE)}
        self._spans = list(_spans(seatings, revoked_ms))
        self._drawn: dict[RoundKey, Since] = {}
        for one in seatings:
            key = Body(one).round_key()
            if one.revoked_by is None and (key not in self._drawn or one.body.get("how") != MOVED):
                self._drawn[key] = Since(one.cursor, one.when_ms)

    def round_of(self, begun: Reported) -> RoundKey | None:
        """None if nobody sat in a round then, or they sat as they had before everybody was drawn anew."""
        key = next((key for since, key in reversed(self._spans) if _after(begun, since)), None)
        drawn = None if key is None else self._drawn.get(key)
        return key if drawn is not None and _after(begun, drawn) else None


def _spans(seatings: Iterable[Decision], revoked_ms: Mapping[int, int]) -> Iterator[tuple[Since, RoundKey | None]]:
    """From when on a game that is begun belongs to which round, one after the other."""
    changes = []
    for one in seatings:
        key = Body(one).round_key()
        changes.append((Since(one.cursor, one.when_ms), key, 1))
        if one.revoked_by is not None:
            changes.append((Since(one.revoked_by, revoked_ms.get(one.revoked_by, one.when_ms)), key, -1))
    changes.sort(key=lambda change: change[0].cursor)
    in_order = dict.fromkeys(key for _, key, _ in changes)
    stand: Counter[RoundKey] = Counter()
    for since, key, more in changes:
        stand[key] += more
        yield since, next((one for one in reversed(in_order) if stand[one]), None)


def games_of_round(
    ledger: Ledger, state: Tournament, key: RoundKey, tables: Sequence[int] | None = None
) -> dict[GameAt, BoxGame]:
    """What boxes know of the games of a round, at some tables or at all of them; {} where there is no box."""
    return BoxGames(ledger, tables).of_round(state, key)


def _after(begun: Reported, since: Since) -> bool:
    """What the desk has heard before an instant is older than it, whatever the clock says by which a box's times are
    told; what it heard later may have been told late.
    """
    return begun.cursor > since.cursor and (begun.wall_ms is None or begun.wall_ms >= since.wall_ms)


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
