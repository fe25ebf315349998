"""Keys one after the other: the next is handed on only when everything that the last one set off has come to rest.

Textual hands a key to whatever has the focus at that instant, though the key before it may just be on its way to move
the focus or to open another screen. Whoever types `e 15 Enter 4 Enter` without looking would then write into the wrong
field. So keys wait here, in their order, until the last one has run through every queue between the focus and the app,
what it opened stands, and the screen in front does nothing more that it has to be waited for.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, runtime_checkable

from textual import events
from textual.app import App, ScreenStackError
from textual.dom import DOMNode
from textual.screen import Screen

from dalej.tui.ending import begin

# From the focus up to the app in which the focus stays: more than messages that call for each other (Enter, submitted,
# filled, next) need. Empty queues would tell it too, but a busy hall's never are.
QUIET_ROUNDS: Final = 5
SLICE_S: Final = 0.25  # that one queue gets; then it is looked anew where a key would go
REST_MOST_S: Final = 10.0  # a screen that never comes to rest must not take the keyboard away
HELD_S: Final = 0.005  # between two looks at a screen that is busy
HOLD_MOST_S: Final = 3.0  # a person who has waited for so long has seen that nothing is being typed

Typed = events.Key | events.Paste


@runtime_checkable
class HoldsKeys(Protocol):
    """A screen that is busy with what the last key asked for, so that nobody knows yet where the next one belongs."""

    @property
    def holds_keys(self) -> bool:
        """Whether what is typed now has to wait."""


class Keys:
    """What was typed and has not been handed on yet."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._waiting: deque[Typed] = deque()
        self._next: Typed | None = None
        self._watched = False

    @property
    def at_rest(self) -> bool:
        """Whether nothing waits, and nothing that was handed on is on its way."""
        return not self._watched

    def hold(self, typed: Typed) -> bool:
        """Whether it has to wait: then it comes again by itself."""
        if typed is self._next:
            self._next = None
            return False
        if self._watched:
            self._waiting.append(typed)
            return True
        self._watched = True
        begin(self._app, self._hand_on, name="keys")
        return False

    def drop(self) -> None:
        """Forget what waits: it was typed for something that has not come to be."""
        self._waiting.clear()

    async def _hand_on(self) -> None:
        """Once the key that set this off is at rest, one after the other."""
        try:
            await self._rests()
            while self._waiting and self._goes_on:
                self._next = self._waiting.popleft()
                self._app.post_message(self._next)
                await self._rests()
        finally:
            self._watched = False

    async def _rests(self) -> None:
        """Until nothing is on its way any more."""
        clock = asyncio.get_running_loop()
        began, held = clock.time(), None
        quiet = 0
        await self._passes(self._app.call_later)
        while quiet < QUIET_ROUNDS and clock.time() - began < REST_MOST_S and self._goes_on:
            way = self._way()
            passed = [await self._passes(pump.call_later) for pump in way if self._goes_on]
            if quiet == QUIET_ROUNDS - 1 and (screen := _screen_of(way)) is not None:
                passed.append(await self._passes(screen.call_after_refresh))
            quiet = quiet + 1 if all(passed) and way == self._way() else 0
            if quiet == QUIET_ROUNDS and self._is_held():
                quiet = 0
                if held is None:
                    began = held = clock.time()  # what was before that took a slow machine its time, not the screen
                await asyncio.sleep(HELD_S)
                if clock.time() - held > HOLD_MOST_S:
                    self.drop()

    @property
    def _goes_on(self) -> bool:
        """Until the app has been told to end."""
        return self._app.is_running and self._app.return_code is None

    def _way(self) -> Sequence[DOMNode]:
        """From what has the keys up to the app."""
        with suppress(ScreenStackError):
            screen = self._app.screen
            return (screen.focused or screen).ancestors_with_self
        return [self._app]

    def _is_held(self) -> bool:
        with suppress(ScreenStackError):
            screen = self._app.screen
            return isinstance(screen, HoldsKeys) and screen.holds_keys
        return False

    async def _passes(self, later: Callable[[Callable[[], None]], bool]) -> bool:
        """Wait for what is queued there already; False if it takes long."""
        passed = asyncio.Event()
        if not later(passed.set):
            return True  # it is closing: nothing more goes through it
        with suppress(TimeoutError):
            async with asyncio.timeout(SLICE_S):
                await passed.wait()
            return True
        return False


def _screen_of(way: Sequence[DOMNode]) -> Screen[Any] | None:
    return next((one for one in way if isinstance(one, Screen)), None)


def drop(app: App[Any]) -> None:
    """What was typed ahead in that app is forgotten: what the last key asked for was refused."""
    keys = getattr(app, "keys", None)
    if isinstance(keys, Keys):
        keys.drop()
