"""Plays the checks that ask no picture, page or KiCad, on a copy of what they judge: hardware/flat and firmware/."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tests.documents import ROOT

OF_DATA_SHEETS: Final = ("test_datasheets", "test_datasheets_firmware")
CHECKS: Final = (*OF_DATA_SHEETS, "test_rules")
SECONDS: Final = 300
"""For a run that takes two of a quiet machine."""
_HERE: Final = Path("tests", "hardware", "flat")
_COPIED: Final = ("hardware/flat", "firmware")
_FILES: Final = (
    "hardware/__init__.py", "hardware/firmware.py",
    *(str(_HERE / f"{name}.py") for name in (*CHECKS, "datasheets")),
)  # fmt: skip
_NOT_COPIED: Final = shutil.ignore_patterns("__pycache__", "*.pyc", "case", "*.md", "*.pretty")
_SETTINGS: Final = "[pytest]\npythonpath = .\naddopts = --import-mode=importlib --noconftest\n"
_PLAIN: Final = ("-B", "-m", "pytest", "-p", "no:cacheprovider", "--tb=line", "-rf")


class Judged(NamedTuple):
    """What came of it. `failed`: names of tests, none if all passed; `said`: all that was printed."""

    status: int
    failed: tuple[str, ...]
    said: str


def copied(folder: Path) -> Path:
    """A copy with no picture in it, to be spoilt."""
    for name in _COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=_NOT_COPIED)
    for name in _FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (folder / "pytest.ini").write_text(_SETTINGS, "utf-8")
    return folder


def judged(folder: Path, *, checks: tuple[str, ...] = CHECKS, to_the_end: bool = False) -> Judged:
    """What the checks say of a copy; the first that fails ends it, unless all are to be heard."""
    files = [str(_HERE / f"{name}.py") for name in checks]
    # what is judged comes before what is installed, nothing compiled is left for the next, and no plugin is brought in
    paths = os.pathsep.join(str(folder / name) for name in (".", "firmware/lib"))
    done = subprocess.run(
        [sys.executable, *_PLAIN, "-q", *([] if to_the_end else ["-x"]), *files],
        cwd=folder, env=os.environ | {"PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, encoding="utf-8", check=False, timeout=SECONDS,
    )  # fmt: skip
    failed = re.findall(r"(?m)^FAILED \S+?/(\w+\.py::\w+)", done.stdout)
    return Judged(done.returncode, tuple(failed), done.stdout + done.stderr)
