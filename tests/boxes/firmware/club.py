"""A club of its own for a test: nothing of this computer's keyring or folders is touched."""

from __future__ import annotations

import os
from pathlib import Path


def environment(home: Path) -> dict[str, str]:
    """For a program that a test starts."""
    return {
        **os.environ, "DALEJ_HOME": str(home), "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        "LANGUAGE": "en", "PYTHONIOENCODING": "utf-8",
    }  # fmt: skip
