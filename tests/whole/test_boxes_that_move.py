"""A box takes a table from another and that is taken back: hall, log and results say the same, from real boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej import eventlog
from dalej.domain.tournament import GameAt
from dalej.hall.follow import Follower
from dalej.hall.model import HallModel
from dalej.office.boxes import games_of_round
from dalej.office.event import Event
from dalej.office.undo import undo
from moveclock import facts as k
from tests.hall.writing import RULES
from tests.running.evening import Evening, Process


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Two tables of four."""
    evening = Evening(tmp_path, boxes=2, players=8)
    with evening.event.ledger:
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
    found = games_of_round(evening.event.ledger, state, state.current.key)
    return {at: names[game.box] for at, game in found.items()}


def ended(evening: Evening) -> list[str | None]:
    state = office(evening).state()
    assert state.current is not None
    return [game.ended for game in games_of_round(evening.event.ledger, state, state.current.key).values()]


def both_play(evening: Evening) -> Process:
    evening.put("1", 1)
    evening.put("2", 2)
    desk = evening.start()
    evening.run()
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
    turns = eventlog.turns(evening.event.ledger)
    names = {box.uid.hex(): name for name, box in evening.boxes.items()}
    assert {(seen.table, names[seen.turn.box]) for seen in turns} == {(1, "1"), (2, "2")}
    assert games(evening) == {GameAt(1, 1): "1", GameAt(2, 1): "2"}
    assert list(eventlog.problems(evening.event.ledger)) == []


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


def test_a_table_whose_box_is_taken_away_is_told_by_voice_and_keeps_what_was_played(evening: Evening) -> None:
    both_play(evening)
    evening.take_away("1")
    evening.run()

    assert shown(evening)[1] == ("", "unknown")
    assert eventlog.with_box(evening.event.ledger) == {2}
    assert {seen.table for seen in eventlog.turns(evening.event.ledger)} == {1}
    assert games(evening) == {GameAt(1, 1): "1"}
