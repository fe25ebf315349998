"""What holds for every game by every regulation."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.scoring.points import Sheet, score
from dalej.domain.scoring.sheets import POINTS_MOST, SEATS, Rack
from tests.domain.score_sheets import regulation, rulesets, sheets

in_full = rulesets().map(lambda ruleset: replace(ruleset, several_lowest="full"))
italian = st.builds(
    lambda jokers, points, odd: regulation("it-classic", jokers=jokers, joker_points=points, odd_points=odd),
    st.sampled_from([2, 4]), st.sampled_from([25, 30]), st.sampled_from(["first_seat", "last_seat"]),
)  # fmt: skip


@st.composite
def level_sheets(draw: st.DrawFn) -> Sheet:
    """A game that nobody won outright: one to four lowest racks, whatever the others hold, and some who left."""
    seats, lowest = draw(st.integers(2, 4)), draw(st.integers(1, 120))
    winners = draw(st.sets(st.integers(0, seats - 1), min_size=1))
    more = st.integers(1, min(100, (POINTS_MOST - seats * lowest) // (seats - 1)))  # no more than the set holds
    racks = [
        Rack(seat="ABCD"[at], points=lowest) if at in winners
        else Rack(
            seat="ABCD"[at], points=lowest + draw(more), opened=draw(st.booleans()),
            withdrawn=draw(st.booleans()),
        )
        for at in range(seats)
    ]  # fmt: skip
    order = draw(st.permutations(racks))
    return Sheet(draw(st.sampled_from(["bank_empty", "round_time"])), tuple(order))


@given(st.one_of(sheets(), level_sheets()), italian)
def test_punteggio_plus_equals_minus_in_every_round_however_many_racks_are_lowest(
    game: Sheet, ruleset: Ruleset
) -> None:
    assert sum(one.small for one in score(game, ruleset)) == 0


@given(level_sheets(), italian)
def test_punteggio_winners_who_share_differ_by_no_more_than_the_odd_point(game: Sheet, ruleset: Ruleset) -> None:
    shares = [one.small for one in score(game, ruleset) if one.place == 1]

    assert max(shares) - min(shares) <= 1


@given(st.lists(st.one_of(sheets(), level_sheets()), max_size=6), italian)
def test_punteggio_plus_equals_minus_in_the_count_as_well(games: list[Sheet], ruleset: Ruleset) -> None:
    count: Counter[str] = Counter()
    for game in games:
        for one in score(game, ruleset):
            count[one.seat] += one.small

    assert sum(count.values()) == 0


@given(sheets(), rulesets())
def test_with_one_winner_a_game_sums_to_zero(game: Sheet, ruleset: Ruleset) -> None:
    scores = score(game, ruleset)
    assume(sum(one.place == 1 for one in scores) == 1)

    assert sum(one.small for one in scores) == 0


@given(sheets("bank_empty", "round_time"), in_full)
def test_each_of_several_winners_scores_what_all_others_lose(game: Sheet, ruleset: Ruleset) -> None:
    scores = score(game, ruleset)
    lost = sum(one.small for one in scores if one.place > 1)

    assert {one.small for one in scores if one.place == 1} == {-lost}


@given(sheets(), in_full, st.data())
def test_permuting_seats_changes_nothing_but_labels(game: Sheet, ruleset: Ruleset, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(game.racks))))
    moved = tuple(replace(game.racks[at], seat=seat) for seat, at in zip(SEATS, order, strict=False))

    before, after = score(game, ruleset), score(replace(game, racks=moved), ruleset)

    assert [(one.seat, one.small, one.big, one.place) for one in after] == [
        (SEATS[to], before[at].small, before[at].big, before[at].place) for to, at in enumerate(order)
    ]


@given(sheets(), in_full)
def test_places_are_shared_by_who_is_level_and_the_next_is_skipped(game: Sheet, ruleset: Ruleset) -> None:
    scores = score(game, ruleset)
    places = [one.place for one in scores]

    for one in scores:
        assert one.place == 1 + sum(place < one.place for place in places)
        assert len({other.small for other in scores if other.place == one.place}) == 1


@given(sheets(), in_full)
def test_among_those_who_stayed_more_small_points_are_a_better_place_and_who_left_comes_after_them(
    game: Sheet, ruleset: Ruleset
) -> None:
    left = {rack.seat for rack in game.racks if rack.withdrawn}
    scores = score(game, ruleset)

    for one in scores:
        for other in scores:
            if (one.seat in left) == (other.seat in left):
                assert (one.small > other.small) == (one.place < other.place)
            elif other.seat in left:
                assert one.place < other.place


@given(sheets(), rulesets())
def test_big_points_follow_the_place_on_the_scale_of_the_table_as_it_started(game: Sheet, ruleset: Ruleset) -> None:
    seats = game.started or len(game.racks)
    scale = {2: ruleset.big_points_2, 3: ruleset.big_points_3, 4: ruleset.big_points_4}[seats]

    for one in score(game, ruleset):
        assert one.big == (None if scale is None else scale[one.place - 1])


@given(sheets(), rulesets(), st.booleans(), st.sampled_from(["instead", "on_top"]), st.sampled_from(["full", "split"]))
def test_no_option_gives_the_winners_more_than_the_others_lose(
    game: Sheet, ruleset: Ruleset, penalties: bool, counts: str, lowest: str
) -> None:
    ruleset = replace(
        ruleset, winner_takes_penalties=penalties, penalties_without_winner=penalties, never_opened_counts=counts,
        several_lowest=lowest,
    )  # fmt: skip

    scores = score(game, ruleset)

    lost = -sum(one.small for one in scores if one.place > 1)
    assert all(0 <= one.small <= lost for one in scores if one.place == 1)


@given(sheets())
def test_who_left_never_wins_whatever_the_rack(game: Sheet) -> None:
    ruleset = regulation(withdrawn_ranks="by_points")

    for rack, one in zip(game.racks, score(game, ruleset), strict=True):
        assert not (rack.withdrawn and one.place == 1)


@given(sheets(), rulesets())
def test_every_reason_cites_a_clause_of_the_regulation(game: Sheet, ruleset: Ruleset) -> None:
    known = {rule.clause for rule in ruleset.rules} | {text.clause for text in ruleset.texts}

    for one in score(game, ruleset):
        assert one.reasons
        assert {reason.clause for reason in one.reasons} <= known
