"""The page in a real browser, headless: log-in, a screen, an act by key, being sent back to the log-in, every size.

Skipped where there is no Chromium; Debian has it in the package chromium.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Request, Route
from playwright.async_api import TimeoutError as BrowserTimeout

from tests.web.reading import WITHIN_MS, Chromium
from tests.web.rig import DEADLINE_S, Rig, held_port, served

ASKS_WITHIN_MS: Final = 1_000  # how long a page without its screen takes to ask why, if it asks


def play(chromium: Chromium, folder: Path, story: Callable[[Rig], Coroutine[Any, Any, None]], **plan: Any) -> None:
    async def run() -> None:
        async with served(folder, **plan) as rig:
            await story(rig)

    chromium.run(run())


def test_a_referee_logs_in_and_has_a_box_blink_with_a_key(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page() as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.shows("HALL-Sowa-referee-en")
            assert await seen.page.title() == "cup"
            await seen.page.keyboard.press("s")
            await seen.shows("DONE-s-1")
            await seen.page.keyboard.press("o")
            await seen.shows("NOT-o-")

            (request,) = rig.ledger.open_requests()
            assert request.who == "Sowa (referee)"
            assert all(address.startswith((rig.url, "data:")) for address in seen.addresses), seen.addresses
            assert seen.problems == []

            await seen.page.get_by_role("button", name="Log out").click()
            await seen.page.get_by_text("You are logged out.").wait_for(timeout=WITHIN_MS)
            await seen.page.goto(rig.url)
            assert seen.page.url == f"{rig.url}/login?over=out" or seen.page.url == f"{rig.url}/login"

    play(chromium, tmp_path, story)


def test_whoever_logs_out_is_told_so_also_where_the_answer_is_slow(chromium: Chromium, tmp_path: Path) -> None:
    """The screen closes as soon as the server has heard of it; that must not lead the page elsewhere meanwhile."""

    async def story(rig: Rig) -> None:
        gone = asyncio.Event()

        async def slowly(route: Route) -> None:
            answer = await route.fetch(max_redirects=0)
            async with asyncio.timeout(DEADLINE_S):
                await gone.wait()
            with suppress(BrowserTimeout):
                await seen.page.wait_for_event("requestfinished", asks_why, timeout=ASKS_WITHIN_MS)
            await route.fulfill(response=answer)

        def asks_why(request: Request) -> bool:
            return request.url == f"{rig.url}/session"

        async with chromium.page() as seen:
            seen.page.on("websocket", lambda socket: socket.on("close", lambda _: gone.set()))
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.shows("HALL-Sowa")
            await seen.page.route("**/logout", slowly)
            await seen.page.get_by_role("button", name="Log out").click()
            await seen.page.get_by_text("You are logged out.").wait_for(timeout=WITHIN_MS)
            assert [address for address in seen.addresses if "over=" in address] == [f"{rig.url}/login?over=out"]

    play(chromium, tmp_path, story)


def test_a_session_that_is_ended_is_back_at_the_log_in_by_itself(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page() as organiser, chromium.page() as public:
            await public.log_in(rig.url, "public", "")
            await public.shows("HALL-public-public")
            await public.page.keyboard.press("s")
            await public.shows("NOT-s-Refused")
            await organiser.log_in(rig.url, "organiser", "Borsuk")
            await organiser.shows("HALL-Borsuk-organiser")

            await organiser.page.keyboard.press("e")

            for seen in (organiser, public):
                await seen.page.get_by_text("An organiser has ended the sessions").wait_for(timeout=WITHIN_MS)
                assert await seen.page.get_by_label("Password").is_visible()

    play(chromium, tmp_path, story)


def test_a_screen_that_was_closed_is_opened_again_by_a_click(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page() as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.shows("HALL-")
            await seen.page.keyboard.press("q")
            await seen.page.get_by_text("The screen was closed.").wait_for(timeout=WITHIN_MS)
            seen.painted.clear()
            await seen.page.get_by_role("link", name="Open it again").click()
            await seen.shows("HALL-Sowa")

    play(chromium, tmp_path, story)


def test_letters_that_are_too_large_make_the_window_one_that_a_finger_moves(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/?font=18")
            await seen.page.locator("body.-first-byte").wait_for(timeout=WITHIN_MS)
            assert await seen.page.evaluate("window.dalejTerminal.cols") >= 80
            touching = await seen.page.context.new_cdp_session(seen.page)
            for kind, x in (("touchStart", 300), ("touchMove", 250), ("touchMove", 200), ("touchMove", 150)):
                await touching.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": 300}]})
            await seen.page.wait_for_function("document.querySelector('main').scrollLeft > 50", timeout=WITHIN_MS)
            assert await seen.page.evaluate("scrollX") == 0

    play(chromium, tmp_path, story)


@pytest.mark.parametrize(
    ("width", "height", "columns", "larger"),
    [
        (390, 780, 80, 10),
        pytest.param(1280, 800, 120, 18, marks=pytest.mark.torture),
        (1920, 1080, 160, 20),
    ],
)
def test_letters_are_small_enough_for_eighty_columns_on_any_device_and_large_on_a_projector(
    chromium: Chromium, tmp_path: Path, width: int, height: int, columns: int, larger: int
) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(viewport={"width": width, "height": height}, has_touch=True) as seen:
            sizes: list[str] = []
            seen.page.on("websocket", lambda socket: sizes.append(socket.url))
            await seen.log_in(rig.url, "public", "")
            await seen.shows("HALL-")
            wide, high = (int(parse_qs(urlsplit(sizes[0]).query)[name][0]) for name in ("width", "height"))
            assert columns <= wide <= columns * 1.25
            assert width < 1920 or 40 <= high <= 46
            assert await seen.page.evaluate("document.documentElement.scrollWidth") == width
            await seen.page.get_by_role("link", name="Larger letters").click()
            await seen.page.locator("body.-first-byte").wait_for(timeout=WITHIN_MS)
            assert await seen.page.locator("#terminal").get_attribute("data-font-size") == str(larger)
            assert await seen.page.evaluate("window.dalejTerminal.cols") >= 80
            assert await seen.page.evaluate("document.documentElement.scrollWidth") == width
            for one in await seen.page.locator("header a, header button, .who").all():
                box = await one.bounding_box()
                assert box is not None
                assert 0 <= box["x"] <= box["x"] + box["width"] <= width
            assert await seen.page.locator("#starts").count() == 0

    play(chromium, tmp_path, story)


def test_the_log_in_works_on_a_phone_and_without_scripts(chromium: Chromium, tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with chromium.page(
            viewport={"width": 360, "height": 640}, has_touch=True, java_script_enabled=False
        ) as seen:
            await seen.page.goto(rig.url)
            await seen.page.get_by_role("link", name="Italiano").tap()
            assert await seen.page.locator("html").get_attribute("lang") == "it"
            await seen.page.locator("[name=name]").fill("Lis")
            await seen.page.locator("[name=password]").fill("not that one")
            await seen.page.locator("button[type=submit]").first.tap()
            await seen.page.get_by_role("alert").wait_for(timeout=WITHIN_MS)
            assert await seen.page.locator("[name=name]").input_value() == "Lis"
            assert await seen.page.locator("[name=password]").input_value() == ""
            box = await seen.page.locator("button[type=submit]").first.bounding_box()
            assert box is not None
            assert box["height"] >= 44
            assert box["x"] + box["width"] <= 360

    play(chromium, tmp_path, story)


def test_a_page_waits_for_a_server_that_starts_again_and_is_back_at_the_log_in(
    chromium: Chromium, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()

    async def run(port: int) -> None:
        async with chromium.page() as seen:
            async with served(first, port=port) as rig:
                await seen.log_in(rig.url, "referee", "Sowa")
                sizes = await seen.page.evaluate(
                    """["main", "#terminal", ".xterm-screen"].map(
                        (one) => document.querySelector(one).getBoundingClientRect().bottom)"""
                )
                assert max(sizes) <= sizes[0] == await seen.page.evaluate("innerHeight")
            await seen.page.get_by_text("The server cannot be reached").wait_for(timeout=WITHIN_MS)
            async with served(second, port=port):
                await seen.page.get_by_text("This session is over; log in again.").wait_for(timeout=WITHIN_MS)
                assert await seen.page.get_by_label("Password").is_visible()

    with held_port() as port:
        chromium.run(run(port))
