"""Screens under test without what only a terminal needs: no waiting by the clock, no picture that nobody looks at.

Textual's own pilot waits twice for every key until the processor looks idle: 20 ms at least, up to a second on a busy
machine, and on a slow one not long enough. `quiet` waits for what there is to wait for instead: until nothing in the
event loop is due, nothing of the screen is to be drawn and no thread is at work.

It reads names of Textual 8.2 and of asyncio that are nobody's interface; one that is gone raises AttributeError here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from textual import app as textual_app
from textual import constants
from textual import pilot as textual_pilot
from textual._compositor import Compositor
from textual._context import active_app
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

STEP_S: Final = 0.001
THREADS_S: Final = 0.02  # for threads that are at work: whoever needs what they do waits again
DRAWINGS_MOST: Final = 20  # for a screen that is always to be drawn anew, as one that is being closed
AT_MOST_S: Final = 20.0  # for a loop that never comes to rest: a machine may be that slow, a test's deadline is later
TURNS: Final = 3  # of the event loop with nothing else to do: what waits for a socket is asked in each

Key = tuple[Any, ...]


async def quiet(_at_least: float = 0.0, _at_most: float = 1.0) -> None:
    """Until nothing is left to do here, or for a moment."""
    loop: Any = asyncio.get_running_loop()
    until, threads_until = loop.time() + AT_MOST_S, loop.time() + THREADS_S
    behind, drawings = True, DRAWINGS_MOST
    while True:
        turns = TURNS
        while turns and loop.time() < until:
            await asyncio.sleep(0)
            turns = TURNS if loop._ready else turns - 1
        if turns:
            return
        app = active_app.get(None)
        screens = _seen(app)
        if app is not None and app._resize_timer is not None:
            app._check_resize()  # what its timer does a moment later
        elif drawings and screens and _is_to_be_drawn(screens[-1]):
            drawings -= 1
            screens[-1]._on_timer_update()  # what its timer does at the next sixtieth of a second
        elif _threads_work(loop) and loop.time() < threads_until:
            await asyncio.sleep(STEP_S)
        elif behind and any(_is_to_be_drawn(screen) for screen in screens[:-1]):
            behind = False  # once: what is drawn behind a dialog is never taken off its list
            for screen in screens[:-1]:
                screen._on_timer_update()
        else:
            return


def _seen(app: App[Any] | None) -> list[Screen[Any]]:
    """What is seen behind a dialog, and the screen in front."""
    there = app is not None and app._screen_stacks and app._screen_stack
    return [*app._background_screens, app._screen_stack[-1]] if app is not None and there else []


def _is_to_be_drawn(screen: Screen[Any]) -> bool:
    return bool(
        screen._layout_required or screen._scroll_required or screen._repaint_required or screen._recompose_required
        or screen._dirty_widgets or screen._callbacks
    )  # fmt: skip


def _threads_work(loop: Any) -> bool:
    """Whether anything given to asyncio's own pool is not done yet."""
    pool = loop._default_executor
    return pool is not None and (pool._work_queue.qsize() > 0 or pool._idle_semaphore._value < len(pool._threads))


_PARSED: Final[dict[Key, list[RuleSet]]] = {}  # sheets never change while tests run


@contextmanager
def at_once(*, drawn: bool = False) -> Iterator[None]:
    """Within, apps come to rest at once and move nothing slowly; unless `drawn`, lines are drawn when asked for."""
    whole, parse = Compositor.render_update, Stylesheet._parse_rules

    def render_update(compositor: Compositor, full: bool = False, *stack: Any, **how: Any) -> Any:
        if full:
            return whole(compositor, full, *stack, **how)
        compositor._dirty_regions.clear()
        return None

    def parse_once(sheet: Stylesheet, *of: Any, **how: Any) -> list[RuleSet]:
        key = (of, *how.items(), *sorted(sheet._variables.items()))
        if key not in _PARSED:
            _PARSED[key] = parse(sheet, *of, **how)
        return _PARSED[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(textual_app, "wait_for_idle", quiet)
        patch.setattr(textual_pilot, "wait_for_idle", quiet)
        patch.setattr(constants, "TEXTUAL_ANIMATIONS", "none")
        if not drawn:
            patch.setattr(Compositor, "render_update", render_update)
        patch.setattr(Stylesheet, "_parse_rules", parse_once)
        yield
