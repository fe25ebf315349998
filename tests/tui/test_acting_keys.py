"""What a referee's keys do beside the dialogs: order, whole hall, menu, palette, passages, looks, other screens."""

from __future__ import annotations

import pytest
from textual.command import CommandList, CommandPalette
from textual.widgets import Input

from dalej.office.acts.wishes import Done
from dalej.tui.app import THEMES, Bells
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.menu import ActMenu
from dalej.tui.ask.pages import Reading
from dalej.tui.room import WAYS, Way
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.public import PublicScreen
from dalej.tui.widgets.tablelist import TableList
from dalej.views.requests import Answered
from dalej.words import _
from tests.tui.calling import late, stands
from tests.tui.hands import handling
from tests.tui.languages import speaking
from tests.tui.paper import LARGE, SMALL, a_row, an_alert


async def test_o_puts_what_waits_first_and_the_cursor_stays_at_its_table() -> None:
    async with handling([a_row(1), a_row(2), late()]) as there:
        hall = there.app.screen
        assert isinstance(hall, HallScreen)
        assert [line.table for line in hall.query_one(TableList).lines] == [1, 2, 3]
        await there.press("o")

        assert [line.table for line in hall.query_one(TableList).lines] == [3, 1, 2]
        assert hall.chosen_table() == 1


async def test_the_hall_goes_on_after_a_question_and_is_counted_live() -> None:
    async with handling([stands(table=1), stands(table=2), a_row(3)]) as there:
        there.hands.answers = [Done("Asked.", requests=(1, 2))]
        await there.press("G")
        assert "The clocks of all 2 tables that were stopped with the hall go on." in there.text()
        await there.press("y")
        there.hall.requests = {1: Answered(1, 1, "resume", "Sowa", "applied")}
        there.app.look_again()
        await there.settles()
        assert "1 of 2 boxes have done it." in there.text()

        there.hall.requests[2] = Answered(2, 2, "resume", "Sowa", "applied")
        there.app.look_again()
        await there.settles()

        assert there.acts() == [("resume_hall", {}, "")]
        assert "✓ 2 of 2 boxes have done it." in there.text()


async def test_a_table_is_stopped_and_goes_on_by_one_key_each() -> None:
    async with handling([a_row(3)]) as there:
        await there.press("enter", "s", "1")
        there.hall.written[3] = stands()
        there.app.look_again()
        await there.press("r")

        assert [act for act, _args, _why in there.acts()] == ["stop", "resume"]


async def test_the_right_button_opens_what_can_be_done() -> None:
    async with handling([a_row(3)]) as there:
        await there.press("enter")
        await there.pilot.click("#others", button=3)
        await there.settles()

        assert isinstance(there.app.screen, ActMenu)


@pytest.mark.parametrize("keys", [("n", "enter", "f1"), ("n", "a", "u", "f1")])
async def test_the_clause_is_a_key_away(keys: tuple[str, ...]) -> None:
    async with handling([late()]) as there:
        await there.press(*keys)

        assert isinstance(there.app.screen, Reading)
        assert "§ rule" in there.text()

        await there.press("escape")
        assert isinstance(there.app.screen, ActDialog)


async def test_a_menu_tells_the_clause_of_the_act_under_the_cursor() -> None:
    async with handling([late()]) as there:
        await there.press("a", "f1")

        assert isinstance(there.app.screen, Reading)


@pytest.mark.parametrize("opens", ["ctrl+p", "colon"])
async def test_the_palette_finds_an_act_by_its_words_and_fills_the_table_in(opens: str) -> None:
    async with handling([a_row(1), stands()]) as there:
        await there.press("down", opens)
        assert isinstance(there.app.screen, CommandPalette)
        await there.press(*"extra", "space", *"time")
        for _turn in range(400):
            await there.pilot.pause(0.01)
            if "extra time · table 3" in there.text():
                break
        await there.press("down", "enter")
        for _turn in range(400):
            await there.pilot.pause(0.01)
            if isinstance(there.app.screen, ActDialog):
                break

        assert isinstance(there.app.screen, ActDialog)
        assert "Table 3 · give extra time" in there.text()


@pytest.mark.parametrize("language", ["en", "pl", "it"])
async def test_that_the_palette_finds_nothing_is_said_in_the_readers_language(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CommandPalette, "_NO_MATCHES_COUNTDOWN", 0.01)
    with speaking(language):
        async with handling([a_row(1)]) as there:
            await there.press("ctrl+p", *"qqxq")
            found = there.app.screen.query_one(CommandList)
            for _turn in range(400):
                await there.pilot.pause(0.01)
                if found.option_count == 1:
                    break
            assert str(found.get_option_at_index(0).prompt) == _("Nothing is called like that.")
            assert found.get_option_at_index(0).disabled
            assert "No matches found" not in there.text()

            await there.press("enter")
            assert there.app.screen.query_one(Input).value == "qqxq"
            await there.press("escape")
            assert isinstance(there.app.screen, HallScreen)


