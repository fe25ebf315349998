"""`make test` and what it leaves out are all there is, and nothing is in both."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

from tests.slow import ROOT, SLOW

TRIED: Final = ("tests/web/test_browser.py", "tests/web/test_passwords.py")


@pytest.mark.parametrize("name", SLOW)
def test_what_is_left_out_exists(name: str) -> None:
    assert (ROOT / name).exists()


@pytest.mark.parametrize(("part", "files"), [("quick", TRIED[1:]), ("slow", TRIED[:1])])
def test_a_part_is_played_without_the_other(part: str, files: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "--only", part, "tests/web"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip

    collected = {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}
    assert collected & set(TRIED) == set(files), done.stdout
