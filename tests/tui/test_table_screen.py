"""What a table's screen shows of box, turns and hall, and what it leaves out where there is no room."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dalej.desk.feed.messages import Look, Welcome
from dalej.tui.widgets.boxdrawing import PLANS, BoxDrawing
from dalej.tui.widgets.tablelines import SeatList
from dalej.tui.widgets.turnlist import TurnList
from dalej.views import feed
from moveclock import view as v
from tests.tui.one_table import OURS, STANDS, table_screen
from tests.tui.paper import SMALL, a_row, an_alert


@pytest.mark.parametrize(("size", "plan"), [(SMALL, PLANS[1]), ((116, 34), PLANS[0])])
async def test_box_turns_and_words_have_their_place(size: tuple[int, int], plan: object) -> None:
    async with table_screen(OURS, size=size) as desk:
        box = desk.screen.query_one(BoxDrawing)

        lines = desk.lines()

        assert box.plan is plan
        assert box.size.width >= box.plan.width
        assert box.size.height >= box.plan.height
        for said in ("Table 3", "Turns, the newest on top", "The hall sees: playing", "Sarna (D) to move.", "? help"):
            assert said in lines


async def test_calls_at_this_table_and_at_others_are_seen_while_playing() -> None:
    dispute = an_alert(3, "dispute", 2_000, seat=2, stopped=True)
    row = a_row(3, seat=3, state="stopped", reason="dispute", moves_on=False, alerts=(dispute,))
    async with table_screen(STANDS, row=row) as desk:
        here, there = desk.text("others").split("\n")

        assert here == "The hall sees: ▲ dispute 2 s · the clock stands · Sarna (D) 0:40"
        assert there == "Other tables: table 1 ▲ time is over 23 s · table 5 ▲ dispute 4 s"


async def test_more_calls_than_have_room_hide_none_of_this_tables_own() -> None:
    alerts = tuple(an_alert(3, kind, 60_000) for kind in ("referee", "dispute", "early_click", "time_out"))
    async with table_screen(OURS, row=a_row(3, seat=3, lag=200, alerts=alerts)) as desk:
        lines = desk.lines().split("\n")

        assert lines[17].startswith(" The hall sees: ▲ referee called 1:00 min · ▲ dispute 1:00 min")
        assert re.search(r"\d s · \+\d more$|min · \+\d more$", lines[17].rstrip())
        assert lines[18].startswith(" Other tables: table 1 ▲ time is over 23 s")


async def test_every_key_that_plays_fits_at_the_foot_of_a_small_screen() -> None:
    async with table_screen(OURS) as desk:
        foot = " ".join(desk.lines().rstrip("\n").split("\n")[-2:])

        for words in ("play", "Już", "Dalej", "Kostka", "Sędzia", "radio", "power", "hall", "? help"):
            assert words in foot


async def test_keys_that_the_foot_has_no_room_for_work_all_the_same() -> None:
    async with table_screen(OURS) as desk:
        theme = desk.app.theme
        await desk.press("c")
        assert desk.app.theme != theme

        await desk.press("q")

        assert desk.app._exit


@pytest.mark.parametrize(("width", "beside"), [(79, False), (80, True)])
async def test_on_a_narrow_screen_the_turns_give_way_to_the_box(width: int, beside: bool) -> None:
    async with table_screen(OURS, size=(width, 24)) as desk:
        assert desk.screen.query_one(TurnList).display == beside
        assert "Kostka" in desk.lines()


async def test_without_a_simulated_box_the_table_is_told_in_words_and_no_key_plays_it() -> None:
    row = a_row(3, seat=3, left_ms=7_400, penalties=(0, 2, -1, 0), out=0b0001)
    async with table_screen(row=row, simulated=False) as desk:
        lines = desk.lines()
        await desk.press("t", "j", "l", "p", "+")

        assert desk.screen.query_one(SeatList).display
        assert not desk.screen.query_one(BoxDrawing).display
        assert "▶ D Sarna" in lines
        assert "A Bóbr · has left" in lines
        assert "B Łasica · 2 penalty tiles" in lines
        assert "C Dzik · penalty tiles to be counted" in lines
        assert "Kostka" not in lines
        assert desk.wishes == []


async def test_a_face_of_another_table_is_not_drawn() -> None:
    async with table_screen(replace(OURS, table=1)) as desk:
        assert desk.screen.face is None


async def test_a_desk_that_is_gone_takes_the_box_with_it_and_is_asked_again_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed, "AGAIN_S", 0.0)
    async with table_screen(OURS) as desk:
        await desk.says(None)
        assert desk.screen.query_one(SeatList).display
        assert "NO LIVE DESK" in desk.text("title")
        desk.paper.wishes.clear()

        while Look(3) not in desk.paper.wishes:
            if desk.paper.to_say.empty():
                desk.paper.to_say.put_nowait(Welcome(1, "desk", True))
            await desk.pilot.pause()


@pytest.mark.usefixtures("drawn")
async def test_only_lines_of_the_box_that_changed_are_drawn_anew() -> None:
    async with table_screen(OURS) as desk:
        box = desk.screen.query_one(BoxDrawing)
        drawn: list[int] = []
        original = box.render_line
        box.render_line = lambda y: drawn.append(y) or original(y)  # type: ignore[func-returns-value, method-assign]

        await desk.says(replace(OURS, ring=(v.GREEN, 13, 3)))

        assert len(set(drawn)) == 1
