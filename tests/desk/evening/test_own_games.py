"""A box that is given to a table while it holds a game: which games are ended, which go on, and what is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from dalej.desk.evening.owngames import OwnGames
from dalej.desk.evening.places import Assigned, Places
from dalej.domain.tournament.tournament import GameAt
from dalej.event import boxplaces
from dalej.event.event import Event
from dalej.event.ledger import APPLIED
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office import rounds
from dalej.office.undo import undo
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from moveclock import facts as k
from tests import world
from tests.desk.evening.evening import CLUB_GAME, SOON_MS, Evening, Process
from tests.views.writing import RULES


def games(evening: Evening) -> dict[GameAt, tuple[str, str | None]]:
    """Games of the round that boxes tell of -> the box, and how the game ended."""
    state = evening.event.state()
    assert state.current is not None
    names = {box.uid.hex(): name for name, box in evening.boxes.items()}
    found = games_of_round(read(evening.event.ledger), state, state.current.key)
    return {at: (names[game.box], game.ended) for at, game in found.items()}


def turns(evening: Evening, table: int) -> list[tuple[int, int]]:
    """Game and move of each turn that a screen shows at the table."""
    model = HallModel(RULES)
    Follower(evening.event.ledger, model).catch_up()
    return [(seen.turn.game, seen.turn.move) for seen in model.turns(table)]


def goes_on(evening: Evening, box: str) -> None:
    """By the table itself: 3, 2, 1."""
    evening.tap(box, k.SEDZIA, 2_100)
    evening.run(4_000)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Boxes 1 and 2 for two tables, and box 3."""
    with Evening(tmp_path, boxes=3, players=8) as evening:
        yield evening


def test_a_box_that_is_to_begin_anew_is_freed_of_its_game_and_nothing_of_that_counts(evening: Evening) -> None:
    evening.play_at_a_club("1")
    evening.put("1", 1, goes_on=False)
    desk = evening.begins()

    (said,) = desk.said("ends_own_game")
    assert said.endswith("holds a game that nobody ended; the desk ends it, because the table begins anew")
    assert desk.results("end_game") == [APPLIED]
    assert desk.said("busy") == []
    assert (evening.clock_of("1").state, evening.clock_of("1").game) == (k.READY, 1)
    evening.play("1", 2)
    evening.run()
    assert games(evening) == {GameAt(1, 1): ("1", None)}
    assert turns(evening, 1) == [(1, 1), (1, 2), (1, 3)]
    (baseline,) = desk.baselines()
    assert not desk.ledger.missing(baseline.box, baseline.epoch)


def test_a_spare_box_is_freed_of_its_own_game_and_goes_on_with_that_of_the_table(evening: Evening) -> None:
    desk = evening.begins("1")
    evening.play("1", 4)
    evening.run(2_000)
    evening.boxes["1"].power_off()
    evening.play_at_a_club("3", moves=2)
    evening.put("3", 1)
    evening.run(2 * SOON_MS)

    (said,) = desk.said("ends_own_game")
    assert said.endswith("the desk ends it, because the box goes on with the game of this table")
    clock = evening.clock_of("3")
    assert (clock.state, clock.game, clock.move) == (k.STOPPED, 1, 5)
    goes_on(evening, "3")
    evening.play("3", 2)
    evening.run()
    assert games(evening) == {GameAt(1, 1): ("3", None)}
    assert turns(evening, 1) == [(1, move) for move in range(1, 8)]
    assert desk.baselines()[-1].move == 5


def test_a_box_that_maybe_is_played_at_its_table_is_left_alone_and_both_ways_out_are_named(evening: Evening) -> None:
    evening.play_at_a_club("1")
    desk = evening.begins("1")

    (said,) = desk.said("busy")
    assert "if the game is played here, with all that it holds; if not, to begin a new game" in said
    give = f"dalej box assign EVENT {evening.boxes['1'].uid.hex()} 1"
    assert desk.hints("busy") == [f"{give} --all-facts counts what it holds, {give} --fresh begins a new game"]
    assert desk.requests("end_game") == []
    assert evening.clock_of("1").game == CLUB_GAME


