"""A box takes a table from another and that is taken back: hall, log and results say the same, from real boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.domain.tournament.tournament import GameAt
from dalej.event import eventlog
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office.undo import undo
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from moveclock import facts as k
from tests.desk.evening.evening import SOON_MS, Evening, Process
from tests.views.writing import RULES


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Two tables of four."""
    with Evening(tmp_path, boxes=2, players=8) as evening:
        yield evening


def office(evening: Evening) -> Event:
    return Event(evening.event.ledger, who="Gęś", wall_ms=evening.clock.wall_ms)


def shown(evening: Evening) -> dict[int, tuple[str, str]]:
    """Table -> its box and state, on a screen that reads the ledger alone."""
    model = HallModel(RULES)
    Follower(evening.event.ledger, model).catch_up()
    return {row.table: (row.called, row.state) for row in model.rows(evening.clock.wall_ms())}


def games(evening: Evening) -> dict[GameAt, str]:
    """Games that boxes tell of -> the box that began them."""
    state = office(evening).state()
    assert state.current is not None
    names = {box.uid.hex(): name for name, box in evening.boxes.items()}
    found = games_of_round(read(evening.event.ledger), state, state.current.key)
    return {at: names[game.box] for at, game in found.items()}


def ended(evening: Evening) -> list[str | None]:
    state = office(evening).state()
    assert state.current is not None
    return [game.ended for game in games_of_round(read(evening.event.ledger), state, state.current.key).values()]


def both_play(evening: Evening) -> Process:
    desk = evening.begins("1", "2")
    evening.play("1", 2)
    return desk


def test_after_a_move_is_taken_back_everything_counts_where_it_did(evening: Evening) -> None:
    both_play(evening)
    evening.put("2", 1, goes_on=False)
    evening.run()
    assert shown(evening)[1][0] == "2"

    undo(office(evening), None, "the wrong table")
    evening.run()
    evening.play("1", 1)
    evening.play("2", 2)
    evening.run()

    assert shown(evening) == {1: ("1", "running"), 2: ("2", "running")}
    turns = eventlog.turns(read(evening.event.ledger))
    names = {box.uid.hex(): name for name, box in evening.boxes.items()}
    assert {(seen.table, names[seen.turn.box]) for seen in turns} == {(1, "1"), (2, "2")}
    assert games(evening) == {GameAt(1, 1): "1", GameAt(2, 1): "2"}
    assert list(eventlog.problems(read(evening.event.ledger))) == []


def test_a_box_that_was_to_go_on_with_a_game_and_was_taken_back_took_nothing_over(evening: Evening) -> None:
    desk = both_play(evening)
    evening.put("2", 1)
    evening.run()
    assert evening.clock_of("2").state == k.STOPPED, "it stands where the other one was"

    undo(office(evening), None, "the wrong table")
    evening.run()
    evening.play("1", 1)
    assert desk.desk.ask(evening.boxes["1"].uid, "end_game", {}, who="Gęś")
    evening.run()

    assert shown(evening)[1] == ("1", "over")
    assert games(evening) == {GameAt(1, 1): "1"}
    assert ended(evening) == ["desk"]
    assert [box for box, *_ in log_of(evening, 1)] == ["1", "1", "1", "1"], "and its log knows nothing of it"


def test_a_table_whose_box_is_taken_away_is_told_by_voice_and_keeps_what_was_played(evening: Evening) -> None:
    both_play(evening)
    evening.take_away("1")
    evening.run()

    assert shown(evening)[1] == ("", "unknown")
    assert eventlog.with_box(read(evening.event.ledger)) == {2}
    assert {seen.table for seen in eventlog.turns(read(evening.event.ledger))} == {1}
    assert games(evening) == {GameAt(1, 1): "1"}


def log_of(evening: Evening, table: int) -> list[tuple[str, int, int, str | None]]:
    """The turns of a table as `dalej log show` and a screen both have them: box, game, move, how."""
    ledger, names = evening.event.ledger, {box.uid.hex(): name for name, box in evening.boxes.items()}
    logged = [seen.turn for seen in eventlog.turns(read(ledger)) if seen.table == table]
    model = HallModel(RULES)
    Follower(ledger, model).catch_up()
    assert [seen.turn for seen in model.turns(table)] == logged, "log and screen say the same"
    return [(names[turn.box], turn.game, turn.move, turn.how) for turn in logged]


def test_a_spare_box_and_the_mended_one_after_it_tell_one_game_each_move_once(evening: Evening) -> None:
    desk = evening.begins("1")
    evening.play("1", 2)
    evening.boxes["1"].power_off()
    evening.run(5_000)
    evening.put("2", 1)
    evening.run()
    desk.ask("2", "resume")
    evening.play("2", 2)
    evening.boxes["2"].power_off()
    evening.run(5_000)
    evening.boxes["1"].power_on()
    evening.run(2_000)
    evening.put("1", 1)
    evening.run(3 * SOON_MS)

    told = log_of(evening, 1)

    assert [(game, move) for _, game, move, _ in told] == [(1, move) for move in range(1, len(told) + 1)]
    assert [box for box, *_ in told][:4] == ["1", "1", "2", "2"]


def test_boxes_that_change_places_between_games_leave_each_table_in_the_order_it_was_played(evening: Evening) -> None:
    desk = both_play(evening)
    evening.play("2", 2)
    for box in ("1", "2"):
        desk.ask(box, "end_game", SOON_MS)
    for box, table in (("1", 2), ("2", 1)):
        evening.put(box, table, goes_on=False)
    evening.run(2 * SOON_MS)
    for box in ("1", "2"):
        evening.play(box, 2)
    evening.run()

    first, second = log_of(evening, 1), log_of(evening, 2)

    assert [box for box, *_ in first] == ["1", "1", "1", "2", "2", "2"]
    assert [box for box, *_ in second] == ["2", "2", "2", "1", "1", "1"]
    assert [how for *_, how in first] == ["dalej", "dalej", "desk", "dalej", "dalej", None]


def test_a_table_that_begins_anew_with_another_box_has_nothing_under_way_at_the_box_before(evening: Evening) -> None:
    both_play(evening)
    evening.boxes["1"].power_off()
    evening.run(5_000)
    evening.put("2", 1, goes_on=False)
    evening.run(2 * SOON_MS)
    evening.play("2", 1)
    evening.run()

    unended = [seen.turn for seen in eventlog.turns(read(evening.event.ledger)) if "unended" in seen.turn.flags]

    assert [box for box, *_ in log_of(evening, 1)] == ["1", "1", "1", "2", "2"]
    assert [(turn.move, turn.how) for turn in unended] == [(3, None)]


def test_a_box_that_comes_with_a_game_of_another_evening_leaves_nothing_of_it_in_the_log(evening: Evening) -> None:
    evening.play_at_a_club("1")
    evening.put("1", 1, goes_on=False)
    evening.start()
    evening.run(2 * SOON_MS)
    evening.play("1", 2)
    evening.run()

    assert [(game, move, how) for _, game, move, how in log_of(evening, 1)] == [
        (1, 1, "dalej"), (1, 2, "dalej"), (1, 3, None),
    ]  # fmt: skip
    assert games(evening) == {GameAt(1, 1): "1"}
    assert list(eventlog.problems(read(evening.event.ledger))) == []
