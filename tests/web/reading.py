"""A page in a real browser: what it asked for, what it complained of, and how often it was touched."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from playwright.async_api import Browser, Error, Locator, Page, Response

from dalej.event.ledger import Ledger
from dalej.event.reading import read
from tests.web.rig import DEADLINE_S, SECRETS, Rig, served

T = TypeVar("T")

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-default-apps", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
)  # fmt: skip
WITHIN_MS: Final = DEADLINE_S * 1000
PHONE: Final = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@dataclass
class Seen:
    """`addresses`: all that it asked for anything; `problems`: errors of its scripts, and what its policy forbade;
    `weights`: bytes of each answer but what is live, by its address.
    """

    page: Page
    addresses: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    weights: dict[str, int] = field(default_factory=dict)
    touches: int = 0
    keys: int = 0

    async def log_in(self, url: str, role: str, name: str = "") -> None:
        """By the log-in page, until the first page behind it stands there."""
        await self.page.goto(f"{url}/login")
        await self.page.locator(f"label:has([value={role}])").click()
        await self.page.locator("[name=name]").fill(name)
        await self.page.locator("[name=password]").fill(SECRETS[role])
        await self.page.keyboard.press("Enter")
        await self.page.locator("#main").wait_for(timeout=WITHIN_MS)

    async def reads(self, words: str) -> None:
        """Until the words stand there."""
        await self.page.get_by_text(words).first.wait_for(timeout=WITHIN_MS)

    async def touch(self, what: Locator) -> None:
        """With a finger, which is counted."""
        self.touches += 1
        await what.first.tap(timeout=WITHIN_MS)

    async def press(self, *keys: str) -> None:
        """Each is counted."""
        for key in keys:
            self.keys += 1
            await self.page.keyboard.press(key)

    async def weigh(self, answer: Response) -> None:
        """As it travels, in its headings and its body."""
        if "/live/" not in answer.url:
            with suppress(Error):  # the page went away before
                sizes = await answer.request.sizes()
                self.weights[answer.url] = sizes["responseBodySize"] + sizes["responseHeadersSize"]


@dataclass(frozen=True, slots=True)
class Chromium:
    """A browser, and the loop in which it lives."""

    runner: asyncio.Runner
    browser: Browser

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        """The story, in the browser's loop."""
        return self.runner.run(story)

    def page(self, **looks: Any) -> AbstractAsyncContextManager[Seen]:
        """A page that knows nothing of any other."""
        return page_of(self.browser, **looks)


@asynccontextmanager
async def page_of(browser: Browser, **looks: Any) -> AsyncIterator[Seen]:
    context = await browser.new_context(**{"locale": "en-GB", **looks})
    seen = Seen(await context.new_page())
    seen.page.on("request", lambda request: seen.addresses.append(request.url))
    seen.page.on("response", seen.weigh)
    seen.page.on("pageerror", lambda error: seen.problems.append(str(error)))
    seen.page.on("console", lambda said: seen.problems.append(said.text) if said.type == "error" else None)
    try:
        yield seen
    finally:
        await context.close()


def play(chromium: Chromium, folder: Path, story: Callable[[Rig], Coroutine[Any, Any, None]], **plan: Any) -> None:
    """The story of a test, in the browser's loop, from the server's first moment to its last."""

    async def run() -> None:
        async with served(folder, **plan) as rig:
            await story(rig)

    chromium.run(run())


def decided(ledger: Ledger, kind: str) -> list[str]:
    """Who has, in the order of the decisions."""
    return [one.who for one in read(ledger).decisions() if one.kind == kind]


async def looked_at(rig: Rig, pages: int = 1) -> None:
    """Until so many pages are live."""
    async with asyncio.timeout(DEADLINE_S):
        while sum(one.screens for one in rig.server.sessions._of.values()) < pages:  # noqa: ASYNC110 -- nobody tells
            await asyncio.sleep(0.02)
