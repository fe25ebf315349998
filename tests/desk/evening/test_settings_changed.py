"""A setting that changes reaches the boxes between games by itself: none in a game, none twice, nobody else starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dalej.cli.decision import do
from dalej.desk.evening.setup import SETTLES_MS
from dalej.event.ledger import APPLIED
from dalej.event.roundgames import games_of_round
from dalej.event.tableplans import settings_given
from dalej.office.acts.clocks import SendSettings
from dalej.office.settings import set_as_seen
from moveclock import facts as k
from moveclock import settings as rules
from tests.desk.evening.evening import SOON_MS, Evening, Process


def sets(evening: Evening, key: str, value: str) -> None:
    set_as_seen(evening.event, key, value, None, knowingly=True)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Evening(tmp_path) as evening:
        yield evening


def table_1(evening: Evening, **options: str) -> Process:
    """A desk that has set the box of table 1 up."""
    for key, value in options.items():
        sets(evening, key, value)
    desk = evening.begins("1")
    assert evening.clock_of("1").state == k.READY
    return desk


def ends(evening: Evening, desk: Process) -> None:
    desk.ask("1", "end_game")
    assert evening.clock_of("1").state == k.OVER


def given(evening: Evening) -> str:
    """What the settings screen says of table 1."""
    state, reading = evening.event.state(), evening.event.read()
    assert state.current is not None
    (one,) = settings_given(reading, state, games_of_round(reading, state, state.current.key))
    return one.how


def test_a_box_that_waits_for_its_first_game_takes_a_new_limit_once_and_that_is_said(evening: Evening) -> None:
    desk = table_1(evening)

    sets(evening, "limit", "50 s")
    assert given(evening) == "older"
    evening.run(2 * SOON_MS)

    assert evening.clock_of("1").settings.limit_ms == 50_000
    assert (evening.clock_of("1").state, evening.clock_of("1").starter) == (k.READY, k.SEAT_A)
    assert desk.results("configure") == [APPLIED, APPLIED]
    (said,) = desk.said("renewed")
    assert said.endswith("has the changed settings, from game 1 on")
    assert given(evening) == "has"


@pytest.mark.parametrize(("typed", "told"), [("silent", rules.SILENT), ("soft", rules.SOFT)])
def test_a_box_is_told_how_loud_it_may_be(evening: Evening, typed: str, told: int) -> None:
    table_1(evening)
    sets(evening, "sound", typed)
    evening.run()
    assert evening.clock_of("1").settings.sound == told


def test_several_changes_and_one_that_is_taken_back_come_to_what_counts_now(evening: Evening) -> None:
    desk = table_1(evening)
    sets(evening, "limit", "50 s")
    sets(evening, "draw", "block")
    evening.run()
    sets(evening, "limit", "default")
    evening.run()
    settings = evening.clock_of("1").settings
    assert (settings.limit_ms, settings.draw) == (40_000, rules.DRAW_BLOCK)
    assert len(desk.requests("configure")) == 3


@pytest.mark.parametrize(("key", "value"), [("joker_points", "25"), ("check_results", "required"), ("name", "Puchar")])
def test_what_is_no_matter_of_the_boxes_is_sent_to_none(evening: Evening, key: str, value: str) -> None:
    desk = table_1(evening)
    sets(evening, key, value)
    evening.run()
    assert len(desk.requests("configure")) == 1


def test_a_box_in_a_game_keeps_its_settings_until_a_minute_after_its_end(evening: Evening) -> None:
    desk = table_1(evening)
    evening.play("1", 3)
    sets(evening, "limit", "50 s")
    evening.run()
    evening.play("1", 2)
    assert len(desk.requests("configure")) == 1

    ends(evening, desk)
    evening.run(SETTLES_MS - 5_000)
    assert evening.clock_of("1").state == k.OVER
    assert len(desk.requests("configure")) == 1

    evening.run(10_000)
    clock = evening.clock_of("1")
    assert (clock.state, clock.game, clock.starter, clock.settings.limit_ms) == (k.READY, 2, k.SEAT_B, 50_000)
    assert desk.said("renewed")[0].endswith("from game 2 on")


def test_a_game_that_has_just_ended_can_still_be_opened_again(evening: Evening) -> None:
    desk = table_1(evening)
    evening.play("1", 3)
    sets(evening, "limit", "50 s")
    ends(evening, desk)
    evening.run(SETTLES_MS // 2)

    desk.ask("1", "reopen", how="same_seat")

    assert evening.clock_of("1").state == k.STOPPED
    evening.run(2 * SETTLES_MS)
    assert evening.clock_of("1").settings.limit_ms == 40_000


def test_a_table_that_goes_on_by_itself_has_the_settings_before_its_first_move(evening: Evening) -> None:
    desk = table_1(evening)
    evening.play("1", 3)
    ends(evening, desk)
    sets(evening, "limit", "50 s")

    evening.tap("1", k.SEDZIA, for_ms=2_500)
    evening.run(3_000)

    clock = evening.clock_of("1")
    assert (clock.state, clock.game, clock.starter, clock.settings.limit_ms) == (k.READY, 2, k.SEAT_B, 50_000)
    evening.play("1", 2)
    assert clock.state == k.RUNNING


def test_whoever_starts_by_the_boxs_count_starts_also_after_a_change(evening: Evening) -> None:
    desk = table_1(evening, first_starter="table")
    assert evening.clock_of("1").starter == k.NOBODY
    evening.tap("1", 2 * k.SEAT_C)  # the table says that C starts …
    evening.tap("1", 2 * k.SEAT_C)
    evening.play("1", 2)
    ends(evening, desk)
    sets(evening, "limit", "50 s")
    evening.run(2 * SETTLES_MS)

    clock = evening.clock_of("1")
    assert (clock.game, clock.starter, clock.settings.limit_ms) == (2, k.SEAT_D, 50_000)  # … and so D the next game
    assert given(evening) == "has"

    sets(evening, "limit", "45 s")
    evening.run()
    assert (clock.starter, clock.settings.limit_ms) == (k.SEAT_D, 45_000)


def test_an_organiser_who_sends_them_does_not_wait_for_the_minute_and_the_same_seat_starts(evening: Evening) -> None:
    desk = table_1(evening, first_starter="table")
    evening.tap("1", 2 * k.SEAT_D)
    evening.tap("1", 2 * k.SEAT_D)
    evening.play("1", 2)
    ends(evening, desk)
    sets(evening, "limit", "50 s")

    do(evening.event, SendSettings().wish())
    evening.run(3_000)

    clock = evening.clock_of("1")
    assert (clock.game, clock.starter, clock.settings.limit_ms) == (2, k.SEAT_A, 50_000)
    evening.run(2 * SETTLES_MS)
    assert len(desk.requests("configure")) == 2


def test_another_way_to_find_the_starter_reaches_a_box_before_its_first_game(evening: Evening) -> None:
    table_1(evening)
    sets(evening, "first_starter", "table")
    evening.run()
    assert evening.clock_of("1").starter == k.NOBODY
    assert given(evening) == "has"


def test_a_desk_that_starts_after_the_change_sends_it_and_the_next_one_does_not_again(evening: Evening) -> None:
    desk = table_1(evening)
    desk.close()
    sets(evening, "limit", "50 s")

    second = evening.start()
    evening.run(2 * SOON_MS)
    assert evening.clock_of("1").settings.limit_ms == 50_000
    second.close()

    third = evening.start()
    evening.run(2 * SOON_MS)
    assert len(third.requests("configure")) == 2


def test_a_table_at_which_everything_is_played_is_left_as_it_is(evening: Evening) -> None:
    desk = table_1(evening, games="1")
    evening.play("1", 3)
    ends(evening, desk)
    sets(evening, "limit", "50 s")
    evening.run(2 * SETTLES_MS)
    assert evening.clock_of("1").state == k.OVER
    assert len(desk.requests("configure")) == 1


def test_a_box_that_was_off_takes_the_settings_when_it_is_heard_again(evening: Evening) -> None:
    desk = table_1(evening)
    evening.boxes["1"].power_off()
    evening.run(30_000)
    sets(evening, "limit", "50 s")
    evening.run()
    assert len(desk.requests("configure")) == 1

    evening.boxes["1"].power_on()
    evening.run(2 * SOON_MS)
    assert evening.clock_of("1").settings.limit_ms == 50_000


def test_of_many_tables_those_in_a_game_wait_and_the_others_have_it(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, players=24, boxes=6))
    for number in range(1, 7):
        evening.put(str(number), number)
    desk = evening.start()
    evening.run(3 * SOON_MS)
    evening.play("2", 2)
    evening.play("5", 2)

    sets(evening, "limit", "60 s")
    evening.run(3 * SOON_MS)

    limits = {box: evening.clock_of(box).settings.limit_ms for box in evening.boxes}
    assert limits == {"1": 60_000, "2": 40_000, "3": 60_000, "4": 60_000, "5": 40_000, "6": 60_000}
    assert len(desk.said("renewed")) == 4
