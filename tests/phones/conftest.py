"""Where phones come from: a story is told of scripts, which are quick, and of real pages in a real browser."""

from __future__ import annotations

import pytest

from dalej.boxes.firmware.tree import compiled, sources
from dalej.boxes.page.onefile import one_file
from tests.phones.paged import PagedPhones
from tests.phones.playing import Phones
from tests.phones.scripted import ScriptedPhones
from tests.web.conftest import chromium

__all__ = ["chromium"]  # a fixture, by its name


@pytest.fixture(autouse=True)
def without_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


@pytest.fixture(params=["scripts", "pages"])
def phones(request: pytest.FixtureRequest) -> Phones:
    if request.param == "scripts":
        return ScriptedPhones()
    return PagedPhones(request.getfixturevalue("chromium"), one_file(compiled(sources()), desk=True))
