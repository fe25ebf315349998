"""The loop between a desk's port and links that may stall, break, or come twice."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from dalej.clock import SystemClock
from dalej.errors import Unreachable
from dalej.link.serving import Serving

BOX = b"box001"
OTHER = b"box002"
DEADLINE_S = 30.0


class HandPort:
    """A port that the test plays: what it wants said and closed, and what it was told."""

    def __init__(self) -> None:
        self.log: list[tuple[str, bytes]] = []
        self.received: list[bytes] = []
        self.says: dict[bytes, list[bytes]] = defaultdict(list)
        self.leaves: set[bytes] = set()
        self.wanted: list[bytes] = []
        self.due_ms: int | None = None
        self.timers = 0
        self.heard: list[bytes] = []
        self.trusts: set[bytes] = set()

    def connected(self, uid: bytes, now_ms: int) -> None:
        self.log.append(("connected", uid))

    def disconnected(self, uid: bytes, now_ms: int) -> None:
        self.log.append(("disconnected", uid))

    def failed(self, uid: bytes, now_ms: int) -> None:
        self.log.append(("failed", uid))

    def proved(self, uid: bytes) -> bool:
        return uid in self.trusts

    def plugged(self, uid: bytes, now_ms: int) -> None:
        raise NotImplementedError

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        raise NotImplementedError

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        self.received.append(frame)

    def advertised(self, data: bytes, now_ms: int) -> bytes | None:
        self.heard.append(data)
        return BOX if data == b"mine" else None

    def to_connect(self, now_ms: int) -> list[bytes]:
        return [self.wanted.pop(0)] if self.wanted else []

    def waiting(self) -> list[bytes]:
        return [*self.says, *self.leaves]

    def frames(self, uid: bytes) -> list[bytes]:
        return self.says.pop(uid, [])

    def wants_to_leave(self, uid: bytes) -> bool:
        return uid in self.leaves

    def next_timer(self) -> int | None:
        return self.due_ms

    def handle_timer(self, now_ms: int) -> None:
        if self.due_ms is not None and now_ms >= self.due_ms:
            self.due_ms = None
            self.timers += 1


class HandCarrier:
    """A link that writes what it is given, unless it `breaks` or a write `stalls` until somebody lets go."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.breaks = False
        self.stalls = False
        self.closed = 0

    async def write(self, frame: bytes) -> None:
        if self.stalls:
            await asyncio.Event().wait()
        if self.breaks:
            raise Unreachable("gone")
        self.written.append(frame)

    async def close(self) -> None:
        self.closed += 1


class Setting:
    """A port and its loop."""

    def __init__(self, connect: Callable[[bytes], Awaitable[bool]] | None = None) -> None:
        self.port = HandPort()
        self.serving = Serving(self.port, SystemClock(), connect)

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not true():  # noqa: ASYNC110 (the loop under test is what goes on meanwhile)
                await asyncio.sleep(0.001)

    def link(self, uid: bytes = BOX) -> HandCarrier:
        carrier = HandCarrier()
        self.serving.linked(uid, carrier)
        return carrier

    def say(self, *frames: bytes, uid: bytes = BOX) -> None:
        self.port.says[uid] += frames
        self.serving.stir()


def _served(scenario: Callable[[Setting], Coroutine[Any, Any, None]], **options: Any) -> None:
    async def run() -> None:
        setting = Setting(**options)
        task = asyncio.create_task(setting.serving.run())
        try:
            await scenario(setting)
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    asyncio.run(run())


def test_frames_are_written_in_order_and_the_end_comes_after_them() -> None:
    async def scenario(setting: Setting) -> None:
        carrier = setting.link()
        setting.say(b"1", b"2")
        setting.say(b"3")
        setting.port.leaves.add(BOX)
        await setting.until(lambda: carrier.closed)
        assert carrier.written == [b"1", b"2", b"3"]
        assert setting.port.log == [("connected", BOX), ("disconnected", BOX)]

    _served(scenario)


def test_what_is_heard_goes_to_the_port_and_says_whose_it_is() -> None:
    async def scenario(setting: Setting) -> None:
        assert setting.serving.heard(b"mine") == BOX
        assert setting.serving.heard(b"foreign") is None
        assert setting.port.heard == [b"mine", b"foreign"]

    _served(scenario)


def test_what_comes_on_a_link_that_is_over_is_forgotten() -> None:
    async def scenario(setting: Setting) -> None:
        carrier = setting.link()
        setting.serving.received(BOX, carrier, b"first")
        setting.serving.lost(BOX, carrier)
        setting.serving.received(BOX, carrier, b"late")
        assert setting.port.received == [b"first"]

    _served(scenario)


