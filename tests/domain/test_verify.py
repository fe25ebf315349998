"""Verify: silent about whatever a table can truly report, and it finds what was taken away or changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.facts import Fact
from dalej.domain.game.verify import verify
from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.evenings import evening
from tests.domain.tables import A, B, C, D, Journal, PlayedTable, played


def told(facts: list[Fact]) -> list[str]:
    return [problem.sentence for problem in verify(facts)]


def found(facts: list[Fact]) -> list[tuple[str, str]]:
    return [(problem.code, problem.sentence) for problem in verify(facts)]


@given(played())
def test_a_truthful_journal_has_no_problem(facts: list[Fact]) -> None:
    assert told(facts) == []


@given(played(), st.data())
def test_a_truthful_journal_read_from_any_point_on_has_no_problem(facts: list[Fact], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(facts) - 1))
    assert told(facts[first:]) == []


@given(played(), st.data())
def test_a_gap_is_named_and_is_the_only_problem(facts: list[Fact], data: st.DataObject) -> None:
    first = data.draw(st.integers(1, max(1, len(facts) - 2)))
    last = data.draw(st.integers(first, max(first, len(facts) - 2)))
    rest = facts[:first] + facts[last + 1 :]
    (problem,) = verify(rest, head=len(facts))
    assert (problem.code, problem.seqs) == ("missing", (first + 1, last + 1))
    assert verify(rest, head=len(facts), lost=[(first + 1, last + 1)]) == []


@pytest.mark.parametrize("which", range(12))
def test_a_long_evening_read_from_its_beginning_or_from_any_fact_on_has_no_problem(which: int) -> None:
    *_, table = evening(which)

    for first in range(0, len(table.facts), 40):
        assert told(table.facts[first:]) == []


# --- what it finds ----------------------------------------------------------------------------------------------------


def game() -> list[Fact]:
    """A few minutes at a table of four: laid, passed, late, stopped, late and undone. Numbers 1 to 19."""
    settings = rules.Settings()
    settings.limit_ms, settings.first = 40_000, A
    table = PlayedTable(settings)
    table.wait(1_000)
    table.press(2 * A)
    table.wait(12_000)
    table.press(2 * A)
    table.wait(3_000)
    table.press(k.KOSTKA)
    table.wait(1_000)
    table.press(2 * B + 1)
    table.wait(8_000)
    table.press(k.SEDZIA, held=True)
    table.wait(60_000)
    table.order(k.C_RESUME)
    table.wait(37_000)
    table.press(2 * D + 1)
    table.wait(5_000)
    table.press(2 * D)
    return table.facts


GAME = game()


def the(name: str, number: int = 1) -> Fact:
    """The game's first, second … fact of that name."""
    return [fact for fact in GAME if fact.name == name][number - 1]


def with_changed(changed: Fact) -> list[Fact]:
    return [changed if fact.seq == changed.seq else fact for fact in GAME]


def without(gone: Fact) -> list[Fact]:
    """The game as if that fact had never been written: no gap in the numbers."""
    return [replace(fact, seq=fact.seq - (fact.seq > gone.seq)) for fact in GAME if fact != gone]


def test_the_game_itself_is_clean() -> None:
    assert verify(GAME, baseline=0, head=len(GAME)) == []
    assert {"time_ran_out", "table_restored", "clock_resumed", "tile_drawn"} <= {fact.name for fact in GAME}


CHANGES = [
    (replace(the("move_ended"), a=11_999), "elapsed", "move_ended says 11999 ms, the stamps say 12000 ms"),
    (replace(the("move_ended"), a=90_000), "over_limit", "a move of 90000 ms, allowed were 40000 ms"),
    (replace(the("move_ended"), seat=C), "seat", "the move of seat A ends as one of seat C"),
    (replace(the("move_ended"), move=7), "no_move", "move 7 ends, but was not going on"),
    (replace(the("move_started", 2), seat=C), "seat", "seat C moves, but it is B's turn"),
    (replace(the("move_started", 2), move=3), "move", "move 3 follows move 1"),
    (replace(the("move_started", 2), game=2), "game", "is of game 2, but game 1 is on"),
    (replace(the("move_started", 2), game=0), "game", "move_started outside of any game"),
    (replace(the("tile_drawn"), c=48), "bank", "the bank holds 48, expected 49"),
    (replace(the("move_ended", 2), c=0xFFFF), "bank", "the bank holds 65535, expected 49"),
    (replace(the("clock_stopped"), a=40_000), "remaining", "clock_stopped says 40000 ms, the stamps say 32000 ms"),
    (replace(the("clock_resumed"), a=59_000), "stopped", "clock_resumed says 59000 ms, the stamps say 60000 ms"),
    (
        replace(the("clock_resumed"), uptime_ms=84_000),
        "stopped",
        "clock_resumed says 60000 ms, the stamps say 59000 ms",
    ),
    (replace(the("time_ran_out"), a=39_000), "early_time_out", "time ran out after 39000 of 40000 ms"),
    (replace(the("table_restored"), a=4_999), "overrun", "table_restored says 4999 ms, the stamps say 5000 ms"),
    (replace(the("table_restored"), move=2), "no_move", "a verdict on move 2, whose time did not run out"),
    (replace(the("move_ended", 2), uptime_ms=100), "uptime_back", "is dated 15900 ms before fact 7"),
    (replace(the("move_ended", 2), boot=0), "boot_back", "is of boot 0, after one of boot 1"),
    (replace(the("configured"), c=60), "bank", "the bank holds 50, expected 60"),
    (replace(the("clock_resumed"), kind=k.GAME_ENDED), "open_move", "the game ends, but move 3 goes on"),
    (replace(the("clock_resumed"), kind=k.TIME_RAN_OUT), "state", "time_ran_out cannot be while the clock is stopped"),
    (replace(the("game_started"), kind=k.GAME_REOPENED), "state", "game_reopened cannot be while the clock is ready"),
]


