"""Who stands where, live: changes in shapes and words, who is level, filters, files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dalej.domain.tournament.fold import standings
from dalej.event.event import Change
from dalej.event.ledger import Draft
from dalej.office import results
from dalej.office.advancing import level_at_the_cut
from dalej.office.notation import Entry, rack
from dalej.tui.screens import standings as lines
from dalej.tui.screens.standings import StandingsScreen
from tests.tui.officescreens import MIDDLE, Looking, Office, an_office, looking
from tests.world import advance, close, draw, play, play_round


def places(look: Looking) -> list[str]:
    return [one for one in look.text().splitlines() if one[1:9].strip(" ▸=")[:-1].isdigit()]


def in_classes(office: Office) -> None:
    """The first two are of 5a, the others of 5b."""
    players = office.event.state().players.values()
    office.event.change(lambda _state: Change([
        Draft("player", {"player": one.number, "name": one.name, "group": "5a" if one.number < 3 else "5b"},
              f"player:{one.number}")
        for one in players
    ], "classes"))  # fmt: skip


def level(office: Office) -> None:
    """Seats B and C of table 1 are level in every game."""
    one = office.event.state().current
    assert one is not None
    racks = tuple(rack(seat, text) for seat, text in zip("ABCD", ("0", "10", "10", "30"), strict=True))
    entries = {at: Entry("went_out", racks) for at in one.missing() if at.table == 1}
    office.event.change(lambda state: results.enter(state, one.key, entries))


async def test_a_result_that_comes_in_is_there_at_once(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, StandingsScreen) as look:
            assert "0 of 12 games in" in look.text()
            play(office.event, random.Random(1))
            await look.turn()
            first = standings(office.event.state())[0]
            assert office.event.state().players[first.player].name in places(look)[0]
            assert "12 of 12 games in" in look.text()


async def test_changes_since_the_round_before_are_told_in_shapes_and_words(tmp_path: Path) -> None:
    with an_office(tmp_path, played=2) as office:
        play(office.event, random.Random(4))
        async with looking(office, StandingsScreen, MIDDLE) as look:
            moved = [one for one in lines.listed(office.event.state(), "league") if one.moved]
            assert moved
            assert any(lines.UP in line or lines.DOWN in line for line in places(look))
            await look.press("home")
            assert "since League, round 2" in look.text()


async def test_players_who_are_level_are_put_in_order_by_keys(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        level(office)
        async with looking(office, StandingsScreen) as look:
            assert sum("=" in line for line in places(look)) == 2
            assert "level" in look.text()
            names = [one.name for one in lines.listed(office.event.state(), "league") if one.open]
            await look.press("o", "2", "1", "enter")
            after = [one.name for one in lines.listed(office.event.state(), "league")]
            assert [name for name in after if name in names] == names[::-1]
            assert not any("=" in line for line in places(look))
            await look.press("z")
            assert sum("=" in line for line in places(look)) == 2


async def test_players_who_are_level_are_put_in_order_by_mouse(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        level(office)
        async with looking(office, StandingsScreen) as look:
            names = [one.name for one in lines.listed(office.event.state(), "league") if one.open]
            await look.click_word("o order level")
            await look.click_word(f"2 {names[1]}")
            await look.click_word("by lot")
            await look.click_word("⏎ order players")
            after = [one.name for one in lines.listed(office.event.state(), "league")]
            assert [name for name in after if name in names] == names[::-1]


async def test_organizacja_7_of_players_level_at_both_semifinal_tables_those_of_one_table_are_put_in_order(
    tmp_path: Path,
) -> None:
    with an_office(tmp_path, 16, ruleset="pl-eliminations", played=2, seated=False) as office:
        advance(office.event)
        draw(office.event)
        one = office.event.state().current
        assert one is not None
        racks = tuple(rack(seat, text) for seat, text in zip("ABCD", ("0", "10", "10", "30"), strict=True))
        entries = {at: Entry("went_out", racks) for at in one.missing()}
        office.event.change(lambda state: results.enter(state, one.key, entries))
        close(office.event)
        async with looking(office, StandingsScreen) as look:
            await look.press("home", "down", "down")
            for _table in (1, 2):
                assert len(level_at_the_cut(office.event.state())) == 2
                await look.press("o", "2", "1", "enter")
            assert level_at_the_cut(office.event.state()) == ()
            advance(office.event)


async def test_a_search_finds_names_without_their_accents(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, StandingsScreen) as look:
            await look.press("slash")
            await look.type("zur")
            assert [line for line in places(look) if "Żuraw" in line] == places(look)
            assert len(places(look)) == 1
            await look.press("escape")
            assert len(places(look)) == 12
            assert look.app.came_back == []


async def test_groups_are_filtered_by_key_and_by_mouse(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        in_classes(office)
        async with looking(office, StandingsScreen) as look:
            assert len(places(look)) == 4
            await look.press("g")
            assert len(places(look)) == 2
            await look.click_word("5b")
            assert all("5b" in line or line for line in places(look))
            assert look.screen.group == "5b"


@pytest.mark.parametrize(("key", "suffix"), [("1", "pdf"), ("2", "xlsx"), ("3", "csv")])
async def test_standings_are_written_as_a_file_beside_the_event(tmp_path: Path, key: str, suffix: str) -> None:
    with an_office(tmp_path) as office:
        play(office.event, random.Random(1))
        async with looking(office, StandingsScreen) as look:
            await look.press("p", key)
            assert f"event-standings.{suffix} is written" in look.told()
            assert (tmp_path / f"event-standings.{suffix}").stat().st_size > 200


async def test_organizacja_10_the_final_form_is_written_from_here_once_there_are_finalists(tmp_path: Path) -> None:
    with an_office(tmp_path, 16, ruleset="pl-eliminations", played=2, seated=False) as office:
        async with looking(office, StandingsScreen) as look:
            await look.press("p")
            assert "the final form of the finalists" not in look.text()
        advance(office.event)
        play_round(office.event, random.Random(1), 1)
        advance(office.event)
        async with looking(office, StandingsScreen) as look:
            await look.press("p", "4")
            assert "event-form.pdf is written" in look.told()
        form = tmp_path / "event-form.pdf"
        assert form.read_bytes().startswith(b"%PDF")
        assert form.stat().st_mode & 0o77 == 0  # its owner's alone


async def test_prizes_are_printed_here(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        play(office.event, random.Random(1))
        async with looking(office, StandingsScreen) as look:
            await look.press("p", "4")
            assert "event-prizes.pdf is written" in look.told()


@pytest.mark.parametrize("classes", [False, True])
async def test_diplomas_by_class_are_offered_where_there_are_classes(tmp_path: Path, *, classes: bool) -> None:
    with an_office(tmp_path) as office:
        if classes:
            in_classes(office)
        async with looking(office, StandingsScreen) as look:
            await look.press("p")
            assert ("diplomas for the best three of each class or club" in look.text()) == classes


async def test_before_everything_has_been_played_the_screen_says_why_there_are_no_diplomas(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        play(office.event, random.Random(1))
        async with looking(office, StandingsScreen) as look:
            await look.press("p", "5")
            assert "the last round is not closed yet" in look.told()
    assert not (tmp_path / "event-diplomas.pdf").exists()


async def test_the_stages_have_their_own_lists(tmp_path: Path) -> None:
    with an_office(tmp_path, 24, ruleset="pl-championship") as office:
        async with looking(office, StandingsScreen) as look:
            assert look.screen.stage is None
            await look.press("right_square_bracket")
            assert look.screen.stage is not None
            await look.click_word("the whole event")
            assert look.screen.stage is None
