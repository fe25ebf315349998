"""A hall whose tables have no boxes needs no desk; where only some have one, only these can be silent."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from dalej.clock import ManualClock
from dalej.domain.tournament.tournament import GameAt
from dalej.office.acts.catalogue import ACTS
from dalej.tui.ask.actdialog import ActDialog
from dalej.tui.ask.menu import ActMenu
from dalej.tui.ask.pages import keys_of
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.hall import HallScreen
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.screens.seating import SeatingScreen
from dalej.tui.screens.standings import StandingsScreen
from dalej.tui.screens.table import TableScreen
from dalej.tui.widgets.nextline import NextLine
from dalej.views import feed
from dalej.views.book import Page
from dalej.views.nextwords import Next
from tests.tui.gallery import GALLERY, SIZES, Stage, staged
from tests.tui.hands import PaperHands
from tests.tui.looking import looking
from tests.tui.officescreens import an_office
from tests.tui.paper import SMALL, PaperDesk, PaperHall, a_row, an_app
from tests.tui.public import PaperBook
from tests.tui.scenes import WITHOUT_BOX, as_text

ROUNDS: Final = 6  # of a school league


def at_hall(scene: str) -> AbstractAsyncContextManager[Stage]:
    stage: AbstractAsyncContextManager[Stage] = GALLERY[scene](SIZES[0])
    return stage


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that is gone is looked for at once."""
    monkeypatch.setattr(feed, "AGAIN_S", 0.02)


async def test_where_no_table_has_a_box_nobody_misses_a_desk() -> None:
    desk = PaperDesk()
    desk.there = False
    app = an_app([a_row(table, **WITHOUT_BOX) for table in (1, 2)], desk)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        app.look_again()
        await pilot.pause()
        text = as_text(app)

    assert "DESK" not in text
    assert "no sign" not in text
    assert "░" not in text
    assert "12:00:00" in text


async def test_where_some_tables_have_a_box_a_lost_desk_is_said_and_only_these_are_old() -> None:
    async with looking([a_row(1), a_row(2, **WITHOUT_BOX)]) as look:
        look.desk.vanish()
        await look.until(live=False)
        await look.after(14_000)

        assert "NO LIVE DESK since 14 s" in look.text()
        assert "░ 14 s old ░" in look.line(1)
        assert "░" not in look.line(2)


async def test_a_table_without_a_box_shows_who_sits_there_and_which_games_are_missing() -> None:
    async with at_hall("no-boxes") as stage:
        lines = as_text(stage.app).splitlines()

    assert "League, round 2: 1:20:00 · 5 tables · 0 of 20 games in " in lines[0]
    assert "Next: enter the results of table 1" in lines[1]
    assert "1, 2, 3, 4 missing        Lis, Sowa, Borsuk, Wydra" in lines[3]
    assert "STOP ALL" not in "".join(lines)


@pytest.mark.parametrize(("keys", "table"), [(("N",), 1), (("n", "enter"), 2), (("down", "down", "enter"), 3)])
async def test_the_sheet_of_a_table_without_a_box_is_a_key_away(keys: Sequence[str], table: int) -> None:
    async with at_hall("no-boxes") as stage:
        await stage.press(*keys)

        assert isinstance(stage.app.screen, EntryScreen)
        assert stage.app.screen.at == GameAt(table, 1)


async def test_among_tables_with_boxes_enter_opens_the_sheet_of_one_that_has_none() -> None:
    async with at_hall("some-boxes") as stage:
        await stage.press("down", "down", "enter")
        assert isinstance(stage.app.screen, EntryScreen)

        await stage.press("escape", "up", "enter")
        assert isinstance(stage.app.screen, TableScreen)


async def test_a_clock_cannot_be_stopped_where_there_is_none() -> None:
    async with at_hall("no-boxes") as stage:
        await stage.press("X")

        assert isinstance(stage.app.screen, HallScreen)
        assert "STOP" not in as_text(stage.app)


