"""The event goes without saying: it is the one used last in this folder, or the only one there."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.cli.conftest import Program


def new(dalej: Program, file: str) -> str:
    assert dalej("event", "new", file, "--ruleset", "school-league", "--name", Path(file).stem).code == 0
    return file


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("DALEJ_HOME", str(tmp_path_factory.mktemp("home")))


def test_the_event_used_last_in_this_folder_is_meant_and_said(dalej: Program) -> None:
    new(dalej, "spring.dalej")
    new(dalej, "autumn.dalej")
    assert dalej("players", "list", "spring.dalej").err == ""

    done = dalej("players", "add", "Lis")

    assert done.code == 0
    assert done.err.splitlines()[0] == "Event: spring.dalej"
    assert [one["name"] for one in dalej("players", "list", "spring.dalej", "--json").objects] == ["Lis"]
    assert dalej("players", "list", "autumn.dalej", "--json").objects == []


def test_what_is_used_last_is_kept_for_each_folder_and_never_beside_the_event(
    dalej: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    new(dalej, "here.dalej")
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.chdir(there)
    new(dalej, "there.dalej")
    monkeypatch.chdir(tmp_path)

    done = dalej("event", "show", "--json")

    assert (done.objects[0]["name"], done.err) == ("here", "Event: here.dalej\n")
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {"here.dalej", "there.dalej"}


def test_the_only_event_of_a_folder_is_meant_though_nobody_has_used_it_here(dalej: Program, tmp_path: Path) -> None:
    new(dalej, "league.dalej")
    (tmp_path / "moved").mkdir()
    for name in ("league.dalej", "league.league-1.backup.dalej"):
        (tmp_path / "moved" / name).write_bytes((tmp_path / "league.dalej").read_bytes())

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path / "moved")
        done = dalej("event", "show")

    assert (done.code, done.err) == (0, "Event: league.dalej\n")


def test_where_there_is_none_or_several_or_it_is_gone_the_command_is_refused_and_says_so(
    dalej: Program, tmp_path: Path
) -> None:
    none = dalej("seat", "draw")
    new(dalej, "one.dalej")
    (tmp_path / "one.dalej").unlink()
    gone = dalej("seat", "draw")
    other = tmp_path / "other"
    other.mkdir()
    for file in ("a.dalej", "b.dalej"):
        (other / file).write_bytes(b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(other)
        several = dalej("seat", "draw")

    assert (none.code, gone.code, several.code) == (1, 1, 1)
    assert "there is no event in this folder" in none.err
    assert "one.dalej, the event used last in this folder, is not there any more" in gone.err
    assert "a.dalej, b.dalej" in several.err


def test_a_copy_of_a_closed_round_is_looked_at_and_never_gone_on_with(dalej: Program, tmp_path: Path) -> None:
    new(dalej, "league.dalej")
    copy = tmp_path / "league.league-1.backup.dalej"
    copy.write_bytes((tmp_path / "league.dalej").read_bytes())

    assert dalej("event", "show", copy.name).code == 0
    assert dalej("event", "show").err == "Event: league.dalej\n"


def test_words_behind_the_event_are_not_taken_for_it(dalej: Program, tmp_path: Path) -> None:
    new(dalej, "league.dalej")
    for name in ("Lis", "Sowa"):
        dalej("players", "add", name)
    (tmp_path / "Lis").write_text("a file, and no event", encoding="utf-8")

    assert dalej("players", "absent", "Lis", "Sowa").code == 0
    assert dalej("event", "set", "name", "Liga").code == 0
    assert dalej("players", "withdraw", "Lis").code == 0
    assert dalej("undo", "4", "--yes").code == 1  # a number, and no file

    state = dalej("event", "show", "league.dalej", "--json").objects[0]
    assert (state["name"], state["players"]) == ("Liga", 1)


def test_an_event_by_another_name_and_one_that_is_mistyped_are_known_by_their_place(
    dalej: Program, tmp_path: Path
) -> None:
    new(dalej, "league.dalej")
    (tmp_path / "league.dalej").rename(tmp_path / "liga")

    assert dalej("players", "absent", "liga", "Lis").err.startswith("there is no player")
    assert "legue does not exist" in dalej("players", "withdraw", "legue", "Lis").err
    assert "legue.dalej does not exist" in dalej("players", "absent", "legue.dalej", "Lis").err


def test_help_and_wrong_usage_ask_for_no_event(dalej: Program) -> None:
    helped = dalej("seat", "draw", "--help")
    wrong = dalej("players", "add", "Lis", "--no-such")

    assert (helped.code, helped.err) == (0, "")
    assert (wrong.code, "No such option" in wrong.err) == (2, True)


def test_the_question_of_what_cannot_be_undone_names_the_event(dalej: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    new(dalej, "league.dalej")
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))

    assert "league.dalej for good?" in dalej("form", "erase").err


def test_the_only_name_behind_backup_that_is_none_yet_is_the_copy_of_the_usual_event(dalej: Program) -> None:
    new(dalej, "league.dalej")
    done = dalej("event", "backup", "copy.dalej")
    assert (done.code, "league.dalej is copied to copy.dalej" in done.out) == (0, True), done
    assert "--overwrite" not in done.err


def test_a_class_is_known_as_a_group(dalej: Program) -> None:
    new(dalej, "league.dalej")
    done = dalej("players", "add", "Lis", "--klasa", "4b")
    assert (done.code, "--klasa" in done.err, "--group" in done.err) == (2, True, True)
