"""A port that is open, in an asyncio loop: `dalej.link.cable.CableEnd` between bytes and whoever waits for answers.

Where the bytes come from is `dalej.link.usb`'s affair, or a test's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final, Protocol, Self

from dalej.clock import Clock
from dalej.errors import Refused, Unreachable
from dalej.link.cable import BoxTold, CableEnd, Done, Event, FrameCame, LinkClosed, LinkOpened, NoAnswer
from dalej.link.serving import Serving
from dalej.words import N_
from moveclock import cable

AGAIN_S: Final = 1.0  # before a link that the box has ended is begun anew,
AGAIN_MOST_S: Final = 8.0  # later and later while nobody on it proves to be the box

# MicroPython keeps 259 bytes that came in, and a flash erase lets nobody read for 80 ms: more would be lost on the way.
BURST: Final = 120  # bytes at once,
PER_2_MS: Final = 3  # and in the long run

NOTHING_ANSWERS: Final = N_("nothing at {port} answers as a box does: check the cable, or install the firmware")

_WAKE: Final = b"\r\x03\x03\r"  # MicroPython ends what runs, and begins a line

_RESULTS: Final = {
    cable.NOT_IN_SETUP: N_(
        "the box at {port} is not in set-up mode: unplug it, then hold Już and Dalej "
        "(of seat A, if each seat has its own) while you "
        "plug it in, and try again"
    ),
    cable.OTHER_UID: N_("there is another box at {port} than a moment ago: plug in the one you mean and try again"),
    cable.NOT_WRITTEN: N_("the box at {port} could not write its new secret to its flash: install its firmware anew"),
    cable.UNKNOWN: N_("the firmware of the box at {port} does not know what it was asked: install its firmware anew"),
}


class Wire(Protocol):
    """A serial port, or what stands for one."""

    async def read(self) -> bytes:
        """What has come, at least one byte; empty: the port is gone."""

    async def write(self, data: bytes) -> None:
        """Unreachable if the port is gone or takes nothing."""

    async def close(self) -> None:
        """Let go of the port; nothing is raised."""


class Pace:
    """How fast a box is written to: `BURST` bytes at once, `PER_2_MS` every two milliseconds in the long run."""

    def __init__(self, now_ms: int) -> None:
        self._room = 2 * BURST  # in half bytes
        self._at_ms = now_ms

    def wait_ms(self, size: int, now_ms: int) -> int:
        """How long so many bytes, `BURST` at most, must wait; they count as written then."""
        self._room = min(2 * BURST, self._room + PER_2_MS * max(0, now_ms - self._at_ms)) - 2 * size
        self._at_ms = now_ms
        return -(min(0, self._room) // PER_2_MS)


Waits = Callable[[Unreachable, int], bool]  # why nobody has answered since then; whether to ask on


class Plug:
    """One port. A `Carrier` of `dalej.link.serving` while a link is open; `frames` gives what the box says on it, and
    None when that link is over. `async with` closes the port at the end.
    """

    def __init__(self, wire: Wire, port: str, clock: Clock) -> None:
        self.port = port
        self.frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._wire = wire
        self._clock = clock
        self._end = CableEnd()
        self._answer: asyncio.Future[Event] | None = None
        self._pace = Pace(clock.now_ms())
        self._gone = False
        self._heard = asyncio.Event()
        self._writing = asyncio.Lock()
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        await self._wire.close()

    @property
    def gone(self) -> bool:
        """Whether the port has vanished."""
        return self._gone

    @property
    def refused(self) -> int:
        """How much came in that was no packet of a box."""
        return self._end.refused

    @property
    def heard(self) -> bool:
        """Whether anything at all has come in, of a box or not."""
        return self._heard.is_set()

    async def rouse(self, within_s: float) -> bool:
        """Whether anything comes in, also when the board is told as MicroPython is to stop what it does. A board that
        has power, runs and is no box says something then; one in its ROM loader says nothing.
        """
        if not self.heard:
            async with self._writing:
                await self._wire.write(_WAKE)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._heard.wait(), within_s)
        return self.heard

    # --- what a box is asked -----

    async def who(self) -> BoxTold:
        """What the box tells of itself; Unreachable if nothing at the port answers as a box does."""
        told = await self._ask(self._end.ask)
        assert isinstance(told, BoxTold)
        return told

    async def who_starts(self, waits: Waits) -> BoxTold:
        """As `who`, of a box that may be starting: asked on at the open port, since to open it anew could start the box
        anew, for as long as `waits` says so.
        """
        since_ms = self._clock.now_ms()
        while True:
            try:
                return await self.who()
            except Unreachable as why:
                if self._gone or not waits(why, since_ms):
                    raise

    async def open(self) -> None:
        """Begin a link; what came on an earlier one is forgotten."""
        await self._ask(self._end.open)

    async def pair(self, uid: bytes, secret: bytes) -> None:
        """Give the box its secret; Refused, and what to do, if it does not take it."""
        await self._order(lambda now_ms: self._end.pair(uid, secret, now_ms))

    async def to_python(self) -> None:
        """Bring the box to MicroPython's prompt; Refused, and what to do, if it does not go there."""
        await self._order(self._end.to_python)

    async def restart(self) -> None:
        """Have the box start as at power-on."""
        await self._order(self._end.restart)

    # --- the link -----

    async def write(self, frame: bytes) -> None:
        """A frame of the link."""
        if not self._end.linked or self._gone:
            raise Unreachable(N_("the box at {port} has ended the link over the cable"), port=self.port)
        self._end.send(frame)
        await self._flush()

    async def close(self) -> None:
        """Leave the link; the port stays open."""
        if self._end.linked:
            self._end.close()
            with suppress(Unreachable):  # the port is gone, and the link with it
                await self._flush()
            self.frames.put_nowait(None)

    # --- bytes -----

    async def _order(self, say: Callable[[int], None]) -> None:
        done = await self._ask(say)
        assert isinstance(done, Done)
        if done.result != cable.OK:
            raise Refused(_RESULTS.get(done.result, _RESULTS[cable.UNKNOWN]), port=self.port)

    async def _ask(self, say: Callable[[int], None]) -> Event:
        self._expect_there()
        answer: asyncio.Future[Event] = asyncio.get_running_loop().create_future()
        self._answer = answer
        say(self._clock.now_ms())
        try:
            await self._flush()
            while not answer.done():
                due_ms = self._end.next_timer()
                wait_s = None if due_ms is None else max(0, due_ms - self._clock.now_ms()) / 1000
                await asyncio.wait((answer,), timeout=wait_s)
                self._end.handle_timer(self._clock.now_ms())
                self._hand_on()
                await self._flush()
        finally:
            self._answer = None
        self._expect_there()
        event = answer.result()
        if isinstance(event, NoAnswer):
            raise Unreachable(NOTHING_ANSWERS, port=self.port)
        return event

    async def _flush(self) -> None:
        async with self._writing:
            data = self._end.written()
            for start in range(0, len(data), BURST):
                part = data[start : start + BURST]
                wait_ms = self._pace.wait_ms(len(part), self._clock.now_ms())
                if wait_ms:
                    await asyncio.sleep(wait_ms / 1000)
                await self._wire.write(part)

    async def _listen(self) -> None:
        while data := await self._wire.read():
            self._heard.set()
            self._end.receive(data)
            self._hand_on()
        self._gone = True
        self._end.linked = False
        self.frames.put_nowait(None)
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(NoAnswer(cable.ASK))

    def _hand_on(self) -> None:
        while self._end.events:
            event = self._end.events.popleft()
            match event:
                case FrameCame(frame):
                    self.frames.put_nowait(frame)
                case LinkClosed():
                    self.frames.put_nowait(None)
                case _:
                    if isinstance(event, LinkOpened):
                        self.frames = asyncio.Queue()
                    if self._answer is not None and not self._answer.done():
                        self._answer.set_result(event)

    def _expect_there(self) -> None:
        if self._gone:
            raise Unreachable(N_("{port} is gone: plug the cable in again"), port=self.port)


