"""Guessing is slow, and guessing by others does not keep the referees out."""

from __future__ import annotations

from dalej.clock import ManualClock
from dalej.web.attempts import (
    ADDRESSES_MOST,
    ALL_FREE,
    FIRST_MS,
    FORGOTTEN_MS,
    FREE,
    LONGEST_MS,
    OPEN_EVERY_MS,
    OPEN_FREE,
    Arrivals,
    Attempts,
)


def guess(attempts: Attempts, address: str = "10.0.0.1", times: int = FREE) -> None:
    for _ in range(times):
        assert attempts.begin(address) == 0


def test_a_few_mistakes_cost_nothing_and_then_each_twice_as_long() -> None:
    clock = ManualClock()
    attempts = Attempts(clock)
    guess(attempts)
    waits = []
    for _ in range(12):
        waits.append(attempts.begin("10.0.0.1"))
        clock.time_ms += waits[-1]
        guess(attempts, times=1)

    assert waits[:4] == [FIRST_MS, 2 * FIRST_MS, 4 * FIRST_MS, 8 * FIRST_MS]
    assert waits[-1] == LONGEST_MS


def test_many_at_once_are_not_free() -> None:
    attempts = Attempts(ManualClock())

    assert [attempts.begin("10.0.0.1") == 0 for _ in range(20)].count(True) == FREE


def test_waiting_is_not_made_longer_by_asking() -> None:
    attempts = Attempts(ManualClock())
    guess(attempts)
    waits = {attempts.begin("10.0.0.1") for _ in range(50)}

    assert waits == {FIRST_MS}


def test_the_right_password_begins_anew() -> None:
    attempts = Attempts(ManualClock())
    for _ in range(5 * FREE):
        guess(attempts, times=FREE - 1)
        attempts.right("10.0.0.1", "referee")
    guess(attempts)


def test_after_a_while_an_address_is_forgotten() -> None:
    clock = ManualClock()
    attempts = Attempts(clock)
    guess(attempts)
    clock.time_ms += FORGOTTEN_MS + 1
    guess(attempts)


def test_many_addresses_together_are_slowed_but_not_those_that_logged_in() -> None:
    clock = ManualClock()
    attempts = Attempts(clock)
    guess(attempts, "192.168.4.7", 1)
    attempts.right("192.168.4.7", "referee")
    tried = sum(attempts.begin(f"10.0.{number}.1") == 0 for number in range(200))

    assert tried == ALL_FREE
    guess(attempts, "192.168.4.7", 1)
    clock.time_ms += attempts.begin("10.9.9.9")
    guess(attempts, "10.9.9.9", 1)


def test_one_computer_s_many_addresses_of_ipv6_are_one() -> None:
    attempts = Attempts(ManualClock())

    assert [attempts.begin(f"fd00::{number:x}") == 0 for number in range(1, 20)].count(True) == FREE
    assert [attempts.begin(f"::ffff:10.0.0.{number}") == 0 for number in range(1, 5)] == [True] * 4


def test_a_flood_of_addresses_does_not_make_a_stranger_of_a_referee() -> None:
    attempts = Attempts(ManualClock())
    guess(attempts, "192.168.4.7", 1)
    attempts.right("192.168.4.7", "referee")
    for number in range(2 * ADDRESSES_MOST):
        attempts.begin(f"10.{number >> 8}.{number & 255}.1")

    assert len(attempts._of) <= ADDRESSES_MOST
    guess(attempts, "192.168.4.7", 1)


def test_when_all_that_are_kept_have_logged_in_who_did_longest_ago_makes_room() -> None:
    clock = ManualClock()
    attempts = Attempts(clock)
    referees = [f"10.0.{number >> 8}.{number & 255}" for number in range(ADDRESSES_MOST)]
    for address in referees:
        guess(attempts, address, 1)
        attempts.right(address, "referee")
    guess(attempts, referees[0], 1)
    guess(attempts, "192.168.4.7")

    assert attempts.begin("192.168.4.7") == FIRST_MS
    assert set(referees) - set(attempts._of) == {referees[1]}


def test_the_password_that_everybody_has_sets_no_address_apart() -> None:
    attempts = Attempts(ManualClock())
    for address in ("192.168.4.7", "192.168.4.8"):
        guess(attempts, address, 1)
        attempts.right(address, "public" if address.endswith("7") else "referee")
    guess(attempts, "192.168.4.8", 1)
    attempts.right("192.168.4.8", "public")
    for number in range(ALL_FREE):
        guess(attempts, f"10.0.{number}.1", 1)

    assert attempts.begin("192.168.4.7") > 0
    guess(attempts, "192.168.4.8", 1)


def test_where_no_password_is_asked_for_a_crowd_comes_in_and_a_program_is_slowed() -> None:
    clock = ManualClock()
    arrivals = Arrivals(clock)
    assert [arrivals.begin("10.0.0.1") for _ in range(OPEN_FREE)] == [0] * OPEN_FREE
    waits = {arrivals.begin("10.0.0.1") for _ in range(50)}
    assert waits == {OPEN_EVERY_MS}
    assert arrivals.begin("10.0.0.2") == 0

    clock.time_ms += OPEN_EVERY_MS
    assert [arrivals.begin("10.0.0.1") for _ in range(2)] == [0, OPEN_EVERY_MS]
    clock.time_ms += OPEN_FREE * OPEN_EVERY_MS
    assert [arrivals.begin("10.0.0.1") for _ in range(OPEN_FREE)] == [0] * OPEN_FREE


def test_addresses_that_came_in_are_not_kept_for_ever() -> None:
    arrivals = Arrivals(ManualClock())
    for number in range(2 * ADDRESSES_MOST):
        assert arrivals.begin(f"10.{number >> 8}.{number & 255}.1") == 0

    assert len(arrivals._full_ms) == ADDRESSES_MOST
