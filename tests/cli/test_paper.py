"""`dalej paper`: one file a command, whole or not at all, never over another one."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from dalej.office.paper.formats import NAMES
from dalej.words import everywhere
from tests.cli.conftest import Program
from tests.cli.paper_events import write
from tests.office.paper.events import Written, finished, league, names
from tests.office.paper.pictures import png
from tests.office.paper.reading import Page, book, number_of_pages, pages, table


@pytest.fixture
def school(tmp_path: Path) -> str:
    return write(tmp_path / "league.dalej", league(23)).name


def test_score_sheets_of_the_current_round_of_another_one_and_of_one_table(
    dalej: Program, school: str, tmp_path: Path
) -> None:
    assert dalej("paper", "sheets", school).out == "league-sheets-2.pdf is written\n"
    assert (
        dalej("paper", "sheets", school, "--round", "league/1", "--table", "6", "--filled", "-o", "six.pdf").code == 0
    )

    assert number_of_pages((tmp_path / "league-sheets-2.pdf").read_bytes()) == 6
    (page,) = pages((tmp_path / "six.pdf").read_bytes())
    assert "League, round 1" in page


@pytest.mark.parametrize(
    ("language", "files"),
    [
        (
            "pl",
            (
                "league-tabele-punktowe-2.pdf",
                "league-rozsadzenie-2.pdf",
                "league-klasyfikacja.pdf",
                "league-rozsadzenie-sciana-2.pdf",
                "league-numery-stolikow.pdf",
                "league-dyplom.pdf",
            ),
        ),
        (
            "it",
            (
                "league-fogli-dei-punti-2.pdf",
                "league-posti-2.pdf",
                "league-classifica.pdf",
                "league-posti-parete-2.pdf",
                "league-numeri-dei-tavoli.pdf",
                "league-diploma-vuoto.pdf",
            ),
        ),
    ],
)
def test_files_are_called_as_the_documents_are_in_the_readers_language(
    dalej: Program, school: str, tmp_path: Path, language: str, files: tuple[str, ...]
) -> None:
    for what in (
        ("sheets",), ("seating",), ("standings",), ("seating", "--wall"), ("numbers",), ("diplomas", "--blank"),
    ):  # fmt: skip
        assert dalej("--lang", language, "paper", what[0], school, *what[1:]).code == 0

    assert {path.name for path in tmp_path.glob("*.pdf")} == {*files}


@pytest.mark.parametrize("what", NAMES)
def test_a_documents_name_is_of_letters_that_every_computer_has_in_every_language(what: str) -> None:
    found = [name.format(event="liga") for name in everywhere(NAMES[what])]

    assert len(found) == 3
    assert all(re.fullmatch("liga(-[a-z]+)+", name) for name in found)


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

    assert number_of_pages((tmp_path / "s.pdf").read_bytes()) == 4
    assert [row["Player"] for row in table((tmp_path / "s.csv").read_bytes())][:2] == ["Lis", "Sowa"]
    assert book((tmp_path / "S.XLSX").read_bytes()).sheetnames == ["Standings", "Final", "Semifinal", "Preliminaries"]


def test_one_stage_alone(dalej: Program, cup: str, tmp_path: Path) -> None:
    assert dalej("paper", "standings", cup, "--stage", "final", "-o", "f.csv").code == 0

    assert len(table((tmp_path / "f.csv").read_bytes())) == 4


def test_the_turn_log_of_an_event_without_boxes_is_a_heading(dalej: Program, cup: str, tmp_path: Path) -> None:
    for suffix in ("csv", "xlsx", "pdf"):
        assert dalej("paper", "turns", cup, "-o", f"t.{suffix}").code == 0

    assert (tmp_path / "t.csv").read_text("utf-8-sig").startswith("table,game,move,player,seat,elapsed_ms")


def test_the_pages_for_a_web_site_are_a_folder_that_is_written_again_and_again(
    dalej: Program, cup: str, tmp_path: Path
) -> None:
    for _again in range(2):
        assert dalej("paper", "site", cup).out == f"{Path('cup-site') / 'index.html'} is written\n"

    assert "Lis" in Page((tmp_path / "cup-site" / "standings.html").read_bytes()).texts
    assert dalej("paper", "site", cup, "-o", "here").code == 0
    assert {one.name for one in tmp_path.iterdir() if one.is_dir()} >= {"here", "cup-site"}


CONSENTS = [("Jan Nowak", True), ("Jan Nowacki", False), ("Ewa Lis", None), *((name, True) for name in names(5))]


@pytest.fixture
def asked(tmp_path: Path) -> str:
    """A league with a round played, where one parent said no and one has not answered."""
    written = Written("school-league", [name for name, _yes in CONSENTS])
    for (_kind, body, _subject), (_name, consent) in zip(written.drafts[2:], CONSENTS, strict=True):
        body["consent"] = consent
    written.play("league", 1, [[1, 2, 3, 4], [5, 6, 7, 8]], games=4)
    return write(tmp_path / "asked.dalej", written).name


@pytest.mark.parametrize(
    ("chosen", "there", "said"),
    [
        ((), {"Jan N. (1)", "Jan N. (2)", "Ewa L."}, ""),
        (("in_full",), {"Jan Nowak", "Jan N.", "Ewa L."},
         "No consent is on file, so first name and initial alone stand there: Jan Nowacki, Ewa Lis\n"),
    ],
)  # fmt: skip
def test_the_public_reads_names_as_the_event_is_set_and_nobody_s_in_full_whose_parents_have_not_agreed(
    dalej: Program, asked: str, tmp_path: Path, chosen: tuple[str, ...], there: set[str], said: str
) -> None:
    for value in chosen:
        assert dalej("event", "set", asked, "public_names", value, "--why", "as the parents wish", "--yes").code == 0
    done = dalej("paper", "site", asked)
    for what in ("standings", "results"):
        assert dalej("paper", what, asked, "--public", "-o", f"{what}.csv").code == 0

    page = Page((tmp_path / "asked-site" / "standings.html").read_bytes())
    assert there <= set(page.texts)
    for file in (*(tmp_path / "asked-site").iterdir(), *tmp_path.glob("*.csv")):
        text = file.read_text("utf-8-sig")
        assert "Nowacki" not in text, file
        assert "Ewa Lis" not in text, file
    assert (done.code, done.err) == (0, said)


def test_papers_for_the_public_have_no_groups(dalej: Program, asked: str) -> None:
    done = dalej("paper", "standings", asked, "--public", "--groups")

    assert (done.code, "--public goes without --groups" in done.err) == (2, True)


def test_papers_of_a_round_carry_it_in_their_name_and_those_of_several_stages_the_stage(
    dalej: Program, school: str, cup: str
) -> None:
    assert dalej("paper", "sheets", school, "--round", "1").out == "league-sheets-1.pdf is written\n"
    assert dalej("paper", "sheets", school).out == "league-sheets-2.pdf is written\n"
    assert dalej("paper", "sheets", school, "--round", "1").code == 1, "it is there already"
    for paper in ("sheets", "seating", "wall", "results"):
        command = ("seating", "--wall") if paper == "wall" else (paper,)
        done = dalej("paper", *command, cup, "--round", "preliminaries/2")
        assert done.out == f"cup-{paper}-preliminaries-2.pdf is written\n"


def test_the_final_form_is_for_its_owner_alone(dalej: Program, cup: str, tmp_path: Path) -> None:
    assert dalej("form", "set", cup, "Lis", "surname=Rudy").code == 0
    assert dalej("paper", "form", cup).code == 0

    form = tmp_path / "cup-form.pdf"
    assert "RUDY" in pages(form.read_bytes())[0]
    assert stat.S_IMODE(form.stat().st_mode) & 0o077 == 0


@pytest.fixture
def over(tmp_path: Path) -> str:
    """A league of two tables that played alike, in two classes."""
    return write(tmp_path / "over.dalej", finished(names(8), ["4b", "5a"] * 4)).name


def test_diplomas_of_the_first_three_places_and_for_everybody(dalej: Program, over: str, tmp_path: Path) -> None:
    assert dalej("paper", "diplomas", over).out == "over-diplomas.pdf is written\n"
    assert dalej("paper", "diplomas", over, "--places", "1,5-6", "--taking-part", "-o", "all.pdf").code == 0
    assert dalej("paper", "diplomas", over, "--by-group", "--places", "1", "-o", "classes.pdf").code == 0

    assert number_of_pages((tmp_path / "over-diplomas.pdf").read_bytes()) == 4
    made = pages((tmp_path / "all.pdf").read_bytes())
    assert [sum(words in page for page in made) for words in ("1st", "5th", "taking part")] == [2, 2, 4]
    assert number_of_pages((tmp_path / "classes.pdf").read_bytes()) == 4


def test_a_diploma_to_be_filled_in_with_a_logo_before_anything_was_played(
    dalej: Program, school: str, tmp_path: Path
) -> None:
    (tmp_path / "logo.png").write_bytes(png())

    assert dalej("paper", "diplomas", school, "--blank", "--logo", "logo.png").out == "league-diploma.pdf is written\n"
    assert number_of_pages((tmp_path / "league-diploma.pdf").read_bytes()) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "the last round is not closed yet: expected that before diplomas"),
        (("--places", "0"), "0 names no places, expected numbers up to 9999 such as 1-3 or 1,2,5"),
        (("--places", "best"), "best names no places, expected numbers up to 9999 such as 1-3 or 1,2,5"),
        (("--logo", "league.dalej"),
         "league.dalej is no picture that can be printed, expected a whole PNG, JPEG or SVG file"),
        (("--logo", "none.png"), "none.png cannot be read: there is no such file or folder"),
    ],
)  # fmt: skip
def test_diplomas_that_cannot_be_made_are_refused_in_a_sentence(
    dalej: Program, school: str, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    before = sorted(tmp_path.iterdir())

    done = dalej("paper", "diplomas", school, *arguments)

    assert (done.code, done.err) == (1, f"{sentence}\n")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("other", [("--places", "1"), ("--by-group",), ("--taking-part",)])
def test_a_diploma_to_be_filled_in_is_for_no_place(dalej: Program, school: str, other: tuple[str, ...]) -> None:
    done = dalej("paper", "diplomas", school, "--blank", *other)

    assert done.code == 2
    assert "--blank goes without --places, --by-group and --taking-part" in done.err


def test_prizes_as_a_sheet_a_list_and_data(dalej: Program, over: str, tmp_path: Path) -> None:
    assert dalej("paper", "prizes", over).out == "over-prizes.pdf is written\n"
    assert dalej("paper", "prizes", over, "--best", "1", "-o", "p.csv").code == 0
    assert dalej("paper", "prizes", over, "-o", "p.xlsx").code == 0
    told = dalej("paper", "prizes", over, "--best", "1", "--json")

    assert number_of_pages((tmp_path / "over-prizes.pdf").read_bytes()) == 1
    rows = table((tmp_path / "p.csv").read_bytes())
    assert [(row["Group"], row["Player"]) for row in rows[2:]] == [
        ("4b", "Lis"), ("4b", "Żuraw"), ("5a", "Sowa"), ("5a", "Jeż")
    ]  # fmt: skip
    assert [(one["group"], one["place"], one["shared"], one["name"]) for one in told.objects[1:3]] == [
        (None, 1, True, "Żuraw"), ("4b", 1, True, "Lis"),
    ]  # fmt: skip


def test_the_results_of_the_last_round_that_has_some_or_of_another_one(
    dalej: Program, school: str, tmp_path: Path
) -> None:
    assert dalej("paper", "results", school).out == "league-results-1.pdf is written\n"
    assert dalej("paper", "results", school, "--round", "2", "--by", "name", "-o", "two.pdf").code == 0
    assert dalej("paper", "results", school, "--by", "name", "-o", "one.csv").code == 0

    assert "League, round 1" in pages((tmp_path / "league-results-1.pdf").read_bytes())[0]
    assert "No results yet." in pages((tmp_path / "two.pdf").read_bytes())[0]
    assert [row["Player"] for row in table((tmp_path / "one.csv").read_bytes())][:2] == ["Bocian", "Borsuk"]


def test_the_seating_for_a_wall_is_a_paper_of_its_own(dalej: Program, school: str, tmp_path: Path) -> None:
    assert dalej("paper", "seating", school).out == "league-seating-2.pdf is written\n"
    assert dalej("paper", "seating", school, "--wall").out == "league-wall-2.pdf is written\n"

    assert number_of_pages((tmp_path / "league-wall-2.pdf").read_bytes()) == 2


def test_numbers_for_the_tables_of_the_round_or_for_others(dalej: Program, school: str, tmp_path: Path) -> None:
    assert dalej("paper", "numbers", school).out == "league-numbers.pdf is written\n"
    assert dalej("paper", "numbers", school, "--tables", "7-9,12", "-o", "more.pdf").code == 0
    refused = dalej("paper", "numbers", school, "--tables", "1-1000", "-o", "many.pdf")

    assert number_of_pages((tmp_path / "league-numbers.pdf").read_bytes()) == 6
    assert [page.count("12") for page in pages((tmp_path / "more.pdf").read_bytes())] == [0, 0, 0, 2]
    assert refused.err == "1-1000 names no tables, expected numbers up to 999 such as 1-8 or 1,2,5\n"


def test_before_a_round_is_seated_numbers_are_made_for_the_tables_that_are_named(
    dalej: Program, tmp_path: Path
) -> None:
    empty = write(tmp_path / "empty.dalej", Written("school-league", names(8))).name

    assert dalej("paper", "numbers", empty).code == 1
    assert dalej("paper", "numbers", empty, "--tables", "1-2").code == 0
    assert dalej("paper", "results", empty).code == 1
    assert dalej("paper", "prizes", empty).err == "nobody has played yet: expected results before prizes\n"


def test_a_league_has_no_final_form(dalej: Program, school: str) -> None:
    assert dalej("paper", "form", school).err == "school-league asks for no final form\n"
