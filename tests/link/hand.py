"""One box and its links, frame by frame and millisecond by millisecond: nothing moves unless a test moves it."""

from __future__ import annotations

from random import Random
from typing import Final

from dalej.link.session import Known, Phase, Session
from dalej.link.uptime import UptimeMap
from dalej.simulator.box import MTU, MemoryFlash, SimBoard
from moveclock import facts as k
from moveclock import wire
from moveclock.box import Box
from moveclock.segments import Flash
from moveclock.settings import Settings
from tests.link.rig import SECRET, UID

OTHER_SECRET: Final = bytes(32)


class Hand:
    """A box, its pump, and any number of links. Times are ms of uptime, which is also the raw counter."""

    def __init__(self, *, flash: Flash | None = None, reset: int = k.POWER_ON, seed: int = 1) -> None:
        self.now = 0
        self.flash = flash or MemoryFlash()
        self.board = SimBoard(Random(seed))
        self.box = Box(UID, SECRET, self.flash, self.board, 0, reset=reset)
        self.sent: list[tuple[int, int, bytes]] = []  # (when, link, frame) of everything the box said

    def restart(self, reset: int = k.POWER_ON) -> None:
        """The box starts again with what is on its flash; uptime begins at 0."""
        if reset == k.POWER_ON:
            self.board.kept = b""
        self.now = 0
        self.box = Box(UID, SECRET, self.flash, self.board, 0, reset=reset)

    def configured(self, limit_ms: int = 60_000) -> Hand:
        """Ready for seat A, without any desk."""
        settings = Settings()
        settings.first = k.SEAT_A
        settings.limit_ms = limit_ms
        command = (1, k.C_CONFIGURE, 0, 0, 0, 0, bytes([1, 0]) + settings.pack())
        self.box.commands.take(command, self.now)
        self.pump()
        return self

    def open(self, link: int = 1, mtu: int = MTU) -> None:
        self.box.opened(link, mtu, self.now)

    def give(self, frame: bytes, link: int = 1) -> None:
        """A frame for the box, and one turn of its loop."""
        self.box.receive(link, frame, self.now)
        self.pump()

    def pump(self) -> None:
        self.box.tick(self.now)
        self.box.work(self.now)
        for link in [peer.link for peer in self.box.links.peers]:
            while (frame := self.box.send(link, self.now)) is not None:
                self.sent.append((self.now, link, frame))
        for link in self.box.to_close(self.now):
            self.box.closed(link)

    def wait(self, ms: int) -> None:
        """Time passes; the box is called when it asks to be."""
        end = self.now + ms
        while self.now < end:
            self.now = min(end, max(self.now + 1, self.box.wake_at()))
            self.pump()

    def tap(self, contact: int) -> None:
        self.box.edge(contact, True, self.now)
        self.wait(50)
        self.box.edge(contact, False, self.now)
        self.wait(50)

    def frames(self, link: int = 1) -> list[bytes]:
        """What the box has said on this link since the last look."""
        said = [frame for _, number, frame in self.sent if number == link]
        self.sent = [entry for entry in self.sent if entry[1] != link]
        return said

    def session(
        self,
        link: int = 1,
        *,
        secret: bytes = SECRET,
        desk: int = 1,
        name: str = "first laptop",
        known: list[Known] | None = None,
        nonce: bytes = bytes(16),
        mtu: int = MTU,
    ) -> Session:
        """A desk connects and the two talk until both fall silent."""
        self.open(link, mtu)
        session = Session(
            uid=UID, secret=secret, desk_id=desk, desk_name=name, known=known or [], nonce=nonce, uptimes=UptimeMap()
        )
        session.start(self.now)
        self.talk(session, link)
        return session

    def talk(self, session: Session, link: int = 1) -> list[bytes]:
        """Carry frames both ways until there is none; what the box said. The desk acknowledges nothing by itself."""
        said: list[bytes] = []
        while True:
            out, back = session.frames(), self.frames(link)
            if not out and not back:
                return said
            for frame in out:
                self.give(frame, link)
            for frame in back:
                session.receive(frame, self.now)
            said += back

    def is_open(self, link: int = 1) -> bool:
        return self.box.links.peer(link) is not None

    def fingerprint(self) -> tuple[object, ...]:
        """What no stranger may change: the journal, the clock, the settings, the commands that wait."""
        box, journal = self.box, self.box.journal
        records = [journal.record(seq) for seq in range(journal.oldest, journal.head + 1)]
        clock = box.clock.snapshot(self.now), box.clock.settings.pack(), box.clock.facts
        return journal.epoch, journal.acked, records, clock, box.commands.due()


def is_live(session: Session) -> bool:
    return session.phase is Phase.LIVE


def seqs(session: Session) -> list[int]:
    """The numbers of the facts that a session has told of, in the order they came."""
    found = []
    for event in session.events:
        found += [fact.seq for fact in getattr(event, "facts", ())]
    return found


def hello(*, protocol: int = wire.PROTOCOL, nonce: bytes = bytes(16), last: int = 0, epoch: int = 0) -> bytes:
    frame = wire.pack_hello(nonce, 1, epoch, last, "first laptop")
    return frame[:1] + bytes([protocol]) + frame[2:]
