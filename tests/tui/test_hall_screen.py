"""The hall's screen by keyboard and by mouse; what it draws anew; with a desk and without."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from textual import events
from textual.pilot import Pilot

from dalej.clock import ManualClock
from dalej.hall.seen import Row
from dalej.live.messages import Face, Take
from dalej.tui import workers
from dalej.tui.app import HallApp
from dalej.tui.messages import FactsRecorded, NoticeRead, TableChosen
from dalej.tui.screens.hall import MOST_A_TICK, HallScreen
from dalej.tui.screens.help import HelpScreen
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.alerts import AlertList
from dalej.tui.widgets.bar import NOTICE_MS
from dalej.tui.widgets.tables import TableList
from tests.tui.paper import NOON_MS, PaperDesk, PaperHall, a_row, an_alert, an_app, live
from tests.tui.scenes import as_text

SMALL = (80, 24)
LARGE = (200, 60)
FACE = Face(2, True, True, (" 0:40",) * 4, (1, 12, 0), 0, 0, 0, 0, False, False)


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that is gone is looked for at once."""
    monkeypatch.setattr(workers, "AGAIN_S", 0.02)


@dataclass
class Look:
    """The app with what it is connected to."""

    app: HallApp
    pilot: Pilot[None]
    desk: PaperDesk
    clock: ManualClock

    @property
    def hall(self) -> PaperHall:
        assert isinstance(self.app.feed.hall, PaperHall)
        return self.app.feed.hall

    @property
    def tables(self) -> TableList:
        return self.app.screen.query_one(TableList)

    @property
    def alerts(self) -> AlertList:
        return self.app.screen.query_one(AlertList)

    def text(self) -> str:
        return as_text(self.app)

    def line(self, table: int) -> str:
        """The list's line of a table."""
        return next(line for line in self.text().splitlines() if line[1:6].strip(" ░") == str(table))

    async def after(self, ms: int) -> None:
        """The screen's tick so many ms later."""
        self.clock.time_ms += ms
        screen = self.app.screen
        assert isinstance(screen, HallScreen)
        screen._tick()
        await self.pilot.pause()

    async def until(self, *, live: bool) -> None:
        """The desk is found, or lost, and drawn."""
        while self.app.feed.live != live:
            await self.pilot.pause()
        await self.pilot.pause()
        self.app.look_again()
        await self.pilot.pause()


@asynccontextmanager
async def looking(rows: Iterable[Row], size: tuple[int, int] = SMALL) -> AsyncIterator[Look]:
    """A frozen app on a hall, its desk live: it draws when `after` says so."""
    desk, clock = PaperDesk(*live()), ManualClock(NOON_MS)
    app = an_app(rows, desk, clock)
    async with app.run_test(size=size) as pilot:
        look = Look(app, pilot, desk, clock)
        await look.until(live=True)
        yield look


def forty() -> list[Row]:
    """Tables 1 to 40; something waits at 7, 23 and 31."""
    rows = [a_row(table) for table in range(1, 41)]
    for table in (7, 23, 31):
        rows[table - 1] = a_row(table, alerts=(an_alert(table, "referee", 1_000 * table),))
    return rows


def many(calls: int) -> list[Row]:
    """Tables at all of which somebody waits."""
    return [a_row(table, alerts=(an_alert(table, "referee", 1_000 * table),)) for table in range(1, calls + 1)]


def click_at(tables: TableList, x: int, y: int) -> events.Click:
    """What Textual sends when the button is up again."""
    at = tables.content_region.offset
    return events.Click(
        tables, x, y, 0, 0, 1, shift=False, meta=False, ctrl=False, screen_x=at.x + x, screen_y=at.y + y
    )  # fmt: skip


# --- keys and mouse -----


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

        assert isinstance(look.app.screen, HelpScreen)
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


# --- the list -----


async def test_on_a_small_terminal_every_table_can_be_scrolled_to() -> None:
    async with looking(forty()) as look:
        seen = set()
        for _page in range(5):
            seen |= {int(line[1:6]) for line in look.text().splitlines() if line[1:6].strip().isdigit()}
            assert look.line(look.tables.table or 0).startswith("▸")
            await look.pilot.press("pagedown")
            await look.pilot.pause()

        assert seen == set(range(1, 41))
        await look.pilot.press("home")
        assert look.tables.table == 1
        await look.pilot.press("end")
        assert look.tables.table == 40


