"""Who may speak: HMAC-SHA256 keys, tags and counters. Both ends import this file; it needs nothing but SHA-256.

    box secret      HMAC(club secret, "box secret", uid, number of the pairing)
    session keys    HMAC(box secret, "desk" or "box", uid, epoch, desk's nonce, box's nonce)
    handshake tag   HMAC(box secret, "handshake", role, whole transcript), first 16 bytes
    refusal tag     HMAC(box secret, "refusal", whole transcript, reason, text), first 16 bytes
    advert key      HMAC(box secret, "advert", uid); its tag is the first 6 bytes of HMAC(advert key, advertisement)
    sealed frame    counter u32 | body | first 8 bytes of HMAC(session key, counter | body)

Labels and parts are hashed behind their lengths (u16, little-endian), so no two lists of parts hash alike.
"""

import hashlib
import struct

from moveclock.wire import WireError

NONCE = 16
HANDSHAKE_TAG = 16
ADVERT_TAG = 6
FRAME_TAG = 8
OVERHEAD = 4 + FRAME_TAG

DESK = b"desk"
BOX = b"box"

_BLOCK = 64
_U32 = 0xFFFFFFFF


class SecureError(WireError):
    """A frame that its sender's key did not seal, or that was accepted before."""


class Mac:
    """HMAC-SHA256 under one key; the padded keys are made once."""

    def __init__(self, key: bytes) -> None:
        if len(key) > _BLOCK:
            key = hashlib.sha256(key).digest()
        key += bytes(_BLOCK - len(key))
        self._inner = bytes(byte ^ 0x36 for byte in key)
        self._outer = bytes(byte ^ 0x5C for byte in key)

    def digest(self, data: bytes | memoryview, more: bytes = b"") -> bytes:
        """The 32 bytes over `data` and then `more`."""
        inner = hashlib.sha256(self._inner)
        inner.update(data)
        inner.update(more)
        outer = hashlib.sha256(self._outer)
        outer.update(inner.digest())
        return outer.digest()


def same(a: bytes, b: bytes) -> bool:
    """Whether two tags are equal, in a time that does not tell where they differ."""
    if len(a) != len(b):
        return False
    difference = 0
    for place in range(len(a)):
        difference |= a[place] ^ b[place]
    return difference == 0


def derive(secret: bytes, label: bytes, *parts: bytes) -> bytes:
    """A 32-byte key for one purpose, bound to `parts`."""
    text = struct.pack("<H", len(label)) + label
    for part in parts:
        text += struct.pack("<H", len(part)) + part
    return Mac(secret).digest(text)


def box_secret(club_secret: bytes, uid: bytes, number: bytes) -> bytes:
    """The secret that one box is given over the cable; it tells nothing of the club's or another box's.

    `number` was drawn for this pairing: whoever has read the box's secret out of it knows nothing of its next one.
    """
    return derive(club_secret, b"box secret", uid, number)


def session_keys(secret: bytes, uid: bytes, epoch: int, desk_nonce: bytes, box_nonce: bytes) -> tuple[bytes, bytes]:
    """The keys of the two directions: what the desk sends, what the box sends."""
    stream = struct.pack("<I", epoch)
    return (
        derive(secret, DESK, uid, stream, desk_nonce, box_nonce),
        derive(secret, BOX, uid, stream, desk_nonce, box_nonce),
    )


def handshake_tag(secret: bytes, role: bytes, transcript: bytes) -> bytes:
    """What `role` (DESK or BOX) shows to prove that it knows the secret and saw this very handshake."""
    return derive(secret, b"handshake", role, transcript)[:HANDSHAKE_TAG]


def refusal_tag(secret: bytes, transcript: bytes, why: int, text: bytes) -> bytes:
    """What a box shows with its refusal of a desk that has proved itself."""
    return derive(secret, b"refusal", transcript, bytes([why]), text)[:HANDSHAKE_TAG]


def advert_key(secret: bytes, uid: bytes) -> bytes:
    """The key that tags advertisements and nothing else."""
    return derive(secret, b"advert", uid)


def advert_tag(key: bytes, body: bytes) -> bytes:
    """The 6 bytes that end an advertisement."""
    return Mac(key).digest(body)[:ADVERT_TAG]


class Seal:
    """One direction of a session: the sender seals, the receiver opens; `counter` is the last one used or accepted."""

    def __init__(self, key: bytes) -> None:
        self._mac = Mac(key)
        self.counter = 0

    def seal(self, body: bytes) -> bytes:
        """`body` as it travels, 12 bytes longer; SecureError when 2**32 - 1 frames have been sealed."""
        if self.counter == _U32:
            raise SecureError("a session's counter is used up")
        self.counter += 1
        head = struct.pack("<I", self.counter)
        return b"".join((head, body, self._mac.digest(head, body)[:FRAME_TAG]))

    def open(self, data: bytes) -> bytes:
        """The body of a sealed frame; SecureError if it is short, altered, of another key, or not newer."""
        if len(data) < OVERHEAD:
            raise SecureError(f"a sealed frame has at least {OVERHEAD} bytes, not {len(data)}")
        if not same(self._mac.digest(memoryview(data)[:-FRAME_TAG])[:FRAME_TAG], data[-FRAME_TAG:]):
            raise SecureError("a frame's tag does not match")
        counter = struct.unpack("<I", data[:4])[0]
        if counter <= self.counter:
            raise SecureError(f"frame {counter} came after frame {self.counter}")
        self.counter = counter
        return bytes(data[4:-FRAME_TAG])
