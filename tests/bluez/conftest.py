"""Every test here has a system bus of its own, and a loop of its own: bleak keeps one manager for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bluez.private_bus import missing, private_bus


class Elsewhere(pytest.Module):
    """A file that is not even read where there is no D-Bus: what it imports is not there either."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        pytest.skip(missing() or "")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    return Elsewhere.from_parent(parent, path=module_path) if missing() else None


@pytest.fixture(autouse=True)
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the bus that takes the place of the system's."""
    with private_bus() as address:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
        yield address