async def test_the_cursor_stays_on_its_table_when_others_come_and_go() -> None:
    async with looking([a_row(table) for table in (2, 4, 6)]) as look:
        await look.pilot.press("down")
        assert look.tables.table == 4

        look.hall.written.update({1: a_row(1), 3: a_row(3)})
        await look.after(100)
        assert look.tables.table == 4
        assert look.line(4).startswith("▸")

        del look.hall.written[2], look.hall.written[4]
        await look.after(100)
        assert look.tables.table == 6


async def test_with_room_the_chosen_tables_turns_stand_beside_the_list() -> None:
    async with looking(forty(), LARGE) as look:
        assert "table 1: its turns" in look.text()

        await look.pilot.press("n")
        await look.after(100)

        assert "table 31: its turns" in look.text()


@pytest.mark.parametrize("size", [SMALL, (100, 45)], ids=["80x24", "100x45"])
async def test_tables_stay_where_they_are_while_a_few_alarms_come_and_go(size: tuple[int, int]) -> None:
    async with looking(forty(), size) as look:
        places = set()
        for calls in (0, 1, 3, 2, 0, 3):
            for table in range(1, 41):
                waits = (an_alert(table, "referee", 1_000),) if table <= calls else ()
                look.hall.written[table] = a_row(table, alerts=waits)
            await look.after(1_000)
            places.add(look.text().splitlines().index(look.line(1)))

        assert len(places) == 1


async def test_many_alarms_get_more_room_and_keep_it_when_one_of_them_ends() -> None:
    async with looking(many(4), SMALL) as look:
        high = look.alerts.size.height
        assert high >= 4

        look.hall.written[1] = a_row(1)
        await look.after(1_000)
        assert look.alerts.size.height == high

        for table in (2, 3):
            look.hall.written[table] = a_row(table)
        await look.after(1_000)
        assert look.alerts.size.height == 3


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


async def test_the_panel_counts_calls_and_the_tables_they_are_at() -> None:
    rows = forty()
    rows[6] = a_row(7, alerts=(an_alert(7, "referee", 9_000), an_alert(7, "time_out", 3_000)))
    async with looking(rows) as look:
        assert "4 calls at 3 tables" in look.text()
        assert "3 tables wait" in look.text()


async def test_a_table_that_this_screen_plays_is_marked_until_it_is_given_back() -> None:
    async with looking([a_row(1), a_row(2)]) as look:
        look.desk.to_say.put_nowait(replace(FACE, table=2, mine=True))
        await look.pilot.pause()
        await look.after(100)
        assert "» you play" in look.line(2)
        assert "» you play" not in look.line(1)

        look.app.feed.say(Take(2, on=False))
        look.desk.to_say.put_nowait(replace(FACE, table=2, mine=False))
        await look.pilot.pause()
        await look.after(100)
        assert "» you play" not in look.text()


async def test_notices_stand_below_the_tables_two_at_a_time_and_go_by_themselves() -> None:
    async with looking(forty()) as look:
        first = look.text().splitlines().index(look.line(1))
        for words in ("first rain", "then snow", "then snow", "and hail"):
            look.app._post(NoticeRead(words))
        await look.pilot.pause()
        await look.after(100)

        said = look.text().splitlines()
        assert [line.strip() for line in said[-3:-1]] == ["! then snow", "! and hail"]
        assert said.index(look.line(1)) == first
        assert "first rain" not in look.text()

        await look.after(NOTICE_MS)
        assert "hail" not in look.text()


async def test_a_notice_told_while_a_table_is_looked_at_is_kept_for_the_hall() -> None:
    async with looking(forty()) as look:
        await look.pilot.press("enter")
        await look.pilot.pause()
        look.app._post(NoticeRead("it rains"))
        await look.pilot.pause()
        look.clock.time_ms += NOTICE_MS
        await look.pilot.press("escape")
        await look.pilot.pause()
        await look.after(0)

        assert "! it rains" in look.text()


# --- what is drawn anew -----


async def test_only_cells_whose_text_changed_are_drawn_anew() -> None:
    async with looking([a_row(1, left_ms=40_000, age_ms=None), a_row(2, left_ms=9_950, age_ms=None)]) as look:
        before = look.tables.drawn

        await look.after(40)
        assert look.tables.drawn == before  # 9.91 s is still 0:10

        await look.after(60)
        assert look.tables.drawn == before + 1  # 39.9 s is still 0:40 to the eye; 0:10 has become 9.9

        await look.after(900)
        assert "0:39" in look.line(1)


async def test_tenths_are_shown_in_the_last_ten_seconds_only() -> None:
    async with looking([a_row(1, left_ms=11_000, age_ms=None)]) as look:
        shown = []
        for _tick in range(20):
            await look.after(100)
            shown.append(look.line(1).split()[4])

        assert shown[:10] == ["0:11"] * 9 + ["0:10"]
        assert shown[10:] == [f"9.{tenth}" for tenth in range(9, -1, -1)]


