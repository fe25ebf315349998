"""Where acts are done: at a desk with a box that plays, and in an office on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.office.acts.desk import ActingDesk, a_third_move
from tests.office.acts.office import Office


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[ActingDesk]:
    """Four are seated at table 1, which is in its third move: seat C's."""
    with a_third_move(tmp_path) as desk:
        yield desk


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """Eight are seated at two tables, on paper."""
    office = Office(tmp_path)
    with office.event.ledger:
        yield office
