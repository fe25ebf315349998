"""The desk's end of a cable: every question ends, nothing of what the wire carries breaks it, no frame is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.clock import SystemClock
from dalej.errors import Refused, Unreachable
from dalej.link.cable import BoxInfo, BoxTold, CableEnd, Done, FrameCame, LinkClosed, LinkOpened, NoAnswer, read_info
from dalej.link.plug import Plug
from moveclock import cable
from moveclock.wire import WireError
from tests.link.cablebox import ROM, CableBox, MemoryWire
from tests.link.rig import SECRET, UID

INFO = bytes([1]) + UID + bytes([1, 1, 100])
TOLD = cable.pack(cable.TOLD, cable.pack_told(cable.Told(INFO, True, False, b"abcd", 7)))
T = TypeVar("T")


def run(do: Callable[[], Awaitable[T]]) -> T:
    async def within() -> T:
        async with asyncio.timeout(20):
            return await do()

    return asyncio.run(within())


# --- without I/O -----


def test_a_box_tells_what_it_is() -> None:
    end = CableEnd()
    end.ask(0)

    assert end.written() == cable.pack(cable.ASK)
    end.receive(ROM + TOLD)

    assert list(end.events) == [BoxTold(BoxInfo(1, UID, 1, True, False, 100), True, False, b"abcd", 7)]
    assert end.next_timer() is None
    assert end.refused == 1  # what the ROM said


def test_a_board_that_starts_is_asked_every_second_and_given_up_after_five() -> None:
    end = CableEnd()
    end.ask(100)
    asked = [100]
    end.written()

    while (due := end.next_timer()) is not None:
        end.handle_timer(due)
        if end.written():
            asked.append(due)

    assert asked == [100, 1_100, 2_100, 3_100, 4_100]
    assert list(end.events) == [NoAnswer(cable.ASK)]


def test_a_secret_is_sent_once_however_long_the_answer_takes() -> None:
    end = CableEnd()
    end.pair(UID, SECRET, 0)
    packet = end.written()

    end.handle_timer(4_999)
    assert end.written() == b""
    assert packet == cable.pack(cable.PAIR, UID + SECRET)
    end.receive(cable.pack(cable.DONE, bytes([cable.PAIR, cable.OK])))

    assert list(end.events) == [Done(cable.PAIR, cable.OK)]


def test_an_answer_that_nobody_waits_for_is_forgotten() -> None:
    end = CableEnd()
    end.receive(TOLD + cable.pack(cable.OPENED) + cable.pack(cable.DONE, bytes([cable.PAIR, 0])))
    end.receive(cable.pack(cable.FRAME, b"early") + cable.pack(cable.CLOSED))

    assert not end.events
    assert not end.linked
    assert end.refused == 0


def test_frames_go_both_ways_only_while_the_link_is_open() -> None:
    end = CableEnd()
    end.send(b"too early")
    end.open(0)
    assert end.written() == cable.pack(cable.OPEN)
    end.receive(cable.pack(cable.OPENED) + cable.pack(cable.FRAME, b"\0hello\0"))
    end.send(b"\0\1")
    assert end.written() == cable.pack(cable.FRAME, b"\0\1")
    end.receive(cable.pack(cable.CLOSED) + cable.pack(cable.FRAME, b"late"))
    end.send(b"too late")

    assert list(end.events) == [LinkOpened(), FrameCame(b"\0hello\0"), LinkClosed()]
    assert end.written() == b""


def test_a_second_answer_to_one_opening_does_not_open_twice() -> None:
    end = CableEnd()
    end.open(0)
    end.handle_timer(1_000)
    end.receive(cable.pack(cable.OPENED) * 2)

    assert list(end.events) == [LinkOpened()]


def test_leaving_is_said_once() -> None:
    end = CableEnd()
    end.open(0)
    end.receive(cable.pack(cable.OPENED))
    end.written()
    end.close()
    end.close()

    assert end.written() == cable.pack(cable.CLOSE)


@pytest.mark.parametrize("size", range(10))
def test_half_of_an_info_is_none(size: int) -> None:
    with pytest.raises(WireError, match=f"in {size} bytes"):
        read_info(INFO[:size])


def test_what_a_newer_box_adds_to_its_info_is_left_unread() -> None:
    assert read_info(INFO + b"more").uid == UID


CHUNKS = st.lists(st.one_of(
    st.binary(max_size=400), st.just(ROM), st.just(TOLD), st.just(cable.pack(cable.OPENED)),
    st.just(cable.pack(cable.CLOSED)),
    st.tuples(st.integers(0, 255), st.binary(max_size=250)).map(lambda one: cable.pack(*one)),
))  # fmt: skip


@given(CHUNKS, st.integers(1, 64))
def test_whatever_the_wire_carries_every_question_ends(chunks: list[bytes], step: int) -> None:
    data = b"".join(chunks)
    end = CableEnd()
    now_ms = 0
    for ask in (end.ask, end.open, end.restart):
        ask(now_ms)
        for start in range(0, len(data), step):
            end.receive(data[start : start + step])
        while (due := end.next_timer()) is not None:
            now_ms = due
            end.handle_timer(now_ms)
        end.written()

    assert end.next_timer() is None


@given(st.lists(st.tuples(st.binary(max_size=244), st.binary(max_size=300)), max_size=8), st.integers(1, 97))
def test_no_frame_is_lost_whatever_lies_between(parts: list[tuple[bytes, bytes]], step: int) -> None:
    end = CableEnd()
    end.open(0)
    end.receive(cable.pack(cable.OPENED))
    data = b"".join(noise + cable.pack(cable.FRAME, frame) for frame, noise in parts)

    for start in range(0, len(data), step):
        end.receive(data[start : start + step])

    assert list(end.events) == [LinkOpened(), *(FrameCame(frame) for frame, _ in parts)]


# --- in a loop -----


def at(box: CableBox, do: Callable[[Plug, MemoryWire], Awaitable[T]]) -> T:
    async def plugged() -> T:
        to_box = MemoryWire(box)
        async with Plug(to_box, "COM3", SystemClock()) as plug:
            return await do(plug, to_box)

    return run(plugged)


def test_the_port_is_let_go_of_at_the_end() -> None:
    async def who(plug: Plug, to_box: MemoryWire) -> MemoryWire:
        assert (await plug.who()).info.uid == UID
        return to_box

    assert at(CableBox(), who).closed


def test_a_secret_goes_to_a_box_in_setup_mode_alone() -> None:
    async def pair(plug: Plug, _: MemoryWire) -> None:
        await plug.pair(UID, SECRET)

    waiting = CableBox(secret=b"", setup=True)
    at(waiting, pair)
    assert waiting.secret == SECRET
    with pytest.raises(Refused, match="the box at COM3 is not in set-up mode: unplug it, then hold Już"):
        at(CableBox(), pair)


def test_a_board_of_another_uid_takes_no_secret() -> None:
    async def pair(plug: Plug, _: MemoryWire) -> None:
        await plug.pair(bytes(6), SECRET)

    with pytest.raises(Refused, match="there is another box at"):
        at(CableBox(secret=b"", setup=True), pair)


def test_a_box_goes_to_the_prompt_and_back() -> None:
    box = CableBox(secret=b"", setup=True)

    async def there(plug: Plug, _: MemoryWire) -> None:
        await plug.to_python()
        await plug.restart()

    at(box, there)

    assert (box.at_python, box.setup) == (True, False)


def test_a_pulled_cable_ends_the_question_at_once() -> None:
    async def ask(plug: Plug, to_box: MemoryWire) -> None:
        to_box.box.deaf = True
        asking = asyncio.ensure_future(plug.who())
        await asyncio.sleep(0)
        to_box.pull()
        await asking

    with pytest.raises(Unreachable, match="COM3 is gone: plug the cable in again"):
        at(CableBox(), ask)


def test_a_pulled_cable_ends_the_link() -> None:
    async def pull(plug: Plug, to_box: MemoryWire) -> None:
        await plug.who()
        await plug.open()
        to_box.pull()
        assert await plug.frames.get() is None
        assert plug.gone
        await plug.write(b"frame")

    with pytest.raises(Unreachable, match="has ended the link"):
        at(CableBox(), pull)
