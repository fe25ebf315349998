"""The parts of the campaign, in the order of its page."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Final

from proof import day, evenings, forwarding, intruders, mutants, power, rivals, scopes, stamps, strangers
from proof.campaign import Trial
from tests.postgres import programs


@cache
def trials() -> Sequence[Trial]:
    """The short form of all together is under an hour on two processors; the full one takes half a day."""
    return (
        Trial("evenings", "turns", 60_000, 1_000_000, evenings.play, _sigkill, misses=_postgresql),
        _every(Trial("scopes", "cases", 40_000, len(scopes.cases()), scopes.of_two_moves), scopes.A_STORY),
        _every(
            Trial("forwarding", "cases", 2_000, len(forwarding.cases()), forwarding.of_a_round, _postgresql),
            forwarding.A_STORY,
        ),
        Trial("chip", "cuts", 20_000, 500_000, power.of_a_chip),
        Trial("browser", "cuts", 50_000, 1_000_000, power.of_a_browser),
        Trial("strangers", "inputs", 1_000_000, 10_000_000, strangers.of_all_doors, _atheris),
        Trial("intruders", "attempts", 50_000, 1_000_000, intruders.with_all_but_the_secret),
        Trial("stamps", "moves", 100_000, 100_000, stamps.of_moves),
        Trial("mutants", "mutants", mutants.MANY, 8 * mutants.MANY, mutants.of_the_core, _mutmut, alone=True),
        Trial("acts", "mutants", 0, 4 * mutants.MANY, mutants.of_the_acts, _mutmut, alone=True),
        Trial("day", "hours", 0, 8, day.of_a_day, _sigkill, alone=True),
        Trial("round", "hours", 0, 1, day.at_real_speed, _sigkill, alone=True),
        Trial("rivals", "measurements", 1, 1, rivals.side_by_side, alone=True),
    )


def _every(trial: Trial, a_story: int) -> Trial:
    """The full form is all that there are."""
    return trial._replace(every=trial.full, a_story=a_story)


def _sigkill() -> str:
    return "" if hasattr(signal, "SIGKILL") else "a system whose processes get signals"


def _atheris() -> str:
    return "" if find_spec("atheris") else "atheris"


def _mutmut() -> str:
    return "" if find_spec("mutmut") else "mutmut"


def _postgresql() -> str:
    return "" if programs() else "PostgreSQL"


ABOUT: Final = {
    "evenings": "six tables under every fault at once, and whether the file has each turn once",
    "scopes": "each case of two faults and a crash between a box and a desk",
    "forwarding": "likewise between a hall and its centre; it wants PostgreSQL",
    "chip": "a power cut at each operation of a box's flash",
    "browser": "a power cut at each transaction of a page's box",
    "strangers": "a fuzzer at whatever reads; it wants Linux",
    "intruders": "a stranger who knows all but the secrets",
    "stamps": "how right a move's time is on a model of the board",
    "mutants": "whether tests notice a change of the clock or of the domain",
    "acts": "whether they notice one of the office's acts",
    "day": "eight hours of sixty tables, ten times as fast as life",
    "round": "a round of them at the speed of life",
    "rivals": "rows of the bench against libraries alone",
}
"""What each part tries, for whoever chooses."""


def chosen(names: Sequence[str]) -> list[Trial]:
    """Those of these names, all without any. ValueError for an unknown one."""
    known = [trial.name for trial in trials()]
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"{', '.join(unknown)}: no such part, expected full or some of {', '.join(known)}")
    return [trial for trial in trials() if not names or trial.name in names]
