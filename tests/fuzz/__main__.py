"""Feeds one target from atheris, the coverage-guided fuzzer: `python -m tests.fuzz TARGET [--seconds 60] [--runs N]`.

`make fuzz` installs atheris, which is there for Linux alone. It ends its process at once, so a second one tidies up
what is left, unless TMPDIR says where files are to be.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tests.memory import MEMORY
from tests.precompiled import keep_templates

LONGEST = 4096  # bytes
LOADED_WITHIN_S = 600  # with a corpus that is gone through first
GUIDED_BY = ["dalej", "moveclock"]  # which code's branches the fuzzer looks at


def main(arguments: Sequence[str]) -> int:
    """Fuzz until the time is over, or so many were tried; ends with atheris' own exit code if a target fails."""
    asked = _parser().parse_args(arguments)
    if "TMPDIR" not in os.environ:
        with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY) as folder:
            again = [sys.executable, "-m", "tests.fuzz", *arguments]
            within_s = asked.seconds + LOADED_WITHIN_S if asked.seconds else None
            around = {**os.environ, "TMPDIR": folder}
            return subprocess.run(again, env=around, timeout=within_s, check=False).returncode
    keep_templates()
    try:
        atheris = import_module("atheris")
        with atheris.instrument_imports(include=GUIDED_BY):
            fuzz = import_module("tests.fuzz.targets")
            begun = fuzz.seeds(asked.target) if asked.target in fuzz.TARGETS else ()  # which may load more of ours
    except ModuleNotFoundError as missing:
        if missing.name != "atheris":
            raise
        atheris, fuzz, begun = None, import_module("tests.fuzz.targets"), ()
    if asked.target not in fuzz.TARGETS:
        print(f"{asked.target}: no such target, expected one of {', '.join(fuzz.TARGETS)}", file=sys.stderr)
        return 2
    if atheris is None:
        print("atheris is not installed: make .venv/.proof, on Linux", file=sys.stderr)
        return 1
    options = [f"-max_total_time={asked.seconds}", f"-max_len={LONGEST}", f"-runs={asked.runs}", f"-seed={asked.seed}"]
    if asked.corpus is not None:
        asked.corpus.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(begun):
            asked.corpus.joinpath(f"seed-{number}").write_bytes(seed)
        options += [f"-artifact_prefix={asked.corpus.parent}/{asked.corpus.name}-", str(asked.corpus)]
    atheris.Setup(["tests.fuzz", *options], fuzz.TARGETS[asked.target])
    atheris.Fuzz()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("target", nargs="?", default="")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--runs", type=int, default=-1, help="how many inputs at most (default: no limit)")
    parser.add_argument("--seed", type=int, default=0, help="of the fuzzer (default: it draws one and prints it)")
    parser.add_argument("--corpus", type=Path, help="where inputs that led somewhere new are kept")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
