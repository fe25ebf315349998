"""The box's half of one link: hello, authentication, facts in a window until they are acknowledged, silence, dismissal.

    fresh -> greeted (hello answered) -> trusted (desk proved the secret) -> gone

Nothing a desk says changes the box before it is trusted. A link without a hello after 8 s (a slow system first asks
what the box offers), without AUTH 3 s after its first hello, or silent for 12 s, is dropped. Facts go out in order, at
most 8 frames beyond the last acknowledgement, paced, and again from there when a second passes without progress. All
times are ms of uptime.
"""

import struct

from moveclock import facts as k
from moveclock import secure, wire
from moveclock.journal import Journal

FRESH = 0
GREETED = 1
TRUSTED = 2
GONE = 3

HELLO_WITHIN_MS = 8000
AUTH_WITHIN_MS = 3000
SILENCE_MS = 12000
RESEND_MS = 1000
PACE_MS = 20
BACK_OFF_MS = 50
LINGER_MS = 500  # so long the reason of a dismissal may take through the air
CLOSE_AGAIN_MS = 1000
WINDOW_FRAMES = 8
_HELLOS_MOST = 4
_PROOFS_MOST = 3  # that are none: a desk that was misled by a stranger's welcome still has its own to show
_OUTBOX_MOST = 8


