"""A test that leaves an event file open fails, by its name.

From Python 3.13 on a connection that is collected before it was closed warns, and so fails whichever test is played
when the collector comes by; before 3.13 nobody hears of it. Here the one that left it open is named on any Python.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

TESTS: Final = str(Path(__file__).parent) + os.sep


class Unclosed:
    """Holds each connection that was opened until the test is over, so that none is collected before it is seen."""

    def __init__(self) -> None:
        self._opened: list[tuple[sqlite3.Connection, str]] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "sqlite3.connect/handle":
            self._opened.append((arguments[0], _whence()))

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """What is opened for all tests of a file outlives each of them."""
        before = len(self._opened)
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                del self._opened[before:]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Generator[None, object, object]:
        """When all that belongs to the test is taken down."""
        try:
            return (yield)
        finally:
            left = [(db, whence) for db, whence in self._opened if _is_open(db)]
            self._opened.clear()
            for db, _whence_opened in left:
                with suppress(sqlite3.Error):  # another thread's, which alone may close it
                    db.close()
            if left:
                places = ", ".join(sorted({whence for _db, whence in left}))
                pytest.fail(f"an event is left open, see {places}", pytrace=False)


def watch(config: pytest.Config) -> None:
    """In each process that plays tests."""
    if not config.getoption("tx", None):
        config.pluginmanager.register(Unclosed())


def _is_open(db: sqlite3.Connection) -> bool:
    try:
        return db.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False


def _whence() -> str:
    """The line of the tests that opened it."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(TESTS):
            return f"{Path(file).relative_to(Path(TESTS).parent).as_posix()}:{frame.f_lineno}"
        frame = frame.f_back
    return "a thread of its own"
