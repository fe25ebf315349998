"""The players at the screen: search, sign up, absent, warn, exclude, withdraw, back; by keys and by mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office import signups
from dalej.office.signups import SignUp
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.room import BY_NAME, WAYS, Room
from dalej.tui.screens.people import PeopleScreen
from tests import world
from tests.tui.languages import cuts, speaking
from tests.tui.officescreens import Looking, Office, at_event, names_at
from tests.world import draw


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Event]:
    """Eleven players at three tables, and one of class 4b who is not seated."""
    with world.an_event(tmp_path, 11) as event:
        event.change(lambda state: signups.enter(state, [SignUp(0, "Łoś Mały", "4b")]))
        yield event


def names(desk: Looking) -> list[str]:
    """Those in the list."""
    people = [player.name for player in desk.state.players.values()]
    rows = [line for line in desk.text().splitlines() if " plays" in line or "absent" in line or "withdrawn" in line]
    return [name for row in rows for name in people if f" {name} " in f"{row} "]


async def find(desk: Looking, text: str) -> None:
    await desk.press("slash")
    await desk.type(text)
    await desk.press("enter")


async def test_typing_narrows_the_list_down_without_accents_and_by_group(path: Path) -> None:
    async with at_event(path, PeopleScreen) as desk:
        await find(desk, "los")
        assert names(desk) == ["Łoś Mały"]
        await desk.press("escape")
        assert len(names(desk)) == 12
        await find(desk, "4B")
        assert names(desk) == ["Łoś Mały"]
        await desk.press("escape", "g")
        assert names(desk) == ["Łoś Mały"]
        assert desk.has("g: 4b")


@pytest.mark.parametrize("language", ["en", "pl", "it", "generated"])
async def test_long_names_and_every_heading_are_whole_beside_a_two_digit_table(tmp_path: Path, language: str) -> None:
    with world.an_event(tmp_path, 44, seated=False) as event:
        long = SignUp(0, "Brzęczyszczykiewicz Grzegorz", "")
        event.change(lambda state: signups.enter(state, [long], anyway="everybody plays"))
        draw(event)
        with speaking(language):
            async with at_event(tmp_path / "event.dalej", PeopleScreen) as desk:
                assert desk.has("Brzęczyszczykiewicz Grzegorz")
                assert not [name for name, _how in cuts(desk.app) if "PickList" in name]


async def test_the_line_of_the_chosen_one_is_said_in_the_readers_language(path: Path) -> None:
    with speaking("generated"):
        async with at_event(path, PeopleScreen) as desk:
            assert not desk.has("· number ")


async def test_a_player_is_signed_up_by_keys_and_a_name_that_is_taken_is_said_while_typing(path: Path) -> None:
    async with at_event(path, PeopleScreen) as desk:
        await desk.press("i")
        await desk.type("lis")
        assert desk.has("✗ Lis is player 1 already")
        await desk.press("enter", "enter", "enter")
        assert isinstance(desk.screen, ActDialog)
        await desk.press("shift+tab", "shift+tab")
        await desk.type("Trzmiel")
        await desk.press("enter")
        await desk.type("5a")
        await desk.press("enter", "enter")
        assert desk.said.startswith("✓ Trzmiel is player 13")
        assert desk.state.players[13].group == "5a"


async def test_absent_takes_a_seated_player_off_the_table_and_present_again_is_one_key_too(
    path: Path, league: Event
) -> None:
    someone = names_at(league.state(), 1)[2]
    async with at_event(path, PeopleScreen) as desk:
        await find(desk, someone.lower())
        await desk.press("a")
        assert names_at(desk.state, 1)[2] == ""
        assert desk.has("○ absent")
        await desk.press("a")
        assert desk.has("● plays")


async def test_a_consent_that_has_come_is_ticked_by_one_key_and_taken_back_by_the_same(path: Path) -> None:
    async with at_event(path, PeopleScreen) as desk:
        await find(desk, "sowa")
        await desk.press("c")
        assert desk.state.players[2].consent is True
        assert desk.has("consent on file")
        await desk.press("c")
        assert desk.state.players[2].consent is False
        assert desk.has("NO CONSENT ON FILE")


async def test_a_warning_takes_its_reason_from_a_digit_and_is_shown_with_who_and_why(path: Path) -> None:
    async with at_event(path, PeopleScreen) as desk:
        await find(desk, "sowa")
        await desk.press("w", "enter")
        assert desk.has("say why: it is kept with the decision")
        await desk.press("2", "enter")
        assert desk.has("! 1")
        assert desk.has("Gęś: touched tiles after the time was over")
        assert len(desk.state.players[2].warnings) == 1
        await desk.press("z")
        assert not desk.state.players[2].warnings


async def test_two_clicks_at_once_take_one_thing_back_and_lose_nothing(path: Path) -> None:
    async with at_event(path, PeopleScreen) as desk:
        for why in ("late", "late again"):
            await find(desk, "sowa")
            await desk.press("w")
            await desk.type(why)
            await desk.press("enter")
        assert len(desk.state.players[2].warnings) == 2

        desk.paged.action_take_back()
        desk.paged.action_take_back()
        await desk.settle()
        assert len(desk.state.players[2].warnings) == 1

        await desk.press("z")
        assert not desk.state.players[2].warnings


async def test_who_was_never_warned_is_excluded_only_knowingly(path: Path) -> None:
    async with at_event(path, PeopleScreen) as desk:
        await find(desk, "wilk")
        await desk.press("x")
        assert desk.has("! Nobody has warned Wilk")
        await desk.type("did it again")
        await desk.press("enter", "y")
        assert desk.state.players[7].gone is not None
        assert desk.has("✗ excluded")


async def test_organizacja_14_eliminations_exclude_outright_and_the_screen_quotes_their_clause(tmp_path: Path) -> None:
    path = world.event_file(tmp_path, 16, ruleset="pl-eliminations")
    async with at_event(path, PeopleScreen) as desk:
        await find(desk, "wilk")
        await desk.press("x")
        assert not desk.has("Nobody has warned")
        assert desk.has("ORGANIZACJA 14: „Jeśli to uczni")
        await desk.type("has qualified elsewhere")
        await desk.press("enter", "y")
        gone = desk.state.players[7].gone
        assert gone is not None
        assert gone.mark.why == "has qualified elsewhere"


async def test_by_mouse_alone_a_player_withdraws_and_is_back(path: Path) -> None:
    async with at_event(path, PeopleScreen) as desk:
        await desk.click_button("Jeż")
        await desk.click_button("withdraws")
        await desk.click_button("had to go home")
        await desk.click_button("⏎ a player withdraws")
        await desk.click_button("yes, do it")
        assert desk.state.players[6].gone is not None
        await desk.click_button("is back")
        assert desk.state.players[6].gone is None


async def test_two_organisers_exclude_and_warn_the_same_player(path: Path) -> None:
    async with at_event(path, PeopleScreen, who="Gęś") as first, at_event(path, PeopleScreen, who="Lis") as second:
        for desk in (first, second):
            await find(desk, "ryś")
        await second.press("w", "1")
        await first.press("x", "1", "enter", "y")
        await second.press("enter")
        assert second.has("✗ Ryś has already left, says Gęś")
        await second.press("escape")
        assert second.has("✗ excluded")


async def test_a_referee_warns_but_signs_nobody_up(path: Path) -> None:
    async with at_event(path, PeopleScreen, role="referee") as desk:
        assert not desk.has("sign up")
        await desk.press("i")
        assert "not for the role" in desk.said
        await find(desk, "kuna")
        await desk.press("w", "3", "enter")
        assert len(desk.state.players[10].warnings) == 1


async def test_name_and_group_are_corrected(path: Path) -> None:
    async with at_event(path, PeopleScreen) as desk:
        await find(desk, "łoś")
        await desk.press("f6", "tab")
        await desk.type("4c")
        await desk.press("enter", "enter")
        assert desk.state.players[12].group == "4c"


def test_the_key_that_opens_results_in_the_hall_does_nothing_else_on_any_screen(path: Path) -> None:
    office = Office(Event(Ledger.open(path), who="test", wall_ms=lambda: 0))
    try:
        room = office.room(office.hands("Sowa"))
        for way in WAYS:
            made: Callable[[Room], Screen[Any]] = way.made
            assert BY_NAME["results"].key not in made(room)._bindings.key_to_bindings, way.name
    finally:
        office.close()
