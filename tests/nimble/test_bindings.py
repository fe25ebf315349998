"""How MicroPython's `bluetooth` behaves on the real NimBLE: what firmware/devices/radio.py is built on, and what the
stand-in of tests/board is a model of. A test that says "unlike the model" names a difference between the two.

Unlike on an ESP32 the number of notifications that fit into the stack is that of this build's pools.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import MethodType

import pytest
from bumble import hci

from tests.board.rig import RADIO_ON
from tests.nimble.rig import SERVED, Visited, printed

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("nimble")]

REFUSED = hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR
HANDLES = "ready 21 23"  # NimBLE's own services are below
VALUE = 21


async def _visit(visited: Visited) -> None:
    await visited.said("ready")
    await visited.central(247)
    await visited.said("end")


def test_nothing_works_before_the_radio_is_on(tmp_path: Path) -> None:
    program = RADIO_ON.replace("ble.active(True)", "") + (
        "print(tried(ble.gap_advertise, 100000, b''), tried(ble.gatts_notify, 0, 1, b''), tried(ble.config, 'mtu'))\n"
        "print(tried(ble.gap_disconnect, 0), tried(ble.config, 'mac'), ble.gatts_read(3))"
    )

    assert printed(tmp_path, program) == ["OSError 19 OSError 19 OSError 19", "OSError 19 OSError 19 b''"]


def test_an_advertisement_that_is_too_long_is_errno_minus_18_and_a_response_einval(
    tmp_path: Path,
) -> None:
    program = SERVED + (
        "print(tried(ble.gap_advertise, 100000, bytes(32)))\n"
        "print(tried(ble.gap_advertise, 100000, b'', resp_data=bytes(32)))\n"
        "print(tried(ble.gap_advertise, 100000, bytes(31), resp_data=bytes(31)))"
    )

    assert printed(tmp_path, program) == [HANDLES, "OSError -18", "OSError 22", "None"]


def test_an_advertisement_that_is_too_long_ends_the_one_before(tmp_path: Path) -> None:
    still = []

    async def look(visited: Visited) -> None:
        await visited.said("end")
        still.append(visited.port.controller.le_legacy_advertiser.enabled)

    printed(tmp_path, SERVED + "tried(ble.gap_advertise, 100000, bytes(32))\nprint('end')\ntime.sleep_ms(200)", look)

    assert still == [False]


def test_the_preferred_mtu_is_256_until_it_is_set_and_again_after_off_and_on(tmp_path: Path) -> None:
    program = RADIO_ON + (
        "print(ble.config('mtu'), tried(ble.config, mtu=22), tried(ble.config, mtu=528))\n"
        "ble.config(mtu=247)\nprint(ble.config('mtu'))\nble.active(False)\nble.active(True)\nprint(ble.config('mtu'))"
    )

    assert printed(tmp_path, program) == ["256 OSError 22 OSError 22", "247", "256"]


def test_there_is_no_rxbuf(tmp_path: Path) -> None:
    program = RADIO_ON + "print(tried(ble.config, 'rxbuf'), tried(ble.config, rxbuf=1000))"

    assert printed(tmp_path, program) == ["ValueError unknown config param ValueError unknown config param"]


def test_services_registered_again_get_higher_handles_and_the_first_ones_after_off_and_on(tmp_path: Path) -> None:
    program = SERVED + (
        "print(tried(ble.gatts_register_services, (SERVICE,)))\nble.gap_advertise(None)\n"
        "print(ble.gatts_register_services((SERVICE,)), tried(ble.gatts_write, value, b'x'))\n"
        "ble.active(False)\nble.active(True)\n"
        "print(tried(ble.gatts_write, value, b'x'), ble.gatts_register_services((SERVICE,)))"
    )

    assert printed(tmp_path, program) == [
        HANDLES, "OSError 16", "((38, 40, 43),) OSError 22", "OSError 22 ((21, 23, 26),)",
    ]  # fmt: skip


def test_when_the_radio_is_switched_on_with_a_handler_it_is_asked_for_secrets(tmp_path: Path) -> None:
    program = SERVED + "ble.active(False)\nble.active(True)\nprint([event[0] for event in seen])"

    assert printed(tmp_path, program) == [HANDLES, "[29, 29, 30]"]


def test_a_link_its_mtu_writes_and_its_end_are_events_and_a_closed_link_is_ealready_then_none(tmp_path: Path) -> None:
    async def visit(visited: Visited) -> None:
        await visited.said("ready")
        one = await visited.central(247)
        await one.write(VALUE, b"one")
        await visited.said("end")

    program = SERVED + (
        "wait(3)\nlink = seen[0][1]\nprint([event[0] for event in seen], seen[1][2])\n"
        "print(ble.gap_disconnect(link), tried(ble.gap_disconnect, link))\n"
        "wait(4)\nprint(seen[-1][0], tried(ble.gap_disconnect, link), tried(ble.gatts_notify, link, events, b'x'))\n"
        "print('end')"
    )

    assert printed(tmp_path, program, visit)[1:] == [
        "[1, 21, 3] 247", "True OSError 114", "2 False OSError 107", "end",
    ]  # fmt: skip


def test_a_write_is_cut_to_the_buffer_even_if_it_is_longer_than_the_mtu(tmp_path: Path) -> None:
    async def visit(visited: Visited) -> None:
        await visited.said("ready")
        one = await visited.central(247)
        for size in (20, 30, 244, 300, 500):
            await one.write(VALUE, bytes(size))
        await visited.said("end")

    program = (
        SERVED.replace("seen.append((event,)", "seen.append((event, len(ble.gatts_read(value)))").replace(
            "ble.irq(handler)", "ble.gatts_set_buffer(value, 256)\nble.irq(handler)"
        )
        + "wait(7)\nprint([event[1] for event in seen if event[0] == 3])\nprint('end')"
    )

    assert printed(tmp_path, program, visit)[1:] == ["[20, 30, 244, 256, 256]", "end"]


def test_two_centrals_writes_at_once_are_an_event_each_with_its_own_bytes(tmp_path: Path) -> None:
    async def visit(visited: Visited) -> None:
        await visited.said("ready")
        one = await visited.central(247)
        await visited.said("second")
        other = await visited.central(247)
        for number in range(10):
            await asyncio.gather(one.write(VALUE, bytes([1, number])), other.write(VALUE, bytes([2, number])))
        await visited.said("end")

    program = SERVED + (
        "got = []\n"
        "def handler(event, data):\n    seen.append(event)\n"
        "    if event == 3: got.append((data[0], ble.gatts_read(value)))\n"
        "ble.irq(handler)\nwait(2)\nble.gap_advertise(50000, b'')\nprint('second')\nwait(24)\n"
        "print(len(got), len(set(got)), [link for link, data in got if data[0] != link])\nprint('end')"
    )

    assert printed(tmp_path, program, visit)[-2:] == ["20 20 []", "end"]


def test_more_notifications_than_the_pools_hold_are_enomem_until_some_are_sent(tmp_path: Path) -> None:
    program = SERVED + (
        "wait(2)\nlink = seen[0][1]\n"
        "for _ in range(3):\n    count = 0\n    got = None\n"
        "    while got is None and count < 200:\n"
        "        got = tried(ble.gatts_notify, link, events, bytes(244))\n        count += 1\n"
        "    print(5 < count < 20, got)\n    time.sleep_ms(300)\nprint('end')"
    )

    assert printed(tmp_path, program, _visit)[1:-1] == ["True OSError 12"] * 3


def test_a_notification_goes_to_who_never_subscribed_and_on_a_handle_that_is_none(tmp_path: Path) -> None:
    program = SERVED + (
        "wait(2)\nlink = seen[0][1]\n"
        "print(tried(ble.gatts_notify, link, events, bytes(300)), tried(ble.gatts_notify, link, 99, b'x'), len(seen))\n"
        "print('end')"
    )

    assert printed(tmp_path, program, _visit)[1:-1] == ["None None 2"]


def test_advertising_ends_with_a_link_and_four_links_leave_no_connectable_one(tmp_path: Path) -> None:
    async def visit(visited: Visited) -> None:
        await visited.said("ready")
        for number in range(4):
            await visited.central()
            await visited.said(f"link {number + 1}")
        await visited.said("end")

    program = SERVED + (
        "for number in range(4):\n    wait(number + 1)\n"
        "    print('advertises', tried(ble.gap_advertise, 50000, b''))\n    print('link', number + 1)\n"
        "print(tried(ble.gap_advertise, 50000, b'', connectable=False))\nble.gap_disconnect(seen[0][1])\nwait(5)\n"
        "print(tried(ble.gap_advertise, 50000, b''))\nprint('end')"
    )
    said = printed(tmp_path, program, visit)

    assert [line for line in said if line.startswith("advertises")] == ["advertises None"] * 3 + [
        "advertises OSError 12"
    ]
    assert said[-3:] == ["None", "None", "end"]


def test_what_is_not_connectable_can_still_be_asked_for_its_scan_response_unlike_the_model(tmp_path: Path) -> None:
    kinds = hci.HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType
    found = []

    async def look(visited: Visited) -> None:
        await visited.said("end")
        found.append(visited.port.controller.le_legacy_advertiser.advertising_type)

    printed(
        tmp_path,
        SERVED + "ble.gap_advertise(50000, b'', resp_data=b'', connectable=False)\nprint('end')\ntime.sleep_ms(200)",
        look,
    )

    assert found == [kinds.ADV_SCAN_IND]


def test_an_exception_that_escapes_the_handler_ends_all_events_for_good(tmp_path: Path) -> None:
    async def visit(visited: Visited) -> None:
        await visited.said("ready")
        one = await visited.central()
        await one.write(VALUE, b"one")
        await one.write(VALUE, b"two")
        await visited.said("end")

    program = SERVED.replace("    seen.append", "    if event == 3: 1 // 0\n    seen.append") + (
        "wait(2, 1000)\nprint([event[0] for event in seen])\nprint('end')"
    )
    said = printed(tmp_path, program, visit)

    assert "Unhandled exception in IRQ callback handler" in said
    assert said[-2:] == ["[1]", "end"]


def test_switching_off_ends_links_for_the_central_and_says_nothing_to_the_handler(tmp_path: Path) -> None:
    left = []

    async def visit(visited: Visited) -> None:
        await visited.said("ready")
        one = await visited.central()
        await visited.said("off")
        await asyncio.sleep(0)
        left.append(one.controller.le_connections)
        await visited.said("end")

    program = SERVED + (
        "wait(1)\nble.active(False)\nprint('off', len(seen))\nble.active(True)\ntime.sleep_ms(100)\n"
        "print([event[0] for event in seen if event[0] < 29])\nprint('end')"
    )

    assert printed(tmp_path, program, visit)[1:] == ["off 1", "[1]", "end"]
    assert left == [{}]


def test_a_controller_that_refuses_to_advertise_is_a_negative_errno_or_ealready_unlike_the_model(
    tmp_path: Path,
) -> None:
    async def refuse(visited: Visited) -> None:
        await visited.said("ready")
        here = visited.port.controller
        here.on_hci_le_set_advertising_enable_command = MethodType(_refuses, here)  # type: ignore[method-assign]
        visited.board.serial(b"x")

    program = SERVED + (
        "time.sleep_ms(300)\nprint(tried(ble.gap_advertise, 100000, b''))\n"
        "ble.active(False)\nble.active(True)\nprint(tried(ble.gap_advertise, 100000, b''))"
    )

    assert printed(tmp_path, program, refuse)[1:] == ["OSError 114", "OSError -524"]


def _refuses(_controller: object, _command: object) -> hci.HCI_StatusReturnParameters:
    return hci.HCI_StatusReturnParameters(REFUSED)


def test_a_controller_that_does_not_answer_costs_four_seconds_to_switch_off_and_four_to_switch_on(
    tmp_path: Path,
) -> None:
    async def deafen(visited: Visited) -> None:
        await visited.said("ready")
        here = visited.port.controller
        here.on_packet = MethodType(lambda _here, _packet: None, here)  # type: ignore[method-assign]
        await visited.said("deaf")
        del here.on_packet

    program = SERVED + (
        "time.sleep_ms(200)\nbegun = time.ticks_ms()\n"
        "print(ble.active(False), tried(ble.active, True), 7000 < time.ticks_ms() - begun < 9500)\nprint('deaf')\n"
        "time.sleep_ms(100)\nprint(tried(ble.active, True))"
    )

    assert printed(tmp_path, program, deafen)[1:] == ["False OSError 110 True", "deaf", "True"]
