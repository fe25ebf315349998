"""What the two keys would do that take back and do after all, and the line that tells of the last act."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from textual.content import Content
from textual.style import Style

from dalej.tui.room import BY_NAME
from dalej.tui.widgets.bars import Saying
from dalej.tui.widgets.grid import fitted
from dalej.views.deeds import TABLE, History, Place
from dalej.views.feed import Feed
from dalej.words import _

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


def why_not(history: History, *, again: bool) -> str:
    """Why a key has nothing to do: what stands, if something was done. "" if it has."""
    if (history.to_do_again if again else history.to_take_back) is not None:
        return ""
    if not again:
        return _("Nothing was done yet that could be taken back.")
    words, last = _("There is nothing to do after all: nothing is taken back."), history.last
    if last is None or last.done is None:
        return words
    return words + " " + _("Done last: {what}").format(what=last.sentence())


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
