"""Wishes on their way: what the desk is asked to do it does, whether or not the screen where that was wished is still
there. What the two keys would do that take back and do after all, and the line that tells of the last act.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from rich.cells import cell_len
from textual.app import App
from textual.content import Content
from textual.screen import Screen
from textual.style import Style

from dalej.errors import DalejError
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.tui.deeds import TABLE, Deed, History, Place
from dalej.tui.feed import Feed
from dalej.tui.keys import begin
from dalej.tui.room import BY_NAME, Room
from dalej.tui.widgets.bars import Saying
from dalej.tui.widgets.grid import fitted
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


REVERSE: Final = "reverse"  # the name of the workers that take something back
NAMED: Final = 44  # columns in which a line names what would be taken back


def key_of_back(*, typing: bool = False) -> str:
    """As it is written on the keyboard."""
    return "Ctrl+Z" if typing else "z"


def key_of_again(*, typing: bool = False) -> str:
    """As it is written on the keyboard."""
    return "Ctrl+Y" if typing else "Z"


def help_words(*, typing: bool = False) -> str:
    """What the two keys do, for a page of help."""
    return _(
        "{back} takes back what you did last, pressed again what you did before it, and so on, on whichever screen it "
        "was; {again} does what was taken back after all. What was not done here is named first."
    ).format(back=key_of_back(typing=typing), again="Ctrl+Y" if typing else "Shift+Z")


def keys_line(history: History, *, typing: bool = False) -> Content:
    """What the two keys would do now, each to be clicked; blank if nothing."""
    parts: list[Content] = []
    deed = history.to_take_back
    if deed is not None and history.stays is None:
        words = _("take it back")
        if not history.is_last:
            words = _("take back what was before it: {what}").format(what=_short(str(deed)))
        parts.append(_clicked(f"↶ {key_of_back(typing=typing)} {words}", "take_back"))
    undone = history.to_do_again
    if undone is not None:
        words = _("do it after all")
        if history.last is None or history.last.done is not undone.undone:
            words = _("do after all: {what}").format(what=_short(str(undone)))
        parts.append(_clicked(f"↷ {key_of_again(typing=typing)} {words}", "do_again"))
    return Content("  ").join(parts)


def place_words(place: Place) -> str:
    """Where that is; "" for the hall, whose acts say so themselves."""
    if place.screen == TABLE:
        return _("Table {table}").format(table=place.table)
    return _(BY_NAME[place.screen].words) if place.screen in BY_NAME else ""


def _short(words: str) -> str:
    return words if cell_len(words) <= NAMED else fitted(words, NAMED)


def _clicked(words: str, action: str) -> Content:
    return Content(words).stylize(Style.from_meta({"@click": f"screen.{action}"}))


class DoneLine(Saying):
    """Shown as long as it is news."""

    DEFAULT_CSS = """
    DoneLine { display: none; height: auto; max-height: 4; background: $success-muted; color: $text; padding: 0 1;
        link-style: bold; link-color: $text; link-style-hover: reverse; }
    DoneLine.-trouble { background: $error-muted; text-style: bold; }
    """
    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(id="done", hides=True)

    def show_history(self, history: History, feed: Feed) -> None:
        """What was done, what became of it by now."""
        said, last = Content(), history.last
        if last is not None:
            asked = feed.hall.outcomes(() if last.done is None else last.done.requests)
            ahead = [] if last.done is None or last.back else feed.hall.ahead(last.done.decisions)
            if last.is_shown(feed.own_ms(), asked, ahead):
                said = Content.assemble(last.words(asked, ahead), "  ", keys_line(history))
        self.set_class("✗" in said.plain, "-trouble")
        self.say(said)
