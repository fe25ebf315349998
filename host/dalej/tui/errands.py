"""Wishes on their way: what the desk is asked to do it does, whether or not the screen where that was wished is still
there. What the two keys would do that take back and do after all, and the line that tells of the last act.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from textual.app import App
from textual.screen import Screen

from dalej.errors import DalejError
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.tui.room import Room
from dalej.tui.typedahead import begin
from dalej.views.deeds import Deed, History, Place
from dalej.words import _, said

GROUP: Final = "acts"  # of the workers that do something


class Errand(NamedTuple):
    """`done`, `refused`: write down what came of it, the first at that instant of the screen's own time."""

    wish: Wish
    hands: Hands
    done: Callable[[Done, int], None]
    refused: Callable[[DalejError], None] | None = None


def new_errand(wish: Wish, hands: Hands, history: History, place: Place) -> Errand:
    """Something new, wished there: it can be taken back."""

    def done(what: Done, now_ms: int) -> None:
        history.was_done(Deed(wish, what, hands, place), now_ms)

    return Errand(wish, hands, done)


@runtime_checkable
class TellsHistory(Protocol):
    """A screen that says what was done."""

    async def show_history(self) -> None:
        """What was done last, wherever that was."""

    def call_later(self, callback: Callable[[], object]) -> bool: ...


async def carry_out(errand: Errand, room: Room, screen: Screen[Any]) -> Done:
    """What was done, or the DalejError that says why not: it is in the history by then.

    Whoever no longer waits for it ends nothing by that.
    """
    app = screen.app
    answer: asyncio.Future[Done | DalejError] = asyncio.get_running_loop().create_future()
    waits = partial(_is_there, screen, app, answer)
    begin(app, partial(_carry_out, errand, room, app, answer, waits), group=GROUP)
    came = await answer
    if isinstance(came, DalejError):
        raise came
    return came


async def _carry_out(
    errand: Errand, room: Room, app: App[Any], answer: asyncio.Future[Done | DalejError], waits: Callable[[], bool]
) -> None:
    came: Done | DalejError
    try:
        came = await errand.hands.do(errand.wish)
    except DalejError as problem:
        came = problem
        if errand.refused is not None:
            errand.refused(problem)
        room.history.came_to_nothing(said(problem), room.feed.own_ms())
    else:
        errand.done(came, room.feed.own_ms())
    if waits():
        answer.set_result(came)
        return
    answer.cancel()
    if isinstance(came, DalejError):
        app.notify(said(came), title=_called(errand.wish), severity="error", markup=False)
    for left in reversed(_screens(app)):
        if isinstance(left, TellsHistory):
            left.call_later(left.show_history)
            break


def _is_there(screen: Screen[Any], app: App[Any], answer: asyncio.Future[Done | DalejError]) -> bool:
    return not answer.done() and screen in _screens(app)


def _screens(app: App[Any]) -> list[Screen[Any]]:
    """None while the app ends."""
    with suppress(KeyError):
        return app.screen_stack
    return []


def _called(wish: Wish) -> str:
    """What was wished, and at which table."""
    title, table = _(ACTS[wish.act].title) if wish.act in ACTS else wish.act, wish.args.get("table")
    return title if table is None else _("Table {table}").format(table=table) + f" · {title}"
