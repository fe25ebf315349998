"""A board whose MicroPython is a program of this computer, built with NimBLE, and whose flash is a littlefs image.

    async with NimbleBoard(folder, hci="/dev/pts/7") as board:
        install(board.flash)
        await board.power_on()

Like `tests.board.board.VirtualBoard` but for what is real here: the Bluetooth host (the ESP32's own, with MicroPython's
own bindings, its controller behind a pseudo-terminal), littlefs on blocks, memory and its collector, and time. What
`install` puts on `flash` is what the image is made of at the first power-on; from then on the image is the flash.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from dalej.boxes.firmware.flash import Flash, disk_on, image
from dalej.boxes.firmware.tree import BoardFile
from tests.board.board import DEEPSLEEP, POWER_ON, VirtualBoard
from tests.board.board import HERE as BOARD
from tests.board.parts import Machine, Radio

HERE: Final = Path(__file__).parent
FLASH_SIZE: Final = 2 << 20  # of a stock board with 4 MB
HEAP: Final = 1 << 20  # objects are twice as big as on a board, and the stand-ins need their part


def micropython() -> Path:
    """The program that `MICROPYTHON` names; the test is skipped, in words, if there is none that will do."""
    named = os.environ.get("MICROPYTHON", "")
    if not named:
        pytest.skip("MICROPYTHON names no MicroPython with NimBLE; CONTRIBUTING.md says what it must be able to do")
    if os.name == "nt":
        pytest.skip("this system has no pseudo-terminals: NimBLE is tried on Linux and macOS")
    if why := _unfit(named):
        pytest.skip(why)
    return Path(named)


@cache
def _unfit(named: str) -> str:
    asked = "import bluetooth, vfs; bluetooth.BLE; vfs.VfsLfs2"
    try:
        subprocess.run([named, "-c", asked], check=True, capture_output=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return f"MICROPYTHON={named} has no `bluetooth` or no `vfs.VfsLfs2`, or is no MicroPython at all"
    return ""


class NimbleBoard(VirtualBoard):
    """`hci`: the terminal with the controller behind it; to be there before the power is."""

    def __init__(
        self, folder: Path, machine: Machine | None = None, *, hci: str = "", radio: Radio | None = None
    ) -> None:
        super().__init__(folder, machine, radio=radio)
        self.hci = hci
        self.image = folder / "flash.bin"
        self.said = 0  # lines of the last power-on

    def files(self) -> dict[str, bytes]:
        """What is on the image, by path: read by littlefs's own Python binding."""
        flash = Flash(0)
        flash.buffer = bytearray(self.image.read_bytes())
        disk = disk_on(flash)
        disk.mount()
        found = {}
        for folder, _, names in disk.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}"
                with disk.open(path, "rb") as file:
                    found[path.lstrip("/")] = file.read()
        disk.unmount()
        return found

    async def _start(self, cause: int, *, raw: bool = False) -> None:
        program = micropython()
        if not self.image.exists():
            paths = [path for path in self.flash.rglob("*") if path.is_file()]
            files = [BoardFile(path.relative_to(self.flash).as_posix(), path.read_bytes()) for path in paths]
            self.image.write_bytes(image(files, FLASH_SIZE))
        if cause == POWER_ON:
            self._memory = ""
        read, write = os.pipe()
        self._process = await asyncio.create_subprocess_exec(
            str(program), "-X", f"heapsize={HEAP}", str(HERE / "native" / "start.py"), str(BOARD / "standins"),
            str(write), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            pass_fds=(write,), env={**os.environ, "MICROPYBTUART": self.hci},
        )  # fmt: skip
        os.close(write)
        self._on_at = self.time
        self._waiting = self.ended = self._cut = False
        machine = {**asdict(self.machine), "cause": cause, "memory": self._memory, "levels": self._levels}
        self._send({"image": str(self.image), "machine": machine})
        self._reader = asyncio.create_task(self._listen(self._process, read))

    async def _listen(self, process: asyncio.subprocess.Process, descriptor: int) -> None:
        """What the board says, until its process ends; what comes after a reset or a cut."""
        import json

        assert process.stdout is not None
        lines = asyncio.StreamReader(limit=1 << 22)
        protocol = asyncio.StreamReaderProtocol(lines)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, os.fdopen(descriptor, "rb"))
        printed = asyncio.create_task(self._hear_serial(process))
        again = 0
        while line := await lines.readline():
            try:
                said = json.loads(line)
            except ValueError:
                break  # the power went in the middle of it
            if process is not self._process:
                continue
            if said[1] == "reset":
                again = self._reset(*said)[0]
            else:
                self._take(*said)
            self._news.set()
            if said[1] in {"reset", "cut"}:
                process.kill()
        await printed
        transport.close()
        await process.wait()
        if process is not self._process:
            return
        self._process = None
        self._gone()
        if not again and not self._cut:
            self.troubles.append(f"the virtual machine ended with {process.returncode}")
        elif again and self.comes_back and again != DEEPSLEEP:
            await self._start(again)
        self._news.set()

    async def _hear_serial(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while data := await process.stdout.read(4096):
            if process is self._process:
                self._take(0, "serial", data.hex())
                self._news.set()
