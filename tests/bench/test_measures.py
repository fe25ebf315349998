"""Every section of the bench measures something at a small size; what it says about time is never asserted."""

from __future__ import annotations

from random import Random

import pytest

from bench.__main__ import SECTIONS, main
from bench.core import _Table
from bench.esp32 import Pumped
from bench.row import Row
from moveclock import facts as k

SMALL = 0.002


LONG = ("screen", "vm", "web", "pages", "phones")  # they start programs, many times


@pytest.mark.parametrize(
    "section", [pytest.param(name, marks=[pytest.mark.torture] if name in LONG else []) for name in SECTIONS]
)
def test_a_section_measures_and_shows_against_what(section: str) -> None:
    rows = SECTIONS[section](SMALL)

    assert rows
    for row in rows:
        assert row.what
        assert row.value[-1:].strip()
        assert row.met in (True, False, None)


def test_a_goal_with_a_unit_is_for_the_value_and_one_without_for_the_ratio() -> None:
    assert Row("error", "9.99 ms", "core alone 1.00 ms", "9.99", "≤ 10 ms").met is True
    assert Row("inserts", "3,000/s", "raw 7,000/s", "0.43", "≥ 0.5").met is False
    assert Row("erases", "3", goal="≤ 5").met is True
    assert Row("bytes", "12 bytes").met is None


def test_a_section_that_is_none_is_named_and_nothing_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    main(["nothing"])

    shown = capsys.readouterr()
    assert "nothing: no such section" in shown.err
    assert not shown.out


@pytest.mark.parametrize(
    ("since", "seen", "slip"),
    [(299, 299, True), (300, 300, False), (130, 299, True), (180, 350, True), (220, 390, False), (250, 350, False),
     (301, 471, False), (600, 770, False)],
)  # fmt: skip
def test_a_press_is_a_slip_where_it_was_rather_in_the_guard_time_than_after_it(
    since: int, seen: int, slip: bool
) -> None:
    """In ms of the move, as the box dates it."""
    board = Pumped(Random(1))
    table, clock = _Table(board, Random(1)), board.box.clock
    clock.start(1_000, k.TABLE)
    board.spans[5] = 1_000 + since, 1_000 + seen

    assert table._guarded(5) is slip
    assert (clock.dated(0, 1_000 + since, 1_000 + seen) < 1_300) is slip
