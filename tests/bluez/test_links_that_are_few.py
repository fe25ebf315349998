"""Links that cannot be had: too few of them, too narrow, to a box that is gone or that BlueZ has forgotten."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from moveclock import facts as k
from tests.bluez import peripheral as p
from tests.bluez.hall import hall
from tests.waiting import until


def test_an_adapter_that_holds_fewer_links_than_it_was_told_serves_all_in_turn(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 4, [("hci0", 2)]) as there, there.desk(links=3) as place:
            said: set[str] = set()

            def done() -> bool:
                said.add(place.trouble)
                return all(map(place.has_all_of, there.boxes))

            await until(done, "all that the boxes have is recorded", 8)
            assert place.air.links == 2
            assert any("fewer links than it was asked for, 2: boxes take turns" in sentence for sentence in said)

    asyncio.run(scenario())


def test_links_that_fail_without_a_word_are_counted_too(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 3, [("hci0", 2)]) as there, there.desk(links=3) as place:
            there.bluez.adapters["hci0"].full = "le-connection-unknown"
            await until(lambda: place.air.links == 2, "the desk finds out", 30)
            await until(lambda: all(map(place.has_all_of, there.boxes)), "all that the boxes have is recorded", 30)

    asyncio.run(scenario())


@pytest.mark.parametrize("links", [1, 3])
def test_a_box_that_is_gone_does_not_keep_an_alarm_waiting(tmp_path: Path, links: int) -> None:
    async def scenario() -> None:  # with one link, what is under way holds the last one
        async with hall(tmp_path, 4) as there, there.desk(connect_ms=20_000, links=links) as place:
            gone, calls = there.on_air[0], there.boxes[3]
            await until(lambda: all(map(place.has_all_of, there.boxes)), "all that the boxes have is recorded")
            await place.configure(calls)
            await until(lambda: all(map(place.has_all_of, there.boxes)), "all that the boxes have is recorded")
            for number in (0, 3):  # nothing to say, no link
                there.remote(number).cut()
            gone.faults.append(p.UNANSWERED)
            assert place.ask(gone.box, "blink")
            await until(lambda: there.remote(0).given_up, "the desk tries to connect it")
            assert not place.live(calls)
            began = asyncio.get_running_loop().time()
            await calls.tap(k.SEDZIA)
            await until(lambda: place.has_all_of(calls), "the alarm is recorded", 19)
            assert asyncio.get_running_loop().time() - began < 15  # it did not wait until the other was given up

    asyncio.run(scenario())


def test_a_box_that_is_gone_does_not_keep_another_waiting_for_long(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 2) as there, there.desk() as place:
            gone, other = there.on_air
            await until(lambda: all(map(place.live, there.boxes)), "both have their links")
            gone.leave()
            await until(lambda: there.remote(0).given_up, "the desk tries to connect it")
            other.leave()
            other.in_reach = True
            await until(lambda: not place.live(other.box), "the desk notices")
            await until(lambda: place.live(other.box), "the other one has its link again", 7)

    asyncio.run(scenario())


def test_a_link_too_narrow_for_the_protocol_is_refused_in_words(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there:
            there.on_air[0].mtu = 64
            async with there.desk() as place:
                await until(lambda: place.trouble, "the desk says what is wrong")
                assert "64 bytes" in place.trouble
                assert "100" in place.trouble
                await until(lambda: not there.bluez.links(), "the link that is of no use is over")

    asyncio.run(scenario())


def test_a_device_that_bluez_has_forgotten_is_heard_and_linked_anew(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk() as place:
            box, on_air = there.boxes[0], there.on_air[0]
            await place.let_in(box)
            on_air.leave()
            await until(lambda: not place.live(box), "the desk notices")
            there.remote().forget()
            on_air.in_reach = True
            await until(lambda: place.live(box), "the box is heard, and linked, anew")

    asyncio.run(scenario())
