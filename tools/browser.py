"""The pictures of `dalej serve` in a browser: `python -m tools.browser` logs in with Chromium and writes them.

They show the hall of tools/pictures.py at its instant, as a referee's browser shows it: the server and the log-in are
the real ones, only the server's clock stands still. A picture is looked at and not compared: every browser paints
letters in its own way.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from playwright.async_api import Page, async_playwright

from dalej.cli.serve import watching
from dalej.clock import ManualClock, SystemClock
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.performer import AuditFile, Handler, Performer
from dalej.office.acts.roles import ROLES
from dalej.office.phonecodes import PhoneCodes
from dalej.web.passwords import Passwords
from dalej.web.server import Plan, WebServer
from dalej.web.sessions import Trail, trail_of
from dalej.words import speak
from tests.web.reading import CHROMIUM, FLAGS, page_of
from tools.pictures import BROWSERS, NOON_MS, PICTURES, evening

CALLED: Final = "School league"
NAME: Final = "Sowa"
WINDOW: Final = {"width": 1000, "height": 640}
PHONE: Final = {"width": 390, "height": 700}
READY_MS: Final = 60_000
AUTHORITY: Final = b"an authority"  # whose fingerprint is always the same
_LARGEST: Final = 150 * 1024  # bytes of a picture: whoever clones the repository loads them all


@asynccontextmanager
async def served_evening(folder: Path, password: str) -> AsyncIterator[WebServer]:
    """The hall of tools/pictures.py behind a server, its passwords `PASSWORD ROLE`."""
    clock, passwords = SystemClock(), Passwords(folder / "club", os.urandom)
    for role in ROLES:
        passwords.set(role, f"{password} {role}")
    with evening(CALLED) as now:
        path = now.ledger.path

        def performer(more: Mapping[str, Handler]) -> Performer:
            return Performer(lambda who: Event(now.ledger, who=who, wall_ms=clock.wall_ms), lambda _line: None, more)

        with Ledger.open(path, read_only=True) as of_tables, Ledger.open(path, read_only=True) as of_book:
            watch = watching(of_tables, of_book, ManualClock(NOON_MS), now.connect)
            trail = Trail(AuditFile(trail_of(path), print), clock.wall_ms)
            phones = PhoneCodes.of_club(
                folder / "club", os.urandom, Event(now.ledger, who="", wall_ms=clock.wall_ms).by, clock.wall_ms
            )
            plan = Plan(path, authority=AUTHORITY)
            server = WebServer(plan, watch, passwords, performer, trail, clock, os.urandom, phones=phones)
            await server.open()
            try:
                yield server
            finally:
                await server.close()


async def _log_in(page: Page, url: str, password: str) -> None:
    await page.goto(url)
    await page.get_by_label("name").fill(NAME)
    await page.get_by_label("Password").fill(f"{password} referee")


async def taken() -> dict[Path, bytes]:
    """Every picture under its file."""
    pictures, password = {}, secrets.token_hex(8)
    with tempfile.TemporaryDirectory() as folder:
        async with served_evening(Path(folder), password) as server, async_playwright() as play:
            browser = await play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            async with page_of(browser, viewport=PHONE) as phone:
                await _log_in(phone.page, server.url("127.0.0.1"), password)
                pictures[PICTURES / f"browser-log-in{BROWSERS}"] = await phone.page.screenshot()
            async with page_of(browser, viewport=WINDOW, reduced_motion="reduce") as laptop:
                await _log_in(laptop.page, server.url("127.0.0.1"), password)
                await laptop.page.keyboard.press("Enter")
                await laptop.page.get_by_text("time is over").first.wait_for(timeout=READY_MS)
                pictures[PICTURES / f"browser-hall{BROWSERS}"] = await laptop.page.screenshot()
            await browser.close()
    return pictures


def main() -> int:
    """Write them; exit code 1 if one is too large to be kept."""
    pictures = asyncio.run(taken())
    for file, picture in pictures.items():
        file.write_bytes(picture)
        print(f"{file.name} is written: {len(picture) // 1024} KB")
    return int(max(map(len, pictures.values())) > _LARGEST)


if __name__ == "__main__":
    speak("en")
    sys.exit(main())
