"""The pages that run a whole tournament from the command line: every command on them is run, in its order."""

from __future__ import annotations

import csv
import shlex
import shutil
from pathlib import Path

import pytest

from dalej.office.paper.formats import Cell, Sheet, xlsx_bytes
from tests.cli.conftest import program
from tests.documents import ROOT, commands

GUIDES = {"league.md": "league.dalej", "elimination.md": "cup.dalej", "first-evening.md": "evening.dalej"}
CLOCK = "phones.md"
WITHOUT_FORM = {"first-evening.md"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the pages say the commands are typed, as far as they need it."""
    examples = shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "list.xlsx").write_bytes(as_teachers_keep_it(examples / "league-players.csv"))
    headings, *games = cells(examples / "league-round-1.csv")
    (tmp_path / "filled.xlsx").write_bytes(xlsx_bytes("Results", [Sheet("Results", headings, games)]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "en")
    return tmp_path


def as_teachers_keep_it(players: Path) -> bytes:
    """The list with a title above the headings, an empty row, numbers, dates of birth and a sum below."""
    _, *listed = cells(players)
    nothing: list[Cell] = [None] * 3
    rows: list[list[Cell]] = [[None, *nothing], ["No.", "Name", "Class", "Date of birth"]]
    rows += [[number, *one, "2014-05-04"] for number, one in enumerate(listed, 1)]
    rows += [[None, *nothing], [f"Total: {len(listed)}", *nothing]]
    return xlsx_bytes("Players", [Sheet("Players", ["Rummikub, classes 4 and 5", "", "", ""], rows)])


def cells(file: Path) -> list[list[str]]:
    return list(csv.reader(file.read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("page", GUIDES)
def test_a_tournament_runs_from_registration_to_its_end_as_the_page_says(
    page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From registration to the final form, or the standings, from the command line alone."""
    dalej = program(capsys)
    for number, command in commands(ROOT / "docs" / page):
        called, *arguments = shlex.split(command)
        if called == "export":
            monkeypatch.setenv(*arguments[0].split("="))
            continue
        assert called == "dalej", f"{page}, line {number}: what is to be run for {command!r}?"
        done = dalej(*arguments)
        assert done.code == 0, f"{page}, line {number}: {command!r} ended with {done.code}:\n{done.out}{done.err}"

    assert dalej("event", "show", GUIDES[page], "--json").objects[0]["over"] is True
    forms = list(folder.glob("*-form.pdf"))
    assert [form.read_bytes()[:5] for form in forms] == ([] if page in WITHOUT_FORM else [b"%PDF-"])


def test_a_clock_in_a_browser_is_where_its_page_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dalej = program(capsys)
    *_with_desk, (_number, command) = commands(ROOT / "docs" / CLOCK)  # those: tests/phones/test_league_evening.py
    assert dalej(*shlex.split(command)[1:]).code == 0
    assert (folder / "clock" / "index.html").exists()


def test_every_page_that_shows_commands_is_run() -> None:
    shown = {page.name for page in (ROOT / "docs").glob("*.md") if any(True for _ in commands(page))}

    elsewhere = {"boxes.md", "install.md"}  # tests/whole/test_box_pages.py, at a board; tests/whole/test_installed.py
    assert shown == {*GUIDES, CLOCK, *elsewhere}
