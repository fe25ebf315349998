"""What a page shows, read from the page: the cells of its terminal, as a person would read them."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.async_api import Browser, Page

from tests.web.rig import DEADLINE_S, SECRETS

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-default-apps", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
)  # fmt: skip
AGAIN_IN_S: Final = 0.05  # between two looks at a page
AGAIN_S: Final = 5.0
TRIES_MOST: Final = 12  # keys in vain, of a whole test
WITHIN_MS: Final = DEADLINE_S * 1000

# xterm.js keeps its terminal to itself; it says where to find its buffer when it is made.
_LISTEN: Final = """
Object.defineProperty(Object.prototype, "_core", {
  configurable: true,
  set(core) {
    if (typeof this.open === "function" && typeof this.loadAddon === "function") window.dalejTerminal = this;
    Object.defineProperty(this, "_core", {value: core, writable: true, configurable: true, enumerable: true});
  },
});
"""
_READ: Final = """() => {
  const shown = window.dalejTerminal?.buffer?.active;
  if (!shown) return "";
  return Array.from({length: window.dalejTerminal.rows}, (_, y) =>
    shown.getLine(shown.baseY + y)?.translateToString(true) ?? "").join("\\n");
}"""

_CURSOR: Final = """() => {
  const shown = window.dalejTerminal.buffer.active;
  return shown.getLine(shown.baseY + shown.cursorY)?.translateToString(true) ?? "";
}"""


@dataclass
class Seen:
    """A page, what its terminal was sent, and every address that it asked for anything."""

    page: Page
    painted: bytearray = field(default_factory=bytearray)
    addresses: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    tries: int = 0

    async def text(self) -> str:
        """The terminal's lines."""
        return str(await self.page.evaluate(_READ))

    async def shows(self, text: str) -> None:
        """Until its terminal has been sent the text."""
        async with asyncio.timeout(DEADLINE_S):
            while text.encode() not in self.painted:  # noqa: ASYNC110 -- the page's events only add to it
                await asyncio.sleep(0.02)

    async def reads(self, words: str, within_s: float = DEADLINE_S) -> str:
        """Until the words, or what fits the pattern, stand on the page, wherever a line ends; all that stands there."""
        text = ""
        try:
            async with asyncio.timeout(within_s):
                while not re.search(words, " ".join((text := await self.text()).split())):  # noqa: ASYNC110 -- a browser tells nobody
                    await asyncio.sleep(AGAIN_IN_S)
        except TimeoutError:
            raise AssertionError(f"“{words}” does not stand on the page:\n{text}") from None
        return text

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def types_at(self, words: str) -> None:
        """Until the terminal's cursor, which goes with the field that takes what is typed, is in a line like that."""
        line = ""
        try:
            async with asyncio.timeout(DEADLINE_S):
                while not re.search(words, line := str(await self.page.evaluate(_CURSOR))):  # noqa: ASYNC110 -- a browser tells nobody
                    await asyncio.sleep(AGAIN_IN_S)
        except TimeoutError:
            raise AssertionError(f"the cursor is not at “{words}” but at {line!r}") from None

    async def does(self, key: str, words: str) -> str:
        """Presses the key until the words stand there: what comes up may not listen yet, as a person finds out too."""
        while True:
            await self.press(key)
            try:
                return await self.reads(words, within_s=AGAIN_S)
            except AssertionError:
                self.tries += 1
                if self.tries > TRIES_MOST:
                    raise

    async def log_in(self, url: str, role: str, name: str) -> None:
        await self.page.goto(url)
        await self.page.locator(f"label.role:has([value={role}])").click()
        await self.page.get_by_label("name").fill(name)
        await self.page.get_by_label("Password").fill(SECRETS[role])
        await self.page.keyboard.press("Enter")
        await self.page.locator("body.-first-byte").wait_for(timeout=WITHIN_MS)


@dataclass(frozen=True, slots=True)
class Chromium:
    """A browser, and the loop in which it lives."""

    runner: asyncio.Runner
    browser: Browser

    def run(self, story: Coroutine[Any, Any, None]) -> None:
        """The story, in the browser's loop."""
        self.runner.run(story)

    def page(self, **looks: Any) -> AbstractAsyncContextManager[Seen]:
        """A page that knows nothing of any other."""
        return page_of(self.browser, **looks)


@asynccontextmanager
async def page_of(browser: Browser, **looks: Any) -> AsyncIterator[Seen]:
    context = await browser.new_context(locale="en-GB", **looks)
    seen = Seen(await context.new_page())
    await seen.page.add_init_script(_LISTEN)
    seen.page.on("request", lambda request: seen.addresses.append(request.url))
    seen.page.on("console", lambda said: seen.problems.append(said.text) if "Content Security" in said.text else None)
    seen.page.on("websocket", lambda socket: socket.on(
        "framereceived", lambda said: seen.painted.extend(said if isinstance(said, bytes) else said.encode())
    ))  # fmt: skip
    try:
        yield seen
    finally:
        await context.close()
