"""The one dialog: which key does it is said before, Enter passes no empty field by, and what it takes the act takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import WHY_MOST
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.dialog import Question
from dalej.tui.ask.fields import OrderField
from dalej.tui.widgets.choices import Choice
from dalej.views.rows import Row
from tests.tui.calling import stands
from tests.tui.hands import Handling, handling
from tests.tui.officescreens import OneScreen, an_office
from tests.tui.paper import a_row
from tests.tui.scenes import as_text

AT_ONCE = "What is picked here is done at once."


async def asks(there: Handling, act: str) -> None:
    await there.app.run_action(f"screen.act({act!r})")
    await there.settles()
    assert isinstance(there.app.screen, ActDialog)


async def test_a_pick_that_does_the_act_is_said_to_do_so_before() -> None:
    async with handling([a_row(3)]) as there:
        await asks(there, "stop")
        assert AT_ONCE in there.text()
        await there.press("2")

        assert there.acts() == [("stop", {"table": 3, "reason": "dispute"}, "")]


@pytest.mark.parametrize(
    ("row", "act", "why"),
    [(stands(), "set_seat", "its reason comes after it"), (a_row(3), "stop_hall", "it is asked about")],
    ids=["set_seat", "stop_hall"],
)
async def test_a_pick_after_which_there_is_more_says_nothing_of_the_kind(row: Row, act: str, why: str) -> None:
    async with handling([row]) as there:
        await asks(there, act)
        assert AT_ONCE not in there.text(), why
        await there.press("1")

        assert not there.acts()


async def test_how_the_table_stands_is_told_above_what_is_asked() -> None:
    async with handling([stands()]) as there:
        await asks(there, "set_time")

        where = there.app.screen.query_one("#where")
        assert where.display
        assert "game 1, move 12" in str(where.render())


async def test_enter_goes_through_every_field_in_which_something_may_be_typed() -> None:
    async with handling([a_row(3)]) as there:
        await asks(there, "sign_up")
        await there.press(*"Wilga", "enter")
        assert not there.acts()
        await there.press(*"3b", "enter")
        assert not there.acts()
        await there.press("enter")

        assert there.acts() == [("sign_up", {"name": "Wilga", "group": "3b"}, "")]


async def test_a_reason_may_be_as_long_as_the_desk_keeps_it() -> None:
    async with handling([stands()]) as there:
        await asks(there, "restart_move")
        await there.press(*"x" * (WHY_MOST + 1), "enter", "y")

        assert [len(why) for _act, _args, why in there.acts()] == [WHY_MOST]


@pytest.mark.parametrize(
    ("act", "field"), [("draw_seating", "seed"), ("advance", "players"), ("start_round", "minutes")]
)
async def test_a_dialog_takes_the_largest_figure_that_the_command_takes_and_no_larger(
    tmp_path: Path, act: str, field: str
) -> None:
    most = ACTS[act].ask(field).most
    with an_office(tmp_path, seated=False) as office:
        hands = office.hands("Sowa")
        room = office.room(hands)
        await room.book.turn()
        app = OneScreen(lambda: ActDialog(ACTS[act], {}, room, hands))
        async with app.run_test() as pilot:
            await pilot.pause()
            [typed] = [one for one in app.screen.fields if one.name == field]  # type: ignore[attr-defined]  # a dialog's
            app.screen.set_focus(typed.target)
            await pilot.press(*str(most))
            assert typed.value() == most
            await pilot.press("backspace", "9", "9", "enter")
            await pilot.pause()

            assert f"expected {ACTS[act].ask(field).least} to {most}" in " ".join(
                as_text(app).replace("│", " ").split()
            )
            assert not office.lines


async def test_an_order_is_put_together_by_keys_and_taken_back_one_by_one() -> None:
    names = [Choice(number, name) for number, name in ((7, "Wilk"), (3, "Jeż"), (5, "Lis"))]
    order = OrderField("players", "best first", names)
    app = OneScreen(lambda: Question("level", [order], yes="order them"))
    async with app.run_test() as pilot:
        await pilot.press("2", "enter")
        assert not app.came_back, "Enter names the one under the cursor, who is named already"
        assert "1. 2 Jeż" in as_text(app)
        await pilot.press("backspace", "3", "1")
        await pilot.pause()

    assert app.came_back == [{"players": [5, 7, 3]}]
