"""A lithium-ion pack: how much charge is left at which voltage, and for how long that lasts.

The curves are voltages at rest (discharged over 20 hours and more), typical for their kind and not those of your pack.
A box takes a fiftieth of its pack's capacity in an hour, so its voltage under load is that, less what the resistance
of pack and leads takes away.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

Curve = tuple[tuple[float, float], ...]  # share of the charge that is left, volts at rest; both rise

ROUND: Final[Curve] = (
    (0.0, 2.500), (0.005, 2.808), (0.0352, 3.118), (0.0854, 3.318), (0.1357, 3.419), (0.2915, 3.583), (0.4523, 3.694),
    (0.8392, 4.066), (0.9548, 4.112), (1.0, 4.200),
)  # fmt: skip
"""Round cells (NMC, NCA): INR21700-40T at C/20, in S. Sunil and others, "Piecewise Linear Approximation of Battery
Open-Circuit Voltage Characteristics", IEEE Trans. Instrum. Meas. 2025; data: github soorajsunil/Piecewise-Battery-OCV.
An INR21700-P42A measured there stays within 0.02 V of it above 5 %."""

FLAT: Final[Curve] = (
    (0.0, 3.306), (0.1, 3.687), (0.2, 3.741), (0.3, 3.775), (0.4, 3.793), (0.5, 3.821), (0.6, 3.884), (0.7, 3.945),
    (0.8, 4.008), (0.9, 4.086), (1.0, 4.200),
)  # fmt: skip
"""Flat polymer packs (LCO): Zephyr's default for lithium-ion polymer, after Analog Devices' application note 4189."""

STEP: Final = 0.005  # of the capacity


class Pack(NamedTuple):
    """`ampere_hours` from full to empty, `ohms` with leads and switch, volts under load at which it is empty."""

    curve: Curve
    ampere_hours: float
    ohms: float
    empty: float

    def at_rest(self, left: float) -> float:
        """Volts without load while the share `left` of the charge is left."""
        for (low, low_volts), (high, high_volts) in pairwise(self.curve):
            if left <= high:
                return low_volts + (high_volts - low_volts) * (left - low) / (high - low)
        return self.curve[-1][1]

    def loaded(self, left: float, watts: float, own: float) -> tuple[float, float]:
        """Volts and amperes while a load takes `watts`, and the converter itself `own` amperes."""
        volts = rest = self.at_rest(left)
        for _ in range(4):  # each round is right to a tenth of the one before
            volts = rest - (watts / volts + own) * self.ohms
        return volts, watts / volts + own

    def left_at(self, volts: float, watts: float, own: float) -> float:
        """The share of the charge that is left when the voltage under load falls to `volts`."""
        low, high = 0.0, 1.0
        for _ in range(20):
            middle = (low + high) / 2
            if self.loaded(middle, watts, own)[0] < volts:
                low = middle
            else:
                high = middle
        return high

    def hours(self, watts: float, own: float, left: float = 1.0) -> float:
        """For how long a load can be fed from the share `left` of the charge on."""
        hours = 0.0
        while left > 0:
            volts, amperes = self.loaded(left, watts, own)
            if volts < self.empty:
                break
            hours += STEP * self.ampere_hours / amperes
            left -= STEP
        return hours
