"""Verify: what a referee does at a stopped clock, and what happens to late moves, is held against the rules too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dalej.domain.game.facts import Fact
from dalej.domain.game.verify import Problem, verify
from moveclock import facts as k
from tests.domain.begun import NEXT_DALEJ_OF_B, go_out, lay, table
from tests.domain.tables import BOX, EPOCH, A, B, C, D, Journal, PlayedTable
from tests.domain.takeover import late, takes_over


def found(facts: list[Fact]) -> list[tuple[str, str]]:
    return [(problem.code, problem.sentence) for problem in verify(facts)]


def stopped() -> PlayedTable:
    """A's first move stands after 5 s."""
    at = table()
    at.wait(5_000)
    at.order(k.C_STOP, k.REFEREE)
    at.wait(2_000)
    return at


def goes_on(at: PlayedTable) -> PlayedTable:
    at.order(k.C_RESUME)
    at.wait(3_000)
    return at


def stopped_late() -> PlayedTable:
    """A's first move is over for 2 s, and a referee has stopped the clock for 6 s."""
    at = table()
    at.wait(42_000)
    at.order(k.C_STOP, k.REFEREE)
    at.wait(6_000)
    return at


# --- games of which the next tests change one fact -----


def another_seat() -> PlayedTable:
    at = stopped()
    at.order(k.C_SET_SEAT, C)
    lay(goes_on(at), C)
    return at


def another_seat_after_a_late_move() -> PlayedTable:
    at = stopped_late()
    at.order(k.C_SET_SEAT, C)
    return at


def a_seat_gone() -> PlayedTable:
    """C has left, and B is told to move in place of A."""
    at = stopped()
    at.order(k.C_WITHDRAW, C)
    at.order(k.C_SET_SEAT, B)
    return at


def the_mover_gone() -> PlayedTable:
    at = stopped()
    at.order(k.C_WITHDRAW, A)
    return at


def the_next_one_gone_after_a_late_move() -> PlayedTable:
    at = stopped_late()
    at.order(k.C_WITHDRAW, B)
    goes_on(at).press(2 * C)
    return at


def a_final_lap() -> PlayedTable:
    at = table()
    at.order(k.C_FINAL_LAP, k.ROUND_TIME)
    lay(at, A, B)
    return at


def corrected() -> PlayedTable:
    at = stopped()
    at.order(k.C_SET_REMAINING, 20_000)
    return goes_on(at)


def nothing_left() -> PlayedTable:
    at = stopped()
    at.order(k.C_SET_REMAINING, 0)
    return goes_on(at)


def extra_time() -> PlayedTable:
    at = stopped()
    at.order(k.C_GIVE_TIME, 10_000)
    return goes_on(at)


def a_bank_recounted() -> PlayedTable:
    at = stopped()
    at.order(k.C_SET_BANK, 30)
    lay(goes_on(at), A)
    return at


def a_tile() -> PlayedTable:
    at = table()
    at.wait(1_000)
    at.press(k.KOSTKA)
    return at


def a_late_move_that_stands() -> PlayedTable:
    at = stopped_late()
    goes_on(at).press(2 * B)
    return at


def a_late_move_undone() -> PlayedTable:
    """A has taken the penalty tile before B says that the move does not count."""
    at = table()
    at.wait(42_000)
    at.press(k.KOSTKA)
    at.press(NEXT_DALEJ_OF_B)
    return at


def reopened() -> PlayedTable:
    """A has shown an empty rack by mistake after 5 s, and goes on."""
    at = table()
    go_out(at, A)
    at.order(k.C_REOPEN, k.SAME_SEAT)
    return at


def dealt_anew() -> PlayedTable:
    at = stopped()
    at.order(k.C_REDEAL)
    at.order(k.C_START)
    lay(at, A)
    return at


def a_power_cut() -> PlayedTable:
    at = table()
    at.wait(5_000)
    at.cut_power()
    at.wait(10_000)
    return goes_on(at)


def taken_over_late() -> PlayedTable:
    spare = takes_over(late())
    goes_on(spare).press(2 * B)
    return spare


