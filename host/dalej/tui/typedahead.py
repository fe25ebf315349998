"""Keys one after the other: the next is handed on only when everything that the last one set off has come to rest. So
work that a screen waits for is begun in one way and ends before the screen does; and a key that is held down comes
again and again, since a terminal tells no key's release.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, runtime_checkable

from textual import events
from textual.app import App, ScreenStackError
from textual.dom import DOMNode
from textual.messages import Prune
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

Work = Callable[[], Coroutine[None, None, None]]


def begin(node: DOMNode, work: Work, name: str = "", *, group: str = "default") -> None:
    """A worker of that node. It is told what to call, not handed a coroutine: one that is called off before its first
    step would leave that behind, never awaited, and Python says so on stderr.
    """
    _worker: Worker[None] = node.run_worker(work, name, group=group, description=name or group)


class EndsItsWork(Widget):
    """A screen that closes: what it still waits for must not wake among widgets that are gone, so its workers end
    before its widgets do. Textual by itself ends them after, and waits in between.
    """

    async def on_prune(self, _asked: Prune) -> None:
        """The first that a screen hears of its end."""
        self.workers.cancel_node(self)


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


FIRST_MS: Final = 700  # keyboards wait a quarter to half a second before the first repeat
NEXT_MS: Final = 200  # and then repeat many times a second; no finger taps so fast


class Repeats:
    """Tells presses from repeats by their times, in ms of any clock that only grows."""

    def __init__(self) -> None:
        self._key = ""
        self._pressed_ms = self._seen_ms = 0

    def repeats(self, key: str, at_ms: int) -> bool:
        """Whether this is the same finger still on the same key."""
        again = key == self._key and (at_ms - self._seen_ms < NEXT_MS or at_ms - self._pressed_ms < FIRST_MS)
        self._key, self._seen_ms = key, at_ms
        if not again:
            self._pressed_ms = at_ms
        return again
