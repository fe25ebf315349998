"""The event that a desk with a feed has open."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """The name of an event file that does not exist yet."""
    return tmp_path / "hall.dalej"
