"""Cables: who is found at a port, and what one that is pulled and put back does."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from dalej.clock import SystemClock
from dalej.errors import DalejError, Unreachable
from dalej.link import usb
from dalej.link.plug import Plug, Wire, carry
from dalej.link.serving import ScanningPort, Serving
from dalej.link.talk import Talk
from moveclock import cable
from tests.link.cablebox import CableBox, MemoryWire
from tests.link.loop import DEADLINE_S, T, until
from tests.link.rig import SECRET, UID


class Bench:
    """A desk for one box, and ports at which boxes are plugged in and out."""

    def __init__(self, *, wants: bool = True) -> None:
        clock = SystemClock()
        self.wants = wants
        self.talk = _Told(UID, SECRET, clock, os.urandom, called="7", last=None)
        self.serving = Serving(self.talk, clock)
        self.talk.on_stir(self.serving.stir)
        self.at: dict[str, CableBox] = {}
        self.wires: list[MemoryWire] = []
        self.said: list[str] = []
        self.cable = usb.UsbCable(
            self.serving, self.talk, clock, wants=lambda uid: self.wants and uid == UID, devices=lambda: list(self.at),
            said=self._tell, opening=self._open, look_s=0.01, starts_s=0.3, anew_s=0.3, rest_s=0.01,
            again_s=0.01,
        )  # fmt: skip

    def _tell(self, device: str, why: DalejError) -> None:
        self.said.append(str(why))

    async def _open(self, device: str) -> Wire:
        if device not in self.at:
            raise Unreachable("there is no port {port}", port=device)
        self.wires.append(MemoryWire(self.at[device]))
        return self.wires[-1]

    def pull(self) -> None:
        self.at.clear()
        self.wires[-1].pull()

    def run(self, do: Callable[[], Awaitable[T]]) -> T:
        async def within() -> T:
            async with asyncio.timeout(DEADLINE_S):
                tasks = [asyncio.create_task(self.serving.run()), asyncio.create_task(self.cable.run())]
                try:
                    return await do()
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)

        return asyncio.run(within())


class _Told(Talk):
    """Also keeps what it was told of plugs and links."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.told: list[str] = []
        self.leave_wanted = False

    def wants_to_leave(self, uid: bytes) -> bool:
        return self.leave_wanted or super().wants_to_leave(uid)

    def waiting(self) -> list[bytes]:
        return [UID] if self.leave_wanted else super().waiting()

    def plugged(self, uid: bytes, now_ms: int) -> None:
        self.told.append("plugged")

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        self.told.append("unplugged")

    def connected(self, uid: bytes, now_ms: int) -> None:
        self.told.append("connected")
        super().connected(uid, now_ms)

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        self.told.append("disconnected")
        super().disconnected(uid, now_ms)


def test_a_talk_is_a_scanning_port() -> None:
    port: ScanningPort = Bench().talk
    assert port.waiting() == []


def test_a_box_that_is_plugged_in_is_linked() -> None:
    bench = Bench()

    async def plug() -> int:
        bench.at["COM3"] = CableBox()
        return (await bench.talk.until_trusted()).head

    assert bench.run(plug) == 1
    assert bench.talk.told[:2] == ["plugged", "connected"]


def test_a_pulled_cable_is_told_and_a_box_that_comes_back_is_linked_again() -> None:
    bench = Bench()

    async def pull() -> None:
        box = bench.at["COM3"] = CableBox()
        await bench.talk.until_state()
        bench.pull()
        await until(lambda: "unplugged" in bench.talk.told)
        bench.at["COM4"] = box
        await until(lambda: bench.talk.told.count("connected") == 2)
        await bench.talk.command("blink")
        assert bench.cable.port_of(UID) == "COM4"

    bench.run(pull)

    assert bench.talk.told[:6] == ["plugged", "connected", "disconnected", "unplugged", "plugged", "connected"]


def test_a_board_that_resets_is_linked_anew_without_being_unplugged() -> None:
    bench = Bench()

    async def reset() -> None:
        box = bench.at["COM3"] = CableBox()
        await bench.talk.until_state()
        box.power_on()
        await bench.talk.command("blink")

    bench.run(reset)

    assert bench.talk.told[:4] == ["plugged", "connected", "disconnected", "connected"]


@pytest.mark.parametrize(
    ("box", "said"),
    [
        (CableBox(secret=b"", setup=True), f"box {UID.hex()} at COM3 is in set-up mode"),
        (CableBox(secret=b""), f"box {UID.hex()} at COM3 is not paired"),
        (CableBox(b"strang"), "box 737472616e67 at COM3 is none of this event's"),
    ],
    ids=["set-up", "new", "stranger"],
)
def test_a_box_that_cannot_be_served_is_explained_once(box: CableBox, said: str) -> None:
    bench = Bench()

    async def look() -> None:
        bench.at["COM3"] = box
        await until(lambda: box.asked.count(cable.ASK) >= 3)

    bench.run(look)

    assert len(bench.said) == 1
    assert bench.said[0].startswith(said)
    assert bench.talk.told == []


