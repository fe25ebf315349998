"""A season: several events, each whole, added up by who played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.season import SeasonLine, people, season
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import Refused, WrongInput
from tests.domain.deciding import Decided

Racks = tuple[int, ...]


def event(
    *games: Racks, names: Sequence[str] = ("Lis", "Sowa", "Borsuk", "Wydra"), ranking: str = "big_then_small"
) -> Tournament:
    """One table of the first four players, who play these games; groups behind a slash."""
    made = Decided(players=len(names))
    seats = tuple(range(1, min(4, len(names)) + 1))
    made.seat(1, seats)
    for game, racks in enumerate(games, start=1):
        made.result(1, 1, game, seats, racks)
    state = made.state()
    called = {number: name.partition("/") for number, name in enumerate(names, start=1)}
    players = {
        number: replace(one, name=called[number][0], group=called[number][2]) for number, one in state.players.items()
    }
    return replace(state, players=players, ruleset=replace(state.ruleset, ranking=ranking), name=names[0])


def table(lines: Sequence[SeasonLine], of: Tournament) -> list[tuple[int, str, int | None, int, int]]:
    """By the names that the players have in that event."""
    called = [of.players[one.player].name if (one := line.of[0]) is not None else "?" for line in lines]
    return [(one.place, name, one.big, one.small, one.games) for one, name in zip(lines, called, strict=True)]


def test_big_points_of_all_events_are_added_first_and_small_ones_second() -> None:
    autumn, winter = event((0, 10, 20, 30)), event((10, 0, 20, 30), (0, 5, 5, 5))

    assert table(season([autumn, winter]), autumn) == [
        (1, "Lis", 2, 60 - 10 + 15, 3), (2, "Sowa", 1, -10 + 60 - 5, 3), (3, "Borsuk", 0, -45, 3),
        (4, "Wydra", 0, -65, 3),
    ]  # fmt: skip


def test_one_big_point_stands_before_none_whatever_the_small_ones_unless_those_alone_are_ranked() -> None:
    games = ((0, 1, 1, 1), (90, 0, 1, 2))
    by_big, by_small = event(*games), event(*games, ranking="small")

    assert table(season([by_big]), by_big) == [
        (1, "Sowa", 1, 92, 2), (2, "Lis", 1, -87, 2), (3, "Borsuk", 0, -2, 2), (4, "Wydra", 0, -3, 2),
    ]  # fmt: skip
    assert not any(line.level for line in season([by_big]))
    assert table(season([by_small]), by_small) == [
        (1, "Sowa", 1, 92, 2), (2, "Borsuk", 0, -2, 2), (3, "Wydra", 0, -3, 2), (4, "Lis", 1, -87, 2),
    ]  # fmt: skip


def test_whoever_missed_an_event_has_what_the_others_gave_and_whoever_never_played_is_not_listed() -> None:
    autumn = event((0, 10, 20, 30), names=("Lis", "Sowa", "Borsuk", "Wydra", "Kot"))
    winter = event((0, 10, 20, 30), names=("Jeż", "Sowa", "Borsuk", "Wydra"))
    lines = season([autumn, winter])

    assert [one is None for one in lines[0].of] in ([True, False], [False, True])
    assert (lines[0].place, lines[1].place) == (1, 1)
    assert lines[0].level
    assert len(lines) == 5


def test_of_each_player_the_best_events_count_and_the_others_stay_to_be_seen() -> None:
    events = [event((0, 10, 20, 30)), event((10, 0, 20, 30)), event((0, 90, 90, 90))]
    (lis,) = [one for one in season(events, best=1) if one.of[0] is not None and one.of[0].player == 1]

    assert lis.counts == (False, False, True)
    assert (lis.big, lis.small, lis.games) == (1, 270, 1)
    assert all(lis.of)


def test_a_name_is_the_same_in_any_case_and_two_of_one_name_are_told_apart_by_their_class() -> None:
    autumn = event(names=("Lis (4b)/4b", "Lis (5a)/5a", "Borsuk/4b", "Wydra"))
    winter = event(names=("borsuk /5a", "LIS/5a", "Lis", "Wydra"))

    assert people([autumn, winter]) == [
        (1, None), (2, 2), (3, 1), (4, 4), (None, 3),
    ]  # fmt: skip


def test_two_whom_nothing_tells_apart_are_two() -> None:
    assert people([event(names=("Lis", "Lis", "Sowa"))]) == [(1,), (2,), (3,)]
    assert people([event(names=("Lis/0/3", "Lis", "Lis"))]) == [(1,), (2,), (3,)]
    assert people([event(names=("Łoś",)), event(names=("\u0141os\u0301",))]) == [(1, 1)]


def test_events_that_are_ranked_otherwise_are_not_added_up() -> None:
    big, small = event((0, 1, 2, 3)), event((0, 1, 2, 3), names=("Sowa", "b", "c", "d"), ranking="small")

    with pytest.raises(Refused, match="Lis is ranked by big points, and Sowa is not"):
        season([small, big])
    with pytest.raises(WrongInput, match="no event to add up"):
        season([])
    assert [line.place for line in season([small, small])] == [1, 2, 3, 4]


@given(st.lists(st.lists(st.permutations([0, 3, 5, 9]), max_size=3), min_size=1, max_size=4), st.integers(1, 4))
def test_the_order_of_the_events_changes_no_sum_and_no_place(games: list[list[list[int]]], best: int) -> None:
    events = [event(*(tuple(one) for one in racks)) for racks in games]

    def seen(lines: list[SeasonLine]) -> list[tuple[int, int | None, int, int, int]]:
        found = [(one.place, one.big, one.small, one.games, next(at.player for at in one.of if at)) for one in lines]
        return sorted(found)

    there, back = season(events, best), season(events[::-1], best)
    assert [one[:3] for one in seen(there)] == [one[:3] for one in seen(back)]
    for line in there:
        counted = [one for one, counts in zip(line.of, line.counts, strict=True) if counts and one is not None]
        assert line.small == sum(one.small for one in counted)
        assert len(counted) == min(best, sum(one is not None for one in line.of))
