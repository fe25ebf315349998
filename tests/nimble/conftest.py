from __future__ import annotations

import pytest

from tests.air import hall
from tests.nimble.board import micropython
from tests.nimble.hall import NimbleHall


@pytest.fixture
def nimble() -> None:
    """Skips, in words, where there is no MicroPython with NimBLE."""
    micropython()


@pytest.fixture
def in_the_hall(nimble: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenarios of tests/air play with boards that have NimBLE."""
    monkeypatch.setattr(hall, "Hall", NimbleHall)
