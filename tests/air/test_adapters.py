"""Few links, several adapters, scanners that fall silent, what a killed desk leaves behind, and troubles in words."""

from __future__ import annotations

from pathlib import Path

from tests.air.hall import Hall
from tests.air.hall import play as played
from tests.waiting import until


def test_more_boxes_than_links_take_turns_until_the_ledger_has_all(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        boxes = [await hall.box() for _ in range(5)]
        computer = await hall.computer(links=2)
        place = await hall.desk(computer, links=2, wait=False)
        await place.settled(*boxes)
        for box in boxes:
            assert place.ask(box, "configure", place.settings()), "no link now, but its turn comes"
        await until(lambda: all("configured" in place.names(box) for box in boxes), "every box to be configured")
        for box in boxes:
            await hall.moves(box, 1)
        await place.settled(*boxes)
        place.expect_once(*boxes)
        assert computer.adapter(None).connects > 5
        assert computer.adapter(None).connections_most == 2

    played(tmp_path, scenario)


def test_two_adapters_share_the_boxes_by_who_hears_them_best(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        near, far, late = [await hall.box() for _ in range(3)]
        computer = await hall.computer("hci0", "hci1", links=2)
        hci0, hci1 = computer.adapters.values()
        for box, there, here in ((near, hci0, hci1), (far, hci1, hci0), (late, hci1, hci0)):
            hall.air.hears(box, there, -40)
            hall.air.hears(box, here, -80)
        place = await hall.desk(computer, links=2)
        assert place.air.links == 4
        assert set(hci0.connections) == {near.peripheral.address}
        assert set(hci1.connections) == {far.peripheral.address, late.peripheral.address}
        assert hci0.connecting_most == hci1.connecting_most == 1

    played(tmp_path, scenario)


def test_the_other_adapter_takes_a_box_that_the_best_has_no_link_for(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        boxes = [await hall.box() for _ in range(2)]
        computer = await hall.computer("hci0", "hci1", links=1)
        for box in boxes:
            hall.air.hears(box, computer.adapter("hci0"), -40)
        place = await hall.desk(computer, links=1)
        assert [len(adapter.connections) for adapter in computer.adapters.values()] == [1, 1]
        assert place.air.trouble is None

    played(tmp_path, scenario)


def test_a_desk_that_was_killed_is_followed_by_one_that_takes_its_links_over_at_once(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        computer = await hall.computer()
        first = await hall.desk(computer, desk_id=7, lease_ttl_ms=300)
        await first.configure(box)
        await hall.moves(box, 2)
        await first.kill()
        assert list(computer.adapter(None).connections) == [box.peripheral.address]
        await hall.moves(box, 1)
        hall.skip(300)  # the lease of the killed one is over
        second = await hall.desk(computer, desk_id=7)
        assert second.air.taken_over == 1
        assert box.links == 1
        await second.settled(box)
        second.expect_once(box)
        assert second.names(box).count("move_ended") == 3

    played(tmp_path, scenario)


def test_a_link_of_an_mtu_below_100_is_refused_in_words(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box(mtu=23)
        place = await hall.desk(wait=False)
        await until(lambda: place.air.trouble, "the desk to say what is wrong")
        said = str(place.air.trouble)
        assert box.uid.hex() in said
        assert "23 bytes" in said
        assert "100" in said
        await until(lambda: box.links == 0, "the link to be given up")

    played(tmp_path, scenario)


def test_something_else_with_a_boxs_advertisement_is_refused_in_words(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box(ours=False)
        place = await hall.desk(wait=False)
        await until(lambda: place.air.trouble, "the desk to say what is wrong")
        assert "install its firmware" in str(place.air.trouble)
        await until(lambda: box.links == 0, "the link to be given up")

    played(tmp_path, scenario)


def test_a_box_that_does_not_answer_is_said_so_and_tried_again(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        place = await hall.desk(connect_ms=1_500)
        hall.air.part(box, place.adapter)
        await until(lambda: place.air.trouble, "the desk to try in vain")
        assert box.uid.hex() in str(place.air.trouble)
        hall.air.rejoin(box, place.adapter)
        await place.live(box)
        assert place.air.trouble is None

    played(tmp_path, scenario)


def test_a_scanner_that_has_gone_quiet_is_started_anew(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        place = await hall.desk(quiet_ms=300)
        place.adapter.go_deaf()
        hall.air.cut(box, place.adapter)
        await until(lambda: place.air.adapters[0].restarts, "the scanner to be started anew")
        await place.live(box)

    played(tmp_path, scenario)


def test_bluetooth_that_is_off_is_said_so_and_used_as_soon_as_it_is_on(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        computer = await hall.computer()
        computer.adapter(None).off = True
        place = await hall.desk(computer, wait=False)
        await until(lambda: place.air.trouble, "the desk to say what is wrong")
        assert "switched off" in str(place.air.trouble)
        computer.adapter(None).off = False
        await place.live(box)
        assert place.air.trouble is None

    played(tmp_path, scenario)


def test_an_adapter_that_is_not_there_is_named_and_the_other_serves(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        computer = await hall.computer("hci0")
        place = await hall.desk(computer, adapters=("hci0", "hci7"))
        assert "hci7" in str(place.air.trouble)
        await place.settled(box)

    played(tmp_path, scenario)
