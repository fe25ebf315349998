"""Other computers of the building lend the desk their Bluetooth: whatever dies or is cut, each fact is there once."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.errors import Refused, WrongInput
from dalej.link.gateways import code_of, typed_code
from tests.air.building import CODE, building, far_from
from tests.air.hall import Hall
from tests.air.hall import play as played
from tests.proxy import wire
from tests.waiting import until


def test_a_box_that_only_a_gateway_hears_plays_as_any_other(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        near, far = [await hall.box() for _ in range(2)]
        here = await building(hall)
        far_from(hall, far, here.place.computer)
        there = await hall.computer()
        gateway = await here.gateway(there)
        await here.joined("library")
        await here.place.live(near, far)
        for box in (near, far):
            await here.place.configure(box)
            await hall.moves(box, 3)
        await here.place.settled(near, far)
        here.place.expect_once(near, far)
        way = here.place.air.way(far.uid)
        assert way is not None
        assert way.adapter == "library"
        assert here.place.air.links == 6
        assert here.told == ["gateway library lends its Bluetooth: 3 links"]
        assert gateway.told == ["lent to the desk first laptop"]
        await here.close()

    played(tmp_path, scenario)


def test_a_gateway_that_is_killed_and_one_that_comes_back_cost_no_fact(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        here = await building(hall)
        far_from(hall, box, here.place.computer)
        there = await hall.computer()
        first = await here.gateway(there)
        await here.place.live(box)
        await here.place.configure(box)
        await hall.moves(box, 2)
        await first.kill()
        await until(lambda: not here.place.is_live(box), "the link to be over")
        assert here.told[-1] == "gateway library is gone: its boxes come back by whoever else hears them"
        await hall.moves(box, 2)

        await here.gateway(there)
        await here.place.live(box)
        await here.place.settled(box)
        here.place.expect_once(box)
        assert here.place.names(box).count("move_ended") == 4
        assert box.links == 1, "what the killed one left in its system is over"
        await here.close()

    played(tmp_path, scenario)


def test_a_box_goes_to_the_other_gateway_when_its_own_is_gone(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        here = await building(hall)
        far_from(hall, box, here.place.computer)
        library, gym = await hall.computer(), await hall.computer()
        hall.air.hears(box, library.adapter(None), -40)
        hall.air.hears(box, gym.adapter(None), -80)
        first, _ = await here.gateway(library), await here.gateway(gym, "gym")
        await here.joined("library", "gym")
        await here.place.live(box)
        await here.place.configure(box)
        await hall.moves(box, 2)
        await first.stop()
        await until(lambda: len(gym.adapter(None).connections) == 1, "the gym to have the box")
        await here.place.live(box)
        await hall.moves(box, 2)
        await here.place.settled(box)
        here.place.expect_once(box)
        assert library.adapter(None).connections == {}
        await here.close()

    played(tmp_path, scenario)


def test_two_that_hear_a_box_do_not_fight_over_it(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        boxes = [await hall.box() for _ in range(3)]
        here = await building(hall)
        computers = [await hall.computer() for _ in range(2)]
        for number, computer in enumerate(computers):
            await here.gateway(computer, f"room {number}")
        await here.joined("room 0", "room 1")
        await here.place.live(*boxes)
        for box in boxes:
            await here.place.configure(box)
        for _ in range(3):
            for box in boxes:
                await hall.moves(box, 1)
        await here.place.settled(*boxes)
        here.place.expect_once(*boxes)
        assert [box.links for box in boxes] == [1, 1, 1]
        everywhere = [here.place.computer, *computers]
        assert sum(one.adapter(None).connects for one in everywhere) == len(boxes), "each was linked once"
        await here.close()

    played(tmp_path, scenario)


@pytest.mark.parametrize("how", ["silent", "cut", "half closed"])
def test_a_network_that_is_cut_within_a_game_costs_nothing_but_time(tmp_path: Path, how: str) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        here = await building(hall)
        far_from(hall, box, here.place.computer)
        async with wire(here.server.port) as network:
            network.delay_s = 0.005
            await here.gateway(await hall.computer(), port=network.port)
            await here.place.live(box)
            await here.place.configure(box)
            await hall.moves(box, 2)
            if how == "silent":
                network.silent = True
            elif how == "cut":
                network.cut()
            else:
                network.half_close()
            await until(lambda: here.told[-1].startswith("gateway library is gone"), "the desk to notice")
            await hall.moves(box, 2)
            network.silent = False
            await until(lambda: here.told[-1].startswith("gateway library lends"), "the gateway to come back")
            await here.place.live(box)
            await hall.moves(box, 1)
            await here.place.settled(box)
            here.place.expect_once(box)
            assert here.place.names(box).count("move_ended") == 5
            assert network.carried >= 2
            await here.close()

    played(tmp_path, scenario)


def test_a_desk_without_bluetooth_of_its_own_plays_by_what_is_lent(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        boxes = [await hall.box() for _ in range(3)]
        here = await building(hall, adapters=None)
        assert here.place.air.links == 0
        await here.gateway(await hall.computer(links=2), links=2)
        await here.place.settled(*boxes)
        await here.close()

    played(tmp_path, scenario)


def test_who_does_not_know_the_code_lends_nothing_and_is_lent_nothing(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        here = await building(hall)
        stranger = await here.gateway(await hall.computer(), "stranger", code=code_of(b"another one"))
        with pytest.raises(Refused, match="knows another code"):
            await stranger.task
        assert here.told == ["a computer called stranger wants to be a gateway, and does not know the code"]
        assert [one.name for one in here.place.air.adapters] == ["hci0"]
        await here.close()

    played(tmp_path, scenario)


@pytest.mark.parametrize("typed", [CODE, CODE.upper(), CODE.replace("-", ""), f" {CODE} ".replace("-", " ")])
def test_a_code_is_known_however_it_is_typed(typed: str) -> None:
    assert typed_code(typed) == CODE


@pytest.mark.parametrize("typed", ["", "abcd", CODE[:-1], CODE.replace("a", "1"), "ż" * 16])
def test_what_can_be_no_code_is_refused_in_words(typed: str) -> None:
    with pytest.raises(WrongInput, match="16 letters and digits"):
        typed_code(typed)
