"""Score sheets of an office's round: what is in, and how one is filled."""

from __future__ import annotations

import random

from dalej.domain.tournament.tournament import GameAt, Result
from dalej.tui.room import Room
from dalej.tui.screens.entry import EntryScreen
from dalej.views.entrycheck import texts_of
from tests.tui.officescreens import Looking, Office
from tests.world import play

AT = GameAt(1, 1)


def first(room: Room) -> EntryScreen:
    """The sheet of table 1, game 1."""
    return EntryScreen(room, 1, 1)


def enter(office: Office, count: int) -> None:
    """The first games that are missing."""
    one = office.event.state().current
    assert one is not None
    play(office.event, random.Random(3), one.missing()[:count])


def entered(office: Office, at: GameAt = AT) -> Result | None:
    one = office.event.state().current
    assert one is not None
    return one.results.get(at)


def racks_in(office: Office, game: int = 1) -> dict[str, str] | None:
    """What somebody would type for the game of table 1."""
    result = entered(office, GameAt(1, game))
    return None if result is None else dict(texts_of(result).racks)


async def fill(look: Looking, *texts: str) -> None:
    """Types the racks, Enter after each."""
    for text in texts:
        await look.type(text)
        await look.press("enter")
