"""The scenarios of tests/air once more, with the unchanged firmware on the ESP32's own Bluetooth host: all of them that
do not mind what is behind a box's radio.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.air import test_adapters, test_games, test_strangers
from tests.nimble.hall import NIMBLE


def _scenarios() -> list[Any]:
    found = []
    for module in (test_games, test_strangers, test_adapters):
        for name, function in vars(module).items():
            if name.startswith("test_") and "behind" in inspect.signature(function).parameters:
                found.append(pytest.param(function, id=name.removeprefix("test_")))
    return found


@pytest.mark.e2e
@pytest.mark.usefixtures("in_the_hall")
@pytest.mark.parametrize("scenario", _scenarios())
def test_on_nimble(scenario: Callable[..., None], tmp_path: Path) -> None:
    given: dict[str, object] = {"tmp_path": tmp_path, "behind": NIMBLE, "seed": 1}
    scenario(**{name: given[name] for name in inspect.signature(scenario).parameters})
