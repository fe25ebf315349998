"""What the tests of virtual boards share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.board.board import install


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The firmware as it goes on a board."""
    folder = tmp_path_factory.mktemp("compiled")
    install(folder, compiled=True)
    return folder
