"""The turns of a table as people read them, and what they cost: from all journals in which the table was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dalej.domain.rulings import Ruling
from dalej.domain.turns import Turn
from dalej.hall.boxlog import BoxLog
from dalej.hall.places import Names, Places
from dalej.hall.seen import SeenTurn

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


def penalties(game: int, log: BoxLog, logs: Iterable[BoxLog]) -> Penalties:
    """Tiles that each seat was ruled in the game that is on in `log`; in the other `logs` it may have begun."""
    tiles = [0, 0, 0, 0]
    for one in logs if log.position.took_over else (log,):
        since = one.position.dealt_seq if one.position.game == game else 0
        for ruling in one.rulings():
            if ruling.game == game and ruling.of[2] > since and ruling.seat < len(tiles):
                before = tiles[ruling.seat]
                counted = ruling.tiles is not None and before != NOT_COUNTED
                tiles[ruling.seat] = before + (ruling.tiles or 0) if counted else NOT_COUNTED
    a, b, c, d = tiles
    return a, b, c, d


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
    return SeenTurn(turn, name, ruling.clause, ruling.by if ruling.decision is None else who[ruling.decision])
