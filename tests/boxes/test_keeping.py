"""The club's folder is changed by one process at a time, whatever became of the one before."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dalej.boxes.folder import alone
from dalej.errors import Unreachable
from tests.processes import bounded

_HOLD = """
import sys
from pathlib import Path
from dalej.boxes.folder import alone
with alone(Path(sys.argv[1])):
    print("in", flush=True)
    sys.stdin.readline()
"""


def test_who_comes_while_another_process_is_in_waits_until_that_one_is_killed(folder: Path) -> None:
    came = threading.Event()

    def come() -> None:
        with alone(folder):
            came.set()

    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        with bounded(holder):
            assert holder.stdout.readline().strip() == b"in"
        coming = threading.Thread(target=come)
        coming.start()
        assert not came.wait(0.3)
        holder.kill()
        assert came.wait(60)
    coming.join()


def test_two_threads_of_one_process_are_in_one_after_the_other(folder: Path) -> None:
    inside, most = 0, 0

    def come() -> None:
        nonlocal inside, most
        for _ in range(5):
            with alone(folder):
                inside += 1
                most = max(most, inside)
                list(folder.iterdir())  # a moment in which the others could come
                inside -= 1

    coming = [threading.Thread(target=come) for _ in range(4)]
    for one in coming:
        one.start()
    for one in coming:
        one.join()
    assert most == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such modes")
def test_the_lock_is_its_owner_s_alone_and_so_is_its_folder(folder: Path) -> None:
    with alone(folder):
        pass
    (lock,) = folder.iterdir()
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name == "nt", reason="Windows makes such links for few")
def test_a_lock_that_leads_elsewhere_is_not_followed(folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (folder / "club.lock").symlink_to(tmp_path / "precious")
    with pytest.raises(Unreachable, match="cannot be written"), alone(folder):
        pass
    assert not (tmp_path / "precious").exists()
