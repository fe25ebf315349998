"""The keys of a table's screen as buttons: a finger's, then a referee's that can be used now, then ways out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from dalej.acts.catalogue import ACTS
from dalej.hall.seen import Row
from dalej.tui.ask.offers import why_not
from dalej.tui.widgets.actionbar import Button
from dalej.words import N_, _

# If it can be done now: in short where room is scarce, the others where there is room.
FOOT: Final[Mapping[str, str]] = {"stop": N_("stop"), "resume": N_("go on")}
FOOT_ROOMY: Final = ("set_time", "give_time", "rule")


def playing_buttons(*, mine: bool) -> list[Button]:
    """Of a simulated box; `mine`: this screen plays it."""
    made = [Button("t", _("play"), "take")]
    if mine:
        made += [
            Button("j", "Już", "press_button(0, False)"), Button("d", "Dalej", "press_button(1, False)"),
            Button("k", "Kostka", "press_contact(8, False)"), Button("s", "Sędzia", "press_contact(9, False)"),
        ]  # fmt: skip
    return [*made, Button("l", _("radio"), "carry"), Button("p", _("power"), "switch")]


def act_buttons(row: Row, may: Collection[str], late: Sequence[int], *, roomy: bool) -> list[Button]:
    """What a referee does; `may`: acts that have a key of their own here, `late`: moves that ran out of time."""
    made = [Button("Enter", _("answer"), "answer_call")] if row.alerts else []
    made.append(Button("a", _("act"), "menu"))
    for name in (*FOOT, *FOOT_ROOMY) if roomy else FOOT:
        act = ACTS[name]
        if name in may and not why_not(act, row, late):
            made.append(Button(act.key, _(FOOT.get(name, act.title)), f"act({name!r})"))
    return made


def way_buttons(*, roomy: bool, waits: bool) -> list[Button]:
    """Out of here, and what every screen has. `waits`: somebody does at another table."""
    made = [Button("n", _("next waiting"), "next_waiting")] if waits else []
    made += [Button(":", _("find an act"), "of_app('command_palette')")] if roomy else []
    made += [Button("Esc", _("hall"), "leave"), Button("?", _("help"), "of_app('explain')")]
    if roomy:
        made += [Button("c", _("colours"), "of_app('change_colours')"), Button("q", _("quit"), "of_app('quit')")]
    return made
