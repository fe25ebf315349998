"""Serial ports: which are offered, how they are opened, and what is said of those that cannot be."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial
from serial.tools import list_ports

from dalej.clock import SystemClock
from dalej.errors import Unreachable
from dalej.link import usb
from dalej.link.plug import Plug
from tests.link.cablebox import CableBox, PtyBox
from tests.link.loop import run
from tests.link.rig import UID

on_ptys = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a box behind")


def listed(device: str, vid: int | None, pid: int | None = None, description: str = "") -> SimpleNamespace:
    return SimpleNamespace(device=device, vid=vid, pid=pid, description=description)


def test_only_ports_of_usual_boards_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        listed("/dev/ttyUSB1", 0x10C4, description="CP2102"),
        listed("/dev/ttyS0", None),
        listed("/dev/ttyACM0", 0x303A, description="ESP32-S3"),
        listed("/dev/ttyACM1", 0x04E8, description="a phone"),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: found)

    assert usb.ports() == [("/dev/ttyACM0", "ESP32-S3"), ("/dev/ttyUSB1", "CP2102")]


@pytest.mark.parametrize(
    ("vid", "pid", "dtr"),
    [(0x10C4, 0xEA60, False), (0x1A86, 0x7523, False), (0x303A, 0x1001, False), (0x303A, 0x4001, True)],
    ids=["CP2102", "CH340", "S3 serial JTAG", "S3 USB"],
)
def test_the_lines_that_reset_a_board_are_set_before_the_port_is_opened(
    monkeypatch: pytest.MonkeyPatch, vid: int, pid: int, dtr: bool
) -> None:
    opened: list[tuple[bool, bool]] = []

    class Seen(serial.Serial):
        def open(self) -> None:
            opened.append((self.dtr, self.rts))
            raise serial.SerialException(2, "no such port")

    monkeypatch.setattr(serial, "Serial", Seen)
    monkeypatch.setattr(list_ports, "comports", lambda: [listed("port", vid, pid)])

    with pytest.raises(Unreachable, match="there is no port port"):
        run(lambda: usb.open_wire("port"))
    assert opened == [(dtr, False)]


@on_ptys
def test_a_link_that_names_a_board_is_opened_as_the_port_that_it_leads_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[bool] = []
    port, link = tmp_path / "ttyACM0", tmp_path / "my-board"
    port.touch()
    link.symlink_to(port.name)

    class Seen(serial.Serial):
        def open(self) -> None:
            opened.append(self.dtr)
            raise serial.SerialException(2, "no such port")

    monkeypatch.setattr(serial, "Serial", Seen)
    monkeypatch.setattr(list_ports, "comports", lambda: [listed(str(port), 0x303A, 0x4001)])

    with pytest.raises(Unreachable):
        run(lambda: usb.open_wire(str(link)))
    assert opened == [True]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (serial.SerialException(2, "x"), "there is no port COM9: plug the box in, or look for its name"),
        (serial.SerialException(16, "x"), "COM9 is in use by another program: close it and try again"),
        (serial.SerialException(11, "x"), "COM9 is in use by another program"),
        (serial.SerialException("could not open: PermissionError(13, 'Access is denied')"), "COM9 is in use"),
        (serial.SerialException("could not open: FileNotFoundError(2, 'no')"), "there is no port COM9"),
        (OSError(22, "odd"), "COM9 cannot be opened: odd$"),
        (
            serial.SerialException("Could not configure port: (5, 'Input/output error')"),
            "COM9 cannot be opened: Input/output error$",
        ),
        (
            serial.SerialException(6, "could not open port COM9: [Errno 6] No such device: 'COM9'"),
            "COM9 cannot be opened: No such device$",
        ),
    ],
)
def test_a_port_that_cannot_be_opened_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def fail(_: Any) -> None:
        raise error

    monkeypatch.setattr(serial.Serial, "open", fail)

    with pytest.raises(Unreachable, match=said):
        run(lambda: usb.open_wire("COM9"))


@on_ptys
@pytest.mark.parametrize("kind", ["file", "folder", "another device", "a link to a file"])
def test_what_is_no_serial_port_is_said_to_be_none(tmp_path: Path, kind: str) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    link = tmp_path / "it"
    link.symlink_to(plain)
    named = {"file": plain, "folder": tmp_path, "another device": Path("/dev/null"), "a link to a file": link}

    with pytest.raises(Unreachable, match=f"{named[kind]} is no serial port: expected a name such as /dev/"):
        run(lambda: usb.open_wire(str(named[kind])))


@pytest.mark.parametrize(
    ("system", "example"), [("win32", "COM3"), ("darwin", "/dev/cu.usbserial-110"), ("linux", "/dev/ttyUSB0")]
)
def test_a_port_is_named_as_on_this_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, example: str
) -> None:
    monkeypatch.setattr("sys.platform", system)

    assert usb._why_not(str(tmp_path), OSError(1, "odd")).data["example"] == example


@on_ptys
def test_a_port_that_may_not_be_opened_names_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Any) -> None:
        raise serial.SerialException(13, "x")

    monkeypatch.setattr(serial.Serial, "open", fail)

    with pytest.raises(Unreachable, match="join the group that owns it, such as dialout"):
        run(lambda: usb.open_wire("/dev/ttyUSB0"))


# --- a real serial port -----


@on_ptys
def test_a_box_at_a_serial_port_answers_and_the_port_is_free_afterwards() -> None:
    async def who() -> bytes:
        async with Plug(await usb.open_wire(box.device), box.device, SystemClock()) as plug:
            return (await plug.who()).info.uid

    with PtyBox(CableBox()) as box:
        assert run(who) == UID
        assert run(who) == UID


@on_ptys
def test_a_port_in_use_is_not_shared() -> None:
    async def twice() -> None:
        async with Plug(await usb.open_wire(box.device), box.device, SystemClock()):
            await usb.open_wire(box.device)

    with PtyBox(CableBox()) as box, pytest.raises(Unreachable, match="is in use by another program"):
        run(twice)


@on_ptys
def test_a_port_that_vanishes_ends_every_read() -> None:
    async def read() -> bytes:
        wire = await usb.open_wire(device)
        os.write(master, b"x")
        assert await wire.read() == b"x"
        os.close(master)
        assert await wire.read() == b""
        last = await wire.read()
        with pytest.raises(Unreachable, match="takes nothing: plug the cable in again"):
            await wire.write(b"x")
        await wire.close()
        return last

    master, slave = os.openpty()
    device = os.ttyname(slave)
    try:
        assert run(read) == b""
    finally:
        os.close(slave)
