"""A day in real programs: `dalej run` and `dalej serve` on one event file, sixty tables that play rounds, five referees
and forty viewers at pages, over real sockets. Does the eighth hour look as the first one did?

The day goes by on the wall, `SPEED` times as fast: desk, server, boxes and people share one clock (`proof.faster`), so
that leases, polls, heartbeats, limits and time-outs are due as often in a day as ever, and what the programs work for
all that takes as long as it does. A computer at speed 10 is ten times slower in the day's eyes: times are told in
the day's ms, and what they grow by is what is judged. At speed 1 the programs are started as anybody starts them.
"""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

import psutil
from aiohttp import ClientSession, ClientTimeout

from bench.row import quantile
from dalej.domain.tournament.fold import OF_A_TOURNAMENT
from dalej.event import eventlog
from dalej.event.ledger import Decision, Ledger, Reported
from dalej.event.reading import read
from moveclock import facts as k
from proof.campaign import ROOT, Outcome
from proof.daypeople import Hall, Organiser, Referee, Viewer
from proof.daytables import Over, Press, Tables
from proof.faster import FastLoop, Tempo
from proof.witness import Witness, expect_sound, expect_turns
from tests.phones.program import begun, codes, environment
from tests.told import facts_of
from tests.waiting import until
from tests.web.rig import SECRETS, passwords
from tests.world import event_file

SPEED: Final = 10.0
TABLES: Final = 60
REFEREES: Final = 5
VIEWERS: Final = 40
ROUNDS: Final = 6  # of a league, each of four games
LIMIT_S: Final = 40
ROUND_MINUTES: Final = 70
PAUSE_MINUTES: Final = 7  # with games that are played to their end and with what is counted eight hours in all
GAMES: Final = 4
SAMPLED_MINUTES: Final = 5
WARM_MINUTES: Final = 20  # until caches are as full as they get
DISK: Final = ROOT / "run"

ROWS_S: Final = 0.002  # between two looks at the event file, on the wall
BEGUN_WITHIN_S: Final = 120.0  # on the wall, and so is an end
SET_UP_S: Final = 600.0  # of the day, and a box may be out of reach for some of it
AFTER_ROUND_S: Final = 1_500.0  # of the day: the last move of all, and racks that are counted
TOLD_WITHIN_S: Final = 1_200.0  # of the day, by boxes that were out of reach
QUIET_S: Final = 5.0
MEMORY_SHARE: Final = 0.1  # of what was there: an allocator gives little back
BYTES_A_FACT: Final = 2_000  # desk and server have every fact of the event in their readings, by design: it is no leak
HANDLES_SHARE: Final = 0.1
HANDLES_MORE: Final = 4  # asked for at the instant of a sample
THREADS_MORE: Final = 2  # a pool that had not been full yet
FLOOR_MS: Final = 20.0  # on the wall: what another program of the machine takes now and then
MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
MEGABYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Plan:
    """How long, how many, how fast. Minutes are the day's, and so are the seconds of a move; `floor_ms`: the wall's."""

    rounds: int = ROUNDS
    limit_s: int = LIMIT_S
    round_minutes: int = ROUND_MINUTES
    pause_minutes: int = PAUSE_MINUTES
    tables: int = TABLES
    referees: int = REFEREES
    viewers: int = VIEWERS
    speed: float = SPEED
    sampled_minutes: float = SAMPLED_MINUTES
    warm_minutes: float = WARM_MINUTES
    floor_ms: float = FLOOR_MS


class Life(NamedTuple):
    """Of a process: bytes of memory, open handles, threads; `busy_ms`: of a processor, on the wall, since it began."""

    memory: int
    handles: int
    threads: int
    busy_ms: int


class Sample(NamedTuple):
    """At an instant of the day. `file`, `wal`: bytes on the disk."""

    at_ms: int
    desk: Life
    web: Life
    file: int
    wal: int
    facts: int


class Took(NamedTuple):
    """What began at `at_ms` took so long, in the day's ms."""

    at_ms: int
    took_ms: int


