"""What travels between box and desk, and what lies on flash: bytes <-> tuples. Both ends import this file.

Everything is little-endian. A record is 32 bytes, on flash and on air alike:

    version u8 | kind u8 | boot u16 | seq u32 | uptime_ms u32 | game u16 | move u16 | seat u8 | code u8 | c u16 |
    a u32 | b u32 | crc u32

`crc` is CRC-32 over the first 28 bytes. Uptime counts milliseconds of one boot modulo 2**32.
"""

import binascii
import struct

RECORD_VERSION = 1
RECORD_SIZE = 32
_RECORD = "<BBHIIHHBBHII"
_U32 = 0xFFFFFFFF


class WireError(Exception):
    """Bytes that are not what the protocol allows. Refused and counted; never the end of anything."""


def pack_record(seq: int, boot: int, fact: tuple) -> bytes:
    """The 32 bytes of a fact tuple `(kind, at, game, move, seat, code, a, b, c)` under its number."""
    kind, at, game, move, seat, code, a, b, c = fact
    body = struct.pack(
        _RECORD, RECORD_VERSION, kind, boot & 0xFFFF, seq, at & _U32, game, move, seat, code, c, a & _U32, b & _U32
    )
    return body + struct.pack("<I", binascii.crc32(body) & _U32)


def unpack_record(data: bytes) -> tuple[int, int, tuple]:
    """`(seq, boot, fact)` of 32 bytes; WireError if they are torn, altered or of a version this code does not read."""
    if len(data) != RECORD_SIZE:
        raise WireError(f"a record has {RECORD_SIZE} bytes, not {len(data)}")
    if binascii.crc32(data[:28]) & _U32 != struct.unpack("<I", data[28:])[0]:
        raise WireError("a record's checksum does not match")
    version, kind, boot, seq, at, game, move, seat, code, c, a, b = struct.unpack(_RECORD, data[:28])
    if version != RECORD_VERSION:
        raise WireError(f"a record of version {version}, expected {RECORD_VERSION}")
    return seq, boot, (kind, at, game, move, seat, code, a, b, c)


# --- frames -------------------------------------------------------------------------------------------------------
# The handshake travels in the clear and is authenticated as a whole; everything after it is sealed (see `secure.Seal`):
#     SEALED u8 | counter u32 | body | tag 8        body: one of the kinds below, then its fields

PROTOCOL = 1
SERVICE_UUID = "d1ea0001-7a1e-4c10-9c4a-0d6a1c0c4b01"
INFO_UUID = "d1ea0002-7a1e-4c10-9c4a-0d6a1c0c4b01"
EVENTS_UUID = "d1ea0003-7a1e-4c10-9c4a-0d6a1c0c4b01"
COMMANDS_UUID = "d1ea0004-7a1e-4c10-9c4a-0d6a1c0c4b01"
MTU_AT_LEAST = 100
FRAME_MOST = 244  # bytes; an MTU of 247 is as large as it gets on common adapters
NAME_MOST = 24  # bytes of a desk's name in UTF-8
READER = 0  # the desk id of a tool that only reads: its ACK moves its own window, and any real desk takes its place

SEALED = 0
HELLO = 1  # desk: protocol u8, nonce 16, desk id u32, known epoch u32, last seq u32, name
WELCOME = 2  # box: protocol u8, uid 6, epoch u32, boot u16, oldest u32, head u32, uptime u32, nonce 16
AUTH = 3  # desk: tag 16
ACCEPTED = 4  # box: epoch u32 of the facts that follow, tag 16
REFUSED = 5  # box: why u8, tag 16 (zeros before the desk has proved itself: then it is hearsay), text

ACK = 16  # desk: epoch u32, seq u32
COMMAND = 17  # desk: id u32, command u8, game u16, move u16, boot u16, at u32, arguments
PING = 18  # desk: its stamp u32
BYE = 19  # desk
RECORDS = 32  # box: n x 32 bytes
STATE = 33  # box: see pack_state
PONG = 34  # box: the desk's stamp u32, uptime u32

# Why a box refuses a link.
NO_PROTOCOL = 1
NO_MTU = 2
NO_AUTH = 3
NO_BUSY = 4  # text: the name of the desk that is served

UNPROVED = bytes(16)

