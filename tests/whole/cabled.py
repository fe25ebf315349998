"""A club whose box 7 stands on the only table of a seated event and hangs on a cable."""

from __future__ import annotations

import os
from typing import Final

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from moveclock.identity import KOSTKA
from tests import placing, world
from tests.link.cablebox import CableBox
from tests.whole.typed import Typed

UID: Final = bytes.fromhex("240ac4001207")


def with_box_7(typed: Typed, since: str = placing.NOW) -> None:
    """A secret for the club, and box 7 at table 1 of `event.dalej`, `since` as `placing.place` has it."""
    ClubKeys(typed.club, os.urandom).make()
    OwnBoxes(typed.club).keep(OwnBox(UID.hex(), "7", KOSTKA, world.NOON))
    with world.an_event(typed.folder, 4) as event:
        placing.place(
            event.ledger, 1, UID.hex(), since=since, goes_on=True, who="Gęś", when_ms=world.NOON, why="set up", name="7"
        )


def box_7(typed: Typed) -> CableBox:
    """It, as it wakes up."""
    return CableBox(UID, ClubKeys(typed.club, os.urandom).of_box(UID))
