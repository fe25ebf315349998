"""A terminal tells no key's release: what is a press, and what a finger that stays?"""

from __future__ import annotations

import pytest

from dalej.tui.typedahead import Repeats


def presses(*times_ms: int, key: str = "j") -> list[bool]:
    repeats = Repeats()
    return [not repeats.repeats(key, at_ms) for at_ms in times_ms]


@pytest.mark.parametrize("first_ms", [250, 500, 660])
def test_a_key_held_for_two_seconds_is_one_press(first_ms: int) -> None:
    repeats_ms = [10_000 + first_ms + 33 * number for number in range(50)]

    assert presses(10_000, *repeats_ms) == [True] + [False] * 50


def test_a_slow_repeat_after_a_long_wait_is_no_press_either() -> None:
    assert presses(10_000, 10_500, 10_650, 10_800, 10_950, 11_100) == [True] + [False] * 5


def test_presses_that_fingers_make_count() -> None:
    assert presses(10_000, 10_800, 11_600) == [True, True, True]


def test_another_key_in_between_makes_it_a_press() -> None:
    repeats = Repeats()

    assert [repeats.repeats(key, at_ms) for key, at_ms in (("k", 10_000), ("d", 10_100), ("k", 10_300))] == [False] * 3
