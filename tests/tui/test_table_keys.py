"""A table's screen by keyboard: what it asks the desk for, and what it says of a key that does nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from textual import events

from dalej.desk.feed.messages import Look, Power, Reach, Refusal, Speed, Take, Tap
from dalej.tui.screens.hall import HallScreen
from moveclock import facts as k
from tests.tui.one_table import DARK, FREE, LATE, OURS, READY, RUNS, STANDS, table_screen
from tests.tui.paper import live


async def test_the_screen_asks_for_the_face_of_its_box_and_no_more_once_it_is_left() -> None:
    async with table_screen() as desk:
        assert desk.paper.wishes == [Look(3)]

        await desk.press("escape")

        assert isinstance(desk.app.screen, HallScreen)
        assert desk.paper.wishes == [Look(3), Look(0)]


async def test_t_takes_the_table_and_gives_it_back() -> None:
    async with table_screen(FREE) as desk:
        await desk.press("t")
        await desk.says(OURS)
        assert "YOU PLAY" in desk.text("title")

        await desk.press("t")
        assert desk.wishes == [Take(3, True), Take(3, False)]


async def test_leaving_keeps_the_table_in_these_hands() -> None:
    async with table_screen(OURS) as desk:
        await desk.press("escape")

        assert desk.paper.wishes == [Look(3), Look(0)]
        assert desk.app.feed.mine == {3}


async def test_keys_press_the_contacts_of_the_seat_that_is_to_move() -> None:
    async with table_screen(OURS) as desk:
        await desk.press("j", "d", "J", "D", "k", "s", "S")

        assert desk.wishes == [
            Tap(3, 6, False),
            Tap(3, 7, False),
            Tap(3, 6, True),
            Tap(3, 7, True),
            Tap(3, k.KOSTKA, False),
            Tap(3, k.SEDZIA, False),
            Tap(3, k.SEDZIA, True),
        ]


async def test_j_is_the_next_seats_when_time_is_over_and_the_starters_before_a_game() -> None:
    async with table_screen(LATE) as desk:
        await desk.press("j", "d")
        await desk.says(READY)
        await desk.press("j", "d")
        await desk.says(replace(READY, inside=replace(RUNS, state=k.READY, following=k.SEAT_C)))
        await desk.press("j")

        assert desk.wishes == [Tap(3, contact, False) for contact in (0, 1, 0, 1, 4)]


async def test_a_seat_is_chosen_by_number_for_one_press() -> None:
    async with table_screen(OURS) as desk:
        await desk.press(*"1j2d3j14D", "k", "j")

        assert desk.wishes == [
            Tap(3, 0, False),
            Tap(3, 3, False),
            Tap(3, 4, False),
            Tap(3, 7, True),
            Tap(3, k.KOSTKA, False),
            Tap(3, 6, False),
        ]


async def test_a_chosen_seat_is_told_and_let_go_with_escape() -> None:
    async with table_screen(OURS) as desk:
        await desk.press("2")
        assert "Łasica (B) is chosen" in desk.text("hints")
        assert "[B Łasica]" in desk.lines()

        await desk.press("escape", "j")

        assert "is chosen" not in desk.text("hints")
        assert desk.wishes == [Tap(3, 6, False)]


async def test_where_no_button_counts_j_says_so_instead_of_guessing() -> None:
    async with table_screen(STANDS) as desk:
        await desk.press("j")

        assert desk.wishes == []
        assert desk.text("hints").startswith("✗ Nobody's Już counts now.\nWhen all agree, Shift+S")
        assert not desk.app._notifications


async def test_what_a_key_did_not_do_is_said_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalej.tui.screens.table.REMARK_S", 0.05)
    async with table_screen(STANDS) as desk:
        await desk.press("j")
        async with asyncio.timeout(5):
            while "✗" in desk.text("hints"):
                await desk.pilot.pause(0.02)

        assert desk.text("hints").startswith("Dispute about the move of Dzik (C)")


async def test_a_press_that_the_box_took_for_nothing_is_told_why_and_an_older_one_is_not() -> None:
    async with table_screen(replace(OURS, inside=replace(RUNS, stray=(7, 0, k.STRAY_TAP)))) as desk:
        assert "✗" not in desk.text("hints")

        await desk.says(replace(OURS, inside=replace(RUNS, stray=(8, 2, k.STRAY_TAP))))

        assert desk.text("hints").startswith("✗ It is the move of Sarna (D), not of Łasica (B).\nj = laid tiles")


async def test_at_a_box_without_power_keys_say_that_they_do_nothing() -> None:
    async with table_screen(DARK) as desk:
        await desk.press("j")
        await desk.press("k")

        assert desk.wishes == []
        assert desk.text("hints").startswith("✗ The box has no power: p first.\np gives it back")


async def test_a_key_that_is_held_down_is_one_tap() -> None:
    async with table_screen(OURS) as desk:
        for _ in range(6):
            desk.app.post_message(events.Key("j", "j"))
        await desk.settles()

        assert desk.wishes == [Tap(3, 6, False)]


@pytest.mark.parametrize("key", [*"jdksJDS14"])
async def test_who_does_not_play_presses_nothing_and_is_told_how_to(key: str) -> None:
    async with table_screen(FREE) as desk:
        await desk.press(key)

        assert desk.wishes == []
        assert desk.text("hints").startswith("✗ Press t first: then you play this table.")


async def test_what_another_screen_plays_cannot_be_played_from_here() -> None:
    async with table_screen(replace(FREE, taken=True)) as desk:
        await desk.press("j")

        assert desk.text("hints").startswith("✗ Another screen plays this table.")


async def test_reach_and_power_go_and_come_back_by_key() -> None:
    async with table_screen(OURS) as desk:
        await desk.press("l", "p")
        await desk.says(DARK)
        await desk.press("l", "p")

        assert desk.wishes == [Reach(3, False), Power(3, False), Reach(3, True), Power(3, True)]


async def test_the_hall_runs_faster_and_slower_by_key() -> None:
    async with table_screen(OURS) as desk:
        await desk.press("+", "minus")
        await desk.says(*live(speed=100.0), OURS)
        await desk.press("+")

        assert desk.wishes == [Speed(2.0), Speed(0.5)]
        assert "×100" in desk.text("title")


async def test_a_refused_wish_is_told_in_words() -> None:
    async with table_screen(FREE) as desk:
        await desk.says(Refusal("table {table} is played from another screen", {"table": 3}))

        assert desk.text("hints").startswith("✗ table 3 is played from another screen")
