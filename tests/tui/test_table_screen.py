"""A table's screen by keyboard and by mouse: what it asks the desk for, and what it shows of box, turns and hall."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from dalej.hall.seen import Row
from dalej.live.messages import (
    Face,
    Finger,
    FromScreen,
    Inside,
    Look,
    Power,
    Reach,
    Refusal,
    Speed,
    Take,
    Tap,
    ToScreen,
    Welcome,
)
from dalej.tui.app import HallApp
from dalej.tui.messages import TableChosen
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.box import BoxDrawing
from dalej.tui.widgets.drawing import PLANS
from dalej.tui.widgets.seats import SeatList
from dalej.tui.widgets.turns import TurnList
from moveclock import facts as k
from moveclock import view as v
from tests.tui.paper import PaperDesk, a_row, an_alert, an_app, live

SMALL: Final = (80, 24)
LARGE: Final = (200, 60)
RUNS: Final = Inside(
    state=k.RUNNING, seat=3, following=0, playing=0b1111, game=1, bank=38, reason=k.NOBODY, by_desk=False, about=2,
    drawn=False, further=False, clicked=False, pending=False, called=False, announced=False, final_lap=False,
    claim_s=0, withdraw_s=0, holds=(k.NOBODY, 0, 0), stray=(0, k.NOBODY, 0),
)  # fmt: skip
FREE: Final = Face(3, True, True, (" 0:24",) * 4, (v.GREEN, 14, 3), 3 << 6, 0, 0, 0, False, False, RUNS)
OURS: Final = replace(FREE, taken=True, mine=True)
READY: Final = replace(
    OURS, ring=(v.WHITE, 24, k.NOBODY), lit=0, blinking=255, inside=replace(RUNS, state=k.READY, following=k.NOBODY)
)
LATE: Final = replace(
    OURS, ring=(v.RED, 24, 3), lit=0, blinking=3, displays=("-  7",) * 4, inside=replace(RUNS, state=k.EXPIRED)
)
STANDS: Final = replace(
    OURS, ring=(v.BLUE, 24, 3), lit=0, blinking=1 << k.SEDZIA,
    inside=replace(RUNS, state=k.STOPPED, following=k.NOBODY, reason=k.DISPUTE),
)  # fmt: skip
DARK: Final = replace(OURS, powered=False, in_reach=False, inside=None)
OTHERS: Final = (a_row(1, alerts=(an_alert(1, "time_out", 23_000),)), a_row(5, alerts=(an_alert(5, "dispute", 4_000),)))


@dataclass
class Desk:
    """The screen of table 3, and the desk that it talks to."""

    app: HallApp
    pilot: Pilot[None]
    paper: PaperDesk

    @property
    def screen(self) -> TableScreen:
        assert isinstance(self.app.screen, TableScreen)
        return self.app.screen

    @property
    def wishes(self) -> list[FromScreen]:
        """What the screen has asked for, but for looking."""
        return [wish for wish in self.paper.wishes if not isinstance(wish, Look)]

    async def says(self, *messages: ToScreen | None) -> None:
        for message in messages:
            self.paper.to_say.put_nowait(message)
        await self.settles()

    async def settles(self) -> None:
        """Until workers and screen have nothing more to do."""
        for _ in range(3):
            await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settles()

    def text(self, where: str) -> str:
        return str(self.screen.query_one(f"#{where}", Static).content)

    def lines(self) -> str:
        """The whole screen as text."""
        return "\n".join(strip.text for strip in self.screen._compositor.render_strips())


@asynccontextmanager
async def table_screen(
    *faces: Face, row: Row | None = None, size: tuple[int, int] = SMALL, simulated: bool = True
) -> AsyncIterator[Desk]:
    paper = PaperDesk(*live(simulated=simulated))
    app = an_app([a_row(3, seat=3) if row is None else row, *OTHERS], paper)
    async with app.run_test(size=size) as pilot:
        app.post_message(TableChosen(3))
        desk = Desk(app, pilot, paper)
        await desk.settles()
        await desk.says(*faces)
        yield desk


# --- keys -----


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


# --- mouse -----


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_mouse_button_is_a_finger_on_the_contact(size: tuple[int, int]) -> None:
    async with table_screen(OURS, size=size) as desk:
        box = desk.screen.query_one(BoxDrawing)
        for contact, place in box.plan.contacts.items():
            where = (box.corner.x + place.x + place.width // 2, box.corner.y + place.y + place.height // 2)

            await desk.pilot.mouse_down(box, offset=where)
            await desk.pilot.pause()
            assert desk.wishes == [Finger(3, contact, True)]

            await desk.pilot.mouse_up(box, offset=where)
            await desk.pilot.pause()
            assert desk.wishes == [Finger(3, contact, True), Finger(3, contact, False)]
            desk.paper.wishes.clear()


async def test_a_finger_is_lifted_wherever_the_mouse_is_by_then() -> None:
    async with table_screen(OURS) as desk:
        box = desk.screen.query_one(BoxDrawing)
        place = box.plan.contacts[6]

        await desk.pilot.mouse_down(box, offset=(place.x + 1, place.y + 1))
        await desk.pilot.hover("#hints")
        await desk.pilot.mouse_up("#hints")
        await desk.settles()

        assert desk.wishes == [Finger(3, 6, True), Finger(3, 6, False)]
        assert desk.app.mouse_captured is None


async def test_beside_the_contacts_a_mouse_touches_nothing() -> None:
    async with table_screen(OURS) as desk:
        await desk.pilot.click(BoxDrawing, offset=(0, 0))
        await desk.settles()

        assert desk.wishes == []


async def test_a_mouse_at_a_table_that_is_not_ours_is_told_how_to_take_it() -> None:
    async with table_screen(FREE) as desk:
        box = desk.screen.query_one(BoxDrawing)
        await desk.pilot.click(BoxDrawing, offset=(box.plan.contacts[0].x + 1, box.plan.contacts[0].y + 1))
        await desk.settles()

        assert desk.wishes == []
        assert desk.text("hints").startswith("✗ Press t first: then you play this table.")


# --- what is shown -----


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

        assert lines[16].startswith(" The hall sees: ▲ referee called 1:00 min · ▲ dispute 1:00 min")
        assert re.search(r"\d s · \+\d more$|min · \+\d more$", lines[16].rstrip())
        assert lines[17].startswith(" Other tables: table 1 ▲ time is over 23 s")


async def test_every_key_that_plays_fits_at_the_foot_of_a_small_screen() -> None:
    async with table_screen(OURS) as desk:
        foot = desk.lines().rstrip("\n").split("\n")[-1]

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


async def test_a_desk_that_is_gone_takes_the_box_with_it_and_is_asked_again_when_it_is_back() -> None:
    async with table_screen(OURS) as desk:
        await desk.says(None)
        assert desk.screen.query_one(SeatList).display
        assert "NO LIVE DESK" in desk.text("title")
        desk.paper.wishes.clear()

        async with asyncio.timeout(5):
            while Look(3) not in desk.paper.wishes:
                if desk.paper.to_say.empty():
                    desk.paper.to_say.put_nowait(Welcome(1, "desk", True))
                await desk.pilot.pause(0.05)


async def test_only_lines_of_the_box_that_changed_are_drawn_anew() -> None:
    async with table_screen(OURS) as desk:
        box = desk.screen.query_one(BoxDrawing)
        drawn: list[int] = []
        original = box.render_line
        box.render_line = lambda y: drawn.append(y) or original(y)  # type: ignore[func-returns-value, method-assign]

        await desk.says(replace(OURS, ring=(v.GREEN, 13, 3)))

        assert len(set(drawn)) == 1
