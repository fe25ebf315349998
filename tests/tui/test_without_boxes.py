"""A hall whose tables have no boxes needs no desk; where only some have one, only these can be silent."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

import pytest

from dalej.clock import ManualClock
from dalej.domain.tournament.tournament import GameAt
from dalej.tui import feed
from dalej.tui.ask.menu import ActMenu
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.table import TableScreen
from tests.tui.gallery import GALLERY, SIZES, Stage
from tests.tui.looking import looking
from tests.tui.paper import SMALL, PaperDesk, a_row, an_app
from tests.tui.scenes import WITHOUT_BOX, as_text


def at_hall(scene: str) -> AbstractAsyncContextManager[Stage]:
    stage: AbstractAsyncContextManager[Stage] = GALLERY[scene](SIZES[0])
    return stage


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that is gone is looked for at once."""
    monkeypatch.setattr(feed, "AGAIN_S", 0.02)


async def test_where_no_table_has_a_box_nobody_misses_a_desk() -> None:
    desk = PaperDesk()
    desk.there = False
    app = an_app([a_row(table, **WITHOUT_BOX) for table in (1, 2)], desk)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        app.look_again()
        await pilot.pause()
        text = as_text(app)

    assert "DESK" not in text
    assert "no sign" not in text
    assert "░" not in text
    assert "12:00:00" in text


async def test_where_some_tables_have_a_box_a_lost_desk_is_said_and_only_these_are_old() -> None:
    async with looking([a_row(1), a_row(2, **WITHOUT_BOX)]) as look:
        look.desk.vanish()
        await look.until(live=False)
        await look.after(14_000)

        assert "NO LIVE DESK since 14 s" in look.text()
        assert "░ 14 s old ░" in look.line(1)
        assert "░" not in look.line(2)


async def test_a_table_without_a_box_shows_who_sits_there_and_which_games_are_missing() -> None:
    async with at_hall("no-boxes") as stage:
        lines = as_text(stage.app).splitlines()

    assert "League, round 2: 1:20:00 · 5 tables · 0 of 20 games in " in lines[0]
    assert "Next: enter the results of table 1" in lines[1]
    assert "1, 2, 3, 4 missing        Lis, Sowa, Borsuk, Wydra" in lines[3]
    assert "STOP ALL" not in "".join(lines)


@pytest.mark.parametrize(("keys", "table"), [(("N",), 1), (("n", "enter"), 2), (("down", "down", "enter"), 3)])
async def test_the_sheet_of_a_table_without_a_box_is_a_key_away(keys: Sequence[str], table: int) -> None:
    async with at_hall("no-boxes") as stage:
        await stage.press(*keys)

        assert isinstance(stage.app.screen, EntryScreen)
        assert stage.app.screen.at == GameAt(table, 1)


async def test_among_tables_with_boxes_enter_opens_the_sheet_of_one_that_has_none() -> None:
    async with at_hall("some-boxes") as stage:
        await stage.press("down", "down", "enter")
        assert isinstance(stage.app.screen, EntryScreen)

        await stage.press("escape", "up", "enter")
        assert isinstance(stage.app.screen, TableScreen)


async def test_a_clock_cannot_be_stopped_where_there_is_none() -> None:
    async with at_hall("no-boxes") as stage:
        await stage.press("X")

        assert isinstance(stage.app.screen, HallScreen)
        assert "STOP" not in as_text(stage.app)


async def test_what_no_box_says_is_said_aloud_when_it_comes_to_pass_with_the_bell() -> None:
    rung: list[bool] = []
    async with at_hall("no-boxes") as stage:
        stage.app.bells.on = True
        stage.app.bell = lambda: rung.append(True)  # type: ignore[method-assign]  # instead of the terminal's
        assert isinstance(stage.app.feed._clock, ManualClock)

        for passed_ms in (79 * 60_000, 60_000, 60_000):
            stage.app.feed._clock.time_ms += passed_ms
            stage.app.look_again()
            await stage.settles()
        text = as_text(stage.app)

    assert "Say it aloud: FINAL LAP: one more move for each" in text
    assert rung == [True]


async def test_of_some_boxes_only_the_tables_without_one_are_told_by_voice() -> None:
    async with at_hall("some-boxes") as stage:
        assert "Say it at tables 3, 4: FINAL LAP" in as_text(stage.app)


async def test_what_only_a_box_could_do_is_not_offered_where_there_is_none() -> None:
    async with at_hall("no-boxes") as stage:
        await stage.press("a")
        menu = stage.app.screen
        assert isinstance(menu, ActMenu)

        assert {"enter_result", "confirm_result"} <= {one.act.name for one in menu.offers}
        assert not any(one.act.states() for one in menu.offers)
