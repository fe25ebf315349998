"""A short day in real programs finds nothing, and each thing that a day looks for is found when it is there."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random

import psutil
import pytest
from aiohttp import ClientSession, web

from dalej.boxes.paired import OwnBox
from dalej.boxes.phones import Code
from dalej.clock import SystemClock
from moveclock.wire import pack_record, unpack_record
from proof import day, daypeople
from proof.day import HOUR_MS, FirstAndLast, Life, Plan, Sample, Took, compared, slower
from proof.daypeople import Forms, Hall
from proof.daytables import Network, Tables
from proof.faster import FastLoop, Tempo
from proof.witness import Witness
from tests.documents import ROOT
from tests.waiting import until
from tests.web.rig import Live

SHORT = Plan(
    rounds=2, limit_s=5, round_minutes=2, pause_minutes=1, tables=6, viewers=6, speed=20, sampled_minutes=0.2,
    warm_minutes=0.5, floor_ms=10_000,  # minutes beside other tests tell nothing of how long things take
)  # fmt: skip


@asynccontextmanager
async def served(path: str, answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> AsyncIterator[str]:
    """The address of a server that has this alone."""
    app = web.Application()
    app.add_routes([web.get(path, answer)])
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.long(300)
def test_a_short_day_is_played_to_its_end_and_a_fact_that_the_file_lacks_or_has_too_much_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judge, judged = day.judge, []

    def judge_thrice(event: Path, witnesses: Mapping[int, Witness], counts: Counter[str]) -> None:
        judge(event, witnesses, counts)
        records = next(iter(witnesses.values())).records
        last = max(records, key=lambda key: key[1])
        record = records.pop(last)
        with pytest.raises(AssertionError, match=r"in the file, .* in truth"):
            judge(event, witnesses, Counter())
        number, boot, (kind, at, *rest) = unpack_record(record)
        records[last] = pack_record(number, boot, (kind, at + 1, *rest))
        with pytest.raises(AssertionError, match=r"in the file, .* in truth"):
            judge(event, witnesses, Counter())
        records[last] = record
        judged.append(event)

    monkeypatch.setattr(day, "judge", judge_thrice)

    told = day.play(SHORT, 1)

    assert judged
    assert (told.counts["rounds"], told.worst["tables"], told.worst["times as fast as life"]) == (2, 6, 20)
    assert any("median of hour 1" in name for name in told.worst)
    assert told.counts["turns"] > 50
    of_all = told.counts["results entered"] + told.counts["games for which the round had no time left"]
    assert of_all == 2 * 6 * day.GAMES
    assert told.counts["results entered"] >= 6
    assert told.counts["pages of viewers"] > 10
    assert told.worst["SQLite's write-ahead file at most, MB"] < 10
    assert told.spread["from a press to the event file, in the day's time"].keys()


# --- what would be found -----

THEN = Sample(0, Life(80 << 20, 20, 5, 0), Life(70 << 20, 60, 5, 0), 1 << 20, 4 << 20, 1_000)
PARTS = FirstAndLast((0, HOUR_MS), (7 * HOUR_MS, 8 * HOUR_MS))


def later(**changed: object) -> list[Sample]:
    return [THEN, replaced(THEN, at_ms=8 * HOUR_MS, **changed)]


def replaced(sample: Sample, **changed: object) -> Sample:
    return sample._replace(**changed)  # type: ignore[arg-type]  # fields of a sample


def test_a_day_whose_end_is_as_its_beginning_was_is_no_fault() -> None:
    assert compared(later(), PARTS, 45)[1].at_ms == 8 * HOUR_MS


def test_what_the_facts_of_a_day_take_in_memory_is_no_fault_and_more_than_that_is() -> None:
    grown = Life((80 << 20) + 100_000 * day.BYTES_A_FACT, 20, 5, 0)

    compared(later(desk=grown, facts=101_000), PARTS, 45)
    with pytest.raises(AssertionError, match=r"desk: \d+ MB of memory, 80 MB at first and 0 facts since"):
        compared(later(desk=grown), PARTS, 45)
    with pytest.raises(AssertionError, match="server: 210 MB of memory"):
        compared(later(web=Life(210 << 20, 60, 5, 0)), PARTS, 45)


def test_handles_and_threads_that_grow_are_a_fault() -> None:
    with pytest.raises(AssertionError, match="desk: 40 handles, 20 at first"):
        compared(later(desk=Life(80 << 20, 40, 5, 0)), PARTS, 45)
    with pytest.raises(AssertionError, match="server: 120 handles, 60 at first"):
        compared(later(web=Life(70 << 20, 120, 5, 0)), PARTS, 45)
    with pytest.raises(AssertionError, match="desk: 9 threads, 5 at first"):
        compared(later(desk=Life(80 << 20, 20, 9, 0)), PARTS, 45)


def test_a_median_that_is_twice_as_long_and_the_floor_above_is_no_fault_and_more_is() -> None:
    first, last = [Took(1, 100)] * 3, 8 * HOUR_MS - 1

    assert slower("a press", [*first, *[Took(last, 300)] * 3], PARTS, 100) == (3.0, 3.0)
    with pytest.raises(AssertionError, match=r"a press: 301 ms, 100 ms at first \(by hour 1: 100, 8: 301\)"):
        slower("a press", [*first, *[Took(last, 301)] * 3], PARTS, 100)
    with pytest.raises(AssertionError, match="a press: nothing in the last part of the day"):
        slower("a press", first, PARTS, 100)


def test_a_page_that_is_told_nothing_hangs_and_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daypeople, "WITHIN_S", 0.05)

    async def silent(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        await asyncio.get_running_loop().create_future()
        return answer

    async def story() -> None:
        hall = Hall("", 1.0, Random(1), Counter(), lambda *_: None, lambda *_: None, {})
        live = "/live/hall"
        async with served(live, silent) as url, ClientSession() as client, client.get(url + live) as answer:
            await hall.told(Live(answer), live)

    with pytest.raises(AssertionError, match=r"/live/hall says nothing for 0\.05 s: the page hangs"):
        asyncio.run(story())


def test_tables_that_are_played_late_are_counted_and_nothing_is_left_out() -> None:
    tempo = Tempo.begun(100.0)
    played: list[int] = []

    async def story() -> None:
        tables = Tables(tempo, "", {}, 1, day.GAMES, lambda *_: None, lambda _: None)
        tables.sit_down(None)  # type: ignore[arg-type]  # no box is there to have a socket

        def takes_three_seconds_of_the_day() -> None:
            since_ms = tempo.now_ms()
            while tempo.now_ms() < since_ms + 3_000:
                pass

        over = asyncio.Event()
        tables.world.after(500, takes_three_seconds_of_the_day)
        for due_ms in range(600, 3_000, 100):
            tables.world.after(due_ms, lambda: played.append(tables.world.now_ms))
        tables.world.after(5_000, over.set)
        living = asyncio.create_task(tables.live())
        async with asyncio.timeout(60 * tempo.speed):
            await over.wait()
        living.cancel()
        assert tables.late_ms > 1_000
        assert tables.late_s >= 1

    with asyncio.Runner(loop_factory=lambda: FastLoop(tempo)) as runner:
        runner.run(story())
    assert played == [*range(600, 3_000, 100)]


# --- its time, and its pages -----


def test_what_sleeps_for_a_minute_of_the_day_sleeps_for_a_part_of_one() -> None:
    tempo, began = Tempo.begun(200.0), time.monotonic()

    with asyncio.Runner(loop_factory=lambda: FastLoop(tempo)) as runner:
        runner.run(asyncio.sleep(60))

    assert 0.3 <= time.monotonic() - began < 30


def test_two_programs_of_one_pace_have_one_time() -> None:
    clock = SystemClock()
    tempo = Tempo(10.0, clock.now_ms() - 60_000, clock.wall_ms() - 60_000)
    asked = "from dalej.clock import SystemClock; print(SystemClock().wall_ms())"
    mine = (str(tempo.speed), str(tempo.since_ms), str(tempo.wall_since_ms))
    program = f"from proof import faster; faster.main = lambda: exec({asked!r}); faster.run(*{mine!r})"

    before_ms = tempo.wall_ms()
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=60, check=True)

    assert before_ms < int(told.stdout) < tempo.wall_ms()


@pytest.mark.parametrize("speed", [1.0, 10.0])
def test_a_program_in_another_time_is_the_program(speed: float) -> None:
    run = partial(subprocess.run, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=True)

    plain, ours = run([sys.executable, "-m", "dalej", "--version"]), run(Tempo.begun(speed).program("--version"))

    assert ours.stdout == plain.stdout
    assert ours.stdout.startswith("dalej")


def test_a_form_is_read_with_what_it_brings_along_and_its_buttons() -> None:
    page = """<form class="act answer alone" method="post" action="/act/rule"><input type="hidden" name="token"
      value="ab"><input type="hidden" name="args" value="{&quot;table&quot;: 3}"><button>late</button></form>
      <form action="/act/resume"><input name="tiles"><button name="why" value="w1">it goes on</button></form>"""

    first, second = Forms(page).all

    assert (first.action, first.kind, first.buttons) == ("/act/rule", "act answer alone", [])
    assert first.fields == {"token": "ab", "args": '{"table": 3}'}
    assert (second.fields, second.buttons) == ({}, [("why", "w1")])


def test_what_breaks_in_a_box_while_its_link_is_carried_ends_the_day_whatever_it_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tempo = Tempo.begun(20.0)

    async def desk(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_bytes(bytes(16))
        await socket.receive()
        await socket.send_bytes(b"x")
        await asyncio.sleep(60 * tempo.speed)
        return socket

    def torn(_network: Network) -> None:
        raise TimeoutError("the journal is torn")  # as a link that is over is called as well

    monkeypatch.setattr(Network, "serve", torn)

    async def story() -> None:
        code = Code(OwnBox("0a0b0c0d0e0f", "T1", 1, 1), bytes(32))
        async with served("/link", desk) as url, ClientSession() as session, asyncio.timeout(60 * tempo.speed):
            tables = Tables(tempo, url, {1: code}, 1, day.GAMES, lambda *_: None, lambda _: None)
            tables.sit_down(session)
            await tables.live()

    with asyncio.Runner(loop_factory=lambda: FastLoop(tempo)) as runner, pytest.raises(TimeoutError, match="torn"):
        runner.run(story())


def test_a_program_that_ends_by_itself_is_named_whoever_notices_first(tmp_path: Path) -> None:
    tempo = Tempo.begun(1.0)

    async def story() -> None:
        async with day._begun(tempo, tmp_path, "desk", "(dalej)", "--version") as (pid, _):
            await until(lambda: not psutil.pid_exists(pid), "it to end")
            raise ConnectionError("nobody answers")

    with asyncio.Runner() as runner, pytest.raises(AssertionError, match="desk has ended by itself: it said nothing"):
        runner.run(story())