@pytest.mark.parametrize(
    ("box", "ours", "said"),
    [
        (CableBox(b"strang", secret=b""), True, "is not paired"),
        (CableBox(b"strang", secret=b""), False, "is not paired"),
        (CableBox(b"strang"), False, "is paired with another club: pair it anew, or bring that club's secret"),
        (CableBox(b"strang"), True, "is none of this event's: give it to a table to use it"),
    ],
    ids=["new", "new, no secret here", "another club's", "ours"],
)
def test_a_box_of_no_table_is_sent_to_one_only_if_it_could_be_served_there(
    box: CableBox, ours: bool, said: str
) -> None:
    bench = Bench()
    bench.cable._is_ours = lambda _told: ours

    async def look() -> None:
        bench.at["COM3"] = box
        await until(lambda: bool(bench.said))

    bench.run(look)

    assert bench.said[0].startswith(f"box 737472616e67 at COM3 {said}")


def test_a_port_that_cannot_be_opened_is_explained_once_and_looked_at_again() -> None:
    bench = Bench()
    looks: list[int] = []

    async def no(device: str) -> Wire:
        looks.append(1)
        raise Unreachable("{port} is in use", port=device)

    bench.cable._open = no

    async def look() -> None:
        bench.at["COM3"] = CableBox()
        await until(lambda: len(looks) >= 3)

    bench.run(look)

    assert bench.said == ["COM3 is in use"]


def test_a_port_without_a_box_to_serve_is_left_alone_until_it_is_plugged_in_anew() -> None:
    bench = Bench()
    bench.cable._rest_ms = 60_000

    async def plug() -> None:
        box = bench.at["COM3"] = CableBox(secret=b"", setup=True)
        await until(lambda: bool(bench.said) and bench.wires[-1].closed)
        await asyncio.sleep(0.1)  # ten looks
        assert len(bench.wires) == 1
        bench.at.clear()
        await until(lambda: not bench.cable._rests)
        box.setup = False
        box.flash.files.update(CableBox().flash.files)
        box.power_on()
        bench.at["COM3"] = box
        await bench.talk.until_trusted()

    bench.run(plug)

    assert len(bench.said) == 1


def test_a_box_that_was_plugged_in_before_it_was_given_to_a_table_is_looked_at_at_once() -> None:
    bench = Bench(wants=False)
    bench.cable._rest_ms = 60_000

    async def give() -> None:
        bench.at["COM3"] = CableBox()
        await until(lambda: bool(bench.said) and bench.wires[-1].closed)
        bench.wants = True
        await bench.talk.until_trusted()

    bench.run(give)

    assert len(bench.wires) == 2


def test_a_box_that_is_started_anew_says_so_and_is_linked_before_its_desk_would_have_asked() -> None:
    bench = Bench()

    async def reset() -> list[int]:
        box = bench.at["COM3"] = CableBox()
        await bench.talk.until_state()
        await asyncio.sleep(0.5)  # all is said, and no ping is due
        before = len(box.asked)
        box.power_on()
        bench.wires[-1]._stirred.set()
        await until(lambda: bench.talk.told.count("connected") == 2)
        return box.asked[before:]

    asked = bench.run(reset)

    assert cable.FRAME not in asked[: asked.index(cable.OPEN)]


@pytest.mark.parametrize("silent_s", [0.05, 0.5, 1.2], ids=["at once", "while it is asked", "for long"])
def test_a_look_while_a_box_starts_anew_costs_no_rest(monkeypatch: pytest.MonkeyPatch, silent_s: float) -> None:
    """Given a desk that gives up a question after 0.1 s, and leaves a port without a box alone for a minute."""
    monkeypatch.setattr("dalej.link.cable.ANSWER_WITHIN_MS", 100)
    monkeypatch.setattr("dalej.link.cable.REPEAT_MS", 20)
    bench = Bench()
    bench.cable._rest_ms = bench.cable._anew_ms = 60_000

    async def start_anew() -> float:
        box = bench.at["COM3"] = CableBox()
        await bench.talk.until_state()
        box.deaf = bench.talk.leave_wanted = True
        bench.serving.stir()
        await until(lambda: "disconnected" in bench.talk.told)
        await asyncio.sleep(silent_s)
        bench.talk.leave_wanted = False
        links = bench.talk.told.count("connected")
        box.deaf = False
        box.power_on()
        up = time.monotonic()
        await until(lambda: bench.talk.told.count("connected") > links)
        return time.monotonic() - up

    assert bench.run(start_anew) < 10
    assert len(bench.wires) == 1, "to open the port again could start the box again"
    assert bench.said in ([], [f"box {UID.hex()} at COM3 does not answer any more"])


def test_a_board_that_starts_when_it_is_plugged_in_is_asked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a board that says at power-on what a ROM says, and is up after the desk's first question has run out."""
    monkeypatch.setattr("dalej.link.cable.ANSWER_WITHIN_MS", 100)
    monkeypatch.setattr("dalej.link.cable.REPEAT_MS", 20)
    bench = Bench()
    bench.cable._rest_ms = bench.cable._starts_ms = 60_000

    async def plug() -> None:
        box = CableBox()
        box.deaf = True
        bench.at["COM3"] = box
        await asyncio.sleep(0.5)
        box.deaf = False
        await bench.talk.until_trusted()

    bench.run(plug)

    assert bench.said == []


