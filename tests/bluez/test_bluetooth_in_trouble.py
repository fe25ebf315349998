"""Bluetooth that is off, missing, gone or hung: one sentence that says what to do, and all goes on when it is back."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.bluez import peripheral as p
from tests.bluez.hall import hall
from tests.waiting import until

SOON: Final[dict[str, Any]] = {"again_ms": 100}


def test_bluetooth_switched_off_in_the_middle_is_said_and_the_hall_comes_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 2) as there, there.desk(**SOON, quiet_ms=400) as place:
            await until(lambda: all(map(place.live, there.boxes)), "every box has its link")
            there.bluez.adapters["hci0"].switch(on=False)
            await until(lambda: "switched off" in place.trouble, "the desk says what is wrong")
            assert not any(map(place.live, there.boxes))
            there.bluez.adapters["hci0"].switch(on=True)
            await until(lambda: all(map(place.live, there.boxes)), "every box has its link again")
            assert place.trouble == ""

    asyncio.run(scenario())


def test_bluetooth_that_is_off_from_the_start_is_said(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there:
            there.bluez.adapters["hci0"].switch(on=False)
            async with there.desk(**SOON) as place:
                await until(lambda: place.trouble, "the desk says what is wrong")
                assert place.trouble == "Bluetooth is switched off: switch it on"
                there.bluez.adapters["hci0"].switch(on=True)
                await place.let_in(there.boxes[0])

    asyncio.run(scenario())


def test_a_computer_without_an_adapter_says_so_until_one_is_plugged_in(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path, 1, []) as there, there.desk(**SOON) as place:
            await until(lambda: place.trouble, "the desk says what is wrong")
            assert place.trouble == "this computer has no Bluetooth adapter, or its driver does not run"
            there.bluez.plug("hci0", 3)
            await place.let_in(there.boxes[0])

    asyncio.run(scenario())


def test_an_adapter_of_another_name_than_there_is_is_said(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk(adapters=["hci7"], **SOON) as place:
            await until(lambda: place.trouble, "the desk says what is wrong")
            assert "hci7" in place.trouble

    asyncio.run(scenario())


def test_an_adapter_that_is_pulled_out_and_plugged_in_again_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk(**SOON, quiet_ms=400) as place:
            await place.let_in(there.boxes[0])
            there.bluez.unplug("hci0")
            await until(lambda: place.trouble, "the desk says what is wrong")
            there.bluez.plug("hci0", 3)
            await until(lambda: place.live(there.boxes[0]), "the desk is let in again")

    asyncio.run(scenario())


def test_a_bluetooth_service_that_ends_is_said_and_all_goes_on_when_it_is_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk(**SOON, quiet_ms=400) as place:
            await place.let_in(there.boxes[0])
            await there.restart(lambda: until(lambda: place.trouble, "the desk says what is wrong"))
            await until(lambda: place.live(there.boxes[0]), "the desk is let in again")

    asyncio.run(scenario())


def test_a_computer_without_a_bus_is_said_to_have_no_bluetooth_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there:
            monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/nothing")
            async with there.desk(**SOON) as place:
                await until(lambda: place.trouble, "the desk says what is wrong")
                assert "bluetoothd" in place.trouble

    asyncio.run(scenario())


def test_a_scanner_that_has_gone_quiet_is_started_anew(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk(**SOON, quiet_ms=400) as place:
            box, adapter = there.boxes[0], there.bluez.adapters["hci0"]
            await place.let_in(box)
            starts = adapter.starts
            adapter.stall()
            await until(lambda: adapter.starts > starts, "the scanner is started anew")
            assert place.live(box)

    asyncio.run(scenario())


def test_a_scan_that_bluez_refuses_at_first_is_tried_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there:
            there.bluez.adapters["hci0"].start_refusals = 2
            async with there.desk(**SOON) as place:
                await place.let_in(there.boxes[0])
                assert place.trouble == ""

    asyncio.run(scenario())


def test_what_went_wrong_in_the_hall_is_in_the_log_afterwards(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there, there.desk(**SOON, quiet_ms=400) as place:

            def noted(part: str) -> bool:
                place.log.look(place.clock.now_ms())
                return any(part in line for line in place.noted)

            box, adapter = there.boxes[0], there.bluez.adapters["hci0"]
            await until(lambda: place.live(box), "the desk is let in")
            adapter.stall()
            await until(lambda: noted("heard no box for a while"), "that its scanner was started anew is kept")
            adapter.switch(on=False)
            await until(lambda: noted("does not scan: Bluetooth is switched off"), "why nothing is heard is kept")
            adapter.switch(on=True)
            await until(lambda: noted("scans again, after"), "that it works again is kept")
            await until(lambda: noted("after the link before"), "the new link is kept")

        who = f"table 1, box {box.uid.hex()}: "
        about = [line.removeprefix(who) for line in place.noted if line.startswith(who)]
        first = next(line for line in about if line.startswith("linked"))
        fell = next(line for line in about if line.startswith("link over"))
        assert re.match(r"linked over the air, -\d+ dBm(, \d+ bytes at a time)?, in \d\.\d s$", first)
        assert re.match(r"link over after \d+\.\d s, it fell$", fell)

    asyncio.run(scenario())


def test_a_connect_that_comes_to_nothing_is_in_the_log_with_its_reason_and_the_signal(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with hall(tmp_path) as there:
            there.on_air[0].faults += [p.REFUSED, p.REFUSED]
            async with there.desk(**SOON) as place:
                await until(lambda: any("at attempt 2: " in line for line in place.noted), "two attempts are kept")
        (line, *_) = [line for line in place.noted if "not linked" in line]
        assert re.search(
            r"not linked after \d\.\d s, -\d+ dBm, at attempt 1: box \w+ did not let itself be linked", line
        )

    asyncio.run(scenario())
