"""The fault table of the design: what may go wrong, and what must come of it. A row is a section of a file.

`test_link_faults` frames, links, clocks, strangers and second desks; `test_power_faults` power cuts and resets;
`test_desk_faults` a killed desk, a full disk, a locked file; `test_old_copies` files and flash that know less than the
other side; `test_box_faults` what goes wrong within a box.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dalej.domain.game.facts import Fact
from tests.desk.setting import Place, Setting
from tests.link.rig import facts_of


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    with Setting(tmp_path) as setting:
        yield setting


@pytest.fixture
def place(setting: Setting) -> Place:
    """A desk whose table is set up."""
    place = setting.desk()
    setting.configure(place)
    return place


def journal(setting: Setting, number: int = 0) -> list[Fact]:
    """What lies on a box's flash, in the desk's words."""
    box = setting.boxes[number].box
    assert box is not None
    held = [box.journal.record(seq) for seq in range(box.journal.oldest, box.journal.head + 1)]
    return [of_box(fact, setting.boxes[number].uid) for fact in facts_of(box.journal.epoch, held)]


def of_box(fact: Fact, uid: bytes) -> Fact:
    """The same fact as that box's own."""
    return Fact(uid.hex(), *(getattr(fact, name) for name in Fact.__slots__[1:]))


def lock_the_file(place: Place) -> Callable[[], None]:
    other = sqlite3.connect(place.ledger.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other.close


def take_away(place: Place, setting: Setting) -> None:
    """The desk closes and is gone; its links run out."""
    place.desk.close()
    place.radio.abandon()
    setting.run(13_000)
