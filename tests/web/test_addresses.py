"""What `dalej serve --host 0.0.0.0` says to type in the hall: numbers of this computer, the likeliest first."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address

import ifaddr
import pytest
from ifaddr import IP, Adapter

from dalej.web import server


def test_every_number_is_this_computer_s_and_can_be_reached_by_others() -> None:
    for number in server.own_numbers():
        assert not IPv4Address(number).is_loopback
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
            listening.bind((number, 0))  # no other computer's can be


def test_the_hall_s_network_comes_first_and_a_cable_without_a_router_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """A laptop with a virtual machine, the hall's Wi-Fi and a box's cable."""

    def adapters() -> Sequence[Adapter]:
        found = {
            "lo": ["127.0.0.1"], "usb0": ["169.254.7.7"], "vm0": ["172.17.0.1"], "wlan0": ["10.0.0.5", "10.0.0.6"],
        }  # fmt: skip
        sixth = IP(("fe80::1", 0, 4), 64, "wlan0")
        return [Adapter(name, name, [*(IP(ip, 24, name) for ip in ips), sixth]) for name, ips in found.items()]

    monkeypatch.setattr(ifaddr, "get_adapters", adapters)
    monkeypatch.setattr(server, "_of_the_way_out", lambda: iter([IPv4Address("10.0.0.5")]))

    assert server.own_numbers() == ["10.0.0.5", "172.17.0.1", "10.0.0.6", "169.254.7.7"]


def test_of_the_sixth_kind_those_that_stay_are_in_the_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A laptop with a number of the school's own, one of the wide world that is another tomorrow, and a cable's."""
    numbers = ("fe80::1", "2001:db8::17", "fd12:3456::7", "::1")
    ips = [IP((number, 0, 0), 64, "wlan0") for number in numbers]
    monkeypatch.setattr(
        ifaddr, "get_adapters", lambda: [Adapter("wlan0", "wlan0", [*ips, IP("10.0.0.5", 24, "wlan0")])]
    )

    assert server.own_lasting_numbers() == ["fd12:3456::7"]
