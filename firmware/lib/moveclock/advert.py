"""The 28 bytes of manufacturer data by which a desk sees a table without a connection.

    length u8 | type u8 | company u16 | version and state u8 | seat and alarm u8 | uid, last 3 | epoch, low u16 |
    boot, low u8 | head u32 | backlog u8 | deadline u32 | battery u8 | tag 6

Little-endian, and with its own length and type as it goes on air: an advertisement holds 31 bytes, 3 are its flags.
`deadline` is the uptime at which the running move's time is over, or was in `expired`, else the remaining ms; a backlog
of 255 is that many or more. The bytes change only when head or alarm changes, so an advertisement with an older head is
a replay. The tag's key is derived for advertisements alone.
"""

import struct

from moveclock import secure, wire

COMPANY = 0xFFFF
VERSION = 1
SIZE = 28
_START = b"\x1b\xff"  # 27 bytes follow; manufacturer data
_FORMAT = "<HBB3sHBIBIB"


def pack(key: bytes, uid: bytes, epoch: int, boot: int, head: int, backlog: int, face: tuple) -> bytes:
    """`face` is `(state, seat, alarm, deadline, battery)`; seat NOBODY travels as 15."""
    state, seat, alarm, deadline, battery = face
    body = _START + struct.pack(
        _FORMAT, COMPANY, VERSION << 4 | state, (seat & 15) << 4 | alarm, uid[3:], epoch & 0xFFFF, boot & 0xFF, head,
        min(backlog, 0xFF), deadline & 0xFFFFFFFF, battery,
    )  # fmt: skip
    return body + secure.advert_tag(key, body)


def unpack(key: bytes, data: bytes) -> tuple:
    """`(uid tail, epoch low, boot low, head, backlog, state, seat, alarm, deadline, battery)`.

    WireError if the key's owner did not tag these bytes.
    """
    if len(data) != SIZE:
        raise wire.WireError(f"an advertisement of {len(data)} bytes")
    if not secure.same(secure.advert_tag(key, data[:22]), data[22:]):
        raise wire.WireError("an advertisement with a foreign tag")
    company, kind, face, tail, epoch, boot, head, backlog, deadline, battery = struct.unpack(_FORMAT, data[2:22])
    if data[:2] != _START or company != COMPANY or kind >> 4 != VERSION:
        raise wire.WireError("an advertisement of another kind")
    seat = face >> 4
    return tail, epoch, boot, head, backlog, kind & 15, 255 if seat == 15 else seat, face & 15, deadline, battery
