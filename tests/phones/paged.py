"""A phone that is a page in Chromium, reached through a network of its own: the interface of `playing.Phone`."""

from __future__ import annotations

import json
from asyncio import Semaphore
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any, Final, Self, TypeVar

from playwright.async_api import Browser, BrowserContext, Page

from dalej.boxes.phones import Code
from moveclock import facts as k
from tests.phones.playing import Phone
from tests.proxy import Wire, wire
from tests.waiting import until
from tests.web.boxpages import TABLET
from tests.web.reading import Chromium

T = TypeVar("T")

# What the core says to the page, which shows the less of it, is told here as it changes.
OVERHEARD: Final = """(() => {
    const parse = JSON.parse;
    let before = "";
    JSON.parse = (text, ...more) => {
        const read = parse(text, ...more);
        if (read?.frames && "backlog" in read) {
            const { state, reason, seat, move, backlog, linked } = read;
            const now = JSON.stringify({ state, reason, seat, move, backlog, linked });
            if (now !== before) overheard(before = now);
        }
        return read;
    };
})()"""


# A finger of the page's own time: two messages of a browser's protocol may come seconds apart when twenty-five pages
# share a processor, and a tap would be a hold. That real touches arrive is what `test_phone_boxes` is about.
PRESSES: Final = """async ([contact, ms]) => {
    const button = document.querySelector(`[data-contact='${contact}']`);
    const finger = { bubbles: true, cancelable: true, pointerId: 7, pointerType: "touch", width: 20, height: 20 };
    button.dispatchEvent(new PointerEvent("pointerdown", finger));
    if (ms) await new Promise((over) => setTimeout(over, ms)); // else the page itself makes it as long as a tap is
    button.dispatchEvent(new PointerEvent("pointerup", finger));
}"""
AT_ONCE: Final = 3  # pages that begin: more of them are slower together than one after another
WITHIN_MS: Final = 90_000

_LOOKS: Final[dict[str, Any]] = {**TABLET, "locale": "en-GB"}


class PagedPhone(Phone):
    """Its browser outlives the page, with all that it keeps; `stack` ends both."""

    def __init__(self, browser: Browser, url: str, code: Code, stack: AsyncExitStack, loading: Semaphore) -> None:
        self.code = code
        self._loading = loading
        self.said: dict[str, Any] = {}
        self._browser = browser
        self._to_port = int(url.rpartition(":")[2])
        self._stack = stack
        self._kept: Any = None  # what a copy begins with
        self._wire: Wire | None = None
        self._context: BrowserContext | None = None
        self._page: Page | None = None

    @property
    def cut(self) -> bool:
        return self._wire is not None and self._wire.silent

    @cut.setter
    def cut(self, cut: bool) -> None:
        assert self._wire is not None
        self._wire.silent = cut

    async def load(self) -> None:
        scanned = self._context is None and self._kept is None
        if self._wire is None:
            self._wire = await self._stack.enter_async_context(wire(self._to_port))
        port = self._wire.port
        if self._context is None:
            self._context = await self._browser.new_context(**_LOOKS, storage_state=self._kept)
            self._stack.push_async_callback(self._context.close)
            await self._context.expose_function("overheard", self._hear)
            await self._context.add_init_script(OVERHEARD)
            self._context.set_default_timeout(WITHIN_MS)
        async with self._loading:
            self._page = await self._context.new_page()
            await self._page.goto(f"http://127.0.0.1:{port}/b{self.code.fragment if scanned else ''}")
            await self._page.locator("body[data-begun=yes]").wait_for()
        await until(lambda: self.said, "the page to say what it shows")

    async def close(self) -> None:
        if self._page is not None:
            await self._page.close(run_before_unload=False)
        self._page = None
        self.said = {}

    async def tap(self, button: int) -> None:
        await self._press(2 * self.seat + button, 0)

    async def hold(self, button: int, ms: int) -> None:
        await self._press(button if button in (k.SEDZIA, k.KOSTKA) else 2 * int(self.said["seat"]) + button, ms)

    async def _press(self, contact: int, ms: int) -> None:
        assert self._page is not None
        await self._page.evaluate(PRESSES, [contact, ms])

    async def copied(self) -> Self:
        assert self._context is not None
        twin = type(self)(self._browser, f":{self._to_port}", self.code, self._stack, self._loading)
        twin._kept = await self._context.storage_state(indexed_db=True)
        twin._wire = self._wire  # a page keeps its things for the address that it came from
        return twin

    def _hear(self, said: str) -> None:
        if self._page is not None:
            self.said = json.loads(said)


class PagedPhones:
    """Each has a browser's storage of its own."""

    def __init__(self, chromium: Chromium, page: str) -> None:
        self.page = page
        self._chromium = chromium
        self._stack = AsyncExitStack()
        self._loading = Semaphore(AT_ONCE)

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        async def ended() -> T:
            async with self._stack:
                return await story

        return self._chromium.run(ended())

    def phone(self, url: str, code: Code) -> PagedPhone:
        return PagedPhone(self._chromium.browser, url, code, self._stack, self._loading)
