"""What a box knows of its games: how they ended, who announced in time, who withdrew."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.facts import END_REASONS, Fact
from dalej.domain.game.games import BoxGame, box_games
from moveclock import facts as k
from tests.domain.begun import OTHER, announce, another, go_out, lay, next_game, table
from tests.domain.tables import BOX, EPOCH, A, B, C, D, Journal, PlayedTable, a_game, played


def only(at: PlayedTable) -> BoxGame:
    (game,) = box_games(at.facts)
    return game


def test_6q_whoever_shows_an_empty_rack_has_gone_out() -> None:
    at = table()
    lay(at, A)
    go_out(at, B)
    game = only(at)
    assert (game.game, game.seats, game.ended, game.winner) == (1, "ABCD", "went_out", "B")
    assert (game.box, game.epoch, game.bank, game.withdrawn, game.reopened) == (BOX, EPOCH, 50, (), 0)


def test_6n_an_announcement_in_the_last_move_before_the_end_is_in_time() -> None:
    at = table()
    lay(at, A)
    announce(at, B)
    lay(at, B, C, D)
    go_out(at, A)
    game = only(at)
    assert dict(game.announced) == {"B": (2,)}
    assert game.in_time == {"B"}


def test_6n_an_announcement_that_was_not_followed_by_the_opening_lifts_nothing() -> None:
    at = table()
    lay(at, A)
    announce(at, B)
    lay(at, B, C, D, A, B)
    go_out(at, C)
    game = only(at)
    assert dict(game.announced) == {"B": (2,)}
    assert game.in_time == frozenset()


def test_6n_who_announces_again_is_in_time_again() -> None:
    at = table()
    lay(at, A)
    announce(at, B)
    lay(at, B, C, D, A)
    announce(at, B)
    lay(at, B)
    go_out(at, C)
    assert dict(only(at).announced) == {"B": (2, 6)}
    assert only(at).in_time == {"B"}


def test_a_seat_that_was_changed_within_a_move_has_not_had_that_move() -> None:
    at = table()
    lay(at, A)
    announce(at, B)
    lay(at, B, C, D, A)  # it is B's move now, and the desk says that it is C's
    at.order(k.C_STOP, k.REFEREE)
    at.order(k.C_SET_SEAT, C)
    at.order(k.C_RESUME)
    go_out(at, C)
    assert only(at).in_time == {"B"}


def test_6o_the_end_of_the_final_lap_is_an_empty_bank() -> None:
    at = table(kostka=False, tiles=4 * 14 + 1)
    at.wait(5_000)
    at.press(2 * A + 1)
    lay(at, B, C, D, A)
    game = only(at)
    assert (game.ended, game.winner, game.bank) == ("bank_empty", None, 0)


def test_15_who_withdraws_is_known_and_one_seat_left_has_won() -> None:
    at = table()
    at.order(k.C_STOP, k.REFEREE)
    for seat in (D, B, A):
        at.order(k.C_WITHDRAW, seat)
    game = only(at)
    assert game.withdrawn == ("D", "B", "A")
    assert (game.ended, game.winner) == ("last_seat", "C")


def test_8_a_rack_shown_wrongly_as_empty_is_no_end() -> None:
    at = table()
    go_out(at, A)
    at.order(k.C_REOPEN, k.NEXT_SEAT)
    at.order(k.C_RESUME)
    assert (only(at).ended, only(at).winner, only(at).reopened) == (None, None, 1)
    go_out(at, B)
    assert (only(at).ended, only(at).winner) == ("went_out", "B")


def test_6b_a_deal_that_was_dealt_anew_is_no_game() -> None:
    at = table()
    announce(at, A)
    at.order(k.C_STOP, k.REFEREE)
    at.order(k.C_REDEAL)
    assert box_games(at.facts) == []
    at.wait(1_000)
    at.press(2 * A)
    go_out(at, A)
    assert (only(at).winner, dict(only(at).announced)) == ("A", {})


def test_a_game_that_is_set_up_and_never_begun_is_none() -> None:
    at = table()
    go_out(at, A)
    at.order(k.C_NEXT_GAME)
    assert [game.game for game in box_games(at.facts)] == [1]


def test_games_one_after_the_other_in_their_order() -> None:
    at = table()
    go_out(at, A)
    next_game(at)
    go_out(at, B)
    next_game(at)
    assert [(game.game, game.ended, game.winner) for game in box_games(at.facts)] == [
        (1, "went_out", "A"), (2, "went_out", "B"), (3, None, None)
    ]  # fmt: skip


def test_a_game_that_is_set_up_anew_before_its_end_is_played_once() -> None:
    at = table()
    lay(at, A)
    at.clock.prepare(at.now, 1, A, k.DESK)
    at.wait(1_000)
    at.press(2 * A)
    go_out(at, A)
    assert [(game.game, game.winner) for game in box_games(at.facts)] == [(1, "A")]


def test_a_spare_box_goes_on_with_the_game_of_the_one_before() -> None:
    at = table()
    lay(at, A)
    announce(at, B)
    lay(at, B)
    spare = another(at, 4, D)
    go_out(spare, D)
    (first,), (rest,) = box_games(at.facts), box_games(spare.facts)
    assert (first.takes_over, rest.takes_over) == (False, True)
    whole = first.taken_over_by(rest)
    assert (whole.winner, sorted(whole.in_time), whole.takes_over) == ("D", ["B"], False)
    assert whole.holds(BOX, EPOCH, first.last)
    assert whole.holds(OTHER, EPOCH, rest.last)


def test_a_spare_tells_the_rest_and_the_box_before_what_was() -> None:
    before = a_game(
        announced={"A": (1,), "B": (2,)}, in_time=frozenset("AB"), withdrawn=("D",), bank=50, reopened=1,
        moved={"A": 1, "B": 2, "C": 3},
    )  # fmt: skip
    after = a_game(
        box=OTHER, seats="ABC", ended="went_out", winner="C", announced={"A": (5,), "C": (6,)}, in_time=frozenset("AC"),
        withdrawn=("B", "D"), bank=44, reopened=2, takes_over=True, moved={"A": 5, "C": 6},
    )  # fmt: skip

    assert before.taken_over_by(after) == replace(
        after, seats="ABCD", announced={"A": (1, 5), "B": (2,), "C": (6,)}, in_time=frozenset("ABC"),
        withdrawn=("D", "B"), reopened=3, takes_over=False, moved={"A": 5, "B": 2, "C": 6}, before=(before,),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("here", "there", "whole"),
    [
        (("went_out", "A"), (None, None), ("went_out", "A")),
        (("desk", None), (None, None), (None, None)),
        (("went_out", "A"), ("bank_empty", None), ("bank_empty", None)),
        ((None, None), ("went_out", "B"), ("went_out", "B")),
    ],
)
def test_the_end_at_the_spare_is_the_games_and_without_one_the_end_that_the_players_had_made(
    here: tuple[str | None, str | None], there: tuple[str | None, str | None], whole: tuple[str | None, str | None]
) -> None:
    before = a_game(ended=here[0], winner=here[1], moved={})
    after = a_game(box=OTHER, ended=there[0], winner=there[1], moved={})

    found = before.taken_over_by(after)

    assert (found.ended, found.winner) == whole


def test_a_game_holds_the_facts_of_its_box_from_the_deal_to_the_last_and_those_of_the_box_before() -> None:
    whole = a_game(dealt=3, last=8, moved={}).taken_over_by(a_game(box=OTHER, dealt=20, last=24, moved={}))

    assert [seq for seq in range(30) if whole.holds(BOX, EPOCH, seq)] == [3, 4, 5, 6, 7, 8]
    assert [seq for seq in range(30) if whole.holds(OTHER, EPOCH, seq)] == [20, 21, 22, 23, 24]
    assert not any(whole.holds(BOX, EPOCH + 1, seq) for seq in range(30))


def test_a_game_is_known_from_the_fact_that_dealt_it_to_its_latest() -> None:
    at = table(seats=0b1011)
    lay(at, A)
    dealt, began, last = (at.facts[place].seq for place in (1, 2, -1))

    assert only(at) == a_game(
        dealt=dealt, begun=began, last=last, seats="ABD", bank=106 - 3 * 14, moved={"A": 1, "B": 2}
    )


def test_a_seat_that_withdraws_in_anothers_move_has_not_had_it() -> None:
    at = table()
    lay(at, A, B)
    at.order(k.C_STOP, k.REFEREE)
    at.order(k.C_WITHDRAW, A)

    assert (only(at).withdrawn, only(at).moved) == (("A",), {"A": 1, "B": 2, "C": 3})


def test_whose_move_it_is_said_to_be_is_who_has_it() -> None:
    at = table()
    lay(at, A)
    at.order(k.C_STOP, k.REFEREE)
    at.order(k.C_SET_SEAT, D)

    assert only(at).moved == {"A": 1, "D": 2}


def test_a_game_that_is_reopened_again_and_again_is_counted_so() -> None:
    at = table()
    for seat in (A, B):
        go_out(at, seat)
        at.order(k.C_REOPEN, k.NEXT_SEAT)
        at.order(k.C_RESUME)

    assert only(at).reopened == 2


def test_what_no_box_of_four_seats_can_say_is_left_out() -> None:
    journal = Journal()
    journal.write(k.CONFIGURED, 0, 0, A, k.DESK, 40_000, 0b1111, 50)
    journal.write(k.GAME_STARTED, 1_000, 1, A, k.TABLE, 40_000, c=50)
    for kind in (k.MOVE_STARTED, k.OPENING_ANNOUNCED, k.SEAT_WITHDRAWN):
        journal.write(kind, 2_000, 1, 4, c=50)
    journal.write(k.GAME_ENDED, 3_000, 1, 4, len(END_REASONS))

    assert box_games(journal.facts) == [a_game(last=6, bank=50, moved={})]


@given(st.data())
def test_whatever_order_the_facts_come_in_the_games_are_the_same(data: st.DataObject) -> None:
    facts = data.draw(played())
    mixed = data.draw(st.permutations([*facts, *facts[::3]]))
    assert box_games(mixed) == box_games(facts)


@given(played())
def test_whatever_happens_at_a_table_its_games_can_be_told(facts: list[Fact]) -> None:
    games = box_games(facts)
    assert all(game.ended is None or game.ended in END_REASONS for game in games)
    assert all(game.in_time <= game.announced.keys() for game in games)
    assert [game.dealt for game in games] == sorted({game.dealt for game in games})
    for game in games:
        assert game.ended != "went_out" or (game.winner or "nobody") in game.seats
        assert game.dealt <= game.begun <= game.last


def test_6n_who_announced_before_the_box_died_in_the_first_move_has_announced() -> None:
    at = table()
    announce(at, A)
    spare = another(at, 1, A)
    lay(spare, A)
    go_out(spare, B)
    (first,), (rest,) = box_games(at.facts), box_games(spare.facts)

    whole = first.taken_over_by(rest)

    assert rest.takes_over
    assert dict(whole.announced) == {"A": (1,)}
    assert whole.in_time == {"A"}


def test_6n_an_announcement_is_too_old_once_its_seat_has_had_a_move_at_the_spare() -> None:
    at = table()
    announce(at, A)
    spare = another(at, 1, A)
    lay(spare, A, B, C, D, A)
    go_out(spare, B)

    assert box_games(at.facts)[0].taken_over_by(box_games(spare.facts)[0]).in_time == frozenset()


def test_a_game_whose_start_was_lost_is_not_taken_over() -> None:
    at = table()
    go_out(at, A)
    known = [fact for fact in at.facts if fact.kind != k.GAME_STARTED]

    assert not box_games(known)[0].takes_over
