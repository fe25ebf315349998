"""MicroPython's .bin for an ESP32, as it is downloaded: bootloader, partition table and program in one file.

Read here so that a wrong file is refused before a board is touched. Shapes: Espressif's image header (magic 0xE9, chip
at byte 12) and partition table (32-byte entries with magic AA 50, at 0x8000 of the flash). Where MicroPython keeps its
files follows ports/esp32/main.c: the partition `vfs` if the table has one, else all from the end of the last partition
to the end of the flash.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from dalej.errors import Refused, WrongInput
from dalej.words import N_


class Chip(NamedTuple):
    """`number`: in the image header; `offset`: where on its flash the .bin belongs."""

    name: str
    number: int
    offset: int


CHIPS: Final = {chip.name: chip for chip in (Chip("esp32", 0, 0x1000), Chip("esp32s3", 9, 0))}
OTHERS: Final = {2: "esp32s2", 5: "esp32c3", 12: "esp32c2", 13: "esp32c6", 16: "esp32h2", 18: "esp32p4"}
FILES_AT: Final = 0x200000  # of every MicroPython without over-the-air updates
OLDEST: Final = (1, 23)  # takes .mpy 6.3
_HEADER: Final = 24
_MAGIC: Final = 0xE9
_TABLE: Final = 0x8000
_TABLE_END: Final = 0x8C00
_ENTRY: Final = struct.Struct("<2sBBII16sI")
_ENTRY_MAGIC: Final = b"\xaa\x50"
_APP: Final = 0
_SECTOR: Final = 0x1000
_VERSION: Final = re.compile(rb"MicroPython (?:\([^)]*\) )?v(\d+)\.(\d+)[0-9A-Za-z.-]*")


class _Partition(NamedTuple):
    kind: int
    start: int
    size: int
    label: str


@dataclass(frozen=True, slots=True)
class MicroPython:
    """A checked .bin. Its files lie at `files_at` of the flash; `files_size`: None, up to the end of the flash."""

    name: str
    chip: Chip
    version: str
    data: bytes
    files_at: int
    files_size: int | None


def read(data: bytes, name: str) -> MicroPython:
    """The .bin of that name. WrongInput says in words what the file is instead."""
    found = _chip(data, name)
    partitions = list(_partitions(data[_TABLE - found.offset : _TABLE_END - found.offset]))
    if not any(partition.kind == _APP for partition in partitions):
        raise WrongInput(
            N_(
                "{file} has no partition table, so it is only a part of a MicroPython (.app-bin, for updates); "
                "expected the whole one, whose name ends in .bin"
            ),
            file=name,
        )
    version = _version(data, name)
    vfs = next((partition for partition in partitions if partition.label == "vfs"), None)
    at = vfs.start if vfs else _up(max(partition.start + partition.size for partition in partitions))
    if found.offset + len(data) > at:
        raise WrongInput(
            N_("{file} is too big: it would reach {end:#x} on the flash, and the files begin at {at:#x}"),
            file=name, end=found.offset + len(data), at=at,
        )  # fmt: skip
    return MicroPython(name, found, version, data, at, vfs.size if vfs else None)


def expect_chip(given: MicroPython, chip: str) -> None:
    """WrongInput if it is for another chip than the board's."""
    if given.chip.name != chip:
        raise WrongInput(
            N_("{file} is a MicroPython for {found}, and the board is {chip}"),
            file=given.name, found=given.chip.name, chip=chip,
        )  # fmt: skip


def expect_machine(machine: str, port: str) -> None:
    """Refused if there is no pin map for the board whose `sys.implementation._machine` this is, as its `board.py` would
    find out only when it starts.
    """
    chip = machine.rpartition(" with ")[2]
    plain = chip.lower().replace("-", "")
    if not (plain == "esp32" or plain.startswith(("esp32s3", "esp32pico"))):
        raise Refused(
            N_("the board at {port} is {chip}, for which there is no pin map: expected {chips}"),
            port=port, chip=chip or "?", chips=", ".join(CHIPS),
        )  # fmt: skip


def expect_new_enough(version: tuple[int, int], shown: str) -> None:
    """Refused if it does not take what mpy-cross makes."""
    if version < OLDEST:
        raise Refused(
            N_("MicroPython {version} is too old, expected {oldest} or later"),
            version=shown, oldest=".".join(map(str, OLDEST)),
        )  # fmt: skip


def _chip(data: bytes, name: str) -> Chip:
    if len(data) < _HEADER or data[0] != _MAGIC:
        raise WrongInput(
            N_("{file} is no image for an ESP32, expected MicroPython's .bin for the board, as it is downloaded"),
            file=name,
        )
    number = int.from_bytes(data[12:14], "little")
    for chip in CHIPS.values():
        if chip.number == number:
            return chip
    raise WrongInput(
        N_("{file} is an image for {found}, expected one for {chips}"),
        file=name, found=OTHERS.get(number, number), chips=", ".join(CHIPS),
    )  # fmt: skip


def _version(data: bytes, name: str) -> str:
    found = _VERSION.search(data)
    if found is None:
        raise WrongInput(N_("{file} is an image for an ESP32 with no MicroPython in it"), file=name)
    shown = found[0].rpartition(b" v")[2].decode()
    expect_new_enough((int(found[1]), int(found[2])), shown)
    return shown


def _partitions(table: bytes) -> Iterator[_Partition]:
    for entry in range(0, len(table) - _ENTRY.size + 1, _ENTRY.size):
        magic, kind, _subtype, start, size, label, _flags = _ENTRY.unpack_from(table, entry)
        if magic != _ENTRY_MAGIC:
            return
        yield _Partition(kind, start, size, label.rstrip(b"\0").decode("ascii", "replace"))


def _up(offset: int) -> int:
    return -(-offset // _SECTOR) * _SECTOR
