"""`dalej box page`: a folder that any web server can hold."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Program


def test_a_page_and_the_script_by_which_a_browser_keeps_it(dalej: Program, tmp_path: Path) -> None:
    done = dalej("box", "page", "hall/clock")

    assert done.code == 0
    assert done.out.startswith(str(Path("hall/clock/index.html")))
    assert sorted(file.name for file in (tmp_path / "hall" / "clock").iterdir()) == ["index.html", "worker.js"]
    page = (tmp_path / "hall" / "clock" / "index.html").read_text(encoding="utf-8")
    assert "lib/moveclock/clock.mpy" in page
    assert "{{" not in page.split("<script")[0]


def test_what_is_there_is_kept_unless_it_is_said_otherwise(dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "clock").mkdir()
    mine = tmp_path / "clock" / "index.html"
    mine.write_text("mine", encoding="utf-8")

    refused = dalej("box", "page", "clock")

    assert refused.code != 0
    assert "index.html" in refused.err
    assert mine.read_text(encoding="utf-8") == "mine"
    assert [file.name for file in (tmp_path / "clock").iterdir()] == ["index.html"]
    assert dalej("box", "page", "clock", "--overwrite").code == 0
    assert mine.read_text(encoding="utf-8") != "mine"


def test_a_folder_that_cannot_be_made_is_named(dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "clock").write_text("a file", encoding="utf-8")

    refused = dalej("box", "page", "clock/here")

    assert refused.code != 0
    assert str(Path("clock/here")) in refused.err