def test_a_port_that_says_nothing_is_not_asked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given somebody else's device: two questions in 0.1 s, then it has its port back."""
    monkeypatch.setattr("dalej.link.cable.ANSWER_WITHIN_MS", 100)
    bench = Bench()
    bench.cable._rest_ms = bench.cable._starts_ms = 60_000

    async def plug() -> None:
        box = CableBox()
        box.deaf = True
        box.turn()  # what the ROM said is over
        bench.at["COM3"] = box
        await until(lambda: bool(bench.said))

    bench.run(plug)

    assert bench.wires[0].closed


def falls_silent(bench: Bench, *, wanted: bool) -> None:
    """A box that is linked dies, its cable stays."""

    async def die() -> None:
        box = bench.at["COM3"] = CableBox()
        await bench.talk.until_state()
        box.deaf, bench.wants = True, wanted
        bench.talk.leave_wanted = True
        await until(lambda: bench.wires[0].closed)

    bench.run(die)


def test_a_box_that_falls_silent_is_named_and_is_not_a_board_without_firmware(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalej.link.cable.ANSWER_WITHIN_MS", 100)
    bench = Bench()
    falls_silent(bench, wanted=True)

    assert bench.said == [f"box {UID.hex()} at COM3 does not answer any more"]


def test_nobody_is_told_of_the_cable_of_a_box_that_has_been_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalej.link.cable.ANSWER_WITHIN_MS", 100)
    bench = Bench()
    falls_silent(bench, wanted=False)

    assert bench.said == []


# --- somebody else at the cable -----


def test_whoever_says_to_be_the_box_on_a_cable_is_tried_less_and_less_often_and_leaves_the_air_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given a board that tells the box's uid and does not know its secret."""
    bench = Bench()
    monkeypatch.setattr("dalej.link.plug.AGAIN_MOST_S", 0.04)

    async def claim() -> list[str]:
        box = bench.at["COM3"] = CableBox(secret=bytes(32 * [7]))
        await until(lambda: len(bench.talk.told) >= 5)
        assert cable.OPEN in box.asked
        return bench.talk.told[:5]

    assert bench.run(claim) == ["plugged", "connected", "disconnected", "unplugged", "plugged"]


def test_whoever_says_to_be_the_box_on_a_cable_does_not_take_the_link_on_which_the_box_has_proved_itself() -> None:
    """Given a box that was linked otherwise after the first attempt at the cable had come to nothing."""
    bench = Bench()

    async def claim() -> None:
        impostor = bench.at["COM3"] = CableBox(secret=bytes(32 * [7]))
        await until(lambda: "unplugged" in bench.talk.told)
        async with Plug(MemoryWire(CableBox()), "the air", SystemClock()) as real:
            carrying = asyncio.create_task(carry(bench.serving, real, UID, 0.01))
            await until(lambda: bench.serving.serves(UID))
            await under_way(impostor)
            asked, told = len(impostor.asked), len(bench.talk.told)
            await until(lambda: impostor.asked[asked:].count(cable.ASK) >= 5)
            assert cable.OPEN not in impostor.asked[asked:]
            assert bench.talk.told[told:] == []
            carrying.cancel()
            await asyncio.gather(carrying, return_exceptions=True)

    bench.run(claim)


def test_whoever_says_to_be_the_box_on_a_cable_does_not_take_a_link_on_which_the_box_is_about_to_prove_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given a link that comes up just as the cable is tried once more."""
    monkeypatch.setattr("dalej.link.cable.REPEAT_MS", 20)
    bench = Bench()

    async def claim() -> None:
        impostor = bench.at["COM3"] = _Slow(secret=bytes(32 * [7]))
        await until(lambda: "unplugged" in bench.talk.told)
        impostor.opens = False
        opened = impostor.asked.count(cable.OPEN)
        await until(lambda: impostor.asked.count(cable.OPEN) > opened + 1 and not bench.serving.holds(UID))
        air = _Shaking()
        bench.serving.linked(UID, air)
        impostor.opens = True
        await under_way(impostor)
        asked = len(impostor.asked)
        await until(lambda: impostor.asked[asked:].count(cable.ASK) >= 3)

        assert cable.OPEN not in impostor.asked[asked:]
        assert bench.serving.holds(UID)
        assert not air.closed

    bench.run(claim)


async def under_way(impostor: CableBox) -> None:
    """An attempt that was begun already comes to its end."""
    asked = len(impostor.asked)
    await until(lambda: cable.ASK in impostor.asked[asked:])


class _Slow(CableBox):
    """It answers a new link only while it `opens`."""

    opens = True

    def _heed(self, kind: int, payload: bytes) -> None:
        if kind == cable.OPEN and not self.opens:
            self.asked.append(kind)
        else:
            super()._heed(kind, payload)


class _Shaking:
    """A link on which the box has not answered yet."""

    closed = False

    async def write(self, frame: bytes) -> None:
        """It is on its way."""

    async def close(self) -> None:
        self.closed = True
