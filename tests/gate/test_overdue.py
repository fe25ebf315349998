"""One hanging test fails alone, by its name; what it started dies with it; the run always ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import psutil
import pytest

ROOT: Final = Path(__file__).parents[2]
HANGING: Final = "tests/gate/hanging.py"
GONE_WITHIN_S: Final = 20
RUN_WITHIN_S: Final = 300  # a run within a run, and the machine may be busy

pytestmark = pytest.mark.long(600)


def run(started: Path, *arguments: str, limit_s: float) -> subprocess.CompletedProcess[str]:
    """Pytest itself on those tests, each of which may take so long."""
    started.touch()
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", f"faulthandler_timeout={limit_s}",
         *arguments],
        cwd=ROOT, env={**clean, "STARTED": str(started), "DALEJ_REQUIRE": ""}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=RUN_WITHIN_S, check=False,
    )  # fmt: skip


def expect_gone(started: Path, count: int) -> None:
    numbers = [int(line) for line in started.read_text(encoding="utf-8").split()]
    assert len(numbers) == count
    deadline = time.monotonic() + GONE_WITHIN_S
    while any(lives(number) for number in numbers):
        assert time.monotonic() < deadline, f"what a test had started lives on: {numbers}"
        time.sleep(0.1)


def lives(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_whatever_hangs_fails_alone_by_its_name_and_all_others_are_played(tmp_path: Path) -> None:
    done = run(tmp_path / "started", "-n", "2", HANGING, limit_s=2)

    hanging = {
        "test_asyncio_that_swallows_what_is_raised_in_it",
        "test_a_wait_for_a_process_in_a_thread_of_asyncio",
        "test_c_that_keeps_the_lock_of_the_interpreter",
        "test_a_fixture_whose_process_is_to_die_as_well",
        "test_one_whose_own_process_has_left_an_orphan",
    } - ({"test_c_that_keeps_the_lock_of_the_interpreter"} if os.name == "nt" else set())
    named = re.findall(
        r"^tests/gate/hanging\.py::(\w+) has failed: .*: not over after 2\.2 s; ended", done.stdout, re.MULTILINE
    )
    assert sorted(named) == sorted(hanging), done.stdout
    assert re.search(rf"\n{len(hanging)} failed, 21 passed", done.stdout), done.stdout
    assert done.returncode == 1
    assert "in test_a_wait_for_a_process_in_a_thread_of_asyncio" in done.stdout, "it shows where it waits"
    expect_gone(tmp_path / "started", len(hanging) - 1)


def test_a_run_in_one_process_ends_too_and_says_why(tmp_path: Path) -> None:
    name = f"{HANGING}::test_a_wait_for_a_process_in_a_thread_of_asyncio"

    done = run(tmp_path / "started", "-n", "0", name, limit_s=2)

    assert done.returncode != 0
    assert f"{name}: not over after 2.2 s; ended, with what it had started: " in done.stdout, done.stdout
    expect_gone(tmp_path / "started", 1)


@pytest.mark.parametrize("left", [0, 1, 2])
def test_however_many_tests_are_left_behind_one_that_hangs_they_are_played_and_the_run_ends(
    tmp_path: Path, left: int
) -> None:
    test = tmp_path / "test_few.py"
    others = "".join(f"def test_{number}():\n    pass\n" for number in range(left))
    test.write_text(f"import time\ndef test_hangs():\n    time.sleep(600)\n{others}")

    done = run(tmp_path / "started", "-n", "1", "-c", "pyproject.toml", "-p", "tests.conftest", str(test), limit_s=2)

    assert "test_hangs: not over after 2.2 s; ended" in done.stdout
    assert f"1 failed, {left} passed" in done.stdout or (not left and "1 failed in" in done.stdout), done.stdout


@pytest.mark.skipif(os.name == "nt", reason="no process is killed by itself there")
def test_what_a_player_of_tests_leaves_behind_goes_when_it_dies_of_something_else(tmp_path: Path) -> None:
    test = tmp_path / "test_death.py"
    test.write_text(
        "import os\nfrom tests.gate.hanging import begun\ndef test_it():\n    one = begun()\n    os.abort()\n"
    )

    done = run(tmp_path / "started", "-n", "1", "-c", "pyproject.toml", "-p", "tests.conftest", str(test), limit_s=60)

    assert "crashed while running" in done.stdout, done.stdout
    expect_gone(tmp_path / "started", 1)