@dataclass(slots=True)
class Watched:
    """What was seen of a day. `pressed`: presses whose row is still to come."""

    tempo: Tempo
    table_of: Mapping[str, int]
    counts: Counter[str] = field(default_factory=Counter)
    samples: list[Sample] = field(default_factory=list)
    to_row: list[Took] = field(default_factory=list)
    to_referee: list[Took] = field(default_factory=list)
    to_viewer: list[Took] = field(default_factory=list)
    facts: int = 0
    _pressed: dict[Press, int] = field(default_factory=dict)
    _moves: dict[int, dict[tuple[int, int], int]] = field(default_factory=dict)  # by table, of the game at work
    _shown: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # by referee and table
    _decided: list[tuple[int, int]] = field(default_factory=list)  # cursor, and when

    def press(self, press: Press, at_ms: int) -> None:
        self._pressed[press] = at_ms

    def move_shown(self, referee: int, table: int, game: int, move: int) -> None:
        """On that referee's page; what it showed before is no news."""
        before, self._shown[referee, table] = self._shown.get((referee, table)), (game, move)
        row_ms = self._moves.get(table, {}).get((game, move))
        if row_ms is not None and before not in (None, (game, move)):
            self.to_referee.append(Took(row_ms, self.tempo.now_ms() - row_ms))

    def decision_shown(self, before: int, cursor: int) -> None:
        """To a viewer: all that was decided since."""
        now_ms = self.tempo.now_ms()
        for each, row_ms in self._decided[bisect_right(self._decided, (before, 1 << 62)) :]:
            if each <= cursor:
                self.to_viewer.append(Took(row_ms, now_ms - row_ms))

    async def follow(self, event: Path) -> None:
        """What is in the file, as any other process sees it; until cancelled."""
        cursor = 0
        with Ledger.open(event, read_only=True) as ledger:
            while True:
                entries = ledger.since(cursor)
                now_ms = self.tempo.now_ms()
                for entry in entries:
                    cursor = entry.cursor
                    if isinstance(entry, Decision) and entry.kind in OF_A_TOURNAMENT:  # others no viewer is shown
                        self._decided.append((cursor, now_ms))
                    elif isinstance(entry, Reported):
                        self._reported(entry, now_ms)
                await asyncio.sleep(ROWS_S * self.tempo.speed)

    def _reported(self, entry: Reported, now_ms: int) -> None:
        fact = entry.fact
        self.facts += 1
        if fact.kind == k.GAME_STARTED:
            self._moves[self.table_of[fact.box]] = {}
        elif fact.kind == k.MOVE_STARTED and not entry.old:
            self._moves.setdefault(self.table_of[fact.box], {})[fact.game, fact.move] = now_ms
        at_ms = self._pressed.pop((fact.box, fact.epoch, fact.seq), None)
        if at_ms is not None and entry.old:
            self.counts["presses told when their box was back in reach"] += 1
        elif at_ms is not None:
            self.to_row.append(Took(at_ms, now_ms - at_ms))

    async def sample(self, desk: psutil.Process, web: psutil.Process, event: Path, every_s: float) -> None:
        """Until cancelled."""
        while True:
            sizes = _size(event), _size(event.with_name(f"{event.name}-wal"))
            self.samples.append(Sample(self.tempo.now_ms(), _life(desk), _life(web), *sizes, self.facts))
            await asyncio.sleep(every_s)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _life(process: psutil.Process) -> Life:
    times = process.cpu_times()
    return Life(
        process.memory_info().rss, _handles(process), process.num_threads(), int(1_000 * (times.user + times.system))
    )


def _handles(process: psutil.Process) -> int:
    """Files and sockets."""
    return int(process.num_fds())


# --- the programs -----


