"""A test that leaves an event file open fails, by its name, and no other one in its place."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FORGETFUL: Final = "tests/gate/forgetful.py"
RUN_WITHIN_S: Final = 100


def test_whoever_leaves_an_event_open_fails_by_name_with_the_line_that_opened_it() -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", FORGETFUL],
        cwd=ROOT, env=clean, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        encoding="utf-8", timeout=RUN_WITHIN_S, check=False,
    )  # fmt: skip

    lines = (ROOT / FORGETFUL).read_text(encoding="utf-8").splitlines()
    by_its_fixture, by_itself = (
        number for number, line in enumerate(lines, start=1) if "Ledger.create(" in line and "with" not in line
    )
    said = rf"^{FORGETFUL}::(\w+) has failed: Failed: an event is left open, see {FORGETFUL}:(\d+)$"
    assert re.findall(said, done.stdout, re.MULTILINE) == [
        ("test_one_that_leaves_an_event_open", str(by_itself)),
        ("test_one_whose_fixture_does", str(by_its_fixture)),
    ], done.stdout
    assert "5 passed, 2 errors" in done.stdout
    assert done.returncode == 1
