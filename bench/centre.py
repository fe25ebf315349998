"""What a centre costs: entries of halls on their way to it against the same rows put down by psycopg alone, one hall
that was offline and ten at once; how soon it knows; whether it costs the same when it holds a thousand times as much;
an event on PostgreSQL against the bare statements; and a season of forty events against adding its numbers up.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import psycopg

from bench.row import Row, quantile
from dalej.centre.mirror import Mirror
from dalej.centre.stream import line_of
from dalej.cli.serve import watching
from dalej.clock import SystemClock
from dalej.domain.tournament.fold import tournament
from dalej.domain.tournament.season import season
from dalej.domain.tournament.standings import over_all_rounds
from dalej.domain.tournament.tournament import Tournament
from dalej.event.ledger import Ledger
from tests.centre.cup import Cup, play
from tests.centre.hall import telling
from tests.centre.making import KEY, batch
from tests.domain.deciding import Decided
from tests.event.ledger.keeping import Keeping
from tests.event.ledger.making import reports
from tests.postgres import Postgres, postgres, programs
from tests.waiting import until

ENTRIES: Final = 75_000  # of sixty tables in two hours
BATCH: Final = 1_000
HALLS: Final = 10
TABLES: Final = 100  # in each of them
FACTS_A_SECOND: Final = 17.5  # of so many tables (facts.md 10.1)
RESULTS: Final = 48  # whose way is timed
HELD: Final = (10_000, 1_000_000, 10_000_000)  # entries that a centre holds already
TURN: Final = 20  # facts in a batch of a desk
SEASON: Final = 40
PLAYERS: Final = 400


def measure(size: float) -> list[Row]:
    """`size`: of the whole, as for every measurement."""
    found = programs()
    if found is None:
        return [Row("a centre", "there is no PostgreSQL here")]
    with tempfile.TemporaryDirectory(prefix="dalej-pg-") as at, postgres(Path(at), found) as server:
        entries = max(2 * BATCH, round(ENTRIES * size))
        return [
            *_offline(server, entries),
            *_ten_halls(server, max(BATCH, entries // HALLS)),
            *_way(server, max(4, round(RESULTS * size))),
            *_held(server, [max(BATCH, round(held * size)) for held in HELD]),
            *_event(server, max(10 * TURN, round(5_000 * size))),
            *_season(max(2, round(SEASON * size)), max(8, round(PLAYERS * size) // 4 * 4)),
        ]


@contextmanager
def _centre(server: Postgres, name: str) -> Iterator[tuple[Mirror, str]]:
    url = server.new_database(name)
    with closing(Mirror(url)) as mirror:
        mirror.init()
        yield mirror, url


def _filled(file: Path, count: int) -> Ledger:
    ledger = Ledger.create(file)
    for first in range(1, count + 1, BATCH):
        ledger.record(reports(range(first, min(first + BATCH, count + 1))))
    return ledger


# --- on the way -----


def _offline(server: Postgres, count: int) -> list[Row]:
    with (
        tempfile.TemporaryDirectory() as folder, _filled(Path(folder) / "hall.dalej", count) as ledger,
        _centre(server, "offline") as (mirror, url),
    ):  # fmt: skip
        alone_s = _alone(url, [(1, 1, entry.cursor, line_of(entry)) for entry in ledger.since(0, count)])
        mirror.add_hall("A", KEY, 1)
        with _serving(url) as port:
            began = time.perf_counter()
            asyncio.run(_catch_up(port, [(ledger, KEY)]))
            told_s = time.perf_counter() - began
        assert mirror.hall("A").through == count
    ratio = alone_s / told_s
    return [
        Row(f"{count:,} entries of a hall that was offline, at its centre", f"{count / told_s:,.0f} a second",
            f"{count / alone_s:,.0f} a second by executemany alone", f"{ratio:.2f}", "≥ 0.7"),
        Row("it has caught up after", f"{told_s:.1f} s"),
    ]  # fmt: skip


def _ten_halls(server: Postgres, each: int) -> list[Row]:
    with ExitStack() as held:
        mirror, url = held.enter_context(_centre(server, "ten_halls"))
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        halls = []
        for number in range(HALLS):
            ledger = held.enter_context(_filled(folder / f"{number}.dalej", each))
            halls.append((ledger, f"key of {number}".ljust(43, "x")))
            mirror.add_hall(f"hall {number}", halls[-1][1], 1)
        with _serving(url) as port:
            began = time.perf_counter()
            asyncio.run(_catch_up(port, halls))
            told_s = time.perf_counter() - began
    played_s = each / FACTS_A_SECOND
    return [
        Row(f"{HALLS} halls of {TABLES} tables at once: {HALLS * each:,} facts at one centre",
            f"{HALLS * each / told_s:,.0f} a second", f"{HALLS * FACTS_A_SECOND:,.0f} a second as they play",
            f"{played_s / told_s:.0f}", "≥ 10"),
        Row("so a day of eight hours takes", f"{8 * 3_600 * told_s / played_s:,.0f} s"),
    ]  # fmt: skip


def _alone(url: str, rows: list[tuple[int, int, int, str]]) -> float:
    """Seconds for the same rows and keys, a transaction for each batch."""
    with psycopg.connect(url) as db:
        db.execute("CREATE TABLE raw (hall int, epoch int, at bigint, line text, PRIMARY KEY (hall, epoch, at))")
        db.commit()
        began = time.perf_counter()
        for first in range(0, len(rows), BATCH):
            with db.cursor() as cursor:
                cursor.executemany("INSERT INTO raw VALUES (%s, %s, %s, %s)", rows[first : first + BATCH])
            db.commit()
        return time.perf_counter() - began


@contextmanager
def _serving(url: str) -> Iterator[int]:
    """A centre as it is typed, in a process of its own, as it is on a computer of its own; its port."""
    command = [sys.executable, "-m", "dalej", "--lang", "en", "centre", "serve", "--port", "0"]
    going = subprocess.Popen(
        command, env={**os.environ, "DALEJ_CENTRE": url}, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )
    try:
        assert going.stdout is not None
        yield int(going.stdout.readline().split("port ")[1].split(";")[0])
    finally:
        going.terminate()
        going.communicate(timeout=30)


async def _catch_up(port: int, halls: Sequence[tuple[Ledger, str]]) -> None:
    async with AsyncExitStack() as stack:
        told = [await stack.enter_async_context(telling(one.path, port, key=key)) for one, key in halls]
        for hall, (ledger, _key) in zip(told, halls, strict=True):
            await hall.until_told(ledger)


# --- how soon, and when it holds much -----


def _way(server: Postgres, count: int) -> list[Row]:
    rows: list[float] = []
    pages: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder, _centre(server, "way") as (mirror, url),
        closing(Cup(Path(folder), mirror, database=url)) as cup,
    ):  # fmt: skip
        asyncio.run(_follow(cup, count, rows, pages))
    shown = "at the centre", "on a page of the centre"
    return [
        Row(f"a result in a hall is {where} after", f"{quantile(0.5, found) * 1_000:.0f} ms (median)",
            f"{quantile(0.99, found) * 1_000:.0f} ms (99 %)")
        for where, found in zip(shown, (rows, pages), strict=True)
    ]  # fmt: skip


async def _follow(cup: Cup, count: int, rows: list[float], pages: list[float]) -> None:
    """The tournament is kept on the centre's PostgreSQL, and a browser's server reads it there."""
    async with AsyncExitStack() as stack:
        await cup.opens(stack, *cup.event.state().halls)
        games = cup.seat(1).missing()[:count]
        await cup.until_heard(cup.halls.values())
        of_tables, of_book = (stack.enter_context(Ledger.open(cup.file, read_only=True)) for _ in range(2))
        watch = watching(of_tables, of_book, SystemClock())
        await watch.open()
        stack.push_async_callback(watch.close)
        lot = Random(1)
        for number, at in enumerate(games, start=1):
            await asyncio.sleep(lot.uniform(0.05, 0.5))
            with cup.halls[cup.event.state().hall_of(at.table)].event() as event:
                play(event, at, 1)
            began = time.perf_counter()
            await _shown(number, cup.event.state)
            rows.append(time.perf_counter() - began)
            await _shown(number, lambda: watch.page.state)
            pages.append(time.perf_counter() - began)


async def _shown(number: int, state: Callable[[], Tournament | None]) -> None:
    """Until so many results are there."""
    await until(lambda: _results(state()) >= number, f"result {number}", look_s=0.005)


def _results(state: Tournament | None) -> int:
    return 0 if state is None else sum(len(one.results) for one in state.rounds.values())


def _held(server: Postgres, sizes: Sequence[int]) -> list[Row]:
    """Batches of one desk, when the centre holds so many entries of that hall already."""
    took = []
    for number, held in enumerate(sizes):
        with _centre(server, f"held_{number}") as (mirror, url):
            mirror.add_hall("A", KEY, 1)
            mirror.take(KEY, batch([]), 2)
            with psycopg.connect(url, autocommit=True) as db:
                db.execute(
                    "INSERT INTO entries SELECT 1, 1, at, repeat('x', 150) FROM generate_series(1, %s) AS told (at)",
                    [held],
                )
                db.execute("UPDATE halls SET through = %s", [held])
                db.execute("ANALYZE entries")
            took.append(_a_fact(mirror, held) * 1_000_000)
    return [
        Row(f"a fact at a centre that holds {held:,} entries", f"{us:,.0f} µs",
            *([f"{took[0]:,.0f} µs at {sizes[0]:,}", f"{us / took[0]:.2f}", "≤ 1.5"] if number else []))
        for number, (held, us) in enumerate(zip(sizes, took, strict=True))
    ]  # fmt: skip


def _a_fact(mirror: Mirror, held: int) -> float:
    best = float("inf")
    with tempfile.TemporaryDirectory() as folder, Ledger.create(Path(folder) / "hall.dalej") as ledger:
        ledger.record(reports(range(1, TURN + 1)))
        told = [line_of(entry) for entry in ledger.since(0)]
    for turn in range(60):
        after = held + turn * TURN
        lines = [line.replace(f'["fact",{place},', f'["fact",{after + place},') for place, line in enumerate(told, 1)]
        now = mirror.hall("A")
        following = batch(lines)
        following = type(following)(following.desk, after, now.digest.hex(), lines)
        began = time.perf_counter()
        reached = mirror.take(KEY, following, 3 + turn)
        best = min(best, (time.perf_counter() - began) / TURN)
        assert reached.through == after + TURN
    return best


# --- an event on PostgreSQL -----


def _event(server: Postgres, count: int) -> list[Row]:
    url = server.new_database("event")
    told = reports(range(1, count + 1))
    batches = [told[first : first + TURN] for first in range(0, count, TURN)]
    with tempfile.TemporaryDirectory() as folder:
        took = {}
        for name, database in (("a file", None), ("PostgreSQL", url)):
            with Keeping(database).create(Path(folder) / f"{name}.dalej") as ledger:
                took[name] = _timed(batches, ledger.record)
                assert ledger.head() == count
    rows = [[(number * TURN + place, *range(15)) for place in range(TURN)] for number in range(len(batches))]
    with psycopg.connect(url, autocommit=True) as db:
        columns = ", ".join(f"c{place} bigint" for place in range(16))
        db.execute(f"CREATE TABLE raw ({columns}, PRIMARY KEY (c0))".encode())
        insert = f"INSERT INTO raw VALUES ({', '.join(['%s'] * 16)})".encode()
        alone_s = _timed(rows, partial(_put, db, insert))
    return [
        Row(
            f"{count:,} facts into an event on PostgreSQL, {TURN} at a time",
            f"{count / took['PostgreSQL']:,.0f} a second",
            f"{count / alone_s:,.0f} a second by executemany alone", f"{alone_s / took['PostgreSQL']:.2f}", "≥ 0.3",
        ),
        Row("the same into a file", f"{count / took['a file']:,.0f} a second"),
    ]  # fmt: skip


def _put(db: psycopg.Connection[tuple[object, ...]], insert: bytes, rows: Sequence[tuple[int, ...]]) -> None:
    with db.transaction(), db.cursor() as cursor:
        cursor.executemany(insert, rows)


def _timed(batches: Sequence[Sequence[object]], write: Callable[..., object]) -> float:
    began = time.perf_counter()
    for one in batches:
        write(one)
    return time.perf_counter() - began


# --- a season -----


def _season(events: int, players: int) -> list[Row]:
    decided = [_evening(number, players) for number in range(events)]
    began = time.perf_counter()
    states = [tournament(one.decisions) for one in decided]
    folded_s = time.perf_counter() - began
    began = time.perf_counter()
    lines = season(states, 30)
    took_s = time.perf_counter() - began
    assert len(lines) == players
    points = [[(player, one.big or 0, one.small) for player, one in over_all_rounds(state).items()] for state in states]
    began = time.perf_counter()
    big, small = Counter[int](), Counter[int]()
    for of in points:
        for player, more_big, more_small in of:
            big[player] += more_big
            small[player] += more_small
    added = sorted(small, key=lambda player: (-big[player], -small[player]))
    alone_s = time.perf_counter() - began
    assert len(added) == players
    return [
        Row(f"a season of {events} events and {players} players, the best 30 of each", f"{took_s * 1_000:.0f} ms",
            f"{alone_s * 1_000:.0f} ms for adding its numbers up", f"{took_s / alone_s:.0f}"),
        Row("after its events were read from their decisions in", f"{folded_s:.1f} s"),
    ]  # fmt: skip


def _evening(number: int, players: int) -> Decided:
    """One round of four games, at tables of four."""
    made, lot = Decided(players=players), Random(number)
    order = lot.sample(range(1, players + 1), players)
    tables = [tuple(order[first : first + 4]) for first in range(0, players, 4)]
    made.seat(1, *tables)
    for table, seats in enumerate(tables, start=1):
        for game in range(1, 5):
            racks = [lot.randrange(3, 90) for _ in seats]
            racks[lot.randrange(len(racks))] = 0
            made.result(1, table, game, seats, tuple(racks))
    return made
