"""Edges of contacts to taps and holds: bounce, noise, order, stuck contacts."""

from moveclock.debounce import (
    FINGER_MS,
    HOLD,
    NOISE_MS,
    STUCK_MS,
    TAP,
    TAP_AT_MOST_MS,
    UNDECIDED,
    WINDOW_MS,
    Contacts,
)

X, Y, Z = 0, 1, 2
HELD_MS = 1000


def contacts(*held: int) -> Contacts:
    return Contacts(3, held)


def feed(box: Contacts, *edges: tuple[int, bool, int]) -> list[bool]:
    """Hand over edges `(contact, down, at)`; which of them began a press."""
    return [box.edge(contact, down, at) for contact, down, at in edges]


def decided(box: Contacts, now: int, hold_ms: int = 0) -> list[tuple[int, int, int]]:
    """What is decided by `now`: `(contact, TAP or HOLD, down stamp)`."""
    found = []
    while box.queue:
        decision = box.decide(now, hold_ms)
        if decision == UNDECIDED:
            break
        press = box.take()
        if press is not None:
            found.append((press.contact, decision, press.down))
    return found


def test_a_tap_is_decided_once_the_contact_has_settled_and_keeps_its_down_stamp() -> None:
    box = contacts()
    assert feed(box, (X, True, 100), (X, False, 180)) == [True, False]
    assert box.decided_at(0) == 180 + WINDOW_MS
    assert decided(box, 180 + WINDOW_MS - 1) == []
    assert decided(box, 180 + WINDOW_MS) == [(X, TAP, 100)]
    assert box.queue == [] and not box.any_down()


def test_bounce_within_the_window_is_one_tap_with_the_first_stamp() -> None:
    box = contacts()
    began = feed(
        box,
        (X, True, 100), (X, False, 101), (X, True, 103), (X, False, 104), (X, True, 109),  # closing
        (X, False, 180), (X, True, 182), (X, False, 190), (X, True, 218), (X, False, 219),  # opening
    )  # fmt: skip
    assert began == [True] + [False] * 9
    assert decided(box, 219 + WINDOW_MS - 1) == []
    assert decided(box, 10000) == [(X, TAP, 100)]


def test_a_second_tap_after_the_window_is_a_second_tap() -> None:
    box = contacts()
    assert feed(box, (X, True, 0), (X, False, 50), (X, True, 50 + WINDOW_MS), (X, False, 150)) == [
        True, False, True, False,
    ]  # fmt: skip
    assert decided(box, 1000) == [(X, TAP, 0), (X, TAP, 50 + WINDOW_MS)]


def test_a_hold_is_decided_at_its_time_while_the_finger_is_still_down() -> None:
    box = contacts()
    box.edge(X, True, 500)
    assert box.decided_at(HELD_MS) == 500 + HELD_MS
    assert decided(box, 500 + HELD_MS - 1, HELD_MS) == []
    assert decided(box, 500 + HELD_MS, HELD_MS) == [(X, HOLD, 500)]
    assert feed(box, (X, False, 4000), (X, True, 4003), (X, False, 4004)) == [False] * 3
    assert box.queue == [] and not box.any_down()


def test_the_edge_of_a_hold_is_the_millisecond() -> None:
    for length, gesture in ((HELD_MS - 1, TAP), (HELD_MS, HOLD)):
        for asked in (0, 1):  # asked in time, and only long after
            box = contacts()
            feed(box, (X, True, 0), (X, False, length))
            now = length + WINDOW_MS + asked * 3000
            assert decided(box, now, HELD_MS) == [(X, gesture, 0)]


def test_bounce_does_not_cut_a_hold_short() -> None:
    for late in (0, 100):
        box = contacts()
        feed(box, (X, True, 0), (X, False, 990), (X, True, 995))
        assert late or decided(box, 999, HELD_MS) == []
        feed(box, (X, False, 1005))
        assert decided(box, 1035 + late, HELD_MS) == [(X, HOLD, 0)]


def test_a_contact_without_a_hold_is_a_tap_after_a_second_at_the_latest() -> None:
    box = contacts()
    box.edge(X, True, 0)
    assert box.decided_at(0) == TAP_AT_MOST_MS
    assert decided(box, TAP_AT_MOST_MS - 1) == []
    assert decided(box, TAP_AT_MOST_MS) == [(X, TAP, 0)]


def test_presses_are_decided_in_the_order_of_their_down_edges() -> None:
    box = contacts()
    feed(box, (X, True, 0), (Y, True, 10), (Z, True, 20), (Z, False, 60), (Y, False, 70))
    assert decided(box, 500, HELD_MS) == []  # X is still undecided, Y and Z wait
    feed(box, (X, False, 600))
    assert decided(box, 600 + WINDOW_MS, HELD_MS) == [(X, TAP, 0), (Y, TAP, 10), (Z, TAP, 20)]


