"""What a table's screen says is going on and may be done: one sentence at least for every state and every reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from dalej.domain.facts import END_REASONS, STATES, STOP_REASONS
from dalej.hall.seen import Row
from dalej.live.messages import Face
from dalej.rulebook import load
from dalej.tui.widgets.hints import acting_seat, hint, state_of
from moveclock import clock as c
from moveclock import facts as k
from moveclock import settings as rules
from moveclock import view as v
from tests.tui.paper import a_row, an_alert

SCHOOL: Final = load("school-league")
ADVANCES: Final = replace(SCHOOL, on_expiry="advance")
JUZ: Final = (0, 2, 4, 6)
ROW: Final = a_row(3, limit_ms=40_000, left_ms=30_000)  # Bóbr, Łasica, Dzik, Sarna; A to move


def face_of(clock: c.Clock, now: int, **changes: object) -> Face:
    """The box of table 3 as its own firmware shows it."""
    shown = v.view(clock, now)
    face = Face(3, True, True, shown.displays, shown.ring, shown.lit, shown.blinking, 0, 0, True, True)
    return replace(face, **changes)  # type: ignore[arg-type]


def a_clock(*, first: int = k.SEAT_A, draw: int = rules.DRAW_FLAG) -> c.Clock:
    """A table's clock, ready for its first game, limit 40 s."""
    settings = rules.Settings()
    settings.limit_ms, settings.first, settings.draw = 40_000, first, draw
    clock = c.Clock(settings)
    clock.prepare(0, 1, first, k.DESK)
    return clock


def running() -> c.Clock:
    clock = a_clock()
    clock.press(JUZ[0], False, 1_000)
    return clock


def expired() -> c.Clock:
    clock = running()
    clock.expire(41_000)
    return clock


def stopped() -> c.Clock:
    clock = running()
    clock.press(k.SEDZIA, False, 2_000)
    return clock


def over() -> c.Clock:
    clock = running()
    clock.press(JUZ[0], True, 9_000)
    return clock


CLOCKS: Final = {
    "idle": lambda: c.Clock(rules.Settings()), "ready": a_clock, "running": running, "expired": expired,
    "stopped": stopped, "over": over,
}  # fmt: skip


def played(row: Row, clock: c.Clock, now: int = 50_000, **changes: object) -> str:
    return hint(row, face_of(clock, now, **changes), SCHOOL)


@pytest.mark.parametrize("state", STATES)
def test_the_box_alone_tells_in_which_state_it_is(state: str) -> None:
    assert state_of(face_of(CLOCKS[state](), 50_000)) == state


def test_the_seat_that_acts_is_the_one_whose_lamps_call() -> None:
    assert acting_seat(ROW, face_of(a_clock(first=k.SEAT_C), 0)) == k.SEAT_C
    assert acting_seat(ROW, face_of(a_clock(first=k.NOBODY), 0)) == k.SEAT_A
    assert acting_seat(ROW, face_of(running(), 5_000)) == k.SEAT_A
    assert acting_seat(ROW, face_of(expired(), 50_000)) == k.SEAT_B
    for clock in (stopped(), over()):
        assert acting_seat(ROW, face_of(clock, 50_000)) == k.NOBODY


def test_a_box_that_blinks_to_be_found_can_be_played_all_the_same() -> None:
    assert acting_seat(ROW, face_of(running(), 5_000, blinking=255)) == k.SEAT_A
    assert acting_seat(replace(ROW, out=0b0010), face_of(expired(), 50_000, blinking=255)) == k.SEAT_C
    assert acting_seat(ROW, face_of(over(), 50_000, blinking=255)) == k.NOBODY


def test_at_a_box_where_a_referee_is_called_the_seat_that_judges_acts() -> None:
    clock = expired()
    clock.press(k.SEDZIA, False, 45_000)

    assert acting_seat(replace(ROW, out=0b0010), face_of(clock, 50_000)) == k.SEAT_B


def test_no_seat_acts_at_a_box_without_power() -> None:
    assert acting_seat(ROW, face_of(running(), 5_000, powered=False)) == k.NOBODY


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
    said = played(replace(ROW, bank=0), running(), 5_000)

    assert "the bank is empty" in said
    assert "k, then d" not in said


def test_the_final_lap_is_announced() -> None:
    assert "Final lap" in played(replace(ROW, final_lap=True), running(), 5_000)


@pytest.mark.parametrize(("left_ms", "seconds"), [(37_000, 7), (36_999, 7), (30_001, 1)])
def test_an_early_click_names_who_may_claim_and_how_long(left_ms: int, seconds: int) -> None:
    row = replace(ROW, left_ms=left_ms, alerts=(an_alert(3, "early_click", 3_000, seat=3, urgent=False),))

    assert f"Bóbr (A) may press s within {seconds} s to claim a fresh move" in played(row, running(), 5_000)
    assert "Bóbr (A) may press Sędzia within" in played(row, running(), 5_000, mine=False)


