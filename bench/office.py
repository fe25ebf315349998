"""The office: standings rebuilt from an event's file full of box facts, and how seating and ranking grow with players.

The rebuild is compared with reading the same decisions raw, sqlite3 and json alone, from the same file. Growth is that
of time from 320 to 3 200 players, against n log n; the fastest turn counts, because the machine can only slow one down.
"""

from __future__ import annotations

import json
import math
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bench.row import Row
from dalej.domain.game.facts import SEATS, Fact
from dalej.domain.tournament.fold import met, standings, tournament
from dalej.domain.tournament.seating import by_rank, fresh_lot, sizes
from dalej.domain.tournament.standings import Total, rank
from dalej.event import eventlog
from dalej.event.ledger import Draft, Json, Ledger, Report
from dalej.event.reading import read

FACTS: Final = 1_000_000
BATCH: Final = 20_000
PLAYERS: Final = (32, 320, 3_200)
LEAGUE: Final = 40  # players of the event with all those facts
ROUNDS: Final = 6
TURNS: Final = 5
LONG_ENOUGH_S: Final = 3.0  # no further turn after that
START_MS: Final = 1_795_000_000_000


def measure(size: float = 1) -> list[Row]:
    """The rebuild, then seating, ranking and folding of more and more players."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        rows = [_rebuild(Path(folder) / "event.dalej", int(FACTS * size))]
        return rows + [_growth(name, make, Path(folder), size) for name, make in _GROWING.items()]


def _rebuild(path: Path, facts: int) -> Row:
    _write_league(path, LEAGUE, facts)
    ours = _fastest(lambda: _standings_of(path))
    raw = _fastest(lambda: _raw(path))
    return Row(
        f"standings of {LEAGUE} players, {ROUNDS} rounds, from a file with {facts:,} facts",
        f"{ours:.3f} s", f"the decisions raw {raw:.3f} s", f"{ours / raw:.1f}", "≤ 3 s",
    )  # fmt: skip


def _standings_of(path: Path) -> None:
    with Ledger.open(path) as ledger:
        assert len(standings(tournament(read(ledger).decisions()))) == LEAGUE


def _raw(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        for (body,) in db.execute("SELECT body FROM decisions ORDER BY cursor"):
            json.loads(body)


def _growth(name: str, make: Callable[[int, Path], Callable[[], object]], folder: Path, size: float) -> Row:
    players = [max(int(count * size), least) for least, count in zip((8, 16, 32), PLAYERS, strict=True)]
    took = [_fastest(make(count, folder)) for count in players]
    _, few, many = players
    expected = many * math.log(many) / (few * math.log(few))
    grown = took[-1] / took[-2]
    return Row(
        f"{name}: {', '.join(f'{count:,}' for count in players)} players",
        f"{', '.join(f'{1000 * one:.2g}' if one < 0.1 else f'{1000 * one:.0f}' for one in took)} ms",
        f"n log n {expected:.1f} times", f"{grown / expected:.2f}", "≤ 1.5",
    )  # fmt: skip


def _ranking(players: int, _folder: Path) -> Callable[[], object]:
    lot = random.Random(players)
    totals = [Total(player, lot.randrange(24), lot.randrange(-900, 900), 24) for player in range(players)]
    return lambda: rank(totals, "big_then_small")


def _seating_by_rank(players: int, _folder: Path) -> Callable[[], object]:
    return lambda: by_rank(range(players), sizes(players, 3, 4))


def _fresh_seating(players: int, _folder: Path) -> Callable[[], object]:
    first = by_rank(range(1, players + 1), sizes(players, 3, 4))
    pairs = {frozenset((one, other)): 1 for table in first for one in table for other in table if one < other}
    return lambda: fresh_lot(range(1, players + 1), sizes(players, 3, 4), pairs, random.Random(players))


def _folding(players: int, folder: Path) -> Callable[[], object]:
    path = folder / f"{players}.dalej"
    _write_league(path, players, 0, rounds=2)
    with Ledger.open(path) as ledger:
        decisions = read(ledger).decisions()

    def fold() -> None:
        state = tournament(decisions)
        standings(state)
        met(state, "league")

    return fold


_GROWING: Final = {
    "ranking": _ranking,
    "seating by rank": _seating_by_rank,
    "seating by a fresh lot": _fresh_seating,
    "standings of two rounds of four games": _folding,
}


def _write_league(path: Path, players: int, facts: int, rounds: int = ROUNDS) -> None:
    """A whole league: as many facts of its boxes after each round as make `facts` in all."""
    reports = _reports(facts)
    tables = by_rank(range(1, players + 1), sizes(players, 3, 4))
    with Ledger.create(path) as ledger:
        eventlog.choose_ruleset(ledger, "school-league", who="bench", when_ms=START_MS)
        _decide(ledger, [Draft("player", {"player": one, "name": f"Lis {one}"}) for one in range(1, players + 1)])
        for number in range(1, rounds + 1):
            _decide(ledger, [_seating(number, tables)])
            for _ in range(math.ceil(facts / rounds / BATCH)):
                ledger.record(islice(reports, BATCH))
            _decide(
                ledger, [_result(number, at, game, one) for game in range(1, 5) for at, one in enumerate(tables, 1)]
            )
            _decide(ledger, [Draft("closed", {"stage": "league", "round": number})])


def _decide(ledger: Ledger, drafts: Sequence[Draft]) -> None:
    ledger.decide_together(drafts, who="bench", when_ms=START_MS, why="bench")


def _seating(number: int, tables: Sequence[Sequence[int]]) -> Draft:
    seated: list[Json] = [
        {"table": table, "players": [*players, *[0] * (4 - len(players))]} for table, players in enumerate(tables, 1)
    ]
    return Draft("seating", {"stage": "league", "round": number, "how": "rank", "tables": seated})


def _result(number: int, table: int, game: int, players: Sequence[int]) -> Draft:
    racks: list[Json] = [
        {"seat": seat, "player": player, "points": 0 if place == game % len(players) else 7 * place + player % 50}
        for place, (seat, player) in enumerate(zip(SEATS, players, strict=False))
    ]
    at: dict[str, Any] = {"stage": "league", "round": number, "table": table, "game": game}
    return Draft("result", {**at, "ended": "went_out", "racks": racks})


def _reports(count: int) -> Iterator[Report]:
    """Facts of ten boxes in turns, as games make them."""
    for number in range(count):
        box, seq = number % 10, number // 10 + 1
        when = START_MS + 900 * number
        fact = Fact(
            f"a0b1c2d3e4{box:02x}", 3_123_456_789, seq, 3, 9_000 * seq, 6, 1, seq // 3, seq % 4, 1, 12_345, 1, 60
        )
        yield Report(fact, when, when)


def _fastest(do: Callable[[], object]) -> float:
    """Seconds of this process alone: nothing here waits for anything but the disk, from which it has just been read."""
    took: list[float] = []
    while len(took) < TURNS and sum(took) < LONG_ENOUGH_S:
        start = time.process_time()
        do()
        took.append(time.process_time() - start)
    return min(took)
