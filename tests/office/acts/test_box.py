"""Acts on a table as its box carries them out, and as they are taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.errors import Refused, Unreachable, WrongInput
from dalej.event.ledger import APPLIED, REFUSED
from dalej.office.acts.wishes import Done, Wish
from moveclock import facts as k
from tests.office.acts.desk import LIS, SOWA, WHY, ActingDesk


@pytest.fixture
def stands(desk: ActingDesk) -> ActingDesk:
    desk.do("stop", reason="referee")
    return desk


def stood(desk: ActingDesk) -> tuple[int, ...]:
    clock = desk.clock
    left = clock.watch.remaining(desk.setting.world.now_ms) if clock.state == k.STOPPED else -1
    return clock.game, clock.move, clock.seat, clock.bank, clock.out, clock.lap_reason, left


def take_back(desk: ActingDesk, done: Done) -> Done:
    assert done.undo is not None
    return desk.wish(done.undo)


def test_a_box_is_asked_once_for_what_it_has_to_tell(desk: ActingDesk) -> None:
    first, second = (desk.performer.do(one, Wish("fetch", {"table": 1})) for one in (LIS, SOWA))

    assert first.requests == second.requests
    assert len(desk.place.ledger.open_requests()) == 1


@pytest.mark.parametrize(
    ("reason", "shown"), [("referee", k.REFEREE), ("dispute", k.DISPUTE), ("round_break", k.ROUND_BREAK)]
)
def test_a_stop_is_carried_out_and_taken_back(desk: ActingDesk, reason: str, shown: int) -> None:
    done = desk.do("stop", reason=reason)
    assert (desk.results(done), desk.clock.state, desk.clock.reason) == ([APPLIED], k.STOPPED, shown)

    back = take_back(desk, done)

    assert (desk.results(back), desk.clock.state) == ([APPLIED], k.RUNNING)
    again = take_back(desk, back)
    assert (desk.results(again), desk.clock.reason) == ([APPLIED], shown)


def test_settings_that_change_between_games_leave_the_seat_that_was_named_to_start(desk: ActingDesk) -> None:
    desk.do("end_game")
    desk.do("next_game")
    desk.do("set_seat", seat="D")
    desk.wish_of_an_organiser("set_option", key="limit", value="50s")

    done = desk.wish_of_an_organiser("send_settings")

    assert desk.results(done) == [APPLIED]
    assert (desk.clock.game, desk.clock.settings.limit_ms, desk.clock.starter) == (2, 50_000, k.SEAT_D)


@pytest.mark.parametrize(
    ("act", "args"),
    [
        ("set_time", {"ms": 7_000}), ("give_time", {"ms": 20_000}), ("restart_move", {}), ("set_seat", {"seat": "A"}),
        ("set_bank", {"tiles": 3}), ("set_bank", {"tiles": 0}), ("final_lap", {"reason": "round_time"}),
        ("end_game", {}), ("redeal", {}),
    ],
)  # fmt: skip
def test_what_was_done_to_a_table_that_stands_is_taken_back_to_the_millisecond(
    stands: ActingDesk, act: str, args: dict[str, int | str]
) -> None:
    before = stood(stands)

    done = stands.do(act, **args)
    assert (stands.results(done), stood(stands) != before or stands.clock.state != k.STOPPED) == ([APPLIED], True)
    back = take_back(stands, done)

    assert set(stands.results(back)) == {APPLIED}
    assert (stands.clock.state, stood(stands)) == (k.STOPPED, before)


def test_a_final_lap_that_is_taken_back_after_a_move_loses_no_move(desk: ActingDesk) -> None:
    done = desk.do("final_lap", reason="round_time")
    desk.setting.moves(1)
    move = desk.clock.move

    back = take_back(desk, done)

    assert set(desk.results(back)) == {APPLIED}
    assert (desk.clock.state, desk.clock.move, desk.clock.lap_reason) == (k.STOPPED, move, k.NOBODY)


def test_a_game_that_was_over_goes_on_and_is_ended_again(stands: ActingDesk) -> None:
    stands.do("end_game")
    done = stands.do("reopen_game", how="same_seat")
    assert stands.clock.state == k.STOPPED

    take_back(stands, done)

    assert stands.clock.state == k.OVER
    stands.do("next_game")
    assert (stands.clock.state, stands.clock.game) == (k.READY, 2)
    done = stands.do("start")
    assert stands.clock.state == k.RUNNING
    take_back(stands, done)
    assert (stands.clock.state, stands.clock.game) == (k.READY, 2)


def test_a_redeal_stops_a_clock_that_runs(desk: ActingDesk) -> None:
    done = desk.do("redeal")

    assert (desk.results(done), desk.clock.state, desk.clock.move) == ([APPLIED, APPLIED], k.READY, 0)


def test_a_correction_of_a_clock_that_runs_is_refused_with_what_to_do_first(desk: ActingDesk) -> None:
    with pytest.raises(Refused, match="stop its clock first"):
        desk.do("set_time", ms=7_000)


def test_a_correction_meant_for_another_move_is_refused_and_says_where_the_table_is(stands: ActingDesk) -> None:
    with pytest.raises(Refused, match="table 1 is in move 3 of game 1 by now"):
        stands.do("set_time", ms=7_000, game=1, move=2)


def test_a_table_that_moves_on_unheard_refuses_at_its_box(stands: ActingDesk) -> None:
    stale = stands.now
    stands.do("resume")
    stands.setting.moves(1)
    stands.do("stop", reason="referee")
    asked = stands.place.ledger.request(
        1, "set_remaining", {"ms": 1}, who="Lis", at_ms=0, box=stale.box, guard=(stale.at.game, stale.at.move)
    )
    stands.carry_out()
    assert stands.place.ledger.outcomes(asked.id)[-1].result == REFUSED


def test_of_two_referees_who_ask_for_the_same_the_second_is_told_of_the_first(stands: ActingDesk) -> None:
    stands.performer.do(LIS, Wish("give_time", {"table": 1, "ms": 20_000}, WHY))

    with pytest.raises(Unreachable, match="Lis has asked for it already"):
        stands.performer.do(SOWA, Wish("give_time", {"table": 1, "ms": 20_000}, WHY))

    stands.carry_out()
    assert stands.results(stands.do("give_time", SOWA, ms=5_000)) == [APPLIED]


def test_a_table_without_a_box_is_refused_with_what_to_do_instead(desk: ActingDesk) -> None:
    with pytest.raises(Refused, match="table 9 has no box: tell the table itself"):
        desk.do("stop", table=9, reason="referee")


def test_without_a_desk_on_the_links_it_is_asked_all_the_same_and_said(desk: ActingDesk) -> None:
    desk.place.desk.close()

    done = desk.performer.do(LIS, Wish("stop", {"table": 1, "reason": "referee"}))

    assert "No desk holds the links now" in str(done)
    assert desk.place.ledger.open_requests()


def test_a_box_that_had_no_link_last_time_is_asked_all_the_same_and_said(desk: ActingDesk) -> None:
    desk.place.radio.set_reach(desk.setting.box.uid, False)
    desk.do("stop", reason="referee")
    desk.setting.run(20_000)

    assert "There was no link to its box" in str(desk.do("stop", reason="referee"))


def test_a_table_cannot_be_put_back_to_what_its_box_never_told(stands: ActingDesk) -> None:
    for args in ({"epoch": 1, "seq": 1}, {"epoch": stands.now.at.epoch, "seq": 9_999}):
        with pytest.raises(WrongInput, match="has told nothing of that moment"):
            stands.do("restore", **args)


def test_the_whole_hall_stops_and_goes_on_but_for_a_table_that_stands_for_another_reason(tmp_path: Path) -> None:
    desk = ActingDesk(tmp_path, boxes=3)
    for box in range(3):
        desk.setting.moves(1, box=box)
    desk.do("stop", table=2, reason="dispute")

    done = desk.wish(Wish("stop_hall", {"reason": "round_break"}))
    assert (str(done), desk.results(done)) == ("The boxes of 2 tables are asked to stop the clock.", [APPLIED] * 2)
    on = desk.wish(Wish("resume_hall"))

    assert desk.results(on) == [APPLIED] * 2
    states = [box.box.clock.state for box in desk.setting.boxes if box.box is not None]
    assert states == [k.RUNNING, k.STOPPED, k.RUNNING]
    desk.close()
