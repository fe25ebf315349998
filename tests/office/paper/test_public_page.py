"""The public standings: one file, nothing from elsewhere, names escaped."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.tournament import RoundKey, Tournament
from dalej.office.paper.standings import StandingsOf, standings_page, standings_pdf
from dalej.office.publicnames import public_names
from tests.office.paper.events import Written, eliminations, league, names, tables_of
from tests.office.paper.reading import Page, pages

WHEN = datetime(2026, 11, 21, 17, 5, tzinfo=UTC)
ATTACK = "</td><script>alert('Lis')</script>"


def page_of(state: Tournament, *, groups: bool = False) -> bytes:
    lists = [
        StandingsOf(None, standings(state)),
        *(StandingsOf(one.id, standings(state, one.id)) for one in state.plan),
    ]
    return standings_page(state, lists, public_names(state, full=False), when=WHEN, groups=groups)


def test_the_page_is_well_formed_and_refers_to_nothing_but_itself() -> None:
    content = page_of(eliminations().state)
    page = Page(content)

    assert content.startswith(b"<!DOCTYPE html>")
    assert page.named("html") == [{"lang": "en"}]
    assert not {"script", "link", "img", "iframe", "object", "form"} & {tag for tag, _ in page.tags}
    assert not {"src", "srcset", "style", "onclick"} & {name for _, attributes in page.tags for name in attributes}
    identifiers = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    assert {attributes["href"] for attributes in page.named("a")} == {f"#{name}" for name in identifiers}
    assert not re.search(rb"https?:|url\(|@import", content)


def test_names_are_escaped_wherever_they_stand() -> None:
    written = Written("school-league", [ATTACK, *names(19)], name=f"Liga & {ATTACK}")
    written.play("league", 1, tables_of(20), games=4)

    page = Page(page_of(written.state))

    assert ATTACK in page.texts
    assert f"Liga & {ATTACK}" in page.texts
    assert page.named("script") == []


def test_a_screen_reader_hears_the_heading_of_each_column_and_the_player_of_each_row() -> None:
    state = eliminations().state
    page = Page(page_of(state))

    assert len(page.named("caption")) == len(page.named("table")) == 4
    rows = [one for one in page.named("th") if one["scope"] == "row"]
    assert len(rows) == 16 + 16 + 8 + 4
    assert {one["scope"] for one in page.named("th")} == {"row", "col"}


def test_groups_are_only_shown_when_asked_for() -> None:
    state = eliminations().state

    assert "4b" not in Page(page_of(state)).texts
    assert "4b" in Page(page_of(state, groups=True)).texts


def test_the_page_says_of_when_it_is() -> None:
    assert any("21 November 2026, 17:05" in text for text in Page(page_of(eliminations().state)).texts)


def test_an_event_without_results_says_so() -> None:
    state = eliminations().state

    assert "No results yet." in Page(standings_page(state, [], {}, when=WHEN)).texts


def test_a_round_that_was_corrected_after_it_was_closed_is_named_on_page_and_paper() -> None:
    written = league(20)
    before = written.state
    assert before.rounds[RoundKey("league", 1)].closed is not None
    kind, body, subject = next(one for one in written.drafts if one[0] == kinds.RESULT)
    racks = [{**rack, "points": rack.get("points") or 0} for rack in body["racks"]]
    written.add(kind, {**body, "racks": racks}, subject)
    state = written.state
    of = StandingsOf("league", standings(state))

    sentence = "League, round 1 was corrected after it was closed: table 1, game 1."
    assert sentence in Page(page_of(state)).texts
    assert sentence not in Page(page_of(before)).texts
    assert sentence in " ".join(pages(standings_pdf(state, [of]))[-1].split())
