"""A referee's evening in a real browser, on a real event: log-in, a ruling, a result; and the public, that looks on.

Boxes are simulated, the desk that serves them is real, and so is `dalej serve`'s server. What is asserted is read from
the page.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from dalej.clock import SystemClock
from dalej.domain.tournament.tournament import EVENT
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.office import rounds
from tests.office.acts.desk import ActingDesk
from tests.web.reading import WITHIN_MS, Chromium, Seen
from tests.web.rig import Rig, served
from tests.world import draw, sign_up

OVER_MS = 70_000
RACKS = ("0", "10", "20", "30")
PLAYED_MS = 15 * 60_000  # of the round, by the clock on the wall: nobody looks for a chair any more


def evening(folder: Path) -> ActingDesk:
    """A league's first round, at whose one table a move's time is over; nobody has ruled yet."""
    desk = ActingDesk(folder)
    event = desk.event("Puchacz")
    sign_up(event, range(1, 5))
    draw(event)
    desk.place.ledger.decide(EVENT, {"name": "Liga Borsuka"}, who="Puchacz", when_ms=1, why="its name", subject="event")
    began_ms = SystemClock().wall_ms() - PLAYED_MS
    Event(desk.place.ledger, who="Puchacz", wall_ms=lambda: began_ms).change(lambda state: rounds.start(state, 90))
    desk.setting.moves(2)
    desk.setting.run(OVER_MS)
    return desk


def test_a_referee_rules_and_enters_a_result_the_public_looks_on_and_an_organiser_logs_everybody_out(
    chromium: Chromium, tmp_path: Path
) -> None:
    desk = evening(tmp_path)

    async def story(rig: Rig) -> None:
        async with chromium.page() as sowa, chromium.page() as hall:
            await asyncio.gather(sowa.log_in(rig.url, "referee", "Sowa"), hall.log_in(rig.url, "public", ""))
            await hall.page.goto(f"{rig.url}/standings")
            await hall.reads("No results yet.")
            await rule(sowa)
            assert {await seen.page.title() for seen in (sowa, hall)} == {
                "Hall · Liga Borsuka", "Standings · Liga Borsuka",
            }  # fmt: skip
            await enter(sowa, rig)
            await hall.page.locator("table.standings").wait_for(timeout=WITHIN_MS)
            rows = [one.split() for one in await hall.page.locator("table.standings tbody tr").all_inner_texts()]
            assert [row[0] for row in rows] == ["1.", "2.", "3.", "4."]
            assert await hall.page.locator("form[action^='/act']").count() == 0

            await sowa.page.locator(".me summary").click()
            await sowa.page.get_by_role("button", name="Log out").click()
            await sowa.reads("You are logged out.")
            await sowa.log_in(rig.url, "organiser", "Borsuk")
            await end_sessions(sowa)
            for seen in (sowa, hall):
                await seen.reads("An organiser has ended the sessions")
        lines = [kept(line) for line in rig.lines]
        assert sorted(lines[:2]) == [["in", "Sowa", "referee"], ["in", "public", "public"]]
        assert [line for line in lines[2:-3] if line[0] != "fetch"] == [
            ["rule", "Sowa", "referee"], ["enter_result", "Sowa", "referee"], ["out", "Sowa", "referee"],
            ["in", "Borsuk", "organiser"],
        ]  # fmt: skip
        assert sorted(lines[-3:]) == [
            ["end_sessions", "Borsuk", "organiser"], ["out", "Borsuk", "organiser"], ["out", "public", "public"],
        ]  # fmt: skip
        assert all(line.get("refused") is None for line in rig.lines)
        assert {one.who for one in read(rig.ledger).decisions()[-2:]} == {"Sowa (referee)"}

    async def run() -> None:
        async with served(tmp_path, event=desk.place.ledger.path) as rig:
            await story(rig)

    try:
        chromium.run(run())
    finally:
        desk.close()


def kept(line: dict[str, Any]) -> list[str]:
    """A line of the audit: what, who, as what."""
    return [str(line.get("act") or line["log"]), line["name"], line["role"]]


async def rule(sowa: Seen) -> None:
    """On the time-out that waits: its move undone."""
    await sowa.page.locator("[data-call='1 time_out'] a.card").click()
    await sowa.page.locator("button:has-text('→ undone')").first.click()
    await sowa.page.locator(".done").get_by_text("undone").wait_for(timeout=WITHIN_MS)


async def enter(sowa: Seen, rig: Rig) -> None:
    """The first game's result."""
    await sowa.page.goto(f"{rig.url}/results/1")
    for letter, rack in zip("ABCD", RACKS, strict=True):
        await sowa.page.locator(f"#r1{letter}").fill(rack)
    await sowa.page.keyboard.press("Enter")
    await sowa.reads("entered by Sowa (referee)")


async def end_sessions(borsuk: Seen) -> None:
    """By the list of everything, as an organiser who knows no other way finds it."""
    await borsuk.page.get_by_role("link", name="Everything").click()
    await borsuk.page.locator("a[href^='/act/end_sessions']").click()
    await borsuk.page.locator("label:has([value=everybody])").click()
    await borsuk.page.locator("form.act button.does").click()
    await borsuk.page.get_by_role("button", name="Yes:").click()
