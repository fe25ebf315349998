"""Languages for tests of what has room on a screen: those there are, the longer of them, and one that is generated;
and what of a screen is cut off, measured at its widgets.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.widget import Widget
from textual.widgets import Footer, Static

from dalej import words

LOCALE: Final = Path(words.__file__).with_name("locale")
LONGER: Final = 35  # per cent, by which a message in German or Finnish is longer than in English
_FIELD: Final = re.compile(r"\{[^{}]*\}")
_PIECE: Final = re.compile(r"(\{[^{}]*\}|\s+)")


class Spoken(gettext.NullTranslations):
    """A language by what it makes of an English message."""

    def __init__(self, speak: Callable[[str], str], count: Callable[[str, str, int], str] | None = None) -> None:
        super().__init__()
        self._speak = speak
        self._count = count or (lambda one, many, number: speak(one if number == 1 else many))

    def gettext(self, message: str) -> str:
        return self._speak(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._count(msgid1, msgid2, n)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Everything is said in that language: `en`, `pl`, `it`, `longer` or `generated`."""
    spoken = Spoken(cache(TONGUES[name]), COUNTED.get(name))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "_catalogue", lambda _languages, _domain: spoken)
        yield


def generated(message: str) -> str:
    """The message, 35 % longer, word by word."""
    made, owed = [], 0
    for piece in _PIECE.split(message):
        letters = sum(map(str.isalpha, piece))
        if letters and not _FIELD.fullmatch(piece):
            owed += letters * LONGER
            made.append(piece[:-1] + "ø" * -(-owed // 100) + piece[-1])
            owed -= -(-owed // 100) * 100
        else:
            made.append(piece)
    return "".join(made)


def _in(language: str) -> Callable[[str], str]:
    return lambda message: _catalogue(language).gettext(message)


def _counted(language: str) -> Callable[[str, str, int], str]:
    return lambda one, many, number: _catalogue(language).ngettext(one, many, number)


def longer(message: str) -> str:
    """The longer of its translations; what is not translated yet into both, generated."""
    made = [_in(language)(message) for language in words.LANGUAGES if language != "en"]
    return generated(message) if message in made else max(made, key=len)


def _longest_count(one: str, many: str, number: int) -> str:
    made = [_counted(language)(one, many, number) for language in words.LANGUAGES if language != "en"]
    return max((generated(said) if said in (one, many) else said for said in made), key=len)


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation(words.DOMAIN, str(LOCALE), [language], fallback=True)


TONGUES: Final[dict[str, Callable[[str], str]]] = {
    "en": str, "pl": _in("pl"), "it": _in("it"), "longer": longer, "generated": generated
}  # fmt: skip

COUNTED: Final[dict[str, Callable[[str, str, int], str]]] = {
    "pl": _counted("pl"), "it": _counted("it"), "longer": _longest_count,
}  # fmt: skip


# --- what has no room on a screen -----


def cuts(app: App[None]) -> dict[tuple[str, str], str]:
    """What of the screen in front is cut off or shortened, by its widget and how; its text tells which.

    Shortened: an ellipsis in what a widget draws, its frame's title included. Cut off: a line that is longer than its
    widget, a line too many for it where one cannot scroll, or a key at the foot, button or label that lies outside.
    """
    found: dict[tuple[str, str], str] = {}
    for widget, place in app.screen._compositor.full_map.items():
        if widget is app.screen or not place.region or not widget.display:
            continue
        name, seen = _path(widget), place.region.intersection(place.clip)
        drawn = [strip.text for strip in widget.render_lines(Region(0, 0, *place.region.size))]
        own = drawn if not widget.children else [drawn[0], drawn[-1]]  # of a container its frame
        for at, line in enumerate(line for line in own if "…" in line):
            for cut in range(line.count("…")):
                found[name, f"shortened {at}.{cut}"] = line.strip()
        if isinstance(widget, Footer | ScrollView) or widget.children:
            continue
        words = " ".join(line.strip() for line in drawn)
        if seen.width < place.region.width and words.strip():
            found[name, "beside"] = words
        if _needs(widget) > widget.content_size or (seen.height < place.region.height and not _scrolls(widget)):
            found[name, "below"] = words
        if _is_one_line(widget) and _longest(widget) > widget.content_size.width:
            found[name, "clipped"] = words
    return found


def _path(widget: Widget) -> str:
    """Where it is, the same in every language."""
    steps = []
    for one in widget.ancestors_with_self:
        if isinstance(one, Widget) and one.parent is not None and one is not widget.screen:
            alike = [other for other in one.parent.children if type(other) is type(one)]
            which = f"#{one.id}" if one.id else str(alike.index(one)) if one in alike else ""
            steps.append(type(one).__name__ + which)
    return " ".join(reversed(steps))


def _needs(widget: Widget) -> Size:
    """The room that a text takes on the width it has."""
    if not isinstance(widget, Static) or not widget.content_size or _is_one_line(widget):
        return Size(0, 0)
    width = widget.content_size.width
    return Size(width, widget.get_content_height(widget.app.size, widget.app.size, width))


def _is_one_line(widget: Widget) -> bool:
    return isinstance(widget, Static) and widget.styles.text_wrap == "nowrap"


def _longest(widget: Widget) -> int:
    assert isinstance(widget, Static)
    return max((cell_len(line) for line in str(widget.content).splitlines()), default=0)


def _scrolls(widget: Widget) -> bool:
    """Whether one can scroll to what is below."""
    return any(isinstance(one, Widget) and one.is_scrollable for one in widget.ancestors if one is not widget.screen)