def test_the_game_that_is_played_there_counts_if_people_say_so(evening: Evening) -> None:
    desk = evening.start()
    evening.play_at_a_club("1")
    evening.put("1", 1)
    evening.run()
    evening.put("1", 1, since=boxplaces.ALL)
    evening.run(2 * SOON_MS)

    assert games(evening) == {GameAt(1, 1): ("1", None)}
    assert turns(evening, 1) == [(CLUB_GAME, move) for move in range(1, 5)]
    assert desk.requests("end_game") == []
    assert desk.said("busy")[-1].endswith("in a game that counts here; the table is set up when that game is over")


def test_it_is_ended_if_people_say_so_afterwards(evening: Evening) -> None:
    evening.play_at_a_club("1")
    desk = evening.begins("1")
    evening.put("1", 1, goes_on=False)
    evening.run()

    assert desk.results("end_game") == [APPLIED]
    assert evening.clock_of("1").state == k.READY
    evening.play("1", 1)
    evening.run()
    assert games(evening) == {GameAt(1, 1): ("1", None)}


def test_a_table_that_plays_its_own_game_is_never_ended_whatever_is_typed(evening: Evening) -> None:
    desk = evening.begins("1")
    evening.play("1", 3)
    evening.put("1", 1, goes_on=False)
    evening.run()

    assert desk.requests("end_game") == []
    (said,) = desk.said("busy")
    assert said.endswith("is in a game that counts here; the table is set up when that game is over")
    evening.play("1", 1)
    evening.run()
    assert turns(evening, 1) == [(1, move) for move in range(1, 6)]


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_live_game_of_another_table_is_ended_only_if_the_box_is_to_begin_anew(
    evening: Evening, goes_on: bool
) -> None:
    desk = evening.begins("1", "2")
    evening.play("1", 2)
    evening.play("2", 3)
    evening.put("2", 1, goes_on=goes_on)
    evening.run(2 * SOON_MS)

    if goes_on:
        assert "still in this round's game of table 2" in desk.said("busy")[0]
        assert evening.clock_of("2").state == k.RUNNING
        assert games(evening)[GameAt(2, 1)] == ("2", None)
    else:
        assert "of table 2; the desk ends it" in desk.said("ends_own_game")[0]
        assert evening.clock_of("2").state == k.READY
        assert games(evening)[GameAt(2, 1)] == ("2", "desk")
    assert [turn for turn in turns(evening, 2) if turn[0] != 1] == []


def test_a_box_that_was_moved_by_a_slip_is_put_back_and_its_game_has_suffered_nothing(evening: Evening) -> None:
    desk = evening.begins("1", "2")
    evening.play("1", 2)
    evening.play("2", 3)
    evening.put("2", 1)
    evening.run()
    evening.put("2", 2)
    evening.run()
    evening.play("2", 2)
    evening.run()

    assert desk.requests("end_game") == []
    assert games(evening)[GameAt(2, 1)] == ("2", None)
    assert turns(evening, 2) == [(1, move) for move in range(1, 7)]


def test_a_game_that_another_box_went_on_with_is_not_ended_twice(evening: Evening) -> None:
    desk = evening.begins("1")
    evening.play("1", 3)
    evening.boxes["1"].power_off()
    evening.run(5_000)
    evening.put("3", 1)
    evening.run()
    goes_on(evening, "3")
    evening.play("3", 2)
    evening.boxes["1"].power_on()
    evening.put("1", 2, goes_on=False)
    evening.run(2 * SOON_MS)

    (said,) = desk.said("busy")
    assert "still holds a game of table 1 that was taken from it" in said
    assert desk.requests("end_game") == []
    assert games(evening) == {GameAt(1, 1): ("3", None)}


