"""The tables of a seated round are set up as soon as their boxes are heard, and never in the middle of a game."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from dalej.event.ledger import APPLIED
from dalej.office import rounds
from moveclock import facts as k
from moveclock.settings import Settings
from tests import world
from tests.desk.evening.evening import SOON_MS, Evening


def test_a_box_that_stands_at_a_seated_table_is_set_up_for_its_first_game(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, players=7, boxes=2))
    desk = evening.begins("1", "2")

    assert [evening.clock_of(box).state for box in "12"] == [k.READY, k.READY]
    assert [evening.clock_of(box).settings.seats for box in "12"] == [0b1111, 0b0111]
    assert desk.results("configure") == [APPLIED, APPLIED]
    assert len(desk.said("set_up")) == 2


def test_a_box_that_is_given_to_a_table_while_the_desk_runs_is_served_from_then_on(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    desk = evening.begins()
    assert desk.running.counts().boxes == 0

    evening.put("1", 1)
    evening.run()

    assert evening.clock_of("1").state == k.READY
    assert desk.running.counts().linked == 1
    assert desk.running.names() == {evening.boxes["1"].uid.hex(): "1"}


def test_a_table_is_set_up_when_its_round_is_seated_later(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, draws=False))
    evening.begins("1")
    assert evening.clock_of("1").state == k.IDLE

    world.draw(evening.event)
    evening.run(2_000)

    assert evening.clock_of("1").state == k.READY


def test_a_restarted_desk_sets_nothing_up_again(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    first = evening.begins("1")
    evening.play("1", 3)
    first.close()

    second = evening.begins()

    assert len(second.requests("configure")) == 1
    assert len(second.baselines()) == 1
    assert evening.clock_of("1").move == 4


def test_a_box_in_a_game_of_its_own_is_left_alone_and_that_is_said(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, draws=False))
    desk = evening.begins("1")
    desk.ask("1", "configure", **_own_game())
    evening.play("1", 1)

    world.draw(evening.event)
    evening.run()

    assert len(desk.said("busy")) == 1
    assert len(desk.requests("configure")) == 1
    assert evening.clock_of("1").state == k.RUNNING

    desk.ask("1", "end_game", SOON_MS)
    assert evening.clock_of("1").state == k.READY
    assert len(desk.requests("configure")) == 2


def test_the_next_round_is_set_up_from_game_1_again(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path))
    desk = evening.begins("1")
    evening.play("1", 2)
    desk.ask("1", "end_game")

    evening.event.change(lambda state: rounds.close(state, "one game only"))
    world.draw(evening.event)
    evening.run()

    assert [request.args["game"] for request in desk.requests("configure")] == [1, 1]
    assert evening.clock_of("1").state == k.READY
    assert evening.clock_of("1").game == 1


def test_twenty_five_tables_take_turns_on_four_links_and_are_all_set_up(tmp_path: Path, kept_open: ExitStack) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, players=100, boxes=25))
    for number in range(1, 26):
        evening.put(str(number), number)
    desk = evening.start()

    evening.run(8 * SOON_MS)

    assert all(evening.clock_of(box).state == k.READY for box in evening.boxes)
    assert desk.results("configure") == [APPLIED] * 25


def _own_game() -> dict[str, int | str]:
    settings = Settings()
    settings.first = k.SEAT_A
    return {"game": 1, "settings": settings.pack().hex()}
