"""`dalej screen` before there is a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Program


def test_a_screen_needs_a_terminal(dalej: Program, tmp_path: Path) -> None:
    dalej("demo", "--tables", "1", "--moves", "2", "--event", "hall.dalej", "--json")

    done = dalej("screen", "hall.dalej")

    assert done.code == 1
    assert "needs a terminal" in done.err


def test_a_screen_needs_an_event(dalej: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalej.cli.screen.is_terminal", lambda: True)

    done = dalej("screen", "gone.dalej")

    assert done.code == 1
    assert "gone.dalej does not exist" in done.err
