"""The scenarios of tests/air once more, with the unchanged firmware on the ESP32's own Bluetooth host."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.air.hall import play
from tests.air.scenarios import SCENARIOS, Scenario
from tests.nimble.hall import NIMBLE


@pytest.mark.e2e
@pytest.mark.usefixtures("in_the_hall")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_on_nimble(scenario: Scenario, tmp_path: Path) -> None:
    play(tmp_path, lambda hall: scenario(hall, NIMBLE))