def test_a_link_is_lost_once_whoever_says_so() -> None:
    async def scenario(setting: Setting) -> None:
        carrier = setting.link()
        setting.serving.lost(BOX, carrier)
        setting.serving.lost(BOX, carrier)
        await setting.until(lambda: carrier.closed)
        assert setting.port.log == [("connected", BOX), ("disconnected", BOX)]
        assert carrier.closed == 1

    _served(scenario)


def test_a_write_that_fails_ends_the_link() -> None:
    async def scenario(setting: Setting) -> None:
        carrier = setting.link()
        carrier.breaks = True
        setting.say(b"1", b"2")
        await setting.until(lambda: ("disconnected", BOX) in setting.port.log)
        assert carrier.closed == 1
        assert not carrier.written

    _served(scenario)


def test_a_lost_link_does_not_wait_for_a_write_that_stalls() -> None:
    async def scenario(setting: Setting) -> None:
        carrier = setting.link()
        carrier.stalls = True
        setting.say(b"1", b"2")
        await setting.until(lambda: not setting.port.says)
        await asyncio.sleep(0)
        setting.serving.lost(BOX, carrier)
        await setting.until(lambda: carrier.closed)
        assert not carrier.written

    _served(scenario)


def test_a_new_link_takes_the_place_of_the_old_one() -> None:
    async def scenario(setting: Setting) -> None:
        old = setting.link()
        new = setting.link()
        setting.serving.lost(BOX, old)
        setting.say(b"hello")
        await setting.until(lambda: old.closed and new.written)
        assert setting.port.log == [("connected", BOX), ("disconnected", BOX), ("connected", BOX)]
        assert not old.written
        assert not new.closed

    _served(scenario)


def test_one_link_that_stalls_does_not_hold_up_another() -> None:
    async def scenario(setting: Setting) -> None:
        slow, quick = setting.link(), setting.link(OTHER)
        slow.stalls = True
        setting.say(b"1")
        setting.say(b"2", uid=OTHER)
        await setting.until(lambda: quick.written)
        setting.serving.lost(BOX, slow)

    _served(scenario)


def test_nothing_is_written_after_the_end() -> None:
    async def scenario(setting: Setting) -> None:
        carrier = setting.link()
        setting.port.leaves.add(BOX)
        setting.say(b"bye")
        await setting.until(lambda: not setting.port.says)
        setting.say(b"too late")
        await setting.until(lambda: carrier.closed)
        assert carrier.written == [b"bye"]

    _served(scenario)


@pytest.mark.parametrize("gives_up", ["says no", "raises", "is not there"])
def test_a_connect_that_comes_to_nothing_is_told_and_is_not_asked_for_ever(gives_up: str) -> None:
    async def connect(uid: bytes) -> bool:
        if gives_up == "raises":
            raise Unreachable("nobody there")
        return False

    async def scenario(setting: Setting) -> None:
        setting.port.wanted.append(BOX)
        setting.serving.stir()
        await setting.until(lambda: setting.port.log)
        assert setting.port.log == [("failed", BOX)]

    _served(scenario, connect=None if gives_up == "is not there" else connect)


def test_a_connect_that_is_under_way_does_not_hold_up_a_link() -> None:
    async def connect(_: bytes) -> bool:
        await asyncio.Event().wait()
        return True

    async def scenario(setting: Setting) -> None:
        setting.port.wanted.append(OTHER)
        carrier = setting.link()
        setting.say(b"1")
        await setting.until(lambda: carrier.written)

    _served(scenario, connect=connect)


def test_the_timer_is_handled_when_it_is_due() -> None:
    async def scenario(setting: Setting) -> None:
        due_ms = setting.port.due_ms = SystemClock().now_ms() + 20
        setting.serving.stir()
        await setting.until(lambda: setting.port.timers)
        assert SystemClock().now_ms() >= due_ms

    _served(scenario)


def test_when_the_loop_ends_what_was_to_be_said_is_said_and_all_links_end() -> None:
    async def run() -> None:
        setting = Setting()
        task = asyncio.create_task(setting.serving.run())
        links = [setting.link(), setting.link(OTHER)]
        await asyncio.sleep(0)
        for uid in (BOX, OTHER):
            setting.say(b"bye", uid=uid)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert [carrier.written for carrier in links] == [[b"bye"], [b"bye"]]
        assert [carrier.closed for carrier in links] == [1, 1]
        assert setting.port.log[2:] == [("disconnected", BOX), ("disconnected", OTHER)]

    asyncio.run(run())
