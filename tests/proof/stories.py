"""Stories for a campaign that is tried out. Each of its processes imports this file, so it imports next to nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

from proof.campaign import Outcome, share


def ten(seed: int) -> Outcome:
    return Outcome({"turns": 10, "of the first seed": int(seed == 1)}, {"worst": seed / 2}, {"error": {seed % 3: 1}})


def finds(seed: int) -> Outcome:
    assert seed != 2, "a turn is there twice"
    return ten(seed)


def always_finds(seed: int) -> Outcome:
    raise AssertionError(f"a turn is missing in story {seed}")


def ends(seed: int) -> Outcome:
    """As a program does that the system takes memory from."""
    if seed == 2:
        os._exit(9)
    return ten(seed)


def late_at_first(seed: int) -> Outcome:
    if seed == 1:
        time.sleep(1)
    return ten(seed)


def of_25(seed: int) -> Outcome:
    """The third story, with the few that are left, is over before the second."""
    if seed == 2:
        time.sleep(1)
    return Outcome({"turns": len(share(range(25), seed, 10))})


def breaks_elsewhere(seed: int) -> Outcome:
    """In a library."""
    return Outcome(json.loads(""))


def waits(seed: int) -> Outcome:
    """For a program that writes its number where `BEGUN` says, and has no end."""
    program = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
    subprocess.run([sys.executable, "-c", program, f"{os.environ['BEGUN']}/{seed}"], timeout=600, check=True)
    return ten(seed)


def postgresql() -> str:
    """What is not here."""
    return "PostgreSQL"


class Dark(BaseException):
    """As a power cut is, so that nothing on its way takes it for an error of its own."""


def darkens(seed: int) -> Outcome:
    raise Dark(f"in story {seed}")


def beside(seed: int) -> Outcome:
    return Outcome({"turns": 1}, beside=[(f"inserts of {seed}", "9/s", "plain 10/s", "0.90")])
