"""Writes tests/vectors/clock_runs.json: what was done to a table and the facts it led to, for both interpreters.

    python -m tests.properties.write_vectors              every run's facts anew, with a fresh sample of random tables
    python -m tests.properties.write_vectors --seed 7     looks for a failure first, as `make torture SEED=7` does

A run that fails is kept for good, without facts until the clock is mended; the sample is chosen so that every step that
leads to something new is in it. The facts are the clock's own: read what changed before you commit it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis.stateful import run_state_machine_as_test

ROOT = Path(__file__).parents[2]
FILE = ROOT / "tests" / "vectors" / "clock_runs.json"
HEADER = "What is done to a table, and the facts it leads to; made by tests/properties/write_vectors.py."
SAMPLE = 30
EXAMPLES = 1000
STEPS_MOST = 60

Run = dict[str, Any]


def main() -> int:
    """0: written; 1: a failure was found, and kept."""
    parser = argparse.ArgumentParser(description="Writes tests/vectors/clock_runs.json")
    parser.add_argument("--seed", type=int, help="look for a failure with this seed")
    parser.add_argument("--examples", type=int, default=1000, help="how many tables to look at")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tests" / "core"))
    kept = (
        [run for run in json.loads(FILE.read_text(encoding="utf-8"))["runs"] if run["found"]] if FILE.exists() else []
    )
    new = None if options.seed is None else searched(options.seed, options.examples)
    if new is not None:
        kept.append(new)
    runs = [with_facts(run) for run in kept] + sampled()
    lines = ",\n".join("    " + json.dumps(run, separators=(",", ":")) for run in runs)
    FILE.write_text(f'{{\n  "_": {json.dumps(HEADER)},\n  "runs": [\n{lines}\n  ]\n}}\n', encoding="utf-8")
    print(f"{len(runs)} runs, {len(kept)} of them found as failures, {FILE.stat().st_size} bytes")  # noqa: T201 - its answer
    return 0 if new is None else 1


def searched(seed: int, examples: int) -> Run | None:
    """A shortened run that fails, None if none of the examples does."""
    from tests.properties.machine import ClockMachine
    from tests.properties.watched import failure, shrunk

    @hypothesis.seed(seed)
    class Seeded(ClockMachine):
        pass

    try:
        run_state_machine_as_test(Seeded, settings=playing(examples, derandomize=False))
    except Exception:
        table = ClockMachine.played[-1]
        found = failure(table.kostka, table.shared, table.steps)
        if found is None:
            raise
        found = shrunk(found)
        return {"found": found.why, "kostka": found.kostka, "shared": found.shared, "steps": found.steps}
    return None


def sampled() -> list[Run]:
    """Few random runs in which as much as possible happens."""
    from tests.properties.machine import ClockMachine

    ClockMachine.played.clear()
    run_state_machine_as_test(ClockMachine, settings=playing(EXAMPLES, derandomize=True))
    left = [(table.kostka, table.shared, table.steps[:STEPS_MOST]) for table in ClockMachine.played]
    news = [happenings(*table) for table in left]
    known: set[object] = set()
    chosen: list[Run] = []
    while len(chosen) < SAMPLE:
        gains = [len(set(news[place]) - known) / (10 + len(left[place][2])) for place in range(len(left))]
        best = max(range(len(left)), key=gains.__getitem__)
        last = max((place for place, what in enumerate(news[best]) if what not in known), default=-1)
        if last < 0:
            break
        known.update(news[best])
        kostka, shared, steps = left[best]
        chosen.append(with_facts({"found": "", "kostka": kostka, "shared": shared, "steps": steps[: last + 1]}))
    return chosen


def happenings(kostka: bool, shared: bool, steps: Iterable[list[Any]]) -> list[object]:
    """For each step: in which state what kind of input led to what kinds of facts."""
    from tests.properties.watched import WatchedClock

    table = WatchedClock(kostka, shared)
    seen: list[object] = []
    for step in steps:
        clock, before = table.clock, len(table.run.facts)
        state = (clock.state, clock.lap_reason, clock.late, clock.claim, clock.drawn, clock.penalty, clock.owing < 4)
        table.do(step)
        what = step[2] & 1 if step[0] == "press" and step[2] < 8 else step[2] if step[0] in ("press", "order") else 0
        held = step[3] if step[0] == "press" else 0
        kinds = tuple((fact[0], fact[5] if fact[0] != 29 else 0) for fact in table.run.facts[before:])
        seen.append((state, step[0], what, held, kinds))
    return seen


def with_facts(run: Run) -> Run:
    """The run with the facts it leads to now; without, if it still fails."""
    from tests.properties.watched import WatchedClock, failure

    facts: list[list[int]] = []
    if failure(run["kostka"], run["shared"], run["steps"]) is None:
        table = WatchedClock(run["kostka"], run["shared"])
        for step in run["steps"]:
            table.do(step)
        facts = [list(fact) for fact in table.run.facts]
    return {**run, "facts": facts}


def playing(examples: int, derandomize: bool) -> hypothesis.settings:
    return hypothesis.settings(
        max_examples=examples,
        derandomize=derandomize,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )


if __name__ == "__main__":
    sys.exit(main())
