"""What travels over the USB cable: the frames of a link, and the few things that are said over a cable alone.

Both ends import this file. On the wire, in both directions:

    0x00 | COBS( kind u8 | payload | crc u32 ) | 0x00        CRC-32 over kind and payload, little-endian

Whatever else comes along (what the ROM prints at power-on, a line of the interpreter) lies between zeros, fails its
checksum and is counted. A box on a cable is a link like any other to `moveclock.box`, number `LINK`, with an MTU that
no radio needs to agree on; a frame on a link that is not open is answered by CLOSED. A secret is written only to a box
in set-up mode (two buttons held at power-on), and never read.
"""

import binascii
import hashlib
import struct

from moveclock.wire import WireError

LINK = 255  # the number of the cable's link; the radio's are connection handles from 0
MTU = 247
PACKET_MOST = 320  # bytes between two zeros; a longer run is noise

# Kinds. A desk asks ...
FRAME = 0  # both: one frame of the link, as in `moveclock.wire`
ASK = 1  # who are you? (answered by TOLD)
OPEN = 2  # begin a link, ending the one before (answered by OPENED; then frames)
CLOSE = 3  # the desk leaves the link
PAIR = 4  # uid 6, secret 32: in set-up mode alone (answered by DONE)
TO_PYTHON = 5  # leave the firmware for MicroPython's prompt, so that files can be copied: in set-up mode alone (DONE)
RESTART = 6  # leave set-up mode and start as at power-on: in set-up mode alone (DONE)
# ... and a box answers.
TOLD = 32  # see `pack_told`
OPENED = 33
CLOSED = 34  # the box has closed the link
DONE = 35  # the kind that was asked u8, result u8

# Results.
OK = 0
NOT_IN_SETUP = 1
OTHER_UID = 2
NOT_WRITTEN = 3
UNKNOWN = 4


_PAIRED = 1  # bits of the first byte of TOLD
_SETUP = 2
_BACKLOG = 4
_FREE = 8
_CHIP = 16
_FINGERPRINT = 4  # bytes
_LEAST = 5  # bytes of a packet: kind and checksum
_BLOCK = 254  # bytes that one COBS code stands for at most
_ZERO = b"\0"
_U32 = 0xFFFFFFFF


class Told:
    """What a box says of itself: `info` is that of `Box.info`; `paired`: it has a secret; `setup`: set-up mode.

    `fingerprint`: 4 bytes that tell secrets apart without telling them, empty if the box has none. `backlog`: how many
    of its facts no desk has acknowledged, None where that is not told. `free`: bytes free in its heap, likewise;
    `chip`: those that its chip has left for the radio, and how many of them lie in one piece.
    """

    def __init__(
        self,
        info: bytes,
        paired: bool,
        setup: bool,
        fingerprint: bytes,
        backlog: int | None = None,
        free: int | None = None,
        chip: tuple | None = None,
    ) -> None:
        self.info = info
        self.paired = paired
        self.setup = setup
        self.fingerprint = fingerprint
        self.backlog = backlog
        self.free = free
        self.chip = chip


