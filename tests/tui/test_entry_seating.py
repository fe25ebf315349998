"""A score sheet that is open while other players are seated at its table: nothing on it is kept for whom it is not."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rich.cells import cell_len

from dalej.office import seating
from dalej.tui.ask.confirm import Confirm
from dalej.tui.screens.entry import EntryScreen
from moveclock import facts as k
from tests.domain.begun import go_out, lay, table
from tests.domain.tables import BOX, A, B, PlayedTable
from tests.tui.languages import speaking
from tests.tui.officescreens import LARGE, Looking, Office, an_office, looking, names_at
from tests.tui.sheets import entered, fill, first
from tests.world import close, draw, play, stands, tell

SEATING = "Meanwhile the seating has changed: look who sits at this table now."
GONE = "What the box had filled in is gone, it does not tell it any more."
TYPED = "What you typed is still here: is it theirs?"


def at_table(office: Office, played: PlayedTable, told: int = 0) -> int:
    """The box of table 1 tells what has been played there since so many facts; how many there are now."""
    if not told:
        stands(office.event, BOX, 1)
    return tell(office.event, played, told)


def b_went_out() -> PlayedTable:
    played = table()
    lay(played, A)
    go_out(played, B)
    return played


def seated_anew(office: Office, seed: int = 11) -> None:
    draw(office.event, seed, again=True)


async def notices(look: Looking) -> None:
    """Somebody else has decided something; the screen looks, whatever it asks."""
    await look.room.book.turn()
    look.paged._look()
    await look.settle()


async def test_what_the_box_told_goes_with_the_players_of_whom_it_told(tmp_path: Path) -> None:
    with an_office(tmp_path, 8) as office:
        at_table(office, b_went_out())
        async with looking(office, first) as look:
            assert look.fields() == ["", "0", "", ""]
            seated_anew(office)
            await look.turn()
            assert look.fields() == ["", "", "", ""]
            assert look.told() == f"{SEATING} {GONE}"
            assert "Still to be typed: A, B, C, D" in look.text()
            await look.press("escape")  # nothing would be lost
            assert not isinstance(look.screen, EntryScreen | Confirm)


@pytest.mark.parametrize(("typed", "then"), [("A", ["7", "", "", ""]), ("B", ["", "7", "", ""])])
async def test_what_a_person_typed_stays_and_it_is_asked_whether_it_is_theirs(
    tmp_path: Path, typed: str, then: list[str]
) -> None:
    with an_office(tmp_path, 8) as office:
        at_table(office, b_went_out())
        async with looking(office, first) as look:
            await look.click(f"#rack-{typed}")
            await look.press("end", "backspace")
            await look.type("7")
            seated_anew(office)
            await look.turn()
            assert look.fields() == then
            assert look.told() == f"{SEATING} {GONE} {TYPED}"
            await look.press("escape")
            assert isinstance(look.screen, Confirm)


async def test_a_seating_that_leaves_this_table_alone_changes_nothing(tmp_path: Path) -> None:
    with an_office(tmp_path, 8) as office:
        at_table(office, b_went_out())
        async with looking(office, first) as look:
            one = next(one for one in look.state.players.values() if one.name == names_at(look.state, 2)[0])
            office.event.change(lambda state: seating.move(state, one, seating.Chair(2, 1)))
            await look.turn()
            assert look.fields() == ["", "0", "", ""]
            assert look.told() == ""


async def test_a_box_that_says_otherwise_is_followed_where_nobody_typed(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        played = b_went_out()
        so_far = at_table(office, played)
        async with looking(office, first) as look:
            await look.type("7")
            played.order(k.C_REOPEN)
            at_table(office, played, so_far)
            await look.turn()
            assert look.fields() == ["7", "", "", ""]
            assert look.told() == GONE


@pytest.mark.parametrize("seen", [True, False])
async def test_a_yes_that_was_meant_for_other_players_keeps_nothing(tmp_path: Path, seen: bool) -> None:
    with an_office(tmp_path, 8) as office:
        async with looking(office, first) as look:
            await fill(look, "0", "10", "20", "30")
            assert isinstance(look.screen, Confirm)
            seated_anew(office)
            if seen:
                await notices(look)
            await look.press("enter")
            assert entered(office) is None
            assert look.fields() == ["0", "10", "20", "30"]
            assert look.told() == f"{SEATING} {TYPED}"


async def test_a_sheet_that_stays_open_until_the_next_round_begins_anew(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        play(office.event, random.Random(1))
        async with looking(office, first) as look:
            assert look.screen.mode == "reading"
            close(office.event)
            draw(office.event)
            await look.turn()
            assert look.screen.mode == "entering"
            assert look.fields() == ["", "", "", ""]
            assert look.told() == "Meanwhile another round is played here."


async def test_a_sheet_that_was_open_before_anybody_was_seated_can_be_filled_in_then(tmp_path: Path) -> None:
    with an_office(tmp_path, 4, seated=False) as office:
        async with looking(office, first) as look:
            assert look.told() == "Table 1 does not play in this round."
            draw(office.event)
            await look.turn()
            assert look.told() == ""
            await fill(look, "0", "10", "20", "30")
            await look.press("enter")
            assert entered(office) is not None


# --- beside the fields -----


@pytest.mark.parametrize("language", ["en", "pl", "it", "longer", "generated"])
async def test_small_points_big_points_and_place_have_room_in_every_language(tmp_path: Path, language: str) -> None:
    with an_office(tmp_path, 4) as office, speaking(language):
        async with looking(office, first) as look:
            await fill(look, "0", "100", "100", "30")
            await look.press("escape")
            rows = look.screen.rows()
            assert [row.points[-1] for row in rows] == ["1", "3", "3", "2"]
            for row in rows:
                assert cell_len(row.points) <= row._points.content_size.width


async def test_where_there_is_room_the_place_is_said_at_length(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office, speaking("pl"):
        async with looking(office, first) as look:
            await fill(look, "0", "10", "20", "30")
            await look.press("escape")
            row = look.screen.rows()[0]
            assert not row.points.endswith("lokata 1")
            await look.pilot.resize_terminal(*LARGE)
            await look.settle()
            assert row.points.endswith("lokata 1")
