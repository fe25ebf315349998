"""The referee's word: what contradicts itself stands, points and places are as ruled."""

from __future__ import annotations

import pytest

from dalej.domain.scoring.points import score
from dalej.errors import WrongInput
from tests.domain.score_sheets import OUT, big, places, regulation, sheet, small

WHY = "the tiles were swept off the table before anybody counted"


def test_6s_nine_sevens_stand_by_a_ruling() -> None:
    game = sheet("went_out", OUT, {"tiles": (7,) * 9}, ruling=WHY)

    assert small(game, regulation()) == [63, -63]


def test_6s_points_stand_as_written_where_the_tiles_make_another_sum() -> None:
    game = sheet("went_out", OUT, {"points": 25, "tiles": (12, 12)}, ruling=WHY)

    assert small(game, regulation()) == [25, -25]


def test_6s_two_empty_racks_need_a_ruling_that_names_the_winner() -> None:
    undecided = sheet("went_out", OUT, OUT, {"points": 9}, ruling=WHY)
    decided = sheet("went_out", OUT, {**OUT, "ruled_place": 1}, {"points": 9}, ruling=WHY)

    with pytest.raises(WrongInput, match="expected a ruling that puts one seat in place 1"):
        score(undecided, regulation())
    assert small(decided, regulation()) == [0, 9, -9]
    assert places(decided, regulation()) == [2, 1, 3]


def test_6s_a_winner_who_never_opened_wins_by_a_ruling() -> None:
    assert small(sheet("went_out", {**OUT, "opened": False}, {"points": 9}, ruling=WHY), regulation()) == [9, -9]


def test_6s_no_ruling_lets_stand_what_cannot_be_counted() -> None:
    with pytest.raises(WrongInput, match="seat A is on the sheet 2 times"):
        score(sheet("went_out", OUT, {"points": 4, "seat": "A"}, ruling=WHY), regulation())


def test_6s_ruled_points_stand_in_place_of_the_count_in_the_winners_sum_too() -> None:
    game = sheet("went_out", OUT, {"points": 9, "ruled_small": -50}, {"points": 20})

    assert small(game, regulation()) == [70, -50, -20]
    assert places(game, regulation()) == [1, 3, 2]


@pytest.mark.parametrize("ruled", [0, -15])
def test_6s_the_winners_points_may_be_ruled_and_the_win_stays(ruled: int) -> None:
    game = sheet("went_out", {**OUT, "ruled_small": ruled}, {"points": 9}, {"points": 20})

    assert small(game, regulation()) == [ruled, -9, -20]
    assert places(game, regulation()) == [1, 2, 3]


def test_6s_no_ruled_points_put_a_seat_before_the_winner_or_level_with_it() -> None:
    more = sheet("went_out", {"points": 9, "ruled_small": 80}, OUT, {"points": 20})
    nothing = sheet("bank_empty", {"points": 9, "ruled_small": 0}, {"points": 7}, {"points": 9})

    assert small(more, regulation()) == [80, -60, -20]
    assert places(more, regulation()) == [2, 1, 3]
    assert small(nothing, regulation()) == [0, 2, -2]
    assert places(nothing, regulation()) == [2, 1, 3]


def test_6s_a_rack_whose_points_are_ruled_need_not_be_counted() -> None:
    assert small(sheet("went_out", OUT, {"ruled_small": -30}), regulation()) == [30, -30]


def test_6s_a_ruled_place_is_taken_and_the_others_fill_what_is_left() -> None:
    championship = regulation("pl-championship")
    left = sheet("went_out", OUT, {"points": 9}, {"points": 2, "withdrawn": True, "ruled_place": 2}, {"points": 20})
    cheated = sheet("went_out", {**OUT, "ruled_place": 4}, {"points": 9}, {"points": 2}, {"points": 20})

    assert places(left, championship) == [1, 3, 2, 4]
    assert big(left, championship) == [4, 1, 2, 0]
    assert places(cheated, championship) == [4, 2, 1, 3]
    assert big(cheated, championship) == [0, 2, 4, 1]


def test_6s_two_seats_ruled_to_one_place_share_it_and_the_next_is_skipped() -> None:
    game = sheet(
        "went_out", {"points": 5}, {"points": 9, "ruled_place": 1}, {**OUT, "ruled_place": 1}, {"points": 20}
    )  # fmt: skip

    assert places(game, regulation()) == [3, 1, 1, 4]


def test_6s_a_ruling_says_why_and_quotes_who_has_the_last_word() -> None:
    game = sheet("went_out", OUT, {"points": 9, "ruled_small": -50, "ruled_place": 2}, ruling=WHY)

    _, ruled = score(game, regulation())

    said = [one.sentence for one in ruled.reasons]
    assert any(one.startswith(f"the referee ruled -50 in place of the count: {WHY} [6s: ") for one in said)
    assert any(one.startswith(f"the referee ruled place 2: {WHY} [6s: ") for one in said)
    assert any("sędzia ma ostateczny głos" in one for one in said)
