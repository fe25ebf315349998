"""What a table offers a referee: always under the same digit, only what can be done, with what is known filled in."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.menu import ActMenu
from dalej.tui.screens.hall import HallScreen
from dalej.tui.typedahead import HoldsKeys
from dalej.views.offers import at_table, for_alert
from dalej.views.rows import Row
from tests.tui.calling import DISPUTE, claimed, disputed, stands
from tests.tui.hands import click, handling, words
from tests.tui.paper import SMALL, a_row
from tests.tui.turned import late, seen


async def test_an_open_claim_is_granted_or_denied_in_the_move_of_who_claims() -> None:
    async with handling([claimed()]) as there:
        await there.types("n", "enter")
        assert isinstance(there.app.screen, ActMenu)
        assert "1 grant the claim" in there.text()
        assert "2 deny the claim" in there.text()
        await there.types("1", "1", "enter")

        assert there.acts() == [
            ("grant_claim", {"table": 3, "game": 1, "move": 13, "goes_on": True}, "the players agree")
        ]


async def test_an_open_claim_is_denied_by_mouse_in_the_move_of_who_claims() -> None:
    async with handling([claimed()]) as there:
        for words in ("early click", "⏎ answer", "deny the claim", "nobody saw it", "⏎ deny the claim"):
            await click(there, words)

        assert there.acts() == [("deny_claim", {"table": 3, "game": 1, "move": 13, "goes_on": True}, "nobody saw it")]


async def test_before_anybody_has_claimed_there_is_nothing_to_grant_or_to_deny() -> None:
    async with handling([claimed(urgent=False)]) as there:
        await there.types("n", "enter")
        menu = there.app.screen
        assert isinstance(menu, ActMenu)
        claims = [offer for offer in menu.offers if offer.act.name in ("grant_claim", "deny_claim")]

        assert [offer.why_not for offer in claims] == ["no claim waits for an answer"] * 2


@pytest.mark.parametrize("row", [stands(), a_row(3), a_row(3, state="expired", left_ms=0)], ids=lambda row: row.state)
def test_an_answer_keeps_its_digit_whatever_the_table_does(row: Row) -> None:
    shown = for_alert("referee", row, DISPUTE, [11])

    assert [(one.key, one.act.name) for one in shown] == [
        ("1", "resume"), ("2", "restart_move"), ("3", "set_time"), ("4", "set_seat"), ("5", "rule"), ("6", "stop"),
        ("7", "warn"),
    ]  # fmt: skip


def test_no_letter_of_the_menu_is_one_that_every_screen_knows() -> None:
    keys = [offer.key for offer in at_table("organiser", stands())]

    assert all(keys)
    assert len(keys) == len(set(keys))
    assert not set(keys) & set("nqxz?:")


def test_without_a_time_out_there_is_nothing_to_rule_on() -> None:
    (rule,) = (offer for offer in at_table("referee", stands(), []) if offer.act.name == "rule")
    (after,) = (offer for offer in at_table("referee", stands(), [4, 9]) if offer.act.name == "rule")

    assert rule.why_not == "nobody's time has run out in this game"
    assert (after.why_not, after.args["move"]) == ("", 9)


async def test_the_last_time_out_of_the_game_is_filled_in_and_those_of_others_are_not() -> None:
    async with handling([stands()]) as there:
        turns = [late(move=40, game=9), late(move=7), late(move=6, void=True), seen(move=8)]
        there.hall.turns = lambda _table: turns  # type: ignore[method-assign,assignment]  # as told
        await there.types("a", "u")

        assert isinstance(there.app.screen, ActDialog)
        assert there.app.screen.query(Input).first().value == "7"


async def test_a_move_that_stands_asks_for_no_tiles() -> None:
    async with handling([a_row(3, state="expired", left_ms=-9_000)]) as there:
        await there.types("a", "u")
        assert "tiles  " not in there.text()
        await there.types("1")
        assert "tiles  " not in there.text()
        await there.types("shift+tab", "2")
        assert "tiles  " in there.text()
        await there.types("shift+tab", "shift+tab", "1", "1", "enter")

        [(_act, args, _why)] = there.acts()
        assert args == {"table": 3, "game": 1, "move": 12, "verdict": "stands"}


async def test_the_button_says_which_key_does_it_now() -> None:
    async with handling([stands()]) as there:
        await there.types("a", "t")
        assert "Ctrl+S correct what is left" in there.text()
        await there.types("9", "enter")
        assert "⏎ correct what is left" in there.text()
        await there.types("1")
        assert "⏎ correct what is left" in there.text()


async def test_what_cannot_be_right_is_said_in_full_under_the_field() -> None:
    async with handling([stands()]) as there:
        await there.types("a", "t", *"99999")

        assert "expected 0 to 3600 seconds, such as 20 or 1:30, found 99999" in words(there)


async def test_the_hall_behind_a_dialog_goes_on() -> None:
    async with handling([stands(), a_row(4)]) as there:
        await there.types("a")
        there.hall.written[4] = a_row(4, state="expired", left_ms=-7_000)
        hall = there.app.screen_stack[0]
        assert isinstance(hall, HallScreen)
        hall.refresh_hall()
        await there.settles()

        assert hall._rows[4].state == "expired"


async def test_a_dialog_holds_the_keys_as_long_as_the_desk_is_asked() -> None:
    async with handling([stands()]) as there:
        await there.types("a", "t")
        dialog = there.app.screen
        assert isinstance(dialog, HoldsKeys)
        assert not dialog.holds_keys


@pytest.mark.parametrize("language", ["en", "pl", "it"])
async def test_the_short_menu_says_how_to_leave_in_every_language(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    row = disputed()
    async with handling([row], size=SMALL) as there:
        await there.types("n", "enter")
        menu = there.app.screen
        assert isinstance(menu, ActMenu)
        said = str(menu.query_one("#foot").render())

        assert all(word in there.text() for word in said.split())


async def test_a_narrow_table_still_says_which_key_answers() -> None:
    row = disputed()
    async with handling([row], size=(60, 18)) as there:
        await there.types("enter")

        assert "⏎ answer" in there.text()


async def test_a_dialog_over_a_stale_hall_says_so_in_its_frame_and_the_banner_stands_once() -> None:
    async with handling([stands()]) as there:
        await there.types("a", "t")
        await there.loses_desk()
        assert isinstance(there.app.screen, ActDialog)
        there.app.screen._tick()
        there.app.look_again()
        hall = there.app.screen_stack[0]
        assert isinstance(hall, HallScreen)
        hall.refresh_hall()
        await there.settles()

        assert "━  ◌ NO LIVE DESK" in there.text() or "━ ◌ NO LIVE DESK" in there.text()
        assert there.text().count("Start it") == 1


async def test_a_desk_that_is_gone_is_said_with_what_brings_it_back() -> None:
    async with handling([a_row(3)]) as there:
        await there.loses_desk()
        there.app.look_again()
        await there.settles()

        assert "NO LIVE DESK" in there.text()
        assert "Start it" in there.text()
