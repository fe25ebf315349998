"""A hall of tests/air whose boxes are boards with NimBLE, whatever they were asked to be: the same scenarios play."""

from __future__ import annotations

from typing import Any

from tests.air import hall as air
from tests.air.onair import OnAir
from tests.nimble.radio import NimbleOnAir

NIMBLE = "nimble"


class NimbleHall(air.Hall):
    async def box(self, behind: str = NIMBLE, **options: Any) -> OnAir:
        """One more box, which is on."""
        made = NimbleOnAir(self.air, self.folder, len(self.boxes) + 1, **options)
        self.boxes.append(made)
        await made.power_on()
        return made
