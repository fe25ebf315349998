"""The hands of a screen on this machine, on a real event: two referees answer one alert."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.hands import LocalHands
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Wish
from tests import world


def hands(ledger: Ledger, who: str) -> LocalHands:
    def event_for(person: str) -> Event:
        return Event(ledger, who=person, wall_ms=lambda: 1_760_000_000_000)

    return LocalHands(Actor(who, "referee"), Performer(event_for, lambda _line: None))


async def test_what_one_referee_decides_stands_in_the_event_of_all(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 7, seated=False) as event, Ledger.open(event.ledger.path) as other:
        await hands(other, "Lis").do(Wish("warn", {"player": 3}, "disturbs the game"))

        [warning] = event.state().players[3].warnings
        assert (warning.who, warning.why) == ("Lis", "disturbs the game")


async def test_two_acts_at_once_come_one_after_the_other(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 7, seated=False) as event:
        lis = hands(event.ledger, "Lis")
        wishes = [lis.do(Wish("warn", {"player": player}, "comes late")) for player in (1, 2)]
        await asyncio.gather(*wishes)

        assert all(len(event.state().players[player].warnings) == 1 for player in (1, 2))


async def test_a_referee_does_not_close_a_round(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 7, seated=False) as event, pytest.raises(Refused, match="close the round"):
        await hands(event.ledger, "Lis").do(Wish("close_round"))


async def test_an_act_of_a_screen_that_is_closed_meanwhile_is_finished_before_the_next_begins(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 7, seated=False) as event:
        begun, go_on = threading.Event(), threading.Event()

        def event_for(person: str) -> Event:
            begun.set()
            assert go_on.wait(20)
            return Event(event.ledger, who=person, wall_ms=lambda: 1_760_000_000_000)

        lis = LocalHands(Actor("Lis", "referee"), Performer(event_for, lambda _line: None))
        left = asyncio.create_task(lis.do(Wish("warn", {"player": 1}, "comes late")))
        await asyncio.to_thread(begun.wait, 20)
        left.cancel()
        after = asyncio.create_task(lis.do(Wish("warn", {"player": 2}, "comes late")))
        await asyncio.sleep(0)
        go_on.set()
        await after

        assert left.cancelled()
        assert [len(event.state().players[player].warnings) for player in (1, 2)] == [1, 1]
