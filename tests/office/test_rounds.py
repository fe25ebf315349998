"""Rounds: started, closed when every result is in, reopened; and the round's clock."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.tournament import GameAt, Mark, RoundClock, RoundKey
from dalej.errors import Refused, WrongInput
from dalej.event.event import Event
from dalej.office import results, roundclock, rounds
from dalej.office.roundclock import RoundTime, Watch
from dalej.words import said
from tests import world

MINUTE = 60_000
MARK = Mark(7, "Gęś", world.NOON, "the round begins")


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Event]:
    """Eight players at two tables, two games each, seated."""
    with world.an_event(tmp_path, games="2") as event:
        yield event


def refused(event: Event, anyway: str = "") -> str:
    with pytest.raises(Refused) as why:
        event.change(lambda state: rounds.close(state, anyway))
    return said(why.value)


def test_10_a_round_is_closed_when_every_game_of_every_table_is_in(league: Event) -> None:
    assert "tables 1, 2: 1, 2" in refused(league)
    world.play(league, random.Random(1), [GameAt(1, 1), GameAt(1, 2), GameAt(2, 2)])
    assert refused(league).endswith("table 2: 1")
    world.play(league, random.Random(1))
    world.close(league)
    assert league.state().rounds[RoundKey("league", 1)].closed is not None


def test_a_round_is_closed_as_it_is_for_a_recorded_reason(league: Event) -> None:
    (closed,) = league.change(lambda state: rounds.close(state, "the school closes"))
    assert closed.body["anyway"] == "the school closes"
    assert "the school closes" in closed.why


def test_6q_where_it_is_required_a_second_person_confirms_every_table(tmp_path: Path) -> None:
    with world.an_event(tmp_path, games="1", check_results="required") as event:
        world.play(event, random.Random(1))
        assert "a second person must confirm tables 1, 2 (6q)" in refused(event)
        for table in (1, 2):
            event.change(lambda state, table=table: results.confirm(state, RoundKey("league", 1), table, "Łoś"))  # type: ignore[misc]
        world.close(event)


def test_a_round_that_is_not_seated_is_neither_started_nor_closed(tmp_path: Path) -> None:
    with world.an_event(tmp_path, seated=False) as event:
        for plan in (rounds.start, rounds.close):
            with pytest.raises(Refused, match="is not seated yet"):
                event.change(plan)


def test_6o_the_round_time_is_the_organisers_and_the_clause_says_so(league: Event) -> None:
    with pytest.raises(Refused, match=r"sets no round time \(6o\)"):
        league.change(rounds.start)
    league.change(lambda state: rounds.start(state, 45))
    clock = league.state().rounds[RoundKey("league", 1)].clock
    assert clock is not None
    assert clock.length_ms == 45 * MINUTE


def test_the_round_time_of_the_event_is_used_when_none_is_named(tmp_path: Path) -> None:
    with world.an_event(tmp_path, round_time="90 min") as event:
        event.change(rounds.start)
        clock = rounds.seated(event.state()).clock
        assert clock is not None
        assert clock.length_ms == 90 * MINUTE


def test_a_round_is_reopened_until_people_may_sit_in_a_later_one(league: Event) -> None:
    key = RoundKey("league", 1)
    with pytest.raises(Refused, match="is not closed"):
        league.change_seen(lambda seen: rounds.reopen(seen, key, "copied wrongly"))
    world.play(league, random.Random(1))
    world.close(league)
    league.change_seen(lambda seen: rounds.reopen(seen, key, "copied wrongly"))
    assert rounds.at_work(league.state()).key == key
    world.close(league)
    world.draw(league)
    before = league.ledger.head()
    with pytest.raises(Refused, match="round 1 stays closed: League, round 2 is seated already; a result of League, "):
        league.change_seen(lambda seen: rounds.reopen(seen, key, "copied wrongly"))
    assert league.ledger.head() == before


def test_a_round_that_nobody_has_come_to_is_named_with_those_that_are_there(league: Event) -> None:
    with pytest.raises(WrongInput, match="expected one of league/1"):
        rounds.round_of(league.state(), RoundKey("league", 5))


def test_the_final_lap_is_asked_once_of_every_box_and_tables_without_one_are_named(league: Event) -> None:
    league.change(lambda state: rounds.start(state, 45))
    one = rounds.seated(league.state())
    asked = roundclock.final_lap(league, one, {1}, world.NOON)
    assert (asked.now, asked.before, asked.by_voice) == ((1,), (), (2,))
    again = roundclock.final_lap(league.by("Łoś"), one, {1}, world.NOON)
    assert (again.now, again.before, again.by_voice) == ((), (1,), (2,))
    requests = league.ledger.open_requests()
    assert [(one.table, one.command, one.args) for one in requests] == [(1, "final_lap", {"reason": "round_time"})]


def test_a_table_that_has_played_is_left_in_peace(league: Event) -> None:
    league.change(lambda state: rounds.start(state, 45))
    world.play(league, random.Random(1), [GameAt(1, 1), GameAt(1, 2)])
    asked = roundclock.final_lap(league, rounds.seated(league.state()), {1, 2}, world.NOON)
    assert asked.now == (2,)


def test_the_final_lap_of_the_next_round_is_asked_anew(league: Event) -> None:
    for _ in range(2):
        if rounds.at_work(league.state()).seating is None:
            world.draw(league)
        league.change(lambda state: rounds.start(state, 45))
        one = rounds.seated(league.state())
        assert roundclock.final_lap(league, one, {1, 2}, world.NOON).now == (1, 2)
        world.play(league, random.Random(1))
        world.close(league)


def test_no_new_game_and_the_end_are_each_told_once() -> None:
    time, watch = RoundTime(RoundClock(0, 90 * MINUTE, MARK), 15 * MINUTE), Watch()
    assert watch.news(time, 74 * MINUTE) == []
    assert watch.news(time, 75 * MINUTE) == ["no_new_game"]
    assert watch.news(time, 76 * MINUTE) == []
    assert watch.news(time, 90 * MINUTE) == ["over"]
    assert watch.news(time, 91 * MINUTE) == []


@given(st.integers(1, 600), st.integers(-(10**7), 10**8))
def test_what_is_left_lies_between_nothing_and_the_whole_and_the_next_look_changes_it(length: int, now_ms: int) -> None:
    time = RoundTime(RoundClock(0, length * MINUTE, MARK))
    left = time.remaining_ms(now_ms)
    assert 0 <= left <= length * MINUTE
    wait = time.next_ms(now_ms)
    assert (wait == 0) == (left == 0)
    if left and now_ms >= 0:
        assert -(-time.remaining_ms(now_ms + wait) // 1000) == -(-left // 1000) - 1
