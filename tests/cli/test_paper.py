"""`dalej paper`: one file a command, whole or not at all, never over another one."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.cli.paper_events import write
from tests.office.paper.events import league
from tests.office.paper.reading import Page, book, pages, table


@pytest.fixture
def school(tmp_path: Path) -> str:
    return write(tmp_path / "league.dalej", league(23)).name


def test_score_sheets_of_the_current_round_of_another_one_and_of_one_table(
    dalej: Program, school: str, tmp_path: Path
) -> None:
    assert dalej("paper", "sheets", school).out == "league-sheets.pdf is written\n"
    assert (
        dalej("paper", "sheets", school, "--round", "league/1", "--table", "6", "--filled", "-o", "six.pdf").code == 0
    )

    assert len(pages((tmp_path / "league-sheets.pdf").read_bytes())) == 6
    (page,) = pages((tmp_path / "six.pdf").read_bytes())
    assert "League, round 1" in page


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--round", "league/9"), "League, round 9: there is no such round yet, expected one of league/1, league/2"),
        (("--round", "nonsense"), "“nonsense” is no round, expected such as 2 or league/2"),
        (("--table", "7"), "League, round 2: there is no table 7"),
        (("-o", "x.doc"), "x.doc cannot be written: expected a name that ends in .pdf"),
        (("-o", "nowhere/x.pdf"), "nowhere/x.pdf cannot be written: expected a file name in an existing folder"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_a_sentence(
    dalej: Program, school: str, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    before = sorted(tmp_path.iterdir())

    done = dalej("paper", "sheets", school, *arguments)

    assert (done.code, done.err) == (1, f"{sentence}\n")
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_is_there_stays_unless_told_otherwise(dalej: Program, school: str, tmp_path: Path) -> None:
    target = tmp_path / "wall.csv"
    target.write_text("bring spare batteries")

    refused = dalej("paper", "seating", school, "-o", "wall.csv")
    assert (refused.code, target.read_text()) == (1, "bring spare batteries")
    assert refused.err == (
        "wall.csv already exists: expected a name that is free; "
        "dalej paper seating league.dalej -o wall.csv --overwrite writes over it\n"
    )

    assert dalej("paper", "seating", school, "-o", "wall.csv", "--overwrite", "--delimiter", ";").code == 0
    assert len(table(target.read_bytes(), ";")) == 23


def test_standings_in_every_format_by_the_suffix(dalej: Program, cup: str, tmp_path: Path) -> None:
    for name in ("s.pdf", "s.csv", "S.XLSX"):
        assert dalej("paper", "standings", cup, "-o", name).code == 0

    assert len(pages((tmp_path / "s.pdf").read_bytes())) == 4
    assert [row["Player"] for row in table((tmp_path / "s.csv").read_bytes())][:2] == ["Lis", "Sowa"]
    assert book((tmp_path / "S.XLSX").read_bytes()).sheetnames == ["Standings", "Final", "Semifinal", "Preliminaries"]


def test_one_stage_alone(dalej: Program, cup: str, tmp_path: Path) -> None:
    assert dalej("paper", "standings", cup, "--stage", "final", "-o", "f.csv").code == 0

    assert len(table((tmp_path / "f.csv").read_bytes())) == 4


def test_the_turn_log_of_an_event_without_boxes_is_a_heading(dalej: Program, cup: str, tmp_path: Path) -> None:
    for suffix in ("csv", "xlsx", "pdf"):
        assert dalej("paper", "turns", cup, "-o", f"t.{suffix}").code == 0

    assert (tmp_path / "t.csv").read_text("utf-8-sig").startswith("table,game,move,player,seat,elapsed_ms")


def test_the_public_page_is_one_file(dalej: Program, cup: str, tmp_path: Path) -> None:
    assert dalej("paper", "page", cup).out == "cup-page.html is written\n"

    assert "Lis" in Page((tmp_path / "cup-page.html").read_bytes()).texts


def test_the_final_form_is_for_its_owner_alone(dalej: Program, cup: str, tmp_path: Path) -> None:
    assert dalej("form", "set", cup, "Lis", "surname=Rudy").code == 0
    assert dalej("paper", "form", cup).code == 0

    form = tmp_path / "cup-form.pdf"
    assert "RUDY" in pages(form.read_bytes())[0]
    assert stat.S_IMODE(form.stat().st_mode) & 0o077 == 0


def test_a_league_has_no_final_form(dalej: Program, school: str) -> None:
    assert dalej("paper", "form", school).err == "school-league asks for no final form\n"
