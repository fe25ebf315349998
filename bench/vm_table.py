"""A table that plays inside MicroPython's virtual machine: a Box, a desk's end of one link, a flash, and their pump.

Runs on MicroPython, so it is written in the firmware's dialect.
"""

import os

from moveclock import facts as k
from moveclock import secure, wire
from moveclock.box import Box
from moveclock.debounce import WINDOW_MS
from moveclock.peer import PACE_MS
from moveclock.segments import Flash
from moveclock.settings import PLAY_ON, Settings
from moveclock.upkeep import Board

UID = b"\x02bench"
SECRET = bytes(32)
LINK = 1
MTU = 247
GAME = 200  # moves
TAP_MS = 100
TIDY_MS = 50
TIDIES = 60  # between two pings


class FileFlash(Flash):
    """The journal's port on the machine's own files: as with a board's, their content lies outside the heap."""

    def names(self, folder: str) -> list[str]:
        try:
            return os.listdir(folder)
        except OSError:
            return []

    def read(self, path: str) -> bytes | None:
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError:
            return None

    def write(self, path: str, data: bytes) -> None:
        with open(path, "wb") as file:
            file.write(data)

    def append(self, path: str, data: bytes) -> None:
        with open(path, "ab") as file:
            file.write(data)

    def remove(self, path: str) -> None:
        os.remove(path)

    def make(self, folder: str) -> None:
        try:
            os.mkdir(folder)
        except OSError:
            pass

    def remove_folder(self, folder: str) -> None:
        os.rmdir(folder)


class NoFlash(Flash):
    """Takes everything, keeps nothing, costs nothing."""

    def names(self, folder: str) -> list[str]:
        return []

    def read(self, path: str) -> bytes | None:
        return None

    def write(self, path: str, data: bytes) -> None:
        pass

    def append(self, path: str, data: bytes) -> None:
        pass

    def remove(self, path: str) -> None:
        pass

    def make(self, folder: str) -> None:
        pass

    def remove_folder(self, folder: str) -> None:
        pass


class KeepingBoard(Board):
    """Memory that is kept, and no randomness at all."""

    def __init__(self) -> None:
        self.kept = b""

    def load(self) -> bytes:
        return self.kept

    def save(self, data: bytes) -> None:
        self.kept = data

    def random(self, count: int) -> bytes:
        return bytes(count)


class Meter:
    """Counts something, as `gc.mem_alloc` and `time.ticks_us` do; this one nothing."""

    def __call__(self) -> int:
        return 0


class Nothing:
    """The baseline of all that is called."""

    def call(self, contact: int, down: bool, raw: int) -> None:
        pass


class Desk:
    """The desk's end of the link, as small as it can be: trusts the box, pings, acknowledges what comes."""

    def __init__(self) -> None:
        self._epoch = b""
        self._ours = secure.Seal(SECRET)
        self._theirs = secure.Seal(SECRET)

    def meet(self, box: Box, raw: int) -> None:
        """Connect, greet and prove."""
        hello = wire.pack_hello(bytes(16), 1, 0, 0, "bench")
        box.opened(LINK, MTU, raw)
        box.receive(LINK, hello, raw)
        welcome = box.send(LINK, raw) or b""
        tag = secure.handshake_tag(SECRET, secure.DESK, hello + welcome)
        box.receive(LINK, bytes([wire.AUTH]) + tag, raw)
        box.work(raw)
        if box.send(LINK, raw) is None:
            raise wire.WireError("the box does not trust this desk")
        fields = wire.unpack_welcome(welcome)
        keys = secure.session_keys(SECRET, UID, fields[2], bytes(16), fields[7])
        self._epoch = fields[2].to_bytes(4, "little")
        self._ours, self._theirs = secure.Seal(keys[0]), secure.Seal(keys[1])

    def ping(self) -> bytes:
        return self._sealed(bytes([wire.PING]) + bytes(4))

    def answer(self, frame: bytes) -> bytes | None:
        """The acknowledgement of a frame with records; None for any other."""
        body = self._theirs.open(frame[1:])
        if body[0] != wire.RECORDS:
            return None
        seq = wire.unpack_record(body[-wire.RECORD_SIZE :])[0]
        return self._sealed(bytes([wire.ACK]) + self._epoch + seq.to_bytes(4, "little"))

    def _sealed(self, body: bytes) -> bytes:
        return bytes([wire.SEALED]) + self._ours.seal(body)


