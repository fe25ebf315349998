"""A hall with one box, unless a file begins with more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk.setting import Setting


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    with Setting(tmp_path) as setting:
        yield setting
