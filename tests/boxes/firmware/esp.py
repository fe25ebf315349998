"""A .bin as MicroPython's are, made from nothing: valid headers, partition table and checksums, and no program."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from functools import reduce
from operator import xor

BANNER = b"MicroPython v1.27.0 on 2025-12-09; Generic ESP32 module with ESP32\0"
APP = (0, 0, 0x10000, 0x1F0000, "factory")
STOCK = ((1, 2, 0x9000, 0x6000, "nvs"), (1, 1, 0xF000, 0x1000, "phy_init"), APP)
LOADED_AT = {0: 0x40080000, 9: 0x40374000, 5: 0x40380000}


def image(chip: int, data: bytes) -> bytes:
    """One ESP image with one segment."""
    data += bytes(-len(data) % 4)
    at = LOADED_AT.get(chip, LOADED_AT[0])
    written = struct.pack("<BBBBI", 0xE9, 1, 2, 0x20, at)
    written += struct.pack("<BBBBHBHH4xB", 0xEE, 0, 0, 0, chip, 0, 0, 399, 1)
    written += struct.pack("<II", at, len(data)) + data
    written += bytes(15 - len(written) % 16) + bytes([reduce(xor, data, 0xEF)])
    return written + hashlib.sha256(written).digest()


def table(partitions: Sequence[tuple[int, int, int, int, str]]) -> bytes:
    """A partition table; its last entry is the MD5 of the others."""
    entries = b"".join(
        struct.pack("<2sBBII16sI", b"\xaa\x50", kind, subtype, start, size, label.encode(), 0)
        for kind, subtype, start, size, label in partitions
    )
    return entries + b"\xeb\xeb" + b"\xff" * 14 + hashlib.md5(entries).digest()


def micropython(
    chip: int = 0,
    *,
    banner: bytes = BANNER,
    partitions: Sequence[tuple[int, int, int, int, str]] = STOCK,
    more: int = 0,
) -> bytes:
    """All of a .bin: bootloader, table, program; `more` bytes of program."""
    offset = 0x1000 if chip == 0 else 0
    app = next((start for kind, _, start, _, _ in partitions if kind == 0), 0x10000)
    written = bytearray(image(chip, b"second stage bootloader"))
    for at, data in ((0x8000, table(partitions)), (app, image(chip, banner + bytes(more)))):
        written += b"\xff" * (at - offset - len(written)) + data
    return bytes(written)
