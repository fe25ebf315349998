"""Who a box is, as one small file on its flash: `identity`, 46 bytes, written over the cable only.

    version u8 | uid 6 | build u8 | box secret 32 | reserved u16 | crc u32

Little-endian; CRC-32 over all before it. The uid binds it to one board: a copy on another board is nobody's identity.
All-zero uid and secret: a box that was installed and not paired; all-zero uid alone never is.
"""

import binascii
import struct

from moveclock.wire import WireError

FILE = "identity"
SIZE = 46
VERSION = 1
UID = 6
SECRET = 32

# Bits of `build`: what the box is built with.
KOSTKA = 1  # a contact at the draw stack
SHARED = 2  # one Już and one Dalej for all seats
SCREEN = 4  # an evening box: its board has a screen with a touch glass
TWO_PORTS = 8  # ... and two USB ports, which tells its screen's controller
INVERTED = 16  # ... and it shows its colours inverted unless it is told to invert them

_FORMAT = "<B6sB32sH"
_NO_UID = bytes(UID)
_NO_SECRET = bytes(SECRET)


class Identity:
    """`uid` is empty on a box that was not paired, and so is `secret`; `build` is a mask of these bits."""

    def __init__(self, build: int, uid: bytes = b"", secret: bytes = b"") -> None:
        self.build = build
        self.uid = uid
        self.secret = secret

    def pack(self) -> bytes:
        """The bytes of the file."""
        body = struct.pack(_FORMAT, VERSION, self.uid or _NO_UID, self.build, self.secret or _NO_SECRET, 0)
        return body + struct.pack("<I", binascii.crc32(body) & 0xFFFFFFFF)


def unpack(data: bytes) -> Identity:
    """The identity that `Identity.pack` made; WireError if the bytes are none, or half of one."""
    if len(data) != SIZE:
        raise WireError(f"an identity has {SIZE} bytes, not {len(data)}")
    if binascii.crc32(data[:-4]) & 0xFFFFFFFF != struct.unpack("<I", data[-4:])[0]:
        raise WireError("an identity's checksum does not match")
    version, uid, build, secret, _ = struct.unpack(_FORMAT, data[:-4])
    if version != VERSION:
        raise WireError(f"an identity of version {version}, expected {VERSION}")
    if (uid == _NO_UID) != (secret == _NO_SECRET):
        raise WireError("an identity with a uid or a secret, and not both")
    if uid == _NO_UID:
        return Identity(build)
    return Identity(build, uid, secret)
