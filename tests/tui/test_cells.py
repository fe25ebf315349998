"""The table list's columns, and when what they say changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dalej.tui.widgets.grid import Place, fitted
from dalej.tui.widgets.tablelist import NOTHING_ELSE, Column, Known, cells, changes_in_ms, columns, standing
from dalej.views.phrases import ALERTS, ALERTS_BRIEF
from dalej.views.rows import AlertKind, Row
from dalej.words import _
from tests.tui.languages import speaking
from tests.tui.paper import PaperHall, a_row, an_alert


def texts(row: Row, table: tuple[tuple[Column, ...], tuple[Place, ...]], known: Known = NOTHING_ELSE) -> list[str]:
    """What the columns say."""
    return [cell.text for cell in cells(row, *table, known)]


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


def test_penalties_of_three_seats_are_all_said_where_there_is_little_room() -> None:
    row = a_row(1, penalties=(2, 1, -1, 0))

    assert texts(row, columns(78))[5].strip() == "A2 B1 C?"
    assert "A2 B1 C?" in texts(row, columns(150))


def test_penalties_of_four_seats_have_room_and_of_more_tiles_than_that_their_sum_is_said() -> None:
    narrow = columns(78)

    assert texts(a_row(1, penalties=(2, 1, 3, 1)), narrow)[5].strip() == "A2B1C3D1"
    assert texts(a_row(1, penalties=(12, 1, 3, 11)), narrow)[5].strip() == "Σ27"
    assert texts(a_row(1, penalties=(12, -1, 13, 11)), narrow)[5].strip() == "Σ36?"


def test_more_room_adds_columns_and_takes_none_away() -> None:
    shown = [{place.title for place in columns(room)[1]} for room in range(78, 220)]

    assert all(few <= more for few, more in pairwise(shown))
    assert {"time", "game", "players", "age"} <= shown[-1]


def test_a_stale_row_says_so_in_shape_and_word() -> None:
    said = texts(a_row(5, stale=True, age_ms=14_000, moves_on=False), columns(78))

    assert said[0] == "░5"
    assert "░ 0:40" in said
    assert said[-1] == "░ 14 s old ░"


def test_what_waits_is_said_with_its_mark_and_time_the_urgent_first() -> None:
    row = a_row(1, alerts=(an_alert(1, "early_click", 9_000, urgent=False), an_alert(1, "referee", 2_000)))

    assert "▲ referee called 2 s +1" in texts(row, columns(199))


KINDS: tuple[AlertKind, ...] = ("referee", "dispute", "early_click", "time_out", "power_lost", "silent")


@pytest.mark.parametrize("room", [77, 78, 122, 199])
@pytest.mark.parametrize("more", [0, 2])
@pytest.mark.parametrize("mine", [False, True])
def test_whatever_waits_its_time_is_never_what_has_no_room(room: int, more: int, mine: bool) -> None:
    shown, places = columns(room)
    width = next(place.width for place in places if place.title == "what goes on")
    for kind in KINDS:
        first, others = an_alert(1, kind, 3_599_000), (an_alert(1, "dispute", 1_000, urgent=False),) * more
        said = texts(a_row(1, alerts=(first, *others)), (shown, places), Known(mine))

        goes_on = next(text for text in said if text.startswith("▲"))
        assert "59:59" in goes_on
        assert len(goes_on) <= width
        assert any(word in goes_on for word in (ALERTS[kind], ALERTS_BRIEF[kind]))


def test_a_table_that_this_screen_plays_says_so_and_what_waits_there() -> None:
    calls = a_row(1, alerts=(an_alert(1, "referee", 2_000),))

    assert "» you play" in texts(a_row(1), columns(77), Known(mine=True))
    assert "» you play: game over" in texts(a_row(1, state="over"), columns(199), Known(mine=True))
    assert "▲ referee 2 s »" in texts(calls, columns(77), Known(mine=True))
    assert "▲ referee called 2 s » you play" in texts(calls, columns(199), Known(mine=True))


def test_a_table_of_an_evening_that_has_ended_says_when_something_was_last_written_of_it() -> None:
    row = a_row(1, stale=True, age_ms=0, moves_on=False)

    assert texts(row, columns(78), Known(written="03:35:12"))[-1] == "░ 03:35:12 ░"
    assert texts(row, columns(78), Known(written="2026-11-20 03:35"))[-1] == "░11-20 03:35"


def test_names_that_have_no_room_are_cut_alike_and_the_longest_first() -> None:
    row = a_row(5)

    assert "Nornica Zając Gżegżółka Trzmiel" in texts(row, columns(220))
    cut = next(text for text in texts(row, columns(122)) if text.startswith("Norn"))
    assert all(name[:3] in cut for name in row.names)


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
    shown, places = columns(220)
    now = hall.row(1, 0)

    later = hall.row(1, int(changes_in_ms(now) * part))

    assert cells(later, shown, places) == cells(now, shown, places)


@given(row=rows, ms=st.integers(0, 5_000))
def test_what_does_not_tick_says_the_same_while_as_much_is_standing(row: object, ms: int) -> None:
    hall = PaperHall([row])  # type: ignore[list-item]
    shown, places = columns(220)
    now, later = hall.row(1, 0), hall.row(1, ms)

    if standing(now) == standing(later):
        before = cells(now, shown, places)
        assert cells(later, shown, places, before=before) == cells(later, shown, places)


@given(text=st.text("aąż–8░中", max_size=12), width=st.integers(0, 12), right=st.booleans())
def test_a_cell_is_exactly_as_wide_as_its_column(text: str, width: int, right: bool) -> None:
    assert cell_len(fitted(text, width, right=right)) == width


@pytest.mark.parametrize("language", ["en", "pl", "it", "generated"])
@pytest.mark.parametrize("kind", sorted(ALERTS))
def test_at_80_characters_what_waits_is_named_for_the_whole_of_an_hour(kind: AlertKind, language: str) -> None:
    with speaking(language):
        said = texts(a_row(42, alerts=(an_alert(42, kind, 3_599_000),)), columns(78))
        named = [words for words in (_(ALERTS[kind]), _(ALERTS_BRIEF[kind])) if any(words in text for text in said)]

    assert named, said


@pytest.mark.parametrize("room", [78, 120, 199])
@pytest.mark.parametrize("language", ["en", "pl", "it", "generated"])
def test_a_box_that_gives_no_sign_is_said_whole(room: int, language: str) -> None:
    with speaking(language):
        shown, places = columns(room)
        said = cells(a_row(5, age_ms=None), shown, places)

    wide = [(cell.text, place.width) for cell, place in zip(said, places, strict=True)]
    assert not [text for text, width in wide if cell_len(text) > width]
