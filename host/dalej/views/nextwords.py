"""The next step of the tournament in words, for whoever may do it or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.tournament import GameAt, Tournament
from dalej.office.nextstep import next_step
from dalej.words import _, said

_AT_TABLES: Final = frozenset({"enter_result", "confirm_result"})  # done on the screen of that table


@dataclass(frozen=True, slots=True)
class Next:
    """In words; what does it: an act, a screen (and the table there), or an act that is done on a screen; neither:
    nobody here may.
    """

    words: str
    act: str = ""
    screen: str = ""
    table: int = 0

    @property
    def can(self) -> bool:
        """Whether the key does anything."""
        return bool(self.act or self.screen)


def next_of(
    state: Tournament | None, may: Callable[[str], bool], boxes: Mapping[GameAt, BoxGame] | None = None
) -> Next:
    """What comes next for whoever `may` do an act. `boxes`: what they tell of the round's games."""
    if state is None:
        return Next(_("nobody has said yet by which ruleset it is played"))
    step = next_step(state, "", boxes or {})
    words = said(step.said)
    if step.act == "print" and not may(step.act):
        return Next(words, screen=step.where)  # to be looked at
    if step.act in _AT_TABLES:
        return Next(words, screen=step.where, table=step.table) if may(step.act) else Next(words)
    if step.act and not may(step.act):
        return Next(_("{step} (the organiser does that)").format(step=words))
    return Next(words, step.act, step.where)