async def carry(
    serving: Serving,
    plug: Plug,
    uid: bytes,
    again_s: float = AGAIN_S,
    doubts: Callable[[bool], None] = lambda _: None,
    waits: Waits = lambda _why, _since_ms: False,
) -> None:
    """Links to the box at this port, one after the other, for as long as it is there.

    Unreachable when the port is gone or the box does not answer any more, although `waits` gave it time to start anew
    (see `Plug.who_starts`); ends when another box does. A cable may say any uid: while nobody on it has proved to be
    the box, it does not take the place of any other link, be it one on which the box is only about to prove itself.
    `doubts(True)` is called after a link on which nobody has, `doubts(False)` before the next one.
    """
    wait_s = again_s
    proved = True
    while True:
        if proved or not serving.holds(uid):
            if not proved:
                doubts(False)
            try:
                proved = await _carry_one(serving, plug, uid, yields=not proved)
            except Unreachable:
                if plug.gone:
                    raise
            if not proved:
                doubts(True)
            wait_s = again_s if proved else min(2 * wait_s, AGAIN_MOST_S)
        if not plug.gone:
            await asyncio.sleep(wait_s)
        if (await plug.who_starts(waits)).info.uid != uid:
            return


async def _carry_one(serving: Serving, plug: Plug, uid: bytes, *, yields: bool) -> bool:
    """One link until it is over, none if it `yields` to one that came up meanwhile; whether the box proved itself."""
    await plug.open()
    if yields and serving.holds(uid):
        await plug.close()
        return False
    carrier = _OneLink(plug)
    serving.linked(uid, carrier)
    proved = False
    try:
        while (frame := await plug.frames.get()) is not None:
            proved = serving.received(uid, carrier, frame) or proved
    finally:
        carrier.over = True
        serving.lost(uid, carrier)
    return proved


class _OneLink:
    """One link of a plug; when it is `over`, it does not touch the next one."""

    def __init__(self, plug: Plug) -> None:
        self.over = False
        self._plug = plug

    async def write(self, frame: bytes) -> None:
        if not self.over:
            await self._plug.write(frame)

    async def close(self) -> None:
        if not self.over:
            self.over = True
            await self._plug.close()
