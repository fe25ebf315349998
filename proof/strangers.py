"""Whatever strangers send: inputs of a coverage-guided fuzzer (atheris), its corpus kept from one story to the next."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from typing import Final

from proof.campaign import KEPT, ROOT, Outcome
from tests.fuzz.targets import TARGETS
from tests.memory import MEMORY

RUNS: Final = {
    "box": 8_000, "desk": 60_000, "adverts": 150_000, "serial": 100_000, "stored": 500_000, "wishes": 600_000,
    "results": 16_000, "workbooks": 10_000, "lists": 5_000, "pages": 12_000, "rulesets": 4_000, "event-files": 8_000,
}  # fmt: skip
"""Inputs of a story for each target. So many that loading a target, which takes seconds, is the smaller part of it."""
LONGEST_S: Final = 600.0  # for so many inputs; longer by what was kept, which is gone through as well
CORPUS: Final = KEPT / "corpus"
_DONE: Final = re.compile(r"Done (\d+) runs in")


def of_all_doors(seed: int) -> Outcome:
    """Each target for a while. AssertionError with what the fuzzer said if one of them fails."""
    counts = {"inputs": 0}
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY) as folder:  # atheris lets nobody tidy up
        for name in TARGETS:
            tried = _at(name, seed, folder)
            counts["inputs"] += tried
            counts[f"... {name}"] = tried
    return Outcome(counts)


def _at(name: str, seed: int, folder: str) -> int:
    """How many were tried at that target; those that were kept from other stories are gone through first."""
    kept = sum(1 for _ in (CORPUS / name).glob("*"))
    command = [
        sys.executable, "-m", "tests.fuzz", name, "--seconds", "0", "--runs", str(kept + RUNS[name]),
        "--seed", str(seed), "--corpus", str(CORPUS / name),
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "TMPDIR": folder}, capture_output=True, encoding="utf-8",
        errors="replace", timeout=LONGEST_S * (kept + RUNS[name]) / RUNS[name], check=False,
    )  # fmt: skip
    told = _DONE.search(done.stderr + done.stdout)
    lines = (done.stderr or done.stdout).strip().splitlines()
    assert done.returncode == 0, f"{name}: {lines[-1] if lines else done.returncode}"
    assert told is not None, f"{name} does not say how many inputs it tried"
    return int(told[1]) - kept
