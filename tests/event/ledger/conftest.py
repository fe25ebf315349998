"""An empty event for every test that asks for one: in a file, and where a PostgreSQL is at hand on that, too; what
holds for the one holds for the other. A module that is about the one alone says so in `PLACES`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event.ledger import Ledger
from tests.event.ledger.keeping import IN_A_FILE, ON_POSTGRES, Keeping


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "keeping" in metafunc.fixturenames:
        places = getattr(metafunc.module, "PLACES", (IN_A_FILE, ON_POSTGRES))
        metafunc.parametrize("keeping", places, indirect=True, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The quick part is played in files, and on PostgreSQL the slow one."""
    part, here = config.getoption("only"), Path(__file__).parent
    items[:] = [
        one
        for one in items
        if part is None or not one.path.is_relative_to(here) or (ON_POSTGRES in one.nodeid) == (part == "slow")
    ]


@pytest.fixture(scope="session")
def keeping(request: pytest.FixtureRequest) -> Keeping:
    """How an event is kept in this test."""
    return Keeping(None if request.param == IN_A_FILE else request.getfixturevalue("server").url)


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """The name of an event file that does not exist yet."""
    return tmp_path / "event.dalej"


@pytest.fixture
def ledger(event: Path, keeping: Keeping) -> Iterator[Ledger]:
    with keeping.create(event) as created:
        yield created


@pytest.fixture
def second(ledger: Ledger) -> Iterator[Ledger]:
    """The same event as another process opens it."""
    with Ledger.open(ledger.path) as opened:
        yield opened
