"""An evening with a box to spare, unless a file begins with another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk.evening.evening import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Box 1 stands on table 1, box 2 in the cupboard."""
    with Evening(tmp_path, boxes=2) as evening:
        evening.boxes["2"].power_off()
        evening.put("1", 1)
        yield evening
