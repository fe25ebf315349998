"""The keys of the hall as buttons: tables, acts, other screens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from dalej.tui.ways import WAYS
from dalej.tui.widgets.actionbar import Button
from dalej.words import N_, _

# Key, words and act of those that have a button; the last two where there is room.
_ACTS: Final = (
    ("X", N_("STOP ALL"), "stop_hall", True), ("G", N_("all go on"), "resume_hall", True),
    ("s", N_("stop"), "stop", False), ("r", N_("go on"), "resume", False),
)  # fmt: skip
_RARE: Final = frozenset({"times", "public"})


def hall_buttons(may: Collection[str], back: Sequence[Button] = (), *, wide: bool) -> list[Button]:
    """Where columns are few those that a referee in a hurry wants, and `?` tells the others. `may`: acts; `back`:
    those that take something back.
    """
    made = [("Enter", _("open"), "open"), ("n", _("next waiting"), "next_waiting")]
    if may:
        made.append(("a", _("act"), "menu"))
    made += [
        (key, _(words), f"act({name!r})") for key, words, name, always in _ACTS if (always or wide) and name in may
    ]
    made += back
    if wide:
        made.append(("o", _("order"), "order"))
    made += [(way.key, _(way.words), f"show({way.name!r})") for way in WAYS if wide or way.name not in _RARE]
    if wide:
        made.append((":", _("find an act"), "of_app('command_palette')"))
        made.append(("c", _("colours"), "of_app('change_colours')"))
        made.append(("b", _("sounds"), "of_app('sound')"))
    made += [("?", _("help"), "of_app('explain')"), ("q", _("quit"), "of_app('quit')")]
    return [Button(*each) for each in made]
