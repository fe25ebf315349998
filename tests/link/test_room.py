"""How many links an adapter really holds: learnt from what failed, and never from a box that is at fault itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dalej.link.adapters import AGAIN_MS, DOUBTS_MOST, Room

A, B, C, D = b"box-a", b"box-b", b"box-c", b"box-d"


def test_no_link_left_is_believed_at_once_and_news_only_once() -> None:
    room = Room(5)

    assert room.failed(A, 2, 0, full=True)
    assert room.links(0) == 2
    assert not room.failed(B, 2, AGAIN_MS, full=True)
    assert room.links(AGAIN_MS) == 2


def test_failures_for_no_reason_are_believed_after_a_few_in_a_row() -> None:
    room = Room(3)

    said = [room.failed(box, 2, 0, full=False) for box in (C, D, C)]

    assert said == [False] * (DOUBTS_MOST - 1) + [True]
    assert room.links(0) == 2


def test_a_link_between_failures_takes_the_suspicion_away() -> None:
    room = Room(3)
    for _ in range(3 * DOUBTS_MOST):
        assert not room.failed(C, 2, 0, full=False)
        room.took(A, 3, 0)

    assert room.links(0) == 3


def test_the_only_link_that_fails_says_nothing_of_others() -> None:
    room = Room(3)

    for _ in range(10):
        assert not room.failed(A, 0, 0, full=True)

    assert room.links(0) == 3


def test_a_box_that_fails_with_fewer_links_too_is_at_fault_itself_and_is_not_listened_to_again() -> None:
    room = Room(3)
    for _ in range(DOUBTS_MOST):
        room.failed(C, 2, 0, full=False)
    assert room.links(0) == 2

    room.failed(C, 1, 1_000, full=False)
    assert room.links(1_000) == 3
    for _ in range(10):
        room.failed(C, 2, 2_000, full=False)
    assert room.links(2_000) == 3


def test_minutes_later_one_link_more_is_tried_and_found_or_not() -> None:
    room = Room(5)
    room.failed(A, 2, 0, full=True)
    assert room.links(AGAIN_MS - 1) == 2
    assert room.links(AGAIN_MS) == 3

    room.took(A, 3, AGAIN_MS)
    assert room.links(AGAIN_MS) == 4, "then another one, at once"
    room.failed(B, 3, AGAIN_MS + 1, full=False)
    assert room.links(AGAIN_MS + 1) == 3


@given(
    st.integers(1, 6),
    st.lists(
        st.tuples(
            st.sampled_from([A, B, C, D]), st.integers(0, 7), st.booleans(), st.booleans(), st.integers(0, 400_000)
        )
    ),
)
def test_whatever_happens_there_is_room_for_one_link_and_for_no_more_than_people_said(
    places: int, happens: list[tuple[bytes, int, bool, bool, int]]
) -> None:
    room, now_ms = Room(places), 0
    for box, held, up, full, later_ms in happens:
        now_ms += later_ms
        if up:
            room.took(box, held, now_ms)
        else:
            room.failed(box, held, now_ms, full=full)
        assert 1 <= room.links(now_ms) <= places
