"""bleak's own BlueZ backend between the product's desk and real boxes: a hall is heard, drained, played, and cut."""

from __future__ import annotations

import asyncio
from pathlib import Path

from moveclock import facts as k
from tests.bluez.hall import hall
from tests.told import facts_of
from tests.waiting import until


def test_a_hall_with_more_boxes_than_links_is_heard_and_drained(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 6) as there, there.desk() as place:
            await until(lambda: all(map(place.has_all_of, there.boxes)), "all that the boxes have is recorded")
            adapter = there.bluez.adapters["hci0"]
            assert adapter.collisions == 0
            assert adapter.most_links == 3
            assert place.trouble == ""

    asyncio.run(scenario())


def test_a_game_is_played_and_every_fact_is_recorded_as_it_happens(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk() as place:
            box = there.boxes[0]
            await place.configure(box)
            await box.moves(3)
            await until(lambda: place.has_all_of(box), "the moves are recorded")
            names = [one.fact.name for one in facts_of(place.ledger, box.uid.hex())]
            assert names.count("move_ended") == 3
            assert names.count("tile_drawn") == 3

    asyncio.run(scenario())


def test_a_link_that_breaks_in_a_game_comes_back_with_what_was_played_meanwhile(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk() as place:
            box, on_air = there.boxes[0], there.on_air[0]
            await place.configure(box)
            await box.moves(1)
            on_air.leave()
            await until(lambda: not place.live(box), "the desk notices")
            await box.moves(2)
            assert not place.has_all_of(box)
            on_air.in_reach = True
            await until(lambda: place.has_all_of(box), "what was played out of reach is recorded")
            names = [one.fact.name for one in facts_of(place.ledger, box.uid.hex())]
            assert names.count("move_ended") == 3

    asyncio.run(scenario())


def test_a_box_that_lost_its_power_is_found_again_and_is_stopped(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk() as place:
            box = there.boxes[0]
            await place.configure(box)
            await box.moves(1)
            await until(lambda: place.has_all_of(box), "the move is recorded")
            box.power_off()
            await until(lambda: not place.live(box), "the desk notices")
            box.power_on()
            await until(lambda: place.has_all_of(box), "the new boot is recorded")
            facts = [one.fact for one in facts_of(place.ledger, box.uid.hex())]
            assert [fact.name for fact in facts].count("booted") == 2
            assert facts[-1].code == k.BOX_LOST_POWER

    asyncio.run(scenario())


def test_two_adapters_hold_twice_as_many_links(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            hall(tmp_path, 4, [("hci0", 2), ("hci1", 2)]) as there,
            there.desk(adapters=["hci0", "hci1"], links=2) as place,
        ):
            await until(lambda: all(map(place.live, there.boxes)), "every box has its link")
            assert [adapter.links() for adapter in there.bluez.adapters.values()] == [2, 2]
            assert [adapter.collisions for adapter in there.bluez.adapters.values()] == [0, 0]

    asyncio.run(scenario())


def test_an_end_in_good_order_leaves_no_link_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 3) as there:
            async with there.desk() as place:
                await until(lambda: all(map(place.live, there.boxes)), "every box has its link")
            assert there.bluez.links() == 0
            assert not there.bluez.adapters["hci0"].scanning

    asyncio.run(scenario())
