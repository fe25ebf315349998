"""What a box tells anybody of itself: `moveclock.box.Box.info`, over the cable and as the INFO of its radio."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from moveclock.wire import WireError

_INFO: Final = "<B6sBBB"
_KOSTKA: Final = 1
_SHARED: Final = 2


@dataclass(frozen=True, slots=True)
class BoxInfo:
    """`mtu`: the least it needs. `kostka`: it has a contact at the draw stack; `shared`: one Już and one Dalej."""

    protocol: int
    uid: bytes
    firmware: int
    kostka: bool
    shared: bool
    mtu: int


def read_info(data: bytes) -> BoxInfo:
    """WireError if these bytes are too few; what a newer firmware adds at the end is left unread."""
    size = struct.calcsize(_INFO)
    if len(data) < size:
        raise WireError(f"a box tells of itself in {len(data)} bytes, expected {size}")
    protocol, uid, firmware, features, mtu = struct.unpack(_INFO, data[:size])
    return BoxInfo(protocol, uid, firmware, bool(features & _KOSTKA), bool(features & _SHARED), mtu)
