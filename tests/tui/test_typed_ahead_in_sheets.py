"""A score first typed as fast as fingers go, in the app as it is started: each rack in its field, nothing in a wrong
one, and two people at two screens over one event.
"""

from __future__ import annotations

from pathlib import Path

from dalej.domain.tournament.tournament import GameAt
from dalej.tui.screens.results import ResultsScreen
from tests.tui.fingers import at_the_app
from tests.tui.officescreens import Slow, an_office
from tests.tui.sheets import first, racks_in


async def test_racks_typed_without_a_pause_stand_each_in_its_own_field(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", first) as sowa:
            await sowa.types("0⏎45⏎x⏎17")
            assert sowa.racks() == ["0", "45", "x", "17"]


async def test_a_table_is_opened_typed_and_kept_and_the_next_game_begun_in_one_go(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", ResultsScreen) as sowa:
            await sowa.types("10⏎45⏎x⏎17⏎⏎23⏎0⏎5")
            assert racks_in(office) == {"A": "0", "B": "45", "C": "!", "D": "17"}
            assert sowa.screen.at == GameAt(1, 2)
            assert sowa.racks() == ["23", "0", "5", ""]


async def test_what_is_typed_while_the_desk_still_writes_waits_for_the_next_game(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        hands = Slow(office.hands("Sowa"))
        async with at_the_app(office, "Sowa", first, hands) as sowa:
            sowa.hits("0⏎45⏎x⏎17⏎⏎23")
            await hands.asked.wait()
            for _round in range(3):  # not long: keys that wait for three seconds are dropped
                await sowa.pilot.pause()
            assert sowa.racks() == ["0", "45", "x", "17"]
            hands.go_on.set()
            await sowa.rests()
            assert sowa.screen.at == GameAt(1, 2)
            assert sowa.racks() == ["23", "", "", ""]


async def test_what_was_typed_after_a_rack_that_cannot_be_read_is_dropped_not_put_into_it(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", first) as sowa:
            await sowa.types("0⏎4j5⏎17⏎30⏎⏎")
            assert sowa.racks() == ["0", "4j5", "", ""]
            assert sowa.screen.focused is sowa.screen.rows()[1].field
            assert racks_in(office) is None


async def test_two_people_at_two_screens_enter_one_table(tmp_path: Path) -> None:
    with an_office(tmp_path, 4) as office:
        async with at_the_app(office, "Sowa", first) as sowa, at_the_app(office, "Kuna", first) as kuna:
            await sowa.types("0⏎10⏎20⏎30⏎")
            await kuna.types("0⏎10⏎20⏎31⏎⏎")  # Sowa still looks at the question
            await sowa.types("⏎")
            assert racks_in(office) == {"A": "0", "B": "10", "C": "20", "D": "31"}
            assert kuna.screen.at == GameAt(1, 2)
            assert sowa.screen.mode == "outrun"
            assert sowa.racks() == ["0", "10", "20", "30"]
            assert "Kuna" in sowa.told()
            assert sowa.screen.rows()[3].note == "! ≠ Kuna: 31"
