"""The hall's clock as a screen knows it, and the desk that is there or not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from dalej.clock import ManualClock
from dalej.desk.feed.messages import Face, Look, Pulse, Take, Welcome
from dalej.domain.game.heard import Heard
from dalej.views.feed import Feed
from tests.tui.paper import NOON_MS, PaperHall, a_row


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON_MS)


@pytest.fixture
def feed(clock: ManualClock) -> Feed:
    """Told once, at the instant 100 000 of the desk's clock."""
    feed = Feed(PaperHall([a_row(3)]), clock, event_name="jesień", ruleset="school-league", zone=UTC)
    feed.welcomed(Welcome(1, "desk", simulated=True))
    feed.pulsed(Pulse(100_000, NOON_MS, 1.0, 7))
    return feed


def test_between_pulses_the_desks_clock_goes_on_as_fast_as_the_hall_runs(feed: Feed, clock: ManualClock) -> None:
    feed.pulsed(Pulse(100_000, NOON_MS, 4.0, 7))

    clock.time_ms += 250

    assert feed.now_ms() == 101_000
    assert feed.wall_text() == "12:00:01"


@pytest.mark.parametrize(("said_ms", "now_ms"), [(700, 101_000), (1_300, 101_300)], ids=["for-long", "for-less-time"])
def test_a_pulse_that_was_under_way_never_turns_time_back(
    feed: Feed, clock: ManualClock, said_ms: int, now_ms: int
) -> None:
    """What arrives a second later was under way longer than the ones before, or less long, which counts."""
    clock.time_ms += 1_000
    feed.pulsed(Pulse(100_000 + said_ms, NOON_MS + said_ms, 1.0, 7))

    assert feed.now_ms() == now_ms


def test_the_hall_learns_of_every_desk_that_greets(feed: Feed) -> None:
    hall = feed.hall
    assert isinstance(hall, PaperHall)
    greeted = hall.greeted
    feed.lost()

    feed.welcomed(Welcome(1, "desk", simulated=True))

    assert (greeted, hall.greeted) == (1, 2)


def test_a_desk_that_was_started_anew_has_a_clock_of_its_own(feed: Feed, clock: ManualClock) -> None:
    clock.time_ms += 3_000
    feed.lost()
    feed.welcomed(Welcome(1, "desk", simulated=True))
    feed.pulsed(Pulse(50, NOON_MS + 3_000, 1.0, 7))

    assert feed.now_ms() == 50
    assert feed.wall_text() == "12:00:03"


def test_without_a_desk_ages_grow_and_nothing_is_said(feed: Feed, clock: ManualClock) -> None:
    assert feed.say(Take(3, on=True))

    feed.lost()
    clock.time_ms += 14_000

    assert feed.now_ms() == 114_000
    assert feed.silence_ms() == 14_000
    assert not feed.say(Look(3))
    assert feed.outbox.empty()  # what was not sent in time is not sent to the next desk
    assert not feed.simulated


def test_what_is_heard_touches_its_table(feed: Feed) -> None:
    feed.heard(Heard("000000000003", 3, "link", 100_000, None))

    assert feed.touched == {3}


def test_the_ledger_is_read_when_it_has_grown_and_only_then(feed: Feed) -> None:
    feed.grown.clear()
    feed.caught_up.set()

    feed.pulsed(Pulse(101_000, NOON_MS + 1_000, 1.0, 7))
    assert (feed.grown.is_set(), feed.caught_up.is_set()) == (False, True)

    feed.pulsed(Pulse(101_200, NOON_MS + 1_200, 1.0, 9))
    assert (feed.grown.is_set(), feed.caught_up.is_set()) == (True, False)


def test_what_a_desk_repeats_at_the_start_is_no_news(feed: Feed, clock: ManualClock) -> None:
    assert not feed.has_settled()

    clock.time_ms += 2_001

    assert feed.has_settled()


def test_tables_that_this_screen_plays_are_those_whose_faces_say_so_until_given_back_or_lost(feed: Feed) -> None:
    face = Face(3, True, True, (" 0:40",) * 4, (1, 12, 0), 0, 0, 0, 0, taken=True, mine=True)
    feed.say(Take(3, on=True))
    assert not feed.mine  # it may be refused

    feed.faced(face)
    assert (feed.mine, feed.touched) == ({3}, {3})

    feed.say(Take(3, on=False))
    assert not feed.mine

    feed.faced(face)
    feed.faced(replace(face, table=4, mine=False))
    assert feed.mine == {3}  # another table's face says nothing of this one

    feed.lost()
    assert not feed.mine


def test_before_any_desk_times_stand_at_the_ledgers_last_entry(clock: ManualClock) -> None:
    hall = PaperHall([a_row(3)])
    feed = Feed(hall, clock, event_name="jesień", ruleset="school-league", zone=UTC)
    assert (feed.written_text(), feed.now_ms()) == ("", 0)

    hall.written_ms = NOON_MS - 3_600_000
    clock.time_ms += 5_000

    assert feed.now_ms() == NOON_MS - 3_600_000
    assert feed.written_text() == "11:00:00"
    assert feed.written_text(62_000) == "10:58:58"
    assert feed.written_text(86_400_000) == f"{datetime.fromtimestamp(NOON_MS / 1_000 - 90_000, UTC):%Y-%m-%d} 11:00"
    assert feed.written_text(None) == ""


def test_once_a_desk_has_been_heard_ages_are_counted_and_nothing_is_said_of_the_last_entry(feed: Feed) -> None:
    assert isinstance(feed.hall, PaperHall)
    feed.hall.written_ms = NOON_MS

    assert feed.written_text() == ""


def test_when_a_fast_desk_is_gone_ages_grow_as_fast_as_life(feed: Feed, clock: ManualClock) -> None:
    feed.pulsed(Pulse(100_000, NOON_MS, 20.0, 7))
    clock.time_ms += 1_000
    feed.lost()
    clock.time_ms += 14_000

    assert feed.now_ms() == 100_000 + 20_000 + 14_000