def test_when_the_window_of_a_claim_is_over_nobody_is_told_to_claim() -> None:
    row = replace(ROW, left_ms=30_000, alerts=(an_alert(3, "early_click", 10_000, seat=3, urgent=False),))

    said = played(row, running(), 11_000)

    assert "Sarna (D) pressed Dalej before the tile was drawn." in said
    assert "claim" not in said


def test_what_the_log_says_of_an_older_move_is_not_said_of_this_one() -> None:
    row = replace(ROW, seat=2, alerts=(an_alert(3, "early_click", 1_000, seat=1, urgent=False),))

    assert "Dalej came before" not in played(row, running(), 5_000)


@pytest.mark.parametrize(("waiting_ms", "may"), [(1_000, True), (3_000, False)])
def test_a_dispute_in_a_move_waits_for_its_end_and_may_be_taken_back_at_once(waiting_ms: int, may: bool) -> None:
    row = replace(ROW, alerts=(an_alert(3, "dispute", waiting_ms),))

    said = played(row, running(), 5_000)

    assert "the clock stops when this move ends" in said
    assert ("takes the call back" in said) == may


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


def test_a_table_that_does_not_wait_goes_on_by_itself() -> None:
    row = replace(ROW, state="expired", left_ms=-2_000)

    assert "the next move starts by itself" in hint(row, face_of(expired(), 43_000), ADVANCES)


def test_a_referee_called_at_a_time_out_is_on_the_way() -> None:
    row = replace(ROW, state="expired", alerts=(an_alert(3, "referee", 1_000),))

    assert "The referee is called." in played(row, expired())


STANDS: Final = {
    "referee": "The referee is called", "dispute": "Dispute", "early_click": "claims a fresh move",
    "round_break": "A break", "box_lost_power": "without power",
}  # fmt: skip


@pytest.mark.parametrize("reason", STOP_REASONS)
@pytest.mark.parametrize("mine", [True, False])
def test_a_clock_that_stands_says_why_and_how_it_goes_on(reason: str, mine: bool) -> None:
    said = played(replace(ROW, state="stopped", reason=reason), stopped(), mine=mine)

    assert STANDS[reason] in said
    assert ("Shift+S" if mine else "holding Sędzia") in said


def test_a_dispute_says_whose_move_it_is_about_and_may_be_taken_back() -> None:
    dispute = an_alert(3, "dispute", 2_000, seat=3, stopped=True)
    row = replace(ROW, state="stopped", reason="dispute", alerts=(dispute,))

    assert "Dispute about the move of Sarna (D)" in played(row, stopped())
    assert "takes the call back" in played(row, stopped())
    assert "takes the call back" not in played(replace(row, alerts=(replace(dispute, waiting_ms=3_000),)), stopped())


def test_a_stop_that_the_log_does_not_know_yet_is_a_stop_all_the_same() -> None:
    assert played(ROW, stopped()).startswith("The clock stands. ")


@pytest.mark.parametrize(("now", "count"), [(10_100, "3"), (11_100, "2"), (12_100, "1")])
def test_three_two_one_is_counted_down(now: int, count: str) -> None:
    clock = stopped()
    clock.press(k.SEDZIA, True, 10_000)

    assert f"the clock runs again in {count}." in played(replace(ROW, state="stopped"), clock, now)


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
    said = played(replace(ROW, state="over", reason=reason, left_ms=None), over())

    assert ENDS[reason] in said
    assert "Shift+S (hold Sędzia): the next game." in said


def test_a_table_that_is_not_set_up_waits_for_the_desk() -> None:
    assert "not set up" in played(replace(ROW, state="idle", game=0), c.Clock(rules.Settings()))


def test_a_box_without_power_says_which_key_gives_it_back_and_what_then() -> None:
    said = played(ROW, running(), powered=False)

    assert said == "The box has no power. p gives it back; the clock then stands until Sędzia is held."


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


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("face", ["none", "looks", "plays"])
def test_every_state_is_told_in_one_to_five_sentences_that_fit(state: str, face: str) -> None:
    row = replace(ROW, state=state, seat=k.NOBODY if state in ("idle", "ready") else 0)
    seen = None if face == "none" else face_of(CLOCKS[state](), 50_000, mine=face == "plays", taken=face == "plays")

    said = hint(row, seen, SCHOOL)

    assert said.endswith((".", ")"))
    assert "{" not in said
    assert len(said) <= 3 * 70
