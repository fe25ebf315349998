"""Times in an air without radio, `python -m tests.air.measure`: what the programs themselves take."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from tests.air.boxonair import BoxOnAir
from tests.air.hall import Hall, until
from tests.air.hall import play as played
from tests.air.onair import TAP_S

PRESSES: Final = 40
IDLE: Final = 25
IDLE_S: Final = 10.0


async def connects(hall: Hall) -> None:
    """From the call to connect until the link counts, and until it is trusted."""
    box = await hall.box()
    place = await hall.desk()
    took: list[float] = []
    original = place.air.connect

    async def timed(uid: bytes) -> bool:
        began = time.perf_counter()
        linked = await original(uid)
        took.append(time.perf_counter() - began)
        return linked

    place.serving._connect = timed
    trusted: list[float] = []
    for _ in range(20):
        hall.air.cut(box, place.adapter)
        began = time.perf_counter()
        await until(lambda: not place.is_live(box), "the end")
        await place.live(box)
        trusted.append(time.perf_counter() - began)
    _told("connect, discover, subscribe", took)
    _told("from a cut until the box is trusted again", trusted)


async def presses(hall: Hall) -> None:
    """From a press until its row is committed, against a bare notification on the same link."""
    box = await hall.box()
    assert isinstance(box, BoxOnAir)
    place = await hall.desk()
    await place.configure(box)
    await hall.moves(box, 1)
    await place.settled(box)
    rows: list[float] = []
    for _ in range(PRESSES):
        hall.skip(2_000)
        seat = box.face.seat
        box.edge(2 * seat, True)
        await asyncio.sleep(TAP_S)
        head = box.face.head
        began = time.perf_counter()
        box.edge(2 * seat, False)
        while place.ledger.contiguous(box.uid.hex(), box.live.journal.epoch) == head:  # noqa: ASYNC110
            await asyncio.sleep(0)
        rows.append(time.perf_counter() - began)
        await place.settled(box)
    bare: list[float] = []
    received = place.serving.received
    arrived = asyncio.Event()
    place.serving.received = lambda *_: bool(arrived.set())  # type: ignore[method-assign, func-returns-value]
    for _ in range(PRESSES):
        await asyncio.sleep(0.05)
        arrived.clear()
        began = time.perf_counter()
        box.peripheral.notify(next(iter(box._links)), box._handles[1], bytes(84))
        await arrived.wait()
        bare.append(time.perf_counter() - began)
    place.serving.received = received  # type: ignore[method-assign]
    _told("press to committed row", rows)
    _told("bare notification of 84 bytes", bare)
    print(f"ratio of the medians {median(rows) / median(bare):.1f}")  # noqa: T201


async def idle(hall: Hall) -> None:
    """What the processor has to do for boxes that say nothing new."""
    for _ in range(IDLE):
        await hall.box(interval_ms=250)
    computer = await hall.computer(links=6)
    place = await hall.desk(computer, links=6, wait=False)
    await place.settled(*hall.boxes)
    began, used = time.perf_counter(), time.process_time()
    heard = place.desk.version
    await asyncio.sleep(IDLE_S)
    share = (time.process_time() - used) / (time.perf_counter() - began)
    print(f"{IDLE} idle boxes, 6 links: {share:.1%} of one core with the boxes and their air in it,")  # noqa: T201
    print(f"   {(place.desk.version - heard) / IDLE_S:.0f} changes heard a second")  # noqa: T201


def _told(what: str, seconds: list[float]) -> None:
    ordered = sorted(1_000 * one for one in seconds)
    worst = ordered[len(ordered) * 95 // 100]
    print(f"{what}: median {median(ordered):.2f} ms, 95 % within {worst:.2f} ms, {len(ordered)} times")  # noqa: T201


if __name__ == "__main__":
    for measure in (connects, presses, idle):
        if len(sys.argv) == 1 or measure.__name__ in sys.argv[1:]:
            with TemporaryDirectory() as folder:
                played(Path(folder), measure)
