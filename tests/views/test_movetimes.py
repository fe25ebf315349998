"""Move times: what counts as one, and the figures that come of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.turns import FLAGS, turns
from dalej.views import movetimes
from dalej.views.movetimes import (
    LEFT_OUT,
    STEPS_MS,
    MoveTime,
    MoveTimes,
    Whose,
    in_games,
    of_players,
    of_tables,
    spread,
    why_left_out,
)
from dalej.views.rows import SeenTurn
from tests.domain.tables import a_game, played
from tests.views.timed import LIMIT_MS, MOVES, a_turn, seen, seen_turns, times_of


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, None),
        ({"how": "dalej"}, None),
        ({"how": "timeout"}, None),
        ({"how": "empty_rack"}, None),
        ({"flags": ("clicked_before_drawing", "announced", "late_tile")}, None),
        ({"void": True, "partial": True, "stops": ("referee",)}, "void"),
        ({"partial": True, "stops": ("referee",)}, "partial"),
        ({"takes_over": True}, "partial"),
        ({"elapsed_ms": None, "how": None}, "under_way"),
        ({"elapsed_ms": None, "how": None, "stops": ("dispute",)}, "under_way"),
        ({"stops": ("dispute",), "stopped_ms": 9_000}, "stopped"),
        ({"flags": ("box_lost_power",), "stops": ("box_lost_power",)}, "stopped"),
        ({"flags": ("restarted",)}, "changed"),
        ({"flags": ("extra_time",), "stops": ("referee",)}, "changed"),
        ({"flags": ("unended",), "elapsed_ms": None, "how": None}, "changed"),
        ({"how": "desk"}, "ended_otherwise"),
        ({"how": "withdrawn"}, "ended_otherwise"),
    ],
)
def test_only_what_a_player_did_alone_from_beginning_to_end_is_a_move_time(
    changes: dict[str, object], why: str | None
) -> None:
    assert why_left_out(a_turn(**({"elapsed_ms": 20_000} | changes))) == why  # type: ignore[arg-type]  # of one type each


def test_a_median_of_41_moves_is_the_21st_and_the_slowest_tenth_begins_with_the_5th_slowest() -> None:
    times = times_of(*(1_000 * second for second in range(1, 40)), late=2)

    assert (times.median_ms, times.slow_ms, times.time_outs) == (21_000, 37_000, 2)


def test_a_median_of_an_even_number_lies_between_the_middle_two() -> None:
    assert times_of(10_000, 21_001).median_ms == 15_500


def test_of_few_moves_the_slowest_is_the_slowest_tenth() -> None:
    assert times_of(3_000, 9_000, 5_000).slow_ms == 9_000


def test_without_a_move_there_is_no_figure() -> None:
    times = times_of()

    assert (times.median_ms, times.slow_ms, times.time_outs, times.limit_ms, times.limits) == (None, None, 0, None, ())


def test_a_player_who_changed_the_table_is_one_and_a_nameless_seat_belongs_to_its_table() -> None:
    names = ("Lis", "", "Sowa", "")
    made = {
        1: seen_turns(1, [(0, 9_000, "juz"), (1, 8_000, "dalej")], names),
        2: seen_turns(2, [(0, 7_000, "juz"), (1, 6_000, "dalej")], names),
    }

    found = {times.whose: [move.elapsed_ms for move in times.moves] for times in of_players(made)}

    assert found == {Whose("Lis"): [9_000, 7_000], Whose(table=1, seat=1): [8_000], Whose(table=2, seat=1): [6_000]}
    assert [(times.whose, len(times.moves)) for times in of_tables(made)] == [(Whose(table=1), 2), (Whose(table=2), 2)]


def test_a_move_of_which_nobody_knows_whose_it_was_is_no_players() -> None:
    made = {1: [seen(a_turn(seat=255), "")]}

    assert of_players(made) == []
    assert len(of_tables(made)[0].moves) == 1


def test_what_is_left_out_is_counted_by_why_also_for_whoever_has_nothing_else() -> None:
    made = {1: [seen(a_turn(void=True)), seen(a_turn(void=True)), seen(a_turn(None))]}

    times = of_players(made)[0]

    assert (times.moves, times.left_out) == ((), {"under_way": 1, "void": 2})


def test_of_a_round_only_the_turns_of_its_games_are_looked_at_at_the_box_before_too() -> None:
    spare = a_game(box="ff", epoch=1, game=1, dealt=4, before=(a_game(game=2, dealt=10),))
    wanted = in_games([spare])

    assert not wanted(a_turn(game=1, seq=12))
    assert wanted(a_turn(game=2, seq=12))
    assert not wanted(a_turn(game=2, seq=9))
    assert wanted(a_turn(box="ff", epoch=1, game=1, seq=9))
    assert not wanted(a_turn(box="ff", epoch=2, game=1, seq=9))


def test_a_move_that_took_exactly_its_limit_stands_in_the_last_bar() -> None:
    shown = spread(times_of(0, 39_999, LIMIT_MS, late=3), 20)

    assert (shown.step_ms, shown.counts, shown.late) == (2_000, (1, *[0] * 18, 2), 3)


def test_the_scale_reaches_the_longest_limit_and_whatever_took_longer() -> None:
    assert spread(times_of(1_000), 10).until_ms == LIMIT_MS
    assert spread(times_of(1_000), 3).until_ms == 45_000
    assert spread(times_of(61_000), 100).until_ms == 61_000


@given(MOVES, st.integers(1, 60))
def test_every_move_is_in_one_bar_or_late(moves: list[MoveTime], most: int) -> None:
    times = MoveTimes(Whose("Lis"), tuple(moves))
    shown = spread(times, most)

    assert sum(shown.counts) + shown.late == len(moves)
    assert shown.late == times.time_outs
    assert 1 <= len(shown.counts) <= most
    assert shown.step_ms in STEPS_MS or most < 3


@given(MOVES)
def test_half_take_no_longer_than_the_median_and_a_tenth_at_least_the_slowest_tenth(moves: list[MoveTime]) -> None:
    times = MoveTimes(Whose("Lis"), tuple(moves))
    if times.median_ms is None or times.slow_ms is None:
        assert not moves
        return

    assert 2 * sum(move.elapsed_ms <= times.median_ms for move in moves) >= len(moves)
    assert 10 * sum(move.elapsed_ms >= times.slow_ms for move in moves) >= len(moves)
    assert times.median_ms <= times.slow_ms


@given(played())
def test_whatever_people_do_at_a_table_every_turn_is_a_move_time_or_left_out(facts: Any) -> None:
    made = [SeenTurn(turn, "", "", "") for turn in turns(facts)]

    for times in of_tables({1: made}):
        assert len(times.moves) + sum(times.left_out.values()) == len(made)
        assert set(times.left_out) <= set(LEFT_OUT)
        assert all(move.elapsed_ms >= 0 for move in times.moves)


def test_every_flag_that_is_taken_for_a_change_is_one_of_a_turn() -> None:
    assert set(FLAGS) >= movetimes._CHANGED
