"""The running desk, `dalej capacity` and `dalej latency` over Bumble's real attribute protocol and real `link.ble`."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from dalej.cli import capacity, latency
from dalej.desk.evening.evening import RunningDesk, Telling, go
from dalej.desk.feed.client import connect
from dalej.desk.feed.server import RealBoxes, Server
from dalej.event.ledger import Ledger
from dalej.link.ble import BleAir
from dalej.link.capacity import Survey
from dalej.link.serving import Serving
from moveclock import facts as k
from tests import placing, world
from tests.air.bumble_backend import Program
from tests.air.hall import Hall, play
from tests.waiting import until


async def air_of(hall: Hall, links: int) -> BleAir:
    computer = await hall.computer(links=links)
    return BleAir(hall.clock, links=12, adapters=tuple(computer.adapters), backend=Program(computer).backend,
                  again_ms=100, connect_ms=3_000)  # fmt: skip


def test_a_seated_hall_is_set_up_shown_and_left_in_good_order(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        boxes = [await hall.box() for _ in range(2)]
        secrets = {box.uid: box.secret for box in boxes}
        with world.an_event(tmp_path) as event:
            for table, box in enumerate(boxes, start=1):
                placing.place(event.ledger, table, box.uid.hex(), since=placing.NOW, goes_on=False, who="Gęś",
                                when_ms=0, why="as we stand", name=str(table))  # fmt: skip
            air, said, stop = await air_of(hall, 7), list[str](), asyncio.Event()
            with Ledger.open(event.ledger.path) as ledger:
                running = RunningDesk(ledger, clock=hall.clock, random=os.urandom, secret_of=secrets.__getitem__,
                                      name="desk 1", desk_id=5, links=air.links)  # fmt: skip
                telling = Telling(running, hall.clock, lambda: air.trouble)
                serving = Serving(running.desk, hall.clock, air.connect)
                server = Server(running.desk, RealBoxes(), hall.clock, name="desk 1", event=ledger.path,
                                head=ledger.head, random=os.urandom)  # fmt: skip
                going = asyncio.create_task(
                    go(running, serving, [air.run(serving)], server, stop, lambda: said.extend(telling.lines()))
                )
                await until(lambda: all(box.face.state == k.READY for box in boxes), "both tables to be set up")
                await until(lambda: len(said) >= 2, "that to be said")
                screen = await connect(ledger.path)
                await screen.close()
                stop.set()
                await going
                assert ledger.lease.holder(hall.clock.wall_ms()) is None
            await until(lambda: not any(box.links for box in boxes), "the links to end")
            assert sorted(said)[:2] == [
                "table 1: box 1 is set up for game 1, seats ABCD", "table 2: box 2 is set up for game 1, seats ABCD",
            ]  # fmt: skip

    play(tmp_path, scenario)


def test_an_adapter_that_holds_two_boxes_is_found_to_hold_two(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        boxes = [await hall.box() for _ in range(4)]
        air = await air_of(hall, 2)
        survey = Survey(
            {box.uid: box.secret for box in boxes}, most=12, hold_ms=500, now_ms=hall.clock.now_ms() - 4_000,
            random=os.urandom, desk=(9, "measuring"),
        )  # fmt: skip
        found = await capacity.measure(survey, air, hall.clock, tells=False)

        assert (found.heard, found.most, found.full) == (4, 2, True)
        assert capacity.in_words(found)[2].startswith("2 boxes at once")
        await until(lambda: not any(box.links for box in boxes), "the links to end")

    play(tmp_path, scenario)


def test_presses_are_measured_from_the_finger_to_the_row(tmp_path: Path) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        air, lines = await air_of(hall, 7), list[str]()
        measuring = asyncio.create_task(
            latency.measure(
                tmp_path / "scratch.dalej",
                box.uid.hex(),
                "7",
                air,
                hall.clock,
                secret_of=lambda _: box.secret,
                wanted=3,
                tell=lines.append,
            )
        )
        await until(lambda: any("is linked" in line for line in lines), "the box to be linked")
        for number in range(3):
            await box.tap(k.SEDZIA)
            await until(lambda: len(lines) > number + 1, "the press to be told")  # noqa: B023 (asked at once)

        found = await measuring
        assert len(found) == 3
        assert all(0 <= one.took_ms <= 2_000 for one in found)
        assert latency.in_words(found)[0].startswith("3 presses from the finger to the disk:")

    play(tmp_path, scenario)
