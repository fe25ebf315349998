"""By which numbers and names other devices in the hall reach this computer; nothing is asked of any network."""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from contextlib import suppress
from typing import Final

if sys.platform == "linux":
    import fcntl

_SIOCGIFADDR: Final = 0x8915


def own_names() -> list[str]:
    """What this computer is called, also as its neighbours find it (mDNS)."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return sorted({name, short, f"{short}.local"} - {"", ".local"})


def own_numbers() -> list[str]:
    """Its IPv4 addresses but those that mean itself, the likeliest first."""
    found = [*_of_interfaces(), *_of_the_way_out(), *_of_its_name()]
    return [one for one in dict.fromkeys(found) if not ipaddress.ip_address(one).is_loopback]


def _of_interfaces() -> list[str]:
    numbers: list[str] = []
    if sys.platform == "linux":
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            for _, interface in socket.if_nameindex():
                with suppress(OSError):
                    answer = fcntl.ioctl(asking, _SIOCGIFADDR, struct.pack("256s", interface.encode()[:15]))
                    numbers.append(socket.inet_ntoa(answer[20:24]))
    return numbers


def _of_the_way_out() -> list[str]:
    """A datagram socket that is connected sends nothing, and knows from where it would."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))
        return [str(asking.getsockname()[0])]
    return []


def _of_its_name() -> list[str]:
    with suppress(OSError):
        return [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []
