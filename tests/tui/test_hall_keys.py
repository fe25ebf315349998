"""The hall's screen by keyboard and by mouse."""

from __future__ import annotations

import pytest
from textual import events

from dalej.tui.ask.pages import Reading
from dalej.tui.feed import TableChosen
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.alerts import AlertList
from dalej.tui.widgets.tablelist import TableList
from tests.tui.looking import forty, looking
from tests.tui.paper import LARGE, a_row
from tests.tui.scenes import as_text


def click_at(tables: TableList, x: int, y: int) -> events.Click:
    """What Textual sends when the button is up again."""
    at = tables.content_region.offset
    return events.Click(
        tables, x, y, 0, 0, 1, shift=False, meta=False, ctrl=False, screen_x=at.x + x, screen_y=at.y + y
    )  # fmt: skip


async def test_arrows_and_enter_open_a_table_and_escape_comes_back_to_it() -> None:
    async with looking(forty()) as look:
        await look.pilot.press("down", "down", "enter")
        await look.pilot.pause()

        assert isinstance(look.app.screen, TableScreen)
        assert look.app.screen.table == 3

        await look.pilot.press("escape")
        await look.pilot.pause()

        assert look.tables.table == 3


async def test_two_presses_that_come_together_open_one_table() -> None:
    async with looking(forty()) as look:
        look.app.post_message(TableChosen(3))
        look.app.post_message(TableChosen(3))
        await look.pilot.pause()

        assert [type(screen) for screen in look.app.screen_stack] == [HallScreen, TableScreen]


@pytest.mark.parametrize("opened", [False, True])
async def test_a_ledger_that_cannot_be_read_is_said_on_every_screen(opened: bool) -> None:
    async with looking(forty()) as look:
        if opened:
            await look.pilot.press("enter")
        look.app.feed.trouble = "the event file is locked"
        look.app.look_again()
        await look.pilot.pause()

        assert "the event file is locked" in as_text(look.app)

        look.app.feed.trouble = ""
        look.app.look_again()
        await look.pilot.pause()

        assert "the event file is locked" not in as_text(look.app)


async def test_n_goes_to_the_table_that_waits_longest_and_down_the_alerts_from_there() -> None:
    async with looking(forty()) as look:
        went = []
        for _again in range(4):
            await look.pilot.press("n")
            went.append(look.tables.table)

        assert went == [31, 23, 7, 31]

        await look.pilot.press("home", "n")
        assert look.tables.table == 31  # somebody went elsewhere: begin again


async def test_the_cursor_is_at_the_table_that_was_looked_at_last() -> None:
    async with looking(forty()) as look:
        await look.pilot.press("down", "down", "down", "enter")
        for waits in (31, 23):
            await look.pilot.press("n")
            await look.pilot.pause()
            assert isinstance(look.app.screen, TableScreen)
            assert look.app.screen.table == waits

        await look.pilot.press("escape")
        await look.pilot.pause()

        assert look.tables.table == 23
        await look.pilot.press("down")
        assert look.tables.table == 24


async def test_n_stays_where_nothing_waits() -> None:
    async with looking([a_row(1), a_row(2)]) as look:
        await look.pilot.press("down", "n")

        assert look.tables.table == 2


async def test_a_click_on_a_row_opens_that_table() -> None:
    async with looking([a_row(1), a_row(2), a_row(3)]) as look:
        await look.pilot.click(TableList, offset=(20, 2))
        await look.pilot.pause()

        assert isinstance(look.app.screen, TableScreen)
        assert look.app.screen.table == 2


async def test_a_click_opens_the_table_that_was_under_the_pointer_when_the_button_went_down() -> None:
    async with looking([a_row(2), a_row(3)]) as look:
        await look.pilot.mouse_down(TableList, offset=(20, 1))
        look.hall.written[1] = a_row(1)
        await look.after(100)
        await look.pilot.mouse_up(TableList, offset=(20, 1))
        look.tables.post_message(click_at(look.tables, 20, 1))
        await look.pilot.pause()

        assert isinstance(look.app.screen, TableScreen)
        assert look.app.screen.table == 2


async def test_a_click_on_an_alert_opens_its_table() -> None:
    async with looking(forty()) as look:
        await look.pilot.click(AlertList, offset=(20, 1))
        await look.pilot.pause()

        assert isinstance(look.app.screen, TableScreen)
        assert look.app.screen.table == 31  # it waits longest


@pytest.mark.parametrize("where", [(20, 0), (20, 12)], ids=["the header", "below the last row"])
async def test_a_click_beside_the_rows_opens_nothing(where: tuple[int, int]) -> None:
    async with looking([a_row(1), a_row(2)]) as look:
        await look.pilot.click(TableList, offset=where)
        await look.pilot.pause()

        assert isinstance(look.app.screen, HallScreen)


async def test_a_question_mark_explains_every_mark_and_every_alert() -> None:
    async with looking(forty(), LARGE) as look:
        await look.pilot.press("question_mark")
        await look.pilot.pause()

        assert isinstance(look.app.screen, Reading)
        said = look.text()
        assert all(mark in said for mark in "▲△●◐○░◌")
        for kind in ("time is over", "early click", "dispute", "referee called", "power lost", "box silent"):
            assert f"{kind}:" in said

        await look.pilot.press("question_mark")
        await look.pilot.pause()

        assert isinstance(look.app.screen, HallScreen)


async def test_c_changes_the_colours_and_no_word() -> None:
    async with looking(forty()) as look:
        before, theme = look.text(), look.app.theme

        await look.pilot.press("c")
        await look.pilot.pause()

        assert look.app.theme != theme
        assert look.text() == before


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_a_screen_is_left_by_key(key: str) -> None:
    async with looking(forty()) as look:
        await look.pilot.press(key)
        await look.pilot.pause()

        assert not look.app.is_running
