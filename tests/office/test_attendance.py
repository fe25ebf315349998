"""Who misses a round that is seated already is taken off the table, or the round is drawn anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.domain.tournament.tournament import Tournament
from dalej.errors import Refused
from dalej.event.event import Change, Event
from dalej.office import attendance, rounds, seating
from tests import world


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Event]:
    """Seven seated at a table of four and one of three, which is the least."""
    with world.an_event(tmp_path, 7) as event:
        yield event


def away(event: Event, player: int) -> None:
    event.change(lambda state: attendance.absent(state, [state.players[player]], away=True))


def at_table(event: Event, table: int) -> int:
    found = rounds.seating_of(rounds.seated(event.state())).at(table)
    assert found is not None
    return found.players[0]


def test_who_can_be_taken_off_the_table_is_not_marked_absent_in_the_seat(league: Event) -> None:
    player = at_table(league, 1)
    with pytest.raises(Refused, match=r"sits at table 1, and misses the round only if that seat becomes free"):
        away(league, player)
    league.change(lambda state: seating.remove(state, state.players[player]))
    assert rounds.seated(league.state()).absent == {player}


def test_of_a_table_that_would_become_too_small_the_absent_one_waits_for_a_new_draw(league: Event) -> None:
    player = at_table(league, 2)
    with pytest.raises(Refused, match="mark absent who is not there"):
        league.change(lambda state: seating.remove(state, state.players[player]))
    away(league, player)
    world.draw(league, 2, again=True)
    one = rounds.seated(league.state())
    assert rounds.seating_of(one).place_of(player) is None
    assert [len(table.seated) for table in rounds.seating_of(one).tables] == [3, 3]


def test_nobody_becomes_absent_in_a_seat_once_a_new_draw_is_out_of_the_question(league: Event) -> None:
    league.change(lambda state: seating.lock(state, on=True))
    with pytest.raises(Refused, match="has locked the seating"):
        away(league, at_table(league, 2))
    league.change(lambda state: seating.lock(state, on=False))
    league.change(lambda state: rounds.start(state, 45))
    with pytest.raises(Refused, match="table 2 would have 2 players"):
        away(league, at_table(league, 2))


def test_of_several_who_sit_together_only_as_many_leave_their_chairs_as_the_table_can_spare(league: Event) -> None:
    seats = rounds.seating_of(rounds.seated(league.state()))
    first = seats.at(1)
    assert first is not None
    pair = first.players[:2]

    def plan(state: Tournament) -> Change:
        return attendance.absent(state, [state.players[one] for one in pair], away=True, free_seats=True)

    league.change(plan)
    one = rounds.seated(league.state())
    assert one.absent == {*pair}
    assert [rounds.seating_of(one).place_of(player) is None for player in pair] == [True, False]