def taken_by_mistake(evening: Evening) -> Process:
    """Box 1 plays at table 1, box 3 has gone on with its game, and box 1 was put back and plays on."""
    desk = evening.begins("1")
    evening.play("1", 3)
    evening.put("3", 1)
    evening.run()
    assert evening.clock_of("3").state == k.STOPPED
    evening.put("1", 1)
    evening.run()
    evening.play("1", 2)
    evening.run()
    return desk


def test_whoever_puts_a_mistake_right_is_not_told_to_end_the_game_that_is_played(evening: Evening) -> None:
    desk = taken_by_mistake(evening)

    (said,) = desk.said("busy")
    assert "still holds the game that box 3 went on with. If it is played on at box" in said
    assert "If at box 3, give that one to the table." in said
    assert desk.hints("busy") == [f"dalej box assign EVENT {evening.boxes['3'].uid.hex()} 1 gives it"]
    assert turns(evening, 1)[-3:] == [(1, 4), (1, 5), (1, 6)]


def test_a_game_is_taken_from_a_box_only_by_one_that_has_gone_on_with_it(evening: Evening) -> None:
    desk = taken_by_mistake(evening)
    evening.put("3", 1)
    evening.run()
    goes_on(evening, "3")
    evening.play("3", 1)
    evening.run()

    assert len(desk.said("busy")) == 2
    assert desk.said("busy")[-1].endswith("in a game that counts here; the table is set up when that game is over")
    assert games(evening) == {GameAt(1, 1): ("3", None)}


def test_a_game_that_ended_at_its_own_box_is_not_begun_again_where_the_other_one_stood(evening: Evening) -> None:
    desk = taken_by_mistake(evening)
    asked = len(desk.requests("take_over"))
    assert desk.desk.ask(evening.boxes["1"].uid, "end_game", {}, who="Gęś")
    evening.run(2 * SOON_MS)

    assert len(desk.requests("take_over")) == asked
    assert evening.clock_of("1").state != k.STOPPED


def test_a_box_that_is_back_where_a_busy_one_was_sent_by_mistake_goes_on_and_nothing_else_is_said(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, boxes=3, players=12))
    desk = evening.begins(*"123")
    evening.play("2", 3)
    evening.play("3", 2)
    evening.put("3", 2)
    evening.run(6_000)
    evening.put("2", 2)
    evening.run(6_000)

    assert desk.said("nothing_known") == []
    assert desk.said("busy")[-1].endswith("in a game that counts here; the table is set up when that game is over")
    evening.play("2", 2)
    evening.run()
    assert turns(evening, 2) == [(1, move) for move in range(1, 7)]


def test_a_spare_box_that_follows_a_busy_one_is_said_to_begin_anew_when_it_does(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, boxes=4, players=12))
    desk = evening.begins(*"123")
    evening.play("3", 2)
    evening.put("3", 2)
    evening.run(6_000)
    evening.put("4", 2)
    evening.run(6_000)

    (said,) = desk.said("nothing_known")
    assert said.endswith("could go on with; it is set up for a new one")
    assert evening.clock_of("4").state == k.READY


def test_a_game_that_was_not_taken_from_its_box_after_all_is_ended_if_people_say_so(evening: Evening) -> None:
    desk = evening.begins("1")
    evening.play("1", 3)
    evening.put("3", 1)
    evening.run()
    undo(evening.event, None, "the wrong table")
    evening.run()
    evening.put("1", 2, goes_on=False)
    evening.run()

    assert desk.results("end_game") == [APPLIED]
    assert evening.clock_of("1").state == k.READY


