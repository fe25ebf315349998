"""Screens about the results of a round: of the one that is worked on, or of an earlier one that somebody has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from dalej.domain.boxgames import BoxGame
from dalej.domain.stagewords import round_name
from dalej.domain.tournament import GameAt, Round, RoundKey
from dalej.hall.book import Page
from dalej.tui.room import Room
from dalej.tui.screens.deskwork import DeskWork
from dalej.words import _, readable

_NO_BOXES: Final[Mapping[GameAt, BoxGame]] = {}  # a page has the boxes' games of the round to work on alone


class OfRound(DeskWork):
    """`chosen`: the key of a round; None: the one to work on, whichever that becomes."""

    def __init__(self, room: Room, key: RoundKey | None = None) -> None:
        super().__init__(room)
        self.chosen = key

    @property
    def shown(self) -> Round | None:
        """The round."""
        if self.state is None or self.chosen is None:
            return self.round
        return self.state.rounds.get(self.chosen)

    @property
    def is_closed(self) -> bool:
        """Whether only corrections are made in it."""
        return self.shown is not None and self.shown.closed is not None

    @property
    def shown_page(self) -> Page:
        """With what boxes tell of that round."""
        earlier = self.shown is not self.round
        return replace(self.page, boxes=_NO_BOXES) if earlier else self.page

    def shown_words(self) -> str:
        """The round's name, and that it is closed."""
        return _("no round") if self.shown is None else called(self.shown)

    def of_round(self, args: Mapping[str, object]) -> dict[str, object]:
        """The arguments of a wish that is about it."""
        return dict(args) if self.chosen is None else {**args, "round": f"{self.chosen.stage}/{self.chosen.round}"}


def called(one: Round) -> str:
    """The round's name, and that it is closed."""
    name = round_name(*one.key)
    if one.closed is None:
        return name
    return _("{round}, closed by {who}").format(round=name, who=readable(one.closed.who))
