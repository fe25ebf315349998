"""The hall's screen with a live desk, without one, and when it comes back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dalej.views import feed
from tests.tui.looking import looking
from tests.tui.paper import NOON_MS, SMALL, PaperDesk, PaperHall, a_row, an_app, live
from tests.tui.scenes import as_text


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that is gone is looked for at once."""
    monkeypatch.setattr(feed, "AGAIN_S", 0.02)


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


async def test_at_the_desks_computer_the_screen_says_what_starts_the_desk() -> None:
    desk = PaperDesk()
    desk.there = False
    app = an_app([a_row(1)], desk)
    app.feed.starts = "dalej run league.dalej"
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()

        assert "Start it anew on the desk's computer: dalej run league.dalej" in " ".join(as_text(app).split())


async def test_where_boxes_wait_for_a_desk_that_never_was_it_is_said_how_to_play_without_them() -> None:
    desk = PaperDesk()
    desk.there = False
    app = an_app([a_row(1)], desk)
    app.feed.clears = "dalej box assign league.dalej --none"
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()

        assert "No boxes tonight? dalej box assign league.dalej --none takes them off" in " ".join(
            as_text(app).replace("░", " ").split()
        )


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