class Peer:
    """One link as the box sees it. It is to be dropped at `drop_at`; the MTU may still be negotiated."""

    def __init__(self, link: int, mtu: int, now: int) -> None:
        self.link = link
        self.state = FRESH
        self.desk = 0
        self.name = ""
        self.known_epoch = 0
        self.known_seq = 0
        self.oldest = 0  # as this link was told
        self.drop_at = now + HELLO_WITHIN_MS
        self._room = 0
        self._hellos = 0
        self._wrong = 0
        self._asked = b""  # the last frame of the handshake, and what it was answered
        self._answer = b""
        self._nonces: tuple = ()
        self._transcript = b""
        self._sealer: secure.Seal | None = None
        self._opener: secure.Seal | None = None
        self._outbox: list = []
        self._face: bytes | None = None  # the state still to be told
        self._sent = b""
        self._clear_at = now  # not before this may the next frame go out
        self._progress_at = now
        self._acked = 0
        self._next = 0
        self._flight: list = []  # the last seq of every frame that is not acknowledged
        self.resize(mtu)

    def resize(self, mtu: int) -> None:
        """The MTU that this link has now."""
        self._room = min(mtu - 3, wire.FRAME_MOST)

    # --- what comes in -----

    def greet(self, frame: bytes, uid: bytes, nonce: bytes, stream: tuple, now: int) -> None:
        """Answer a hello. `stream` is `(epoch, boot, oldest, head)`."""
        self._hellos += 1
        if self._hellos > _HELLOS_MOST:
            raise wire.WireError("one hello after the other")
        if len(frame) > 1 and frame[1] != wire.PROTOCOL:
            self.dismiss(wire.NO_PROTOCOL, str(wire.PROTOCOL), now)
            return
        _, theirs, self.desk, self.known_epoch, self.known_seq, self.name = wire.unpack_hello(frame)
        if self._room < wire.MTU_AT_LEAST - 3:
            self.dismiss(wire.NO_MTU, "", now)
            return
        epoch, boot, self.oldest, head = stream
        self._reply(frame, wire.pack_welcome(uid, epoch, boot, self.oldest, head, now, nonce))
        self._transcript = self._asked + self._answer
        self._nonces = (theirs, nonce, epoch)
        if self.state == FRESH:  # a hello again is no reason to wait longer
            self.drop_at = now + AUTH_WITHIN_MS
        self.state = GREETED

    def proves(self, frame: bytes, secret: bytes) -> bool:
        """Whether the desk's AUTH shows that it holds the secret and saw this handshake."""
        return secure.same(secure.handshake_tag(secret, secure.DESK, self._transcript), frame[1:])

    def disbelieve(self, now: int) -> None:
        """Its AUTH was none: say so. The link is over with the last one that it may show, or when its time is."""
        self._wrong += 1
        if self._wrong >= _PROOFS_MOST:
            self.dismiss(wire.NO_AUTH, "", now)
        elif len(self._outbox) < _OUTBOX_MOST:
            self._outbox.append(wire.pack_refusal(wire.NO_AUTH, wire.UNPROVED, b""))

    def accept(self, auth: bytes, uid: bytes, secret: bytes, epoch: int, acked: int, now: int) -> None:
        """Trust the desk, which said `auth`; facts of `epoch` follow from `acked` + 1."""
        theirs, ours, greeted = self._nonces
        keys = secure.session_keys(secret, uid, greeted, theirs, ours)
        self._opener = secure.Seal(keys[0])
        self._sealer = secure.Seal(keys[1])
        stream = struct.pack("<I", epoch)
        tag = secure.handshake_tag(secret, secure.BOX, self._transcript + stream)
        self._reply(auth, bytes([wire.ACCEPTED]) + stream + tag)
        self._transcript = b""
        self._nonces = ()
        self._acked = acked
        self._next = acked + 1
        self._progress_at = now
        self.drop_at = now + SILENCE_MS
        self.state = TRUSTED

    def repeats(self, frame: bytes) -> bool:
        """Whether this frame of the handshake was answered before: a copy changes nothing and gets the same answer."""
        if frame != self._asked:
            return False
        if not self._outbox:
            self._outbox.append(self._answer)
        return True

    def open(self, frame: bytes, now: int) -> bytes:
        """The body of a sealed frame of a trusted desk; WireError for anything else."""
        if self._opener is None or frame[0] != wire.SEALED:
            raise wire.WireError("a frame that is not sealed")
        body = self._opener.open(frame[1:])
        if not body:
            raise wire.WireError("an empty frame")
        self._asked = self._answer = b""
        self.drop_at = now + SILENCE_MS
        return body

    def acknowledged(self, seq: int, now: int) -> None:
        """The desk has committed everything up to `seq`."""
        if seq > self._acked:
            self._acked = seq
            self._progress_at = now
            self._next = max(self._next, seq + 1)
            while self._flight and self._flight[0] <= seq:
                self._flight.pop(0)

    def pong(self, stamp: int, now: int) -> None:
        """Answer a ping at once; one that finds too many answers waiting gets none."""
        if len(self._outbox) < _OUTBOX_MOST:
            self._outbox.append(struct.pack("<BII", wire.PONG, stamp, now & 0xFFFFFFFF))

    def tell(self, face: bytes) -> None:
        """The box's packed state, to be sent after the facts; a newer one replaces an older."""
        self._face = face

    # --- how it ends -----

    def dismiss(self, why: int, text: str, now: int, secret: bytes = b"") -> None:
        """Say why, then be gone. `secret`: of a desk that has just proved itself, which may believe it then."""
        reason = text.encode()
        tag = secure.refusal_tag(secret, self._transcript, why, reason) if secret else wire.UNPROVED
        self.leave(now + LINGER_MS)
        self._outbox.append(wire.pack_refusal(why, tag, reason))

    def leave(self, at: int) -> None:
        """Nothing more is heard or said; the radio closes the link at `at`."""
        self._outbox.clear()
        self._flight.clear()
        self._face = None
        self._sealer = self._opener = None
        self._asked = self._answer = b""
        self.state = GONE
        self.drop_at = at

    def serves(self, now: int) -> bool:
        """Whether a trusted desk is in contact on this link."""
        return self.state == TRUSTED and now < self.drop_at

    # --- what goes out -----

    def frame(self, journal: Journal, now: int) -> bytes | None:
        """The next frame to send now, None if nothing is due. OSError: a fact cannot be read; nothing has changed."""
        if now < self._clear_at:
            return None
        body = self._body(journal, now)
        if body is None:
            return None
        self._sent = body
        if self._sealer is None or body[0] < wire.ACK:
            return body
        return bytes([wire.SEALED]) + self._sealer.seal(body)

    def back_off(self, now: int) -> None:
        """The radio had no room for the frame it was given: the same again, later."""
        sent, self._sent = self._sent, b""
        self.hold(now + BACK_OFF_MS)
        if not sent or self.state == GONE:
            return
        if sent[0] == wire.RECORDS:
            if self._flight:
                self._next = self._flight.pop() - (len(sent) - 1) // wire.RECORD_SIZE + 1
        elif sent[0] != wire.STATE:
            self._outbox.insert(0, sent)
        elif self._face is None:
            self._face = sent

    def hold(self, until: int) -> None:
        """Send nothing before `until`."""
        self._clear_at = until

    def due_at(self, head: int) -> int | None:
        """When `frame` may next have something, if no input comes."""
        if self._outbox or (self.state == TRUSTED and (self._face is not None or self._may_send(head))):
            return self._clear_at
        if self._flight:
            return max(self._clear_at, self._progress_at + RESEND_MS)
        return None

    def _reply(self, asked: bytes, answer: bytes) -> None:
        self._asked = bytes(asked)
        self._answer = answer
        self._outbox.append(answer)

    def _may_send(self, head: int) -> bool:
        return self._next <= head and len(self._flight) < WINDOW_FRAMES

    def _body(self, journal: Journal, now: int) -> bytes | None:
        if self._outbox:
            return bytes(self._outbox.pop(0))
        if self.state != TRUSTED:
            return None
        if self._flight and now - self._progress_at >= RESEND_MS:
            self._flight.clear()
            self._next = self._acked + 1
        if self._may_send(journal.head):
            if self._next < journal.oldest:
                self.leave(now)  # given up for want of room: a new hello tells the desk where the journal begins
                return None
            return self._records(journal, now)
        face, self._face = self._face, None
        return face

    def _records(self, journal: Journal, now: int) -> bytes:
        body = bytearray([wire.RECORDS])
        most = max(1, (self._room - wire.SEAL_OVERHEAD - 1) // wire.RECORD_SIZE)
        last = min(journal.head, self._next + most - 1)
        for seq in range(self._next, last + 1):
            body.extend(journal.record(seq) or _lost(journal, seq))
        if not self._flight:
            self._progress_at = now
        self._flight.append(last)
        self._next = last + 1
        self._clear_at = now + PACE_MS
        return bytes(body)


def _lost(journal: Journal, seq: int) -> bytes:
    """A record that was damaged on flash says so itself, under its own number and as of its neighbour's boot."""
    beside = journal.record(seq - 1) or journal.record(seq + 1)
    boot = journal.boot if beside is None else struct.unpack("<H", beside[2:4])[0]
    return wire.pack_record(seq, boot, (k.RECORDS_LOST, 0, 0, 0, k.NOBODY, 0, seq, seq, 0))
