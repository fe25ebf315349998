"""The next step of the tournament in words, with what does it: seat, start, results, close, go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from dalej.domain.game.games import BoxGame
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import GameAt, Round, Tournament
from dalej.errors import DalejError
from dalej.office.nextstep import next_step
from dalej.words import N_, _, ngettext, said

# By the first word of the command: the act that does it, and the screen where it is done, "" for any.
_DOES: Final[Mapping[str, tuple[str, str]]] = {
    "seat": ("draw_seating", "seating"), "round": ("close_round", ""), "advance": ("advance", ""),
    "standings": ("print", "standings"), "players": ("sign_up", "people"),
}  # fmt: skip


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
    """What comes next for whoever `may` do an act. A seated round has its clock started at first. `boxes`: what they
    tell of the round's games.
    """
    if state is None:
        return Next(_("nobody has said yet by which ruleset it is played"))
    one = state.current
    waits = one is not None and one.seating is not None and one.clock is None and not one.results
    if one is not None and waits and may("start_round"):
        return Next(said(DalejError(N_("start the clock of {round}"), round=round_said(*one.key))), "start_round")
    if one is not None and one.missing():
        return _entering(one, may, {} if boxes is None else boxes)
    step = next_step(state, "")
    words = said(DalejError(step.template, **step.data))
    name, *rest = step.command
    if name == "results":
        _confirm, _event, table, *_round = rest
        return Next(words, screen="confirm", table=int(table)) if may("confirm_result") else Next(words)
    act, screen = _DOES.get(name, ("", ""))
    if act == "print" and not may(act):
        return Next(words, screen=screen)  # to be looked at
    if act and not may(act):
        return Next(_("{step} (the organiser does that)").format(step=words))
    return Next(words, act, screen)


def _entering(one: Round, may: Callable[[str], bool], boxes: Mapping[GameAt, BoxGame]) -> Next:
    """The sheet of a game that is over at its box; while others go on and none is over there are no racks to be
    entered, as far as the boxes know.
    """
    missing = one.missing()
    over = [at for at in missing if at in boxes and boxes[at].ended is not None]
    play = {at.table for at in missing if at in boxes and boxes[at].ended is None}
    if play and not over:
        waits = ngettext(
            "wait: {count} table plays; its racks are entered when its game is over",
            "wait: {count} tables play; their racks are entered when their games are over",
            len(play),
        )
        return Next(waits.format(count=len(play)))  # fmt: skip
    table = (over or missing)[0].table
    words = said(DalejError(N_("enter the results of table {table}"), table=table))
    return Next(words, screen="entry", table=table) if may("enter_result") else Next(words)
