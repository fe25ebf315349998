"""What a table's screen says when no move is on, or the box cannot be heard: a sentence for every state and reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from dalej.domain.game.facts import END_REASONS, STOP_REASONS
from dalej.views.tablehints import hint
from moveclock import clock as c
from moveclock import facts as k
from moveclock import settings as rules
from tests.tui.clocks import JUZ, ROW, SCHOOL, a_clock, early_click, expired, face_of, played, running, stopped
from tests.tui.paper import an_alert


def test_a_time_out_says_who_decides_and_with_which_keys() -> None:
    said = played(replace(ROW, state="expired", left_ms=-9_000), expired())

    assert said.startswith("Time is over for Bóbr (A). Łasica (B) speaks for the table: j = ")
    assert "d = it was undone and the penalty tile taken" in said
    assert "s = call the referee" in said


def test_at_a_real_box_a_time_out_names_the_buttons_and_the_next_seat_in_play() -> None:
    row = replace(ROW, state="expired", left_ms=-9_000, out=0b0010)

    said = hint(row, None, SCHOOL)

    assert "Dzik (C) speaks for the table: Już = it stands, Dalej = it was undone" in said


def test_a_time_out_at_an_unknown_seat_leaves_it_to_the_next_player() -> None:
    assert "The next player speaks" in hint(replace(ROW, state="expired", seat=k.NOBODY), None, SCHOOL)


ADVANCES: Final = replace(SCHOOL, on_expiry="advance")


def test_a_table_that_does_not_wait_goes_on_by_itself() -> None:
    assert "the next move starts by itself" in hint(ROW, face_of(expired(), 43_000), ADVANCES)


def test_a_referee_called_at_a_time_out_is_on_the_way() -> None:
    clock = expired()
    clock.press(k.SEDZIA, False, 45_000)
    row = replace(ROW, state="expired", alerts=(an_alert(3, "referee", 1_000),))

    assert "The referee is called." in played(ROW, clock)
    assert "The referee is called." in hint(row, None, SCHOOL)


STANDS: Final = {
    "referee": "The referee is called", "dispute": "Dispute", "early_click": "claims a fresh move",
    "round_break": "A break", "box_lost_power": "without power",
}  # fmt: skip


@pytest.mark.parametrize("reason", STOP_REASONS)
@pytest.mark.parametrize("mine", [True, False])
def test_a_clock_that_stands_says_why_and_how_it_goes_on(reason: str, mine: bool) -> None:
    clock = running()
    clock.stop(2_000, STOP_REASONS.index(reason), k.TABLE)
    row = replace(ROW, state="stopped", reason=reason)

    said = played(ROW, clock) if mine else hint(row, None, SCHOOL)

    assert STANDS[reason] in said
    assert ("Shift+S" if mine else "holding Sędzia") in said


def test_what_a_desk_stopped_is_not_let_go_by_holding_a_button() -> None:
    clock = running()
    clock.stop(2_000, k.ROUND_BREAK, k.DESK)

    assert played(ROW, clock) == "A break: the clock stands. The desk has stopped it, and lets it go on."


def test_a_dispute_says_whose_move_it_is_about_and_may_be_taken_back() -> None:
    clock = early_click()
    clock.press(JUZ[1], False, 20_000)
    clock.press(k.SEDZIA, False, 22_000)

    assert "Dispute about the move of Łasica (B)" in played(ROW, clock, 23_000)
    assert "s again within 2 s takes the call back" in played(ROW, clock, 23_001)
    assert "takes the call back" not in played(ROW, clock, 25_001)


@pytest.mark.parametrize(("now", "count"), [(10_100, "3"), (11_100, "2"), (12_100, "1")])
def test_three_two_one_is_counted_down(now: int, count: str) -> None:
    clock = stopped()
    clock.press(k.SEDZIA, True, 10_000)

    assert f"the clock runs again in {count}." in played(ROW, clock, now)


def test_the_starter_is_told_to_start() -> None:
    row = replace(ROW, state="ready", seat=k.NOBODY, left_ms=None)

    assert "Game 1 is ready. Dzik (C) begins: j starts the clock." in played(row, a_clock(first=k.SEAT_C))


def test_with_no_starter_a_tap_names_one_and_the_next_starts() -> None:
    row = replace(ROW, state="ready", seat=k.NOBODY, left_ms=None)

    assert "j twice: Bóbr (A) begins; or choose another with 1 to 4" in played(row, a_clock(first=k.NOBODY))
    assert "presses Już twice" in hint(row, None, SCHOOL)


ENDS: Final = {
    "went_out": "Bóbr (A) has no tiles left", "bank_empty": "the bank is empty", "round_time": "the time of the round",
    "last_seat": "only one player is left", "desk": "the desk ended it",
}  # fmt: skip


@pytest.mark.parametrize("reason", END_REASONS)
def test_a_game_that_is_over_says_why_and_how_the_next_begins(reason: str) -> None:
    clock = running()
    clock.end_game(9_000, END_REASONS.index(reason), k.SEAT_A, False)
    row = replace(ROW, state="over", reason=reason, left_ms=None)

    assert ENDS[reason] in played(ROW, clock)
    assert "Shift+S (hold Sędzia): the next game." in played(ROW, clock)
    assert ENDS[reason] in hint(row, None, SCHOOL)


@pytest.mark.parametrize(("reason", "words"), [(k.BANK_EMPTY, ENDS["bank_empty"]), (k.WENT_OUT, "The game is over. ")])
def test_an_end_that_is_no_longer_in_the_journal_is_worked_out_or_left_open(reason: int, words: str) -> None:
    clock = running()
    if reason == k.BANK_EMPTY:
        clock.begin_lap(2_000, reason)
        clock.lap_mask, clock.lap_waits = 0, False
    clock.end_game(9_000, reason, k.SEAT_A, False)
    clock.facts.clear()

    assert words in played(ROW, clock)


def test_a_table_that_is_not_set_up_waits_for_the_desk() -> None:
    assert "not set up" in played(replace(ROW, state="idle", game=0), c.Clock(rules.Settings()))


def test_a_box_without_power_says_which_key_gives_it_back_and_what_then() -> None:
    said = played(ROW, running(), powered=False, inside=None)

    assert said.startswith("The box has no power. p gives it back; the clock then stands until Sędzia is held.")
    assert said.endswith("t gives the table back to its players, with power and reach.")


def test_a_box_out_of_reach_plays_on_and_says_which_key_brings_it_back() -> None:
    said = played(ROW, running(), 5_000, in_reach=False)

    assert "Bóbr (A) to move." in said
    assert "l brings the box back" in said


def test_a_silent_real_box_says_how_old_it_is_and_that_somebody_should_look() -> None:
    said = hint(replace(ROW, stale=True, age_ms=14_000), None, SCHOOL)

    assert "Nothing heard for 14 s: what is shown is old." in said
    assert "somebody should look" in said


@pytest.mark.parametrize("age_ms", [None, 0])
def test_a_table_of_which_nothing_is_known_says_so(age_ms: int | None) -> None:
    row = replace(ROW, state="unknown", seat=k.NOBODY, stale=age_ms is None, age_ms=age_ms)

    assert hint(row, None, SCHOOL) == "Nothing has been heard of this table yet."
