"""Where files lie that nobody needs once their test is over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

MEMORY: Final = Path("/dev/shm") if Path("/dev/shm").is_dir() and "TMPDIR" not in os.environ else None
"""Where files are quick, unless somebody has said where they are to be."""
