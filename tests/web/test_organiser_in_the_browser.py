"""An organiser's work in a real browser: people moved by mouse, by finger and by keys, results typed on a keypad."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import expect

from dalej.event.event import state_of
from dalej.event.reading import read
from tests.web.halls import league
from tests.web.reading import WITHIN_MS, Chromium, Seen
from tests.web.rig import Rig, served

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}
RACKS = ("0", "10", "20", "30")


def chair(table: int, seat: str) -> str:
    return f"#seating [data-table='{table}'][data-seat='{seat}']"


async def sits(seen: Seen, table: int, seat: str) -> str:
    return (await seen.page.locator(f"{chair(table, seat)} a").inner_text()).strip()


async def seated_there(seen: Seen, table: int, seat: str, name: str) -> None:
    await seen.page.locator(f"{chair(table, seat)} a", has_text=name).wait_for(timeout=WITHIN_MS)


async def taken_back(seen: Seen) -> None:
    """Where it was done."""
    await seen.page.locator(".done button").click()
    await seen.page.locator(".done", has_text="Taken back").wait_for(timeout=WITHIN_MS)
    assert seen.page.url.endswith("/seating")


def seats(rig: Rig) -> list[tuple[int, ...]]:
    state = state_of(read(rig.ledger))
    assert state.current is not None
    assert state.current.seating is not None
    return [one.players for one in state.current.seating.tables]


def test_two_players_change_places_by_mouse_and_it_is_taken_back_in_place(chromium: Chromium, tmp_path: Path) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page() as seen:
            before = seats(rig)
            await seen.log_in(rig.url, "organiser", "Borsuk")
            await seen.page.goto(f"{rig.url}/seating")
            first, second = await sits(seen, 1, "A"), await sits(seen, 2, "B")
            await seen.page.locator(f"{chair(1, 'A')} a").drag_to(seen.page.locator(chair(2, "B")))
            await seated_there(seen, 2, "B", first)
            await seated_there(seen, 1, "A", second)
            assert seats(rig) != before
            await taken_back(seen)
            assert seats(rig) == before
            assert seen.problems == []

    chromium.run(run())


@pytest.mark.parametrize("glass", [PHONE, TABLET], ids=["phone", "tablet"])
def test_two_players_change_places_in_two_touches(chromium: Chromium, tmp_path: Path, glass: dict[str, object]) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page(**glass) as seen:
            await seen.log_in(rig.url, "organiser", "Borsuk")
            await seen.page.goto(f"{rig.url}/seating")
            first = await sits(seen, 1, "A")
            await seen.touch(seen.page.locator(f"{chair(1, 'A')} a"))
            await seen.reads(f"{first} is picked up")
            await seen.touch(seen.page.locator(f"{chair(1, 'C')} a"))
            await seated_there(seen, 1, "C", first)
            assert seen.touches == 2

    chromium.run(run())


def test_what_is_wrong_with_a_setting_stands_on_a_phone_s_screen_where_it_was_typed(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "organiser", "Borsuk")
            for typed, shown in (("abc", ".problem"), ("2", ".question")):
                await seen.page.goto(f"{rig.url}/settings")
                await seen.page.locator("#rounds summary").click()
                await seen.page.locator("#rounds-value").fill(typed)
                await seen.page.locator("#rounds button.does").click()
                told = seen.page.locator(f"#rounds {shown}")
                await told.wait_for()
                await expect(told).to_be_in_viewport()
                await expect(seen.page.locator("#rounds :focus")).to_have_count(1)

    chromium.run(run())


def test_a_finger_drags_a_player_by_the_handle(chromium: Chromium, tmp_path: Path) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "organiser", "Borsuk")
            await seen.page.goto(f"{rig.url}/seating")
            first = await sits(seen, 1, "A")
            start = await seen.page.locator(f"{chair(1, 'A')} .grip").bounding_box()
            end = await seen.page.locator(chair(1, "D")).bounding_box()
            assert start is not None
            assert end is not None
            finger = await seen.page.context.new_cdp_session(seen.page)
            x, y = start["x"] + 10, start["y"] + 10
            down = (end["y"] + 10 - y) / 4
            await finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
            for step in range(1, 5):
                at = [{"x": x, "y": y + step * down}]
                await finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at})
            await finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            await seated_there(seen, 1, "D", first)

    chromium.run(run())


def test_people_are_moved_by_keys_and_escape_lets_go(chromium: Chromium, tmp_path: Path) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page() as seen:
            before = seats(rig)
            await seen.log_in(rig.url, "organiser", "Borsuk")
            await seen.page.goto(f"{rig.url}/seating")
            first = await sits(seen, 1, "A")
            await seen.page.locator(f"{chair(1, 'A')} a").focus()
            await seen.press("Enter", "ArrowDown", "Escape")
            await seen.reads("Let go: nothing has changed.")
            assert seats(rig) == before
            seen.keys = 0
            await seen.press("Enter", "ArrowDown", "Enter")
            await seated_there(seen, 1, "B", first)
            assert seen.keys == 3
            await seen.page.locator(f"{chair(1, 'B')} a:focus").wait_for(timeout=WITHIN_MS)

    chromium.run(run())


def test_a_locked_seat_stays_and_the_page_says_why(chromium: Chromium, tmp_path: Path) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page() as seen:
            async with rig.browser() as other:
                await other.log_in("organiser", "Lis")
                await other.act("lock_seating", fields={"on": "True"})
            before = seats(rig)
            await seen.log_in(rig.url, "organiser", "Borsuk")
            await seen.page.goto(f"{rig.url}/seating")
            await seen.page.locator(f"{chair(1, 'A')} a").click()
            await seen.page.locator(f"{chair(2, 'A')} a").click()
            why = seen.page.locator("#why-not")
            await why.filter(has_text="locked").wait_for(timeout=WITHIN_MS)
            assert seats(rig) == before
            assert seen.page.url.endswith("/seating")

    chromium.run(run())


def test_who_misses_the_round_is_dropped_on_absent_and_comes_back_to_the_free_chair(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page() as seen:
            await seen.log_in(rig.url, "organiser", "Borsuk")
            await seen.page.goto(f"{rig.url}/seating")
            name = await sits(seen, 4, "D")
            await seen.page.locator(f"{chair(4, 'D')} a").click()
            await seen.page.locator("#seating .drop[data-bench=absent] span").click()
            on_bench = seen.page.locator("#seating [data-bench=absent] a", has_text=name)
            await on_bench.wait_for(timeout=WITHIN_MS)
            await on_bench.click()
            await seen.page.locator(f"{chair(4, 'D')} span").first.click()
            await seated_there(seen, 4, "D", name)

    chromium.run(run())


@pytest.mark.parametrize("glass", [PHONE, TABLET], ids=["phone", "tablet"])
def test_a_game_of_four_is_entered_on_the_keypad_alone(
    chromium: Chromium, tmp_path: Path, glass: dict[str, object]
) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page(**glass) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/results/1")
            pad = seen.page.locator(".keypad")
            await pad.wait_for()
            assert await seen.page.locator("#r1A").get_attribute("inputmode") == "none"
            for rack in RACKS:
                for digit in rack:
                    await seen.touch(pad.locator(f"[data-types='{digit}']"))
                await seen.touch(pad.locator("[data-does=next]"))
            await seen.reads("entered by Sowa (referee)")
            assert seen.touches == 11
            assert seen.problems == []
            state = state_of(read(rig.ledger))
            assert state.current is not None
            assert len(state.current.results) == 1

    chromium.run(run())


def test_a_keypad_writes_jokers_and_who_never_opened_and_how_it_ended(chromium: Chromium, tmp_path: Path) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page(**PHONE) as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/results/1")
            pad = seen.page.locator(".keypad")
            for key in ("[data-types='7']", "[data-does=joker]", "[data-does=joker]", "[data-does=next]",
                        "[data-is='-']", "[data-does=next]", "[data-types='5']", "[data-types='4']", "[data-does=rub]",
                        "[data-ended=bank_empty]"):  # fmt: skip
                await seen.touch(pad.locator(key))
            typed = [await seen.page.locator(f"#r1{letter}").input_value() for letter in "ABC"]
            assert typed == ["7+2j", "-", "5"]
            assert await seen.page.locator("[name=ended][value=bank_empty]").first.is_checked()

    chromium.run(run())


def test_on_a_laptop_the_keypad_is_away_until_somebody_chooses_it_and_a_game_takes_eleven_keys(
    chromium: Chromium, tmp_path: Path
) -> None:
    async def run() -> None:
        async with served(tmp_path, event=league(tmp_path)) as rig, chromium.page() as seen:
            await seen.log_in(rig.url, "referee", "Sowa")
            await seen.page.goto(f"{rig.url}/results/1")
            assert not await seen.page.locator(".keypad").is_visible()
            for rack in RACKS[:-1]:
                await seen.press(*rack, "Tab")
            await seen.press(*RACKS[-1], "Enter")
            await seen.reads("entered by Sowa (referee)")
            assert seen.keys == 11
            await seen.page.locator("[data-keypad]").click()
            assert await seen.page.locator(".keypad").is_visible()

    chromium.run(run())
