"""The pages of `dalej serve` in a full hall: how long a fact takes to a phone's screen, what each viewer costs the
laptop, whether a thousand are held, and how soon a page stands on a phone that has never seen it.

One event with a seated round, one simulated hall that plays it, one `dalej serve` on loopback: all as people start
them. Most viewers are phones without screens (`bench.crowd`); one referee's and one of the public's are pages in
Chromium, which say when something else is painted. A fact is timed from the press at its box, a result from the moment
before it is entered. Everybody comes from one address, as behind a router, but for the thousand: these come from a
few, because one lets so many in within minutes only.

The baseline is the hall on the terminal's screen, which looks at the same event at the same time: a whole process for
whoever looks. What Chromium itself takes of this machine slows everything alike. Throttled is as Chromium's own tools
do it: bytes and answers are late, and the processor is a quarter as fast; how long a connection takes to be made is not
in it. Of these looks the fastest counts, because the rest of the machine can only slow one down.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import psutil
from playwright.async_api import Browser, Page, async_playwright

from bench.crowd import Heard
from bench.row import NONE, Row, quantile
from bench.screen import Watched, own_memory
from dalej.domain.tournament.tournament import GameAt
from dalej.event.event import Event
from dalej.event.ledger import ASSIGN, Decision, Reported, baseline_of
from dalej.office.acts.roles import Role
from moveclock import facts as k
from tests import world
from tests.boxes.firmware.club import environment
from tests.web.reading import CHROMIUM, FLAGS, page_of
from tests.web.rig import SECRETS, passwords

REFEREES: Final = 5
PUBLIC: Final = 200
MANY: Final = 1_000
ROLES_HERE: Final[tuple[Role, ...]] = ("public", "referee")
MANY_HOMES: Final = 5  # addresses from which the thousand come
TABLES: Final = 12
LIMIT: Final = "5 s"  # of a move: eight times as many facts as an evening has
WATCHED_S: Final = 20.0
MANY_S: Final = 8.0
RESULT_EVERY_S: Final = 5.0
SETTLING_S: Final = 3.0
AFTER_RESULT_S: Final = 2.5  # until the last page is read anew
LEAST_S: Final = 2.0
WITHIN_S: Final = 30.0
IN_WITHIN_S: Final = 60.0
TURNS: Final = 3
DISK: Final = Path("run")

PHONE: Final = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SLOWER: Final = 4  # times, its processor
FAST_3G: Final = {"latency": 300, "downloadThroughput": 200_000, "uploadThroughput": 93_750}  # ms, bytes a second
MOVE: Final = re.compile(r"game \d+, move \d+")
MEGABYTE: Final = 1 << 20

CORE: Final = "≤ 0.2 %"
MEMORY: Final = "≤ 1 MB"
PAINT: Final = "≤ 1.5 s"
WEIGHT: Final = "≤ 150 KB"

# Notes each element that says something else, once that is painted. Clocks, which the page counts itself, are no news.
PAINTED: Final = """(selector) => {
  const said = new Map(), changed = new Set(), way = new MessageChannel();
  const words = (one) => [...one.querySelectorAll(".more, .player, td, li")].map((each) => each.textContent).join(" ");
  window.painted = [];
  for (const one of document.querySelectorAll(selector)) said.set(one.id, words(one));
  way.port1.onmessage = () => {
    const at = performance.timeOrigin + performance.now();
    for (const one of changed) {
      const now = words(one);
      if (said.get(one.id) !== now) window.painted.push([one.id, now, at]);
      said.set(one.id, now);
    }
    changed.clear();
  };
  new MutationObserver((all) => {
    const before = changed.size;
    for (const { target } of all) {
      const one = (target.nodeType === 1 ? target : target.parentElement)?.closest(selector);
      if (one) changed.add(one);
    }
    if (!before && changed.size) requestAnimationFrame(() => way.port2.postMessage(0));
  }).observe(document.getElementById("main"), { childList: true, subtree: true, characterData: true });
}"""
FIRST_PAINT: Final = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (one.name === "first-contentful-paint") done(one.startTime);
}).observe({ type: "paint", buffered: true }))"""


@dataclass(slots=True)
class Cost:
    """Of a process: bytes of `own_memory` at the end, part of a core that it took meanwhile."""

    memory: int = 0
    share: float = 0.0


@dataclass(slots=True)
class Look:
    """While so many looked. `entered`: when each result was, in Unix ms; `screen`, `of_screen`: the terminal's."""

    viewers: int
    cost: Cost = field(default_factory=Cost)
    entered: list[float] = field(default_factory=list)
    heard: Heard = field(default_factory=Heard)
    facts: list[float] = field(default_factory=list)
    results: list[float] = field(default_factory=list)
    screen: Watched = field(default_factory=Watched)
    of_screen: Cost = field(default_factory=Cost)


