"""The turns of a table as people read them, and what they cost: from all journals in which the table was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dalej.domain.handover import whole
from dalej.domain.rulings import Ruling
from dalej.domain.turns import Turn
from dalej.hall.boxlog import BoxLog
from dalej.hall.places import Names, Places
from dalej.hall.seen import SeenTurn
from dalej.words import readable

NOT_COUNTED: Final = -1

Penalties = tuple[int, int, int, int]

NO_PENALTIES: Final[Penalties] = (0, 0, 0, 0)


def seen_turns(table: int, logs: Iterable[BoxLog], places: Places, who: Mapping[int, str]) -> list[SeenTurn]:
    """Every turn that was made at the table, oldest first. `who` made the decisions, by their cursors."""
    found: list[tuple[int, int, Turn]] = []
    of_journal = {(log.box, log.epoch): log for log in logs}
    for log in of_journal.values():
        place = 0
        for turn in log.turns():
            if places.table_of_fact(log.box, log.epoch, turn.seq) == table and not _was_taken_back(turn, places):
                place = max(place, _cursor(log, turn))  # facts that came late stand where the box has them
                found.append((places.counts_by(log.box, log.epoch, turn.seq), place, turn))
    found.sort(key=lambda one: one[:2])
    ruled = {key: _by_move(log.rulings()) for key, log in of_journal.items()}
    return [
        _seen(
            turn, ruled[turn.box, turn.epoch], places.names(table, _cursor(of_journal[turn.box, turn.epoch], turn)), who
        )
        for turn in whole(turn for _, _, turn in found)
    ]


def _was_taken_back(turn: Turn, places: Places) -> bool:
    """A box was to go on with that move, and was given elsewhere before it did."""
    return turn.takes_over and turn.how is None and places.is_undone(turn.box, turn.epoch, turn.seq)


def _cursor(log: BoxLog, turn: Turn) -> int:
    first = log.reported(turn.seq)
    return 0 if first is None else first.cursor


def penalties(table: int, game: int, log: BoxLog, logs: Iterable[BoxLog], places: Places) -> Penalties:
    """Tiles that each seat of the table was ruled in the game that is on in `log`; in the other `logs` it may have
    begun.
    """
    tiles = [0, 0, 0, 0]
    for one in logs if log.position.took_over else (log,):
        since = _dealt_seq(table, game, one, places)
        for ruling in one.rulings():
            if ruling.game != game or ruling.of[2] <= since or ruling.seat >= len(tiles):
                continue
            if places.table_of_fact(one.box, one.epoch, ruling.of[2]) != table:
                continue
            before = tiles[ruling.seat]
            counted = ruling.tiles is not None and before != NOT_COUNTED
            tiles[ruling.seat] = before + (ruling.tiles or 0) if counted else NOT_COUNTED
    a, b, c, d = tiles
    return a, b, c, d


def _dealt_seq(table: int, game: int, log: BoxLog, places: Places) -> int:
    """The fact by which the tiles of that game were dealt at the table, 0 if that is not the latest deal of the box."""
    position = log.position
    here = places.table_of_fact(log.box, log.epoch, position.dealt_seq) == table
    return position.dealt_seq if here and position.game == game else 0


def _by_move(rulings: Iterable[Ruling]) -> dict[tuple[int, int], list[Ruling]]:
    found: dict[tuple[int, int], list[Ruling]] = {}
    for ruling in rulings:
        found.setdefault((ruling.game, ruling.move), []).append(ruling)
    return found


def _seen(turn: Turn, ruled: Mapping[tuple[int, int], list[Ruling]], names: Names, who: Mapping[int, str]) -> SeenTurn:
    name = names[turn.seat] if turn.seat < len(names) else ""
    made = (one for one in ruled.get((turn.game, turn.move), ()) if one.of[2] >= turn.seq)
    ruling = next(made, None) if turn.ruling is not None else None
    if ruling is None:
        return SeenTurn(turn, name, "", "")
    by = ruling.by if ruling.decision is None else readable(who[ruling.decision])
    return SeenTurn(turn, name, readable(ruling.clause), by)