def test_a_single_pulse_under_two_ms_is_noise_two_pulses_are_a_finger() -> None:
    box = contacts()
    feed(box, (X, True, 0), (X, False, NOISE_MS - 1))
    assert decided(box, 1000) == [] and box.queue == []
    feed(box, (X, True, 2000), (X, False, 2000 + NOISE_MS))
    assert decided(box, 3000) == [(X, TAP, 2000)]
    feed(box, (X, True, 4000), (X, False, 4001), (X, True, 4005), (X, False, 4006))
    assert decided(box, 5000) == [(X, TAP, 4000)]


def test_noise_does_not_hold_up_the_presses_behind_it() -> None:
    box = contacts()
    feed(box, (X, True, 0), (X, False, 1), (Y, True, 5), (Y, False, 80))
    assert decided(box, 110) == [(Y, TAP, 5)]


def test_a_contact_held_over_five_seconds_is_reported_once_and_ignored_until_released() -> None:
    box = contacts()
    box.edge(X, True, 100)
    assert decided(box, 3000, HELD_MS) == [(X, HOLD, 100)]
    assert box.stuck_at() == 100 + STUCK_MS
    assert box.stuck(100 + STUCK_MS - 1) is None
    assert box.stuck(100 + STUCK_MS) == X
    assert box.stuck(100 + STUCK_MS) is None and box.stuck_at() is None
    assert feed(box, (X, True, 7000), (X, False, 8000)) == [False, False]
    assert box.queue == []
    assert feed(box, (X, True, 9000), (X, False, 9100)) == [True, False]
    assert decided(box, 9200) == [(X, TAP, 9000)]


def test_the_times_are_those_of_the_design() -> None:
    assert (TAP_AT_MOST_MS, STUCK_MS) == (1000, 5000)
    assert WINDOW_MS < 300  # well below the guard


# --- edges known only to lie between two instants ---


def blocked(box: Contacts, start: int, end: int, *edges: tuple[int, bool]) -> None:
    """Edges `(contact, down)` that came while the box could not look, dated to the start of that."""
    for contact, down in edges:
        box.edge(contact, down, start, end)


def test_a_press_within_a_block_of_ten_ms_or_more_is_a_tap_at_its_start() -> None:
    for length in (FINGER_MS, 80, 1200, 8000):
        box = contacts()
        blocked(box, 500, 500 + length, (X, True), (X, False))
        assert decided(box, 500 + length + WINDOW_MS, HELD_MS) == [(X, TAP, 500)]


def test_a_pulse_within_a_shorter_block_is_no_finger() -> None:
    box = contacts()
    blocked(box, 500, 500 + FINGER_MS - 1, (X, True), (X, False))
    assert decided(box, 1000, HELD_MS) == [] and box.queue == []


def test_a_hold_is_what_was_seen_held_and_not_what_may_have_been() -> None:
    for released, gesture in ((1700 + HELD_MS - 1, TAP), (1700 + HELD_MS, HOLD)):
        box = contacts()
        blocked(box, 500, 1700, (X, True))
        assert decided(box, released - 1, HELD_MS) == []
        box.edge(X, False, released)
        assert decided(box, released + WINDOW_MS, HELD_MS) == [(X, gesture, 500)]


def test_a_tap_that_was_released_in_a_block_is_neither_noise_nor_a_hold() -> None:
    for down in (499, 480, 300):
        box = contacts()
        box.edge(X, True, down)
        blocked(box, 500, 2500, (X, False))
        assert decided(box, 2500 + WINDOW_MS, HELD_MS) == [(X, TAP, down)]


def test_a_second_press_in_a_block_that_began_soon_after_the_first_is_one_if_it_is_still_down() -> None:
    box = contacts()
    feed(box, (X, True, 100), (X, False, 200))
    blocked(box, 205, 400, (X, True))
    box.edge(X, False, 450)
    assert decided(box, 1000) == [(X, TAP, 100), (X, TAP, 205)]


def test_a_pulse_in_a_block_that_began_soon_after_a_release_is_its_bounce() -> None:
    box = contacts()
    feed(box, (X, True, 100), (X, False, 200))
    blocked(box, 203, 400, (X, True), (X, False))
    assert decided(box, 1000) == [(X, TAP, 100)] and box.queue == []


def test_a_bounce_that_is_found_out_as_one_begins_no_press() -> None:
    """Given lamps and sound that answer each press that begins."""
    box = contacts()
    feed(box, (X, True, 100), (X, False, 200))
    assert [box.edge(X, down, 203, 400) for down in (True, False)] == [True, False]


def test_a_press_whose_first_bounce_came_before_a_block_and_the_rest_in_it_is_one() -> None:
    box = contacts()
    feed(box, (X, True, 100), (X, False, 101))
    blocked(box, 102, 1400, (X, True), (X, False), (X, True), (X, False))
    assert decided(box, 2000, HELD_MS) == [(X, TAP, 100)] and box.queue == []


