"""A referee at the screens: from what waits to what is done, by keys alone, and what nobody may do in passing."""

from __future__ import annotations

from dalej.errors import Refused
from dalej.office.acts.wishes import Done, Wish
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.fields import ReasonField
from dalej.tui.ask.menu import ActMenu
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.choices import Pick
from dalej.views.requests import Answered
from tests.tui.calling import late, stands
from tests.tui.hands import handling
from tests.tui.paper import a_row, an_alert


async def test_from_a_time_out_to_its_ruling_takes_five_keys() -> None:
    async with handling([a_row(1), late()]) as there:
        await there.press("n", "enter")
        assert isinstance(there.app.screen, ActDialog)

        await there.press("2")
        await there.press("1")
        await there.press("enter")

        assert there.acts() == [
            ("rule", {"table": 3, "game": 1, "move": 12, "verdict": "undone"}, "seen by the referee")
        ]
        assert "Done: rule." in there.text()


async def test_a_claim_is_denied_from_its_alert() -> None:
    claim = an_alert(3, "early_click", 9_000, stopped=True)
    async with handling([a_row(3, state="stopped", reason="early_click", moves_on=False, alerts=(claim,))]) as there:
        await there.press("n", "enter")
        assert isinstance(there.app.screen, ActMenu)
        await there.press("2")
        await there.press("2", "enter")

        assert there.acts() == [
            ("deny_claim", {"table": 3, "game": 1, "move": 12, "goes_on": True}, "the tile was drawn first")
        ]


async def test_a_clock_is_corrected_and_taken_back() -> None:
    async with handling([stands("dispute")]) as there:
        back = Wish("set_time", {"table": 3, "ms": 20_000}, "taken back")
        there.hands.answers = [Done("Set.", undo=back), Done("Back.")]
        await there.press("enter", "t")
        await there.press(*"1:05", "enter", "1", "enter")

        [(act, args, why)] = there.acts()
        assert (act, args["ms"], why) == ("set_time", 65_000, "the box was passed on late")

        await there.press("z")
        assert there.acts()[1] == ("set_time", {"table": 3, "ms": 20_000}, "taken back")
        assert "Back." in there.text()


async def test_what_cannot_be_right_is_said_and_nothing_is_wished() -> None:
    async with handling([stands("dispute")]) as there:
        await there.press("enter", "t")
        await there.press(*"4000", "enter")

        assert "expected 0 to 3600 seconds" in there.text()
        assert not there.acts()

        await there.press("escape")
        assert isinstance(there.app.screen, TableScreen)


async def test_a_game_is_not_ended_by_enter_in_passing() -> None:
    async with handling([stands("dispute")]) as there:
        await there.press("enter", "a")
        menu = there.app.screen
        assert isinstance(menu, ActMenu)
        key = next(offer.key for offer in menu.offers if offer.act.name == "end_game")
        await there.press(key, "1", "enter")
        assert isinstance(there.app.screen, Confirm)
        assert "Table 3: game 1 ends in move 12." in there.text()

        await there.press("enter")
        assert not there.acts()
        assert "Nothing is done yet: y does it, Esc goes back." in there.text()
        await there.press("y")

        assert there.acts() == [("end_game", {"table": 3, "game": 1, "move": 12}, "the round's time is over")]


async def test_a_refusal_stays_in_the_dialog_with_what_was_typed() -> None:
    async with handling([late()]) as there:
        there.hands.answers = [Refused("Lis has decided on this already")]
        await there.press("n", "enter", "1", "1", "enter")

        assert isinstance(there.app.screen, ActDialog)
        assert "Lis has decided on this already" in there.text()

        await there.press("enter")
        assert len(there.acts()) == 2


async def test_the_whole_hall_is_stopped_after_a_question_and_counted_live() -> None:
    async with handling([a_row(1), a_row(2), a_row(3)]) as there:
        there.hands.answers = [Done("Asked.", requests=(1, 2, 3))]
        await there.press("X", "3")
        assert "The clocks of all 3 tables that play are stopped." in there.text()
        await there.press("y")
        there.hall.requests = {
            1: Answered(1, 1, "stop", "Sowa", "applied"),
            2: Answered(2, 2, "stop", "Sowa", "no_link"),
        }
        there.app.look_again()
        await there.settles()

        assert there.acts() == [("stop_hall", {"reason": "round_break"}, "")]
        assert "1 of 3 boxes have done it." in there.text()
        assert "no link to table 2." in there.text()


async def test_a_desk_that_is_lost_is_said_in_an_open_dialog() -> None:
    async with handling([late()]) as there:
        await there.press("n", "enter")
        await there.loses_desk()
        assert isinstance(there.app.screen, ActDialog)
        there.app.screen._tick()
        await there.settles()

        assert "NO LIVE DESK" in there.text()


async def test_who_only_looks_is_offered_nothing_to_do() -> None:
    async with handling([late()], None) as there:
        assert "STOP ALL" not in there.text()
        await there.press("a", "X", "s", "r", "n", "enter")
        assert isinstance(there.app.screen, TableScreen)
        await there.press("a", "u", "enter")

        assert isinstance(there.app.screen, TableScreen)
        assert not there.acts()
        assert "answer" not in there.text()


async def test_by_mouse_alone_a_call_is_answered() -> None:
    async with handling([late()]) as there:
        await there.pilot.click("#alerts", offset=(20, 1))
        await there.settles()
        dialog = there.app.screen
        assert isinstance(dialog, ActDialog)
        await there.pilot.click(dialog.fields[1].target, offset=(3, 0))
        await there.pilot.click(dialog.query_one(ReasonField).query_one(Pick), offset=(3, 1))
        await there.settles()
        await there.pilot.click("#do")
        await there.settles()

        assert there.acts() == [("rule", {"table": 3, "game": 1, "move": 12, "verdict": "stands"}, "the players agree")]
