"""`dalej demo` without a keyboard, without an output, on a terminal that only prints lines."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.processes import WITHIN_S

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows closes no streams and has no such terminals")

DEMO: Final = [sys.executable, "-m", "dalej", "demo", "--tables", "1"]


def bare(folder: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **more}


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"])
def test_a_demo_without_keyboard_or_output_plays_and_sums_up(tmp_path: Path, closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *DEMO], cwd=tmp_path, env=bare(tmp_path, TERM="dumb"),
        capture_output=True, text=True, timeout=WITHIN_S, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert ("verify: clean" in done.stdout) == (">&-" not in closed.replace("2>&-", ""))
    assert [file.name for file in tmp_path.rglob("demo-1.dalej")] == ["demo-1.dalej"]


@pytest.mark.parametrize("kind", ["dumb", ""])
def test_a_demo_on_a_terminal_that_cannot_be_painted_plays_and_sums_up(tmp_path: Path, kind: str) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        DEMO, cwd=tmp_path, env=bare(tmp_path, TERM=kind), stdin=theirs, stdout=theirs, stderr=theirs,
        start_new_session=True,
    ) as demo:  # fmt: skip
        os.close(theirs)
        said = ""
        while "verify: clean" not in said:
            ready, _, _ = select.select([ours], [], [], WITHIN_S)
            assert ready, said
            said += os.read(ours, 4096).decode()
        assert demo.wait(WITHIN_S) == 0
    os.close(ours)
