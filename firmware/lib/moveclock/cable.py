"""What travels over the USB cable: the frames of a link, and the few things that are said over a cable alone.

Both ends import this file. On the wire, in both directions:

    0x00 | COBS( kind u8 | payload | crc u32 ) | 0x00        CRC-32 over kind and payload, little-endian

Whatever else comes along (what the ROM prints at power-on, a line of the interpreter) lies between zeros, fails its
checksum and is counted. A box on a cable is a link like any other to `moveclock.box`, number `LINK`, with an MTU that
no radio needs to agree on. A secret is written only to a box in set-up mode (two buttons held at power-on), and never
read.
"""

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


class Told:
    """What a box says of itself: `info` is that of `Box.info`; `paired`: it has a secret; `setup`: set-up mode.

    `fingerprint`: 4 bytes that tell secrets apart without telling them, empty if the box has none.
    """

    def __init__(self, info: bytes, paired: bool, setup: bool, fingerprint: bytes) -> None:
        self.info = info
        self.paired = paired
        self.setup = setup
        self.fingerprint = fingerprint


class Packets:
    """Bytes of a serial port -> packets `(kind, payload)`. `refused` counts runs between zeros that are no packet."""

    def __init__(self) -> None:
        self.refused = 0

    def feed(self, data: bytes) -> list:
        """The packets that these bytes complete."""
        raise NotImplementedError


def pack(kind: int, payload: bytes = b"") -> bytes:
    """One packet as it is written."""
    raise NotImplementedError


def pack_told(told: Told) -> bytes:
    """The payload of TOLD."""
    raise NotImplementedError


def unpack_told(payload: bytes) -> Told:
    """WireError if it is not one."""
    raise NotImplementedError


def fingerprint(secret: bytes) -> bytes:
    """4 bytes of a secret's SHA-256 under a label of its own; empty for an empty secret."""
    raise NotImplementedError
