"""`dalej rules`: an organiser reads the regulations, copies one, changes it, plays by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dalej.domain.rules.rulesets import TOPICS, schema
from dalej.event.eventlog import ruleset_of
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.rulesets import rulebook
from tests.cli.conftest import Program


def test_list_shows_the_five(dalej: Program) -> None:
    lines = dalej("rules", "list").out.splitlines()
    assert [line.split()[0] for line in lines] == ["id", *rulebook.available()]
    assert lines[4].split()[-6:] == ["Rummikub", "league", "40", "s", "3–4", "4"]


def test_list_for_programs(dalej: Program) -> None:
    listed = {line["id"]: line for line in dalej("rules", "list", "--json").objects}
    assert listed["pl-championship"] == {
        "id": "pl-championship", "title": "Mistrzostwa Polski w Rummikub", "language": "pl", "shape": "championship",
        "limit_ms": 60_000, "seats_min": 3, "seats_max": 4, "games": 2,
    }  # fmt: skip


@pytest.mark.parametrize("name", rulebook.available())
def test_show_tells_every_value_and_passage_in_100_columns(dalej: Program, name: str) -> None:
    shown = dalej("rules", "show", name).out
    ruleset = rulebook.load(name)
    flat = " ".join(shown.split())
    assert all(rule.key in flat for rule in ruleset.rules)
    assert all(" ".join(text.quote.split()) in flat for text in ruleset.texts)
    assert all(sentence in flat for sentence in ruleset.sentences.values())
    assert max(map(len, shown.splitlines())) <= 100


def test_show_marks_what_is_ours_and_what_else_the_text_permits(dalej: Program) -> None:
    shown = dalej("rules", "show", "pl-eliminations").out
    assert "ours: Twenty-four is in both lines" in shown
    assert "the text permits as well: 40 s" in shown
    assert "final 1x2 rank takes 4 by table" in shown
    assert "the text permits any other value" in dalej("rules", "show", "school-league", "--clause", "6h").out


def test_show_for_programs_holds_everything(dalej: Program) -> None:
    (shown,) = dalej("rules", "show", "school-league", "--json").objects
    values = {value["key"]: value for value in shown["values"]}
    assert list(values) == list(schema())
    assert values["limit_ms"] == {
        "key": "limit_ms", "section": "clock", "value": 40_000, "clause": "6h", "ours": False, "why": "",
        "quote": "Obowiązuje limit czasu – 40 sekund na każdy ruch (można zmodyfikować).", "allows": [],
        "modifiable": True, "allows_clause": "", "allows_quote": "",
    }  # fmt: skip
    assert values["takes_invalid_tiles"]["value"] == "unknown"
    assert values["stages"]["value"][0]["id"] == "league"
    assert {text["topic"] for text in shown["texts"]} <= set(TOPICS)


def test_show_one_clause(dalej: Program) -> None:
    (shown,) = dalej("rules", "show", "school-league", "--clause", "6k", "--json").objects
    assert [value["key"] for value in shown["values"]] == ["touched_ruling"]
    assert [text["topic"] for text in shown["texts"]] == ["touching"]


@pytest.mark.parametrize(
    ("ruleset", "typed", "clause"),
    [
        ("school-league", "6H", "6h"), ("school-league", " 6 h", "6h"),
        ("pl-eliminations", "organizacja 14", "ORGANIZACJA 14"),
        ("pl-championship", "Zakończenie gry", "ZAKOŃCZENIE GRY"), ("it-classic", "IL JOLLY", "Il Jolly"),
    ],
)  # fmt: skip
def test_show_a_clause_however_it_is_written(dalej: Program, ruleset: str, typed: str, clause: str) -> None:
    for told in (["--clause", typed], [typed], [typed, "--clause", clause]):
        (shown,) = dalej("rules", "show", ruleset, *told, "--json").objects
        assert {text["clause"] for text in shown["texts"]} == {clause}
        assert {value["clause"] for value in shown["values"] if not value["allows_clause"]} <= {clause}


def test_gioco_a_clause_that_permits_another_value_shows_that_value(dalej: Program) -> None:
    shown = dalej("rules", "show", "it-classic", "--clause", "gioco").out
    assert "opening_joker_points" in shown
    assert "the text permits as well: 25" in shown


def test_show_one_topic(dalej: Program) -> None:
    shown = dalej("rules", "show", "school-league", "--topic", "gaps").out
    assert "pół wysokości kostki" in " ".join(shown.split())
    assert "limit_ms" not in shown


def test_show_only_the_passages(dalej: Program) -> None:
    (shown,) = dalej("rules", "show", "it-classic", "--texts", "--json").objects
    assert (shown["values"], len(shown["texts"])) == ([], len(rulebook.load("it-classic").texts))


def test_show_a_clause_there_is_not(dalej: Program) -> None:
    done = dalej("rules", "show", "it-classic", "--clause", "6h")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("it-classic has no clause 6h, expected one of Componenti del gioco")


def test_show_a_passage_there_is_not(dalej: Program) -> None:
    done = dalej("rules", "show", "it-classic", "--topic", "gaps")
    assert done.code == 1
    assert done.err.startswith("it-classic has no passage about that, expected one of deal")


def test_check_a_ruleset_that_is_clean(dalej: Program) -> None:
    done = dalej("rules", "check", "school-league")
    assert (done.code, done.out) == (0, "school-league.toml is clean\n")
    assert dalej("rules", "check", "school-league", "--json").objects == [
        {"file": "school-league.toml", "clean": True, "faults": []}
    ]


def test_check_says_all_that_is_wrong_at_once(dalej: Program, tmp_path: Path) -> None:
    dalej("rules", "copy", "school-league", "ours.toml")
    change(tmp_path / "ours.toml", ("value = 40_000", 'value = "40 s"'), ("games = 4", "games = 40"))
    done = dalej("rules", "check", "ours.toml")
    assert done.code == 1
    assert [line.split(" is ")[0].split(": ")[1] for line in done.out.splitlines()] == [
        "clock.limit_ms.value", "games of stage 1 in format.stages.value"
    ]  # fmt: skip
    assert done.err == "2 things to mend\n"
    (told,) = dalej("rules", "check", "ours.toml", "--json").objects
    assert [fault["sentence"] for fault in told["faults"]] == done.out.splitlines()


def test_check_a_file_there_is_not(dalej: Program) -> None:
    assert dalej("rules", "check", "none.toml").code == 1


def test_an_organiser_copies_one_changes_the_limit_and_uses_the_file(
    dalej: Program, script: Callable[[str], str], tmp_path: Path
) -> None:
    copied = dalej("rules", "copy", "school-league", "our-league.toml")
    assert copied.out.splitlines()[0] == "our-league.toml is a copy of school-league with the id our-league"
    change(tmp_path / "our-league.toml", ("value = 40_000", "value = 25_000"))
    assert dalej("rules", "check", "our-league.toml").code == 0

    game = script("1000 A.juz down\n1100 A.juz up\n28000 B.dalej down\n28100 B.dalej up\n")
    played = dalej("play", game, "--ruleset", "our-league.toml", "--json")
    assert played.code == 0, played.err
    assert [started["limit_ms"] for started in played.named("game_started")] == [25_000]
    assert [late["at_ms"] for late in played.named("time_ran_out")] == [26_000]

    assert dalej("event", "new", "our.dalej", "--ruleset", "our-league.toml", "--who", "Lis").code == 0
    with Ledger.open(tmp_path / "our.dalej") as ledger:
        assert (ruleset_of(read(ledger)).id, ruleset_of(read(ledger)).limit_ms) == ("our-league", 25_000)


def test_an_option_that_an_organiser_sets_counts_for_boxes_and_rulings(dalej: Program, tmp_path: Path) -> None:
    dalej("event", "new", "our.dalej", "--ruleset", "school-league", "--who", "Lis")
    assert dalej("event", "set", "our.dalej", "limit", "45 s", "--who", "Lis").code == 0
    with Ledger.open(tmp_path / "our.dalej") as ledger:
        assert ruleset_of(read(ledger)).limit_ms == 45_000


def test_a_copy_keeps_every_value(dalej: Program, tmp_path: Path) -> None:
    for name in rulebook.available():
        dalej("rules", "copy", name, f"copy-of-{name}.toml")
        copied, original = rulebook.load(tmp_path / f"copy-of-{name}.toml"), rulebook.load(name)
        assert (copied.id, copied.rules, copied.texts) == (f"copy-of-{name}", original.rules, original.texts)


@pytest.mark.parametrize(
    ("file", "name"),
    [("Nasza Łódź 2.toml", "nasza-lodz-2"), ("Школа.toml", "own"), ("school-league.toml", "school-league-own")],
)
def test_the_id_of_a_copy_is_made_of_the_file_s_name(dalej: Program, tmp_path: Path, file: str, name: str) -> None:
    assert dalej("rules", "copy", "school-league", file).code == 0
    assert rulebook.load(tmp_path / file).id == name


def test_a_copy_of_a_copy(dalej: Program, tmp_path: Path) -> None:
    dalej("rules", "copy", "it-classic", "one.toml")
    assert dalej("rules", "copy", "one.toml", "two.toml").code == 0
    assert rulebook.load(tmp_path / "two.toml").id == "two"


def test_a_copy_overwrites_nothing(dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text("mine", encoding="utf-8")
    done = dalej("rules", "copy", "school-league", "ours.toml")
    assert (done.code, done.err) == (1, "ours.toml is there already, expected a new file\n")
    assert (tmp_path / "ours.toml").read_text(encoding="utf-8") == "mine"


def test_a_copy_makes_no_folder(dalej: Program) -> None:
    done = dalej("rules", "copy", "school-league", "rules/ours.toml")
    assert done.code == 1
    assert done.err.startswith("rules/ours.toml cannot be written: ")


def test_a_file_of_others_cannot_steer_the_terminal(dalej: Program, tmp_path: Path) -> None:
    dalej("rules", "copy", "school-league", "ours.toml")
    change(tmp_path / "ours.toml", ("Szkolna Liga", "\\u001b[2JSzkolna"), ("Pozostałe kostki", "\\u001b[2J kostki"))
    assert "\x1b" not in dalej("rules", "show", "ours.toml").out


def change(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
