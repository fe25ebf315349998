"""The pages for a web site: files that need no server, with names as they are published; nobody else's are touched."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError
from dalej.web.site import site, write_site
from tests.office.paper.events import Written, eliminations, league, names, tables_of
from tests.office.paper.reading import Page
from tests.web.axe import AXE, PHONE, violations
from tests.web.reading import Chromium

WHEN = datetime(2026, 11, 21, 17, 5, tzinfo=UTC)
ATTACK = "</td><script>alert('Lis')</script>"


def pages_of(state: Tournament) -> dict[str, Page]:
    return {name: Page(content) for name, content in site(state, WHEN).items() if name.endswith(".html")}


def test_every_link_is_relative_and_leads_to_a_file_that_is_written() -> None:
    files = site(eliminations().state, WHEN)

    assert {"index.html", "standings.html", "seating.html", "me-1.html", "dalej.css", "icon.svg"} <= set(files)
    for name, page in pages_of(eliminations().state).items():
        linked = {one["href"] for tag in ("a", "link") for one in page.named(tag)} - {"#main"}
        assert linked <= set(files), name
        assert not {"script", "form", "iframe", "input", "button"} & {tag for tag, _attributes in page.tags}, name
    assert not re.search(rb"https?:|url\(|@import", files["dalej.css"])


def test_every_page_says_of_when_it_is() -> None:
    for page in pages_of(eliminations().state).values():
        assert any("21 November 2026, 17:05" in text for text in page.texts)


def test_names_are_escaped_wherever_they_stand() -> None:
    written = Written("school-league", [ATTACK.replace(" ", ""), *names(19)], name=f"Liga & {ATTACK}")
    written.play("league", 1, tables_of(20), games=4)

    for page in pages_of(written.state).values():
        assert any(f"Liga & {ATTACK}" in text for text in page.texts)
        assert page.named("script") == []


def test_no_surname_no_class_and_no_club_that_is_not_published_is_in_any_file() -> None:
    state = eliminations().state
    secret = {number: replace(one, name=f"Jan Tajny{number}", group="klasa7x", surname=f"Tajny{number}", consent=False)
              for number, one in state.players.items()}  # fmt: skip

    for name, content in site(replace(state, players=secret), WHEN).items():
        assert b"Tajny" not in content, name
        assert b"klasa7x" not in content, name


def test_each_stage_has_its_standings_and_an_event_without_results_says_so() -> None:
    assert len(pages_of(eliminations().state)["standings.html"].named("table")) == 4
    assert "No results yet." in pages_of(Written("school-league", names(8)).state)["standings.html"].texts


def test_the_folder_is_replaced_as_a_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site(folder, eliminations().state, WHEN)
    more = len(list(folder.iterdir()))
    (folder / "me-99.html").write_bytes((folder / "me-1.html").read_bytes())  # of somebody who is no longer listed

    write_site(folder, eliminations().state, WHEN)

    assert len(list(folder.iterdir())) == more
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("file", ["index.html", "holiday.jpg", "dalej.txt"])
def test_a_folder_with_anybody_else_s_files_is_refused_and_stays_as_it_is(tmp_path: Path, file: str) -> None:
    (tmp_path / file).write_text("mine", encoding="utf-8")

    with pytest.raises(DalejError, match="which is no page of Dalej's"):
        write_site(tmp_path, league(8).state, WHEN)

    assert [(one.name, one.read_text(encoding="utf-8")) for one in tmp_path.iterdir()] == [(file, "mine")]


def test_a_site_that_cannot_take_its_place_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    write_site(folder, league(8).state, WHEN)
    before = (folder / "index.html").read_bytes()
    rename = Path.rename

    def fails(self: Path, target: Path) -> Path:
        if self.suffix == ".part":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(DalejError, match="cannot be written"):
        write_site(folder, league(20).state, WHEN)

    assert (folder / "index.html").read_bytes() == before
    assert list(tmp_path.iterdir()) == [folder]


def test_it_is_read_from_a_disk_in_a_browser_with_its_looks_and_by_everybody(
    chromium: Chromium, tmp_path: Path
) -> None:
    folder = tmp_path / "school site" / "liga"
    folder.parent.mkdir()
    write_site(folder, eliminations().state, WHEN)

    async def story() -> None:
        async with chromium.page(viewport=PHONE, bypass_csp=AXE.exists()) as seen:
            await seen.page.goto((folder / "index.html").as_uri())
            await seen.page.locator(".people a").first.click()
            await seen.page.locator(".mine").wait_for()
            await seen.page.locator("nav a", has_text="Standings").click()
            await seen.page.locator("table.standings").first.wait_for()
            assert await seen.page.evaluate("getComputedStyle(document.querySelector('.top')).position") == "sticky"
            assert seen.problems == []
            if AXE.exists():
                for file in sorted(folder.glob("*.html"))[:4]:
                    await seen.page.goto(file.as_uri())
                    assert await violations(seen, file.name) == []

    chromium.run(story())