def measure(size: float = 1) -> list[Row]:
    """Rows of a phone's first look, of a full hall, of a thousand; one that says so where there is no Chromium."""
    DISK.mkdir(exist_ok=True)
    return [Row("there is no Chromium here", NONE)] if CHROMIUM is None else asyncio.run(_measure(size))


async def _measure(size: float) -> list[Row]:
    async with AsyncExitStack() as stack:
        playing = await stack.enter_async_context(async_playwright())
        browser = await playing.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        stack.push_async_callback(browser.close)
        async with _served_hall() as quiet:
            quiet.boxes.kill()  # what simulates players takes the processor that the phone would have of its own
            rows = await _first_looks(browser, quiet, max(1, int(TURNS * size)))
        hall = await stack.enter_async_context(_served_hall())
        nobody = await hall.cost(max(LEAST_S, WATCHED_S * size / 4))
        viewers = max(2, int(REFEREES * size)), max(2, int(PUBLIC * size))
        full = await _full_hall(browser, hall, *viewers, max(LEAST_S, WATCHED_S * size))
        rows += _of_full_hall(full, nobody)
        if sys.platform.startswith("linux"):  # others have one address of their own
            many = await _many(hall, max(3, int(MANY * size)), max(LEAST_S, MANY_S * size))
            rows += _of_many(many, nobody, full)
    return rows


# --- a hall that is served -----


@dataclass(slots=True)
class Hall:
    """`url`: of its server, whose process that is. `boxes`: the one that simulates them, and who plays. `event`: the
    same event, in which results are entered.
    """

    url: str
    server: psutil.Process
    boxes: psutil.Process
    event: Event
    random: Random = field(default_factory=lambda: Random(1))
    games: list[GameAt] = field(default_factory=list)

    async def cost(self, seconds: float) -> Cost:
        """Of the server, for so long."""
        measuring = Measuring(self.server)
        await asyncio.sleep(seconds)
        return measuring.done()

    def enter_result(self) -> float:
        """Of the next game; the moment before, in Unix ms."""
        now_ms = time.time() * 1_000
        world.play(self.event, self.random, [self.games.pop(0)])
        return now_ms

    def begun(self, after: int) -> Mapping[tuple[int, str], float]:
        """By table and as a page says it: when each move since that entry was begun, in Unix ms."""
        entries = self.event.ledger.since(0, 1_000_000)
        assigned = [baseline_of(one) for one in entries if isinstance(one, Decision) and one.kind == ASSIGN]
        tables = {one.box: one.table for one in assigned}
        return {
            (tables[one.fact.box], f"game {one.fact.game}, move {one.fact.move}"): float(one.wall_ms)
            for one in entries
            if isinstance(one, Reported) and one.cursor > after and one.fact.kind == k.MOVE_STARTED
            and one.wall_ms is not None and not one.old
        }  # fmt: skip


class Measuring:
    """What a process takes, from now on."""

    def __init__(self, process: psutil.Process) -> None:
        self._process = process
        self._began, self._used = time.monotonic(), self._seconds()

    def done(self) -> Cost:
        """Since it was begun."""
        took = time.monotonic() - self._began
        return Cost(own_memory(self._process), (self._seconds() - self._used) / took)

    def _seconds(self) -> float:
        times = self._process.cpu_times()
        return float(times.user + times.system)


@asynccontextmanager
async def _served_hall() -> AsyncIterator[Hall]:
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DISK.absolute()) as made:
        folder = Path(made)
        around = {**environment(folder / "club"), "XDG_STATE_HOME": str(folder / "state"), "DALEJ_WHO": "Sowa"}
        program = [sys.executable, "-m", "dalej"]
        kept = passwords(folder)
        for role in ROLES_HERE:
            kept.set(role, SECRETS[role])
        with world.an_event(
            folder, 4 * TABLES, who="Sowa", wall_ms=lambda: int(time.time() * 1_000), limit=LIMIT
        ) as event:
            path = str(event.ledger.path)
            plays = [
                "demo", "--no-screen", "--until-eof", "--yes", "--event", path, "--links", str(TABLES),
            ]  # fmt: skip
            shows = ["serve", path, "--port", "0", "--public-open"]
            async with _begun([*program, *plays], around) as hall, _begun([*program, *shows], around) as server:
                assert hall.stdout is not None
                assert server.stdout is not None
                await asyncio.wait_for(hall.stdout.readline(), WITHIN_S)
                url = (await asyncio.wait_for(server.stdout.readline(), WITHIN_S)).decode().strip().rstrip("/")
                current = event.state().current
                assert current is not None
                yield Hall(
                    url, psutil.Process(server.pid), psutil.Process(hall.pid), event, games=list(current.missing())
                )


