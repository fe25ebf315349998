"""Random tables under a watcher's eyes: fifty in an ordinary run, a thousand under torture; and all vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.properties.machine import ClockMachine
from tests.properties.watched import failure, shrunk

VECTORS = Path(__file__).parents[1] / "vectors" / "clock_runs.json"
PINNED: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["runs"]


def test_the_rules_of_the_clock_hold_whatever_is_pressed_ordered_or_cut() -> None:
    ClockMachine.played.clear()
    try:
        run_state_machine_as_test(ClockMachine, settings=settings(phases=[Phase.generate]))
    except Exception:
        table = ClockMachine.played[-1]
        found = failure(table.kostka, table.shared, table.steps)
        if found is None:
            raise
        pytest.fail(str(shrunk(found)), pytrace=False)


@pytest.mark.parametrize("number", range(len(PINNED)))
def test_the_rules_of_the_clock_hold_in_every_run_that_was_kept(number: int) -> None:
    run = PINNED[number]
    assert (found := failure(run["kostka"], run["shared"], run["steps"])) is None, str(found)
