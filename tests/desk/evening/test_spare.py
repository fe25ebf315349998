"""A spare box takes over a table in the middle of a game."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from dalej.event.ledger import APPLIED
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office.undo import undo
from moveclock import facts as k
from tests.desk.evening.evening import SOON_MS, Evening
from tests.desk.evening.spare import dies, replace, started


def test_it_goes_on_with_game_move_seat_time_and_bank_of_the_box_before(evening: Evening) -> None:
    desk = started(evening, 6)
    evening.run(20_000)
    before = evening.clock_of("1")
    powered = evening.boxes["1"].box
    assert powered is not None
    left = before.watch.remaining(powered.uptime.now)
    expected = (before.game, before.move, before.seat, before.bank)
    dies(evening)

    replace(evening)

    after = evening.clock_of("2")
    assert (after.game, after.move, after.seat, after.bank) == expected
    assert after.state == k.STOPPED
    assert abs(after.watch.remaining(0) - left) <= 5_000
    assert desk.results("take_over") == [APPLIED]
    assert desk.baselines()[-1].move == expected[1]
    (said,) = desk.said("takes_over")
    assert "game 1, move 7" in said


def test_the_round_sees_one_game_that_both_boxes_tell_of(evening: Evening) -> None:
    desk = started(evening, 6)
    dies(evening)
    replace(evening)
    desk.ask("2", "resume")
    evening.play("2", 2)
    desk.ask("2", "end_game", SOON_MS)

    state = evening.event.state()
    assert state.current is not None
    (game,) = games_of_round(read(evening.event.ledger), state, state.current.key).values()
    assert game.ended == "desk"
    assert len(game.before) == 1
    assert len(desk.requests("configure")) == 2  # one for each box, none in the game that was taken over


def test_a_seat_that_has_withdrawn_stays_out(evening: Evening) -> None:
    desk = started(evening, 5)
    for command, args in (("stop", {"reason": "referee"}), ("withdraw", {"seat": "D"}), ("resume", {})):
        desk.ask("1", command, 1_500, **args)
    evening.play("1", 1)
    dies(evening)
    replace(evening)

    assert evening.clock_of("2").out == 0b1000


def test_a_restarted_desk_hands_over_as_far_as_the_event_tells(evening: Evening) -> None:
    first = started(evening, 6)
    evening.run(2_000)
    expected = evening.clock_of("1").move
    first.kill()
    dies(evening)
    evening.run(11_000)
    second = evening.start()
    replace(evening)

    assert evening.clock_of("2").move == expected
    assert second.results("take_over") == [APPLIED]


def test_a_desk_that_is_killed_in_the_middle_of_it_finishes_it_once(evening: Evening) -> None:
    first = started(evening, 6)
    dies(evening)
    evening.put("2", 1)
    evening.run(1_000)
    evening.boxes["2"].power_on()
    while not first.requests("configure")[1:]:
        evening.run(50)
    first.kill()
    evening.run(11_000)

    second = evening.start()
    evening.run(2 * SOON_MS)

    assert second.results("take_over") == [APPLIED]
    assert evening.clock_of("2").state == k.STOPPED
    assert evening.clock_of("2").move == 7


def test_a_game_that_was_over_is_followed_by_the_next_one(evening: Evening) -> None:
    desk = started(evening, 3)
    desk.ask("1", "end_game")
    dies(evening)
    replace(evening)

    after = evening.clock_of("2")
    assert (after.state, after.game) == (k.READY, 2)
    assert not desk.requests("take_over")


def test_nothing_is_taken_over_where_nobody_knows_the_game(evening: Evening) -> None:
    """The event's file is another one, and this desk has heard the box in a game and received nothing of it."""
    desk = evening.begins()
    powered = evening.boxes["1"].box
    assert powered is not None
    desk.adapter.set_reach(evening.boxes["1"].uid, False)
    evening.play("1", 4)
    dies(evening)
    replace(evening)

    assert not desk.requests("take_over")
    assert evening.clock_of("2").state == k.READY


def test_a_spare_box_may_begin_the_table_anew_if_people_say_so(evening: Evening) -> None:
    desk = started(evening, 6)
    dies(evening)
    evening.boxes["2"].power_on()
    evening.put("2", 1, goes_on=False)
    evening.run()

    assert not desk.requests("take_over")
    assert evening.clock_of("2").state == k.READY


def test_a_spare_box_goes_on_with_the_box_that_stood_there_and_not_with_one_that_was_taken_back(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, boxes=3))
    evening.boxes["3"].power_off()
    evening.put("1", 1)
    desk = started(evening, 3)
    evening.put("2", 1)
    evening.run()
    assert evening.clock_of("2").move == evening.clock_of("1").move
    undo(evening.event, None, "the wrong table")
    evening.run()
    evening.play("1", 2)
    evening.run(2_000)
    expected = evening.clock_of("1").move
    assert expected > evening.clock_of("2").move
    dies(evening)

    evening.boxes["3"].power_on()
    evening.put("3", 1)
    evening.run()

    assert evening.clock_of("3").move == expected
    assert desk.results("take_over") == [APPLIED, APPLIED]
