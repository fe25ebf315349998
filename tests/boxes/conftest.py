"""A club's folder, and the keyring that a test wants; without one there is none, whatever this computer has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.boxes import rings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the club's things are; it is made when something is kept."""
    return tmp_path / "club"


@pytest.fixture(autouse=True)
def no_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", rings.NONE)
    monkeypatch.setenv("LANGUAGE", "en")


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """`ring(rings.FOLDER)`: from now on this computer has that keyring; the file of its one entry."""
    entries = tmp_path / "ring"
    entries.mkdir()

    def use(name: str) -> Path:
        monkeypatch.setenv(rings.VARIABLE, str(entries))
        monkeypatch.setenv("PYTHON_KEYRING_BACKEND", name)
        return entries / "dalej.club secret"

    return use