class Table:
    """A box with one game after the other on it. What `meter` counts while the desk works is added to `aside`."""

    def __init__(self, flash: Flash, board: Board, desk: Desk) -> None:
        self.raw = 0
        self.desk = desk
        self.linked = False
        self.meter = Meter()
        self.aside = 0
        self._played = 0
        self.box = Box(UID, SECRET, flash, board, 0)
        settings = Settings()
        settings.first = k.SEAT_A
        settings.on_bank_empty = PLAY_ON
        self.box.clock.settings = settings
        self.box.clock.prepare(0, 1, k.SEAT_A, k.DESK)

    def connect(self) -> None:
        """From now on the desk listens and acknowledges."""
        self.desk.meet(self.box, self.raw)
        self.linked = True

    def play(self, moves: int) -> None:
        """So many moves, every fourth of them long, and new games as old ones end. 200 moves are a game."""
        for _ in range(moves):
            clock = self.box.clock
            if clock.state == k.READY:
                self.click(2 * clock.starter)
            self.raw += 1000
            if self._played & 3 == 0:
                self.wait()
            self._played += 1
            if self._played % GAME == 0:
                self._end()
            elif self._played & 1:
                self.click(2 * clock.seat)
            else:
                self.click(k.KOSTKA)
                self.click(2 * clock.seat + 1)

    def measured(self, meter: Meter, what: str, count: int) -> int:
        """What `meter` counts while one of the next methods does its work `count` times, less the desk's part in it."""
        self.meter, self.aside = meter, 0
        work = getattr(self, what)
        before = meter()
        work(count)
        return meter() - before - self.aside

    def calls(self, count: int) -> None:
        """So many calls of a method that does nothing."""
        nothing, raw = Nothing(), self.raw
        for _ in range(count):
            nothing.call(k.SEDZIA, False, raw)

    def edges(self, count: int) -> None:
        """So many edges, all of them a tap's bounce."""
        box, raw = self.box, self.raw
        box.edge(k.KOSTKA, True, raw)
        for _ in range(count):
            box.edge(k.KOSTKA, False, raw)

    def digests(self, count: int) -> None:
        """So many times the three HMACs of a press: its two facts, their acknowledgement, the state."""
        mac, head = secure.Mac(SECRET), bytes(4)
        facts, seen, state = bytes(1 + 2 * wire.RECORD_SIZE), bytes(9), bytes(35)
        for _ in range(count):
            mac.digest(head, facts)
            mac.digest(head, seen)
            mac.digest(head, state)

    def turns(self, count: int) -> None:
        """So many turns of the pump, 10 ms apart, in which nothing happens but time."""
        for _ in range(count):
            self.turn(10)

    def clicks(self, count: int) -> None:
        """So many moves, each ended by Ju\u017c a second after it began, without anything in between."""
        for _ in range(count):
            self.raw += 1000
            self.click(2 * self.box.clock.seat)

    def click(self, contact: int) -> None:
        """A tap, and the turns of the pump that it causes: pressed, released, decided and told, state told."""
        self.box.edge(contact, True, self.raw)
        self.turn(0)
        self.raw += TAP_MS
        self.box.edge(contact, False, self.raw)
        self.turn(0)
        self.turn(WINDOW_MS)
        self.turn(PACE_MS)

    def wait(self) -> None:
        """Twelve seconds in which the desk pings and the box writes checkpoints."""
        for _ in range(3):
            if self.linked:
                self.box.receive(LINK, self.desk.ping(), self.raw)
            self.turn(4000)

    def turn(self, later: int) -> None:
        """One turn of the pump, `later` ms from now, with whatever the desk says to it."""
        box = self.box
        self.raw += later
        raw = self.raw
        box.tick(raw)
        box.work(raw)
        if self.linked:
            frame = box.send(LINK, raw)
            while frame is not None:
                before = self.meter()
                reply = self.desk.answer(frame)
                self.aside += self.meter() - before
                if reply is not None:
                    box.receive(LINK, reply, raw)
                frame = box.send(LINK, raw)
        box.to_close(raw)
        box.wake_at()
        box.sounds.clear()

    def _end(self) -> None:
        """The empty rack is shown, the box tidies up, the table makes ready for the next game."""
        self._hold(2 * self.box.clock.seat, 1200)
        box = self.box
        while box.wake_at() <= box.uptime.now + TIDY_MS:
            self.wait()
            for _ in range(TIDIES):
                self.turn(TIDY_MS)
        self.wait()
        self._hold(k.SEDZIA, 2200)

    def _hold(self, contact: int, ms: int) -> None:
        self.box.edge(contact, True, self.raw)
        self.turn(ms)
        self.box.edge(contact, False, self.raw)
        self.turn(WINDOW_MS)
        self.turn(PACE_MS)
