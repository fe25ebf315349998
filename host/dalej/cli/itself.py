"""How this program was started, so that the commands it tells people work when they are pasted."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

NAME: Final = "dalej"
POSIX: Final = os.name != "nt"


def command_line(*arguments: str) -> str:
    """`dalej` with these arguments as a shell takes it: by its path or as `python -m dalej`, if it was begun so."""
    words = [*_started(sys.argv[0], sys.orig_argv[0]), *arguments]
    return shlex.join(words) if POSIX else subprocess.list2cmdline(words)


def _started(program: str, python: str) -> Sequence[str]:
    path = Path(program)
    if path.name == "__main__.py":
        return [python, "-m", NAME]
    if path.stem != NAME or path.name == program:  # somebody else's program that calls this one, or found by its name
        return [NAME]
    found = shutil.which(NAME)
    return [NAME] if found is not None and Path(found).resolve() == path.resolve() else [program]
