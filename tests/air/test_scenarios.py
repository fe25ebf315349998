"""Scenarios that do not mind what is behind a box's radio: the core on CPython, then the firmware on MicroPython."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.air.hall import BEHIND, CPYTHON, Hall, play
from tests.air.scenarios import SCENARIOS, Scenario, game


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_over_the_air(scenario: Scenario, behind: str, tmp_path: Path) -> None:
    play(tmp_path, lambda hall: scenario(hall, behind))


def test_notifications_that_get_lost_are_sent_again(tmp_path: Path, seed: int) -> None:
    async def scenario(hall: Hall) -> None:
        box, place = await game(hall, CPYTHON)
        random = Random(seed)
        hall.air.drop = lambda _: random.random() < 0.2
        await hall.moves(box, 4)
        await place.settled(box)
        hall.air.drop = None
        await place.live(box)
        await place.settled(box)
        place.expect_once(box)

    play(tmp_path, scenario)
