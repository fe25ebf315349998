"""The live desk's end of the feed: tells screens what it hears now, takes their wishes, waits for none of them. A
simulated hall plays along with what a screen wishes, a real one refuses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, Protocol

from dalej.clock import Clock
from dalej.desk.feed import address
from dalej.desk.feed.address import Address
from dalej.desk.feed.loopback import HOST, OPEN_WITHIN_S, TOKEN_BYTES, Loopback, is_token, refusal
from dalej.desk.feed.messages import (
    PROTOCOL,
    Face,
    Finger,
    Look,
    NoticeTold,
    Power,
    Pulse,
    Reach,
    Speed,
    TableHeard,
    Take,
    Tap,
    ToScreen,
    Welcome,
    from_screen,
    line_of,
    plain,
    written,
)
from dalej.desk.notices import TURNED_AWAY, Notice
from dalej.domain.game.heard import Heard
from dalej.errors import DalejError, Refused
from dalej.words import N_

Wish = Take | Finger | Tap | Reach | Power | Speed


class Control(Protocol):
    """`screen` is the number of the screen that asks. Refused, in words, what is not granted.

    `speed`: how many of the desk's ms pass in one of ours; `simulated`: the boxes can be played from a screen.
    """

    @property
    def simulated(self) -> bool: ...

    @property
    def speed(self) -> float: ...

    def wish(self, screen: int, wish: Wish) -> None: ...

    def face(self, screen: int, table: int) -> Face:
        """The box of that table as it looks now; asked again and again while somebody looks."""

    def gone(self, screen: int) -> None:
        """The screen is no longer there: what it held is given back."""


class RealBoxes:
    """Nobody plays a real box from a screen."""

    simulated = False
    speed = 1.0

    def wish(self, screen: int, wish: Wish) -> None:  # noqa: ARG002 -- the same answer whoever wishes what
        raise Refused(N_("the boxes of this hall are real: they are played at their tables"))

    def face(self, screen: int, table: int) -> Face:  # noqa: ARG002 -- no real box has a drawing, for whichever screen
        raise Refused(N_("the box of this table is a real one: it is not drawn here, what it reports is shown"))

    def gone(self, screen: int) -> None:
        """It held nothing."""


SCREENS_MOST: Final = 32
TELL_EVERY_MS: Final = 100
PULSE_EVERY: Final = 10  # of these: every second
BEHIND_MOST: Final = 2 * 1024 * 1024  # bytes that wait for one screen: a whole hall of 1000 tables, several times
NOTICES_MOST: Final = 20


class Desk(Protocol):
    """What the server asks of a desk."""

    @property
    def version(self) -> int:
        """Grows with every change of what `heard_since` tells."""

    def heard_since(self, version: int) -> list[Heard]:
        """The boxes whose state has changed after that version, 0: all of them."""

    @property
    def notices(self) -> Sequence[Notice]: ...


@dataclass(eq=False, slots=True)
class _Screen:
    number: int
    writer: asyncio.StreamWriter
    looks_at: int = 0
    face: Face | None = None


@dataclass(eq=False, slots=True)
class _Told:
    """What every screen has been told up to now."""

    version: int = 0
    cursor: int = 0
    speed: float = 1.0
    ticks: int = 0
    notice: Notice | None = None


class Server:
    """`clock`: the desk's; `name`: for people; `head()`: the ledger's; `random(n)`: that many unpredictable bytes."""

    def __init__(
        self,
        desk: Desk,
        control: Control,
        clock: Clock,
        *,
        name: str,
        event: Path,
        head: Callable[[], int],
        random: Callable[[int], bytes],
        open_within_s: float = OPEN_WITHIN_S,
    ) -> None:
        self._desk = desk
        self._control = control
        self._clock = clock
        self._name = written(name)
        self._event = event
        self._head = head
        self._token = random(TOKEN_BYTES).hex()
        self._address: Address | None = None
        self._loopback: Loopback[_Screen, Look | Wish] = Loopback(
            from_screen, self._welcome, self._heed, self._gone, open_within_s=open_within_s
        )
        self._ticking: asyncio.Task[None] | None = None
        self._screens: dict[int, _Screen] = {}
        self._numbers = count(1)
        self._told = _Told()

    async def open(self) -> Address:
        """Listen, and say where in the file beside the event; Unreachable if that cannot be."""
        self._address = Address(HOST, await self._loopback.open(), self._token)
        try:
            address.publish(self._event, self._address)
        except BaseException:
            await self.close()
            raise
        self._ticking = asyncio.create_task(self._tick())
        return self._address

    async def until_closed(self) -> None:
        """Wait until it is closed; raises whatever has kept it from telling screens what changes."""
        if self._ticking is not None:
            await asyncio.wait((self._ticking,))
            if not self._ticking.cancelled():
                self._ticking.result()

    async def close(self) -> None:
        """Hang up on everybody and take the file away."""
        if self._address is not None:
            address.withdraw(self._event, self._address)
        if self._ticking is not None:
            self._ticking.cancel()
            await asyncio.wait((self._ticking,))
        await self._loopback.close()

    # --- who comes, what they wish -----

    def _welcome(self, token: str, writer: asyncio.StreamWriter) -> _Screen:
        """A screen that shows the token is told everything."""
        if not is_token(token, self._token):
            raise Refused(N_("the desk does not know this screen: the token is not the one in its file"))
        if len(self._screens) >= SCREENS_MOST:
            raise Refused(N_("{most} screens are open already, the desk serves no more"), most=SCREENS_MOST)
        self._tell()  # what is told everybody next must be new to this screen too
        screen = _Screen(next(self._numbers), writer)
        self._screens[screen.number] = screen
        said: list[ToScreen] = [Welcome(PROTOCOL, self._name, self._control.simulated), self._pulse()]
        heard, notices = self._desk.heard_since(0), self._desk.notices
        said += [TableHeard(one) for one in heard]
        said += [_notice_told(notice) for notice in _still_refused(heard, notices[:-NOTICES_MOST])]
        said += [_notice_told(notice) for notice in notices[-NOTICES_MOST:]]
        self._write(writer, b"".join(line_of(message) for message in said))
        return screen

    async def _heed(self, screen: _Screen, said: Look | Wish) -> None:
        """Grant a wish, or say why not; what it did is shown at once."""
        try:
            if isinstance(said, Look):
                screen.looks_at, screen.face = said.table, None
            else:
                self._control.wish(screen.number, said)
            self._show_face(screen)
        except DalejError as error:
            self._say_to(screen.writer, refusal(error))

    def _gone(self, screen: _Screen) -> None:
        del self._screens[screen.number]
        self._control.gone(screen.number)

    # --- what they are told -----

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TELL_EVERY_MS / 1000)
            self._tell()

    def _tell(self) -> None:
        """Tell every screen what has changed since the last time."""
        told, desk = self._told, self._desk
        told.ticks += 1
        messages: list[ToScreen] = []
        pulse = self._pulse()
        if told.ticks % PULSE_EVERY == 0 or (pulse.cursor, pulse.speed) != (told.cursor, told.speed):
            told.cursor, told.speed = pulse.cursor, pulse.speed
            messages.append(pulse)
        messages += [TableHeard(heard) for heard in desk.heard_since(told.version)]
        told.version = desk.version
        messages += [_notice_told(notice) for notice in self._new_notices()]
        lines = b"".join(line_of(message) for message in messages) if self._screens else b""
        for screen in list(self._screens.values()):
            self._write(screen.writer, lines)
            if screen.looks_at:
                with suppress(DalejError):
                    self._show_face(screen)

    def _pulse(self) -> Pulse:
        cursor = self._told.cursor
        with suppress(DalejError):  # a ledger that cannot be read now is the desk's trouble, and told by it
            cursor = self._head()
        return Pulse(self._clock.now_ms(), self._clock.wall_ms(), self._control.speed, cursor)

    def _new_notices(self) -> list[Notice]:
        new: list[Notice] = []
        for notice in reversed(self._desk.notices):
            if notice is self._told.notice or len(new) == NOTICES_MOST:
                break
            new.append(notice)
        if new:
            self._told.notice = new[0]
        return new[::-1]

    def _show_face(self, screen: _Screen) -> None:
        """The box that is looked at, if it looks different now."""
        if screen.looks_at:
            face = self._control.face(screen.number, screen.looks_at)
            if face != screen.face:
                screen.face = face
                self._say_to(screen.writer, face)

    def _say_to(self, writer: asyncio.StreamWriter, message: ToScreen) -> None:
        self._write(writer, line_of(message))

    def _write(self, writer: asyncio.StreamWriter, lines: bytes) -> None:
        """Never waits: who lets so much pile up is not reading."""
        if writer.transport.get_write_buffer_size() > BEHIND_MOST:
            writer.transport.abort()
        elif lines and not writer.is_closing():
            writer.write(lines)


def _still_refused(heard: Sequence[Heard], notices: Sequence[Notice]) -> list[Notice]:
    """Of each box of which nothing genuine ever came, why it refuses the desk: the last that was said of that."""
    unheard = {one.box for one in heard if one.seen_ms is None}
    last = {one.box: one for one in notices if one.kind == TURNED_AWAY and one.box in unheard}
    return list(last.values())


def _notice_told(notice: Notice) -> NoticeTold:
    return NoticeTold(notice.kind, notice.box, written(notice.template), plain(notice.data))
