"""Three boxes for seven tables: the desk plays with those there are, the other tables' results are typed, and the round
is closed over both.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from dalej.domain.tournament.tournament import GameAt
from dalej.event.ledger import APPLIED
from dalej.office.settings import setting
from moveclock import facts as k
from tests import world
from tests.cli.conftest import Program, dalej  # noqa: F401 -- a fixture
from tests.desk.evening.evening import Evening

BOXES = ("1", "2", "3")
WITHOUT = (4, 5, 6, 7)
HELD_MS = 1_300


def test_three_boxes_for_seven_tables_play_one_round_with_those_that_have_none(
    tmp_path: Path,
    kept_open: ExitStack,
    dalej: Program,  # noqa: F811 -- the fixture
) -> None:
    # given seven seated tables, of which three have a box and a desk
    evening = kept_open.enter_context(Evening(tmp_path, boxes=3, players=28, draws=False))
    evening.event.change_seen(lambda seen: setting(seen, "games", "1").change)
    world.draw(evening.event)
    desk = evening.begins(*BOXES)
    file = str(evening.file)
    assert desk.results("configure") == [APPLIED] * 3
    assert desk.running.counts().linked == 3
    assert not [notice for notice in desk.desk.notices if notice.data.get("table") in WITHOUT]

    # when somebody goes out at each table with a box
    for box in BOXES:
        evening.play(box, 4)
        evening.run(3_000)
        evening.tap(box, 2 * evening.clock_of(box).seat, HELD_MS)
        evening.run(2_000)
        assert evening.clock_of(box).state in (k.OVER, k.READY)
    played = world.known(evening.event)

    # then the boxes have told of their games alone, and who won is known there
    assert {table for table, _game in played} == {1, 2, 3}
    assert None not in played.values()
    refused = dalej("round", "close", file)
    assert refused.code == 1
    assert "tables 1–7: 1;" in refused.err, refused.err

    # and where there is a box the racks of the others are enough, where there is none all four are typed
    for table in map(int, BOXES):
        winner = played[table, 1]
        others = [f"{seat}=12" for seat in "ABCD" if seat != winner]
        done = dalej("results", "enter", file, str(table), *others)
        assert (done.code, f"seat {winner}: went out, says the box" in done.err) == (0, True)
    for table in WITHOUT:
        assert dalej("r", file, str(table), "0", "12", "33+j", "41").code == 0
    assert dalej("round", "close", file).code == 0
    state = evening.event.state()
    assert state.rounds[world.FIRST].closed is not None
    assert set(state.rounds[world.FIRST].results) == {GameAt(table, 1) for table in range(1, 8)}


def test_boxes_of_an_earlier_evening_are_taken_off_and_nobody_misses_a_desk(
    tmp_path: Path,
    kept_open: ExitStack,
    dalej: Program,  # noqa: F811 -- the fixture
) -> None:
    evening = kept_open.enter_context(Evening(tmp_path, boxes=2, players=8))
    evening.begins("1", "2").close()

    assert dalej("box", "assign", str(evening.file), "--none").code == 0

    desk = evening.start()
    evening.run()
    assert desk.running.counts().boxes == 0
