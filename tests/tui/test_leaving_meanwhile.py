"""A screen that is left, or clicked twice, while the desk still does what was wished there: nothing of that is lost."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from dalej.domain.tournament.tournament import GameAt
from dalej.errors import Refused
from dalej.office.acts.hands import LocalHands
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.tui.ask.confirm import Confirm
from dalej.tui.feed import FactsRecorded
from dalej.tui.screens.checking import CheckScreen
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.screens.table import TableScreen
from dalej.words import N_
from tests.tui.calling import disputed, stands
from tests.tui.hands import Handling, click, handling, words
from tests.tui.officescreens import Looking, Office, OneScreen, Slow, an_office, looking
from tests.tui.sheets import enter

OLDER = Done("Older.", undo=Wish("set_time", {"table": 3, "ms": 1}, "taken back"))
GOES_ON = Done("Going on.", undo=Wish("stop", {"table": 3}, "taken back"))
NINE = ("t", "9", "enter", "1", "enter")


def told(app: App[Any]) -> list[tuple[str, str]]:
    """What is said over all screens: of what, and what."""
    return [(str(one.title), one.message) for one in app._notifications]


# --- at a table -----


async def by_key(there: Handling) -> None:
    await there.types("escape")
    assert isinstance(there.app.screen, HallScreen)


async def by_mouse(there: Handling) -> None:
    await click(there, "Esc hall")
    assert isinstance(there.app.screen, HallScreen)


async def to_another_table(there: Handling) -> None:
    await there.types("n")
    assert isinstance(there.app.screen, TableScreen)
    assert there.app.screen.table == 5


async def lets_it_go_on(there: Handling, answer: Done | Refused) -> asyncio.Event:
    """From table 3, where something older was done; the answer comes when that is set."""
    there.hands.answers = [OLDER, answer]
    await there.types("enter", *NINE)
    assert isinstance(there.app.screen, TableScreen)
    assert there.app.screen.table == 3
    go_on = there.hands.go_on = asyncio.Event()
    await there.types("r")
    assert [act for act, _args, _why in there.acts()] == ["set_time", "resume"]
    return go_on


@pytest.mark.parametrize("away", [by_key, by_mouse, to_another_table])
async def test_what_is_done_after_its_table_was_left_is_said_and_taken_back_next(
    away: Callable[[Handling], Awaitable[None]],
) -> None:
    async with handling([stands(), disputed(5)]) as there:
        go_on = await lets_it_go_on(there, GOES_ON)
        await away(there)
        await there.types("z")
        assert len(there.acts()) == 2, "nothing older is taken back meanwhile"
        assert "The last wish is still being done." in words(there)

        go_on.set()
        await there.settles()
        assert "Going on." in words(there)
        await there.types("z")
        if isinstance(there.app.screen, Confirm):  # on the screen of another table it is named first
            assert "Table 3 · Going on." in there.text()
            await there.types("y")

        assert there.acts()[2:] == [("stop", {"table": 3}, "taken back")]
        assert told(there.app) == []


@pytest.mark.parametrize("away", [by_key, by_mouse, to_another_table])
async def test_what_the_desk_refuses_after_its_table_was_left_is_said_over_whatever_is_in_front(
    away: Callable[[Handling], Awaitable[None]],
) -> None:
    async with handling([stands(), disputed(5)]) as there:
        go_on = await lets_it_go_on(there, Refused(N_("[Lis] has decided on this already")))
        await away(there)
        go_on.set()
        await there.settles()

        assert told(there.app) == [("Table 3 · let the clock go on", "[Lis] has decided on this already")]
        assert "✗ [Lis] has decided on this already" in words(there)
        assert there.app.room.history.to_take_back is not None
        assert str(there.app.room.history.to_take_back) == "Older."


async def test_what_is_refused_while_its_table_is_still_there_is_said_there_alone() -> None:
    async with handling([stands()]) as there:
        go_on = await lets_it_go_on(there, Refused(N_("Lis has decided on this already")))
        go_on.set()
        await there.settles()

        assert "✗ Lis has decided on this already" in words(there)
        assert told(there.app) == []


async def test_what_is_being_taken_back_when_its_table_is_left_is_not_taken_back_twice() -> None:
    async with handling([stands()]) as there:
        there.hands.answers = [OLDER, GOES_ON, Done("Back.")]
        await there.types("enter", *NINE, "r")
        go_on = there.hands.go_on = asyncio.Event()
        await click(there, "z take it back")
        await by_mouse(there)
        go_on.set()
        await there.settles()

        history = there.app.room.history
        assert str(history.to_do_again) == "Going on."
        assert str(history.to_take_back) == "Older."
        assert "↶ Taken back: Back." in words(there)


@pytest.mark.parametrize(("action", "table"), [("leave", 0), ("next_waiting", 5)])
async def test_two_clicks_at_once_leave_a_table_once(action: str, table: int) -> None:
    async with handling([stands(), disputed(5)]) as there:
        await there.types("enter")
        left = there.app.screen
        for _click in range(2):
            left.call_later(left.run_action, action)
        await there.settles()

        assert [type(one) for one in there.app.screen_stack] == [HallScreen, TableScreen][: 2 if table else 1]
        assert table == getattr(there.app.screen, "table", 0)


# --- in the office -----


class Deputies(Slow):
    """The same for whoever steps up."""

    def under(self, name: str) -> Hands:
        assert isinstance(self._hands, LocalHands)
        there = Deputies(self._hands.under(name))
        there.asked, there.go_on = self.asked, self.go_on
        return there


async def clicks(look: Looking, what: str, times: int = 1) -> None:
    """Without waiting for what comes of it."""
    at = look.find(what, lowest=True)
    for _each in range(times):
        await look.pilot.click(None, offset=at)


async def confirms_and_leaves(look: Looking, hands: Slow) -> None:
    await look.press("v")
    await clicks(look, "y confirm")
    await hands.asked.wait()
    await clicks(look, "Esc back")
    while not isinstance(look.screen, ResultsScreen):
        await look.pilot.pause()
    hands.go_on.set()
    await look.settle()


async def test_what_is_done_after_its_sheet_was_left_is_said_and_taken_back_on_the_screen_beneath(
    tmp_path: Path,
) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)
        hands = Slow(office.hands("Sowa"))
        async with looking(office, ResultsScreen, hands=hands) as look:
            await confirms_and_leaves(look, hands)

            assert look.told() == "The results of table 1 are confirmed."
            assert "4 confirmed" in look.text()
            await look.press("z")
            assert "0 confirmed" in look.text()


async def test_what_is_refused_after_its_sheet_was_left_is_said_all_the_same(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)  # by Gęś
        hands = Slow(office.hands("Gęś"))
        async with looking(office, ResultsScreen, hands=hands) as look:
            await confirms_and_leaves(look, hands)

            [(title, why)] = told(look.app)
            assert title == "Table 1 · confirm the results of a table"
            assert look.told() == why
            assert "Gęś" in why
            assert look.room.history.to_take_back is None


def confirmed(office: Office, game: GameAt) -> str:
    one = office.event.state().current
    assert one is not None
    by = one.results[game].confirmed
    return "" if by is None else by.who


async def test_a_second_click_does_not_call_off_what_the_first_one_asked_for(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)  # by Gęś
        hands = Deputies(office.hands("Gęś"))
        async with looking(office, lambda room: CheckScreen(room, 1, "Borsuk"), hands=hands) as look:
            await clicks(look, "y confirm", 2)
            await hands.asked.wait()
            await clicks(look, "y confirm")
            assert look.paged.room.hands is hands, "what is done next here is not the deputy's"
            hands.go_on.set()
            await look.settle()

            assert [line.wish.act for line in look.lines] == ["confirm_result"]
            assert confirmed(office, GameAt(1, 1)) == "Borsuk"
            assert str(look.room.history.to_take_back) == "The results of table 1 are confirmed."
            assert look.app.came_back == ["The results of table 1 are confirmed."]


async def test_a_sheet_that_is_kept_twice_at_once_is_asked_about_and_kept_once(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        hands = Slow(office.hands("Sowa"))
        async with looking(office, lambda room: EntryScreen(room, 1, 1), hands=hands) as look:
            sheet = look.screen
            await look.type("0")
            for rack in ("10", "20", "30"):
                await look.press("enter")
                await look.type(rack)
            sheet.keep()
            sheet.keep()
            await look.settle()
            assert [type(one) for one in look.app.screen_stack[2:]] == [Confirm]
            await look.pilot.press("enter")
            await hands.asked.wait()
            sheet.keep()
            sheet.action_reopen()
            hands.go_on.set()
            await look.settle()

            assert [str(line.refusal) for line in look.lines] == ["None"]
            assert look.room.history.to_take_back is not None
            assert sheet.at == GameAt(1, 2)


# --- what has not begun -----


async def facts_come_in_as_it_closes(office: Office) -> None:
    sheet = ResultsScreen(office.room(office.hands("Sowa")))
    app = OneScreen(lambda: sheet)
    async with app.run_test() as pilot:
        await pilot.pause()
        close_all = app._close_all

        async def close_with_news() -> None:
            sheet.post_message(FactsRecorded(frozenset()))
            await close_all()

        app._close_all = close_with_news  # type: ignore[method-assign]


async def test_work_that_ends_before_it_has_begun_leaves_nothing_that_python_warns_of(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        await facts_come_in_as_it_closes(office)
        gc.collect()

    assert [str(one.message) for one in warned if "never awaited" in str(one.message)] == []
