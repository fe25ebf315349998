"""`dalej` in this process, in an empty folder and with a club of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.boxes.firmware.club import environment
from tests.cli.conftest import Program, program


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The club's folder."""
    return tmp_path / "home"


@pytest.fixture
def dalej(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    """`dalej("box", …)`, in English."""
    for name, value in environment(home).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return program(capsys)
