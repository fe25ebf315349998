"""Whatever strangers send: inputs of a coverage-guided fuzzer (atheris), its corpus kept from one story to the next."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

from proof.campaign import KEPT, ROOT, Outcome
from tests.fuzz.targets import TARGETS

RUNS: Final = {
    "box": 2_000, "desk": 30_000, "adverts": 100_000, "serial": 50_000, "stored": 200_000, "wishes": 400_000,
    "results": 8_000, "workbooks": 5_000, "lists": 3_000, "pages": 3_000, "rulesets": 1_000,
    "event-files": 3_000,
}  # fmt: skip
"""Inputs of a story for each target: about ten seconds' worth."""
LONGEST_S: Final = 600
CORPUS: Final = KEPT / "corpus"
_DONE: Final = re.compile(r"Done (\d+) runs in")


def of_all_doors(seed: int) -> Outcome:
    """Each target for a while. AssertionError with what the fuzzer said if one of them fails."""
    counts = {"inputs": 0}
    for name in TARGETS:
        command = [
            sys.executable, "-m", "tests.fuzz", name, "--seconds", "0", "--runs", str(RUNS[name]), "--seed", str(seed),
            "--corpus", str(CORPUS / name),
        ]  # fmt: skip
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace", timeout=LONGEST_S, check=False
        )
        told = _DONE.search(done.stderr + done.stdout)
        lines = (done.stderr or done.stdout).strip().splitlines()
        assert done.returncode == 0, f"{name}: {lines[-1] if lines else done.returncode}"
        assert told is not None, f"{name} does not say how many inputs it tried"
        counts["inputs"] += int(told[1])
        counts[f"... {name}"] = int(told[1])
    return Outcome(counts)
