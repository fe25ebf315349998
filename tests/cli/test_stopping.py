"""How a command that goes on is told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from dalej.cli.stopping import on_signal

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGHUP")
WITHIN_S = 10


@contextmanager
def before(handler: Any) -> Iterator[None]:
    """What whoever started the program had set for a terminal that is closed."""
    was = signal.signal(signal.SIGHUP, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, was)


def test_a_terminal_that_is_closed_stops_it_in_good_order() -> None:
    async def run() -> None:
        told = asyncio.Event()
        with on_signal(told.set):
            signal.raise_signal(signal.SIGHUP)
            async with asyncio.timeout(WITHIN_S):
                await told.wait()

    with before(signal.SIG_DFL):
        asyncio.run(run())
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def test_who_asked_to_outlive_the_terminal_does() -> None:
    async def run() -> bool:
        told = asyncio.Event()
        with on_signal(told.set):
            signal.raise_signal(signal.SIGHUP)
            signal.raise_signal(signal.SIGTERM)  # this one is heard, so the other would have been before it
            async with asyncio.timeout(WITHIN_S):
                await told.wait()
            return signal.getsignal(signal.SIGHUP) is signal.SIG_IGN

    with before(signal.SIG_IGN):
        assert asyncio.run(run())