def _begun(
    tempo: Tempo, folder: Path, name: str, told: str, *words: str
) -> AbstractAsyncContextManager[tuple[int, str]]:
    """`dalej` with those words."""
    around = {**environment(folder), "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder / "state")}
    return begun(tempo.program(*words), folder, name, told, around=around, within_s=BEGUN_WITHIN_S * tempo.speed)


# --- the day -----


def of_a_day(seed: int) -> Outcome:
    """Eight hours of sixty tables; at this speed in some fifty minutes."""
    return play(Plan(), seed)


def at_real_speed(seed: int) -> Outcome:
    """A round of the same as in life, by the programs as anybody starts them; some eighty minutes."""
    return play(Plan(rounds=1, speed=1), seed)


def play(plan: Plan, seed: int) -> Outcome:
    """AssertionError with what was found."""
    DISK.mkdir(exist_ok=True)
    tempo = Tempo.begun(plan.speed)
    with (
        tempfile.TemporaryDirectory(prefix="day-", dir=DISK) as folder,
        asyncio.Runner(loop_factory=lambda: FastLoop(tempo)) as runner,
    ):
        return runner.run(_play(plan, seed, tempo, Path(folder)))


async def _play(plan: Plan, seed: int, tempo: Tempo, folder: Path) -> Outcome:
    event = event_file(
        folder, 4 * plan.tables, file="day.dalej", seated=False, wall_ms=tempo.wall_ms, limit=f"{plan.limit_s} s"
    )
    kept = passwords(folder)
    for role in SECRETS:
        kept.set(role, SECRETS[role])  # type: ignore[arg-type]  # a role's name
    async with AsyncExitStack() as stack:
        desk, phones = await stack.enter_async_context(_begun(
            tempo, folder, "desk", r"boxes at (http://[^:]+:\d+)",
            "run", event.name, "--no-bluetooth", "--no-usb", "--phones", "127.0.0.1", "--phones-port", "0",
        ))  # fmt: skip
        drawing = tempo.program("box", "phone", event.name, f"1-{plan.tables}", "--paper", "codes.pdf")
        done = await asyncio.to_thread(
            subprocess.run, drawing, cwd=folder, env={**environment(folder), "PYTHONPATH": str(ROOT)}, check=False,
            capture_output=True, text=True, timeout=BEGUN_WITHIN_S,
        )  # fmt: skip
        assert done.returncode == 0, f"the codes were not drawn: {done.stderr.strip()}"
        web, url = await stack.enter_async_context(
            _begun(tempo, folder, "server", r"(http://\S+:\d+)", "serve", event.name, "--port", "0")
        )
        session = await stack.enter_async_context(ClientSession(timeout=ClientTimeout(None)))
        drawn = codes(folder)
        watched = Watched(tempo, {code.box.uid: table for table, code in drawn.items()})
        racks: asyncio.Queue[Over] = asyncio.Queue()
        tables = Tables(tempo, phones, drawn, seed, GAMES, watched.press, racks.put_nowait, watched.counts)
        tables.sit_down(session)
        hall = Hall(
            url, plan.speed, Random(seed), watched.counts, watched.move_shown, watched.decision_shown,
            {number: table.players for number, table in tables.at.items()}, racks=racks,
        )  # fmt: skip
        working = [
            tables.live(), watched.follow(event),
            watched.sample(psutil.Process(desk), psutil.Process(web), event, plan.sampled_minutes * 60),
            *(Referee(hall, number).work() for number in range(plan.referees)),
            *(Viewer(hall, number, 4 * plan.tables).look() for number in range(plan.viewers)),
        ]  # fmt: skip
        began_ms = tempo.now_ms()
        await _while(_rounds(plan, tempo, hall, tables), [asyncio.create_task(one) for one in working])
        ended_ms = tempo.now_ms()
    judge(event, {number: table.witness for number, table in tables.at.items()}, watched.counts)
    return _outcome(plan, watched, tables, began_ms, ended_ms)


async def _while(story: Coroutine[Any, Any, None], working: Sequence[asyncio.Task[None]]) -> None:
    """The story is told while all of that goes on; whatever ends before it has failed."""
    telling = asyncio.create_task(story)
    try:
        done, _ = await asyncio.wait((telling, *working), return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            one.result()
        assert telling in done, "somebody has gone home before the day was over"
    except BaseExceptionGroup as failed:  # of somebody who does two things at once: the first that went wrong
        raise _first(failed) from None
    finally:
        for one in (telling, *working):
            one.cancel()
        await asyncio.gather(telling, *working, return_exceptions=True)


def _first(failed: BaseException) -> BaseException:
    return _first(failed.exceptions[0]) if isinstance(failed, BaseExceptionGroup) else failed


async def _rounds(plan: Plan, tempo: Tempo, hall: Hall, tables: Tables) -> None:
    async with hall.browser("organiser", "Borsuk") as browser:
        organiser = Organiser(hall, browser)
        for number in range(1, plan.rounds + 1):
            tables.round_is_seated()
            hall.entered.clear()
            await organiser.does("draw_seating", anyway="we play all the same")
            await until(partial(_are_set_up, tables), f"all boxes to know of round {number}", SET_UP_S, 1.0)
            await organiser.does("start_round", minutes=str(plan.round_minutes))
            tables.round_begins(tempo.now_ms() + plan.round_minutes * MINUTE_MS)
            await asyncio.sleep(plan.round_minutes * 60)
            await _all_over(tables)
            begun = tables.begun()
            for table, games in begun.items():
                for game in range(games + 1, GAMES + 1):
                    await organiser.not_played(table, game)
            await _all_counted(hall, {(table, game) for table in begun for game in range(1, begun[table] + 1)})
            late = [table for table, games in tables.begun().items() if games != begun[table]]
            assert not late, f"table {late[0]} has begun a game after round {number}"
            await organiser.does("close_round")
            hall.counts["rounds"] += 1
            await asyncio.sleep(plan.pause_minutes * 60)
    tables.go_home()
    await _all_told(tables)


def _are_set_up(tables: Tables) -> bool:
    return all(table.set_up for table in tables.at.values())


async def _all_over(tables: Tables) -> None:
    """No game is played, and none is about to begin: players who may begin take a while until they have drawn."""
    due = asyncio.get_running_loop().time() + AFTER_ROUND_S
    while left := [one for one in tables.at.values() if one.runs or not one.players.resting]:
        assert asyncio.get_running_loop().time() < due, (
            f"table {left[0].number} is not done with the round, nor are {len(left) - 1} others: game {left[0].begun} "
            f"{'is played' if left[0].runs else 'is over'}, "
            f"{'no power' if (box := left[0].box.box) is None else f'state {box.clock.state}'}"
        )
        await asyncio.sleep(1)


async def _all_counted(hall: Hall, games: set[tuple[int, int]]) -> None:
    due = asyncio.get_running_loop().time() + AFTER_ROUND_S
    while left := games - hall.entered:
        assert asyncio.get_running_loop().time() < due, (
            f"table and game {min(left)}: nobody has entered its result, nor those of {len(left) - 1} others, of which "
            f"{hall.racks.qsize()} wait for a referee"
        )
        await asyncio.sleep(1)


async def _all_told(tables: Tables) -> None:
    """Until no box has had anything more to tell for a while."""
    loop = asyncio.get_running_loop()
    due, quiet = loop.time() + TOLD_WITHIN_S, loop.time()
    while loop.time() < quiet + QUIET_S:
        if untold := tables.untold():
            assert loop.time() < due, f"the box of table {untold[0]} has more to tell, and {len(untold) - 1} others"
            quiet = loop.time()
        await asyncio.sleep(0.5)


def judge(event: Path, witnesses: Mapping[int, Witness], counts: Counter[str]) -> None:
    """Entry by entry: the file against what each table's box has written down."""
    with Ledger.open(event) as ledger:
        ledger.expect_whole()
        reading = read(ledger)
        expect_sound(reading)
        for witness in witnesses.values():
            counts["facts"] += witness.expect_facts(facts_of(ledger, witness.name), met_late=True)
        begun = (move for table, each in witnesses.items() for move in each.moves(table))
        counts["turns"] += expect_turns(eventlog.turns(reading), begun)


# --- is the end of it as its beginning was? -----


class FirstAndLast(NamedTuple):
    """Two equal parts of the day, as instants: the first once it is warm, and the last."""

    first: tuple[int, int]
    last: tuple[int, int]

    @classmethod
    def of(cls, began_ms: int, ended_ms: int, warm_ms: int) -> FirstAndLast:
        """An hour each, or a quarter of a day that is shorter."""
        part = min(HOUR_MS, (ended_ms - began_ms - warm_ms) // 4)
        warm = began_ms + warm_ms
        return cls((warm, warm + part), (ended_ms - part, ended_ms))


def compared(samples: Sequence[Sample], parts: FirstAndLast, people: int) -> tuple[Sample, Sample]:
    """The middle of what was sampled in each part, number by number; AssertionError if memory or handles grew. `people`
    have browsers, each of which may hold another connection.
    """
    first, last = (_middle([one for one in samples if low <= one.at_ms <= high]) for low, high in parts)
    grown = last.facts - first.facts
    for name, before, after, more in (("desk", first.desk, last.desk, 0), ("server", first.web, last.web, people)):
        may = before.memory * (1 + MEMORY_SHARE) + BYTES_A_FACT * grown
        assert after.memory <= may, (
            f"{name}: {after.memory / MEGABYTE:.0f} MB of memory, {before.memory / MEGABYTE:.0f} MB at first and "
            f"{grown} facts since"
        )
        may = before.handles * (1 + HANDLES_SHARE) + HANDLES_MORE + more
        assert after.handles <= may, f"{name}: {after.handles} handles, {before.handles} at first"
        assert after.threads <= before.threads + THREADS_MORE, (
            f"{name}: {after.threads} threads, {before.threads} at first"
        )
    return first, last


def _middle(samples: Sequence[Sample]) -> Sample:
    assert samples, "nothing was sampled in a part of the day"

    def life(lives: Sequence[Life]) -> Life:
        return Life(*(int(median(one)) for one in zip(*lives, strict=True)))

    at, desk, web, file, wal, facts = zip(*samples, strict=True)
    return Sample(int(median(at)), life(desk), life(web), *(int(median(one)) for one in (file, wal, facts)))


def slower(what: str, all_of_them: Sequence[Took], parts: FirstAndLast, floor_ms: float) -> tuple[float, float]:
    """By how much the median and the 99 % have grown; AssertionError if the median is more than twice what it was, and
    `floor_ms` above that.
    """
    first, last = ([one.took_ms for one in all_of_them if low <= one.at_ms <= high] for low, high in parts)
    assert first, f"{what}: nothing in the first part of the day"
    assert last, f"{what}: nothing in the last part of the day"
    before, after = quantile(0.5, first), quantile(0.5, last)
    hours = ", ".join(f"{hour}: {took:.0f}" for hour, took in by_hour(all_of_them, parts.first[0]))
    assert after <= 2 * before + floor_ms, f"{what}: {after:.0f} ms, {before:.0f} ms at first (by hour {hours})"
    return after / max(1, before), quantile(0.99, last) / max(1, quantile(0.99, first))


def by_hour(all_of_them: Sequence[Took], from_ms: int) -> list[tuple[int, float]]:
    """Each hour's median since then, from hour 1 on: whoever looks for what grows knows since when."""
    of_hours: dict[int, list[int]] = {}
    for one in all_of_them:
        if one.at_ms >= from_ms:
            of_hours.setdefault(1 + (one.at_ms - from_ms) // HOUR_MS, []).append(one.took_ms)
    return [(hour, quantile(0.5, took)) for hour, took in sorted(of_hours.items())]


def _outcome(plan: Plan, watched: Watched, tables: Tables, began_ms: int, ended_ms: int) -> Outcome:
    warm_ms = int(plan.warm_minutes * MINUTE_MS)
    first, last = compared(watched.samples, FirstAndLast.of(began_ms, ended_ms, warm_ms), plan.referees + plan.viewers)
    end, counts, more = watched.samples[-1], watched.counts, max(1, last.facts - first.facts)
    worst: dict[str, float] = {}
    for name, before, after, at_end in (
        ("desk", first.desk, last.desk, end.desk), ("server", first.web, last.web, end.web),
    ):  # fmt: skip
        worst[f"{name}: memory of the last part, MB"] = after.memory / MEGABYTE
        worst[f"{name}: ... over that of the first"] = after.memory / before.memory
        worst[f"{name}: ... more for each fact meanwhile, bytes"] = (after.memory - before.memory) / more
        worst[f"{name}: handles of the last part over those of the first"] = after.handles / before.handles
        worst[f"{name}: part of a processor, %"] = 100 * plan.speed * at_end.busy_ms / (ended_ms - began_ms)
    worst["event file, bytes a turn"] = end.file / counts["turns"]
    worst["SQLite's write-ahead file at most, MB"] = max(one.wal for one in watched.samples) / MEGABYTE
    spread, grown = {}, []
    for what, took in (
        ("from a press to the event file", watched.to_row), ("from there to a referee's page", watched.to_referee),
        ("from a decision to a viewer's page", watched.to_viewer),
    ):  # fmt: skip
        parts = FirstAndLast.of(began_ms, max(one.at_ms for one in took), warm_ms)
        try:
            median_ratio, late_ratio = slower(what, took, parts, plan.floor_ms * plan.speed)
        except AssertionError as fault:
            grown.append(str(fault))
            continue
        worst[f"{what}: median of the last part over that of the first"] = median_ratio
        worst[f"{what}: the slowest hundredth, likewise"] = late_ratio
        for hour, took_ms in by_hour(took, parts.first[0]):
            worst[f"{what}: median of hour {hour} after the first {plan.warm_minutes:g} minutes, ms"] = took_ms
        spread[f"{what}, in the day's time"] = Counter(1_000 * one.took_ms for one in took)
    assert not grown, "; ".join(grown)
    worst["tables"], worst["referees"], worst["viewers"] = plan.tables, plan.referees, plan.viewers
    worst["times as fast as life"] = plan.speed
    worst["latest that a table was played, s"] = tables.late_ms / 1_000
    mine = {
        "hours": round((ended_ms - began_ms) / HOUR_MS), "minutes": (ended_ms - began_ms) // MINUTE_MS,
        "seconds in which a table was played more than a second late": tables.late_s,
        "links that the desk began anew, or that broke": tables.desk.broken,
    }  # fmt: skip
    kinds = sorted(name for name in counts if name.startswith("... "))
    calls = {name: counts[name] for name in ("calls answered", *kinds)}
    others = {name: counts[name] for name in sorted(counts) if name not in calls}
    return Outcome({**mine, **others, **calls}, worst, spread)
