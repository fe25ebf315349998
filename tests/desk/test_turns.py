"""A desk whose adapter holds few links: every table is seen all the time, and served in turn, alarms first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dalej.desk.requests import LINK_BACK_WITHIN_MS
from dalej.event.ledger import APPLIED, NO_LINK, SENT, Ledger, Request
from dalej.simulator.box import SimBox
from moveclock import facts as k
from moveclock.clock import DISPUTED, POWER_LOST, QUIET, TIME_OUT_WAITS
from moveclock.clock import Clock as BoxClock
from tests.desk.setting import NOON, SECOND, Place, Setting, expect_clean

TABLES = 12
LINKS = 3
A_ROUND_MS = TABLES * 3_000
LIMIT_MS = 600_000  # nobody runs out of time meanwhile


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    with Setting(tmp_path, TABLES) as setting:
        yield setting


@pytest.fixture
def place(setting: Setting) -> Place:
    """All tables are set up and each has started its game."""
    place = setting.desk(links=LINKS, commit_delay_ms=20, wait_ms=2000)
    for box in setting.boxes:
        assert place.desk.in_reach(box.uid)
        setting.configure(place, box, limit_ms=LIMIT_MS)
        setting.run(5000)
        assert clock(box).state == k.READY
    for number in range(TABLES):
        setting.tap(2 * k.SEAT_A, box=number)
    setting.run(A_ROUND_MS)
    assert not setting.backlog()
    return place


def clock(box: SimBox) -> BoxClock:
    assert box.box is not None
    return box.box.clock


def away(place: Place, setting: Setting) -> int:
    """A table without a link."""
    return next(number for number, box in enumerate(setting.boxes) if not place.desk.is_live(box.uid))


def committed(place: Place, box: SimBox) -> int:
    return max(stream.contiguous for stream in place.ledger.boxes(box.uid.hex()))


def results(place: Place) -> list[str]:
    """What became of the latest request."""
    asked = max(entry.id for entry in place.ledger.since(0) if isinstance(entry, Request))
    return [outcome.result for outcome in place.ledger.outcomes(asked)]


def test_every_table_is_served_in_turn_and_nothing_is_missing(setting: Setting, place: Place) -> None:
    for number in range(TABLES):
        setting.moves(2, every_ms=1500, box=number)
    setting.run(A_ROUND_MS)

    assert not setting.backlog()
    assert {place.told(box).head for box in setting.boxes} == {committed(place, box) for box in setting.boxes}
    expect_clean(place.ledger)
    assert place.radio.cuts == 0


def test_a_table_without_a_link_is_seen_all_the_time(setting: Setting, place: Place) -> None:
    number = away(place, setting)
    box = setting.boxes[number]

    setting.moves(1, box=number)
    setting.run(1000)

    heard = place.heard(box)
    assert heard.way == "advert"
    told = place.told(box)
    assert (told.state, told.seat) == (k.RUNNING, k.SEAT_B)
    assert told.left_ms is not None
    left = clock(box).watch.remaining(setting.world.now_ms - box.boots[1])
    assert abs(told.left_ms - (setting.world.now_ms - told.at_ms) - left) <= 60
    assert told.backlog == (box.box.journal.head if box.box else 0) - committed(place, box) > 0


def test_a_state_over_the_link_tells_everything_and_the_same_heads_advertisement_takes_nothing_away(
    setting: Setting, place: Place
) -> None:
    number = away(place, setting)
    box = setting.boxes[number]
    setting.moves(1, box=number)
    setting.run(A_ROUND_MS)

    told = place.told(box)
    assert (told.game, told.move, told.bank, told.backlog) == (1, 2, clock(box).bank, 0)


def test_an_alarm_is_heard_in_a_moment_and_its_facts_are_there_in_five_seconds(setting: Setting, place: Place) -> None:
    for other in range(TABLES):  # everybody has something to tell
        setting.boxes[other].edge(k.KOSTKA, True)
        setting.boxes[other].edge(k.KOSTKA, False)
    number = away(place, setting)
    box = setting.boxes[number]
    setting.tap(k.SEDZIA, 1200, box=number)
    at = setting.world.now_ms
    head = box.box.journal.head if box.box else 0

    setting.run(1500)
    assert place.told(box).state == k.STOPPED
    while committed(place, box) < head:
        setting.run(50)
        assert setting.world.now_ms - at <= 5000


def test_a_silent_table_is_never_seen_as_of_now(setting: Setting, place: Place) -> None:
    box = setting.boxes[away(place, setting)]
    place.radio.set_reach(box.uid, False)
    setting.run(20_000)

    heard = place.heard(box)
    assert heard.way == "none"
    assert heard.seen_ms is not None
    assert setting.world.now_ms - heard.seen_ms >= 17_000


def test_a_move_that_is_over_time_is_heard_without_a_link_and_since_when(setting: Setting, place: Place) -> None:
    number = away(place, setting)
    box = setting.boxes[number]
    place.radio.set_reach(box.uid, False)
    setting.run(LIMIT_MS)
    over_ms = setting.world.now_ms - box.boots[1] - clock(box).expired_at
    assert clock(box).state == k.EXPIRED
    place.radio.set_reach(box.uid, True)
    heard_ms = setting.world.now_ms
    while place.told(box).state != k.EXPIRED:
        setting.run(10)
        assert setting.world.now_ms - heard_ms < 2500

    told = place.told(box)
    assert told.left_ms is not None
    assert abs(told.left_ms - (over_ms + told.at_ms - heard_ms)) <= 20
    assert told.alarm == TIME_OUT_WAITS


def test_power_lost_and_back_is_heard_without_a_link(setting: Setting, place: Place) -> None:
    number = away(place, setting)
    box = setting.boxes[number]
    box.power_off()
    setting.run(3000)
    box.power_on()
    setting.run(1500)

    told = place.told(box)
    assert (told.boot, told.state, told.alarm) == (2, k.STOPPED, POWER_LOST)
    assert told.left_ms is not None
    assert abs(told.left_ms - clock(box).watch.remaining(0)) <= 1


# --- commands -----


def test_a_command_for_a_table_that_is_heard_waits_for_its_turn_and_that_is_said(
    setting: Setting, place: Place
) -> None:
    number = away(place, setting)
    assert setting.ask(place, "stop", {"reason": "round_break"}, box=number)
    said = f"table {number + 1}: “stop the clock” waits for a link to box {setting.boxes[number].uid.hex()}"
    assert place.said("waits")[-1] == said

    setting.run(5000)

    assert clock(setting.boxes[number]).state == k.STOPPED
    assert results(place) == [SENT, APPLIED]
    assert place.said("no_link") == []


def test_what_another_process_asks_for_waits_for_the_tables_turn_too(tmp_path: Path, kept_open: ExitStack) -> None:
    setting = kept_open.enter_context(Setting(tmp_path, 6))
    place = setting.desk(links=1, poll_ms=200, wait_ms=20_000)
    box = setting.boxes[away(place, setting)]
    with Ledger.open(place.ledger.path) as other:
        asked = other.request(setting.boxes.index(box) + 1, "blink", {}, who="screen", at_ms=NOON)
        setting.run(8000)

        assert [outcome.result for outcome in other.outcomes(asked.id)] == [SENT, APPLIED]


def test_a_command_for_a_table_that_is_carried_away_ends_in_words(setting: Setting, place: Place) -> None:
    number = away(place, setting)
    box = setting.boxes[number]
    assert setting.ask(place, "stop", {"reason": "round_break"}, box=number)
    place.radio.set_reach(box.uid, False)

    setting.run(LINK_BACK_WITHIN_MS)

    assert place.said("no_link") == [
        f"table {number + 1}: box {box.uid.hex()} could not be linked in time, “stop the clock” was not sent"
    ]
    place.radio.set_reach(box.uid, True)
    setting.run(A_ROUND_MS)
    assert clock(box).state == k.RUNNING
    assert results(place) == [NO_LINK]


def test_a_command_for_a_table_that_nobody_hears_is_refused_at_once(setting: Setting, place: Place) -> None:
    number = away(place, setting)
    place.radio.set_reach(setting.boxes[number].uid, False)
    setting.run(15_000)

    assert not setting.ask(place, "stop", {"reason": "round_break"}, box=number)
    assert place.said("no_link") == [
        f"table {number + 1}: no link to box {setting.boxes[number].uid.hex()}, “stop the clock” was not sent"
    ]
    assert results(place) == [NO_LINK]


# --- what a screen asks for -----


def test_only_what_has_changed_is_told_since_a_version(setting: Setting, place: Place) -> None:
    version = place.desk.version
    assert place.desk.heard_since(version) == []

    number = away(place, setting)
    setting.tap(k.SEDZIA, box=number)
    setting.run(1500)

    changed = {heard.box: heard for heard in place.desk.heard_since(version)}
    told = changed[setting.boxes[number].uid.hex()].told
    assert told is not None
    assert told.alarm == DISPUTED

    assert len(place.desk.heard_since(0)) == TABLES
    assert list(changed) == [heard.box for heard in place.desk.heard_since(0)][: len(changed)]  # the latest first


def test_a_table_that_has_nothing_new_is_told_to_be_there_still(setting: Setting, place: Place) -> None:
    setting.run(5000)
    version = place.desk.version

    setting.run(3500)

    changed = {heard.box: heard for heard in place.desk.heard_since(version)}
    assert len(changed) == TABLES
    assert all(setting.world.now_ms - (heard.seen_ms or 0) <= 3500 for heard in changed.values())


def test_a_desk_that_starts_again_sees_every_table_before_it_has_linked_them(setting: Setting, place: Place) -> None:
    place.desk.close()
    place.radio.abandon()

    second = setting.desk(SECOND, links=LINKS, wait_ms=3000)

    assert all(second.told(box).state == k.RUNNING for box in setting.boxes)
    seen = [second.told(box) for box in setting.boxes if not second.desk.is_live(box.uid)]
    assert len(seen) >= TABLES - LINKS
    assert all(told.left_ms is None and told.alarm == QUIET for told in seen)  # no clock was compared yet
    setting.run(2 * A_ROUND_MS)
    assert all(second.told(box).left_ms is not None for box in setting.boxes)
