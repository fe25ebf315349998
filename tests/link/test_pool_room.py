"""How many links there are to deal out: adapters that hold less than they were asked for, several of them, cables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dalej.link.pool import BACK_OFF_MS, Connect, Leave, Need, Pool
from tests.link.pooling import linked, pool, uid


def test_three_boxes_on_two_links_take_turns_as_soon_as_that_is_known() -> None:
    made = pool(3)
    for number in (0, 1):
        assert made.decide(0) == Connect(uid(number))
        made.connected(uid(number), 0)
    assert made.decide(0) == Connect(uid(2))
    made.failed(uid(2), 100)

    made.holds(2, 100)
    made.needs(uid(2), Need.FACTS, 200)
    made.heard(uid(2), BACK_OFF_MS + 100)

    assert made.decide(BACK_OFF_MS + 100) == Leave(uid(0))


def test_without_a_need_boxes_do_not_push_each_other_off_the_links_that_are_left() -> None:
    made = pool(3)
    for number in (0, 1):
        assert made.decide(0) == Connect(uid(number))
        made.connected(uid(number), 0)
    made.holds(2, 0)

    assert made.decide(10_000) is None


def test_a_link_more_is_used_at_once() -> None:
    made = pool(3, links=2)
    for number in (0, 1):
        made.needs(uid(number), Need.FACTS, 0)
        assert made.decide(0) == Connect(uid(number))
        made.connected(uid(number), 0)
    assert made.decide(0) is None

    made.holds(3, 1_000)

    assert made.decide(1_000) == Connect(uid(2))


# --- several adapters, cables, boxes that come and go -----


def test_as_many_connects_are_under_way_as_there_are_adapters() -> None:
    made = Pool(links=6, connects=2)
    for number in range(6):
        made.know(uid(number), 0)
        made.heard(uid(number), 0)

    first, second = made.decide(0), made.decide(0)
    assert {first, second} == {Connect(uid(0)), Connect(uid(1))}
    assert made.decide(0) is None
    made.connected(uid(1), 500)
    assert made.decide(500) == Connect(uid(2))


def test_links_that_are_being_made_count_too() -> None:
    made = Pool(links=2, connects=2)
    for number in range(5):
        made.know(uid(number), 0)
        made.heard(uid(number), 0)
        made.needs(uid(number), Need.FACTS, 0)

    assert isinstance(made.decide(0), Connect)
    assert isinstance(made.decide(0), Connect)
    made.failed(uid(0), 100)
    assert made.decide(100) == Connect(uid(2))
    assert made.decide(100) is None


def test_a_box_on_a_cable_is_neither_connected_nor_counted() -> None:
    made = pool(3, links=2)
    made.plugged(uid(0), 0)

    assert made.decide(0) == Connect(uid(1))
    made.connected(uid(1), 2000)
    assert made.decide(2000) == Connect(uid(2))
    made.connected(uid(2), 4000)
    made.connected(uid(0), 4000)  # the cable's own link
    assert made.decide(4000) is None
    made.disconnected(uid(0), 5000, served=True)
    made.heard(uid(0), 5000)
    assert made.decide(5000) is None


def test_an_unplugged_box_waits_its_turn_like_any_other() -> None:
    made = pool(1)
    made.plugged(uid(0), 0)
    assert made.decide(0) is None

    made.unplugged(uid(0), 1000)

    assert made.decide(1000) == Connect(uid(0))


def test_a_connect_that_was_under_way_when_the_box_was_plugged_in_is_over_with_its_end() -> None:
    made = pool(2)
    assert made.decide(0) == Connect(uid(0))
    made.plugged(uid(0), 100)
    made.failed(uid(0), 5000)
    made.heard(uid(1), 5000)

    assert made.decide(5000) == Connect(uid(1))


def test_a_forgotten_box_is_not_connected_and_its_link_counts_until_it_is_gone() -> None:
    made = linked(4, 0, 1, 2)
    made.forget(uid(0), 100)
    made.heard(uid(3), 100)

    assert made.decide(100) is None
    made.disconnected(uid(0), 200, served=True)
    assert made.decide(200) == Connect(uid(3))
    assert made.decide(200) is None


@given(st.lists(st.tuples(st.sampled_from("khnpucdxf"), st.integers(0, 5)), max_size=60), st.integers(1, 3))
def test_whatever_comes_and_goes_no_more_is_linked_than_there_is_room_for(
    happens: list[tuple[str, int]], connects: int
) -> None:
    made = Pool(links=3, connects=connects)
    known: set[int] = set()
    wired: set[int] = set()
    up: set[int] = set()
    under_way: set[int] = set()
    for now_ms, (what, number) in enumerate(happens, start=1):
        now_ms *= 400  # noqa: PLW2901 (a step)
        box = uid(number)
        if what == "k":
            made.know(box, now_ms)
            known.add(number)
        elif what == "x" and number in known:
            made.forget(box, now_ms)
            known.discard(number)
            wired.discard(number)
        elif number in known and what == "h":
            made.heard(box, now_ms)
        elif number in known and what == "n":
            made.needs(box, Need(now_ms // 400 % 4), now_ms)
        elif number in known - up - under_way and what == "p":
            made.plugged(box, now_ms)
            wired.add(number)
        elif number in wired and what == "u":
            made.unplugged(box, now_ms)
            wired.discard(number)
        elif number in under_way & known and what == "c":
            made.connected(box, now_ms)
            under_way.discard(number)
            up.add(number)
        elif number in under_way and what == "f":
            made.failed(box, now_ms)
            under_way.discard(number)
        elif number in up and what == "d":
            made.disconnected(box, now_ms, served=True)
            up.discard(number)
        while isinstance(step := made.decide(now_ms), Connect):
            chosen = int.from_bytes(step.uid, "big")
            assert chosen in known - wired - up - under_way
            under_way.add(chosen)
        late = len(under_way) > connects  # then the oldest is given up for an alarm
        assert len(under_way) - late <= connects
        assert len(up | under_way) - late <= 3
        if isinstance(step, Leave):
            made.disconnected(step.uid, now_ms, served=True)
            up.discard(int.from_bytes(step.uid, "big"))
