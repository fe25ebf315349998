"""`dalej` with nothing behind it: in a terminal a page to begin from, elsewhere the help."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from dalej.cli import screen
from tests.cli.conftest import Done, Program


class Terminal(io.StringIO):
    """Somebody who types these lines."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The events of which a screen was opened."""
    opened: list[str] = []
    monkeypatch.setattr(screen, "screen", lambda event, who, public: opened.append(event))
    return opened


@pytest.fixture
def at_start(dalej: Program, monkeypatch: pytest.MonkeyPatch, shown: list[str]) -> Callable[..., Done]:
    """`dalej` in a terminal, where these lines are typed."""

    def run(*lines: str) -> Done:
        monkeypatch.setattr("sys.stdin", Terminal("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        return dalej()

    return run


def new(dalej: Program, file: str, name: str, day: str) -> None:
    assert dalej("event", "new", file, "--ruleset", "school-league", "--name", name, "--date", day).code == 0


def test_without_a_terminal_it_is_the_help(dalej: Program) -> None:
    done = dalej()

    assert done.code == 2
    assert "Usage: dalej" in done.err


def test_the_events_of_the_folder_stand_there_the_latest_first_and_a_number_opens_one(
    dalej: Program, at_start: Callable[..., Done], shown: list[str]
) -> None:
    new(dalej, "spring.dalej", "Wiosna", "2026-03-20")
    new(dalej, "autumn.dalej", "Jesień", "2026-11-23")
    Path("autumn.league-1.backup.dalej").write_bytes(Path("autumn.dalej").read_bytes())
    Path("broken.dalej").write_text("no event", encoding="utf-8")

    done = at_start("7", "2")

    lines = [line.split() for line in done.out.splitlines()]
    assert [line[2] for line in lines if line[:1] in (["1"], ["2"])] == ["Jesień", "Wiosna"]
    assert "not seated yet" in done.out
    assert "backup" not in done.out
    assert "broken.dalej" in done.out
    assert "Expected one of these: 1, 2, 3, n, d, q" in done.out
    assert shown == ["spring.dalej"]


def test_the_event_used_last_stands_first(dalej: Program, at_start: Callable[..., Done], shown: list[str]) -> None:
    new(dalej, "autumn.dalej", "Jesień", "2026-11-23")
    new(dalej, "spring.dalej", "Wiosna", "2026-03-20")

    at_start("1")

    assert shown == ["spring.dalej"]


def test_a_new_event_is_asked_for_made_and_opened(
    dalej: Program, at_start: Callable[..., Done], shown: list[str]
) -> None:
    done = at_start("n", "Liga Leśna", "4", "2026-11-23", "", "")

    assert done.code == 0
    assert shown == ["liga-lesna.dalej"]
    state = dalej("event", "show", "liga-lesna.dalej", "--json").objects[0]
    assert (state["name"], state["ruleset"], state["date"]) == ("Liga Leśna", "school-league", "2026-11-23")


def test_a_day_that_is_none_is_asked_for_once_more(at_start: Callable[..., Done], shown: list[str]) -> None:
    done = at_start("n", "Wieczór", "", "1", "2026-11-27", "", "")

    assert (done.code, shown) == (0, ["wieczor.dalej"])
    assert "expected a day such as 2026-11-21" in done.out + done.err


def test_of_a_league_it_is_asked_how_many_rounds_are_played(
    dalej: Program, at_start: Callable[..., Done], shown: list[str]
) -> None:
    done = at_start("n", "Liga Leśna", "4", "2026-11-23", "many", "3", "")

    assert (done.code, shown) == (0, ["liga-lesna.dalej"])
    assert "expected a whole number" in done.out + done.err
    stages = dalej("event", "show", "liga-lesna.dalej", "--json").objects[0]["stages"]
    assert [one["rounds"] for one in stages] == [3]


def test_where_the_regulation_has_several_stages_nobody_is_asked_for_rounds(
    at_start: Callable[..., Done], shown: list[str]
) -> None:
    done = at_start("n", "Mistrzostwa", "2", "2026-11-23", "")

    assert (done.code, shown) == (0, ["mistrzostwa.dalej"])
    assert "How many rounds" not in done.out


def test_a_second_event_of_that_name_gets_a_file_of_its_own(
    dalej: Program, at_start: Callable[..., Done], shown: list[str]
) -> None:
    new(dalej, "liga.dalej", "Liga", "2026-03-20")

    at_start("n", "Liga", "4", "2026-11-23", "", "")

    assert shown == ["liga-2.dalej"]


def test_whoever_only_looks_leaves(at_start: Callable[..., Done], shown: list[str]) -> None:
    done = at_start("q")

    assert (done.code, shown) == (0, [])
    assert "There is none yet." in done.out
