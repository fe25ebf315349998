"""The turns of a table as people read them, and what they cost: from all journals in which the table was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

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
    found: list[tuple[int, SeenTurn]] = []
    for log in logs:
        place = 0
        ruled = _by_move(log.rulings())
        for turn in log.turns():
            if places.table_of_fact(log.box, log.epoch, turn.seq) != table:
                continue
            first = log.reported(turn.seq)
            cursor = 0 if first is None else first.cursor
            place = max(place, cursor)  # facts that came late stand where the box has them
            found.append((place, _seen(turn, ruled, places.names(table, cursor), who)))
    found.sort(key=lambda one: one[0])
    return [seen for _, seen in found]


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
