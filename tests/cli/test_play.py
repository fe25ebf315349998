"""`dalej play`: what it prints, what it keeps, what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Program

Script = Callable[[str], str]

GAME = """
# A starts, lays; B forgets the time; C says it was undone
1000 A.juz down
1100 A.juz up
6000 A.juz down
6100 A.juz up
50000 C.dalej down
50100 C.dalej up
"""


def test_every_fact_and_one_ruling_a_time_out_as_json_lines(dalej: Program, script: Script) -> None:
    done = dalej("play", script(GAME), "--ruleset", "school-league", "--json")

    assert done.code == 0
    assert [fact["fact"] for fact in done.facts] == [
        "booted", "configured", "command_applied", "game_started", "move_started", "move_ended", "move_started",
        "time_ran_out", "move_ended", "table_restored", "move_started",
    ]  # fmt: skip
    assert [fact["seq"] for fact in done.facts] == list(range(1, 12))
    laid, late = done.named("move_ended")
    assert (laid["at_ms"], laid["seat"], laid["elapsed_ms"], laid["how"]) == (6000, "A", 5000, "juz")
    assert (late["at_ms"], late["seat"], late["elapsed_ms"], late["how"]) == (46_000, "B", 40_000, "timeout")
    (restored,) = done.named("table_restored")
    assert (restored["seat"], restored["overrun_ms"], restored["verdict"]) == ("B", 4000, "undone")
    (ruling,) = done.rulings
    (over,) = done.named("time_ran_out")
    assert ruling["of_seq"] == over["seq"]
    assert "seq" not in ruling
    assert (ruling["ruling"], ruling["seat"], ruling["move"], ruling["tiles"]) == ("undone", "B", 2, 1)
    assert (ruling["provisional"], ruling["clause"]) == (False, "6h")


def test_until_somebody_rules_the_ruling_is_provisional(dalej: Program, script: Script) -> None:
    quiet = GAME.replace("50000 C.dalej down\n50100 C.dalej up", "50000 D.juz down\n50100 D.juz up")

    done = dalej("play", script(quiet), "--ruleset", "school-league", "--json")

    (ruling,) = done.rulings
    assert (ruling["ruling"], ruling["tiles"], ruling["provisional"]) == ("undone", 1, True)


def test_it_classic_takes_every_invalid_tile_and_nobody_has_counted_them(dalej: Program, script: Script) -> None:
    done = dalej("play", script("0 desk start\n130000 desk stop referee"), "--ruleset", "it-classic", "--first", "B",
                 "--json")  # fmt: skip

    (ruling,) = done.rulings
    assert (ruling["ruling"], ruling["seat"], ruling["tiles"]) == ("takes_invalid", "B", None)


def test_a_refused_command_is_a_fact_and_no_failure(dalej: Program, script: Script) -> None:
    done = dalej("play", script("500 desk resume"), "--ruleset", "school-league", "--json")

    assert done.code == 0
    (refused,) = done.named("command_refused")
    assert (refused["at_ms"], refused["command"], refused["reason"]) == (500, "resume", "state")


def test_a_command_without_a_link_is_said_in_words_and_never_queued(dalej: Program, script: Script) -> None:
    text = "1000 desk start\n2000 link off\n3000 desk stop referee\n4000 link on\n9000 desk stop dispute"

    done = dalej("play", script(text), "--ruleset", "school-league", "--json")

    assert done.code == 0
    assert "line 3: no link to the box, stop was not sent" in done.err
    (stopped,) = done.named("clock_stopped")
    assert (stopped["at_ms"], stopped["reason"]) == (9000, "dispute")


def test_for_people_it_is_a_table(dalej: Program, script: Script) -> None:
    done = dalej("play", script(GAME), "--ruleset", "school-league")

    assert "A: Już after 5.0 s" in done.out
    assert "the table ruled: undone, 1 tile (regulation, 6h)" in done.out


def test_an_event_file_keeps_the_game(dalej: Program, script: Script) -> None:
    assert dalej("play", script(GAME), "--ruleset", "school-league", "--event", "e.dalej").code == 0

    shown = dalej("log", "show", "e.dalej", "--json")

    assert [(turn["player"], turn["how"]) for turn in shown.objects[:2]] == [("1A", "juz"), ("1B", "timeout")]
    assert dalej("log", "verify", "e.dalej").code == 0


def test_an_event_file_that_is_there_is_left_alone(dalej: Program, script: Script, tmp_path: Path) -> None:
    (tmp_path / "e.dalej").write_text("mine")

    done = dalej("play", script(GAME), "--ruleset", "school-league", "--event", "e.dalej")

    assert done.code == 1
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert (tmp_path / "e.dalej").read_text() == "mine"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("A.juz down", "expected a time in whole milliseconds, found A.juz"),
        ("-5 A.juz down", "expected a time in whole milliseconds, found -5"),
        ("1.5 A.juz down", "expected a time in whole milliseconds, found 1.5"),
        ("5 E.juz down", "E.juz is not known"),
        ("5 A.juz sideways", "expected up | down, found sideways"),
        ("5 A.juz", "expected a line such as 1000 A.juz down"),
        ("5 desk dance", "dance is not a command"),
        ("5 desk stop", "stop takes one argument (reason), found 0"),
        ("5 desk stop lunch", "stop takes one of referee, dispute, early_click, round_break, found lunch"),
        ("5 desk set_remaining soon", "set_remaining takes a number"),
        ("5 desk set_seat E", "set_seat takes one of A, B, C, D, found E"),
        ("5 desk resume now", "resume takes no argument"),
        ("5 link maybe", "expected off | on, found maybe"),
        ("5 power on", "power is on already"),
        ("5 A.juz down\n6 A.juz down", "A.juz is down already"),
        ("9 A.juz down\n8 A.juz up", "8 ms is before the line above"),
        ("99999999999 A.juz down", "expected a time in whole milliseconds"),
    ],
)
def test_a_wrong_line_is_one_sentence_with_file_and_line(
    dalej: Program, script: Script, tmp_path: Path, line: str, words: str
) -> None:
    path = script(f"# a comment\n\n{line}\n")

    done = dalej("play", path, "--ruleset", "school-league", "--event", "e.dalej", "--json")

    number = 2 + len(line.splitlines())
    assert done.code == 1
    assert done.out == ""
    assert done.err.startswith(f"{path}, line {number}: ")
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "e.dalej").exists()


def test_an_unknown_ruleset_names_those_there_are(dalej: Program, script: Script) -> None:
    done = dalej("play", script(GAME), "--ruleset", "chess")

    assert done.code == 1
    assert "chess is not a ruleset" in done.err
    assert "school-league" in done.err


def test_an_organisers_own_ruleset_is_used(dalej: Program, script: Script, tmp_path: Path) -> None:
    from dalej.rulesets import rulebook

    text, _ = rulebook.source("school-league")
    own = tmp_path / "own.toml"
    own.write_text(text.replace("value = 40_000", "value = 30_000", 1).replace('id = "school-league"', 'id = "own"'))

    done = dalej("play", script("0 desk start\n35000 desk stop referee"), "--ruleset", str(own), "--json")

    assert done.named("time_ran_out")[0]["at_ms"] == 30_000


@pytest.mark.parametrize("missing", [["play"], ["play", "x.txt"], ["play", "x.txt", "--ruleset", "a", "--draw", "b"]])
def test_wrong_usage_is_exit_code_2(dalej: Program, missing: list[str]) -> None:
    assert dalej(*missing).code == 2


def test_a_missing_or_unreadable_script_is_refused(dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"1000 A.juz down\n\xff\xfe")

    missing = dalej("play", "nowhere.txt", "--ruleset", "school-league")
    folder = dalej("play", str(tmp_path), "--ruleset", "school-league")
    binary = dalej("play", "binary", "--ruleset", "school-league")

    assert [done.code for done in (missing, folder, binary)] == [1, 1, 1]
    assert missing.err.startswith("nowhere.txt cannot be read")
    assert binary.err == "binary, line 2: expected text in UTF-8\n"


def test_seats_must_be_two_to_four_different_letters(dalej: Program, script: Script) -> None:
    for seats in ("A", "AA", "ABE", "ABCDA"):
        assert dalej("play", script(GAME), "--ruleset", "school-league", "--seats", seats).code == 1


def test_thirteen_idle_days_pass_in_a_moment_and_the_counter_wraps_unseen(dalej: Program, script: Script) -> None:
    days = 13 * 86_400_000
    text = (
        f"1000 link off\n{days} A.juz down\n{days + 100} A.juz up\n{days + 5000} A.juz down\n{days + 5100} A.juz up\n"
    )

    done = dalej("play", script(text + f"{days + 6000} link on"), "--ruleset", "school-league", "--json")

    (ended,) = done.named("move_ended")
    assert (ended["at_ms"], ended["elapsed_ms"]) == (days + 5000, 5000)


def test_polish_is_spoken_on_request_and_json_never_changes(dalej: Program, script: Script) -> None:
    path = script(GAME)

    english = dalej("--lang", "en", "play", path, "--ruleset", "school-league")
    polish = dalej("--lang", "pl", "play", path, "--ruleset", "school-league")
    as_json = [dalej("--lang", lang, "play", path, "--ruleset", "school-league", "--json").out for lang in ("en", "pl")]

    assert english.out != polish.out
    assert as_json[0] == as_json[1]
