"""The public's screen: what it shows at which moment, what it keeps to itself, and when it says not to trust it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.domain.tournament import tournament as kinds
from dalej.errors import Damaged
from dalej.tui.feed import LedgerFailed
from dalej.tui.screens.public import DWELL_MOST_MS, Poster
from dalej.tui.widgets.poster import drawn
from tests.tui.paper import LARGE, SMALL, a_row, an_alert
from tests.tui.public import ROUND_MS, OneScreen, an_event, public

MIDDLE = (120, 40)
MINUTE = 60_000


def is_large(words: str, text: str) -> bool:
    """Whether these words stand there in letters that are seen from 10 m."""
    wanted = [line.strip() for line in drawn(words) or () if line.strip()]
    return bool(wanted) and all(any(line in shown for shown in text.splitlines()) for line in wanted)


async def test_before_a_round_begins_everybody_finds_the_table_by_name() -> None:
    async with public(an_event(20).state) as look:
        text = look.text()

    assert "League, round 1: not started yet" in text
    assert "Find your table" in text
    assert "Żuraw    2 A" in text
    assert text.index("Bocian") < text.index("Borsuk") < text.index("Łasica")  # down the first column
    assert text.index("Łoś") < text.index("Wydra") < text.index("Żółw") < text.index("Żuraw")  # then the next


async def test_pages_turn_by_themselves_and_begin_again_after_the_last() -> None:
    async with public(an_event(96).state) as look:
        first, seen = look.text(), []
        for _ in range(6):
            seen.append(next(line for line in look.text().splitlines() if "Find your table" in line))
            await look.after(DWELL_MOST_MS)

        assert "(1 of 2)" in seen[0]
        assert "(2 of 2)" in seen[1]
        assert seen[:2] * 3 == seen
        assert look.text().splitlines()[3:] == first.splitlines()[3:]


async def test_a_page_stands_long_enough_to_look_for_a_name() -> None:
    async with public(an_event(96).state) as look:
        first = look.text()
        await look.after(9_000)

        assert look.text().splitlines()[1:] == first.splitlines()[1:]


async def test_once_the_round_is_well_under_way_standings_stand_there_instead_of_seats() -> None:
    async with public(an_event(20, played=True, started=True).state, at_ms=11 * MINUTE) as look:
        text = look.text()

    assert "Standings: big / small points" in text
    assert "1. Lis" in text
    assert "Find your table" not in text


async def test_tables_without_results_stand_behind_players_with_points_lost_and_have_no_points_yet() -> None:
    written = an_event(12, started=True)
    lost = (0, 80, 100, 120)
    racks = [
        {"seat": seat, "player": player, "points": points, "jokers": 0, "opened": True}
        for player, (seat, points) in enumerate(zip("ABCD", lost, strict=True), start=1)
    ]
    body = {"stage": "league", "round": 1, "table": 1, "game": 1, "ended": "went_out", "started": 4, "ruling": ""}
    written.add(kinds.RESULT, {**body, "racks": racks}, "result:league:1:1:1")
    players = written.state.players
    async with public(written.state, at_ms=11 * MINUTE) as look:
        text = look.text()

    assert f"1. {players[1].name} " in text
    assert [f"{place}. {players[number].name} " in text for place, number in ((2, 2), (3, 3), (4, 4))] == [True] * 3
    assert all(f"5. {players[number].name} " in text for number in range(5, 13))
    assert text.count("–") >= 8


async def test_groups_are_not_published() -> None:
    async with public(an_event(20, played=True).state) as look:
        for _ in range(4):
            assert "4b" not in look.text()
            await look.after(DWELL_MOST_MS)


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE])
async def test_towards_the_end_there_is_nothing_but_the_time(size: tuple[int, int]) -> None:
    state = an_event(20, played=True, started=True).state
    async with public(state, size=size, at_ms=ROUND_MS - 5 * MINUTE - 1_000) as look:
        assert any(line.look == "title" for line in look.screen.query_one(Poster)._lines)
        await look.after(1_000)

        assert not any(line.look == "title" for line in look.screen.query_one(Poster)._lines)
        assert "█" not in look.text() or sum("█" in line for line in look.text().splitlines()) * 4 >= size[1]


async def test_the_final_lap_is_said_in_words_in_large_letters_and_later_beside_the_pages() -> None:
    state = an_event(20, played=True, started=True).state
    async with public(state, at_ms=ROUND_MS - 1_000) as look:
        assert not any(line.look == "lap" for line in look.screen.query_one(Poster)._lines)
        await look.after(1_000)
        assert sum(line.look == "lap" for line in look.screen.query_one(Poster)._lines) >= 5

        await look.after(5 * MINUTE)
        assert "FINAL LAP" in look.text()
        assert "Standings" in look.text()


async def test_where_games_are_played_to_their_end_no_lap_is_announced() -> None:
    written = an_event(20, played=True, started=True)
    written.add("option", {"key": "on_round_time", "value": "play_on"}, "option:on_round_time")
    async with public(written.state, at_ms=ROUND_MS + 6 * MINUTE) as look:
        assert "FINAL LAP" not in look.text()
        assert "TIME IS OVER: finish your game" in look.text()


async def test_a_called_table_is_named_and_neither_who_called_nor_why() -> None:
    rows = [
        a_row(2, alerts=(an_alert(2, "dispute", 5_000, seat=1),)),
        a_row(4, alerts=(an_alert(4, "referee", 9_000),)),
        a_row(5, alerts=(an_alert(5, "time_out", 30_000),)),
        a_row(6, alerts=(an_alert(6, "early_click", 30_000, urgent=False),)),
    ]
    async with public(an_event(20).state, rows) as look:
        assert is_large("Referee called: tables 4, 2", look.text())
        assert "dispute" not in look.text()
        assert not is_large("dispute", look.text())

        del look.hall.written[2]
        await look.after(1_000)
        assert is_large("Referee called: table 4", look.text())
        assert not is_large("Referee called: tables 4", look.text())


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE])
async def test_a_desk_that_falls_silent_is_missed_in_words_and_its_calls_are_not_repeated(
    size: tuple[int, int],
) -> None:
    rows = [a_row(4, alerts=(an_alert(4, "referee", 9_000),))]
    async with public(an_event(20, started=True).state, rows, size=size, at_ms=MINUTE) as look:
        poster = look.screen.query_one(Poster)
        assert not any(line.look == "alarm" for line in poster._lines)

        look.feed.lost()
        await look.after(14_000, desk=False)
        assert sum(line.look == "alarm" for line in poster._lines) >= 3
        assert not any(line.look == "call" for line in poster._lines)
        if size == SMALL:
            assert "DESK SILENT FOR 14 s: calls of tables are not shown" in look.text()

        await look.after(1_000)
        assert not any(line.look == "alarm" for line in poster._lines)


async def test_a_desk_that_hangs_is_missed_although_it_has_not_hung_up() -> None:
    async with public(an_event(20).state, [a_row(1)]) as look:
        await look.after(12_000, desk=False)

        assert "DESK SILENT FOR 12 s" in look.text()


async def test_the_rounds_time_goes_on_without_a_desk() -> None:
    state = an_event(20, started=True).state
    async with public(state, [a_row(1)], at_ms=MINUTE) as look:
        look.feed.lost()
        before = [line.text for line in look.screen.query_one(Poster)._lines if line.look == "clock"]
        await look.after(60_000, desk=False)
        after = [line.text for line in look.screen.query_one(Poster)._lines if line.look == "clock"]

    async with public(state, [a_row(1)], at_ms=2 * MINUTE) as look:
        assert after == [line.text for line in look.screen.query_one(Poster)._lines if line.look == "clock"]
    assert before != after


async def test_an_event_without_boxes_has_no_desk_and_misses_none() -> None:
    async with public(an_event(20, started=True).state, at_ms=MINUTE, desk=False) as look:
        assert not any(line.look == "alarm" for line in look.screen.query_one(Poster)._lines)
        assert any(line.look == "clock" for line in look.screen.query_one(Poster)._lines)

    async with public(an_event(20).state, [a_row(1, box="")], desk=False) as look:
        assert "NO LIVE DESK" not in look.text()


async def test_boxes_whose_desk_was_never_heard_wait_for_it() -> None:
    async with public(an_event(20).state, [a_row(1)], desk=False) as look:
        assert "NO LIVE DESK: calls of tables are not shown" in look.text()


async def test_an_event_file_that_cannot_be_read_is_said_and_what_was_read_stays() -> None:
    async with public(an_event(20).state) as look:
        look.feed.trouble = "disk I/O error at /club/league.dalej"
        look.screen.post_message(LedgerFailed())
        await look.pilot.pause()
        assert "THIS MAY BE OLD: the event file cannot be read" in look.text()
        assert "/club" not in look.text()
        assert "Find your table" in look.text()

        look.feed.trouble = ""
        look.book.page = replace(look.book.page, problem=Damaged("nobody can read that"))
        await look.look()
        assert "THIS MAY BE OLD" in look.text()


async def test_nothing_is_shown_of_an_event_about_which_nothing_was_decided() -> None:
    async with public(None, desk=False) as look:
        assert "liga" in look.text()
        assert not any(line.look == "alarm" for line in look.screen.query_one(Poster)._lines)


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_a_key_leaves(key: str) -> None:
    async with public(an_event(20).state) as look:
        await look.pilot.press(key)
        await look.pilot.pause()

        assert not look.pilot.app.is_running or look.pilot.app._exit


async def test_a_click_on_the_word_leaves_and_elsewhere_does_nothing() -> None:
    async with public(an_event(20).state) as look:
        await look.pilot.click(offset=(40, 12))
        assert not look.pilot.app._exit

        await look.pilot.click(offset=(75, 0))
        assert look.pilot.app._exit


async def test_no_key_of_the_app_beneath_reaches_through() -> None:
    async with public(an_event(20).state) as look:
        before = look.text()
        for key in ("x", "n", "enter", "colon", "1", "z", "tab"):
            await look.pilot.press(key)
        await look.pilot.pause()

        assert look.pilot.app.screen is look.screen
        assert look.text() == before
        assert isinstance(look.pilot.app, OneScreen)
        assert look.pilot.app.stirred == 0


async def test_colours_turn_for_a_projector_in_daylight() -> None:
    async with public(an_event(20).state) as look:
        await look.pilot.press("c")
        assert look.screen.query_one(Poster).has_class("-light")


@pytest.mark.parametrize("language", ["pl", "it"])
@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE])
async def test_in_every_language_the_time_and_the_words_fit(
    language: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    state = an_event(20, played=True, started=True).state
    async with public(state, [a_row(1)], size=size) as look:
        for at_ms in (0, 20 * MINUTE, ROUND_MS + 1_000, ROUND_MS + 6 * MINUTE):
            await look.after(at_ms - look.clock.time_ms)
            lines = look.screen.query_one(Poster)._lines
            assert len(lines) == size[1]
            assert not any(line.text.strip().endswith("…") for line in lines if line.look != "text")
