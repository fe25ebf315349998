"""Documents are made in English unless a test says otherwise."""

from __future__ import annotations

import pytest

from dalej import words


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    words.speak()
