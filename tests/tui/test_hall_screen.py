"""What the hall's screen shows: its tables, alerts and notices; and what it draws anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.desk.feed.messages import Face, Take
from dalej.tui.feed import FactsRecorded, NoticeRead
from dalej.tui.screens.hall import MOST_A_TICK
from dalej.tui.widgets.bars import NOTICE_MS
from dalej.views.rows import Row
from tests.tui.looking import forty, looking
from tests.tui.paper import LARGE, SMALL, a_row, an_alert

FACE = Face(2, True, True, (" 0:40",) * 4, (1, 12, 0), 0, 0, 0, 0, False, False)


def many(calls: int) -> list[Row]:
    """Tables at all of which somebody waits."""
    return [a_row(table, alerts=(an_alert(table, "referee", 1_000 * table),)) for table in range(1, calls + 1)]


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
        told = said.index(next(line for line in said if "then snow" in line))
        assert [line.strip() for line in said[told : told + 2]] == ["! then snow", "! and hail"]
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
