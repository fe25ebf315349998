"""The question before something is destroyed says what it touches as a person would."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Static

from dalej.domain.game.games import BoxGame
from dalej.domain.game.rulings import RULING
from dalej.domain.tournament.tournament import GameAt
from dalej.event.ledger import Decision, Json
from dalej.office.acts.catalogue import ACTS
from dalej.rulesets.rulebook import load
from dalej.tui.ask.actdialog import ActDialog, fields
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.fields import PickField, PlayerField
from dalej.views.book import Page
from dalej.views.rows import Row
from dalej.views.sight import sight_of
from tests.tui.hands import handling
from tests.tui.languages import speaking
from tests.tui.officescreens import Office, OneScreen, an_office
from tests.tui.paper import PaperHall, a_row
from tests.tui.scenes import as_text
from tests.world import play

BOX = BoxGame(
    box="b", epoch=7, game=1, dealt=1, begun=1, last=90, seats="ABCD", ended=None, winner=None, announced={},
    in_time=frozenset(), withdrawn=(), bank=50, reopened=0, takes_over=False, moved={},
)  # fmt: skip


def test_a_decision_that_is_taken_back_is_told_as_the_history_tells_it() -> None:
    body: dict[str, Json] = {"of": ["aa" * 8, 1, 7], "ruling": "undone", "tiles": 3}
    page = Page(decisions=(Decision(4, RULING, "ruling:aa", body, "Sowa", 0, "seen", None, None),))

    asked = ACTS["revoke"].question({"number": 4}, sight_of(page, []))

    assert asked.startswith("Decision 4 is taken back: ")
    assert "ruling, Sowa" not in asked
    assert "undone" in asked


def test_a_result_that_is_corrected_is_told_with_who_entered_it(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        play(office.event, random.Random(3))
        page = Page(state=office.event.state())
        act = ACTS["correct_result"]

        asked = act.question({"table": 2, "game": 1}, sight_of(page, [], a_row(2)))

        entered = page.state and page.state.current and page.state.current.results[GameAt(2, 1)]
        assert entered
        assert asked == f"Table 2, game 1: the result that {entered.mark.who} entered is replaced."


def test_who_closes_a_round_from_the_palette_is_told_the_same_as_on_its_screen(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        play(office.event, random.Random(3))
        page = Page(state=office.event.state(), boxes={GameAt(2, 1): BOX})

        assert ACTS["close_round"].known_before(sight_of(page, [a_row(1), a_row(2)])) == [
            "1 box still plays this round: table 2.",
            "No second person has confirmed the results of 3 tables: 1, 2, 3.",
        ]
        assert ACTS["start_round"].known_before(sight_of(page, [a_row(1)])) == [
            "1 box still plays a game from before this round: table 1."
        ]
        assert ACTS["stop_hall"].known_before(sight_of(page, [a_row(1)])) == []


async def test_the_clock_of_a_round_does_not_start_unasked_from_the_palette(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        hands = office.hands("Sowa")
        room = office.room(hands)
        room.feed.hall = PaperHall([a_row(1)])
        await room.book.turn()
        app = OneScreen(lambda: ActDialog(ACTS["start_round"], {"minutes": 75}, room, hands))
        async with app.run_test() as pilot:
            await pilot.press("ctrl+s")
            while not isinstance(app.screen, Confirm):
                await pilot.pause()
            assert "! 1 box still plays a game from before this round: table 1." in as_text(app)
            await pilot.press("escape")
            current = office.event.state().current
            assert current is not None
            assert current.clock is None


async def test_whoever_logs_people_out_picks_whom_and_everybody_is_one_of_the_answers() -> None:
    async with handling([a_row(1)]) as there:
        await there.app.run_action("screen.act('end_sessions')")
        await there.settles()
        assert "1 everybody" in there.text()

        await there.press("1")
        assert isinstance(there.app.screen, Confirm)
        assert "must log in again: everybody." in there.text()
        await there.press("y")

        assert there.acts() == [("end_sessions", {"role": "everybody"}, "")]


EVIL = "Ry\x1b]0;x\x07ś"
SHOWN = "Ry�]0;x�ś"


def evil_page(office: Office) -> Page:
    """Of an event file whose every name is meant for the terminal."""
    state = office.event.state()
    body: dict[str, Json] = {"of": ["aa" * 8, 1, 7], "ruling": "undone", "tiles": 3}
    ruled = Decision(4, RULING, "ruling:aa", body, EVIL, 0, "seen", None, None)
    players = {number: replace(player, name=EVIL) for number, player in state.players.items()}
    return Page(state=replace(state, players=players), decisions=(ruled,))


@pytest.mark.parametrize(
    ("act", "row"),
    [("warn", a_row(2)), ("set_seat", a_row(2, names=(EVIL,) * 4)), ("enter_result", a_row(2, names=(EVIL,) * 4)),
     ("revoke", None)],
)  # fmt: skip
async def test_names_of_an_event_file_are_offered_as_they_can_be_read(
    tmp_path: Path, act: str, row: Row | None
) -> None:
    with an_office(tmp_path) as office:
        page = evil_page(office)
    async with handling([]):
        made = fields(ACTS[act], {}, row, page)

        told = [str(field.label) for field in made]
        told += [choice.words for field in made if isinstance(field, PickField) for choice in field._pick.choices]
        assert SHOWN in " ".join(told)
        assert "\x1b" not in "".join(told)


@pytest.mark.parametrize(("ruleset", "asks"), [("school-league", True), ("pl-eliminations", False)])
async def test_6u_organizacja_14_who_excludes_is_asked_about_a_warning_only_where_the_text_asks_for_one(
    tmp_path: Path, ruleset: str, asks: bool
) -> None:
    with an_office(tmp_path) as office:
        state = replace(office.event.state(), ruleset=load(ruleset))
    async with handling([]):
        act = ACTS["exclude"]
        made = fields(act, {}, a_row(2), Page(state=state))

        assert [field.name for field in made if act.means(field.name or "", {}, state)] == (
            ["player", "unwarned"] if asks else ["player"]
        )


@pytest.mark.parametrize("given", [None, 3])
async def test_whoever_is_looked_for_is_listed_and_filled_in_as_they_can_be_read(
    tmp_path: Path, given: int | None
) -> None:
    with an_office(tmp_path) as office:
        page = evil_page(office)
    async with handling([]) as there:
        [field] = fields(ACTS["warn"], {} if given is None else {"player": given}, None, page)
        assert isinstance(field, PlayerField)
        await there.app.screen.mount(field)
        await there.settles()

        assert field._input.value == ("" if given is None else SHOWN)
        assert [one.words for one in field._found.choices][:1] == ([f"{SHOWN} (1)"] if given is None else [])
        assert field.is_open() == (given is None)
        assert given is None or field.value() == given


@pytest.mark.parametrize(("act", "args"), [("exclude", {"player": 3}), ("restart_move", {})])
def test_the_question_names_people_as_they_can_be_read(tmp_path: Path, act: str, args: dict[str, object]) -> None:
    with an_office(tmp_path) as office:
        asked = ACTS[act].question(args, sight_of(evil_page(office), [], a_row(2, names=(EVIL,) * 4)))

    assert SHOWN in asked
    assert "\x1b" not in asked


async def test_a_question_longer_than_the_screen_is_read_on_with_the_arrows_and_then_answered() -> None:
    question = Confirm("correct it", [f"line {number}" for number in range(40)])
    app = OneScreen(lambda: question)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "line 39" not in as_text(app)
        await pilot.press(*["down"] * 40)
        assert "line 39" in as_text(app)
        await pilot.press("up")
        assert "line 39" not in as_text(app)


@pytest.mark.parametrize(("language", "shown"), [("en", "y"), ("pl", "t"), ("it", "s"), ("generated", "y")])
@pytest.mark.parametrize("pressed", ["own", "y"])
async def test_a_question_is_answered_by_the_first_letter_of_the_readers_yes_and_by_y(
    language: str, shown: str, pressed: str
) -> None:
    with speaking(language):
        answers: list[bool | None] = []
        question = Confirm("?", ["!"], yes="+++")
        async with handling([a_row(1)]) as there:
            there.app.push_screen(question, answers.append)
            await there.settles()
            assert f"{shown}  +++" in there.text()
            await there.press("enter")
            assert f" {shown} " in str(question.query_one("#enter", Static).content)
            await there.press(shown if pressed == "own" else "y")
            assert answers == [True]
