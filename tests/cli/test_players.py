"""`dalej players`, as an organiser runs it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Program

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def elimination(dalej: Program) -> str:
    """An elimination of 28 that has not begun."""
    assert dalej("event", "new", "final.dalej", "--ruleset", "pl-eliminations").code == 0
    assert dalej("players", "import", "final.dalej", str(EXAMPLES / "elimination-players.csv")).code == 0
    return "final.dalej"


def test_the_example_lists_hold_a_league_and_an_elimination(dalej: Program, elimination: str) -> None:
    assert len(dalej("players", "list", elimination, "--json").objects) == 28
    dalej("event", "new", "league.dalej", "--ruleset", "school-league")
    done = dalej("players", "import", "league.dalej", str(EXAMPLES / "league-players.csv"))
    assert done.out == "23 players are signed up: numbers 1 to 23\n"


def test_a_dry_run_shows_who_would_be_taken_and_takes_nobody(dalej: Program) -> None:
    dalej("event", "new", "league.dalej", "--ruleset", "school-league")
    Path("list.csv").write_text("imię;klasa;PESEL\nŁoś;4b;1\nGęś;4b;2\n", encoding="cp1250")
    done = dalej("players", "import", "league.dalej", "list.csv", "--dry-run")
    assert "Łoś" in done.out
    assert "2 players would be signed up: numbers 1 to 2" in done.out
    assert "not read, and not kept: PESEL" in done.out
    assert "read as cp1250" in done.out
    assert dalej("players", "list", "league.dalej", "--json").objects == []


def test_a_dry_run_tells_whose_consent_is_on_file_and_which_class_is_spelled_otherwise(dalej: Program) -> None:
    dalej("event", "new", "league.dalej", "--ruleset", "school-league")
    Path("list.csv").write_text("name;class;zgoda\nLis;5 b;tak\nGęś;5b;\n", encoding="utf-8")
    done = dalej("players", "import", "league.dalej", "list.csv", "--dry-run")
    assert "a parent's consent is on file: 1 of 2" in done.out
    assert "without a parent's consent on file: Gęś" in done.out
    assert "kept as first written: 5b → 5 b" in done.out


def test_nothing_is_half_imported(dalej: Program, elimination: str) -> None:
    Path("list.csv").write_text("name;qualified\nWilga;\nSowa;\n", encoding="utf-8")
    done = dalej("players", "import", elimination, "list.csv")
    assert (done.code, done.out) == (1, "")
    assert "list.csv, line 3: Sowa is player 2 already" in done.err
    assert len(dalej("players", "list", elimination, "--json").objects) == 28


def test_a_list_that_has_grown_is_read_again(dalej: Program, elimination: str) -> None:
    Path("list.csv").write_text("name\nSowa\nWilga\n", encoding="utf-8")
    done = dalej("players", "import", elimination, "list.csv", "--new-only")
    assert "1 player is signed up: number 29" in done.out
    assert "1 was signed up already" in done.out
    assert dalej("players", "import", elimination, "list.csv", "--new-only").out.startswith("nobody new")


def test_eliminations_14_a_qualified_player_of_a_list_is_refused_with_the_line(
    dalej: Program, elimination: str
) -> None:
    Path("list.csv").write_text("name;qualified\nWilga;tak\n", encoding="utf-8")
    done = dalej("players", "import", elimination, "list.csv")
    assert done.code == 1
    assert "list.csv, line 2: Wilga has already qualified" in done.err


def test_a_file_that_is_not_there_is_said(dalej: Program, elimination: str) -> None:
    assert "nowhere.csv cannot be read" in dalej("players", "import", elimination, "nowhere.csv").err


def test_a_namesake_gets_a_hint_behind_the_name(dalej: Program, elimination: str) -> None:
    assert "--namesake" in dalej("players", "add", elimination, "lis").err
    assert "Lis (4b) is player 29" in dalej("players", "add", elimination, "Lis", "--namesake", "4b").out


def test_what_somebody_types_as_a_name_cannot_steer_the_terminal(dalej: Program, elimination: str) -> None:
    done = dalej("players", "add", elimination, "\x1b[2JLis")
    assert done.code == 1
    assert "\x1b" not in done.err


def test_organizacja_14_eliminations_disqualify_outright(dalej: Program, elimination: str) -> None:
    done = dalej("players", "exclude", elimination, "los", "--why", "has qualified elsewhere")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Łoś is excluded.\nno warning has to come first [ORGANIZACJA 14: „Jeśli to uczni")
    assert "6u" not in done.out


def test_6u_a_league_warns_first_and_quotes_its_own_clause(dalej: Program) -> None:
    dalej("event", "new", "league.dalej", "--ruleset", "school-league")
    dalej("players", "add", "league.dalej", "Łoś")
    done = dalej("players", "exclude", "league.dalej", "los", "--why", "bites")
    assert done.code == 1
    assert done.err.startswith("Łoś has not been warned [6u: „Za niewłaściwe zachowanie")
    assert dalej("players", "exclude", "league.dalej", "los", "--why", "bites", "--without-warning").code == 0


@pytest.mark.parametrize("ruleset", ["pl-championship", "wejherowo-championship", "it-classic"])
def test_where_the_text_knows_no_warning_none_is_asked_for_and_no_clause_is_claimed(
    dalej: Program, ruleset: str
) -> None:
    dalej("event", "new", "e.dalej", "--ruleset", ruleset)
    dalej("players", "add", "e.dalej", "Łoś")
    assert dalej("players", "exclude", "e.dalej", "los", "--why", "bites").out == "Łoś is excluded.\n"


def test_a_player_withdraws_comes_back_is_warned_and_excluded(dalej: Program, elimination: str) -> None:
    assert dalej("players", "withdraw", elimination, "łoś").out == (
        "Łoś has left.\nThe way back: dalej players back final.dalej 13\n"
    )
    assert dalej("players", "back", elimination, "13").out == "Łoś plays on.\n"
    assert "warnings by now: 1" in dalej("players", "warn", elimination, "los", "--why", "bites").out
    assert dalej("players", "exclude", elimination, "los", "--why", "bites again").out == "Łoś is excluded.\n"
    told = next(one for one in dalej("players", "list", elimination, "--json").objects if one["player"] == 13)
    assert told["state"] == "excluded"
    assert [warning["why"] for warning in told["warnings"]] == ["bites"]


@pytest.mark.parametrize(("words", "answer", "leaves"), [((), "n\n", False), ((), "y\n", True), (("--yes",), "", True)])
def test_in_a_terminal_one_question_says_that_who_withdraws_leaves_the_whole_event(
    dalej: Program, elimination: str, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], answer: str, leaves: bool
) -> None:
    monkeypatch.setattr("dalej.cli.actcommand.is_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))

    done = dalej("players", "withdraw", elimination, "13", *words)

    assert done.err.count("Łoś leaves the whole event for good, not this round alone. Go on?") == int(not words)
    assert (done.code == 0, "The way back: dalej players back final.dalej 13" in done.out) == (leaves, leaves)
    told = next(one for one in dalej("players", "list", elimination, "--json").objects if one["player"] == 13)
    assert told["state"] == ("withdrawn" if leaves else "playing")


def test_whoever_leaves_in_the_middle_of_a_round_is_told_the_seat(dalej: Program, elimination: str) -> None:
    dalej("seat", "draw", elimination, "--seed", "7")
    assert "is skipped from now on" in dalej("players", "withdraw", elimination, "Sowa").out


def test_absent_players_are_named_and_who_is_seated_is_taken_off_the_table_instead(
    dalej: Program, elimination: str
) -> None:
    absent = dalej("players", "absent", elimination, "Lis", "2").out
    assert absent == "Lis, Sowa miss this round.\nPreliminaries, round 1, absent: 1 Lis, 2 Sowa\n"
    present = dalej("players", "present", elimination, "Lis", "2").out
    assert present == "Lis, Sowa are there.\nPreliminaries, round 1: nobody is absent\n"
    dalej("seat", "draw", elimination, "--seed", "7")
    refused = dalej("players", "absent", elimination, "Lis")
    assert (refused.code, "dalej players absent final.dalej Lis --free-seat does both" in refused.err) == (1, True)
    dalej("players", "absent", elimination, "Lis", "--free-seat")
    assert "the round is seated already" in dalej("players", "present", elimination, "Lis").out


@pytest.mark.parametrize(("answer", "misses"), [("n\n", False), ("y\n", True)])
def test_in_a_terminal_one_question_frees_the_seats_of_who_is_absent_and_one_undo_gives_them_back(
    dalej: Program, elimination: str, monkeypatch: pytest.MonkeyPatch, answer: str, misses: bool
) -> None:
    monkeypatch.setattr("dalej.cli.players.is_terminal", lambda: True)
    dalej("seat", "draw", elimination, "--seed", "7")
    before = dalej("seat", "show", elimination).out
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))

    asked = dalej("players", "absent", elimination, "Lis", "Sowa")

    assert re.search(r"Preliminaries, round 1 is seated: Lis \d[A-D], Sowa \d[A-D]\. Free the seats", asked.err), asked
    assert (asked.code == 0, dalej("seat", "show", elimination).out != before) == (misses, misses)
    if misses:
        assert "round 1, absent: 1 Lis, 2 Sowa" in asked.out
        assert dalej("undo", elimination, "--yes", "--why", "they came").code == 0
        assert dalej("seat", "show", elimination).out == before


def test_consents_that_lack_are_named_and_never_more_than_yes_and_no_is_kept(dalej: Program, elimination: str) -> None:
    assert "without a parent's consent on file: 1 Lis, 6 Jeż" in dalej("players", "list", elimination).out
    assert {one["consent"] for one in dalej("players", "list", elimination, "--json").objects} == {True, False}


def test_whoever_comes_late_is_told_what_gives_them_a_seat_in_the_round_that_is_seated(
    dalej: Program, elimination: str
) -> None:
    dalej("seat", "draw", elimination, "--seed", "7")
    told = dalej("players", "add", elimination, "Wilga").out
    assert "Wilga has no seat; dalej seat move final.dalej 29 new gives one" in told
    assert "has missed" not in told
    assert dalej("seat", "move", elimination, "29", "new", "--yes").code == 0


def test_a_rename_keeps_the_number(dalej: Program, elimination: str) -> None:
    done = dalej("players", "rename", elimination, "1", "Lis Rudy")
    assert done.out == "Player 1, Lis, is written Lis Rudy now (in public Lis R.).\n"


def test_a_group_alone_is_corrected_and_neither_name_nor_group_is_nothing_to_correct(
    dalej: Program, elimination: str
) -> None:
    dalej("players", "rename", elimination, "1", "--group", "")
    assert dalej("players", "rename", elimination, "1", "--group", "4b").out == "Player 1, Lis: – → 4b.\n"
    nothing = dalej("players", "rename", elimination, "1")
    assert nothing.code == 1
    assert "“name” was not given" in nothing.err


def test_who_is_named_twice_is_told_once(dalej: Program, elimination: str) -> None:
    assert dalej("players", "absent", elimination, "1", "Lis").out.startswith("Lis misses this round.\n")


@pytest.mark.parametrize(
    "command",
    ["add", "import", "template", "list", "rename", "withdraw", "back", "warn", "exclude", "absent", "present"],
)
def test_every_command_has_help_with_an_example(dalej: Program, command: str) -> None:
    assert f"dalej players {command}" in dalej("players", command, "--help").out


@pytest.mark.parametrize("suffix", ["xlsx", "csv"])
@pytest.mark.parametrize("language", ["en", "pl", "it"])
def test_a_template_is_read_again_in_every_language(
    dalej: Program, elimination: str, suffix: str, language: str
) -> None:
    assert dalej("--lang", language, "players", "template", f"list.{suffix}").code == 0
    assert "nobody new" in dalej("--lang", "en", "players", "import", elimination, f"list.{suffix}", "--dry-run").out
    assert dalej("players", "template", f"list.{suffix}").code == 1


@pytest.mark.parametrize(("language", "yes"), [("en", "yes"), ("pl", "tak"), ("it", "sì")])
def test_the_example_answers_in_the_readers_language_and_is_understood(
    dalej: Program, elimination: str, language: str, yes: str
) -> None:
    assert dalej("--lang", language, "players", "add", "--help").out.rstrip().endswith(f"--consent {yes}")
    assert dalej("--lang", language, "players", "add", elimination, "Lis Rudy", "--consent", yes).code == 0
