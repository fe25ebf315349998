"""The wheel, built from a copy of the tree, because building writes catalogues into it; and where its libraries are."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
BUILT_FROM: Final = (".gitignore", "LICENSE", "README.md", "hatch_build.py", "pyproject.toml", "host", "firmware")
LIBRARIES: Final = Path(sysconfig.get_paths()["purelib"])


def built(folder: Path) -> Path:
    """The wheel, in that empty folder."""
    for name in BUILT_FROM:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
        else:
            shutil.copy(source, folder / name)
    (folder / "firmware" / "lib" / "notes.txt").write_text("not for a board")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"],
        cwd=folder, capture_output=True, check=False, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (made,) = (folder / "dist").glob("*.whl")
    return made