def taken_over_with_a_tile() -> PlayedTable:
    spare = takes_over(a_tile())
    return goes_on(spare)


def taken_over_with_a_penalty_tile() -> PlayedTable:
    first = late()
    first.press(k.KOSTKA)
    return goes_on(takes_over(first))


Played = Callable[[], PlayedTable]
Problems = list[tuple[str, str]]
CHANGES: list[tuple[Played, str, int, dict[str, Any], Problems]] = [
    (another_seat, "move_started", 2, {"seat": B}, [
        ("seat", "fact 12: seat B moves, but it is D's turn"),
    ]),
    (another_seat, "move_ended", 1, {"seat": A}, [
        ("seat", "fact 11: the move of seat C ends as one of seat A"),
        ("seat", "fact 12: seat D moves, but it is B's turn"),
    ]),
    (another_seat_after_a_late_move, "move_started", 2, {"seat": D}, [
        ("seat", "fact 10: seat D moves, but it is C's turn"),
    ]),
    (a_seat_gone, "seat_changed", 1, {"seat": C}, [
        ("seat", "fact 9: seat C is not in play"),
    ]),
    (the_mover_gone, "move_ended", 1, {"code": k.BY_JUZ}, [
        ("state", "fact 8: a move ends by juz while the clock stands"),
    ]),
    (the_next_one_gone_after_a_late_move, "move_started", 2, {"seat": D}, [
        ("seat", "fact 14: seat D moves, but it is C's turn"),
    ]),
    (a_final_lap, "move_started", 3, {"seat": D}, [
        ("seat", "fact 10: seat D moves, but it is C's turn"),
    ]),
    (corrected, "clock_resumed", 1, {"b": 19_999}, [
        ("remaining", "fact 9: clock_resumed says 19999 ms, the stamps say 20000 ms"),
    ]),
    (nothing_left, "clock_resumed", 1, {"b": 1}, [
        ("remaining", "fact 9: clock_resumed says 1 ms, the stamps say 0 ms"),
    ]),
    (nothing_left, "time_ran_out", 1, {"kind": k.CLOCK_RESUMED}, [
        ("state", "fact 11: clock_resumed cannot be while the clock is running"),
    ]),
    (nothing_left, "time_ran_out", 1, {"a": 5_001}, [
        ("elapsed", "fact 11: time_ran_out says 5001 ms, the stamps say 5000 ms"),
    ]),
    (extra_time, "extra_time_given", 1, {"a": 45_001}, [
        ("remaining", "fact 7: extra_time_given says 45001 ms, the stamps say 45000 ms"),
        ("remaining", "fact 9: clock_resumed says 45000 ms, the stamps say 45001 ms"),
    ]),
    (extra_time, "clock_resumed", 1, {"b": 44_999}, [
        ("remaining", "fact 9: clock_resumed says 44999 ms, the stamps say 45000 ms"),
    ]),
    (a_bank_recounted, "bank_corrected", 1, {"a": 49}, [
        ("bank", "fact 7: the bank held 49, expected 50"),
    ]),
    (a_bank_recounted, "move_ended", 1, {"c": 29}, [
        ("bank", "fact 11: the bank holds 29, expected 30"),
        ("bank", "fact 12: the bank holds 30, expected 29"),
    ]),
    (a_tile, "tile_drawn", 1, {"a": 999}, [
        ("elapsed", "fact 5: tile_drawn says 999 ms, the stamps say 1000 ms"),
    ]),
    (a_late_move_that_stands, "table_restored", 1, {"a": 4_999}, [
        ("overrun", "fact 11: table_restored says 4999 ms, the stamps say 5000 ms"),
    ]),
    (a_late_move_that_stands, "table_restored", 1, {"b": 1, "c": 49}, [
        ("bank", "fact 11: the bank holds 49, expected 50"),
        ("bank", "fact 12: the bank holds 50, expected 49"),
    ]),
    (a_late_move_that_stands, "table_restored", 1, {"kind": k.MOVE_RESTARTED}, [
        ("state", "fact 11: move_restarted cannot be while the clock is expired"),
        ("two_moves", "fact 12: move 2 starts while move 1 goes on"),
    ]),
    (a_late_move_undone, "table_restored", 1, {"c": 48}, [
        ("bank", "fact 8: the bank holds 48, expected 49"),
        ("bank", "fact 9: the bank holds 49, expected 48"),
    ]),
    (reopened, "game_reopened", 1, {"a": 34_999}, [
        ("remaining", "fact 7: game_reopened says 34999 ms, the stamps say 35000 ms"),
    ]),
    (dealt_anew, "move_started", 3, {"seat": C}, [
        ("seat", "fact 13: seat C moves, but it is B's turn"),
    ]),
    (a_power_cut, "clock_resumed", 1, {"a": 9_999}, [
        ("stopped", "fact 7: clock_resumed says 9999 ms, the stamps say 10000 ms"),
    ]),
    (taken_over_late, "move_started", 2, {"seat": C}, [
        ("seat", "fact 10: seat C moves, but it is B's turn"),
    ]),
    (taken_over_late, "table_restored", 1, {"c": 49}, [
        ("bank", "fact 9: the bank holds 49, expected 50"),
        ("bank", "fact 10: the bank holds 50, expected 49"),
    ]),
    (taken_over_with_a_tile, "clock_resumed", 1, {"kind": k.TILE_DRAWN, "code": 1, "c": 48}, [
        ("tile", "fact 7: a second tile is counted in move 1"),
    ]),
    (taken_over_with_a_penalty_tile, "clock_resumed", 1, {"kind": k.TILE_DRAWN, "code": 1, "c": 48}, [
        ("tile", "fact 7: a second tile is counted in move 1"),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("play", "name", "number", "changes", "problems"), CHANGES)
def test_one_changed_fact_is_told_with_all_that_does_not_fit_it(
    play: Played, name: str, number: int, changes: dict[str, Any], problems: Problems
) -> None:
    facts = play().facts
    changed = [fact for fact in facts if fact.name == name][number - 1]

    wrong = [replace(fact, **changes) if fact is changed else fact for fact in facts]

    assert found(facts) == []
    assert found(wrong) == problems


def test_a_final_lap_may_pass_over_a_seat_that_has_moved_already_after_somebody_moved_out_of_turn() -> None:
    at = a_final_lap()
    at.order(k.C_STOP, k.REFEREE)
    at.order(k.C_SET_SEAT, A)
    goes_on(at).press(2 * A)
    lay(at, C, D)

    assert [fact.seat for fact in at.facts if fact.name == "move_started"] == [A, B, C, C, D]
    assert at.clock.state == k.OVER
    assert found(at.facts) == []


def test_a_problem_says_in_which_journal_of_what_and_which_facts_it_concerns() -> None:
    journal = Journal()
    journal.play(A, 1, 0, 5_000, k.BY_JUZ)
    wrong = journal.write(k.MOVE_STARTED, 4_000, 2, B, a=40_000, c=50)

    (problem,) = verify(journal.facts)

    assert problem == Problem(
        BOX,
        EPOCH,
        (2, 3),
        "uptime_back",
        "fact {seq} is dated {earlier} ms before fact {before}",
        {"seq": wrong.seq, "fact": "move_started", "game": 1, "move": 2, "before": 2, "earlier": 1_000},
    )


def test_a_game_that_the_table_or_the_desk_begins_after_the_one_before_is_no_problem() -> None:
    at = table()
    go_out(at, A)
    at.press(k.SEDZIA, held=True)
    assert at.clock.game == 2
    at.order(k.C_CONFIGURE, 7, at.clock.settings, k.DESK)

    assert found(at.facts) == []


def test_after_a_restart_the_box_is_still_in_its_game() -> None:
    journal = Journal()
    journal.play(A, 1, 0, 5_000, k.BY_JUZ)
    journal.boot = 2
    journal.write(k.BOOTED, 0, 1)
    journal.game = 2
    journal.write(k.MOVE_STARTED, 9_000, 2, B, a=40_000, c=50)

    assert found(journal.facts) == [("game", "fact 4 is of game 2, but game 1 is on")]


def test_who_follows_in_a_deal_to_nobody_is_not_known() -> None:
    journal = Journal()
    journal.write(k.CONFIGURED, 0, 0, A, k.DESK, 40_000, 0, 50)
    journal.write(k.GAME_STARTED, 0, 0, A, k.DESK, 40_000, 0, 50)
    journal.play(A, 1, 0, 5_000, k.BY_JUZ)
    journal.play(D, 2, 5_000, 5_000, k.BY_JUZ)

    assert found(journal.facts) == []


@pytest.mark.parametrize(("boot", "problems"), [
    (0x7FFF, []),
    (0x8000, [("boot_back", "fact 2 is of boot 32768, after one of boot 0")]),
])  # fmt: skip
def test_boots_count_round_and_half_of_them_at_once_is_a_step_back(boot: int, problems: Problems) -> None:
    journal = Journal(boot=0)
    journal.write(k.REFEREE_CALLED, 0, 0)
    journal.boot = boot
    journal.write(k.REFEREE_CALLED, 0, 0)

    assert found(journal.facts) == problems


@pytest.mark.parametrize(("uptime_ms", "problems"), [
    (0x7FFFFFFF, []),
    (0x80000000, [("uptime_back", "fact 2 is dated 2147483648 ms before fact 1")]),
])  # fmt: skip
def test_uptime_counts_round_and_half_of_it_at_once_is_a_step_back(uptime_ms: int, problems: Problems) -> None:
    journal = Journal()
    journal.write(k.OPENING_ANNOUNCED, 0, 1, A)
    journal.write(k.OPENING_ANNOUNCED, uptime_ms, 1, A)

    assert found(journal.facts) == problems


def test_of_a_journal_with_a_single_fact_all_others_are_missed() -> None:
    journal = Journal()
    only = journal.write(k.OPENING_ANNOUNCED, 0, 1, A)

    assert [one.sentence for one in verify([only], head=3)] == ["facts 2 to 3 are missing"]
    assert [one.seqs for one in verify([only], head=2)] == [(2, 2)]


# --- while the flash failed -----


def two_moves_at_once(stray: int, fault: int, detail: int = 1) -> Journal:
    """A's move has no end, and B's begins; then so many presses that mean nothing, and a fault of the box."""
    journal = Journal()
    journal.write(k.MOVE_STARTED, 0, 1, A, a=40_000, c=50)
    journal.write(k.MOVE_STARTED, 9_000, 2, B, a=40_000, c=50)
    for _ in range(stray):
        journal.write(k.STRAY_TAP, 9_000, 2)
    journal.write(k.FAULT, 9_000, 2, code=fault, a=detail)
    return journal


TWO_MOVES = [("two_moves", "fact 2: move 2 starts while move 1 goes on")]


@pytest.mark.parametrize(("stray", "problems"), [(0, []), (62, []), (63, []), (64, TWO_MOVES), (500, TWO_MOVES)])
def test_what_a_box_held_when_its_flash_failed_is_not_held_against_the_table(stray: int, problems: Problems) -> None:
    assert found(two_moves_at_once(stray, k.E_FLASH_WRITE).facts) == problems


@pytest.mark.parametrize(("fault", "detail"), [(k.E_RADIO_HANDLER, 1), (k.E_FLASH_WRITE, 0)])
def test_a_fault_by_which_nothing_was_given_up_excuses_nothing(fault: int, detail: int) -> None:
    assert found(two_moves_at_once(0, fault, detail).facts) == TWO_MOVES


def test_what_a_failing_flash_took_directly_before_it_was_told_is_not_held_against_the_table() -> None:
    journal = Journal()
    journal.write(k.MOVE_STARTED, 0, 1, A, a=40_000, c=50)
    journal.write(k.FAULT, 9_000, 2, code=k.E_FLASH_WRITE, a=1)
    journal.write(k.MOVE_STARTED, 9_000, 2, B, a=40_000, c=50)

    assert found(journal.facts) == []
