"""Whole tournaments, from sign-up to the last standings: each shape, two desks in turn, players who leave and come.

After every step what must always hold is looked at: who sits where, what a game adds up to, who stands in the table.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.domain.tournament.fold import standings, tournament
from dalej.domain.tournament.tournament import GameAt, Round, Tournament
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.office import advancing, attendance, rounds, rulings
from dalej.office.seating import Chair, move, present, remove, repeated
from dalej.office.undo import undo
from tests import world

LEAGUE: Final = "school-league"
ELIMINATIONS: Final = "pl-eliminations"


class Hall:
    """An event with two desks that take turns; `lot` is everything that chance decides in this tournament."""

    def __init__(self, event: Event, other: Event, seed: int) -> None:
        self.lot = random.Random(seed)
        self._desks = [event, other]

    @property
    def desk(self) -> Event:
        """The desk whose turn it is."""
        self._desks.reverse()
        return self._desks[0]

    @property
    def state(self) -> Tournament:
        return self.desk.state()

    def step(self, do: Callable[[Event], object]) -> Tournament:
        """One desk does something; the other then sees what must always hold."""
        do(self.desk)
        desk = self.desk
        state = desk.state()
        check(state)
        assert tournament(read(desk.ledger).decisions()) == state, "a replay of the ledger makes the same tournament"
        return state

    def draw(self, *, again: bool = False) -> None:
        seed = self.lot.randrange(10**6)
        state = self.step(lambda desk: world.draw(desk, seed, again=again))
        one = rounds.seated(state)
        seated = [player for at in rounds.seating_of(one).tables for player in at.seated]
        assert sorted(seated) == sorted(present(state, one)), "everybody who plays sits exactly once"

    def play(self, only: list[GameAt] | None = None) -> None:
        self.step(lambda desk: world.play(desk, self.lot, only))

    def finish(self) -> None:
        """Plays what is left of the round and closes it."""
        self.play()
        self.step(world.close)

    def round(self) -> None:
        self.draw()
        self.finish()

    def advance(self) -> tuple[int, ...]:
        """Who goes on; ties at the cut are decided by the head referee, as often as there are any."""
        while True:
            try:
                state = self.step(world.advance)
            except Refused as tied:
                level = tied.data["players"]
                self.step(lambda desk, level=level: _decide_tie(desk, level))  # type: ignore[misc]
            else:
                return list(state.entrants.values())[-1]

    def leave(self, number: int, how: str = "withdrawn") -> None:
        state = self.state
        if how == "withdrawn":
            self.step(lambda desk: desk.change(lambda state: attendance.withdraw(state.players[number])))
            return
        self.step(lambda desk: desk.change(lambda _: attendance.warn(state.players[number], "loud at the table")))
        self.step(
            lambda desk: desk.change(lambda state: attendance.exclude(state, state.players[number], "loud again"))
        )


Opened = Callable[..., Hall]


@pytest.fixture
def hall(tmp_path: Path, seed: int) -> Iterator[Opened]:
    """`hall(ruleset, players, key=value)`."""
    with ExitStack() as stack:

        def opened(ruleset: str, players: int, **options: Any) -> Hall:
            event = world.new_event(tmp_path, ruleset, players, who="Gęś", **options)
            stack.callback(event.ledger.close)
            ledger = stack.enter_context(Ledger.open(event.ledger.path))
            return Hall(event, Event(ledger, who="Łoś", wall_ms=event.wall_ms), seed)

        yield opened


def check(state: Tournament) -> None:
    """What holds at every moment of every tournament."""
    for one in state.rounds.values():
        if one.seating is not None:
            _check_seating(state, one)
        _check_games(one)
    _check_standings(state)


def _check_seating(state: Tournament, one: Round) -> None:
    seating = rounds.seating_of(one)
    seated = Counter(player for at in seating.tables for player in at.seated)
    assert set(seated.values()) <= {1}, "nobody sits twice"
    assert set(seated) <= set(state.entrants[one.key.stage]), "only who plays in the stage sits in it"
    low, high = state.ruleset.seats_min, state.ruleset.seats_max
    assert all(low <= len(at.seated) <= high for at in seating.tables), "tables are as large as the ruleset says"


def _check_games(one: Round) -> None:
    for result in one.results.values():
        if result.sheet is not None:
            assert sum(score.small for score in result.scores) == 0, "one winner: the game adds up to zero"
            assert [score.place for score in result.scores].count(1) == 1


def _check_standings(state: Tournament) -> None:
    lines = standings(state)
    played = {player for one in state.rounds.values() for r in one.results.values() for player in r.players.values()}
    assert len({line.player for line in lines}) == len(lines), "nobody stands twice"
    assert played <= {line.player for line in lines}, "everybody who played stands somewhere"
    places = [line.place for line in lines]
    assert places == sorted(places)
    assert all(places[place - 1] == place for place in places), "places are counted as players stand before them"


def _decide_tie(desk: Event, level: tuple[int, ...]) -> None:
    desk.change(
        lambda state: rulings.tie(state, None, [state.players[number] for number in level], "a tile drawn by each")
    )


@pytest.mark.parametrize("players", [20, 23, 32])
def test_school_league_of_six_rounds(hall: Opened, players: int) -> None:
    league = hall(LEAGUE, players, games="1")
    for number in range(1, 7):
        league.draw()
        one = rounds.seated(league.state)
        assert one.key.round == number
        if number > 1:  # 12: the best play together
            before = {line.player: line.place for line in standings(league.state, "league", through=number - 1)}
            rows = [before[player] for at in rounds.seating_of(one).tables for player in at.seated]
            assert rows == sorted(rows)
        league.finish()
    assert league.state.over
    assert len(standings(league.state)) == players
    assert sum(line.small for line in standings(league.state)) == 0
    with pytest.raises(Refused, match="is over"):
        league.draw()


def test_league_over_weeks_with_absences_late_arrivals_withdrawals_and_an_exclusion(hall: Opened) -> None:
    league = hall(LEAGUE, 23, games="2")
    league.round()
    league.step(lambda desk: desk.change(lambda s: attendance.absent(s, [s.players[1], s.players[9]], away=True)))
    league.step(lambda desk: world.sign_up(desk, [24]))  # comes in the second week
    league.draw()
    points = {line.player: (line.big or 0, line.small) for line in standings(league.state)}
    order = [player for at in rounds.seating_of(rounds.seated(league.state)).tables for player in at.seated]
    behind = order[order.index(24) + 1 :]
    assert all(points[player] <= (0, 0) for player in behind), "who has nothing yet sits before points lost alone"
    league.play([GameAt(table, 1) for table in (1, 2, 3)])
    at_three = [player for player in rounds.seating_of(rounds.seated(league.state)).tables[2].seated if player != 24]
    league.leave(at_three[0])  # in mid-round: the seat is skipped, the round goes on
    league.finish()
    league.leave(at_three[1], how="excluded")
    for _ in range(4):
        league.draw()
        seated = {player for at in rounds.seating_of(rounds.seated(league.state)).tables for player in at.seated}
        assert not seated & set(at_three[:2]), "who has left is not seated again"
        assert {1, 9, 24} <= seated
        league.finish()
    lines = {line.player: line for line in standings(league.state)}
    assert len(lines) == 24
    assert lines[1].games == lines[9].games == 10


@pytest.mark.parametrize(("players", "semifinalists"), [(16, 8), (23, 8), (24, 8), (25, 16), (28, 16), (40, 16)])
def test_eliminations_clause_7(hall: Opened, players: int, semifinalists: int) -> None:
    event = hall(ELIMINATIONS, players)
    event.round()
    event.draw()
    second = rounds.seated(event.state)
    assert repeated(event.state, second.key) == [], "a fresh lot"
    event.finish()
    assert all(line.games == 4 for line in standings(event.state)), "everybody plays four games"
    assert len(event.advance()) == semifinalists
    event.draw()
    assert {len(at.seated) for at in rounds.seating_of(rounds.seated(event.state)).tables} == {4}
    tables = [set(at.seated) for at in rounds.seating_of(rounds.seated(event.state)).tables]
    event.finish()
    finalists = event.advance()
    assert [len(table & set(finalists)) for table in tables] == [4 // len(tables)] * len(tables)
    event.round()
    lines = standings(event.state)
    assert event.state.over
    assert {line.player for line in lines[:4]} == set(finalists)
    assert len(lines) == players


def test_eliminations_whose_players_leave_in_every_stage(hall: Opened) -> None:
    event = hall(ELIMINATIONS, 28)
    event.draw()
    event.play([GameAt(1, 1), GameAt(2, 1)])
    event.leave(rounds.seating_of(rounds.seated(event.state)).tables[0].seated[0])
    event.leave(rounds.seating_of(rounds.seated(event.state)).tables[1].seated[1], how="excluded")
    event.finish()
    event.leave(next(number for number, player in event.state.players.items() if player.gone is None))
    event.round()
    best = standings(event.state)[0].player
    event.leave(best)
    on = event.advance()
    assert best not in on
    assert len(on) == 16
    event.draw()
    event.play([GameAt(1, 1)])
    event.leave(rounds.seating_of(rounds.seated(event.state)).tables[0].seated[0])
    event.finish()
    assert len(event.advance()) == 4
    event.round()
    assert len(standings(event.state)) == 28


@pytest.mark.parametrize("players", [17, 30])
def test_championship_of_the_stages_that_the_organiser_sets(hall: Opened, players: int) -> None:
    stages = "preliminaries 3x1 lot/fresh_lot; quarter 1x2 rank takes 12; final 1x2 rank takes 4 by rank"
    event = hall("pl-championship", players, stages=stages)
    for _ in range(3):
        event.round()
    assert len(event.advance()) == 12
    event.round()
    on = event.advance()
    event.round()
    assert event.state.over
    assert {line.player for line in standings(event.state)[:4]} == set(on)


def test_series_at_one_table(hall: Opened) -> None:
    event = hall("it-classic", 4)
    event.draw()
    assert rounds.seating_of(rounds.seated(event.state)).tables[0].players == (1, 2, 3, 4)
    event.finish()
    assert event.state.over
    assert all(line.big is None for line in standings(event.state))


def test_a_late_player_gets_a_chair_and_who_is_not_there_loses_it(hall: Opened) -> None:
    event = hall(LEAGUE, 23, games="1")
    event.draw()
    missing = rounds.seating_of(rounds.seated(event.state)).tables[0].players[2]
    event.step(lambda desk: desk.change(lambda state: remove(state, state.players[missing])))
    event.step(lambda desk: desk.change(lambda state: move(state, state.players[missing], _free(state))))
    event.finish()
    event.round()
    assert all(line.games == 2 for line in standings(event.state))


def test_a_round_is_reopened_and_the_stage_after_it_entered_anew(hall: Opened) -> None:
    event = hall(ELIMINATIONS, 16)
    event.round()
    event.round()
    event.advance()
    event.draw()
    event.step(lambda desk: undo(desk, None, "nobody sits there yet"))
    event.step(
        lambda desk: desk.change_seen(lambda seen: rounds.reopen(seen, list(seen.state.rounds)[1], "copied wrongly"))
    )
    assert list(event.state.entrants) == ["preliminaries", "semifinal"]
    entered = event.state.latest["advanced:semifinal"]
    event.step(lambda desk: undo(desk, entered, "decided anew"))
    event.step(world.close)
    assert len(event.advance()) == 8
    assert rounds.at_work(event.state).seating is None
    event.round()


def test_two_desks_that_draw_at_once_make_one_seating(hall: Opened) -> None:
    event = hall(LEAGUE, 20)
    event.draw()
    with pytest.raises(Refused, match="has seated it already"):
        event.draw()


def test_organisers_choice_of_24_players_is_8_or_16(hall: Opened) -> None:
    event = hall(ELIMINATIONS, 24)
    event.round()
    event.round()
    with pytest.raises(Refused, match="12"):
        event.desk.change(lambda state: advancing.advance(state, 12))
    assert len(advancing.advance(event.state, 16).drafts) == 1


def _free(state: Tournament) -> Chair:
    tables = rounds.seating_of(rounds.seated(state)).tables
    return next(Chair(at.table) for at in tables if 0 in at.players)
