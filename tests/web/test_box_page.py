"""`dalej box page`: a clock that plays a table in any browser, loses nothing, and says what it cannot keep."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

import pytest
from playwright.async_api import Page

from dalej.boxes.firmware.tree import compiled, sources
from dalej.boxes.page.onefile import one_file, worker
from moveclock import facts as k
from moveclock.wire import unpack_record
from tests.web.axe import AXE, violations
from tests.web.boxpages import CLOSED, EVERYTHING, GUARDED_S, JUZ, KILLED_AT, RUNNING, STOPPED, TABLET, records
from tests.web.engines import Driven
from tests.web.person import Person
from tests.web.reading import Chromium, Seen

BEGUN: Final = "document.body.dataset.begun"
SEDZIA: Final = f"[data-contact='{k.SEDZIA}']"
MOVES: Final = 4
AGAIN_S: Final = 2.5  # it has tried to open it once more


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- as it is called there
        pass


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page is, on a server that knows nothing."""
    folder = tmp_path_factory.mktemp("clock")
    page = one_file(compiled(sources()))
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / "worker.js").write_text(worker(page), encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


async def is_in(person: Person, state: str) -> None:
    await person.until(f"document.body.dataset.state === '{state}'", f"state {state}")


async def sets_up(person: Person) -> None:
    await person.until(BEGUN, "the clock")
    await person.choose("#setup .does")
    await person.until("document.getElementById('setup').hidden", "the clock's face")


def test_a_table_plays_is_back_where_it_was_when_the_page_is_loaded_anew_and_goes_on(
    driven: Driven, clock: str
) -> None:
    async def story() -> None:
        async with driven.engine.tab() as tab:
            person = Person(tab, clock, "touch")
            await person.goto("/")
            await sets_up(person)
            await person.touch(JUZ[0])
            await person.touch(JUZ[0])
            await is_in(person, RUNNING)
            await person.until(f"document.querySelector({JUZ[0]!r}).classList.contains('lit')", "A's lamp")
            await asyncio.sleep(GUARDED_S)
            await person.touch(JUZ[0])
            await person.until(f"document.querySelector({JUZ[1]!r}).classList.contains('lit')", "B's lamp")

            await person.goto("/")
            await person.until(BEGUN, "the clock again")
            await is_in(person, STOPPED)
            await person.until("document.querySelector('.turn b').textContent.trim() === 'B'", "B, to move")
            assert tab.problems == []

    driven.run(story())


# --- Chromium alone, whose own protocol has fingers, and tells of transactions -----


def plays(chromium: Chromium, clock: str, story: Callable[[Page, Seen], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with chromium.page(**TABLET) as seen:
            await seen.page.goto(clock)
            await seen.page.locator("body[data-begun=yes]").wait_for()
            await story(seen.page, seen)
            assert seen.problems == []

    chromium.run(run())


async def begins(page: Page) -> None:
    """Seat A is to move."""
    await page.locator("#setup .does").tap()
    for _ in range(2):
        await page.locator(JUZ[0]).tap()
        await page.wait_for_timeout(100)
    await page.locator(f"body[data-state='{RUNNING}']").wait_for()
    await asyncio.sleep(GUARDED_S)


async def moves(page: Page) -> None:
    """One seat after the other lays its tiles."""
    for move in range(MOVES):
        await page.locator(JUZ[move % 4]).tap()
        await asyncio.sleep(GUARDED_S)


async def lit(page: Page) -> list[str]:
    return [str(await one.get_attribute("data-contact")) for one in await page.locator("[data-seat] .juz.lit").all()]


def test_of_four_fingers_at_once_the_one_whose_move_it_is_counts(chromium: Chromium, clock: str) -> None:
    async def story(page: Page, _seen: Seen) -> None:
        await begins(page)
        touch = await page.context.new_cdp_session(page)
        middles = [await page.locator(JUZ[seat]).bounding_box() for seat in range(4)]
        points = [
            {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": at}
            for at, box in enumerate(middles) if box is not None
        ]  # fmt: skip
        await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        await page.wait_for_timeout(60)
        await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await page.locator(f"{JUZ[1]}.lit").wait_for()
        assert await lit(page) == ["2"], "B's move, and nobody's after it: three taps were strays"

    plays(chromium, clock, story)


def test_a_palm_is_no_press(chromium: Chromium, clock: str) -> None:
    async def story(page: Page, _seen: Seen) -> None:
        await begins(page)
        touch = await page.context.new_cdp_session(page)
        box = await page.locator(JUZ[0]).bounding_box()
        assert box is not None
        palm = {"x": box["x"] + 60, "y": box["y"] + 60, "radiusX": 80, "radiusY": 80}
        await touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [palm]})
        await page.wait_for_timeout(60)
        await touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await page.wait_for_timeout(300)
        assert await lit(page) == ["0"]

    plays(chromium, clock, story)


def test_a_device_that_slept_stops_its_clock_and_says_so_and_one_whose_clock_is_set_back_plays_on(
    chromium: Chromium, clock: str
) -> None:
    async def story(page: Page, _seen: Seen) -> None:
        await begins(page)
        await page.evaluate("(now => { Date.now = () => now() - 3600000; })(Date.now)")
        await page.wait_for_timeout(500)
        assert await page.get_attribute("body", "data-state") == RUNNING
        await page.evaluate("(now => { Date.now = () => now() + 60000; })(Date.now)")
        await page.locator(f"body[data-state='{STOPPED}']").wait_for()
        assert "slept" in (await page.locator("#mark").inner_text())

    plays(chromium, clock, story)


STALLS: Final = """selector => {
    const button = document.querySelector(selector);
    const finger = { bubbles: true, cancelable: true, pointerId: 7, pointerType: "touch", width: 20, height: 20 };
    button.dispatchEvent(new PointerEvent("pointerdown", finger));
    const until = performance.now();
    while (performance.now() < until + 60);
    const lifted = new PointerEvent("pointerup", finger); // at this instant, whenever the page hears of it
    setTimeout(() => button.dispatchEvent(lifted), 130);
    while (performance.now() < until + 1500);
}"""


def test_a_tap_is_a_tap_although_the_page_stalls_before_it_hears_that_the_finger_was_lifted(
    chromium: Chromium, clock: str
) -> None:
    async def story(page: Page, _seen: Seen) -> None:
        await begins(page)
        await page.evaluate(STALLS, JUZ[0])
        await page.locator(f"{JUZ[1]}.lit").wait_for()
        assert await page.get_attribute("body", "data-state") == RUNNING, "held, it would have ended the game"
        assert await lit(page) == ["2"]

    plays(chromium, clock, story)


def test_a_second_page_on_the_same_journal_plays_nothing_and_says_why(chromium: Chromium, clock: str) -> None:
    async def story(page: Page, _seen: Seen) -> None:
        other = await page.context.new_page()
        await other.goto(clock)
        await other.get_by_text("open in another tab").wait_for()
        assert await other.get_attribute("body", "data-begun") is None

    plays(chromium, clock, story)


def test_once_loaded_from_a_secure_address_it_plays_with_no_server_at_all(chromium: Chromium, clock: str) -> None:
    async def story(page: Page, seen: Seen) -> None:
        await page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        await page.context.set_offline(True)
        await page.goto(clock)
        await page.locator("body[data-begun=yes]").wait_for()
        await begins(page)
        seen.problems.clear()  # that the worker's own script cannot be asked for anew

    plays(chromium, clock, story)


@pytest.mark.parametrize("at", range(1, 9))
def test_whichever_transaction_is_the_last_no_number_that_was_written_is_given_again(
    chromium: Chromium, clock: str, at: int
) -> None:
    async def story(page: Page, seen: Seen) -> None:
        await begins(page)
        await page.evaluate(KILLED_AT, at)
        await moves(page)
        before = records(await page.evaluate(EVERYTHING))
        await page.goto("about:blank")  # killed: nothing is said to it before
        await page.goto(clock)
        await page.locator("body[data-begun=yes]").wait_for()
        assert await page.get_attribute("body", "data-state") == STOPPED
        after = records(await page.evaluate(EVERYTHING))
        assert {seq: after[seq] for seq in before} == before
        assert len(after) > len(before)
        seen.problems.clear()  # what was aborted is told of

    plays(chromium, clock, story)


def test_a_storage_that_the_browser_has_closed_is_opened_again_and_has_every_move(
    chromium: Chromium, clock: str
) -> None:
    async def story(page: Page, _seen: Seen) -> None:
        await begins(page)
        await page.evaluate(CLOSED, False)
        await moves(page)
        await page.locator("body[data-kept=true]").wait_for()
        kept = records(await page.evaluate(EVERYTHING))
        assert [unpack_record(record)[2][0] for record in kept.values()].count(k.MOVE_ENDED) == MOVES

    plays(chromium, clock, story)


def test_where_somebody_has_deleted_what_was_kept_the_game_goes_on_and_nothing_half_is_kept(
    chromium: Chromium, clock: str
) -> None:
    async def story(page: Page, seen: Seen) -> None:
        await begins(page)
        await page.evaluate(CLOSED, True)
        await moves(page)
        await asyncio.sleep(AGAIN_S)
        assert await page.get_attribute("body", "data-state") == RUNNING
        assert await page.get_attribute("body", "data-kept") == "false"
        assert await page.evaluate("indexedDB.databases().then(all => all.length)") == 0
        seen.problems.clear()  # what was aborted is told of

    plays(chromium, clock, story)


@pytest.mark.parametrize("language", ["pl-PL", "en-GB", "it-IT"])
def test_its_questions_are_read_by_everybody(chromium: Chromium, clock: str, language: str) -> None:
    if not AXE.exists():
        pytest.skip("there is no axe-core here: `npm ci` in tests/vm")

    async def run() -> None:
        async with chromium.page(**TABLET, locale=language, bypass_csp=True) as seen:
            await seen.page.goto(clock)
            await seen.page.locator("body[data-begun=yes]").wait_for()
            assert await violations(seen, f"the questions, {language}") == []
            await begins(seen.page)
            assert await violations(seen, f"a move, {language}") == []
            assert json.loads(await seen.page.evaluate("JSON.stringify(document.documentElement.lang)")) == language[:2]

    chromium.run(run())
