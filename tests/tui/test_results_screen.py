"""Every table of the round at a glance: what is in and what is missing, the way to a sheet, confirming, printing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest
from rich.cells import cell_len

from dalej.domain.tournament.tournament import GameAt, RoundKey
from dalej.errors import Unreachable
from dalej.office import results, rounds
from dalej.office.notation import Entry, rack
from dalej.office.settings import setting
from dalej.tui.ask.confirm import Confirm
from dalej.tui.ask.dialog import Question
from dalej.tui.room import Room
from dalej.tui.screens.checking import CheckScreen
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.results import ResultsScreen
from dalej.tui.screens.standings import StandingsScreen
from dalej.tui.widgets.bars import ActionBar
from dalej.tui.widgets.grid import PickList
from dalej.views.book import Book
from tests.tui.languages import speaking
from tests.tui.officescreens import LARGE, MIDDLE, SMALL, Looking, Slow, an_office, looking
from tests.tui.sheets import enter
from tests.world import box_plays, draw

ROUNDS: Final = 6  # of a school league


def line(look: Looking, number: int) -> str:
    return next(one for one in look.text().splitlines() if one[1:7].strip(" ▸") == str(number))


async def test_a_table_says_what_is_in_and_what_is_missing(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 5)
        async with looking(office, ResultsScreen) as look:
            assert "5 of 12 games in · 0 confirmed" in look.text()
            assert "1●  2●  3●  4●" in line(look, 1)
            assert "in · Gęś" in line(look, 1)
            assert "2, 3, 4 missing" in line(look, 2)


async def test_a_game_that_is_over_at_its_box_waits_for_its_racks(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        box_plays(office.event, 2, over=True)
        async with looking(office, ResultsScreen, MIDDLE) as look:
            assert "1◐" in line(look, 2)
            assert "1 over, racks missing" in line(look, 2)
            assert "1: Ryś: went out" in line(look, 2)


async def test_keys_leave_out_what_is_done_and_go_to_the_next_table_with_something_to_do(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)
        async with looking(office, ResultsScreen) as look:
            await look.press("j", "enter")
            assert isinstance(look.screen, EntryScreen)
            assert look.screen.at == GameAt(2, 1)
            await look.press("escape", "m")
            assert not any(one[1:7].strip(" ▸") == "1" for one in look.text().splitlines())


async def test_the_mouse_leaves_out_what_is_done_and_opens_a_sheet(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)
        async with looking(office, ResultsScreen) as look:
            await look.click_word("something to do")
            assert not any(one[1:7].strip(" ▸") == "1" for one in look.text().splitlines())
            await look.click_line(3)
            assert isinstance(look.screen, EntryScreen)
            assert look.screen.at == GameAt(3, 1)


async def test_a_number_opens_its_table_once_it_can_be_no_other(tmp_path: Path) -> None:
    with an_office(tmp_path, 48) as office:
        async with looking(office, ResultsScreen) as look:
            await look.press("1")
            assert isinstance(look.screen, ResultsScreen)
            await look.press("2")
            assert isinstance(look.screen, EntryScreen)
            assert look.screen.at.table == 12
            await look.press("escape", "3")
            assert look.screen.at.table == 3
            await look.press("escape", "1", "7")
            assert "There is no table 17 here." in look.told()


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_a_second_person_confirms_a_table(tmp_path: Path, by: str) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)
        async with looking(office, ResultsScreen) as look:
            if by == "keys":
                await look.press("v")
                assert "Is that what the score sheet says? y: Sowa confirms it." in look.text()
                await look.press("y")
            else:
                await look.click_word("v confirm")
                await look.click_word("y confirm")
            assert isinstance(look.screen, ResultsScreen)
            assert "✔ Sowa" in line(look, 1)
            assert "4 confirmed" in look.text()
            await look.press("z")
            assert "0 confirmed" in look.text()


async def test_a_tick_stays_when_another_game_of_the_table_comes_in(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 1)
        async with looking(office, ResultsScreen) as look:
            await look.press("v", "y")
            assert "1✔  2○" in line(look, 1)
            enter(office, 1)
            await look.turn()
            assert "1✔  2●" in line(look, 1)
            await look.press("home", "v", "y")
            assert "1✔  2✔" in line(look, 1)


async def test_who_entered_a_game_that_somebody_else_confirmed_may_confirm_the_others(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 1)  # by Gęś
        async with looking(office, ResultsScreen) as look:
            await look.press("v", "y")
        office.event = office.open("Sowa")
        enter(office, 1)
        async with looking(office, ResultsScreen, who="Gęś") as look:
            await look.press("v", "y")
            assert "1✔  2✔" in line(look, 1)


@pytest.mark.parametrize("size", [(60, 18), (60, 20), (80, 24)])
async def test_every_key_is_in_sight_in_a_small_window(tmp_path: Path, size: tuple[int, int]) -> None:
    with an_office(tmp_path, 48) as office:
        enter(office, 5)
        async with looking(office, ResultsScreen, size) as look:
            await look.press("v", "y")
            said = look.text()
            assert all(f" {button.words}" in said for button in look.paged.buttons()), said
            assert sum(one[1:7].strip(" ▸").isdigit() for one in said.splitlines()) >= 2, said


async def test_whoever_entered_a_result_is_asked_who_confirms_it(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)
        async with looking(office, lambda room: CheckScreen(room, 1), who="Gęś") as look:
            assert isinstance(look.screen, Question)
            await look.type("gęś")
            await look.press("enter")
            assert "gęś has entered this: somebody else must confirm it" in look.text()
            for _sign in "gęś":
                await look.press("backspace")
            await look.type("Borsuk")
            await look.press("enter", "y")
            one = office.event.state().current
            assert one is not None
            mark = one.results[GameAt(1, 1)].confirmed
            assert mark is not None
            assert mark.who == "Borsuk"


@pytest.mark.parametrize(("name", "by"), [("Gęś", None), ("Kuna", "Kuna (referee)")])
async def test_over_the_web_everybody_confirms_under_the_name_they_logged_in_with_unless_they_entered_it(
    tmp_path: Path, name: str, by: str | None
) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)  # by Gęś, at the desk
        hands = office.hands(name, "referee", served=True)
        async with looking(office, lambda room: CheckScreen(room, 1), hands=hands) as look:
            await look.press("w", "y")
            one = office.event.state().current
            assert one is not None
            confirmed = one.results[GameAt(1, 1)].confirmed
            assert (None if confirmed is None else confirmed.who) == by


async def test_a_sheet_that_changes_while_somebody_looks_at_it_says_so(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 3)
        async with looking(office, lambda room: CheckScreen(room, 1)) as look:
            enter(office, 1)
            await look.turn()
            assert "Table 1 has changed in the meantime: look at it again." in look.told()


@pytest.mark.parametrize(("language", "key"), [("pl", "t"), ("it", "s"), ("pl", "y")])
async def test_a_second_person_confirms_by_the_letter_of_their_own_yes(tmp_path: Path, language: str, key: str) -> None:
    with an_office(tmp_path) as office, speaking(language):
        enter(office, 4)
        async with looking(office, ResultsScreen, who="Sowa") as look:
            await look.press("v", key)
            assert look.state.current is not None
            assert look.state.current.results[GameAt(1, 1)].confirmed is not None


@pytest.mark.parametrize("key", ["n", "j"])
async def test_the_next_missing_is_the_same_key_as_in_the_hall_and_the_one_it_was(tmp_path: Path, key: str) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)
        async with looking(office, ResultsScreen) as look:
            assert look.has("n next missing")
            await look.press("home", key)
            assert look.screen.query_one(PickList).number == 2


async def test_after_the_last_round_its_results_are_shown_and_can_be_corrected(tmp_path: Path) -> None:
    with an_office(tmp_path, played=ROUNDS, seated=False) as office:
        assert office.event.state().current is None
        async with looking(office, ResultsScreen) as look:
            assert look.has(f"League, round {ROUNDS}, closed by")
            assert not look.has("no round")
            await look.press("1")
            assert isinstance(look.screen, EntryScreen)
            assert look.screen.is_closed


async def test_where_there_is_no_table_no_key_for_one_is_offered(tmp_path: Path) -> None:
    with an_office(tmp_path, seated=False) as office:
        async with looking(office, ResultsScreen) as look:
            assert not {"open", "next_missing", "confirm", "print_sheets"} & {
                one.action for one in look.paged.buttons()
            }


async def test_once_everything_is_played_the_next_step_opens_what_is_to_be_printed(tmp_path: Path) -> None:
    with an_office(tmp_path, played=ROUNDS, seated=False) as office:
        async with looking(office, StandingsScreen, (120, 40)) as look:
            assert look.has("Next: everything is played: print the standings and the diplomas")
            await look.press("N")
            assert look.has("diplomas for everybody")


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_score_sheets_are_printed_beside_the_event_and_replace_nothing(tmp_path: Path, by: str) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, ResultsScreen) as look:
            for name in ("event-sheets-1.pdf", "event-sheets-1-2.pdf"):
                if by == "keys":
                    await look.press("p", "1")
                else:
                    await look.click_word("p write a PDF")
                    await look.click_word("empty score sheets for every table")
                assert f"{name} is written, beside the event." in look.told()
                assert (tmp_path / name).read_bytes().startswith(b"%PDF")


async def test_the_points_of_the_round_are_printed_to_be_hung_up(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, ResultsScreen) as look:
            await look.press("p")
            await look.click_word("the points of the round, to be hung up")
            assert "event-results-1.pdf is written, beside the event." in look.told()


async def test_the_round_is_closed_from_the_line_that_names_the_next_step(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 12)
        async with looking(office, ResultsScreen) as look:
            assert "Next: close League, round 1" in look.text()
            await look.press("N", "enter")
            assert office.event.state().current is not None
            assert isinstance(look.screen, Confirm)  # Enter by accident does nothing
            await look.press("y")
            assert "League, round 1 is closed" in look.told()
            assert "Next: seat League, round 2" in look.text()
            await look.press("N")
            assert look.app.opened == ["seating"]


async def test_the_key_that_goes_to_a_table_in_the_hall_changes_nothing_here_and_names_the_one_that_does(
    tmp_path: Path,
) -> None:
    with an_office(tmp_path) as office:
        enter(office, 12)
        async with looking(office, ResultsScreen) as look:
            await look.press("n")
            assert look.told() == "Everything is in. N, with Shift, does it: close League, round 1"
            assert isinstance(look.screen, ResultsScreen)


async def test_the_round_is_closed_with_the_mouse(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 12)
        async with looking(office, ResultsScreen) as look:
            await look.click("#next")
            await look.click_word("y  close the round")
            assert "League, round 1 is closed" in look.told()


async def test_a_referee_is_told_that_closing_a_round_is_the_organisers(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 12)
        async with looking(office, ResultsScreen, hands=office.hands("Kuna", "referee")) as look:
            assert "(the organiser does that)" in look.text()
            await look.press("N")
            assert isinstance(look.screen, ResultsScreen)


async def test_who_only_looks_is_offered_nothing_that_is_done(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        room = office.room(None)
        await room.book.turn()

        def only_looking(_room: Room) -> ResultsScreen:
            return ResultsScreen(room)

        async with looking(office, only_looking) as look:
            assert not {"confirm", "print_sheets"} & {one.action for one in look.paged.buttons()}
            await look.press("1")
            assert all(row.field.disabled for row in look.screen.rows())


async def test_an_event_file_that_cannot_be_read_is_said_across_the_screen(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        async with looking(office, ResultsScreen) as look:
            book: Book = look.room.book

            def broken() -> int:
                raise Unreachable("the event file is gone")

            book._event.ledger.head = broken  # type: ignore[attr-defined]  # it fails
            await look.turn()
            assert "THIS IS OLD: the event file cannot be read. the event file is gone" in look.text()
            assert "1○" in look.text()


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE])
@pytest.mark.parametrize("language", ["pl", "en", "it"])
async def test_keys_have_room_in_every_language(
    tmp_path: Path, size: tuple[int, int], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    with an_office(tmp_path) as office:
        enter(office, 2)
        async with looking(office, ResultsScreen, size) as look:
            bar = look.screen.query_one(ActionBar)
            assert bar.get_content_height(bar.size, look.screen.size, bar.size.width) <= bar.size.height
            assert all(cell_len(line) <= size[0] for line in str(bar.content).splitlines())


async def test_what_takes_longer_than_a_second_says_for_how_long(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        hands, go_on = Slow(office.hands("Sowa")), asyncio.Event()
        hands.go_on = go_on
        async with looking(office, ResultsScreen, hands=hands) as look:
            await look.pilot.press("p", "1")
            await hands.asked.wait()
            look.paged.still()
            assert look.told() == "write a paper … 1 s"
            go_on.set()
            await look.settle()
            assert "is written" in look.told()


async def test_what_was_done_last_is_taken_back_with_the_mouse(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 4)
        async with looking(office, ResultsScreen) as look:
            await look.press("v", "y")
            assert "4 confirmed" in look.text()
            await look.click_word("z take it back")
            assert "0 confirmed" in look.text()
            assert look.told() == "Taken back: League, round 1: the results of table 1 are confirmed."


# --- rounds that are closed ---------------------------------------------------------------------------------------


async def test_a_closed_round_is_shown_and_its_result_corrected_with_a_reason_while_the_next_is_played(
    tmp_path: Path,
) -> None:
    with an_office(tmp_path, played=1) as office:
        enter(office, 1)
        first = RoundKey("league", 1)
        seating = office.event.state().rounds[RoundKey("league", 2)].seating
        async with looking(office, ResultsScreen) as look:
            assert "r another round" in look.text()
            await look.press("r")
            assert "League, round 1, closed by Gęś" in look.text()
            await look.press("2")
            assert "League, round 1, closed by Gęś · 12 of 12 games in" in look.text()
            await look.press("enter")
            assert "F7" not in look.text(), "nothing is taken back there"
            await look.press("f6")
            for text in ("0", "5", "6", "7"):
                look.screen.focused.value = ""
                await look.type(text)
                if text != "7":
                    await look.press("enter")
            await look.press("f8")
            assert "The round is closed, and stays closed. What is corrected changes:" in look.text()
            assert "! the seating of League, round 2 (number" in look.text()
            await look.press("enter")
            assert "Nothing is done yet" in look.text(), "in passing nothing is corrected that is published"
            await look.press("y", "1", "enter")
            assert "; League, round 1 stays closed. Note – the seating of League" in look.told()

        after = office.event.state()
        result = after.rounds[first].results[GameAt(1, 1)]
        assert (result.mark.why, after.rounds[first].closed is not None) == ("mistyped", True)
        assert after.rounds[first].corrected() == [GameAt(1, 1)]
        assert after.rounds[RoundKey("league", 2)].seating == seating


async def test_a_lost_sheet_is_entered_on_the_screen_of_its_closed_round(tmp_path: Path) -> None:
    with an_office(tmp_path) as office:
        enter(office, 11)
        office.event.change(lambda state: rounds.close(state, "the sheet is lost"))
        draw(office.event)
        async with looking(office, ResultsScreen) as look:
            await look.press("r", "2", "3")
            for text in ("0", "5", "6", "7"):
                await look.type(text)
                await look.press("enter")
            await look.press("y", "1", "enter")
        assert office.event.state().rounds[RoundKey("league", 1)].missing() == []


async def test_a_round_that_is_closed_is_corrected_before_the_next_is_seated_and_z_takes_that_back(
    tmp_path: Path,
) -> None:
    with an_office(tmp_path) as office:
        enter(office, 12)
        office.event.change(rounds.close)
        before = office.event.state().rounds[RoundKey("league", 1)].results
        async with looking(office, ResultsScreen) as look:
            assert "r another round" in look.text()
            await look.press("r", "1", "enter", "f6")
            for text in ("0", "5", "6", "7"):
                look.screen.focused.value = ""
                await look.type(text)
                if text != "7":
                    await look.press("enter")
            await look.press("f8", "y", "1", "enter")
            assert office.event.state().rounds[RoundKey("league", 1)].corrected() == [GameAt(1, 1)]
            await look.press("z")
            await look.press("y")
        after = office.event.state().rounds[RoundKey("league", 1)]
        assert (after.results, after.corrected(), after.closed is not None) == (before, [], True)


async def test_what_was_corrected_and_must_be_confirmed_comes_next_and_opens_in_its_round(tmp_path: Path) -> None:
    first = RoundKey("league", 1)
    with an_office(tmp_path) as office:
        enter(office, 12)
        office.event.change(rounds.close)
        office.event.change_seen(lambda seen: setting(seen, "check_results", "required").change)
        racks = tuple(rack(seat, text) for seat, text in zip("ABCD", "0567", strict=True))
        sheet = {GameAt(2, 1): Entry("went_out", racks)}
        office.event.change(lambda state: results.enter(state, first, sheet, results.Correction("misread")))
        async with looking(office, ResultsScreen, who="Kuna") as look:
            assert "let a second person confirm table 2 of League" in look.text()
            await look.press("N")
            assert "Table 2" in look.text()
            await look.press("y")
        assert office.event.state().rounds[first].results[GameAt(2, 1)].confirmed is not None


async def test_a_referee_looks_at_a_closed_round_and_corrects_nothing_in_it(tmp_path: Path) -> None:
    with an_office(tmp_path, played=1) as office:
        async with looking(office, ResultsScreen, role="referee") as look:
            await look.press("r", "2", "enter")
            assert "F6" not in look.text()
            await look.press("f6")
            assert "not for the role you sit here with" in look.told()
        assert office.event.state().rounds[RoundKey("league", 1)].corrected() == []
