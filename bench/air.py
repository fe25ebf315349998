"""A box and a desk over Bumble: from a press to the committed row, and how fast a box tells what it played while away.

Everything but the radio is real: box, host stacks with their ATT and GATT, bleak with an in-repo backend, `link.ble`,
serving, desk with the delay that `dalej run` gathers facts for, ledger on disk. The baseline is a bare notification of
the same size on the same link, from the box's radio to the desk's ear. There is no radio time in it: a connection
interval of a real link (7.5 to 100 ms) comes on top of both sides, so the ratios say what the programs add.

A cut of 20 minutes is played at a move every ten seconds while box and desk do not hear each other; the clock of both
is moved on. Draining is measured from the instant at which the desk trusts the box again to the last committed row. A
box sends a frame every 20 ms, because a real radio takes no more: the first baseline keeps that pace, the second sends
as fast as Bumble takes it.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from bench.ledger import DISK
from bench.row import Row, quantile
from dalej.desk.evening.evening import COMMIT_DELAY_MS
from dalej.event.ledger import Report
from dalej.event.ledger.entries import Recorded
from dalej.link.serving import Carrier
from moveclock import facts as k
from moveclock import wire
from moveclock.peer import PACE_MS
from moveclock.settings import PLAY_ON, Settings
from tests.air.boxonair import BoxOnAir
from tests.air.hall import Hall, Place, play
from tests.air.onair import TAP_S
from tests.waiting import until

PRESSES: Final = 100
TURNS: Final = 3
CUT_MS: Final = 20 * 60_000
MOVE_MS: Final = 10_000
TAP_MS: Final = 100
DECIDED_MS: Final = 40  # a press is decided 30 ms after its release
BETWEEN_MS: Final = 2_000
BARE: Final = 100  # notifications
LOOK_S: Final = 0.002  # a look takes time from what is looked at


class Press(NamedTuple):
    """Seconds to the committed row: from the finger's first touch, from its release, from the box's decision. `size`:
    bytes of the notification that carried its facts.
    """

    touched: float
    released: float
    decided: float
    size: int


class Drained(NamedTuple):
    """`took`: seconds from the trusted link to the last row; `back`: before that, from the end of the cut, which was as
    long as that many `minutes` of play.
    """

    facts: int
    took: float
    back: float
    minutes: float


class Measured(NamedTuple):
    """What one hall showed. `bare`: seconds for one notification of `size` bytes each; `frame_facts`: so many facts
    does the largest frame carry; `paced`, `free`: such frames a second, as bare notifications.
    """

    presses: list[Press]
    bare: list[float]
    size: int
    drained: list[Drained]
    frame_facts: int
    paced: float
    free: float


def measure(size: float = 1) -> list[Row]:
    """Median and 95 % of a press, then what a second drains."""
    DISK.mkdir(exist_ok=True)
    found: list[Measured] = []

    async def scenario(hall: Hall) -> None:
        found.append(await _measured(hall, size))

    with tempfile.TemporaryDirectory(prefix="bench-", dir=DISK) as folder, _quiet("bumble"):
        play(Path(folder), scenario)
    (one,) = found
    return [*_press_rows(one), *_drain_rows(one)]


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Of what this library logs only errors are printed: it warns of every cut that is made on purpose."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def _press_rows(one: Measured) -> list[Row]:
    rows = []
    for label, part in (("median", 0.5), ("95 %", 0.95)):
        bare = quantile(part, one.bare)
        for what, waits in (
            ("touch to committed row over Bumble", [press.touched for press in one.presses]),
            ("... from the finger's release on", [press.released for press in one.presses]),
            (
                f"... from the box's decision on, {COMMIT_DELAY_MS} ms of it gathering",
                [press.decided for press in one.presses],
            ),
        ):
            wait = quantile(part, waits)
            rows.append(
                Row(
                    f"{what}, {label}",
                    f"{wait * 1000:.1f} ms",
                    f"bare notification, {one.size} bytes: {bare * 1000:.1f} ms",
                    f"{wait / bare:.1f}",
                )
            )
    return rows


def _drain_rows(one: Measured) -> list[Row]:
    facts = sum(drained.facts for drained in one.drained)
    rate = facts / sum(drained.took for drained in one.drained)
    of = f"facts drained a second after {one.drained[0].minutes:.0f} min"
    rows = []
    for what, frames in ((f"one every {PACE_MS} ms", one.paced), ("as fast as Bumble takes them", one.free)):
        carried = frames * one.frame_facts
        rows.append(
            Row(
                f"{of} ({facts // len(one.drained)} each)",
                f"{rate:,.0f}/s",
                f"bare notifications, {what}: {carried:,.0f}/s",
                f"{rate / carried:.2f}",
            )
        )
    back = median(drained.back for drained in one.drained)
    whole = median(drained.back + drained.took for drained in one.drained)
    rows.append(
        Row(
            "in reach again to the last row",
            f"{whole:.2f} s",
            f"to the trusted link {back:.2f} s",
            f"{whole / back:.1f}",
        )
    )
    return rows


# --- one hall -----


async def _measured(hall: Hall, size: float) -> Measured:
    box = await hall.box()
    assert isinstance(box, BoxOnAir)
    place = await hall.desk(commit_delay_ms=COMMIT_DELAY_MS)
    watch = _Watch(box, place)
    await _begin(hall, box, place)
    presses = [await _press(hall, box, place, watch) for _ in range(max(2, int(PRESSES * size)))]
    count = max(2, int(BARE * size))
    frame = round(median(press.size for press in presses))
    bare = [await _notified(box, place, watch.link, frame, 1) for _ in range(count)]
    drained = [await _drain(hall, box, place, size) for _ in range(max(1, int(TURNS * size)))]
    most = max(watch.sizes)
    return Measured(
        presses,
        bare,
        frame,
        drained,
        (most - wire.SEAL_OVERHEAD - 1) // wire.RECORD_SIZE,
        count / await _notified(box, place, watch.link, most, count, PACE_MS / 1000),
        count / await _notified(box, place, watch.link, most, count),
    )


class _Watch:
    """Notes when a box has decided, when rows are committed, and how large its notifications are."""

    def __init__(self, box: BoxOnAir, place: Place) -> None:
        self.decided = 0.0
        self.recorded = asyncio.Event()
        self.recorded_at = 0.0
        self.sizes: list[int] = []
        self.link = (0, 0)  # connection and handle of the last one
        commit, record, notify = box.live.journal.commit, place.ledger.record, box.peripheral.notify

        def committing(facts: list[Any], snapshot: bytes, brief: bool = False) -> None:
            if facts:
                self.decided = time.perf_counter()
            commit(facts, snapshot, brief)

        def recording(reports: Iterable[Report], *, token: int | None = None) -> Recorded:
            recorded = record(reports, token=token)
            if any(fact.kind == k.MOVE_ENDED for fact in recorded.new):
                self.recorded_at = time.perf_counter()
                self.recorded.set()
            return recorded

        def notifying(connection: int, handle: int, data: bytes) -> bool:
            if data[0] == wire.SEALED:
                self.sizes.append(len(data))
                self.link = connection, handle
            return notify(connection, handle, data)

        # a product has no hook for a stopwatch
        patch.object(box.live.journal, "commit", committing).start()
        patch.object(place.ledger, "record", recording).start()
        patch.object(box.peripheral, "notify", notifying).start()


async def _begin(hall: Hall, box: BoxOnAir, place: Place) -> None:
    """The first move of a game that has no end is running."""
    settings = Settings()
    settings.first = k.SEAT_A
    settings.on_bank_empty = PLAY_ON
    assert place.ask(box, "configure", {"game": 1, "settings": settings.pack().hex()})
    await until(lambda: box.face.state == k.READY, "the box to be configured")
    await hall.moves(box, 1)
    await place.settled(box)


async def _press(hall: Hall, box: BoxOnAir, place: Place, watch: _Watch) -> Press:
    """Think, then end the running move."""
    hall.skip(BETWEEN_MS)
    await place.live(box)
    await place.settled(box)
    watch.sizes.clear()
    watch.recorded.clear()
    contact = 2 * box.face.seat
    touched = time.perf_counter()
    box.edge(contact, True)
    await asyncio.sleep(TAP_S)
    released = time.perf_counter()
    box.edge(contact, False)
    await watch.recorded.wait()
    at = watch.recorded_at
    return Press(at - touched, at - released, at - watch.decided, max(watch.sizes))


async def _drain(hall: Hall, box: BoxOnAir, place: Place, size: float) -> Drained:
    """Twenty minutes of play away from the desk, or fewer by `size`, and back."""
    hall.air.part(box, place.adapter, 0)
    await until(lambda: not place.is_live(box) and not box.links, "the link to break")
    before = box.face.head
    moves = max(2, int(CUT_MS / MOVE_MS * size))
    for move in range(moves):
        hall.skip(MOVE_MS - 2 * (TAP_MS + DECIDED_MS))
        if move % 2:
            _tap(hall, box, k.KOSTKA)
        _tap(hall, box, 2 * box.face.seat + move % 2)
        await asyncio.sleep(0)
    facts = box.face.head - before
    began = time.perf_counter()
    hall.air.rejoin(box, place.adapter)
    await until(lambda: place.is_live(box), "the box to be trusted", look_s=LOOK_S)
    trusted = time.perf_counter()
    await until(lambda: place.has_all(box), "the last committed row", look_s=LOOK_S)
    return Drained(facts, time.perf_counter() - trusted, trusted - began, moves * MOVE_MS / 60_000)


def _tap(hall: Hall, box: BoxOnAir, contact: int) -> None:
    box.edge(contact, True)
    hall.skip(TAP_MS)
    box.edge(contact, False)
    hall.skip(DECIDED_MS)


async def _notified(
    box: BoxOnAir, place: Place, link: tuple[int, int], size: int, count: int, pace_s: float = 0
) -> float:
    """Seconds for so many bare notifications, from the box's radio to the last one in the desk's ear."""
    await place.settled(box)
    heard, done = 0, asyncio.Event()

    def counted(_uid: bytes, _carrier: Carrier, _frame: bytes) -> bool:
        nonlocal heard
        heard += 1
        if heard == count:
            done.set()
        return True

    with patch.object(place.serving, "received", counted):  # the ear, in place of a desk that would refuse
        began = time.perf_counter()
        for number in range(count):
            box.peripheral.notify(*link, bytes(size))
            if pace_s:
                await asyncio.sleep(max(0.0, began + (number + 1) * pace_s - time.perf_counter()))
        await done.wait()
        return time.perf_counter() - began
