"""The quick card of a table: two sides of A5, each in one language, whatever language its printer reads."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from dalej.export import cardviews as views
from dalej.export.cardpresses import BUTTONS, SECONDS, Press, moments
from dalej.export.cardsounds import ADVICE, SOUNDS, codes
from dalej.export.typeset import pdf
from dalej.telling import FAULTS
from dalej.words import _, speak
from moveclock import clock as c
from moveclock.view import RING

_KINDS = {c.JUZ: "green", c.DALEJ: "amber", c.KOSTKA: "tile", c.SEDZIA: "red"}


def quick_card(tables: Sequence[int], languages: Sequence[str], *, shared: bool = False, kostka: bool = True) -> bytes:
    """A PDF with a card for each table, a page for each language; with no table one card without a number.

    `shared`: of a box with one Już and one Dalej for all seats. `kostka`: of one with a contact for tiles.
    """
    sides = []
    for language in languages:
        with _speaking(language):
            sides.append({"language": language, **_side(shared, kostka), "tables": _titles(tables)})
    return pdf("card", "Dalej", {"language": languages[0], "ring": RING, "segments": views.SEGMENTS, "sides": sides})


@contextmanager
def _speaking(language: str) -> Iterator[None]:
    before = os.environ.get("LANGUAGE")
    speak(language)
    try:
        yield
    finally:
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before


def _titles(tables: Sequence[int]) -> list[str]:
    return [_("Table {table}").format(table=table) for table in tables] or [""]


def _side(shared: bool, kostka: bool) -> dict[str, object]:
    return {
        "words": _words(kostka),
        "moments": [
            {"heading": _(moment.heading), "presses": list(map(_press, moment.presses))}
            for moment in moments(shared=shared, kostka=kostka)
        ],
        "scenes": [
            {"text": one.text, "colour": views.COLOURS[one.colour], "pixels": one.pixels, "words": _(one.words)}
            for one in views.scenes()
        ],
        "sounds": [{"notes": one.notes, "words": _(one.words)} for one in SOUNDS],
        "faults": [
            {"words": _(advice.words), "codes": [_fault(name) for name in advice.names]} for advice in ADVICE
        ],
    }  # fmt: skip


def _words(kostka: bool) -> Mapping[str, str]:
    return {
        "title": _("The clock at the table"),
        "displays": _("Displays and ring"), "sounds": _("Sounds"), "faults": _("Faults: E and a number."),
        "blinks": _("blinks: the referee is called"),
        "no_kostka": "" if kostka else _("Dalej itself counts as the tile."),
        "late": _(
            "The table decides together. No agreement? Tap Sędzia. After {alert} s the desk sees it, too."
        ).format(**SECONDS),
        "settings": _("A table can be set to be silent, or to taps alone for small children."),
        "shown": _("Shown for five seconds; the clock runs on underneath."),
    }  # fmt: skip


def _press(press: Press) -> dict[str, str]:
    return {
        "kind": _KINDS[press.button], "button": BUTTONS[press.button], "gesture": _gesture(press),
        "words": _(press.words).format(**SECONDS),
    }  # fmt: skip


def _gesture(press: Press) -> str:
    if press.button == c.KOSTKA:
        return _("by itself")
    return _("tap") if press.gesture == c.TAPPED else _("hold {seconds} s").format(seconds=press.gesture // 1000)


def _fault(name: str) -> dict[str, str]:
    runs = [f"{first}" if first == last else f"{first}–{last}" for first, last in codes(name)]
    return {"codes": f"E {', '.join(runs)}", "words": _(FAULTS[name])}
