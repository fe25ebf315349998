"""What `Dalej.cmd` starts: the start page, in the folder Dalej of the user's documents. `--folder` prints that one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import platformdirs

from dalej.cli import main


def folder() -> Path:
    """Where a double-click looks for events; it is there afterwards."""
    there = Path(platformdirs.user_documents_dir()) / "Dalej"
    there.mkdir(parents=True, exist_ok=True)
    return there


if __name__ == "__main__":
    try:
        os.chdir(folder())
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    if sys.argv[1:] == ["--folder"]:
        click.echo(Path.cwd())
    else:
        main([])
