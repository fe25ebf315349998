"""How long flash stops a board: the journal's calls on littlefs at MicroPython's geometry, learned once and then drawn.

- An erase stops everything, interrupts included, for 80 ms (micropython#3782).
- A program takes 1 ms: a page, for which usual data sheets say 0.4 to 3 ms.
- A read takes 80 us, however little it brings: ESP-IDF's own target for reads of 4 bytes, 35.2 kB/s, leaves 110 us for
  one. littlefs reads 32 to 128 bytes at a time and much more often than it writes, so its calls are counted as they
  come: about 150 of them in a commit, over a thousand where a folder's block is full and is written anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from moveclock.segments import Flash
from tests.journal.little_flash import BLOCK, Chip, LittleFlash

ERASE_US: Final = 80_000
PROGRAM_US: Final = 1_000
READ_US: Final = 80
HEAD: Final = "journal/head"
BLOCKS: Final = 512  # 2 MB, what a stock 4 MB board leaves for files


class Cost(NamedTuple):
    """What one call did to the chip, and so for how long nothing else happened."""

    us: int
    erases: int
    reads: int = 0


Costs = dict[str, list[Cost]]  # by call, kind of file and amount; and by call alone
Meter = Callable[[str, str, int], None]


class Metered(Flash):
    """A flash that tells `meter` of every call, when it is done: its name, the path and the bytes written."""

    def __init__(self, flash: Flash, meter: Meter) -> None:
        self._flash = flash
        self._meter = meter

    def names(self, folder: str) -> list[str]:
        found = list(self._flash.names(folder))
        self._meter("names", folder, 0)
        return found

    def read(self, path: str) -> bytes | None:
        found = self._flash.read(path)
        self._meter("read", path, 0)
        return found

    def write(self, path: str, data: bytes) -> None:
        self._flash.write(path, data)
        self._meter("write", path, len(data))

    def append(self, path: str, data: bytes) -> None:
        self._flash.append(path, data)
        self._meter("append", path, len(data))

    def remove(self, path: str) -> None:
        self._flash.remove(path)
        self._meter("remove", path, 0)

    def make(self, folder: str) -> None:
        self._flash.make(folder)
        self._meter("make", folder, 0)

    def remove_folder(self, folder: str) -> None:
        self._flash.remove_folder(folder)
        self._meter("remove_folder", folder, 0)


def learning(costs: Costs, spend: Callable[[Cost], None]) -> Flash:
    """A new chip with littlefs; what each call costs is spent and put into `costs`."""
    chip = Chip(b"\xff" * (BLOCKS * BLOCK))
    flash = LittleFlash(chip, blank=True)
    chip.forget()

    def meter(call: str, path: str, size: int) -> None:
        cost = _cost(chip)
        for kind in (_kind(call, path, size), call):
            costs.setdefault(kind, []).append(cost)
        chip.forget()
        spend(cost)

    return Metered(flash, meter)


def drawing(costs: Costs, spend: Callable[[Cost], None], random: Random) -> Flash:
    """Flash in memory; each call spends what one of its kind has cost.

    Only the head is on a littlefs too, in a folder like the journal's: when it erases depends on all that went before.
    """
    chip = Chip(b"\xff" * (BLOCKS * BLOCK))
    heads = LittleFlash(chip, blank=True)
    for folder in ("journal", "journal/epoch"):
        heads.make(folder)

    def meter(call: str, path: str, size: int) -> None:
        if (call, path) == ("write", HEAD):
            chip.forget()
            heads.write(HEAD, bytes(size))
            spend(_cost(chip))
            return
        known = costs.get(_kind(call, path, size)) or costs.get(call)
        if known:
            spend(random.choice(known))

    return Metered(FolderFlash(), meter)


def _cost(chip: Chip) -> Cost:
    us = chip.erases * ERASE_US + chip.programs * PROGRAM_US + chip.reads * READ_US
    return Cost(us, chip.erases, chip.reads)


def _kind(call: str, path: str, size: int) -> str:
    return f"{call} {re.sub('[0-9][0-9a-f]*', '#', path)} {size // 32}"


class FolderFlash(Flash):
    """Flash in memory that takes no time, whatever it holds."""

    def __init__(self) -> None:
        self._folders: dict[str, dict[str, bytes]] = {"": {}}

    def names(self, folder: str) -> list[str]:
        inside = [path[len(folder) + 1 :] for path in self._folders if path and path.rpartition("/")[0] == folder]
        return [*self._folders.get(folder, ()), *inside]

    def read(self, path: str) -> bytes | None:
        folder, _, name = path.rpartition("/")
        return self._folders.get(folder, {}).get(name)

    def write(self, path: str, data: bytes) -> None:
        folder, _, name = path.rpartition("/")
        self._folders[folder][name] = data

    def append(self, path: str, data: bytes) -> None:
        folder, _, name = path.rpartition("/")
        self._folders[folder][name] += data

    def remove(self, path: str) -> None:
        folder, _, name = path.rpartition("/")
        del self._folders[folder][name]

    def make(self, folder: str) -> None:
        self._folders.setdefault(folder, {})

    def remove_folder(self, folder: str) -> None:
        del self._folders[folder]