async def test_c_goes_round_the_looks_and_says_their_names() -> None:
    async with handling([a_row(1)]) as there:
        names = []
        for _look in THEMES:
            await there.press("c")
            names += [note.message for note in there.app._notifications]

        assert sorted(names) == sorted(f"colours: {name}" for name in THEMES.values())


async def test_the_bell_rings_once_for_what_becomes_urgent_and_b_turns_it_off() -> None:
    async with handling([a_row(1), a_row(2)]) as there:
        rung: list[int] = []
        there.app.bell = lambda: rung.append(1)  # type: ignore[method-assign]  # a bell that is heard
        await there.press("b")  # on: what is frozen begins without
        there.hall.written[2] = late(2)
        for _look in range(2):
            there.app.look_again()
            await there.settles()
        assert rung == [1]

        await there.press("b")
        there.hall.written[1] = late(1)
        there.app.look_again()
        await there.settles()
        assert rung == [1]


def test_what_waited_when_the_screen_was_opened_rings_no_bell() -> None:
    bells, waits = Bells(), [an_alert(3, "dispute", 9_000)]

    assert not bells.rings(waits)
    assert bells.rings([*waits, an_alert(4, "dispute", 0)])
    assert not bells.rings([])
    assert bells.rings(waits)


@pytest.mark.parametrize("size", [SMALL, (120, 40), LARGE])
async def test_every_button_of_the_hall_is_on_the_screen(size: tuple[int, int]) -> None:
    async with handling([a_row(table) for table in range(1, 41)], size=size) as there:
        hall = there.app.screen
        assert isinstance(hall, HallScreen)
        shown = there.text()

        assert all(f"{button.key} {button.words}" in shown for button in hall.buttons())
        assert {"STOP ALL", "quit", "help", "results"} <= {button.words for button in hall.buttons()}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
async def test_every_other_screen_is_a_key_away_and_comes_back(way: Way) -> None:
    async with handling([a_row(1)]) as there:
        await there.press(way.key)
        assert type(there.app.screen) is way.made

        await there.press("q" if way.name == "public" else "escape")
        assert isinstance(there.app.screen, HallScreen)
        assert there.app.is_running


async def test_a_screen_that_lies_beneath_is_gone_back_to() -> None:
    async with handling([a_row(1)]) as there:
        await there.press("e")
        await there.app.run_action("app.show('standings')")
        await there.settles()
        await there.app.run_action("app.show('results')")
        await there.settles()

        assert [type(screen).__name__ for screen in there.app.screen_stack] == ["HallScreen", "ResultsScreen"]


async def test_screens_are_opened_by_mouse() -> None:
    async with handling([a_row(1)]) as there:
        lines = there.text().splitlines()
        y = next(y for y, line in enumerate(lines) if "results" in line)
        await there.pilot.click(offset=(lines[y].index("results") + 2, y))
        await there.settles()

        assert type(there.app.screen).__name__ == "ResultsScreen"


async def test_the_public_has_its_own_screen_and_no_way_to_another() -> None:
    async with handling([late()], "public") as there:
        assert [type(screen) for screen in there.app.screen_stack] == [PublicScreen]
        await there.press("enter", "e", "X", "a", "ctrl+p", "colon", "question_mark", "t")
        await there.app.run_action("app.show('results')")
        await there.settles()

        assert [type(screen) for screen in there.app.screen_stack] == [PublicScreen]
        assert not there.acts()


async def test_a_text_field_takes_letters_that_are_keys_elsewhere() -> None:
    async with handling([stands()]) as there:
        await there.press("enter", "t", *"20", "enter", *"cq?:", "enter")

        assert there.acts() == [("set_time", {"table": 3, "ms": 20_000, "game": 1, "move": 12}, "cq?:")]


async def test_a_dialog_without_a_clause_tells_its_keys() -> None:
    async with handling([stands()]) as there:
        await there.press("enter", "t", "f1")
        assert "THE KEYS OF A DIALOG" in there.text()

        await there.press("escape")
        assert isinstance(there.app.screen, ActDialog)
        assert there.app.screen.query(Input).first().has_focus


async def test_a_key_that_does_nothing_says_at_which_table() -> None:
    async with handling([a_row(3, state="stopped", reason="referee", moves_on=False)]) as there:
        await there.press("s")

        assert "Table 3 · stop the clock: the clock stands" in there.text()
        assert not there.acts()
