"""An empty event for every test that asks for one: in a file, and where a PostgreSQL is at hand on that, too; what
holds for the one holds for the other. A module that is about the one alone says so in `PLACES`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event.ledger import Ledger
from tests.event.ledger.keeping import IN_A_FILE, ON_POSTGRES, Keeping

_OF_PART = {"quick": (IN_A_FILE,), "slow": (ON_POSTGRES,)}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "keeping" in metafunc.fixturenames:
        wanted = getattr(metafunc.module, "PLACES", (IN_A_FILE, ON_POSTGRES))
        played = _OF_PART.get(metafunc.config.getoption("only"), wanted)
        metafunc.parametrize("keeping", [one for one in wanted if one in played], indirect=True, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the slow part what needs no PostgreSQL was played already."""
    if config.getoption("only") == "slow":
        here = Path(__file__).parent
        items[:] = [one for one in items if not one.path.is_relative_to(here) or ON_POSTGRES in one.nodeid]


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
