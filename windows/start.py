"""What is double-clicked starts this, in the folder Dalej of the user's documents: the start page, or with `--terminal`
a command line.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import platformdirs

from dalej.cli import main

TERMINAL: Final = "cmd /k dalej --help"


def folder() -> Path:
    """Where events lie for whoever double-clicks; it is there afterwards."""
    there = Path(platformdirs.user_documents_dir()) / "Dalej"
    there.mkdir(parents=True, exist_ok=True)
    return there


if __name__ == "__main__":
    try:
        os.chdir(folder())
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    if sys.argv[1:] == ["--terminal"]:
        with suppress(KeyboardInterrupt):  # a Ctrl-C there is meant for what was typed there
            os.system(TERMINAL)
    else:
        main([])
