"""By which numbers and names other devices in the hall reach this computer; nothing is asked of any network."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address

import ifaddr


def own_names() -> list[str]:
    """What this computer is called, also as its neighbours find it (mDNS)."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return sorted({name, short, f"{short}.local"} - {"", ".local"})


def own_numbers() -> list[str]:
    """Its IPv4 addresses but those that mean itself, the likeliest first: a link without a router numbers itself."""
    found = dict.fromkeys([*_of_the_way_out(), *_of_interfaces()])
    return [str(one) for one in sorted(found, key=lambda one: one.is_link_local) if not one.is_loopback]


def _of_interfaces() -> Iterator[IPv4Address]:
    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            yield from (IPv4Address(ip.ip) for ip in adapter.ips if isinstance(ip.ip, str))


def _of_the_way_out() -> Iterator[IPv4Address]:
    """A datagram socket that is connected sends nothing, and knows from where it would."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))
        yield IPv4Address(asking.getsockname()[0])
