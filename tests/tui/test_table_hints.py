"""What a table's screen says is going on and may be done: one sentence at least for every state and every reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from textwrap import wrap
from typing import Any, Final

import pytest

from dalej.domain.facts import END_REASONS, STATES, STOP_REASONS
from dalej.hall.seen import Row
from dalej.live.messages import Face, Inside
from dalej.rulebook import load
from dalej.simulated.inside import Told, inside
from dalej.tui.widgets import remarks
from dalej.tui.widgets.hints import COLUMNS, LINES, hint
from dalej.tui.widgets.known import acting_seat
from moveclock import clock as c
from moveclock import facts as k
from moveclock import settings as rules
from moveclock import view as v
from tests.tui.paper import a_row, an_alert

SCHOOL: Final = load("school-league")
ADVANCES: Final = replace(SCHOOL, on_expiry="advance")
JUZ: Final = (0, 2, 4, 6)
ROW: Final = a_row(3, limit_ms=40_000, left_ms=30_000)  # Bóbr, Łasica, Dzik, Sarna; A to move


def knows(clock: c.Clock, now: int) -> Inside:
    """What the box of that clock would say of itself."""
    told = Told()
    for seq, fact in enumerate(clock.facts, 1):
        told.take(seq, fact)
    return inside(clock, now, told, {}, in_contact=True)


def face_of(clock: c.Clock, now: int, **changes: object) -> Face:
    """The box of table 3 as its own firmware shows it."""
    shown = v.view(clock, now)
    face = Face(
        3, True, True, shown.displays, shown.ring, shown.lit, shown.blinking, 0, 0, True, True, knows(clock, now)
    )  # fmt: skip
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


def early_click() -> c.Clock:
    """A passed without a tile at 5 s; B's move began there."""
    clock = running()
    clock.press(JUZ[0] + 1, False, 5_000)
    return clock


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


# --- what a press did not do -----


def test_a_remark_comes_first_and_what_may_be_done_after_it() -> None:
    said = hint(ROW, face_of(over(), 50_000), SCHOOL, remarks.no_seat(0))

    assert said.split("\n") == [
        "✗ Nobody's Już counts now.", "Shift+S (hold Sędzia): the next game. s = call the referee.",
    ]  # fmt: skip


def strays() -> dict[str, c.Clock]:
    """Clocks whose last press changed nothing, by what is said of it."""
    wrong, soon, late, begins, block = (
        running(),
        running(),
        expired(),
        a_clock(first=k.SEAT_C),
        a_clock(draw=rules.DRAW_BLOCK),
    )
    wrong.press(JUZ[2], False, 5_000)
    soon.press(JUZ[0], False, 1_100)
    late.press(JUZ[3], False, 45_000)
    begins.press(JUZ[0], False, 1_000)
    block.press(JUZ[0], False, 1_000)
    block.press(JUZ[0] + 1, False, 5_000)
    again = stopped()
    again.press(k.SEDZIA, False, 9_000)
    ended = over()
    ended.press(k.KOSTKA, False, 12_000)
    stands = stopped()
    stands.press(JUZ[0], False, 9_000)
    return {
        "It is the move of Bóbr (A), not of Dzik (C).": wrong, "Too soon: the move has only just begun.": soon,
        "Łasica (B) speaks for the table, not Sarna (D).": late, "Dzik (C) begins, not Bóbr (A).": begins,
        "No tile is taken yet: k, then d.": block, "Sędzia changes nothing now.": again,
        "There is no tile to take now.": ended, "Nobody's Już counts now.": stands,
    }  # fmt: skip


def test_a_press_that_changes_nothing_is_told_why() -> None:
    for words, clock in strays().items():
        assert remarks.changed_nothing(knows(clock, 50_000), ROW.names) == words


@pytest.mark.parametrize(("ms", "bar"), [(0, "░░░░░░░░░░ 0.0"), (1_200, "██████░░░░ 1.2"), (1_900, "█████████░ 1.9")])
def test_a_hold_that_is_under_way_fills_a_bar(ms: int, bar: str) -> None:
    face = face_of(over(), 50_000)
    assert face.inside is not None

    said = hint(ROW, replace(face, inside=replace(face.inside, holds=(k.SEDZIA, ms, 2_000))), SCHOOL)

    assert said.startswith(f"▼ hold Sędzia {bar} of 2.0 s\nShift+S")


# --- other states -----


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


FLAGS: Final = ("called", "drawn", "pending", "announced", "final_lap", "clicked")


def known_as(state: str) -> Iterator[Inside]:
    """The box's own word in that state with every combination of what changes its hint."""
    inside = knows(CLOCKS[state](), 50_000)
    reasons = range(5) if state in ("stopped", "over") else (k.NOBODY,)
    held = ((k.NOBODY, 0, 0), (k.SEDZIA, 900, 2_000))
    for flags in product([False, True], repeat=len(FLAGS) if state == "running" else 1):
        said: dict[str, Any] = dict(zip(FLAGS, flags, strict=False))
        for claim_s, withdraw_s, reason, holds in product((0, 10), (0, 3), reasons, held):
            yield replace(
                inside, **said, claim_s=claim_s, withdraw_s=withdraw_s, reason=reason, holds=holds,
                further=said.get("drawn", False),
            )  # fmt: skip


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("who", ["looks", "plays", "other"])
@pytest.mark.parametrize("in_reach", [True, False])
def test_every_combination_is_told_in_three_lines_that_fit(state: str, who: str, in_reach: bool) -> None:
    face = face_of(CLOCKS[state](), 50_000, mine=who == "plays", taken=who != "looks", in_reach=in_reach)
    row = replace(ROW, names=("Gżegżółka", "Trzmielojad", "Pliszka", "Pustułka"))
    remark = "" if in_reach else remarks.not_ours(face)
    for said_inside in known_as(state):
        said = hint(row, replace(face, inside=said_inside), SCHOOL, remark)

        assert said.endswith((".", ")"))
        assert "{" not in said
        assert sum(len(wrap(line, COLUMNS, break_on_hyphens=False)) for line in said.split("\n")) <= LINES, said


@pytest.mark.parametrize("state", STATES)
def test_what_the_hall_knows_is_told_in_three_lines_that_fit(state: str) -> None:
    row = replace(ROW, state=state, seat=k.NOBODY if state in ("idle", "ready") else 0)

    said = hint(row, None, SCHOOL)

    assert said.endswith((".", ")"))
    assert len(wrap(said, COLUMNS)) <= LINES
