"""Which game of a round is which game of a box: played by a simulated hall at tables that the office has seated."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from dalej.clock import ManualClock
from dalej.domain.tournament.tournament import GameAt
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office import rounds
from dalej.office.seating import Chair, move
from dalej.rulesets.rulebook import load
from dalej.simulator.hall import Hall
from tests.domain.begun import OTHER, another, go_out, lay, next_game, table
from tests.domain.tables import BOX, A, B, C, D, PlayedTable
from tests.world import FIRST, NOON, SECOND, an_event, at_noon, draw, drawn_at, known, stands, tell


def test_games_of_a_simulated_hall_are_the_games_of_the_round(tmp_path: Path) -> None:
    with an_event(tmp_path, seated=False, wall_ms=at_noon) as event:
        held = drawn_at(event, NOON, 3)
        Hall(event.ledger, load("school-league"), ManualClock(NOON + 60_000), tables=2, moves=160, seed=5).play()
        games = games_of_round(read(event.ledger), held.state(), FIRST)
        assert {at.table for at in games} == {1, 2}
        over = [game for game in games.values() if game.ended == "went_out"]
        assert over
        assert all((game.winner or "nobody") in game.seats for game in over)
        for at in (1, 2):
            here = [game for where, game in sorted(games.items()) if where.table == at]
            assert [where.game for where in sorted(games) if where.table == at] == list(range(1, len(here) + 1))
            assert [game.dealt for game in here] == sorted(game.dealt for game in here)


def test_a_game_that_was_played_before_the_round_was_seated_is_none_of_it(tmp_path: Path) -> None:
    with an_event(tmp_path, seated=False, wall_ms=at_noon) as event:
        at = table()
        go_out(at, A)
        heard = tell(event, at, 0, NOON)
        held = drawn_at(event, NOON + 1, 1)
        next_game(at)
        go_out(at, B)
        tell(held, at, heard, NOON + 2)
        assert known(held) == {(1, 1): "B"}


def test_a_game_told_late_belongs_to_the_time_it_was_played_in(held: Event) -> None:
    at = table()
    go_out(at, A)
    tell(held, at, wall_ms=NOON - 1)
    assert known(held) == {}


def test_a_game_heard_before_the_next_round_was_seated_is_none_of_that_whatever_the_clock_says(held: Event) -> None:
    """A hall played faster than life runs ahead of the clock on the wall."""
    at = table()
    go_out(at, A)
    tell(held, at, wall_ms=NOON + 3_600_000)
    held.change(lambda state: rounds.close(state, "one game only"))
    draw(held)
    assert known(held) == {(1, 1): "A"}
    assert games_of_round(read(held.ledger), held.state(), SECOND) == {}


def test_a_game_of_the_last_round_told_after_the_next_was_seated_stays_in_its_round(tmp_path: Path) -> None:
    with an_event(tmp_path, seated=False, wall_ms=at_noon) as event:
        held = drawn_at(event, NOON, 1)
        held.change(lambda state: rounds.close(state, "the boxes were switched off"))
        held = drawn_at(event, NOON + 60_000, 1)
        at = table()
        go_out(at, A)
        tell(held, at, wall_ms=NOON + 30_000)
        assert known(held) == {(1, 1): "A"}
        assert games_of_round(read(event.ledger), held.state(), SECOND) == {}


def test_a_round_that_is_drawn_anew_begins_anew_and_the_round_before_gets_none_of_its_games(tmp_path: Path) -> None:
    """Who tried the boxes after the first draw sits elsewhere now."""
    with an_event(tmp_path, seated=False, wall_ms=at_noon) as event:
        held = drawn_at(event, NOON, 1)
        at = table()
        go_out(at, A)
        tell(held, at, wall_ms=NOON + 1)
        held.change(lambda state: rounds.close(state, "one game only"))
        drawn_at(event, NOON + 10, 2)
        heard = len(at.facts)
        next_game(at)
        go_out(at, B)
        tell(held, at, heard, NOON + 11)
        drawn_at(event, NOON + 20, 9, again=True)
        heard = len(at.facts)
        next_game(at)
        go_out(at, C)
        tell(held, at, heard, NOON + 21)

        assert known(held) == {(1, 1): "A"}
        assert known(held, SECOND) == {(1, 1): "C"}


def test_players_who_change_seats_by_hand_begin_nothing_anew(held: Event) -> None:
    at = table()
    go_out(at, A)
    tell(held, at)
    held.change(lambda state: move(state, state.players[1], Chair(2, 0)))
    assert known(held) == {(1, 1): "A"}


def test_a_draw_that_was_taken_back_leaves_the_round_as_it_was_drawn_before(held: Event) -> None:
    at = table()
    go_out(at, A)
    tell(held, at)
    drawn_at(held, NOON, 9, again=True)
    drawn = read(held.ledger).decisions()[-1]
    held.ledger.revoke(drawn.cursor, who="Puchacz", when_ms=NOON, why="nobody wanted that")
    assert known(held) == {(1, 1): "A"}


def test_a_round_that_is_open_again_gets_the_games_that_are_begun_then(tmp_path: Path) -> None:
    with an_event(tmp_path, seated=False, wall_ms=at_noon) as event:
        held = drawn_at(event, NOON, 1)
        at = table()
        told = 0
        for when_ms, winner in ((1, A), (11, B), (21, C), (41, D)):
            if when_ms == 11:  # the next round is seated, and somebody tries the boxes
                held.change(lambda state: rounds.close(state, "one game only"))
                held = drawn_at(event, NOON + 10, 2)
            elif when_ms == 21:
                held = Event(event.ledger, who="Gęś", wall_ms=lambda: NOON + 20)
                drawn = read(event.ledger).decisions()[-1]
                event.ledger.revoke(drawn.cursor, who="Puchacz", when_ms=NOON + 20, why="nobody plays yet")
                held.change_seen(lambda seen: rounds.reopen(seen, FIRST, "a game is still to be played"))
            elif when_ms == 41:
                held = Event(event.ledger, who="Gęś", wall_ms=lambda: NOON + 30)
                held.change(lambda state: rounds.close(state, "two games"))
                held = drawn_at(event, NOON + 40, 2)
            if told:
                next_game(at)
            go_out(at, winner)
            tell(held, at, told, NOON + when_ms)
            told = len(at.facts)

        assert known(held) == {(1, 1): "A", (1, 2): "C"}
        assert known(held, SECOND) == {(1, 1): "D"}


def test_a_game_set_up_again_at_another_box_is_counted_once(held: Event) -> None:
    at = table()
    stands(held, BOX, 1)
    lay(at, A)
    tell(held, at)
    spare = PlayedTable(at.clock.settings, kostka=False, box=OTHER)
    stands(held, OTHER, 1)
    spare.press(2 * A)
    go_out(spare, A)
    next_game(spare)
    go_out(spare, B)
    tell(held, spare)
    assert known(held) == {(1, 1): "A", (1, 2): "B"}


def test_the_round_after_begins_with_its_own_games(held: Event) -> None:
    at = table()
    go_out(at, A)
    tell(held, at)
    held.change(lambda state: rounds.close(state, "one game only"))
    heard = len(at.facts)
    draw(held)
    next_game(at)
    go_out(at, B)
    tell(held, at, heard)
    assert known(held) == {(1, 1): "A"}
    second = games_of_round(read(held.ledger), held.state(), SECOND)
    assert {where: game.winner for where, game in second.items()} == {GameAt(1, 1): "B"}


def test_a_box_counts_at_the_table_it_stands_on_then(held: Event) -> None:
    at = table()
    stands(held, BOX, 2)
    go_out(at, A)
    tell(held, at)
    heard = len(at.facts)
    stands(held, BOX, 1, heard)
    next_game(at)
    go_out(at, B)
    tell(held, at, heard)
    assert known(held) == {(2, 1): "A", (1, 1): "B"}


def test_a_spare_box_goes_on_with_the_game_it_took_over(held: Event) -> None:
    at = table()
    stands(held, BOX, 1)
    lay(at, A)
    tell(held, at)
    stands(held, OTHER, 1)
    spare = another(at, 2, B)
    go_out(spare, B)
    tell(held, spare)
    assert known(held) == {(1, 1): "B"}


def test_no_more_games_than_the_round_has(held: Event) -> None:
    at = table()
    for number in count(1):
        go_out(at, at.clock.seat)
        if number == 5:
            break
        next_game(at)
    tell(held, at)
    assert [game for _, game in known(held)] == [1, 2, 3, 4]
