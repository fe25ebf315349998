"""The box's half of one link: hello, authentication, facts in a window until they are acknowledged, silence, dismissal.

    fresh -> greeted (hello answered) -> trusted (desk proved the secret) -> gone

Nothing a desk says changes the box before it is trusted. A link without AUTH after 3 s, or silent for 12 s, is dropped. Facts
go out in order, at most 8 frames beyond the last acknowledgement, paced, and again from there when a second passes without
progress. All times are ms of uptime.
"""

import struct

from moveclock import facts as k
from moveclock import secure, wire
from moveclock.journal import Journal

FRESH = 0
GREETED = 1
TRUSTED = 2
GONE = 3

AUTH_WITHIN_MS = 3000
SILENCE_MS = 12000
RESEND_MS = 1000
PACE_MS = 20
BACK_OFF_MS = 50
WINDOW_FRAMES = 8


class Peer:
    """One link as the box sees it. `room`: bytes a notification can carry on this link."""

    def __init__(self, link: int, room: int, now: int) -> None:
        self.link = link
        self.state = FRESH
        self.desk = 0
        self.name = ""
        self.room = min(room, wire.FRAME_MOST)
        self.known_epoch = 0
        self.known_seq = 0
        self._face: bytes | None = None  # the state still to be told
        self._sent = b""
        self._outbox: list = []
        self._opened_at = now
        self._heard_at = now
        self._clear_at = now  # not before this may the next frame go out
        self._acked = 0
        self._next = 0
        self._progress_at = now
        self._transcript = b""
        self._secret = b""
        self._keys: tuple = ()
        self._sealer: secure.Seal | None = None
        self._opener: secure.Seal | None = None
        if room < wire.MTU_AT_LEAST - 3:
            self.dismiss(wire.NO_MTU, "")

    # --- what comes in -------------------------------------------------------------------------------------------

    def greet(self, frame: bytes, uid: bytes, secret: bytes, nonce: bytes, stream: tuple) -> None:
        """Answer a hello. `stream` is `(epoch, boot, oldest, head, uptime)`."""
        protocol, theirs, self.desk, self.known_epoch, self.known_seq, self.name = wire.unpack_hello(frame)
        if protocol != wire.PROTOCOL:
            self.dismiss(wire.NO_PROTOCOL, str(wire.PROTOCOL))
            return
        epoch, boot, oldest, head, uptime = stream
        answer = wire.pack_welcome(uid, epoch, boot, oldest, head, uptime, nonce)
        self._transcript = frame + answer
        self._secret = secret
        self._keys = secure.session_keys(secret, uid, epoch, theirs, nonce)
        self._outbox.append(answer)
        self.state = GREETED

    def proves(self, frame: bytes) -> bool:
        """Whether the desk's AUTH shows that it holds the secret and saw this handshake."""
        return secure.same(secure.handshake_tag(self._secret, secure.DESK, self._transcript), frame[1:])

    def accept(self, epoch: int, acked: int, now: int) -> None:
        """Trust the desk; facts of `epoch` follow from `acked` + 1."""
        stream = struct.pack("<I", epoch)
        tag = secure.handshake_tag(self._secret, secure.BOX, self._transcript + stream)
        self._outbox.append(bytes([wire.ACCEPTED]) + stream + tag)
        self._opener = secure.Seal(self._keys[0])
        self._sealer = secure.Seal(self._keys[1])
        self._transcript = self._secret = b""
        self._keys = ()
        self._acked = acked
        self._next = acked + 1
        self._heard_at = self._progress_at = now
        self.state = TRUSTED

    def open(self, frame: bytes, now: int) -> bytes:
        """The body of a sealed frame of a trusted desk; WireError for anything else."""
        if self._opener is None or frame[0] != wire.SEALED:
            raise wire.WireError("a frame that is not sealed")
        body = self._opener.open(frame[1:])
        if not body:
            raise wire.WireError("an empty frame")
        self._heard_at = now
        return body

    def acknowledged(self, seq: int, now: int) -> None:
        """The desk has committed everything up to `seq`."""
        if seq > self._acked:
            self._acked = seq
            self._progress_at = now
            self._next = max(self._next, seq + 1)

    def dismiss(self, why: int, text: str) -> None:
        """Say why, then be gone."""
        self._outbox.append(bytes([wire.REFUSED, why]) + text.encode())
        self._sealer = self._opener = None
        self.state = GONE

    def pong(self, stamp: int, uptime: int) -> None:
        self._outbox.append(struct.pack("<BII", wire.PONG, stamp, uptime & 0xFFFFFFFF))

    @property
    def greeted(self) -> bool:
        """Whether AUTH is what this link should say next."""
        return self.state == GREETED

    def leave(self) -> None:
        """The desk said goodbye."""
        self._outbox.clear()
        self.state = GONE

    def tell(self, face: bytes) -> None:
        """The box's packed state, to be sent after the facts; a newer one replaces an older."""
        self._face = face

    # --- what goes out -------------------------------------------------------------------------------------------

    def frame(self, journal: Journal, now: int) -> bytes | None:
        """The next frame to send now, None if nothing is due."""
        if now < self._clear_at:
            return None
        body = self._body(journal, now)
        if body is None:
            return None
        self._sent = body
        if body[0] == wire.RECORDS:
            self._clear_at = now + PACE_MS
        if self._sealer is None or body[0] < wire.ACK:
            return body
        return bytes([wire.SEALED]) + self._sealer.seal(body)

    def back_off(self, now: int) -> None:
        """The radio had no room for the frame it was given: later, from the last acknowledgement."""
        self._clear_at = now + BACK_OFF_MS
        if self._sent[0] == wire.RECORDS:
            self._next = self._acked + 1
        else:
            self._outbox.insert(0, self._sent)

    def due_at(self, head: int) -> int | None:
        """When `frame` may next have something, if no input comes."""
        if self._outbox or self.state == TRUSTED and (self._face is not None or self._may_send(head)):
            return self._clear_at
        if self.state == TRUSTED and self._next > self._acked + 1:
            return max(self._clear_at, self._progress_at + RESEND_MS)
        return None

    def drop_at(self) -> int | None:
        """When this link is to be dropped unless it is heard from; None: at once, after what is left to say."""
        if self.state == GONE:
            return None
        if self.state == TRUSTED:
            return self._heard_at + SILENCE_MS
        return self._opened_at + AUTH_WITHIN_MS

    def is_over(self, now: int) -> bool:
        """Whether the radio should now close this link."""
        at = self.drop_at()
        return not self._outbox if at is None else now >= at

    def _per_frame(self) -> int:
        return (self.room - wire.SEAL_OVERHEAD - 1) // wire.RECORD_SIZE

    def _may_send(self, head: int) -> bool:
        return self._next <= head and self._next - self._acked <= WINDOW_FRAMES * self._per_frame()

    def _body(self, journal: Journal, now: int) -> bytes | None:
        if self._outbox:
            return bytes(self._outbox.pop(0))
        if self.state != TRUSTED:
            return None
        if self._next > self._acked + 1 and now - self._progress_at >= RESEND_MS:
            self._next = self._acked + 1
        if self._next < journal.oldest:
            self._acked = journal.oldest - 1  # given up for want of room; a fact of the box says so
            self._next = journal.oldest
        if self._may_send(journal.head):
            if self._next == self._acked + 1:
                self._progress_at = now
            return self._records(journal)
        face, self._face = self._face, None
        return face

    def _records(self, journal: Journal) -> bytes:
        body = bytearray([wire.RECORDS])
        last = min(journal.head, self._next + self._per_frame() - 1)
        while self._next <= last:
            record = journal.record(self._next)
            if record is None:
                lost = (k.RECORDS_LOST, 0, 0, 0, k.NOBODY, 0, self._next, self._next, 0)
                record = wire.pack_record(self._next, 0, lost)  # damaged on flash: the gap says so itself
            body.extend(record)
            self._next += 1
        return bytes(body)