_HELLO = "<BB16sIII"
_WELCOME = "<BB6sIHIII16s"
_COMMAND = "<BIBHHHI"
_STATE = "<BBBHHBIIBBBBHIII"
SEAL_OVERHEAD = 13
STATE_FIELDS = (
    "state", "seat", "game", "move", "bank", "uptime", "left", "alarm", "lap", "reason", "out", "battery", "due",
    "epoch", "head",
)  # fmt: skip


def pack_hello(nonce: bytes, desk: int, epoch: int, last: int, name: str) -> bytes:
    """A desk introduces itself: what it knows of this box's stream is `epoch` and the contiguous `last` seq.

    A name of more than 24 bytes loses its end.
    """
    while len(name.encode()) > NAME_MOST:
        name = name[:-1]  # never within a letter
    return struct.pack(_HELLO, HELLO, PROTOCOL, nonce, desk, epoch, last) + name.encode()


def unpack_hello(frame: bytes) -> tuple[int, bytes, int, int, int, str]:
    """`(protocol, nonce, desk, epoch, last, name)`."""
    size = struct.calcsize(_HELLO)
    if not size <= len(frame) <= size + NAME_MOST:
        raise WireError(f"a hello of {len(frame)} bytes")
    _, protocol, nonce, desk, epoch, last = struct.unpack(_HELLO, frame[:size])
    return protocol, nonce, desk, epoch, last, text(frame[size:])


def pack_welcome(uid: bytes, epoch: int, boot: int, oldest: int, head: int, uptime: int, nonce: bytes) -> bytes:
    """A box answers: which stream it has, from the oldest to the newest seq, and its uptime now."""
    return struct.pack(_WELCOME, WELCOME, PROTOCOL, uid, epoch, boot, oldest, head, uptime & _U32, nonce)


def unpack_welcome(frame: bytes) -> tuple[int, bytes, int, int, int, int, int, bytes]:
    """`(protocol, uid, epoch, boot, oldest, head, uptime, nonce)`."""
    if len(frame) != struct.calcsize(_WELCOME):
        raise WireError(f"a welcome of {len(frame)} bytes")
    fields = struct.unpack(_WELCOME, frame)
    return fields[1:]


def pack_refusal(why: int, tag: bytes, reason: bytes) -> bytes:
    """A box will not serve this link; `tag` of `secure.refusal_tag`, or `UNPROVED`."""
    return bytes([REFUSED, why]) + tag + reason


def unpack_refusal(frame: bytes) -> tuple[int, bytes, bytes]:
    """`(why, tag, reason)`; the reason is text in UTF-8 if its sender means well."""
    if len(frame) < 2 + len(UNPROVED):
        raise WireError(f"a refusal of {len(frame)} bytes")
    return frame[1], frame[2 : 2 + len(UNPROVED)], frame[2 + len(UNPROVED) :]


def pack_command(number: int, command: int, game: int, move: int, boot: int, at: int, arguments: bytes) -> bytes:
    """Command `number`; `game` and `move` guard it (0: whatever they are); `at` an uptime of `boot` (0: at once)."""
    return struct.pack(_COMMAND, COMMAND, number, command, game, move, boot, at & _U32) + arguments


def unpack_command(body: bytes) -> tuple[int, int, int, int, int, int, bytes]:
    """`(id, command, game, move, boot, at, arguments)`."""
    size = struct.calcsize(_COMMAND)
    if len(body) < size:
        raise WireError(f"a command of {len(body)} bytes")
    _, number, command, game, move, boot, at = struct.unpack(_COMMAND, body[:size])
    return number, command, game, move, boot, at, body[size:]


def pack_state(fields: tuple) -> bytes:
    """A box's state now, in the order of `STATE_FIELDS`. `left`: remaining ms, or overrun ms in `expired`."""
    return struct.pack(_STATE, STATE, *fields)


def unpack_state(body: bytes) -> tuple:
    """The values of `STATE_FIELDS`."""
    if len(body) != struct.calcsize(_STATE):
        raise WireError(f"a state of {len(body)} bytes")
    fields = struct.unpack(_STATE, body)
    return fields[1:]


def numbers(body: bytes, count: int) -> tuple:
    """The `count` u32 after a body's kind byte."""
    if len(body) != 1 + 4 * count:
        raise WireError(f"{count} numbers in {len(body)} bytes")
    return struct.unpack("<" + "I" * count, body[1:])


def text(data: bytes) -> str:
    """UTF-8 text that a stranger may have sent."""
    try:
        return data.decode()
    except UnicodeError:
        pass  # raised below: the shared dialect has no `raise from`
    raise WireError("a name that is not UTF-8")
