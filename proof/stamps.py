"""How far a move's recorded time is from the true one, on a board that stalls as an ESP32 does (`bench.esp32`), at a
table of people who press whatever flash does then (`bench.core`).
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

from bench.chip import Costs
from bench.core import LEARNING_MOVES, MOVES_A_GAME, play
from proof.campaign import Outcome

MOVES: Final = 10 * MOVES_A_GAME
STEP_US: Final = 10
LEARNT: Final = 1  # the seed of what flash costs, which is learned once


@cache
def _costs() -> Costs:
    costs: Costs = {}
    play(LEARNING_MOVES, costs, learn=True, seed=LEARNT)
    return costs


def of_moves(seed: int) -> Outcome:
    """Ten games; the errors in µs."""
    errors = play(MOVES, _costs(), seed=seed)
    assert not errors.lost, f"the box took no notice of {errors.lost} presses"
    return Outcome(
        {
            "moves": len(errors.all),
            "... of which a press that counts met an erase": len(errors.held_up),
            "presses": errors.presses,
            "... that met an erase": errors.met,
            "... that should have ended a move, taken for slips in its guard time": errors.slipped,
            "... for the referee that the box took for two": errors.twice,
            "presses so near the limit that the box judged them the other way": len(errors.wrong_side),
        },
        {
            "worst error, ms": max(map(abs, errors.all)) / 1_000,
            "worst error of moves that met no erase, ms": max(map(abs, errors.free())) / 1_000,
            "worst error of a plain asyncio clock, ms": max(map(abs, errors.looped)) / 1_000,
            "farthest from the limit of these presses, ms": max(errors.wrong_side, default=0) / 1_000,
        },
        {"error": _steps(errors.all), "error of a plain asyncio clock": _steps(errors.looped)},
    )


def _steps(errors: list[int]) -> Counter[int]:
    return Counter(abs(error) // STEP_US * STEP_US for error in errors)
