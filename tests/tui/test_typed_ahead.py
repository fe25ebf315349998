"""A referee in a hurry types without looking: every key reaches what it was meant for, in order, or nothing at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from textual.widgets import Input

from dalej.errors import Refused
from dalej.office.acts.wishes import Done
from dalej.tui import typedahead
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.fields import ReasonField
from dalej.tui.ask.menu import ActMenu
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.choices import Pick
from dalej.tui.widgets.tablelist import TableList
from tests.tui.calling import disputed, late, stands
from tests.tui.hands import handling
from tests.tui.paper import a_row


@pytest.mark.parametrize(
    ("keys", "act"),
    [
        (("enter", "g", "1", "5", "enter", "4", "enter"), ("give_time", {"ms": 15_000}, "technical fault")),
        (("enter", "a", "t", "9", "enter", "h", "e", "enter"), ("set_time", {"ms": 9_000}, "he")),
        (("a", "g", "2", "0", "enter", "1", "enter"), ("give_time", {"ms": 20_000}, "the box was passed on late")),
    ],
)  # fmt: skip
async def test_an_act_is_typed_from_the_hall_to_its_reason_in_one_go(
    keys: tuple[str, ...], act: tuple[str, dict[str, object], str]
) -> None:
    async with handling([stands()]) as there:
        await there.types(*keys)

        name, args, why = act
        assert there.acts() == [(name, {"table": 3, "game": 1, "move": 12, **args}, why)]
        assert isinstance(there.app.screen, HallScreen | TableScreen)


async def test_the_whole_hall_is_stopped_by_three_keys_at_once() -> None:
    async with handling([a_row(1), a_row(2)]) as there:
        await there.types("X", "3", "y")

        assert there.acts() == [("stop_hall", {"reason": "round_break"}, "")]


async def test_two_choosing_keys_at_once_choose_once() -> None:
    async with handling([late()]) as there:
        await there.types("a", "u", "u", "u")

        assert isinstance(there.app.screen, ActDialog)
        assert len(there.app.screen_stack) == 2

        await there.types("escape", "escape", "escape", "escape")
        assert isinstance(there.app.screen, HallScreen)


async def test_two_clicks_at_once_choose_once() -> None:
    async with handling([late()]) as there:
        await there.press("a")
        menu = there.app.screen
        assert isinstance(menu, ActMenu)
        at = next(at for at, offer in enumerate(menu.offers) if offer.act.name == "rule")
        menu.query_one(Pick).pick(at)
        menu.query_one(Pick).pick(at)
        await there.settles()

        assert [type(screen) for screen in there.app.screen_stack] == [HallScreen, ActDialog]


async def test_an_enter_too_many_lets_no_clock_go_on() -> None:
    async with handling([disputed(stopped=True)]) as there:
        await there.types("n", "enter", "enter", "enter")
        assert isinstance(there.app.screen, ActMenu)
        assert not there.acts()
        assert "Nothing is chosen yet" in there.text()

        await there.types("5", "3")  # nobody's time has run out: what was typed for that is forgotten
        await there.types("3")
        assert not there.acts()
        assert "Table 3 · correct what is left" in there.text()


async def test_what_follows_a_wrong_value_is_forgotten_and_the_field_keeps_the_keys() -> None:
    async with handling([stands()]) as there:
        await there.types("enter", "g", "9", "9", "9", "9", "enter", "4", "enter")

        assert not there.acts()
        dialog = there.app.screen
        assert isinstance(dialog, ActDialog)
        assert "expected 0 to 3600 seconds" in there.text()
        assert [field.value for field in dialog.query(Input)] == ["9999", ""]
        assert dialog.focused is dialog.query(Input).first()


async def test_what_was_typed_while_the_desk_was_asked_is_forgotten_if_it_refuses() -> None:
    async with handling([late()]) as there:
        there.hands.answers = [Refused("Lis has decided on this already")]
        await there.types("n", "enter", "1", "1", "enter", "n", "x", "q")

        dialog = there.app.screen
        assert isinstance(dialog, ActDialog)
        assert dialog.query_one(ReasonField).text == "seen by the referee"
        assert there.app.is_running


async def test_what_was_typed_while_the_desk_was_asked_is_for_the_screen_beneath_if_it_agrees() -> None:
    async with handling([stands(table=1), stands(table=2)]) as there:
        await there.types("a", "g", "5", "enter", "1", "enter", "down", "enter")

        assert [act for act, _args, _why in there.acts()] == ["give_time"]
        assert isinstance(there.app.screen, TableScreen)
        assert there.app.screen.table == 2


async def test_keys_that_open_other_screens_are_handed_to_those() -> None:
    async with handling([a_row(1), late(2)]) as there:
        await there.types("e", "escape", "t", "escape", "n", "enter", "escape", "escape", "down")

        hall = there.app.screen
        assert isinstance(hall, HallScreen)
        assert hall.query_one(TableList).table == 2


async def test_enter_answers_no_question_and_says_so() -> None:
    async with handling([a_row(1), a_row(2)]) as there:
        await there.types("X", "3", "enter", "enter")

        assert isinstance(there.app.screen, Confirm)
        assert "Nothing is done yet: y does it, Esc goes back." in there.text()

        await there.types("y")
        assert [act for act, _args, _why in there.acts()] == ["stop_hall"]


async def test_an_act_without_a_question_holds_no_keys() -> None:
    async with handling([stands()]) as there:
        there.hands.answers = [Done("Going on.")]
        await there.types("enter", "r", "escape", "down")

        assert [act for act, _args, _why in there.acts()] == ["resume"]
        assert isinstance(there.app.screen, HallScreen)
        assert there.app.keys.at_rest


@pytest.mark.parametrize(("a_look_s", "table"), [(0.0, 3), (2.0, 2)], ids=["soon", "late"])
async def test_how_long_a_screen_holds_what_is_typed_counts_from_when_it_begins_to_however_slow_the_machine_is(
    a_look_s: float, table: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s, looks = 0.0, 0
    loop = SimpleNamespace(time=lambda: now_s)
    clock = SimpleNamespace(
        Event=asyncio.Event, timeout=asyncio.timeout, sleep=asyncio.sleep, get_running_loop=lambda: loop
    )
    async with handling([a_row(1), a_row(2), a_row(3)]) as there:
        passes = there.app.keys._passes

        async def slow(later: Callable[[Callable[[], None]], bool]) -> bool:
            nonlocal now_s
            now_s = now_s or 2 * typedahead.HOLD_MOST_S
            return await passes(later)

        def held() -> bool:
            nonlocal now_s, looks
            looks += 1
            now_s += a_look_s
            return looks <= 4

        monkeypatch.setattr(typedahead, "HOLD_MOST_S", 3.0)
        monkeypatch.setattr(typedahead, "asyncio", clock)
        monkeypatch.setattr(there.app.keys, "_passes", slow)
        monkeypatch.setattr(there.app.keys, "_is_held", held)
        await there.types("down", "down")

        assert there.app.screen.query_one(TableList).table == table
