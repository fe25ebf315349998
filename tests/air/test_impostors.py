"""Somebody who repeats what a box says, and can be linked like it: the box itself is found, and keeps its table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from moveclock import wire
from tests.air.boxonair import FLAGS, RESPONSE, SERVICES, BoxOnAir
from tests.air.hall import Hall
from tests.air.hall import play as played
from tests.air.peripheral import Heard, Peripheral
from tests.waiting import until

LOUD_DBM = -20
REFUSES = [wire.pack_refusal(wire.NO_AUTH, wire.UNPROVED, b"")]
FLOODS = [bytes([wire.SEALED]) + bytes(60)] * 200


class Impostor:
    """Offers the services of a box and its latest advertisement; `answers`: to whatever is written."""

    def __init__(self, hall: Hall, box: BoxOnAir, answers: list[bytes]) -> None:
        self.connects = 0
        self.peripheral = Peripheral(hall.air, "EE:EE:EE:EE:EE:03")
        self._box = box
        self._answers = answers
        self._events = 0

    async def start(self) -> None:
        await self.peripheral.start()
        self._events = self.peripheral.register(SERVICES)[0][1]
        self.peripheral.heard = Heard(self._connected, lambda _: self.advertise(), lambda *_: None, self._written)

    def advertise(self) -> None:
        if self._box.is_on:
            self.peripheral.advertise(FLAGS + self._box.live.advertisement(), RESPONSE)

    def _connected(self, _link: int) -> None:
        self.connects += 1
        self.advertise()

    def _written(self, link: int, _handle: int, _data: bytes) -> None:
        for answer in self._answers:
            self.peripheral.notify(link, self._events, answer)


async def _as_time_passes(hall: Hall, true: Callable[[], bool]) -> None:
    """Until that is so; silences and pauses of many seconds pass in less than one."""
    for _ in range(400):
        if true():
            return
        hall.skip(200)
        await asyncio.sleep(0.02)
    raise AssertionError("waited 80 s of the hall's time in vain")


@pytest.mark.parametrize("answers", [REFUSES, FLOODS, []], ids=["refuses", "floods", "is silent"])
def test_a_table_is_not_lost_to_somebody_louder_who_can_be_linked_as_well(tmp_path: Path, answers: list[bytes]) -> None:
    async def scenario(hall: Hall) -> None:
        box = await hall.box()
        assert isinstance(box, BoxOnAir)
        impostor = Impostor(hall, box, answers)
        await impostor.start()
        try:
            computer = await hall.computer()
            hall.air.hears(impostor.peripheral, computer.adapter(None), LOUD_DBM)
            hall.air.part(box, computer.adapter(None))
            impostor.advertise()
            place = await hall.desk(computer, wait=False)
            await until(lambda: impostor.connects, "the desk to take it for the box")
            hall.air.rejoin(box, computer.adapter(None))
            await _as_time_passes(hall, lambda: place.is_live(box))
            assert impostor.connects == 1
            hall.air.cut(box, place.adapter)
            await until(lambda: not place.is_live(box), "the link to be lost")
            await _as_time_passes(hall, lambda: place.is_live(box))
            assert impostor.connects == 1, "the address that was the box goes first"
        finally:
            impostor.peripheral.stop()

    played(tmp_path, scenario)
