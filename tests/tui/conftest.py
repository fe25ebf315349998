"""Screens live on an event loop: a test that is a coroutine gets one of its own, and waits for no clock (`atonce`)."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Final

import pytest

from dalej.event.event import Event
from dalej.tui import typedahead
from tests.tui.atonce import at_once

DEADLINE_S: Final = 100.0  # a machine may have eight other things to do
RARELY: Final = 20_000  # objects that come before the collector looks: an app is many, and most of a test's are one app


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine is no person who has waited for too long."""
    monkeypatch.setattr(typedahead, "HOLD_MOST_S", DEADLINE_S)
    monkeypatch.setattr(typedahead, "REST_MOST_S", DEADLINE_S)


@pytest.fixture(scope="package", autouse=True)
def _collected_rarely() -> Iterator[None]:
    often = gc.get_threshold()
    gc.set_threshold(RARELY, *often[1:])
    yield
    gc.set_threshold(*often)


@pytest.fixture(autouse=True)
def _at_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """`drawn` beside a test's other fixtures: every line is drawn, as for a terminal."""
    with at_once(drawn="drawn" in request.fixturenames):
        yield


@pytest.fixture
def path(league: Event) -> Path:
    """The file of the event that a module calls its `league`."""
    return league.ledger.path


@pytest.fixture
def drawn() -> None:
    """Asked for by tests that look at what is drawn anew."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run it to its end, or until the deadline."""
    if not iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in wanted}

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S):
            await pyfuncitem.obj(**arguments)

    asyncio.run(run())
    return True
