"""KiCad as it is installed: its command, its Python, its footprints. KiCad 9 or newer."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

PATIENCE: Final = 300  # seconds that one of its commands may take
OWN: Final = Path(__file__).parent
"""The folder with our own library of footprints, `Dalej.pretty`."""
_PYTHONS: Final = (
    "/usr/bin/python3",
    "/Applications/KiCad/KiCad.app/Contents/Frameworks/Python.framework/Versions/Current/bin/python3",
    "C:/Program Files/KiCad/9.0/bin/python.exe",
)
_FOOTPRINTS: Final = (
    "/usr/share/kicad/footprints",
    "/Applications/KiCad/KiCad.app/Contents/SharedSupport/footprints",
    "C:/Program Files/KiCad/9.0/share/kicad/footprints",
)


class NoKicad(RuntimeError):
    """KiCad is not there, or did not do what it was asked for; the message is for who wants the board's files."""


def command(*words: str) -> str:
    """What `kicad-cli` printed. NoKicad with its own words if it failed."""
    program = shutil.which("kicad-cli")
    if program is None:
        raise NoKicad("The flat box's files are written by KiCad 9, and there is no kicad-cli: install KiCad.")
    return _run([program, *words])


@cache
def python() -> str:
    """A Python that has KiCad's module; `DALEJ_KICAD_PYTHON` names another. NoKicad if there is none."""
    named = os.environ.get("DALEJ_KICAD_PYTHON")
    for each in [named] if named else [*_PYTHONS, sys.executable]:
        if shutil.which(each) and not subprocess.run(
            [each, "-c", "import pcbnew"], capture_output=True, timeout=PATIENCE, check=False
        ).returncode:  # fmt: skip
            return each
    raise NoKicad("No Python with KiCad's module pcbnew was found: name it in DALEJ_KICAD_PYTHON.")


@cache
def footprints() -> Path:
    """The folder of KiCad's own footprints. NoKicad if it is not installed."""
    for each in (os.environ.get("KICAD9_FOOTPRINT_DIR", ""), *_FOOTPRINTS):
        if each and Path(each).is_dir():
            return Path(each)
    raise NoKicad("KiCad's footprints are not installed: install the package kicad-footprints.")


def board(wanted: dict[str, Any]) -> dict[str, Any]:
    """Have `pcbnew_board.py` make a board of this data; what it tells of it."""
    libraries = [str(footprints()), str(OWN)]
    told = _run([python(), str(OWN / "pcbnew_board.py")], json.dumps({**wanted, "libraries": libraries}))
    found: dict[str, Any] = json.loads(told[told.index('{"pads"') :])
    return found


def pads(wanted: dict[str, Any]) -> list[list[Any]]:
    """Where the pads of a board of this data lie; nothing is kept of it."""
    with tempfile.TemporaryDirectory() as folder:
        found: list[list[Any]] = board({**wanted, "board": str(Path(folder, "pads.kicad_pcb"))})["pads"]
    return found


@cache
def _settings() -> str:
    """A folder for KiCad's settings: nobody's own are asked or changed."""
    folder = tempfile.TemporaryDirectory(prefix="kicad-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    return folder.name


def under_python(*words: str, environment: dict[str, str]) -> str:
    """What KiCad's Python printed. NoKicad with its own words if it failed."""
    return _run([python(), *words], environment=environment)


def _run(words: Sequence[str], given: str = "", environment: dict[str, str] | None = None) -> str:
    try:
        done = subprocess.run(
            words,
            input=given,
            env={**(environment or os.environ), "KICAD_CONFIG_HOME": _settings()},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as problem:
        raise NoKicad(f"{Path(words[0]).name} was not done after {PATIENCE} s.") from problem
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise NoKicad(f"{Path(words[0]).name} failed: {said[-1] if said else done.returncode}")
    return done.stdout