@pytest.mark.parametrize(("changed", "code", "sentence"), CHANGES, ids=[f"{one[1]}: {one[2]}" for one in CHANGES])
def test_a_changed_fact_is_a_problem_of_that_fact(changed: Fact, code: str, sentence: str) -> None:
    found = [problem for problem in verify(with_changed(changed)) if problem.code == code]
    assert any(sentence in problem.sentence for problem in found), told(with_changed(changed))


NEVER_WRITTEN = [
    (
        "move_ended",
        [
            ("two_moves", "fact 5: move 2 starts while move 1 goes on"),
            ("seat", "fact 5: seat B moves, but it is A's turn"),
        ],
    ),
    ("move_started", [("no_move", "fact 4: move 1 ends, but was not going on")]),
    ("time_ran_out", [("time_out", "fact 13: time_ran_out and the end of move 3 do not fit together")]),
    ("table_restored", [("bank", "fact 15: the bank holds 48, expected 49")]),
]


@pytest.mark.parametrize(("name", "problems"), NEVER_WRITTEN, ids=[name for name, _ in NEVER_WRITTEN])
def test_what_follows_a_fact_that_was_never_written_tells_of_it(name: str, problems: list[tuple[str, str]]) -> None:
    assert found(without(the(name))) == problems


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_move_that_never_started_is_found(number: int) -> None:
    assert verify(without(the("move_started", number))) != []


@pytest.mark.parametrize("name", ["move_ended", "clock_stopped", "clock_resumed", "time_ran_out", "table_restored"])
def test_a_fact_that_was_never_written_is_found_by_what_follows(name: str) -> None:
    assert verify(without(the(name))) != []


def test_a_fact_under_one_number_in_two_versions() -> None:
    other = replace(the("tile_drawn"), c=12)
    (problem,) = verify([*GAME, other])
    assert (problem.code, problem.seqs) == ("contradiction", (other.seq,))
    assert problem.sentence == f"fact {other.seq} was reported in two versions"


def test_the_same_fact_twice_is_no_problem() -> None:
    assert verify([*GAME, *GAME[3:7]]) == []


def test_a_second_counted_tile_in_one_move() -> None:
    journal = Journal()
    journal.write(k.MOVE_STARTED, 0, 1, A, a=40_000, c=50)
    journal.write(k.TILE_DRAWN, 100, 1, A, 1, 100, 0, 49)
    journal.write(k.TILE_DRAWN, 200, 1, A, 1, 200, 0, 48)
    assert found(journal.facts) == [("tile", "fact 3: a second tile is counted in move 1")]


def test_games_are_counted_by_one() -> None:
    journal = Journal()
    journal.write(k.CONFIGURED, 0, 0, A, k.DESK, 40_000, 15, 50)
    journal.write(k.GAME_STARTED, 0, 0, A, k.DESK, 40_000, 0, 50)
    journal.play(A, 1, 0, 5_000, k.BY_EMPTY_RACK)
    journal.write(k.GAME_ENDED, 5_000, 1, A, k.WENT_OUT)
    journal.game = 3
    journal.write(k.CONFIGURED, 9_000, 0, B, k.TABLE, 40_000, 15, 50)
    assert found(journal.facts) == [("game", "fact 6: game 3 follows game 1")]


def test_a_restart_in_an_earlier_move() -> None:
    journal = Journal()
    journal.play(A, 4, 0, 5_000, k.BY_JUZ)
    journal.boot = 2
    journal.write(k.BOOTED, 0, 3)
    sentence = "fact 3: the box restarts in game 1, move 3, but was further before"
    assert found(journal.facts) == [("restart", sentence)]


# --- what is missing ------------------------------------------------------------------------------------------------


def test_facts_before_the_baseline_are_not_missed() -> None:
    assert verify(GAME[5:], baseline=5) == []
    (problem,) = verify(GAME[5:], baseline=0)
    assert problem.sentence == "facts 1 to 5 are missing"


def test_facts_that_the_box_has_written_and_not_sent_are_missed() -> None:
    (problem,) = verify(GAME, head=len(GAME) + 1)
    assert problem.sentence == f"fact {len(GAME) + 1} is missing"


def test_what_the_box_said_it_lost_is_not_missed() -> None:
    journal = Journal(facts=list(GAME))
    lost = journal.write(k.RECORDS_LOST, 200_000, 5, a=6, b=9)
    rest = [fact for fact in journal.facts if not 6 <= fact.seq <= 9]
    assert verify([*rest, lost], baseline=0) == []


def test_what_was_given_up_while_the_flash_failed_is_not_held_against_the_table() -> None:
    journal = Journal(facts=without(the("move_ended")))
    assert verify(journal.facts) != []
    journal.write(k.FAULT, 200_000, 5, code=k.E_FLASH_WRITE, a=1)
    assert verify(journal.facts) == []


def test_an_empty_journal_is_whole() -> None:
    assert verify([]) == []


def test_uptime_may_wrap_within_a_move() -> None:
    shift = 2**32 - 20_000
    wrapped = [replace(fact, uptime_ms=(fact.uptime_ms + shift) % 2**32) for fact in GAME]
    assert verify(wrapped) == []
