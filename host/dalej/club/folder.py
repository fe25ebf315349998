"""Where a club's things lie on this computer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import platformdirs

VARIABLE: Final = "DALEJ_HOME"


def club_folder() -> Path:
    """The folder that `DALEJ_HOME` names, else the user's own for application data; it need not exist."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else Path(platformdirs.user_data_dir("dalej", appauthor=False))
