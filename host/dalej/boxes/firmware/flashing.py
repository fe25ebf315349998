"""esptool at work: who is on the cable, and parts of a flash written so that a half-written board does not start.

The whole flash is erased and the files go first; MicroPython, without which nothing starts, goes last. esptool
compares a checksum of what it wrote. What a run before has written and nothing has changed since is not written again.

An ESP32's own ROM loader has answered esptool, in emulation; on a board nobody has tried it yet. What esptool prints is
read as version 5 prints it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.boxes.firmware.flash import Part
from dalej.boxes.firmware.micropython import CHIPS
from dalej.boxes.firmware.programs import ProgramFailed, lines
from dalej.errors import Unreachable, WrongInput
from dalej.words import N_

Progress = Callable[[str, int], None]  # what is being written, and percent of it

_CHIP: Final = re.compile(r"^Connected to (\S+) on ")
_MAC: Final = re.compile(r"^(?:BASE )?MAC:\s+((?:[0-9a-f]{2}:){5}[0-9a-f]{2})$")
_FLASH: Final = re.compile(r"^Detected flash size:\s+(\d+)MB$")
_PERCENT: Final = re.compile(r"\b(\d{1,3})(?:\.\d)?%")
_CONNECT_S: Final = 60
_ERASE_S: Final = 240  # a whole chip of 16 MB, of which nothing is said while it lasts
_BAUD: Final = "460800"
_STAY: Final = ("--after", "no-reset")


@dataclass(frozen=True, slots=True)
class Found:
    """A board in its ROM loader. `uid`: as `machine.unique_id` will tell it; `flash_size`: bytes."""

    chip: str
    uid: bytes
    flash_size: int


def look(port: str) -> Found:
    """Who is on the cable. Unreachable if nobody answers, WrongInput for a chip that Dalej does not know."""
    printed = list(_esptool(port, [*_STAY, "flash-id"], _CONNECT_S))
    chip, mac, flash = (_first(pattern, printed) for pattern in (_CHIP, _MAC, _FLASH))
    if not (chip and mac and flash):
        raise Unreachable(N_("the board at {port} does not say which chip, address and flash it has"), port=port)
    name = chip.lower().replace("-", "")
    if name not in CHIPS:
        raise WrongInput(N_("the board at {port} is {found}, expected {chips}"), port=port, found=chip,
                         chips=", ".join(CHIPS))  # fmt: skip
    return Found(name, bytes.fromhex(mac.replace(":", "")), int(flash) << 20)


def write(port: str, parts: Sequence[Part], progress: Progress) -> list[Part]:
    """Write the parts, the last ones first, and start the board; those that had to be written. Unreachable if the
    cable is pulled: the same again goes on. A board that does not answer the last word, to start, has everything.
    """
    order = sorted(parts, key=lambda part: part.offset, reverse=True)
    with tempfile.TemporaryDirectory(prefix="dalej-") as name:
        folder = Path(name)  # nobody else may look into it: the files hold the identity
        for part in order:
            (folder / part.what).write_bytes(part.data)
        due = list(order)
        while due and _verified(port, due[0], folder):
            due.pop(0)
        for part in due:
            progress(part.what, 0)
            for percent in _written(port, part, folder, erase=part is order[0]):
                progress(part.what, percent)
        with suppress(Unreachable):  # its port may have gone with the reset, or its loader may not be back yet
            for _ in _esptool(port, ["--after", "hard-reset", "flash-id"], _CONNECT_S):
                pass
    return due


def _verified(port: str, part: Part, folder: Path) -> bool:
    """Whether the flash holds the part already."""
    try:
        for _ in _esptool(port, [*_STAY, "verify-flash", hex(part.offset), part.what], _CONNECT_S, folder):
            pass
    except _Differs:
        return False
    return True


def _written(port: str, part: Part, folder: Path, *, erase: bool = True) -> Iterator[int]:
    """Percent of the part, as it is written; `erase`: the whole flash before it."""
    arguments = [
        *_STAY,
        "--baud",
        _BAUD,
        "write-flash",
        *(["--erase-all"] if erase else []),
        hex(part.offset),
        part.what,
    ]
    for line in _esptool(port, arguments, _ERASE_S, folder):
        if percent := _PERCENT.search(line):
            yield int(percent[1])


class _Differs(Exception):
    """The flash holds something else."""


def _esptool(port: str, arguments: Sequence[str], silent_s: float, folder: Path | None = None) -> Iterable[str]:
    try:
        yield from lines("esptool", ["--port", port, *arguments], folder=folder, silent_s=silent_s)
    except ProgramFailed as failed:
        if failed.says("Could not open"):
            raise Unreachable(N_("there is no {port}, or another program uses it"), port=port) from failed
        if failed.says("Verification failed"):
            raise _Differs from failed
        if failed.says("Failed to connect"):
            raise Unreachable(
                N_(
                    "no ESP32 answers at {port}; hold its BOOT button while you plug it in, "
                    "and use a cable that carries data"
                ),
                port=port,
            ) from failed
        raise Unreachable(
            N_("the board at {port} stopped answering ({problem}); plug it in again and run the same command"),
            port=port, problem=failed.reason,
        ) from failed  # fmt: skip


def _first(pattern: re.Pattern[str], printed: Iterable[str]) -> str | None:
    return next((found[1] for line in printed if (found := pattern.match(line.strip()))), None)
