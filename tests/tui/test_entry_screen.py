"""A score sheet typed as it lies there: what is wrong, points as they come to be, who else was there first."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.rulings import Ruling
from dalej.domain.tournament.tournament import GameAt, Round, Tournament
from dalej.office import results
from dalej.office.notation import Entry, rack
from dalej.tui.ask.confirm import Confirm
from dalej.tui.screens.entry import EntryScreen
from dalej.tui.screens.results import ResultsScreen
from dalej.views.entrycheck import Typed, check, penalty_tiles, texts_of
from dalej.views.rows import SeenTurn
from moveclock import facts as k
from tests import world
from tests.domain.begun import lay, table
from tests.domain.tables import BOX, EPOCH, A, C, a_game
from tests.tui.officescreens import Office, an_office, looking
from tests.tui.sheets import AT, entered, fill, first
from tests.views.timed import a_turn
from tests.world import play


def by_another(office: Office, *texts: str) -> None:
    """Gęś enters the game."""
    racks = tuple(rack(seat, text) for seat, text in zip("ABCD", texts, strict=True))
    one = office.event.state().current
    assert one is not None
    office.event.change(lambda state: results.enter(state, one.key, {AT: Entry("went_out", racks)}))


async def test_by_keys_alone_a_table_is_entered_game_after_game(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        play(office.event, random.Random(1), [GameAt(1, 1), GameAt(1, 2)])
        async with looking(office, ResultsScreen) as look:
            await look.press("1")
            for game in (3, 4):
                assert look.screen.at == GameAt(1, game)
                await fill(look, "23+j", "0", "-", "17")
                assert "Sum of the small points: 0" in look.text()
                await look.press("enter")
                assert entered(office, GameAt(1, game)) is not None
            assert isinstance(look.screen, ResultsScreen)
            assert "4 of 4 games in" in look.text()


async def test_by_mouse_and_digits_a_game_is_entered(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            for seat, text in zip("DCBA", ("17", "5", "9", "0"), strict=True):
                await look.click(f"#rack-{seat}")
                await look.type(text)
            await look.click("#rack-D")
            await look.press("enter")
            await look.click_word("keep it")
            result = entered(office)
            assert result is not None
            assert texts_of(result).racks == {"A": "0", "B": "9", "C": "5", "D": "17"}


async def test_points_appear_while_the_last_rack_is_typed(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "10", "20")
            assert "Still to be typed: D" in look.text()
            await look.type("3")
            rows = {row.seat: row for row in look.screen.rows()}
            assert "small +33" in rows["A"].points
            await look.type("0")
            assert "small +60" in rows["A"].points
            assert "big 1" in rows["A"].points
            assert "Sum of the small points: 0 ✔" in look.text()


async def test_what_cannot_be_read_stands_under_its_field_and_enter_stays_there(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await look.type("23j4")
            rows = {row.seat: row for row in look.screen.rows()}
            assert "cannot be read" in rows["A"].note
            await look.press("enter")
            assert look.screen.focused is rows["A"].field
            assert rows["B"].note == ""


async def test_a_sheet_that_cannot_be_right_is_not_kept(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "0", "20", "30")
            assert entered(office) is None
            assert isinstance(look.screen, EntryScreen)
            assert "✗" in look.text()


async def test_how_a_game_ended_in_which_nobody_went_out_is_asked_for(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "10", "11", "20", "30")
            assert "how did the game end?" in look.text()
            assert look.screen.focused.id == "ended"
            await look.press("2", "enter", "enter")
            result = entered(office)
            assert result is not None
            assert result.sheet is not None
            assert result.sheet.ended == "bank_empty"


async def test_a_game_that_was_not_played_needs_no_racks_but_a_reason(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await look.press("f3", "enter", "enter")
            assert entered(office) is None
            await look.press("1", "enter")
            result = entered(office)
            assert result is not None
            assert result.sheet is None
            assert result.mark.why == "the round's time was over"


async def test_the_box_fills_in_who_went_out(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        world.box_plays(office.event, 1, over=True)
        async with looking(office, first) as look:
            assert look.fields() == ["", "0", "", ""]
            rows = {row.seat: row for row in look.screen.rows()}
            assert "filled from the box: went out" in rows["B"].note
            assert "The box: went out: " in look.text()
            await look.type("7")
            await look.press("enter")  # past the rack that is filled
            await look.press("enter")
            await fill(look, "8", "9")
            await look.press("enter")
            assert entered(office) is not None


async def test_somebody_else_was_first_both_are_shown_and_nothing_is_overwritten(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "10", "20")
            by_another(office, "0", "10", "21", "30")
            await look.turn()
            assert "Meanwhile Gęś has entered this game." in look.told()
            rows = {row.seat: row for row in look.screen.rows()}
            assert look.fields() == ["0", "10", "20", ""]
            assert rows["A"].note == "= Gęś: 0"
            assert rows["C"].note == "! ≠ Gęś: 21"
            await look.press("enter")
            result = entered(office)
            assert result is not None
            assert texts_of(result).racks["C"] == "21"


async def test_who_keeps_a_sheet_that_somebody_else_has_just_entered_is_told_and_may_put_it_right(
    tmp_path: Path,
) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "10", "20", "30")
            assert isinstance(look.screen, Confirm)
            by_another(office, "0", "10", "21", "30")  # the screen has not seen it yet
            await look.press("enter")
            assert isinstance(look.screen, EntryScreen)
            assert look.fields() == ["0", "10", "20", "30"]
            assert look.screen.mode == "outrun"
            await look.press("f6")
            last = look.screen.rows()[-1].field
            last.focus()
            await look.press("enter", "enter", "2", "enter")
            result = entered(office)
            assert result is not None
            assert texts_of(result).racks["C"] == "20"
            assert (result.mark.who, result.mark.why) == ("Sowa", "counted again")


async def test_a_rack_that_is_kept_otherwise_than_it_was_typed_says_so_before_and_after(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        world.stands(office.event, BOX, 1)
        played = table()
        lay(played, A)
        played.order(k.C_STOP, k.REFEREE)
        played.order(k.C_WITHDRAW, C)
        world.tell(office.event, played)
        async with looking(office, first) as look:
            await fill(look, "0", "10", "12")
            await look.type("30")
            rows = {row.seat: row for row in look.screen.rows()}
            assert rows["C"].note == "! seat C: withdrew, says the box · it is kept as 12w · withdrew, says the box"
            await look.press("enter")
            assert "12 → 12w" in look.text()
            await look.press("enter")
            assert "withdrew, says the box" in look.told()
            result = entered(office)
            assert result is not None
            assert texts_of(result).racks["C"] == "12w"


@pytest.mark.parametrize("by", ["keys", "mouse"])
async def test_a_result_is_corrected_with_a_reason_and_taken_back_at_once(tmp_path: Path, by: str) -> None:
    with an_office(tmp_path, 4) as office:
        by_another(office, "0", "10", "21", "30")
        async with looking(office, first) as look:
            assert "entered by Gęś" in look.text()
            if by == "keys":
                await look.press("f6")
                look.screen.rows()[3].field.focus()
            else:
                await look.click_word("F6 correct")
                await look.click("#rack-D")
                await look.press("end", "backspace", "backspace")
            await look.type("33")  # by keys in the place of what is there
            await look.press("enter")
            if by == "keys":
                await look.press("enter", "1", "enter")
            else:
                await look.click_word("keep it")
                await look.click_word("mistyped")
                await look.click_word("⏎ correct a result")
            result = entered(office)
            assert result is not None
            assert texts_of(result).racks["D"] == "33"
            assert result.mark.why == "mistyped"


async def test_a_result_is_taken_back_with_a_reason(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        by_another(office, "0", "10", "21", "30")
        async with looking(office, first) as look:
            await look.press("f7", "y")
            await look.type("another table's sheet")
            await look.press("enter")
            assert entered(office) is None
            assert look.screen.mode == "entering"


async def test_a_result_just_entered_is_taken_back_while_the_next_one_is_typed(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "10", "20", "30")
            await look.press("enter")
            assert "Ctrl+Z take it back" in look.text()
            assert entered(office) is not None
            await look.press("ctrl+z")
            assert entered(office) is None
            assert look.screen.at == GameAt(1, 1)  # not the next one, in which it would then be typed
            assert look.fields() == ["0", "10", "20", "30"]  # to be corrected
            assert look.screen.mode == "entering"


async def test_what_was_typed_is_not_lost_by_accident(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await look.type("12")
            await look.press("escape", "enter", "escape")
            assert look.fields()[0] == "12"
            await look.press("escape", "y")
            assert look.app.came_back == [None]


@pytest.fixture(scope="module")
def seated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tournament, Round]:
    """Four players at table 1."""
    with world.an_event(tmp_path_factory.mktemp("sheet"), 4) as event:
        state = event.state()
    assert state.current is not None
    return state, state.current


@given(st.lists(st.text("0123456789+j,-!aw:x ", max_size=8), min_size=4, max_size=4), st.none() | st.just("bank_empty"))
def test_what_the_sheet_calls_right_the_office_takes_and_nothing_else(
    seated: tuple[Tournament, Round], texts: list[str], ended: str | None
) -> None:
    state, one = seated
    checked = check(state, one, AT, Typed(dict(zip("ABCD", texts, strict=True)), ended), None)
    if checked.right:
        assert checked.entry is not None
        entry = replace(checked.entry, ended=checked.ended)
        assert results.enter(state, one.key, {AT: entry}).drafts
    else:
        assert checked.wrong or checked.missing


def test_a_penalty_is_the_tiles_that_were_ruled_not_those_that_were_drawn(
    seated: tuple[Tournament, Round],
) -> None:
    _state, one = seated
    game = a_game(bank=50)
    ruling = Ruling("stands", (BOX, EPOCH, 8), 1, 3, 2, 3, provisional=False, clause="§ 1", by="referee")
    ruled = a_turn(seat=2, box=BOX, epoch=EPOCH, seq=7, tiles=4, judged=ruling)
    uncounted = replace(ruled, seat=3, judged=replace(ruling, seat=3, tiles=None))
    drawn = replace(ruled, seat=0, judged=None, tiles=1)
    turns = [SeenTurn(turn, "", "", "") for turn in (ruled, drawn, uncounted)]
    assert penalty_tiles(one, AT, game, turns) == {"C": 3, "D": None}


async def test_a_player_who_withdrew_may_be_left_out(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "10", "20w", "30")
            await look.press("enter")
            assert look.screen.at == GameAt(1, 2)
            await fill(look, "0", "10")
            assert "Still to be typed: D" in look.text()


async def test_play_elsewhere_changes_nothing_in_the_fields(tmp_path: Path) -> None:
    with an_office(tmp_path, 8) as office:
        async with looking(office, first) as look:
            await look.type("12")
            play(office.event, random.Random(1), [GameAt(2, 1)])
            await look.turn()
            assert look.fields()[0] == "12"
            assert look.screen.mode == "entering"


async def test_how_a_game_ended_typed_where_a_rack_is_asked_for_is_taken_as_that(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "12", "5", "9", "minął czas")
            await look.type("17")
            await look.press("enter", "enter")
            result = entered(office)
            assert result is not None
            assert result.sheet is not None
            assert (result.sheet.ended, result.sheet.racks[3].points) == ("round_time", 17)


async def test_a_rack_that_hardly_ever_happens_takes_more_than_enter(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "600", "9", "17")
            await look.press("enter")
            assert isinstance(look.screen, Confirm)
            assert entered(office) is None
            await look.press("y")
            assert entered(office) is not None


async def test_15_who_left_before_a_game_is_w_alone_and_may_be_left_out_after_it(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "10", "w", "30")
            await look.press("enter")
            result = entered(office)
            assert result is not None
            assert [score.seat for score in result.scores] == ["A", "B", "D"]
            assert look.screen.at == GameAt(1, 2)
            await fill(look, "0", "10")
            assert "Still to be typed: D" in look.text()