def test_a_press_that_bounces_into_a_block_and_lasts_beyond_it_is_one() -> None:
    for up in (102, 108):  # no finger was there and gone by then
        box = contacts()
        feed(box, (X, True, 100), (X, False, up))
        blocked(box, up, 290, (X, True))
        box.edge(X, False, 330)
        assert decided(box, 1000) == [(X, TAP, 100)], up
    box = contacts()
    feed(box, (X, True, 100), (X, False, 100 + FINGER_MS))
    blocked(box, 100 + FINGER_MS, 290, (X, True))
    box.edge(X, False, 330)
    assert decided(box, 1000) == [(X, TAP, 100), (X, TAP, 100 + FINGER_MS)]


def test_what_bounces_into_a_block_is_held_from_the_block_on() -> None:
    """Nobody ends a game by a tap."""
    box = contacts()
    feed(box, (X, True, 100), (X, False, 102))
    blocked(box, 105, 600, (X, True))
    box.edge(X, False, 600 + HELD_MS - 1)
    assert decided(box, 3000, HELD_MS) == [(X, TAP, 100)]
    box = contacts()
    feed(box, (X, True, 100), (X, False, 102))
    blocked(box, 105, 600, (X, True))
    assert decided(box, 600 + HELD_MS, HELD_MS) == [(X, HOLD, 100)]


def test_a_second_finger_in_the_next_block_is_another_press_where_the_first_may_have_been_one() -> None:
    box = contacts()
    blocked(box, 100, 400, (X, True))
    box.edge(X, False, 405)
    blocked(box, 410, 600, (X, True))
    box.edge(X, False, 700)
    assert [what for _, what, _ in decided(box, 2000)] == [TAP, TAP]


def test_a_press_in_a_block_after_a_contact_was_let_go_that_was_ignored_is_one() -> None:
    box = contacts(X)
    box.edge(X, False, 8000)
    blocked(box, 8010, 8310, (X, True))
    box.edge(X, False, 8400)
    assert [what for _, what, _ in decided(box, 9000)] == [TAP]


def test_of_two_calls_in_a_row_each_may_have_its_press() -> None:
    box = contacts()
    blocked(box, 100, 1300, (X, True), (X, False))
    blocked(box, 1302, 2500, (X, True), (X, False))
    assert decided(box, 3000) == [(X, TAP, 100), (X, TAP, 1302)]


def test_an_edge_that_is_found_late_takes_its_place_in_the_order_of_down_edges() -> None:
    box = contacts()
    feed(box, (X, True, 100), (Y, True, 90), (X, False, 180), (Y, False, 190))
    assert decided(box, 1000) == [(Y, TAP, 90), (X, TAP, 100)]


def test_the_rest_of_the_box_goes_on_while_a_contact_is_stuck() -> None:
    box = contacts()
    box.edge(X, True, 0)
    assert box.any_down()
    assert decided(box, STUCK_MS) == [(X, TAP, 0)] and box.stuck(STUCK_MS) == X
    assert not box.any_down()  # or a box with a stuck contact would never write a checkpoint
    feed(box, (Y, True, 6000), (Y, False, 6100))
    assert box.any_down()
    assert decided(box, 6200) == [(Y, TAP, 6000)]


def test_the_bounce_of_a_stuck_contacts_release_is_no_tap() -> None:
    box = contacts()
    box.edge(X, True, 0)
    decided(box, STUCK_MS)
    assert box.stuck(STUCK_MS) == X
    assert feed(box, (X, False, 8000), (X, True, 8004), (X, False, 8009)) == [False] * 3
    assert box.queue == [] and not box.any_down()


def test_several_contacts_may_be_stuck_at_once() -> None:
    box = contacts()
    feed(box, (Y, True, 0), (X, True, 10))
    assert decided(box, 6000) == [(Y, TAP, 0), (X, TAP, 10)]
    assert box.stuck_at() == STUCK_MS
    assert sorted([box.stuck(6000) or 0, box.stuck(6000) or 0]) == [X, Y]
    assert box.stuck(6000) is None


def test_a_contact_down_at_power_on_is_ignored_until_it_was_released() -> None:
    box = contacts(Y)
    assert not box.any_down() and box.stuck_at() is None
    assert feed(box, (Y, True, 10), (Y, False, 900), (Y, True, 905), (Y, False, 910)) == [False] * 4
    assert box.stuck(99999) is None and box.queue == []
    assert feed(box, (Y, True, 2000), (X, True, 2010)) == [True, True]


def test_a_release_without_a_press_is_nothing() -> None:
    box = contacts()
    assert feed(box, (X, False, 10), (X, False, 20)) == [False, False]
    assert box.queue == [] and not box.any_down()


def test_a_repeated_down_edge_goes_on_with_the_press() -> None:
    box = contacts()
    assert feed(box, (X, True, 0), (X, True, 300), (X, False, 400)) == [True, False, False]
    assert decided(box, 500) == [(X, TAP, 0)]