async def test_what_no_box_says_is_said_aloud_when_it_comes_to_pass_with_the_bell() -> None:
    rung: list[bool] = []
    async with at_hall("no-boxes") as stage:
        stage.app.bells.on = True
        stage.app.bell = lambda: rung.append(True)  # type: ignore[method-assign]  # instead of the terminal's
        assert isinstance(stage.app.feed._clock, ManualClock)

        for passed_ms in (79 * 60_000, 60_000, 60_000):
            stage.app.feed._clock.time_ms += passed_ms
            stage.app.look_again()
            await stage.settles()
        text = as_text(stage.app)

    assert "Say it aloud: FINAL LAP: one more move for each" in text
    assert rung == [True]


async def test_of_some_boxes_only_the_tables_without_one_are_told_by_voice() -> None:
    async with at_hall("some-boxes") as stage:
        assert "Say it at tables 3, 4: FINAL LAP" in as_text(stage.app)


async def test_the_page_of_help_speaks_of_no_box_where_there_is_none() -> None:
    async with at_hall("no-boxes") as stage:
        await stage.press("question_mark")
        text = as_text(stage.app)

    assert "THE TOURNAMENT" in text
    assert "THE BOX" not in text
    assert "Sędzia" not in text


async def test_no_key_is_explained_in_textuals_own_words() -> None:
    async with at_hall("no-boxes") as stage:
        assert not [does for _key, does in keys_of(stage.app.screen) if "Focus" in does or "Copy" in does]


@pytest.mark.parametrize(("words", "key"), [("seat", "Shift+N"), ("seat " * 10, "Shift+N"), ("seat " * 12, "N")])
async def test_the_key_of_the_next_step_is_written_with_shift_where_there_is_room(words: str, key: str) -> None:
    async with at_hall("no-boxes") as stage:
        stage.app.screen.query_one(NextLine).show(Next(words.strip(), screen="people"))
        await stage.settles()

        assert f" {key}  does it" in as_text(stage.app)
        assert ("Shift+N" in as_text(stage.app)) == (key == "Shift+N")


async def test_the_palette_leaves_out_what_takes_a_box_and_begins_with_what_is_done_here() -> None:
    async with at_hall("no-boxes") as stage:
        screen = stage.app.screen
        assert isinstance(screen, HallScreen)
        named = [act.name for act in screen.named_acts()]
        assert {"enter_result", "sign_up", "close_round"} <= set(named)
        assert not {"blink", "stop", "set_time", "stop_hall", "send_settings"} & set(named)
        assert named[-3:] == ["rule", "grant_claim", "deny_claim"]


async def test_the_palette_of_a_hall_with_boxes_keeps_their_acts() -> None:
    async with at_hall("some-boxes") as stage:
        screen = stage.app.screen
        assert isinstance(screen, HallScreen)
        assert {"blink", "stop", "stop_hall"} <= {act.name for act in screen.named_acts()}


@pytest.mark.parametrize("keys", [("N",), ("e", "N")])
async def test_after_the_last_round_one_key_opens_what_is_to_be_printed_from_wherever_one_is(
    tmp_path: Path, keys: Sequence[str]
) -> None:
    with an_office(tmp_path, played=ROUNDS, seated=False) as office:
        hall, book = PaperHall([a_row(1, **WITHOUT_BOX)]), PaperBook(Page(head=1, state=office.event.state()))
        async with staged(SIZES[0], hall, hands=PaperHands(), book=book, gone_ms=0) as stage:
            await stage.press(*keys)
            for _turn in range(50):
                await stage.pilot.pause()

            assert any(isinstance(one, StandingsScreen) for one in stage.app.screen_stack)
            assert "diplomas for everybody" in as_text(stage.app)


@pytest.mark.parametrize("keys", [("N",), ("p", "N"), ("e", "N"), ("t", "N")])
async def test_one_key_seats_the_next_round_from_wherever_one_is(tmp_path: Path, keys: Sequence[str]) -> None:
    with an_office(tmp_path, seated=False) as office:
        hall, book = PaperHall([a_row(1, **WITHOUT_BOX)]), PaperBook(Page(head=1, state=office.event.state()))
        hands = PaperHands()
        async with staged(SIZES[0], hall, hands=hands, book=book, gone_ms=0) as stage:
            await stage.press(*keys)
            for _turn in range(400):
                await stage.pilot.pause(0.01)
                if hands.wishes:
                    break

            assert [wish.act for wish in hands.wishes] == ["draw_seating"]
            assert any(isinstance(one, SeatingScreen) for one in stage.app.screen_stack)