async def test_rows_are_asked_for_when_they_are_due_and_not_before() -> None:
    async with looking([a_row(1, left_ms=40_000, age_ms=None), a_row(2, left_ms=5_000, age_ms=None)]) as look:
        look.hall.asked.clear()

        for _tick in range(9):
            await look.after(100)

        assert look.hall.asked == [2] * 9


async def test_what_was_heard_or_recorded_of_a_table_is_shown_at_once() -> None:
    async with looking([a_row(1), a_row(2)]) as look:
        look.hall.written[2] = a_row(2, bank=7)
        look.app.screen.post_message(FactsRecorded(frozenset({2})))
        await look.pilot.pause()

        assert look.line(2).split()[5] == "7"


async def test_a_hall_in_its_last_seconds_is_not_asked_for_more_rows_at_once_than_a_tick_can_carry() -> None:
    rows = [a_row(table, left_ms=9_000, age_ms=None) for table in range(1, 61)]
    async with looking(rows, LARGE) as look:
        look.hall.asked.clear()

        await look.after(100)
        assert len(look.hall.asked) == MOST_A_TICK

        await look.after(100)
        assert len(set(look.hall.asked[:60])) > MOST_A_TICK  # nobody is passed over for good


# --- the desk -----


async def test_without_a_desk_the_screen_says_so_and_its_times_stand() -> None:
    async with looking([a_row(1)]) as look:
        assert "NO LIVE DESK" not in look.text()

        look.desk.vanish()
        await look.until(live=False)
        await look.after(14_000)

        assert "NO LIVE DESK since 14 s" in look.text()
        assert "◌ NO LIVE DESK" in look.text()
        assert "░ 14 s old ░" in look.line(1)
        assert "0:40" in look.line(1)


async def test_when_the_desk_is_back_its_banner_goes_and_the_times_move() -> None:
    async with looking([a_row(1)]) as look:
        look.desk.vanish()
        await look.until(live=False)
        await look.after(3_000)

        look.desk.there = True
        for message in live(5_000):
            look.desk.to_say.put_nowait(message)
        await look.until(live=True)

        assert "NO LIVE DESK" not in look.text()
        assert "● live" in look.text()
        assert "0:35" in look.line(1)


async def test_a_screen_that_never_met_a_desk_shows_what_the_event_file_says() -> None:
    desk = PaperDesk()
    desk.there = False
    app = an_app([a_row(1)], desk)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()

        assert "NO LIVE DESK. This is what the event file says" in as_text(app)


async def test_the_hall_is_shown_as_fast_as_it_runs() -> None:
    async with looking([a_row(1, left_ms=60_000)]) as look:
        look.desk.to_say.put_nowait(replace(live()[1], speed=10.0))
        await look.pilot.pause()
        await look.after(2_000)

        assert "×10" in look.text()
        assert "0:40" in look.line(1)
        assert "12:00:20" in look.text()


async def test_an_evening_without_a_desk_says_when_its_ledger_ends() -> None:
    desk = PaperDesk()
    desk.there = False
    app = an_app([a_row(1, age_ms=62_000)], desk)
    assert isinstance(app.feed.hall, PaperHall)
    app.feed.hall.written_ms = NOON_MS - 1_000
    app.feed.hall.stands_at = 0
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        app.look_again()
        await pilot.pause()

        assert "its last entry: 11:59:59" in as_text(app)
        assert "0 s old" not in as_text(app)


async def test_a_fast_hall_that_is_gone_has_been_gone_for_as_long_as_the_screen_says() -> None:
    async with looking([a_row(1)]) as look:
        look.desk.to_say.put_nowait(replace(live()[1], speed=20.0))
        await look.pilot.pause()
        look.desk.vanish()
        await look.until(live=False)
        await look.after(14_000)

        assert "NO LIVE DESK since 14 s" in look.text()
        assert "░ 14 s old ░" in look.line(1)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "200x60"])
async def test_no_colour_loses_no_word(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    async with looking(forty(), size) as look:
        coloured = look.text()
    monkeypatch.setenv("NO_COLOR", "1")
    async with looking(forty(), size) as look:
        assert look.text() == coloured
        colours = {
            segment.style.color.triplet
            for line in look.app.screen._compositor.render_strips()
            for segment in line
            if segment.style is not None and segment.style.color is not None and segment.style.color.triplet
        }
        assert all(red == green == blue for red, green, blue in colours)
