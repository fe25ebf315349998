"""The table list's columns, and when what they say changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dalej.tui.cells import cells, changes_in_ms, columns, standing
from dalej.tui.widgets.grid import fitted
from tests.tui.paper import PaperHall, a_row, an_alert


@pytest.mark.parametrize("room", [78, 79, 100, 123, 150, 199, 250])
def test_columns_stand_side_by_side_and_fill_the_room(room: int) -> None:
    _columns, places = columns(room)

    ends = [place.left + place.width for place in places]
    assert all(end < place.left for end, place in zip(ends, places[1:], strict=False))
    assert ends[-1] == room


def test_at_80_characters_a_row_says_all_that_a_referee_needs() -> None:
    _columns, places = columns(78)

    assert [place.title for place in places] == [
        "table", "player", "left", "move", "bank", "penalty", "what goes on", "box"
    ]  # fmt: skip


def test_more_room_adds_columns_and_takes_none_away() -> None:
    shown = [{place.title for place in columns(room)[1]} for room in range(78, 220)]

    assert all(few <= more for few, more in pairwise(shown))
    assert {"time", "game", "players", "age"} <= shown[-1]


def test_a_stale_row_says_so_in_shape_and_word() -> None:
    shown, _places = columns(78)

    said = [cell.text for cell in cells(a_row(5, stale=True, age_ms=14_000, moves_on=False), shown)]

    assert said[0] == "░5"
    assert "░ 0:40" in said
    assert said[-1] == "░ 14 s old ░"


def test_what_waits_is_said_with_its_mark_and_time_the_urgent_first() -> None:
    shown, _places = columns(78)
    row = a_row(1, alerts=(an_alert(1, "early_click", 9_000, urgent=False), an_alert(1, "referee", 2_000)))

    assert "▲ referee called 2 s +1" in [cell.text for cell in cells(row, shown)]


rows = st.builds(
    a_row,
    st.just(1),
    state=st.sampled_from(["running", "stopped", "expired"]),
    left_ms=st.integers(-100_000, 100_000),
    age_ms=st.integers(0, 30_000) | st.none(),
    moves_on=st.booleans(),
    alerts=st.lists(st.builds(an_alert, st.just(1), st.just("dispute"), st.integers(0, 90_000)), max_size=2).map(tuple),
).map(lambda row: replace(row, left_ms=min(0, row.left_ms or 0) if row.state == "expired" else abs(row.left_ms or 0)))


@given(row=rows, part=st.floats(0, 1, exclude_max=True))
def test_a_row_says_the_same_until_it_is_due(row: object, part: float) -> None:
    hall = PaperHall([row])  # type: ignore[list-item]
    shown, _places = columns(220)
    now = hall.row(1, 0)

    later = hall.row(1, int(changes_in_ms(now) * part))

    assert cells(later, shown) == cells(now, shown)


@given(row=rows, ms=st.integers(0, 5_000))
def test_what_does_not_tick_says_the_same_while_as_much_is_standing(row: object, ms: int) -> None:
    hall = PaperHall([row])  # type: ignore[list-item]
    shown, _places = columns(220)
    now, later = hall.row(1, 0), hall.row(1, ms)

    if standing(now) == standing(later):
        assert cells(later, shown, cells(now, shown)) == cells(later, shown)


@given(text=st.text("aąż–8░中", max_size=12), width=st.integers(0, 12), right=st.booleans())
def test_a_cell_is_exactly_as_wide_as_its_column(text: str, width: int, right: bool) -> None:
    assert cell_len(fitted(text, width, right=right)) == width
