"""What the lengths of moves say of a box's times, and what its chip and its boards must be able to do for that."""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dalej.boxes import measuring
from dalej.boxes.measuring import GUARD_MS, LOOP_MS, PERIODS_MS, Judged, judge
from moveclock import debounce
from moveclock import facts as k
from moveclock.settings import fault_in
from tests.firmware.edge import ESP32, ESP32_S3
from tools.firmware import FIRMWARE

LOOP = len(PERIODS_MS)
beginnings = some.integers(0, LOOP - 1)


def presses(count: int, beginning: int) -> list[int]:
    """When so many presses were made."""
    return list(accumulate((PERIODS_MS[(beginning + one) % LOOP] for one in range(count - 1)), initial=0))


def judged(stamps: Sequence[int]) -> Judged:
    return judge([later - earlier for earlier, later in pairwise(sorted(stamps))])


@given(beginnings, some.data())
def test_what_a_press_is_off_is_found_in_the_moves_before_and_after_it(beginning: int, data: some.DataObject) -> None:
    stamps = presses(41, beginning)
    off = {place: data.draw(some.integers(-90, 90)) for place in data.draw(some.sets(some.integers(1, 39), max_size=8))}

    found = judged([stamp + off.get(place, 0) for place, stamp in enumerate(stamps)])

    assert found.errors_ms == [off.get(place + 1, 0) - off.get(place, 0) for place in range(40)]
    assert (found.lost, found.doubled) == (0, 0)


@given(beginnings, some.sets(some.integers(1, 39), min_size=1, max_size=6))
def test_presses_that_are_missing_are_counted_and_make_no_errors(beginning: int, missing: set[int]) -> None:
    stamps = presses(41, beginning)

    found = judged([stamp for place, stamp in enumerate(stamps) if place not in missing])

    assert (found.lost, found.doubled) == (len(missing), 0)
    assert set(found.errors_ms) <= {0}


@given(beginnings, some.integers(1, 39), some.data())
def test_a_press_too_many_that_ended_a_move_is_counted_and_makes_no_error(
    beginning: int, place: int, data: some.DataObject
) -> None:
    stamps = presses(41, beginning)
    length = stamps[place + 1] - stamps[place]
    extra = stamps[place] + data.draw(some.integers(GUARD_MS, length - GUARD_MS))

    found = judged([*stamps, extra])

    assert (found.lost, found.doubled, set(found.errors_ms)) == (0, 1, {0})


def test_the_pulses_last_as_long_as_the_periods_and_fit_into_what_a_channel_of_an_esp32_s3_repeats() -> None:
    durations, levels = measuring.pulses()
    changes = [place for place in range(len(levels)) if levels[place] != levels[place - 1]]
    spans = [sum(durations[start:end]) / 320 for start, end in pairwise([*changes, len(levels)])]

    assert spans[::2] == [measuring.PRESS_MS] * LOOP
    assert [low + high for low, high in zip(spans[::2], spans[1::2], strict=True)] == list(PERIODS_MS)
    assert (sum(durations), levels[0], levels[-1]) == (320 * LOOP_MS, 0, 1)
    assert len(durations) % 2 == 0  # half a symbol would end the loop
    assert len(durations) <= 2 * 47
    assert all(0 < duration <= 32_767 for duration in durations)


def test_a_press_is_decided_and_over_long_before_the_next_one_and_each_ends_a_move() -> None:
    assert fault_in(measuring.rules()) == ""
    assert measuring.PRESS_MS + debounce.WINDOW_MS < GUARD_MS < min(PERIODS_MS)
    assert max(PERIODS_MS) < measuring.rules().limit_ms


@pytest.mark.parametrize(("board", "chip"), [("", ESP32), ("", ESP32_S3), ("boards/cyd", ESP32)])
def test_every_board_has_the_two_shared_buttons_and_the_pin_of_one_can_send(board: str, chip: str) -> None:
    names = runpy.run_path(str(FIRMWARE / board / "board.py"))
    pins = names["pins"](chip)
    juz, dalej = pins.buttons[:2]

    assert dalej < (34 if chip == ESP32 else 49)  # an ESP32's others are inputs
    assert callable(names["Pins"].contacts)
    assert {(k.SHARED_JUZ, juz), (k.SHARED_DALEJ, dalej)} <= set(pins.contacts(*([] if board else [False, True])))


def test_the_program_takes_no_name_of_the_firmware_that_a_box_does_not_have() -> None:
    """Private names are shortened there, and constants are not there at all."""
    program = measuring.play(bytes(6), 10)
    ours = [line for line in program.splitlines() if "import" not in line]

    assert not any("._" in line for line in ours if "implementation" not in line)
    compile(program, "play", "exec")
    compile(measuring.ready(bytes(6), bytes(range(32))), "ready", "exec")


def test_games_are_no_longer_than_real_ones_and_the_time_that_all_take_is_known() -> None:
    assert measuring.games(1_000) == [150] * 6 + [100]
    assert measuring.games(150) == [150]
    assert sum(measuring.games(7)) == 7
    assert 30 * 60_000 < measuring.takes_ms(1_000) < 32 * 60_000
