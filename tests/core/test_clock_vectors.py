"""The clock does on every interpreter what it did when the runs of tests/vectors/clock_runs.json were written."""

from clock_run import ClockRun
from moveclock.clock import Clock
from vectors import load


def test_every_pinned_run_leads_to_its_facts() -> None:
    for number, pinned in enumerate(load("clock_runs.json")["runs"]):
        assert pinned["facts"], ("found as a failure, and not written anew since it was mended", pinned["found"])
        run = ClockRun(kostka=pinned["kostka"], shared=pinned["shared"])
        expected = pinned["facts"]
        place = 0
        for step in pinned["steps"]:
            run.step(step)
            for fact in run.told():
                assert list(fact) == expected[place], (number, step, fact, expected[place])
                place += 1
            kept = run.clock.snapshot(run.now)
            copy = Clock(run.clock.settings)
            assert copy.restore(kept, 0) and copy.snapshot(0) == kept, (number, step)
        assert place == len(expected), (number, expected[place])
