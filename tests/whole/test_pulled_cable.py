"""`dalej run` with a box whose cable is pulled: whoever reads along is told once, and the box comes back by itself."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import run

import pytest

from tests.link.cablebox import PtyBox
from tests.whole.attable import soon
from tests.whole.cabled import box_7, with_box_7
from tests.whole.typed import NO_TERMINALS, Typed


@pytest.mark.skipif(NO_TERMINALS, reason="Windows has no pseudo-terminals to put a box behind")
def test_a_cable_that_is_pulled_is_said_once(tmp_path: Path) -> None:
    typed = Typed(tmp_path, tmp_path / "club")
    with_box_7(typed)
    port = tmp_path / "port"
    box = box_7(typed)

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
