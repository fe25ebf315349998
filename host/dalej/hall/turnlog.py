"""The turns of a table as people read them, and what they cost: from all journals in which the table was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from dalej.domain.handover import whole
from dalej.domain.parts import Part
from dalej.domain.rulings import FactKey
from dalej.domain.tablerulings import GameRulings, Told, broken_off, games_ruled
from dalej.domain.turns import Turn
from dalej.hall.boxlog import BoxLog
from dalej.hall.people import Names
from dalej.hall.places import Places
from dalej.hall.seen import SeenTurn
from dalej.ledger import Reported
from dalej.words import readable

NOT_COUNTED: Final = -1

Penalties = tuple[int, int, int, int]

NO_PENALTIES: Final[Penalties] = (0, 0, 0, 0)


def seen_turns(
    table: int, logs: Iterable[BoxLog], places: Places, counted: Counted, who: Mapping[int, str]
) -> list[SeenTurn]:
    """Every turn that was made at the table, oldest first. `who` made the decisions, by their cursors."""
    found: list[tuple[int, int, Turn]] = []
    of_journal = {(log.box, log.epoch): log for log in logs}
    games = _games(table, of_journal.values(), counted)
    ruled = [ruling for game in games for ruling in game.current()]  # wherever the box was when a time was over
    for log in of_journal.values():
        place = 0
        for turn in log.turns(ruled):
            if places.table_of_fact(log.box, log.epoch, turn.seq) == table and not _was_taken_back(turn, places):
                place = max(place, _cursor(log, turn.seq))  # facts that came late stand where the box has them
                found.append((places.counts_by(log.box, log.epoch, turn.seq), place, turn))
    found.sort(key=lambda one: one[:2])
    begun = {part.deal: begun_by(game, of_journal.values()) for game in games for part in game.game.parts}
    seen = []
    for turn in whole((turn for _, _, turn in found), broken_off(games)):
        then = _cursor(of_journal[turn.box, turn.epoch], turn.seq)
        seen.append(_seen(turn, places.people.names(table, then, begun.get(turn.deal)), who))
    return seen


def _was_taken_back(turn: Turn, places: Places) -> bool:
    """A box was to go on with that move, and was given elsewhere before it did."""
    untouched = turn.takes_over and turn.elapsed_ms is None and turn.overrun_ms is None
    return untouched and places.is_undone(turn.box, turn.epoch, turn.seq)


def _cursor(log: BoxLog, seq: int) -> int:
    first = log.reported(seq)
    return 0 if first is None else first.cursor


class _At(NamedTuple):
    """Where a part counts: `last` its last fact then, `began` the cursor of its first."""

    last: int
    tables: frozenset[int | None]
    undone: bool
    counts_by: int
    began: int
    round: int


class Counted:
    """Where the games that boxes tell of count, looked up once until somebody decides otherwise."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._version = -1
        self._found: dict[tuple[str, int, int], _At] = {}

    def at(self, log: BoxLog, part: Part) -> _At:
        """Of a part that the journal tells of."""
        if self._version != self._places.version:
            self._version = self._places.version
            self._found.clear()
        key = (log.box, log.epoch, part.begun)
        found = self._found.get(key)
        if found is None or found.last != part.last:
            found = self._found[key] = self._look(log, part)
        return found

    def _look(self, log: BoxLog, part: Part) -> _At:
        places, box, epoch = self._places, log.box, log.epoch
        began = _cursor(log, part.begun)
        return _At(
            part.last, frozenset(places.table_of_fact(box, epoch, seq) for seq in (part.begun, part.last)),
            places.is_undone(box, epoch, part.begun), places.counts_by(box, epoch, part.begun), began,
            places.people.round_at(began),
        )  # fmt: skip


def _games(table: int, logs: Iterable[BoxLog], counted: Counted, game: int | None = None) -> list[GameRulings]:
    """What was ruled in the games of the table; with a `game` only in the last ones, if they are of that number."""
    found: list[tuple[tuple[int, int], Told]] = []
    for log in logs:
        place = 0
        for part in log.ruled.parts():
            at = counted.at(log, part)
            if table not in at.tables or (part.move and part.idle and at.undone):
                continue
            place = max(place, at.began)
            found.append(((at.counts_by, place), Told(at.round, part, log.ruled)))
    found.sort(key=lambda one: one[0])
    in_order = [one for _, one in found]
    if game is not None:
        in_order = in_order[_last_ones(in_order, game) :]
    return games_ruled(in_order)


def _last_ones(told: list[Told], game: int) -> int:
    """Where the parts of that game begin which no part of another follows."""
    place = len(told)
    while place and told[place - 1].part.deal.game == game:
        place -= 1
    return place


def game_on(table: int, log: BoxLog, logs: Iterable[BoxLog], counted: Counted) -> GameRulings | None:
    """What the box of the journal `log` plays at the table, or has played last and not dealt since; None: it has dealt
    and nobody has moved, or nothing is known. In the other `logs` the game may have begun.
    """
    found = _games(table, logs, counted, log.position.game)
    return found[-1] if found and _is_on(found[-1], log) else None


def begun_by(game: GameRulings, logs: Iterable[BoxLog]) -> Reported | None:
    """The fact that began the game, at whichever box; None if no log tells it."""
    first = game.game.parts[0]
    log = next((log for log in logs if (log.box, log.epoch) == first.deal[:2]), None)
    return None if log is None else log.reported(first.begun)


def penalties(table: int, game: GameRulings, places: Places) -> Penalties:
    """Tiles that each seat of the table was ruled in the game."""
    tiles = [0, 0, 0, 0]
    for ruling in game.current():
        if ruling.seat < len(tiles) and _is_of_table(ruling.of, game, table, places):
            before = tiles[ruling.seat]
            known = ruling.tiles is not None and before != NOT_COUNTED
            tiles[ruling.seat] = before + (ruling.tiles or 0) if known else NOT_COUNTED
    a, b, c, d = tiles
    return a, b, c, d


def _is_on(game: GameRulings, log: BoxLog) -> bool:
    """Whether it is what the box of that journal plays, or has played last and not dealt since."""
    part = game.game.parts[-1]
    return part.deal[:2] == (log.box, log.epoch) and log.position.dealt_seq <= part.begun


def _is_of_table(of: FactKey, game: GameRulings, table: int, places: Places) -> bool:
    """Whether the time-out was told there, or in a game that was begun there and has come back."""
    part = game.game.part_of(of)
    at = [of] if part is None else [of, (of[0], of[1], part.begun)]
    return any(places.table_of_fact(*fact) == table for fact in at)


def _seen(turn: Turn, names: Names, who: Mapping[int, str]) -> SeenTurn:
    name = names[turn.seat] if turn.seat < len(names) else ""
    ruling = turn.judged
    if ruling is None:
        return SeenTurn(turn, name, "", "")
    by = ruling.by if ruling.decision is None else readable(who[ruling.decision])
    return SeenTurn(turn, name, readable(ruling.clause), by)
