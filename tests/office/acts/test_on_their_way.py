"""What is taken back while its box has not answered yet: boxes that are late, out of reach, or one of sixty."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.errors import Refused, Unreachable
from dalej.event.ledger import APPLIED
from dalej.office.acts.wishes import Done, Wish
from dalej.simulator.box import Faults
from moveclock import facts as k
from tests.office.acts.desk import LIS, SOWA, WHY, ActingDesk
from tests.world import player_at

STOP = Wish("stop_hall", {"reason": "round_break"})


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[ActingDesk]:
    """Three tables that play."""
    desk = ActingDesk(tmp_path, boxes=3)
    for box in range(3):
        desk.setting.moves(1, box=box)
    yield desk
    desk.close()


def away(desk: ActingDesk, *tables: int, there: bool = False) -> None:
    for table in tables:
        desk.place.radio.set_reach(desk.setting.boxes[table - 1].uid, there)


def lost_on_the_way(desk: ActingDesk, *tables: int) -> None:
    """The desk has sent what was asked, and these boxes lose their links before they have it."""
    desk.place.radio.faults = Faults(loss=1.0)
    desk.setting.run(200)
    away(desk, *tables)
    desk.place.radio.faults = Faults()


def back(desk: ActingDesk, *tables: int) -> None:
    away(desk, *tables, there=True)
    desk.setting.run(10_000)


def at_once(desk: ActingDesk, act: str, **args: str | int) -> Done:
    """Wished, and not answered yet by any box."""
    return desk.performer.do(LIS, Wish(act, {"table": 1, **args}, WHY))


def undone(desk: ActingDesk, done: Done) -> Done:
    assert done.undo is not None
    return desk.performer.do(LIS, done.undo)


def states(desk: ActingDesk) -> list[int]:
    return [box.box.clock.state for box in desk.setting.boxes if box.box is not None]


def test_a_final_lap_that_was_sent_ahead_is_in_nobodys_way(hall: ActingDesk) -> None:
    hall.do("stop", reason="referee")
    done = hall.do("set_bank", tiles=0)
    box = hall.setting.boxes[0].uid
    at_ms = hall.setting.clock.wall_ms() + 3_600_000
    assert hall.place.desk.ask(box, "final_lap", {"reason": "round_time"}, who="Puchacz", at_wall_ms=at_ms)
    hall.carry_out()
    assert [one.command for one in hall.place.ledger.open_requests()] == ["final_lap"]

    back = undone(hall, done)
    hall.carry_out()

    assert set(hall.results(back)) == {APPLIED}


def test_who_withdraws_while_the_clock_is_asked_to_stand_is_skipped(desk: ActingDesk) -> None:
    at_once(desk, "stop", reason="referee")

    done = desk.performer.do(SOWA, Wish("withdraw", {"player": player_at(desk.event().state(), 1, k.SEAT_A)}, WHY))
    desk.carry_out()

    assert (desk.results(done)[-1], desk.clock.out) == (APPLIED, 1 << k.SEAT_A)


def test_a_hall_whose_stop_is_undone_before_every_box_has_stopped_goes_on_whole(hall: ActingDesk) -> None:
    done = hall.performer.do(LIS, STOP)
    lost_on_the_way(hall, 2)
    hall.setting.run(3_000)  # the others were told again

    on = undone(hall, done)
    hall.setting.run(3_000)
    back(hall, 2)

    assert str(on) == (
        "The boxes of 3 tables are asked to let the clock go on; of these, boxes that have not stopped it yet and let "
        "it go on right after that: 1."
    )
    assert (hall.results(on), states(hall)) == ([APPLIED] * 3, [k.RUNNING] * 3)


def test_a_hall_that_no_box_has_answered_goes_on_and_is_stopped_again_in_the_order_of_the_wishes(
    hall: ActingDesk,
) -> None:
    hall.performer.do(LIS, STOP)
    on = hall.performer.do(LIS, Wish("resume_hall"))
    with pytest.raises(Unreachable, match="asked already to let the clocks go on"):
        hall.performer.do(SOWA, Wish("resume_hall"))
    again = undone(hall, on)

    hall.carry_out()

    assert (hall.results(again), states(hall)) == ([APPLIED] * 3, [k.STOPPED] * 3)


def test_a_referees_own_stop_that_is_on_its_way_is_not_undone_with_the_halls(hall: ActingDesk) -> None:
    done = hall.performer.do(LIS, STOP)
    hall.place.ledger.request(2, "stop", {"reason": "dispute"}, who="Sowa", at_ms=hall.setting.clock.wall_ms())

    undone(hall, done)
    hall.carry_out()

    assert states(hall) == [k.RUNNING, k.STOPPED, k.RUNNING]


def test_a_stop_that_its_box_has_not_answered_is_undone_behind_it_and_done_again(desk: ActingDesk) -> None:
    done = at_once(desk, "stop", reason="dispute")

    on = undone(desk, done)
    assert str(on).startswith(
        "Table 1: its box has not stopped the clock yet; it is asked to let it go on right after that."
    )
    with pytest.raises(Unreachable, match="Lis has asked for it already"):
        at_once(desk, "resume")
    stop = undone(desk, on)
    with pytest.raises(Unreachable, match="Lis has asked for it already"):
        at_once(desk, "stop", reason="referee")
    desk.carry_out()

    assert (desk.clock.state, desk.now.at.reason) == (k.STOPPED, k.DISPUTE)
    assert desk.results(desk.take_back(stop)) == [APPLIED]
    assert desk.clock.state == k.RUNNING


def test_a_clock_that_stands_and_is_stopped_once_more_is_no_clock_of_the_hall_that_runs(desk: ActingDesk) -> None:
    desk.do("stop", reason="referee")
    at_once(desk, "stop", reason="dispute")

    with pytest.raises(Refused, match="no clock of the hall runs"):
        desk.performer.do(SOWA, STOP)


def test_a_clock_that_stands_and_is_stopped_once_more_is_not_said_to_run_still(desk: ActingDesk) -> None:
    desk.do("stop", reason="referee")
    at_once(desk, "stop", reason="dispute")

    on = at_once(desk, "resume")

    assert str(on) == "Table 1: its box is asked to let the clock go on."


def test_a_stop_that_was_sent_to_a_box_whose_link_is_lost_is_followed_by_what_undoes_it(desk: ActingDesk) -> None:
    done = at_once(desk, "stop", reason="referee")
    lost_on_the_way(desk, 1)

    on = undone(desk, done)
    desk.setting.run(3_000)
    back(desk, 1)

    assert (desk.results(done), desk.results(on), desk.clock.state) == ([APPLIED], [APPLIED], k.RUNNING)


def test_a_clock_that_runs_is_not_asked_to_go_on_and_that_is_said(desk: ActingDesk) -> None:
    with pytest.raises(Refused, match="table 1: its clock runs"):
        desk.do("resume")


def test_a_final_lap_that_its_box_has_not_answered_is_taken_back_once_it_has(desk: ActingDesk) -> None:
    """Given an act whose box is silent, when it is taken back, then that is no refusal for good: the offer stays."""
    done = at_once(desk, "final_lap", reason="round_time")

    with pytest.raises(Unreachable, match=r"table 1: its box has not answered yet \(begin the final lap\): wait"):
        undone(desk, done)
    desk.carry_out()
    assert desk.clock.lap_reason == k.ROUND_TIME
    assert set(desk.results(desk.take_back(done))) == {APPLIED}

    assert desk.clock.lap_reason == k.NOBODY


def test_a_final_lap_is_begun_again_only_when_the_table_is_known_to_be_back(desk: ActingDesk) -> None:
    done = desk.do("final_lap", reason="round_time")
    undone(desk, done)

    with pytest.raises(Unreachable, match="its box has not answered yet"):
        at_once(desk, "final_lap", reason="round_time")
    desk.carry_out()

    assert desk.results(desk.do("final_lap", reason="round_time")) == [APPLIED]


def test_a_game_whose_end_is_not_answered_is_reopened_once_it_is(desk: ActingDesk) -> None:
    done = at_once(desk, "end_game")

    with pytest.raises(Unreachable, match="its box has not answered yet"):
        undone(desk, done)
    desk.carry_out()

    assert desk.results(desk.take_back(done)) == [APPLIED]
    assert desk.clock.state == k.STOPPED


def test_a_table_whose_box_is_being_set_up_is_put_back_once_it_has_answered(desk: ActingDesk) -> None:
    """Given a command that no act but the desk itself gives: where the table will stand by then nobody can tell."""
    done = desk.do("final_lap", reason="round_time")
    now = desk.setting.clock.wall_ms()
    asked: dict[str, str | int] = {"game": 1, "settings": desk.clock.settings.pack().hex()}
    desk.place.ledger.request(1, "configure", asked, who="Puchacz", at_ms=now, box=desk.setting.box.uid.hex())

    with pytest.raises(Unreachable, match=r"table 1: its box has not answered yet \(set up a game\): wait"):
        undone(desk, done)
