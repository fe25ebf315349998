"""Feeds one target from atheris, the coverage-guided fuzzer: `python -m tests.fuzz TARGET [SECONDS]`.

atheris is not installed with the rest (it is for Linux and macOS alone): `.venv/bin/pip install atheris`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from tests.fuzz import targets

SECONDS = 60


def main(arguments: Sequence[str]) -> int:
    """Fuzz until the time is over; ends with atheris' own exit code if a target fails."""
    name = arguments[0] if arguments else ""
    if name not in targets.TARGETS:
        print(f"{name}: no such target, expected one of {', '.join(targets.TARGETS)}", file=sys.stderr)
        return 2
    try:
        atheris = import_module("atheris")
    except ImportError:
        print("atheris is not installed: .venv/bin/pip install atheris", file=sys.stderr)
        return 1
    seconds = int(arguments[1]) if len(arguments) > 1 else SECONDS
    atheris.instrument_all()
    atheris.Setup(["tests.fuzz", f"-max_total_time={seconds}", "-max_len=600"], targets.TARGETS[name])
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
