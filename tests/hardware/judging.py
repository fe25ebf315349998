"""Plays the checks that ask no kept picture and no kept page, on a copy of what they judge: hardware/ and firmware/."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tests.documents import ROOT

OF_DATA_SHEETS: Final = ("test_datasheets", "test_datasheets_drawn", "test_datasheets_firmware")
OTHERS: Final = (
    "test_circuit_rules", "test_circuit", "test_circuit_carrier", "test_circuit_checks",
    "test_harness", "test_bom", "test_bom_polish", "test_power",
)  # fmt: skip
LEFT_OUT: Final = ("kept", "page", "picture")
"""In the names of tests that compare with what is kept, or draw it."""
SECONDS: Final = 100
_COPIED: Final = ("hardware", "firmware", "tests/hardware", "tests/firmware", "tests/board", "tests/vm", "tools")
_NOT_COPIED: Final = shutil.ignore_patterns("__pycache__", "pictures", "guide", "*.pyc", "node_modules")
_SETTINGS: Final = "[pytest]\npythonpath = .\naddopts = --import-mode=importlib --noconftest\n"


class Judged(NamedTuple):
    """What came of it. `failed`: names of tests, none if all passed; `said`: all that was printed."""

    status: int
    failed: tuple[str, ...]
    said: str


def copied(folder: Path) -> Path:
    """A copy with no picture in it, to be spoilt."""
    for name in _COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=_NOT_COPIED)
    shutil.copy2(ROOT / "tests" / "documents.py", folder / "tests")
    (folder / "tests" / "vm" / "node_modules").symlink_to(ROOT / "tests" / "vm" / "node_modules")
    (folder / "pytest.ini").write_text(_SETTINGS, "utf-8")
    return folder


def judged(folder: Path, *, checks: tuple[str, ...] = (*OF_DATA_SHEETS, *OTHERS), to_the_end: bool = False) -> Judged:
    """What the checks say of a copy; the first that fails ends it, unless all are to be heard."""
    words = " and ".join(f"not {word}" for word in LEFT_OUT)
    files = [f"tests/hardware/{name}.py" for name in checks]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=line", "-rf", "-k", words]
    # what is judged comes before what is installed, and nothing compiled is left for the next
    paths = os.pathsep.join(str(folder / name) for name in (".", "firmware/lib"))
    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", *options, *([] if to_the_end else ["-x"]), *files],
        cwd=folder, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, encoding="utf-8",
        check=False, timeout=SECONDS,
    )  # fmt: skip
    failed = re.findall(r"(?m)^FAILED \S+?/(\w+\.py::\w+)", done.stdout)
    return Judged(done.returncode, tuple(failed), done.stdout + done.stderr)
