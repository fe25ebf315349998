"""An empty event for every test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event.ledger import Ledger


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """The name of an event file that does not exist yet."""
    return tmp_path / "event.dalej"


@pytest.fixture
def ledger(event: Path) -> Iterator[Ledger]:
    with Ledger.create(event) as created:
        yield created


@pytest.fixture
def second(ledger: Ledger) -> Iterator[Ledger]:
    """The same event as another process opens it."""
    with Ledger.open(ledger.path) as opened:
        yield opened
