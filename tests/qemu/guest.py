"""What runs in the virtual machine: `python -m tests.qemu.guest BOXES LINKS` with a bus, bluetoothd, boxes and desks.

Writes to /run/out: `report.json`, and what bluetoothd and the desks said.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from dalej.event.ledger import Ledger
from dalej.event.reading import read
from tests.bluez.hall import box
from tests.bluez.livebox import LiveBox, seat_a_first
from tests.bluez.private_bus import private_bus
from tests.desk.setting import expect_clean
from tests.qemu import desk
from tests.qemu.air import Air, AirBox

OUT: Final = Path("/run/out")
EVENT: Final = Path("/tmp/event.dalej")  # in the machine's memory
PLAYED: Final = 3  # tables that play
WITHIN_S: Final = 300.0
LIMIT_MS: Final = 3_600_000  # nobody runs out of time, however slow the machine is


class DeskProcess:
    """A desk, as `tests.qemu.desk` runs it. `told`: how it stands.

    It is a copy of this process, made before there is a loop: nothing has to be loaded again, which takes a slow
    machine a minute. It does nothing until `listen` is called.
    """

    def __init__(self, name: str, count: int, links: int) -> None:
        self.told: dict[str, Any] = {}
        self._listening: asyncio.Task[None] | None = None
        asked, self._asks = os.pipe()
        self._tells, told = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            os.close(self._asks)
            with (OUT / f"{name}.log").open("wb") as log:
                os.dup2(log.fileno(), sys.stderr.fileno())
            os._exit(desk.run(EVENT, count, links, asked, told))
        os.close(asked)
        os.close(told)

    def begin(self) -> None:
        """It starts to listen and to connect."""
        self._listening = asyncio.create_task(self._listen())
        self.say("go")

    def say(self, line: str) -> None:
        os.write(self._asks, f"{line}\n".encode())

    def kill(self) -> None:
        """No handler runs, no file is closed."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)

    async def end(self) -> None:
        os.close(self._asks)
        _, status = await asyncio.to_thread(os.waitpid, self._pid, 0)
        assert status == 0, "the desk did not end in good order"

    async def _listen(self) -> None:
        reader = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(self._tells))
        with (OUT / "desks.jsonl").open("a") as log:
            while line := await reader.readline():
                log.write(f"{time.monotonic():.1f} {line.decode()}")
                log.flush()
                self.told |= json.loads(line)


class Report:
    """Seconds that each step took."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self._began = time.monotonic()

    def step(self, name: str) -> None:
        now = time.monotonic()
        self.steps[name] = round(now - self._began, 1)
        self._began = now
        self.write()

    def write(self, **more: object) -> None:
        (OUT / "report.json").write_text(json.dumps({"steps": self.steps} | more, indent=1))


async def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + WITHIN_S
    while not condition():
        assert time.monotonic() < end, f"not within {WITHIN_S:g} s: {what}"
        await asyncio.sleep(0.1)


async def switch_on() -> None:
    """The adapter, as soon as bluetoothd has it."""
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    body = ["org.bluez.Adapter1", "Powered", Variant("b", True)]
    properties = "org.freedesktop.DBus.Properties"
    end = time.monotonic() + WITHIN_S
    while True:
        reply = await bus.call(Message("org.bluez", "/org/bluez/hci0", properties, "Set", signature="ssv", body=body))
        if reply is not None and reply.message_type is MessageType.METHOD_RETURN:
            break
        assert time.monotonic() < end, "bluetoothd has no adapter"
        await asyncio.sleep(0.2)
    bus.disconnect()


def drained(boxes: Sequence[LiveBox]) -> bool:
    """Whether a desk has acknowledged everything that these boxes hold."""
    return all(not one.powered.journal.backlog for one in boxes)


async def play(boxes: Sequence[LiveBox], moves: int) -> None:
    await asyncio.gather(*(one.moves(moves) for one in boxes))


async def scenario(count: int, first: DeskProcess, second: DeskProcess, report: Report) -> None:
    air = Air()
    boxes = [box(number) for number in range(1, count + 1)]
    on_air = [AirBox(air, one, f"F0:F1:F2:F3:00:{number:02X}") for number, one in enumerate(boxes)]
    for peripheral in on_air:
        await peripheral.power_on()
    await air.plug()
    await switch_on()
    report.step("started")

    first.begin()
    await until(lambda: first.told.get("heard") == count, "every box is heard")
    report.step("heard")
    await until(lambda: drained(boxes), "all that the boxes have is recorded")
    report.step("drained")

    players = boxes[:PLAYED]
    for number in range(1, PLAYED + 1):
        first.say(f"{number} configure {json.dumps({'game': 1, 'settings': seat_a_first(LIMIT_MS)})}")
    await until(lambda: all(one.powered.clock.game for one in players), "the tables are set up")
    report.step("set up")
    await play(players, 4)
    await until(lambda: drained(players), "the game is recorded")
    report.step("played")

    await until(lambda: air.links, "there is a link to leave behind")
    first.kill()
    left_behind = air.links
    await play(players, 2)
    await asyncio.sleep(5)  # the lease of the killed desk runs out; its links are stale and stand
    stale = air.links
    report.step("killed")
    second.begin()
    await until(lambda: drained(boxes), "what was played without a desk is recorded")
    report.step("taken over")

    for unlucky in on_air[1:3]:
        unlucky.power_off()
    await asyncio.sleep(2)
    for unlucky in on_air[1:3]:
        await unlucky.power_on()
    await until(lambda: drained(boxes), "the boxes' new boots are recorded")
    report.step("power lost and back")

    await second.end()
    report.step("ended")
    with Ledger.open(EVENT) as ledger:
        expect_clean(ledger)
        facts = [one.fact for one in read(ledger).facts()]
        for one in boxes:
            journal = one.powered.journal
            assert ledger.contiguous(one.uid.hex(), journal.epoch) == journal.head
    moves = sum(fact.name == "move_ended" for fact in facts)
    assert moves == PLAYED * 6, f"{moves} moves were recorded"
    assert sum(fact.name == "booted" for fact in facts) == count + 2
    report.write(
        facts=len(facts),
        moves=moves,
        left_behind=left_behind,
        stale=stale,
        taken_over=second.told["taken_over"],
        whole=True,
    )


def main(count: int, links: int) -> None:
    report = Report()
    with private_bus() as address, (OUT / "bluetoothd.log").open("wb") as log:
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
        desks = [DeskProcess(name, count, links) for name in ("desk-1", "desk-2")]
        with subprocess.Popen([os.environ["BLUETOOTHD"], "-n"], stdout=log, stderr=log) as bluetoothd:
            try:
                asyncio.run(scenario(count, desks[0], desks[1], report))
            finally:
                bluetoothd.kill()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
