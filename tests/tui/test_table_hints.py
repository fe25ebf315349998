"""What a table's screen says of a move that is on: who acts, with which keys, and what is still open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.views.tablehints import acting_seat, hint
from moveclock import facts as k
from tests.tui.clocks import (
    CLOCKS,
    JUZ,
    ROW,
    SCHOOL,
    a_clock,
    early_click,
    expired,
    knows,
    over,
    played,
    running,
    stopped,
)
from tests.tui.paper import a_row, an_alert


def test_the_seat_that_acts_is_the_one_whose_lamps_call() -> None:
    assert acting_seat(knows(a_clock(first=k.SEAT_C), 0)) == k.SEAT_C
    assert acting_seat(knows(a_clock(first=k.NOBODY), 0)) == k.SEAT_A
    assert acting_seat(knows(running(), 5_000)) == k.SEAT_A
    assert acting_seat(knows(expired(), 50_000)) == k.SEAT_B
    for clock in (stopped(), over()):
        assert acting_seat(knows(clock, 50_000)) == k.NOBODY


def test_the_seat_that_judges_is_the_next_that_still_plays() -> None:
    clock = expired()
    clock.press(k.SEDZIA, False, 45_000)
    clock.out = 0b0010

    assert acting_seat(knows(clock, 50_000)) == k.SEAT_C


def test_a_box_says_itself_what_the_hall_does_not_know_yet() -> None:
    nothing = a_row(3, state="unknown", seat=k.NOBODY, left_ms=None, bank=None, game=0)

    for state, clock in CLOCKS.items():
        assert played(nothing, clock()) == played(ROW, clock()), state


def test_who_plays_is_told_the_keys_of_a_running_move() -> None:
    said = played(ROW, running(), 5_000)

    assert said.startswith("Bóbr (A) to move.")
    for keys in ("j = ", "k, then d = ", "Shift+J = ", "s = "):
        assert keys in said


def test_who_only_looks_is_told_how_to_play_and_no_keys_of_the_box() -> None:
    said = played(ROW, running(), 5_000, mine=False, taken=False)

    assert "Bóbr (A) to move." in said
    assert "t = you play" in said
    assert "j = " not in said


def test_a_table_that_another_screen_plays_says_so() -> None:
    assert "Another screen plays this table." in played(ROW, running(), 5_000, mine=False, taken=True)


def test_an_empty_bank_asks_for_no_tile() -> None:
    clock = running()
    clock.bank = 0

    said = played(ROW, clock, 5_000)

    assert "the bank is empty" in said
    assert "k, then d" not in said


def test_the_final_lap_is_announced() -> None:
    clock = running()
    clock.begin_lap(2_000, k.ROUND_TIME)

    assert "Final lap" in played(ROW, clock, 5_000)


@pytest.mark.parametrize(("now", "seconds"), [(5_000, 10), (8_000, 7), (8_001, 7), (14_999, 1)])
def test_an_early_click_names_who_may_claim_and_how_long(now: int, seconds: int) -> None:
    clock = early_click()

    assert f"Łasica (B) may press s within {seconds} s to claim a fresh move" in played(ROW, clock, now)
    assert "Łasica (B) may press Sędzia within" in played(ROW, clock, now, mine=False)


@pytest.mark.parametrize(("left_ms", "seconds"), [(37_000, 7), (36_999, 7), (30_001, 1)])
def test_at_a_real_box_the_window_of_a_claim_is_worked_out(left_ms: int, seconds: int) -> None:
    row = replace(ROW, left_ms=left_ms, alerts=(an_alert(3, "early_click", 3_000, seat=3, urgent=False),))

    assert f"Bóbr (A) may press Sędzia within {seconds} s" in hint(row, None, SCHOOL)


def test_when_the_window_of_a_claim_is_over_nobody_is_told_to_claim() -> None:
    said = played(ROW, early_click(), 15_000)

    assert "Bóbr (A) pressed Dalej before the tile was drawn." in said
    assert "claim" not in said


def test_what_the_log_says_of_another_move_is_not_said_of_this_one() -> None:
    row = replace(ROW, alerts=(an_alert(3, "early_click", 1_000, seat=1, urgent=False), an_alert(3, "dispute", 9)))

    said = played(row, running(), 5_000)

    assert "Dalej came before" not in said
    assert "A dispute:" not in said


def test_a_claim_may_be_taken_back_at_once_and_no_longer() -> None:
    clock = early_click()
    clock.press(k.SEDZIA, False, 7_000)

    assert "s again within 3 s takes the call back. k = the missing tile." in played(ROW, clock, 7_100)
    assert "takes the call back" not in played(ROW, clock, 10_001)


@pytest.mark.parametrize(("now", "within"), [(10_500, "3 s"), (12_999, "1 s"), (13_001, "")])
def test_a_dispute_in_a_move_waits_for_its_end_and_may_be_taken_back_at_once(now: int, within: str) -> None:
    clock = running()
    clock.press(k.SEDZIA, False, 10_000)

    said = played(ROW, clock, now)

    assert "the clock stops when this move ends" in said
    assert "s = a dispute" not in said
    assert (f"s again within {within} takes the call back" in said) == bool(within)


def test_at_a_real_box_a_dispute_in_a_move_waits_for_its_end() -> None:
    said = hint(replace(ROW, alerts=(an_alert(3, "dispute", 1_000),)), None, SCHOOL)

    assert "A dispute: the clock stops when this move ends." in said
    assert "takes the call back" not in said


def test_a_tile_that_is_taken_leaves_only_the_pass_and_a_second_one_is_seen() -> None:
    clock = running()
    clock.press(k.KOSTKA, False, 5_000)
    assert "A tile is taken: d = pass (Dalej)." in played(ROW, clock, 5_500)
    assert "j = " not in played(ROW, clock, 5_500)
    assert "One tile a move" not in played(ROW, clock, 5_500)

    clock.press(k.KOSTKA, False, 6_000)

    assert "One tile a move is enough: the referee sees more." in played(ROW, clock, 6_500)


def test_an_announced_opening_is_said_until_the_move_ends() -> None:
    clock = running()
    assert "Shift+D = „Wyłożę się w następnej rundzie”" in played(ROW, clock, 4_000)
    clock.press(JUZ[0] + 1, True, 5_000)
    said = played(ROW, clock, 6_500)
    assert "Bóbr (A) announced: „Wyłożę się w następnej rundzie”." in said
    assert "Shift+D" not in said

    clock.press(JUZ[0], False, 9_000)

    assert "announced" not in played(ROW, clock, 9_500)


def test_a_call_that_play_has_overtaken_is_still_told_in_the_next_move() -> None:
    clock = expired()
    clock.press(k.SEDZIA, False, 45_000)
    clock.press(JUZ[1], False, 47_000)
    assert "The referee was called; play goes on." in played(ROW, clock, 47_500)

    clock.press(JUZ[1], False, 50_000)

    assert "The referee" not in played(ROW, clock, 50_500)