@asynccontextmanager
async def _begun(command: Sequence[str], around: Mapping[str, str]) -> AsyncIterator[Process]:
    """Told that it is over by the end of its input, or as Ctrl-C does."""
    process = await asyncio.create_subprocess_exec(*command, env=around, stdin=PIPE, stdout=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate(b"")


# --- a phone that has never seen it -----


async def _first_looks(browser: Browser, hall: Hall, turns: int) -> list[Row]:
    rows = []
    for path, role in (("/login", ""), ("/standings", "public"), ("/hall", "referee")):
        late = [await _first_look(browser, hall, path, role, throttled=True) for _ in range(turns)]
        soon, _weight = await _first_look(browser, hall, path, role, throttled=False)
        paint = min(seconds for seconds, _bytes in late)
        rows += [
            Row(
                f"{path}: first contentful paint on a phone over 3G", f"{paint:.2f} s", f"on this machine {soon:.2f} s",
                f"{paint / soon:.1f}", PAINT,
            ),
            Row(f"{path}: all that is loaded for it", f"{late[0][1] / 1024:.0f} KB", goal=WEIGHT),
        ]  # fmt: skip
    return rows


async def _first_look(browser: Browser, hall: Hall, path: str, role: str, *, throttled: bool) -> tuple[float, int]:
    """Seconds to the first contentful paint, and bytes as they travelled."""
    async with page_of(browser, **PHONE) as seen:
        if role:
            await _come_in(seen.page, hall.url, role)
        tools = await seen.page.context.new_cdp_session(seen.page)
        await tools.send("Network.enable")
        await tools.send("Network.clearBrowserCache")
        if throttled:
            await tools.send("Network.emulateNetworkConditions", {"offline": False, **FAST_3G})
            await tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        seen.weights.clear()
        await seen.page.goto(hall.url + path)
        paint = await seen.page.evaluate(FIRST_PAINT)
        await seen.page.wait_for_timeout(200)
        return paint / 1_000, sum(seen.weights.values())


async def _come_in(page: Page, url: str, role: str) -> None:
    """Without loading anything that a first look loads."""
    form: dict[str, str | float | bool] = {"role": role, "name": "Lis", "password": SECRETS[role]}
    answer = await page.context.request.post(f"{url}/login", form=form, headers={"Origin": url}, max_redirects=0)
    assert answer.status == 303, answer.status


# --- a full hall -----


async def _full_hall(browser: Browser, hall: Hall, referees: int, public: int, seconds: float) -> Look:
    look = Look(referees + public)
    async with AsyncExitStack() as stack:
        for_public, for_referee = [await stack.enter_async_context(page_of(browser, **PHONE)) for _ in range(2)]
        for seen, path, role, selector in (
            (for_public, "/standings", "public", "#here"), (for_referee, "/hall", "referee", "#tables > li"),
        ):  # fmt: skip
            await _come_in(seen.page, hall.url, role)
            await seen.page.goto(hall.url + path)
            await seen.page.evaluate(PAINTED, selector)
        crowds = [
            await stack.enter_async_context(_crowd(hall, "/standings", "/live/public", "public", public - 1)),
            await stack.enter_async_context(_crowd(hall, "/hall", "/live/hall", "referee", referees - 1)),
        ]
        screen = [sys.executable, "-m", "bench.screen", str(hall.event.ledger.path), str(seconds)]
        terminal = await stack.enter_async_context(_begun(screen, os.environ))
        assert terminal.stdout is not None
        await asyncio.wait_for(terminal.stdout.readline(), WITHIN_S)
        first = hall.event.ledger.head()
        began = time.time() * 1_000
        look.cost, look.entered = await _results(hall, seconds)
        look.heard = await _over(crowds[0])
        await _over(crowds[1])
        told = json.loads((await terminal.communicate(b""))[0])
        look.of_screen = Cost(told.pop("memory"), told["share"])
        look.screen = Watched(**told)
        painted: dict[tuple[int, str], float] = {}
        for one, words, at in await for_referee.page.evaluate("painted"):
            for move in MOVE.findall(words):
                painted.setdefault((int(one.removeprefix("t-")), move), at)
        begun = hall.begun(first)
        look.facts = [painted[what] - at for what, at in begun.items() if what in painted and at >= began]
        shown = [at for _one, _words, at in await for_public.page.evaluate("painted")]
        look.results = [min(later) - at for at in look.entered if (later := [one for one in shown if one >= at])]
    return look


async def _many(hall: Hall, viewers: int, seconds: float) -> Look:
    """Phones without screens alone."""
    look = Look(viewers)
    async with _crowd(hall, "/standings", "/live/public", "public", viewers, MANY_HOMES) as crowd:
        look.cost, look.entered = await _results(hall, seconds)
        look.heard = await _over(crowd)
    return look


async def _results(hall: Hall, seconds: float) -> tuple[Cost, list[float]]:
    """What the server takes while results are entered, and when each was."""
    await asyncio.sleep(min(SETTLING_S, seconds))
    measuring, entered, over = Measuring(hall.server), [], time.monotonic() + seconds
    while (left := over - time.monotonic()) > 0:
        entered.append(await asyncio.to_thread(hall.enter_result))
        await asyncio.sleep(min(RESULT_EVERY_S, left))
    cost = measuring.done()
    await asyncio.sleep(AFTER_RESULT_S)
    return cost, entered


@asynccontextmanager
async def _crowd(
    hall: Hall, path: str, live: str, role: str, viewers: int, addresses: int = 1
) -> AsyncIterator[Process]:  # fmt: skip
    """All of them are there."""
    command = ["-m", "bench.crowd", hall.url, path, live, role, str(viewers), str(addresses)]
    async with _begun([sys.executable, *command], os.environ) as crowd:
        assert crowd.stdin is not None
        assert crowd.stdout is not None
        crowd.stdin.write(f"{SECRETS[role]}\n".encode())
        line = await asyncio.wait_for(crowd.stdout.readline(), IN_WITHIN_S)
        assert line, f"{viewers} as {role} did not get in"
        yield crowd


async def _over(crowd: Process) -> Heard:
    """What it has heard."""
    return Heard(**json.loads((await crowd.communicate(b""))[0]))


# --- as rows -----


def _of_full_hall(full: Look, nobody: Cost) -> list[Row]:
    looked = f"{REFEREES} referees and {full.viewers - REFEREES} of the public"
    told = _told(full)
    rows = [
        _late(
            f"{looked}: fact to a referee's screen, {len(full.facts)} facts: median", 0.5, full.facts, full.screen.shown
        ),
        _late("... 99 %", 0.99, full.facts, full.screen.shown),
    ]
    rows += [
        Row(f"... result to the public's screen, {name}", f"{quantile(part, full.results):.0f} ms",
            f"told to all {quantile(part, told):.0f} ms", f"{quantile(part, full.results) / quantile(part, told):.1f}")
        for name, part in (("median", 0.5), ("99 %", 0.99)) if full.results and told
    ]  # fmt: skip
    each = Cost((full.cost.memory - nobody.memory) // full.viewers, (full.cost.share - nobody.share) / full.viewers)
    return [*rows, *_each("... each viewer", each, full)]


def _of_many(many: Look, nobody: Cost, full: Look) -> list[Row]:
    changes = len(many.entered)
    held = sum(len(told) == changes for told in many.heard.told)
    told, few = _told(many), _told(full)
    each = Cost((many.cost.memory - nobody.memory) // many.viewers, (many.cost.share - nobody.share) / many.viewers)
    return [
        Row(f"of {many.viewers:,} viewers those who heard of every change", f"{held:,} viewers",
            goal=f"≥ {many.viewers} viewers"),
        *(
            Row(f"... result to told, {name}", f"{quantile(part, told):.0f} ms",
                f"{full.viewers:,} viewers {quantile(part, few):.0f} ms",
                f"{quantile(part, told) / quantile(part, few):.1f}")
            for name, part in (("median", 0.5), ("99 %", 0.99)) if told and few
        ),
        *_each("... each of them", each, full),
    ]  # fmt: skip


def _told(look: Look) -> list[float]:
    """Ms from each result until each viewer was told."""
    return [at - entered for told in look.heard.told for entered, at in zip(look.entered, told, strict=False)]


def _late(what: str, part: float, ours: Sequence[float], base: Sequence[float]) -> Row:
    here, there = quantile(part, ours), quantile(part, base)
    return Row(what, f"{here:.0f} ms", f"terminal's screen {there:.0f} ms", f"{here / max(1, there):.1f}")


def _each(what: str, each: Cost, full: Look) -> list[Row]:
    screen = full.of_screen
    return [
        Row(f"{what}: of one core", f"{each.share * 100:.3f} %", f"terminal's screen {screen.share * 100:.1f} %",
            f"{each.share / screen.share:.3f}", CORE),
        Row(f"{what}: memory", f"{each.memory / MEGABYTE:.2f} MB",
            f"terminal's screen {screen.memory / MEGABYTE:.0f} MB",
            f"{each.memory / screen.memory:.4f}", MEMORY),
    ]  # fmt: skip
