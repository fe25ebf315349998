"""The turn log: what one move at a table looks like in it, whatever happened in between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.facts import HOWS, Fact
from dalej.domain.game.rulings import rulings
from dalej.domain.game.turns import FLAGS, Turn, Turns, turns
from dalej.rulesets import rulebook
from moveclock import facts as k
from tests.domain.begun import NEXT_DALEJ_OF_B, table
from tests.domain.tables import A, B, C, D, Journal, PlayedTable, played

SCHOOL = rulebook.load("school-league")
ITALY = rulebook.load("it-classic")


def log(played_table: PlayedTable) -> list[Turn]:
    return turns(played_table.facts, rulings(played_table.facts, SCHOOL))


def first(played_table: PlayedTable) -> Turn:
    return log(played_table)[0]


def test_a_move_with_tiles_laid() -> None:
    played_table = table()
    played_table.wait(12_345)
    played_table.press(2 * A)
    done, going_on = log(played_table)
    assert (done.game, done.move, done.seat, done.elapsed_ms, done.how, done.tiles) == (1, 1, A, 12_345, "juz", 0)
    assert (done.flags, done.stopped_ms, done.partial, done.void) == ((), 0, False, False)
    assert (done.started, done.ended) == ((1, 1_000), (1, 13_345))
    assert done.fields() == {
        "box": done.box, "seq": done.seq, "game": 1, "move": 1, "seat": "A", "elapsed_ms": 12_345, "how": "juz",
        "tiles": 0, "ruling": None, "flags": [], "stopped_ms": 0, "overrun_ms": None, "partial": False, "void": False,
    }  # fmt: skip
    assert (going_on.seat, going_on.elapsed_ms, going_on.how, going_on.ended) == (B, None, None, None)


def test_a_pass_with_its_tile() -> None:
    played_table = table()
    played_table.wait(5_000)
    played_table.press(k.KOSTKA)
    played_table.wait(1_000)
    played_table.press(2 * A + 1)
    assert (first(played_table).how, first(played_table).tiles, first(played_table).flags) == ("dalej", 1, ())


def test_a_pass_at_a_box_without_a_tile_contact_counts_as_the_tile() -> None:
    journal = Journal()
    journal.play(A, 1, 0, 5_000, k.BY_DALEJ, drawn=1)
    assert turns(journal.facts)[0].tiles == 1


def test_6h_a_click_before_the_tile_and_the_tile_that_comes_after_it() -> None:
    played_table = table()
    played_table.wait(5_000)
    played_table.press(2 * A + 1)
    played_table.wait(2_000)
    played_table.press(k.KOSTKA)
    turn = first(played_table)
    assert (turn.tiles, turn.flags) == (1, ("clicked_before_drawing", "late_tile"))


def test_6h_the_next_player_claims_and_the_move_starts_again_as_the_same_turn() -> None:
    played_table = table()
    played_table.wait(5_000)
    played_table.press(2 * A + 1)
    played_table.wait(3_000)
    played_table.press(k.SEDZIA)
    played_table.wait(20_000)
    played_table.order(k.C_RESUME)
    played_table.wait(7_000)
    played_table.press(2 * B)
    _, turn, _ = log(played_table)
    assert (turn.seat, turn.elapsed_ms, turn.flags) == (B, 7_000, ("claim", "restarted"))
    assert (turn.stopped_ms, turn.stops) == (20_000, ("early_click",))


def test_a_further_tile_is_recorded_and_costs_nothing() -> None:
    played_table = table()
    for _ in range(2):
        played_table.wait(5_000)
        played_table.press(k.KOSTKA)
    played_table.press(2 * A + 1)
    assert (first(played_table).tiles, first(played_table).flags) == (1, ("further_tile",))


def test_a_tile_drawn_and_then_tiles_laid_is_for_the_referee() -> None:
    played_table = table()
    played_table.wait(5_000)
    played_table.press(k.KOSTKA)
    played_table.press(2 * A)
    assert (first(played_table).how, first(played_table).flags) == ("juz", ("drew_then_laid",))


def test_6n_an_announcement_stays_with_its_move() -> None:
    played_table = table()
    played_table.wait(5_000)
    played_table.press(2 * A + 1, held=True)
    played_table.press(2 * A + 1)
    assert "announced" in first(played_table).flags


def test_6s_a_dispute_is_noted_on_the_move_it_concerns() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.press(2 * A)
    played_table.wait(2_000)
    played_table.press(k.SEDZIA)
    assert "dispute" in first(played_table).flags


@pytest.mark.parametrize("kostka", [False, True])
def test_6h_an_undone_move_costs_one_tile_whether_or_not_it_is_seen_to_be_taken(kostka: bool) -> None:
    played_table = table()
    played_table.wait(43_000)
    if kostka:
        played_table.press(k.KOSTKA)
    played_table.wait(1_000)
    played_table.press(NEXT_DALEJ_OF_B)
    turn = first(played_table)
    assert (turn.how, turn.elapsed_ms, turn.overrun_ms) == ("timeout", 40_000, 4_000)
    assert (turn.ruling, turn.tiles) == ("undone", 1)


def test_6h_a_tile_drawn_in_time_is_the_only_one_even_if_the_move_is_undone() -> None:
    played_table = table()
    played_table.wait(30_000)
    played_table.press(k.KOSTKA)
    played_table.wait(15_000)
    played_table.press(NEXT_DALEJ_OF_B)
    assert (first(played_table).ruling, first(played_table).tiles) == ("undone", 1)


def test_tempo_limite_nobody_knows_the_tiles_before_they_are_counted() -> None:
    played_table = table()
    played_table.wait(41_000)
    assert turns(played_table.facts, rulings(played_table.facts, ITALY))[0].tiles is None


def test_without_rulings_the_log_shows_what_was_drawn() -> None:
    played_table = table()
    played_table.wait(41_000)
    assert (turns(played_table.facts)[0].tiles, turns(played_table.facts)[0].ruling) == (0, None)


def test_a_late_move_that_goes_on_is_one_turn_and_has_no_ruling() -> None:
    played_table = table()
    played_table.wait(41_000)
    played_table.order(k.C_STOP, k.REFEREE)
    played_table.order(k.C_GIVE_TIME, 10_000)
    played_table.wait(5_000)
    played_table.order(k.C_RESUME)
    played_table.wait(2_500)
    played_table.press(2 * A)
    turn = first(played_table)
    assert (turn.elapsed_ms, turn.how, turn.ruling, turn.tiles) == (42_500, "juz", None, 0)
    assert turn.flags == ("taken_up", "extra_time")


def test_every_millisecond_of_a_move_is_played_or_stopped() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.order(k.C_STOP, k.REFEREE)
    played_table.wait(31_000)
    played_table.order(k.C_SET_REMAINING, 20_000)
    played_table.order(k.C_RESUME)
    played_table.wait(4_000)
    played_table.press(2 * A)
    turn = first(played_table)
    assert turn.started is not None
    assert turn.ended is not None
    assert (turn.elapsed_ms, turn.stopped_ms, turn.flags) == (13_000, 31_000, ("corrected",))
    assert turn.ended[1] - turn.started[1] == 13_000 + 31_000


def test_a_seat_that_is_corrected_is_the_seat_of_the_turn() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.order(k.C_STOP, k.REFEREE)
    played_table.order(k.C_SET_SEAT, C)
    assert (first(played_table).seat, first(played_table).flags) == (C, ("seat_changed",))


def test_15_a_withdrawal_ends_the_move_and_the_next_seat_inherits_the_stop() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.order(k.C_STOP, k.REFEREE)
    played_table.wait(1_000)
    played_table.order(k.C_WITHDRAW, A)
    played_table.wait(2_000)
    played_table.order(k.C_RESUME)
    played_table.wait(3_000)
    played_table.press(2 * B)
    left, following, _ = log(played_table)
    assert (left.seat, left.how, left.elapsed_ms, left.stopped_ms) == (A, "withdrawn", 9_000, 1_000)
    assert (following.seat, following.elapsed_ms, following.stopped_ms) == (B, 3_000, 2_000)


def test_6q_an_empty_rack_held_by_mistake_is_one_turn() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.press(2 * A, held=True)
    assert first(played_table).how == "empty_rack"
    played_table.order(k.C_REOPEN, k.SAME_SEAT)
    played_table.wait(1_000)
    played_table.order(k.C_RESUME)
    assert first(played_table).how is None
    played_table.wait(6_000)
    played_table.press(2 * A)
    assert (first(played_table).elapsed_ms, first(played_table).how) == (15_000, "juz")
    assert first(played_table).flags == ("reopened",)


def test_6b_a_move_that_ended_before_its_game_did_stays_ended_when_the_game_goes_on() -> None:
    """Given a game that was over with its final lap, and a referee who lets it go on."""
    played_table = table()
    played_table.order(k.C_FINAL_LAP, k.ROUND_TIME)
    while played_table.clock.state == k.RUNNING:
        played_table.wait(9_000)
        played_table.press(2 * played_table.clock.seat)
    ended = log(played_table)
    played_table.order(k.C_REOPEN, k.SAME_SEAT)

    assert {turn.how for turn in ended} == {"juz"}
    assert [(turn.how, turn.elapsed_ms) for turn in log(played_table)][: len(ended)] == [("juz", 9_000)] * len(ended)
    assert len(log(played_table)) == len(ended) + 1


def test_6q_an_empty_rack_shown_wrongly_costs_a_tile_and_the_next_seat_moves() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.press(2 * A, held=True)
    played_table.order(k.C_REOPEN, k.NEXT_SEAT)
    undone, following = log(played_table)
    assert (undone.how, undone.ruling, undone.tiles, undone.flags) == ("empty_rack", "undone", 1, ("reopened",))
    assert following.seat == B


def test_6b_the_turns_of_a_redealt_game_are_kept_and_void() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.press(2 * A)
    played_table.wait(1_000)
    played_table.order(k.C_STOP, k.REFEREE)
    played_table.order(k.C_REDEAL)
    played_table.wait(60_000)
    played_table.order(k.C_SET_SEAT, A)
    played_table.order(k.C_START)
    assert [(turn.move, turn.void) for turn in log(played_table)] == [(1, True), (2, True), (1, False)]


def test_a_power_cut_is_noted_and_no_time_is_invented() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.cut_power(since_checkpoint=4_000)
    played_table.wait(10_000)
    played_table.order(k.C_RESUME)
    played_table.wait(2_000)
    played_table.press(2 * A)
    turn = first(played_table)
    assert (turn.elapsed_ms, turn.stopped_ms, turn.flags) == (7_000, 10_000, ("box_lost_power",))
    assert (turn.started, turn.ended) == ((1, 1_000), (2, 12_000))


def test_a_log_that_begins_within_a_move_says_so() -> None:
    played_table = table()
    played_table.wait(9_000)
    played_table.press(k.KOSTKA)
    played_table.press(2 * A + 1)
    begun = next(fact for fact in played_table.facts if fact.kind == k.TILE_DRAWN)
    partial, whole = turns(fact for fact in played_table.facts if fact.seq >= begun.seq)
    assert (partial.partial, partial.seat, partial.elapsed_ms, partial.tiles) == (True, A, 9_000, 1)
    assert not whole.partial


# --- whatever happened ------------------------------------------------------------------------------------------------

OTHER = "ffeeddccbbaa"


@given(played(), played(box=OTHER), st.data())
def test_in_whatever_order_and_however_often_facts_arrive_the_log_is_the_same(
    here: list[Fact], there: list[Fact], data: st.DataObject
) -> None:
    ruled = rulings(here + there, SCHOOL)
    expected = turns(here + there, ruled)
    arrivals = here + there + data.draw(st.lists(st.sampled_from(here + there), max_size=20))
    fold = Turns()
    for fact in data.draw(st.permutations(arrivals)):
        fold.add(fact)
    assert fold.turns(ruled) == expected
    for fact in arrivals:
        assert not fold.add(fact)


@given(played())
def test_the_log_read_after_every_fact_ends_as_the_log_read_once(facts: list[Fact]) -> None:
    fold = Turns()
    for fact in facts:
        fold.add(fact)
        fold.turns()
    assert fold.turns() == turns(facts)


@given(played())
def test_every_move_that_started_is_one_turn(facts: list[Fact]) -> None:
    seen = turns(facts, rulings(facts, SCHOOL))
    starts = [fact.seq for fact in facts if fact.kind == k.MOVE_STARTED]
    assert [turn.seq for turn in seen if not turn.partial] == starts
    for turn in seen:
        assert turn.how is None or turn.how in HOWS
        assert list(turn.flags) == [flag for flag in FLAGS if flag in turn.flags]
        assert turn.tiles in (0, 1)
        assert turn.seat in (A, B, C, D)


@given(played())
def test_within_one_boot_a_plain_move_is_its_elapsed_and_stopped_time(facts: list[Fact]) -> None:
    again = {"restarted", "taken_up", "reopened"}
    for turn in turns(facts):
        if turn.started and turn.ended and turn.started[0] == turn.ended[0] and not again & set(turn.flags):
            assert turn.elapsed_ms is not None
            assert turn.ended[1] - turn.started[1] == turn.elapsed_ms + turn.stopped_ms
