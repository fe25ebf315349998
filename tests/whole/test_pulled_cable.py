"""`dalej run` with a box whose cable is pulled: whoever reads along is told once, and the box comes back by itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import run
from typing import Final

import pytest

from dalej.club.boxes import OwnBox, OwnBoxes
from dalej.club.keys import ClubKeys
from dalej.office import boxplaces
from moveclock.identity import KOSTKA
from tests.link.cablebox import CableBox, PtyBox
from tests.office import playing
from tests.whole.attable import soon
from tests.whole.typed import NO_TERMINALS, Typed

UID: Final = bytes.fromhex("240ac4001207")


@pytest.mark.skipif(NO_TERMINALS, reason="Windows has no pseudo-terminals to put a box behind")
def test_a_cable_that_is_pulled_is_said_once(tmp_path: Path) -> None:
    typed = Typed(tmp_path, tmp_path / "club")
    keys = ClubKeys(typed.club, os.urandom)
    keys.make()
    OwnBoxes(typed.club).keep(OwnBox(UID.hex(), "7", KOSTKA, playing.NOON))
    event = playing.new_event(tmp_path, "school-league", 4)
    playing.draw(event)
    boxplaces.place(
        event.ledger, 1, UID.hex(), since=boxplaces.NOW, goes_on=True, who="Gęś", when_ms=playing.NOON, why="set up",
        name="7",
    )  # fmt: skip
    event.ledger.close()
    port = tmp_path / "port"
    box = CableBox(UID, keys.of_box(UID))

    with PtyBox(box) as plugged:
        port.symlink_to(plugged.device)
        desk = typed.begin("run", "event.dalej", "--no-bluetooth", "--usb", str(port))
        desk.until("table 1: box 7 is set up for game 1")
    port.unlink()
    with desk:
        desk.until("1 box stands on a table: 0 heard")  # long after the port was looked at again
        assert [line for line in desk.said.splitlines() if str(port) in line] == [desk.until(str(port)).rstrip("\n")]
        with PtyBox(box) as plugged:
            port.symlink_to(plugged.device)
            soon(lambda: "1 heard, 1 linked" in desk.said.splitlines()[-1], "the box to be served again")
            assert desk.interrupt() == 0, desk.said


def test_nobody_waits_for_bluetooth_who_does_not_use_it() -> None:
    asked = "import sys, dalej.cli.run; print([name for name in sys.modules if name.partition('.')[0] == 'bleak'])"
    done = run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.strip() == "[]"
