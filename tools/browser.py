"""The pictures of `dalej serve` in a browser: `python -m tools.browser` logs in with Chromium and writes them.

They show the hall of tools/pictures.py at its instant, as a referee's browser shows it: the server and the log-in are
the real ones, only the screen's clock stands still. A picture is looked at and not compared: every browser paints
letters in its own way.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import tempfile
from collections.abc import Mapping
from contextlib import asynccontextmanager
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dalej.clock import ManualClock, SystemClock
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.performer import AuditFile, Handler, Performer
from dalej.office.acts.roles import ROLES
from dalej.rulesets.rulebook import load
from dalej.tui.app import make_app
from dalej.web.hands import VARIABLE, join
from dalej.web.passwords import Passwords
from dalej.web.server import Plan, WebServer
from dalej.web.sessions import Trail, trail_of
from dalej.words import speak
from tools.pictures import BROWSERS, NOON_MS, PICTURES, RULESET, evening

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Page

EVENT: Final = "School league"
NAME: Final = "Sowa"
WINDOW: Final = {"width": 1000, "height": 640}
PHONE: Final = {"width": 390, "height": 700}
READY_MS: Final = 60_000
_LARGEST: Final = 150 * 1024  # bytes of a picture: whoever clones the repository loads them all


def show() -> None:
    """The screen of one browser: the hall at its instant, for whoever logged in."""
    hands = join(os.environ.pop(VARIABLE, ""))
    with evening() as now:
        hands.attend(lambda: os._exit(0))
        app = make_app(
            now.ledger, load(RULESET), now.connect, ManualClock(NOON_MS), event_name=EVENT, frozen=True, zone=UTC,
            hands=hands,
        )  # fmt: skip
        asyncio.run(app.run_async())


@asynccontextmanager
async def _served(folder: Path, password: str) -> AsyncIterator[WebServer]:
    clock, path = SystemClock(), folder / "school.dalej"
    passwords = Passwords(folder / "club", os.urandom)
    for role in ROLES:
        passwords.set(role, f"{password} {role}")
    with Ledger.create(path) as ledger:

        def performer(more: Mapping[str, Handler]) -> Performer:
            return Performer(lambda who: Event(ledger, who=who, wall_ms=clock.wall_ms), lambda _line: None, more)

        plan = Plan(path, lambda _language: [sys.executable, "-m", "tools.browser", "--screen"], title=lambda: EVENT)
        trail = Trail(AuditFile(trail_of(path), print), clock.wall_ms)
        server = WebServer(plan, passwords, performer, trail, clock, os.urandom)
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
    from playwright.async_api import async_playwright  # noqa: PLC0415 -- a screen's process has no use for it

    from tests.web.reading import CHROMIUM, FLAGS, page_of  # noqa: PLC0415 -- as above

    pictures, password = {}, secrets.token_hex(8)
    with tempfile.TemporaryDirectory() as folder:
        async with _served(Path(folder), password) as server, async_playwright() as play:
            browser = await play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            async with page_of(browser, viewport=PHONE) as phone:
                await _log_in(phone.page, server.url("127.0.0.1"), password)
                pictures[PICTURES / f"browser-log-in{BROWSERS}"] = await phone.page.screenshot()
            async with page_of(browser, viewport=WINDOW) as laptop:
                await _log_in(laptop.page, server.url("127.0.0.1"), password)
                await laptop.page.keyboard.press("Enter")
                await laptop.page.locator("body.-first-byte").wait_for(timeout=READY_MS)
                await laptop.reads("time is over", within_s=READY_MS / 1000)
                await laptop.page.wait_for_load_state("networkidle")
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
    if sys.argv[1:] == ["--screen"]:
        show()
    else:
        sys.exit(main())