@pytest.mark.parametrize(
    ("typed", "paper"),
    [
        ("diplomas for ev", {"what": "diplomas", "form": "pdf", "taking_part": True}),
        ("empty score", {"what": "sheets", "form": "pdf"}),
        ("prizes", {"what": "prizes", "form": "pdf"}),
        ("number to stand", {"what": "numbers", "form": "pdf"}),
    ],
)
async def test_the_palette_finds_papers_by_their_names(typed: str, paper: dict[str, object]) -> None:
    async with at_hall("no-boxes") as stage:
        hands = stage.app.room.hands
        assert isinstance(hands, PaperHands)
        await stage.press("colon", *("space" if sign == " " else sign for sign in typed))
        for _turn in range(400):
            await stage.pilot.pause(0.01)
            if "write:" in as_text(stage.app):
                break
        await stage.press("down", "enter")
        for _turn in range(400):
            await stage.pilot.pause(0.01)
            if hands.wishes:
                break

        assert [(wish.act, dict(wish.args)) for wish in hands.wishes] == [("print", paper)]


async def finds(stage: Stage, typed: str, words: str) -> bool:
    """Whether the palette, asked for what was `typed`, offers that."""
    await stage.press("colon", *("space" if sign == " " else sign for sign in typed))
    for _turn in range(400):
        await stage.pilot.pause(0.01)
        if "take a ruling back" not in as_text(stage.app):  # the first of all that there is
            break
    return words in as_text(stage.app)


@pytest.mark.parametrize("opens", [(), ("p",), ("d",), ("e",), ("t",), ("i",)])
@pytest.mark.parametrize(
    ("typed", "act"), [("sign up a pl", "sign_up"), ("misses the", "absent"), ("set the day", "date_round")]
)
async def test_an_act_that_is_chosen_by_its_name_asks_on_whichever_screen(
    typed: str, act: str, opens: Sequence[str]
) -> None:
    async with at_hall("no-boxes") as stage:
        await stage.press(*opens)
        assert await finds(stage, typed, ACTS[act].title)
        await stage.press("down", "enter")
        for _turn in range(400):
            await stage.pilot.pause(0.01)
            if isinstance(stage.app.screen, ActDialog):
                break

        assert isinstance(stage.app.screen, ActDialog)
        assert stage.app.screen.act.name == act


async def test_the_palette_offers_nothing_that_is_only_like_what_was_typed() -> None:
    async with at_hall("no-boxes") as stage:
        await finds(stage, "sgnup", "Nothing is called like that.")
        for _turn in range(400):
            await stage.pilot.pause(0.01)
            if "Nothing is called like that." in as_text(stage.app):
                break
        assert "Nothing is called like that." in as_text(stage.app)
        assert "sign up a player" not in as_text(stage.app)


async def test_the_key_that_reads_lists_reads_them_from_the_hall_too_and_says_so_where_it_cannot(
    tmp_path: Path,
) -> None:
    async with at_hall("no-boxes") as stage:
        hall = stage.app.screen
        assert isinstance(hall, HallScreen)
        await stage.press("l")
        assert "Lists are read on the computer that has the event" in as_text(stage.app)

        hall.room = stage.app.room = replace(hall.room, folder=tmp_path)
        await stage.press("l")
        await stage.pilot.pause()
        assert any(isinstance(screen, ResultsScreen) for screen in stage.app.screen_stack)
        assert "there is no list yet" in as_text(stage.app)


async def test_what_only_a_box_could_do_is_not_offered_where_there_is_none() -> None:
    async with at_hall("no-boxes") as stage:
        await stage.press("a")
        menu = stage.app.screen
        assert isinstance(menu, ActMenu)

        assert {"enter_result", "confirm_result"} <= {one.act.name for one in menu.offers}
        assert not any(one.act.states() for one in menu.offers)