class Packets:
    """Bytes of a serial port -> packets `(kind, payload)`. `refused` counts runs between zeros that are no packet."""

    def __init__(self) -> None:
        self.refused = 0
        self._run = bytearray(PACKET_MOST)
        self._length = 0  # of the run so far; more than PACKET_MOST: too long to be kept

    def feed(self, data: bytes) -> list:
        """The packets that these bytes complete."""
        packets: list = []
        start, size = 0, len(data)
        while start < size:
            zero = data.find(_ZERO, start)
            self._keep(data, start, size if zero < 0 else zero)
            if zero < 0:
                break
            packet = self._packet()
            if packet is not None:
                packets.append(packet)
            start = zero + 1
        return packets

    def _keep(self, data: bytes, start: int, stop: int) -> None:
        grown = self._length + stop - start
        if grown > PACKET_MOST:
            self._length = PACKET_MOST + 1
        else:
            self._run[self._length : grown] = data[start:stop]
            self._length = grown

    def _packet(self) -> tuple | None:
        """The run that a zero has just ended, None if it is no packet. A run of nothing is no run."""
        length, self._length = self._length, 0
        if length == 0:
            return None
        size = 0 if length > PACKET_MOST else self._unstuff(length) - 4
        if size < 1:
            self.refused += 1
            return None
        whole = memoryview(self._run)
        if binascii.crc32(whole[:size]) & _U32 != struct.unpack("<I", whole[size : size + 4])[0]:
            self.refused += 1
            return None
        return whole[0], bytes(whole[1:size])

    def _unstuff(self, length: int) -> int:
        """Undo COBS in place: what comes out is never longer than what was read. How long it is, 0 if it is none."""
        run = self._run
        place = size = 0
        while place < length:
            code = run[place]
            end = place + code
            if end > length:
                return 0
            run[size : size + code - 1] = run[place + 1 : end]
            size += code - 1
            place = end
            if code <= _BLOCK and place < length:
                run[size] = 0
                size += 1
        return size


def pack(kind: int, payload: bytes = b"") -> bytes:
    """One packet as it is written. WireError if it is longer than a packet may be."""
    body = bytes([kind]) + payload
    body += struct.pack("<I", binascii.crc32(body) & _U32)
    out = bytearray(1)
    start, size = 0, len(body)
    while start <= size:
        zero = body.find(_ZERO, start)
        stop = size if zero < 0 else zero
        if stop - start >= _BLOCK:
            out.append(_BLOCK + 1)
            out.extend(body[start : start + _BLOCK])
            start += _BLOCK
            if start == size:
                break  # a full block needs no zero after it
        else:
            out.append(stop - start + 1)
            out.extend(body[start:stop])
            start = stop + 1
    out.append(0)
    if len(out) > PACKET_MOST + 2:
        raise WireError(f"a packet of {len(payload)} bytes is too long for the cable")
    return bytes(out)


def pack_told(told: Told) -> bytes:
    """The payload of TOLD: flags u8 (1 paired, 2 set-up mode, 4 backlog, 8 heap, 16 chip) | size of info u8 | info |
    fingerprint 4, if it is paired | backlog u32, free in the heap u32, the chip's left u32 and largest piece u32: each
    if it is told.
    """
    flags = (_PAIRED if told.paired else 0) | (_SETUP if told.setup else 0)
    counts = b""
    for bit, count in ((_BACKLOG, told.backlog), (_FREE, told.free)):
        if count is not None:
            flags |= bit
            counts += struct.pack("<I", count)
    if told.chip is not None:
        flags |= _CHIP
        counts += struct.pack("<II", *told.chip)
    return bytes([flags, len(told.info)]) + told.info + told.fingerprint + counts


def unpack_told(payload: bytes) -> Told:
    """WireError if it is not one."""
    if len(payload) < 2:
        raise WireError(f"what a box tells of itself in {len(payload)} bytes")
    flags, end = payload[0], 2 + payload[1]
    paired = bool(flags & _PAIRED)
    known = end + (_FINGERPRINT if paired else 0)
    counts: list = []
    place = known
    for bit in (_BACKLOG, _FREE):
        is_told = bool(flags & bit) and place + 4 <= len(payload)
        counts.append(struct.unpack("<I", payload[place : place + 4])[0] if is_told else None)
        place += 4 if flags & bit else 0
    chip = None
    if flags & _CHIP:
        place += 8
        if place == len(payload):
            chip = struct.unpack("<II", payload[-8:])
    if flags >= 2 * _CHIP or len(payload) != place:
        raise WireError(f"what a box tells of itself in {len(payload)} bytes with flags {flags}")
    return Told(payload[2:end], paired, bool(flags & _SETUP), payload[end:known], counts[0], counts[1], chip)


def fingerprint(secret: bytes) -> bytes:
    """4 bytes of a secret's SHA-256 under a label of its own; empty for an empty secret."""
    if not secret:
        return b""
    return hashlib.sha256(b"dalej fingerprint" + secret).digest()[:_FINGERPRINT]
