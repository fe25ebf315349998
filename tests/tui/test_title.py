"""The line over a table."""

from __future__ import annotations

from dalej.clock import ManualClock
from dalej.tui.widgets.tablelines import title
from dalej.views.feed import Feed
from tests.tui.paper import PaperHall, a_row


def said(**changes: object) -> str:
    row = a_row(3, **changes)
    feed = Feed(PaperHall([row]), ManualClock(), event_name="league", ruleset="Liga")
    return title(row, feed, 80, mine=False)


def test_a_box_is_called_by_what_is_written_on_it() -> None:
    assert said(called="12").startswith(" Table 3 · box 12 · game 1, move 12 · ")


def test_a_box_without_a_name_is_not_called_by_its_number_of_twelve_digits() -> None:
    assert said().startswith(" Table 3 · game 1, move 12 · ")


def test_a_table_without_a_box_names_none() -> None:
    assert said(box="", called="").startswith(" Table 3 · game 1, move 12 · ")
