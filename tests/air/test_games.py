"""Games over the air: whatever happens to the radio, the ledger has every fact of the box once, and as it was."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from moveclock import facts as k
from tests.air.hall import BEHIND, CPYTHON, Hall, Place, until
from tests.air.hall import play as played
from tests.air.onair import OnAir

behind_either = pytest.mark.parametrize("behind", BEHIND)


async def _game(hall: Hall, behind: str) -> tuple[OnAir, Place]:
    box = await hall.box(behind)
    place = await hall.desk()
    await place.configure(box)
    return box, place


@behind_either
def test_a_game_is_played_and_every_press_is_in_the_ledger_once(tmp_path: Path, behind: str) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await _game(hall, behind)
        await hall.moves(box, 4)
        await place.settled(box)
        place.expect_once(box)
        assert place.names(box).count("move_ended") == 4
        assert place.names(box).count("tile_drawn") == 4
        assert place.air.trouble is None

    played(tmp_path, scenario)


@behind_either
def test_what_happens_out_of_range_arrives_later_and_is_old(tmp_path: Path, behind: str) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await _game(hall, behind)
        hall.air.part(box, place.adapter)
        await until(lambda: not place.is_live(box), "the link to break")
        before = len(place.facts(box))
        await hall.moves(box, 3)
        assert len(place.facts(box)) == before
        if box.skips:
            hall.skip(20 * 60_000)
        hall.air.rejoin(box, place.adapter)
        await place.settled(box)
        place.expect_once(box)
        late = place.reported(box)[before:]
        assert late
        assert all(one.old for one in late), "a reconnect must never look like a new press"

    played(tmp_path, scenario)


@behind_either
def test_a_link_that_breaks_is_made_again_and_nothing_is_lost(tmp_path: Path, behind: str) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await _game(hall, behind)
        for _ in range(3):
            await hall.moves(box, 1)
            assert hall.air.cut(box, place.adapter)
            await until(lambda: not place.is_live(box), "the desk to see that the link is gone")
            await place.live(box)
        await hall.moves(box, 1)
        await place.settled(box)
        place.expect_once(box)
        assert place.names(box).count("move_ended") == 4

    played(tmp_path, scenario)


@behind_either
def test_a_box_that_lost_its_power_comes_back_stopped_with_all_its_facts(tmp_path: Path, behind: str) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await _game(hall, behind)
        await hall.moves(box, 2)
        await place.settled(box)
        before = place.facts(box)
        await box.power_off()
        await until(lambda: not place.is_live(box), "the desk to see that the box is gone")
        await box.power_on()
        await place.live(box)
        await place.settled(box)
        place.expect_once(box)
        after = place.facts(box)
        assert after[: len(before)] == before
        assert [fact.boot for fact in after[len(before) :]] == [2] * (len(after) - len(before))
        assert box.face.state == k.STOPPED

    played(tmp_path, scenario)


def test_notifications_that_get_lost_are_sent_again(tmp_path: Path, seed: int) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await _game(hall, CPYTHON)
        random = Random(seed)
        hall.air.drop = lambda _: random.random() < 0.2
        await hall.moves(box, 4)
        await place.settled(box)
        hall.air.drop = None
        await place.live(box)
        await place.settled(box)
        place.expect_once(box)

    played(tmp_path, scenario)
