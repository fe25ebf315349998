"""One process holds the links, and everybody knows which."""

from __future__ import annotations

import pytest

from dalej.errors import Refused, WrongInput
from dalej.event.ledger import SENT, Held, Ledger
from tests.event.ledger import process
from tests.event.ledger.making import NOON, reports
from tests.processes import WITHIN_S, bounded

TTL = 10_000


def test_the_second_process_is_refused_with_the_first_ones_name(ledger: Ledger, second: Ledger) -> None:
    held = ledger.lease.acquire("Anna's laptop", NOON, TTL)
    assert held == Held("Anna's laptop", 1, NOON + TTL)
    for name in ("Ewa's laptop", "Anna's laptop"):
        with pytest.raises(Refused, match="the links of this event are held by Anna's laptop"):
            second.lease.acquire(name, NOON + TTL - 1, TTL)
    assert second.lease.holder(NOON + TTL - 1) == held


def test_a_lease_that_is_not_renewed_runs_out(ledger: Ledger, second: Ledger) -> None:
    first = ledger.lease.acquire("first", NOON, TTL)
    renewed = ledger.lease.renew(first, NOON + 9_000, TTL)
    assert renewed == Held("first", 1, NOON + 19_000)
    with pytest.raises(Refused):
        second.lease.acquire("second", NOON + 18_999, TTL)
    assert second.lease.holder(NOON + 19_000) is None
    taken = second.lease.acquire("second", NOON + 19_000, TTL)
    assert taken.token == 2
    with pytest.raises(Refused, match="held by second"):
        ledger.lease.renew(renewed, NOON + 19_001, TTL)


def test_whoever_slept_and_lost_nothing_goes_on(ledger: Ledger) -> None:
    held = ledger.lease.acquire("first", NOON, TTL)
    assert ledger.lease.renew(held, NOON + 60_000, TTL).token == held.token


def test_a_released_lease_is_free_at_once(ledger: Ledger, second: Ledger) -> None:
    held = ledger.lease.acquire("first", NOON, TTL)
    ledger.lease.release(held)
    assert second.lease.holder(NOON) is None
    taken = second.lease.acquire("second", NOON + 1, TTL)
    ledger.lease.release(held)
    assert ledger.lease.holder(NOON + 2) == taken


def test_a_process_that_lost_the_lease_can_no_longer_write_under_it(ledger: Ledger, second: Ledger) -> None:
    lost = ledger.lease.acquire("first", NOON, TTL)
    asked = ledger.request(1, "stop", who="Anna", at_ms=NOON)
    ledger.record(reports([1]), token=lost.token)
    ledger.outcome(asked.id, SENT, at_ms=NOON, token=lost.token)
    head = ledger.head()

    taken = second.lease.acquire("second", NOON + TTL, TTL)
    with pytest.raises(Refused, match="held by second"):
        ledger.record(reports([2]), token=lost.token)
    with pytest.raises(Refused, match="held by second"):
        ledger.outcome(asked.id, SENT, at_ms=NOON, token=lost.token)
    assert ledger.head() == head
    assert second.record(reports([2]), token=taken.token).cursor == head + 1

    second.lease.release(taken)
    with pytest.raises(Refused, match="nobody holds the links"):
        second.record(reports([3]), token=taken.token)


@pytest.mark.parametrize("jump", [-3_600_000, 3_600_000])
def test_a_host_clock_that_jumps_by_an_hour_blocks_the_links_for_nobody(
    ledger: Ledger, second: Ledger, jump: int
) -> None:
    ledger.lease.acquire("crashed", NOON, TTL)
    assert second.lease.acquire("second", NOON + jump, TTL).token == 2


def test_a_lease_needs_a_name_that_can_be_shown(ledger: Ledger) -> None:
    for holder, ttl in ((" ", TTL), ("first", 0)):
        with pytest.raises(WrongInput, match="expected a name and a positive duration"):
            ledger.lease.acquire(holder, NOON, ttl)


def test_the_lease_of_a_killed_process_is_taken_over_after_it_ran_out(ledger: Ledger) -> None:
    crashed = process.start("hold", ledger.path, "first laptop")
    assert crashed.stdout is not None
    with bounded(crashed):
        assert crashed.stdout.readline() == "1\n"
    crashed.kill()
    crashed.communicate(timeout=WITHIN_S)

    with pytest.raises(Refused, match="held by first laptop"):
        ledger.lease.acquire("second laptop", NOON + 9_999, TTL)
    assert ledger.lease.acquire("second laptop", NOON + 10_000, TTL).token == 2
