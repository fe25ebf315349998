"""A referee's evening in a real browser, on a real event: log-in, a ruling, a result; and the public, that looks on.

Boxes are simulated, the desk that serves them is real; so are `dalej serve`'s server and each screen's process. What is
asserted is read from the page.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from dalej.clock import SystemClock
from dalej.domain.tournament.tournament import EVENT
from dalej.event.event import Event
from dalej.event.eventlog import name_of
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office import rounds
from dalej.office.acts.performer import AuditFile, FileAudit, Handler, Performer
from dalej.office.acts.roles import ROLES
from dalej.web.server import Plan, WebServer
from dalej.web.sessions import Trail, trail_of
from tests.office.acts.desk import ActingDesk
from tests.web.reading import WITHIN_MS, Chromium, Seen
from tests.web.rig import SECRETS, Rig, passwords
from tests.world import draw, sign_up

OVER_MS: Final = 70_000
RACKS: Final = ("0", "10", "20", "30")

SMALL: Final = {"width": 820, "height": 520}
PLAYED_MS: Final = 15 * 60_000  # of the round, by the clock on the wall: nobody looks for a chair any more


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


@asynccontextmanager
async def serving(folder: Path, event: Path) -> AsyncIterator[Rig]:
    """The real screens on the event, by the program that `dalej serve` starts them with."""
    kept = passwords(folder)
    for role in ROLES:
        kept.set(role, SECRETS[role])
    clock, complaints = SystemClock(), list[str]()
    written = AuditFile(trail_of(event), complaints.append)
    with Ledger.open(event) as ledger:

        def performer(more: Mapping[str, Handler]) -> Performer:
            return Performer(lambda who: Event(ledger, who=who, wall_ms=clock.wall_ms), FileAudit(written), more)

        plan = Plan(event, lambda language: [sys.executable, "-m", "dalej.cli.served", str(event), language])
        plan = replace(plan, title=lambda: name_of(read(ledger)))
        server = WebServer(plan, kept, performer, Trail(written, clock.wall_ms), clock, os.urandom)
        await server.open()
        try:
            yield Rig(server, ledger, kept, complaints)
        finally:
            await server.close()


def test_a_referee_rules_and_enters_a_result_the_public_looks_on_and_an_organiser_logs_everybody_out(
    chromium: Chromium, tmp_path: Path
) -> None:
    desk = evening(tmp_path)

    async def story(rig: Rig) -> None:
        async with chromium.page() as sowa, chromium.page(viewport=SMALL) as hall:
            await asyncio.gather(sowa.log_in(rig.url, "referee", "Sowa"), hall.log_in(rig.url, "public", ""))
            await rule(sowa)
            await hall.reads("Liga Borsuka.*League, round 1 .*Find your table Borsuk 1 C")
            assert {await seen.page.title() for seen in (sowa, hall)} == {"Liga Borsuka"}
            await enter(sowa)
            await hall.reads(r"Standings.* 1\. Wydra 1 / 60 2\. Lis 0 / −10")
            await look_only(hall)

            await sowa.page.get_by_role("button", name="Log out").click()
            await sowa.page.get_by_text("You are logged out.").wait_for(timeout=WITHIN_MS)
            await sowa.log_in(rig.url, "organiser", "Borsuk")
            await sowa.reads("Liga Borsuka")
            await end_sessions(sowa)
            for seen in (sowa, hall):
                await seen.page.get_by_text("An organiser has ended the sessions").wait_for(timeout=WITHIN_MS)
        lines = [kept(line) for line in rig.lines]
        assert sorted(lines[:2]) == [["in", "Sowa", "referee"], ["in", "public", "public"]]
        assert lines[2:-3] == [
            ["rule", "Sowa", "referee"], ["enter_result", "Sowa", "referee"], ["out", "Sowa", "referee"],
            ["in", "Borsuk", "organiser"],
        ]  # fmt: skip
        assert sorted(lines[-3:]) == [
            ["end_sessions", "Borsuk", "organiser"], ["out", "Borsuk", "organiser"], ["out", "public", "public"],
        ]  # fmt: skip
        assert all(line.get("refused") is None for line in rig.lines)
        assert {one.who for one in read(rig.ledger).decisions()[-2:]} == {"Sowa (referee)"}

    async def run() -> None:
        async with serving(tmp_path, desk.place.ledger.path) as rig:
            await story(rig)

    try:
        chromium.run(run())
    finally:
        desk.close()


def kept(line: dict[str, Any]) -> list[str]:
    """A line of the audit: what, who, as what."""
    return [str(line.get("act") or line["log"]), line["name"], line["role"]]


async def rule(sowa: Seen) -> None:
    """On the time-out that waits: its move undone, one tile drawn."""
    await sowa.reads("time is over")
    await sowa.press("n")
    await sowa.press("Enter")
    await sowa.reads("Ctrl.S rule on a time-out")
    await sowa.does("2", "● 2 undone")
    await sowa.does("1", "● 1 seen by the referee")
    await sowa.press("Control+s")
    await sowa.reads("undone, tiles: 1")
    await sowa.press("Escape")
    await sowa.reads("next waiting")


async def enter(sowa: Seen) -> None:
    """The first game's result."""
    await sowa.does("e", "0 of 4 games in")
    await sowa.press("Enter")
    await sowa.reads("Still to be typed: A, B, C, D")
    for seat, rack in zip("ABCD", RACKS, strict=True):
        await sowa.types_at(rf"^ *{seat} ")
        await sowa.page.keyboard.type(rack)
        await sowa.reads(rf"{seat} \w+ {rack}\b")
        await sowa.press("Enter")
    await sowa.reads("Sum of the small points: 0")
    await sowa.press("F8")
    await sowa.reads("no, go back")
    await sowa.press("Enter")
    await sowa.reads(r"1 of 4 games in|game 2 of 4|F6 correct")


async def look_only(hall: Seen) -> None:
    """No key of a referee does anything at the public's screen."""
    await hall.press("Control+p", ":", "a", "X", "s")
    shown = await hall.reads("Standings")
    assert "STOP ALL" not in shown
    assert "What is to be done?" not in shown


async def end_sessions(borsuk: Seen) -> None:
    """By the palette, as an organiser who knows no key for it finds it."""
    await borsuk.does(":", "find|Search|act")
    await borsuk.page.keyboard.type("log people")
    await borsuk.reads("log people out")
    await borsuk.press("Enter")
    await borsuk.reads("1 everybody")
    await borsuk.press("1")
    await borsuk.reads("must log in again: everybody")
    await borsuk.press("y")
