"""A centre in a database of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dalej.centre import forward
from dalej.centre.mirror import Mirror
from tests.centre.cup import Cup
from tests.postgres import Postgres

_number = iter(range(1, 1_000_000))


@pytest.fixture
def database(server: Postgres) -> str:
    """A new, empty one."""
    return server.new_database(f"centre_{next(_number)}")


@pytest.fixture
def mirror(database: str) -> Iterator[Mirror]:
    with closing(Mirror(database)) as made:
        assert made.init()
        yield made


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Halls ask again soon, so that nobody waits for them."""
    for name, seconds in (("AGAIN_S", 0.1), ("PAUSE_S", 0.02), ("IDLE_S", 0.2), ("LISTEN_S", 0.05)):
        monkeypatch.setattr(forward, name, seconds)


@pytest.fixture
def cup(tmp_path: Path, mirror: Mirror) -> Iterator[Cup]:
    """A tournament in three halls, of which nobody has heard yet."""
    with closing(Cup(tmp_path, mirror)) as made:
        yield made
