"""Which boxes go by the settings as they are now, on one line that is always in sight, and how far sending has got."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.content import Content
from textual.widgets import Static

from dalej.office.boxsettings import Given
from dalej.tui.widgets.grid import first_fit
from dalej.words import N_, _

BAR: Final = 10
OUT: Final = ("no_box", "over")  # nothing can be sent there

# What stands behind a table: shape, words, look.
GIVEN: Final[dict[str, tuple[str, str, str]]] = {
    "has": ("●", N_("has the settings"), "runs"),
    "older": ("◐", N_("goes by older settings"), "patient"),
    "waits": ("…", N_("sent, no answer yet"), "patient"),
    "unheard": ("○", N_("box not heard"), "urgent"),
    "refused": ("✗", N_("box refused them"), "urgent"),
    "never": ("○", N_("not set up yet"), "patient"),
    "no_box": ("–", N_("no box"), "quiet"),
    "over": ("–", N_("all is played"), "quiet"),
}


def counted(given: Sequence[Given]) -> tuple[int, int]:
    """How many boxes have the settings, and how many there are that can have them."""
    boxes = [one for one in given if one.how not in OUT]
    return sum(one.how == "has" for one in boxes), len(boxes)


def has_words(given: Sequence[Given]) -> str:
    """The same in words."""
    has, count = counted(given)
    return _("{has} of {count} have them").format(has=has, count=count)


class GivenLine(Static):
    """A bar, how many boxes have them, and behind which tables one does not."""

    DEFAULT_CSS = """
    GivenLine { display: none; height: 1; padding: 0 1; background: $surface; color: $foreground; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__("", id="given", markup=False)
        self._given: Sequence[Given] = ()

    def show(self, given: Sequence[Given]) -> None:
        """As it is now."""
        self._given = given
        has, count = counted(given)
        self.display = bool(count)
        if not count:
            return
        full = BAR * has // count
        head = _("Boxes") + " " + "━" * full + "·" * (BAR - full) + " " + has_words(given)
        lacking = [one for one in given if one.how not in (*OUT, "has")]
        width = self.size.width - 2 or 78
        self.update(Content(first_fit((*(f"{head} · {rest}" for rest in _rests(lacking)), head), width)))

    def on_resize(self) -> None:
        """Another width."""
        self.show(self._given)


def _rests(lacking: Sequence[Given]) -> list[str]:
    """What is behind those that lack them, from all words to few; [] if none does."""
    if not lacking:
        return []
    long, short = [], []
    for how, (shape, words, _look) in GIVEN.items():
        there = [str(one.table) for one in lacking if one.how == how]
        if there:
            long.append(f"{shape} {_(words)}: {', '.join(there)}")
            short.append(f"{shape} {', '.join(there)}")
    return [" · ".join(long), "  ".join(short)]
