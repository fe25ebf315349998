"""A person at a page, with fingers alone or with keys alone, in any engine; each wait has a name and an end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from tests.web.engines import BACK, Tab, Unanswered
from tests.web.rig import DEADLINE_S

Hand = Literal["touch", "keyboard"]
TABS_MOST: Final = 80  # further away nothing is reached by keys alone
_FIND: Final = """[...document.querySelectorAll(%s)].find(one => one.getClientRects().length
    && getComputedStyle(one).visibility !== "hidden" && one.textContent.replace(/\\s+/g, " ").includes(%s))"""
_WHERE: Final = """(one => {
    if (!one) return null;
    one.scrollIntoView({block: "center", behavior: "instant"});
    const at = one.getClientRects()[0], x = at.x + at.width / 2, y = at.y + at.height / 2;
    const top = document.elementFromPoint(x, y);
    return {x, y, above: top && (one.contains(top) || top.contains(one)) ? null : String(top && top.outerHTML)};
})"""

_THERE: Final = """location.href + "\\n" + document.body.innerText.slice(0, 1500) + "\\n"
    + [...document.querySelectorAll("input:not([type=hidden])")].map(one => one.name + "=" + one.value)"""


class Failed(AssertionError):
    """What did not come, and what stands there instead."""


@dataclass
class Person:
    """`touches`: fingers put down; `keys`: pressed, but for what is typed. Both since somebody set them to nothing."""

    tab: Tab
    url: str
    hand: Hand
    touches: int = 0
    keys: int = 0

    async def goto(self, path: str) -> None:
        await self.tab.goto(self.url + path)

    async def reads(self, words: str) -> None:
        """Until the words stand there to be seen."""
        await self.until(f"document.body.innerText.includes({json.dumps(words)})", f"the words “{words}”")

    async def until(self, condition: str, what: str) -> None:
        """Until it holds in the page; Failed, by that name."""
        await self._wait(lambda: True, condition, what)

    async def until_so(self, so: Callable[[], bool], what: str) -> None:
        """Until it is so in the event; Failed, by that name."""
        await self._wait(so, "true", what)

    async def _wait(self, so: Callable[[], bool], condition: str, what: str) -> None:
        try:
            async with asyncio.timeout(DEADLINE_S):
                while not (so() and await self._holds(condition)):  # noqa: ASYNC110 -- nobody tells
                    await asyncio.sleep(0.03)
        except TimeoutError:
            there = await self.tab.evaluate(_THERE)
            raise Failed(f"for {DEADLINE_S:.0f} s there was no sign of {what}; what stands there: {there}") from None

    async def _holds(self, condition: str) -> bool:
        try:
            return bool(await self.tab.evaluate(f"!!({condition})"))
        except Unanswered:  # a page is on its way
            return False

    async def choose(self, css: str, says: str = "") -> None:
        """What a link, a button or a fold does: one touch, or the way to it and Enter."""
        if self.hand == "touch":
            await self.touch(css, says)
        else:
            await self.reach(css, says)
            await self.press("Enter")

    async def pick(self, name: str, value: str) -> None:
        """One of some that exclude each other: one touch, or the way to them and arrows."""
        one = f"[name={json.dumps(name)}][value={json.dumps(value)}]"
        if self.hand == "touch":
            await self.touch(f"label:has({one})")
        else:
            await self.until(f"document.querySelector({json.dumps(one)})", f"{one}, to be picked")
            await self.reach(f"[name={json.dumps(name)}]")
            for _ in range(9):
                if await self._holds(f"document.activeElement.matches({json.dumps(one)})"):
                    break
                await self.press("ArrowDown")
            if not await self._holds("document.activeElement.checked"):
                await self.press("Space")
        await self.until(f"document.querySelector({json.dumps(one)}).checked", f"{one}, picked")

    async def fill(self, css: str, text: str) -> None:
        """A field that is empty."""
        if not await self._holds(f"document.activeElement === ({_found(css)})"):
            if self.hand == "touch":
                await self.touch(css)
            else:
                await self.reach(css)
            await self.until(f"document.activeElement === {_found(css)}", f"the caret in {css}")
        await self.tab.press(*text)
        if self.hand == "touch" and await self._holds(f"{_found(css)}.value === ''"):  # the caret was lost again
            await self.touch(css)  # as whoever sees nothing come does; it is counted
            await self.tab.press(*text)
        await self.until(f"({_found(css)}).value === {json.dumps(text)}", f"“{text}” in {css}")

    async def touch(self, css: str, says: str = "") -> None:
        """Its middle, once it stays where it is, if nothing lies above it."""
        settled = "document.readyState === 'complete' && !document.querySelector('[data-settling]')"
        await self.until(f"{settled} && {_found(css, says)}", f"{css} {says}")
        at = None
        for _ in range(100):
            before, at = at, await self._where(css, says)
            if at is not None and at == before:
                break
            await asyncio.sleep(0.05)
        if at is None or at["above"] is not None:
            raise Failed(f"{css} {says} cannot be touched: above it lies {at and at['above']}")
        self.touches += 1
        await self.tab.tap(at["x"], at["y"])

    async def _where(self, css: str, says: str) -> dict[str, Any] | None:
        try:
            where: dict[str, Any] | None = await self.tab.evaluate(f"{_WHERE}({_found(css, says)})")
        except Unanswered:
            return None
        return where

    async def reach(self, css: str, says: str = "") -> None:
        """By Tab alone, backwards where it stands before; of a group, whichever of it takes the focus.

        Who goes on past a page's end is in the window's own bars, of which a browser without a window has none.
        """
        await self.until(_found(css, says), f"{css} {says}")
        before = f"(document.activeElement.compareDocumentPosition({_found(css, says)}) & 2)"
        test = (f"(one => one.matches({json.dumps(css)}) && one.textContent.replace(/\\s+/g, ' ')"
                f".includes({json.dumps(says)}))(document.activeElement)")  # fmt: skip
        for _ in range(TABS_MOST):
            if await self._holds(test):
                return
            await self.press(
                BACK if await self._holds(f"document.activeElement !== document.body && {before}") else "Tab"
            )
        raise Failed(f"{css} {says} is not reached by Tab, {TABS_MOST} times")

    async def press(self, *keys: str) -> None:
        self.keys += len(keys)
        await self.tab.press(*keys)


def _found(css: str, says: str = "") -> str:
    return f"({_FIND % (json.dumps(css), json.dumps(says))})"
