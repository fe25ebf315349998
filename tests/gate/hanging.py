"""Tests of which some never end, each in its own way; tests/gate/test_overdue.py plays them. Their own run alone."""

from __future__ import annotations

import asyncio
import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

SLEEPS = "import time; time.sleep(1000)"


def begun() -> subprocess.Popen[bytes]:
    """Something that would outlive its test by far; its number is left where the test of this test looks."""
    process = subprocess.Popen([sys.executable, "-c", SLEEPS], start_new_session=os.name != "nt")
    with Path(os.environ["STARTED"]).open("a", encoding="utf-8") as file:
        file.write(f"{process.pid}\n")
    return process


@pytest.fixture(scope="module")
def hall() -> Iterator[subprocess.Popen[bytes]]:
    with begun() as process:
        yield process
        process.kill()


def test_before() -> None:
    """What others do is not touched."""


def test_asyncio_that_swallows_what_is_raised_in_it() -> None:
    async def stubborn() -> None:
        while True:
            try:
                await asyncio.sleep(1000)
            except BaseException:  # noqa: BLE001 -- that is what is tried
                continue

    asyncio.run(stubborn())


def test_a_wait_for_a_process_in_a_thread_of_asyncio() -> None:
    asyncio.run(asyncio.to_thread(begun().wait))


@pytest.mark.skipif(os.name == "nt", reason="a sleep in C is called otherwise there")
def test_c_that_keeps_the_lock_of_the_interpreter() -> None:
    process = begun()
    ctypes.PyDLL(None).sleep(1000)
    process.kill()


def test_a_fixture_whose_process_is_to_die_as_well(hall: subprocess.Popen[bytes]) -> None:
    while True:
        time.sleep(1)


def test_one_whose_own_process_has_left_an_orphan() -> None:
    """The orphan's parent is gone, and so no tree of processes leads to it."""
    code = (
        f"import os, subprocess, sys; one = subprocess.Popen([sys.executable, '-c', {SLEEPS!r}]);"
        "open(os.environ['STARTED'], 'a').write(f'{one.pid}\\n'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    while True:
        time.sleep(1)


@pytest.mark.parametrize("number", range(20))
def test_after(number: int) -> None:
    """What comes later is played."""
