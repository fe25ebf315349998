"""`dalej run` as a program with a box on a cable, without MicroPython: quick, and the desk comes and goes in a game."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event.ledger import Ledger
from dalej.event.reading import read
from moveclock import facts as k
from tests.link.cablebox import PtyBox
from tests.whole.attable import THINK_MS, soon
from tests.whole.cabled import box_7, with_box_7
from tests.whole.typed import NO_TERMINALS, Begun, Typed

A_JUZ, B_JUZ, C_JUZ, D_JUZ = range(0, 8, 2)

pytestmark = pytest.mark.skipif(NO_TERMINALS, reason="Windows has no pseudo-terminals to put a box behind")


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    """A club with one box, called 7, which stands on the only table of a seated event."""
    typed = Typed(tmp_path, tmp_path / "club")
    with_box_7(typed)
    return typed


@pytest.fixture
def box(typed: Typed) -> Iterator[PtyBox]:
    """It, on its cable."""
    with PtyBox(box_7(typed)) as plugged:
        yield plugged


def test_turns_played_with_a_desk_without_one_and_with_the_next_one_are_all_logged_once(
    typed: Typed, box: PtyBox
) -> None:
    with _run(typed, box) as desk:
        desk.until("table 1: box 7 is set up for game 1, seats ABCD")
        for contact in (A_JUZ, A_JUZ, B_JUZ):  # the first one starts the game
            _tap(box, contact)
        soon(lambda: _ended(typed) == 2, "two turns in the event's file")
        assert desk.interrupt() == 0, desk.said

    for contact in (C_JUZ, D_JUZ, A_JUZ):
        _tap(box, contact)
    assert _ended(typed) == 2

    with _run(typed, box) as desk:
        soon(lambda: _ended(typed) == 5, "what was played without a desk")
        _tap(box, B_JUZ)
        soon(lambda: _ended(typed) == 6, "what is played with the next one")
        assert desk.interrupt() == 0, desk.said
        assert "is set up" not in desk.said, "a box in a game is never set up anew"

    shown = [json.loads(line) for line in typed("log", "show", "event.dalej", "--json").splitlines()]
    assert [(turn["move"], turn["seat"], turn["how"]) for turn in shown] == [
        (1, "A", "juz"), (2, "B", "juz"), (3, "C", "juz"), (4, "D", "juz"), (5, "A", "juz"), (6, "B", "juz"),
        (7, "C", None),
    ]  # fmt: skip
    assert "verify: clean" in typed("log", "verify", "event.dalej")


def _run(typed: Typed, box: PtyBox) -> Begun:
    return typed.begin("run", "event.dalej", "--no-bluetooth", "--usb", box.device)


def _tap(box: PtyBox, contact: int) -> None:
    """By somebody who thinks for longer than the guard time."""
    time.sleep(THINK_MS / 1_000)
    box.tap(contact)


def _ended(typed: Typed) -> int:
    with Ledger.open(typed.folder / "event.dalej") as ledger:
        return sum(told.fact.kind == k.MOVE_ENDED for told in read(ledger).facts())
