"""What a table's screen says of a press that changed nothing, or that is not long enough yet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.views import tablehints
from dalej.views.tablehints import hint
from moveclock import clock as c
from moveclock import facts as k
from moveclock import settings as rules
from tests.tui.clocks import JUZ, ROW, SCHOOL, a_clock, expired, face_of, knows, over, running, stopped


def test_a_remark_comes_first_and_what_may_be_done_after_it() -> None:
    said = hint(ROW, face_of(over(), 50_000), SCHOOL, tablehints.no_seat(0))

    assert said.split("\n") == [
        "✗ Nobody's Już counts now.", "Shift+S (hold Sędzia): the next game. s = call the referee.",
    ]  # fmt: skip


def strays() -> dict[str, c.Clock]:
    """Clocks whose last press changed nothing, by what is said of it."""
    wrong, soon, late, begins, block = (
        running(),
        running(),
        expired(),
        a_clock(first=k.SEAT_C),
        a_clock(draw=rules.DRAW_BLOCK),
    )
    wrong.press(JUZ[2], False, 5_000)
    soon.press(JUZ[0], False, 1_100)
    late.press(JUZ[3], False, 45_000)
    begins.press(JUZ[0], False, 1_000)
    block.press(JUZ[0], False, 1_000)
    block.press(JUZ[0] + 1, False, 5_000)
    again = stopped()
    again.press(k.SEDZIA, False, 9_000)
    ended = over()
    ended.press(k.KOSTKA, False, 12_000)
    stands = stopped()
    stands.press(JUZ[0], False, 9_000)
    return {
        "It is the move of Bóbr (A), not of Dzik (C).": wrong, "Too soon: the move has only just begun.": soon,
        "Łasica (B) speaks for the table, not Sarna (D).": late, "Dzik (C) begins, not Bóbr (A).": begins,
        "No tile is taken yet: k, then d.": block, "Sędzia changes nothing now.": again,
        "There is no tile to take now.": ended, "Nobody's Już counts now.": stands,
    }  # fmt: skip


def test_a_press_that_changes_nothing_is_told_why() -> None:
    for words, clock in strays().items():
        assert tablehints.changed_nothing(knows(clock, 50_000), ROW.names) == words


@pytest.mark.parametrize(("ms", "bar"), [(0, "░░░░░░░░░░ 0.0"), (1_200, "██████░░░░ 1.2"), (1_900, "█████████░ 1.9")])
def test_a_hold_that_is_under_way_fills_a_bar(ms: int, bar: str) -> None:
    face = face_of(over(), 50_000)
    assert face.inside is not None

    said = hint(ROW, replace(face, inside=replace(face.inside, holds=(k.SEDZIA, ms, 2_000))), SCHOOL)

    assert said.startswith(f"▼ hold Sędzia {bar} of 2.0 s\nShift+S")