@pytest.mark.parametrize("goes_on", [True, False])
def test_a_game_of_the_round_before_is_ended_only_if_people_say_so(evening: Evening, goes_on: bool) -> None:
    desk = evening.begins("1")
    evening.play("1", 2)
    evening.event.change(lambda state: rounds.close(state, "one game only"))
    world.draw(evening.event)
    evening.run()
    (said,) = desk.said("busy")
    assert "is still in a game from before this round" in said

    if goes_on:
        assert evening.clock_of("1").state == k.RUNNING
        return
    evening.put("1", 1, goes_on=False)
    evening.run()
    assert desk.results("end_game") == [APPLIED]
    assert (evening.clock_of("1").state, evening.clock_of("1").game) == (k.READY, 1)


def test_a_desk_that_is_killed_at_any_step_of_it_is_followed_by_one_that_finishes_it(
    tmp_path: Path, kept_open: ExitStack
) -> None:
    steps: list[tuple[str, Callable[[Process], bool]]] = [
        ("assigned", lambda desk: bool(desk.baselines())),
        ("asked", lambda desk: bool(desk.requests("end_game"))),
        ("answered", lambda desk: desk.results("end_game") == [APPLIED]),
        ("asked anew", lambda desk: bool(desk.requests("configure"))),
    ]
    for name, reached in steps:
        (tmp_path / name).mkdir()
        evening = kept_open.enter_context(Evening(tmp_path / name))
        evening.play_at_a_club("1")
        evening.put("1", 1, goes_on=False)
        first = evening.start()
        while not reached(first):
            evening.run(10)
        first.kill()
        evening.run(11_000)
        second = evening.start()
        evening.run(2 * SOON_MS)

        assert evening.clock_of("1").state == k.READY, name
        evening.play("1", 1)
        evening.run()
        assert turns(evening, 1) == [(1, 1), (1, 2)], name
        assert games(evening) == {GameAt(1, 1): ("1", None)}, name
        assert len(second.baselines()) == 1, name


def test_a_box_out_of_reach_is_freed_when_it_comes(evening: Evening) -> None:
    evening.play_at_a_club("1")
    desk = evening.start()
    desk.adapter.set_reach(evening.boxes["1"].uid, False)
    evening.put("1", 1, goes_on=False)
    evening.run()
    assert desk.requests("end_game") == []
    desk.adapter.set_reach(evening.boxes["1"].uid, True)
    evening.run()

    assert evening.clock_of("1").state == k.READY


def test_a_game_that_ends_by_itself_in_the_meantime_counts_no_more_than_one_that_is_ended(evening: Evening) -> None:
    evening.play_at_a_club("1")
    evening.put("1", 1, goes_on=False)
    desk = evening.start()
    while not desk.baselines():
        evening.run(10)
    powered = evening.boxes["1"].box
    assert powered is not None
    powered.commands.take((3_000_000_100, k.C_END_GAME, 0, 0, 0, 0, b""), powered.uptime.now)
    evening.run()
    evening.play("1", 1)
    evening.run()

    assert turns(evening, 1) == [(1, 1), (1, 2)]
    assert games(evening) == {GameAt(1, 1): ("1", None)}


def test_boxes_that_take_turns_on_one_link_are_all_freed(evening: Evening) -> None:
    for box in "123":
        evening.play_at_a_club(box)
    for box in "12":
        evening.put(box, int(box), goes_on=False)
    desk = evening.start(links=1)
    evening.run(6 * SOON_MS)

    assert [evening.clock_of(box).state for box in "12"] == [k.READY, k.READY]
    assert evening.clock_of("3").game == CLUB_GAME
    assert desk.results("end_game") == [APPLIED, APPLIED]


def test_a_table_that_was_set_up_keeps_its_game_though_nobody_has_the_fact_that_began_it(evening: Evening) -> None:
    evening.put("1", 1, goes_on=False)
    desk = evening.begins()
    evening.play("1", 2)
    evening.run()
    places = Places(Event(desk.ledger, who="Gęś", wall_ms=lambda: 0))
    (place,) = places.places.values()
    given = Assigned(desk.ledger.head(), replace(desk.baselines()[0], epoch=4711))  # a journal that began in mid-game

    assert not OwnGames(places, lambda: 1).verdict(place, given, None).ends
