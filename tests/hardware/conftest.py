"""Modelling takes long: whichever test comes first of a worker brings in the modeller."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whichever comes first models for all others."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.long(600))
