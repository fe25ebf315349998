"""Does the box stand still when a child presses? Mass, centre of mass and what a push must overcome. Numbers only."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import Final

GRAVITY: Final = 9.81
_OTHERS: Final = 350.0  # grams of buttons, displays, boards, leads and screws: an estimate, less is worse


@dataclass(frozen=True)
class Balance:
    """What stands on the table: grams, and where they act; `feet` are the corners of what it stands on, in order."""

    mass: float
    centre: tuple[float, float, float]
    feet: list[tuple[float, float]]

    def room(self) -> float:
        """From the centre of mass to the nearest line between two feet, in mm; negative when it lies outside."""
        return min(_inside(one, two, self.centre[:2]) for one, two in _around(self.feet))

    def tips(self, at: tuple[float, float, float], newton: float, lean: float) -> bool:
        """Whether a push there, leaning so many degrees outwards from straight down, lifts a foot."""
        return any(self._lifts(one, two, at, newton, lean) for one, two in _around(self.feet))

    def slides(self, newton: float, lean: float, friction: float) -> bool:
        """Whether that push moves it over the table."""
        down = newton * cos(radians(lean)) + self.mass / 1000 * GRAVITY
        return newton * sin(radians(lean)) > friction * down

    def _lifts(
        self,
        one: tuple[float, float],
        two: tuple[float, float],
        at: tuple[float, float, float],
        newton: float,
        lean: float,
    ) -> bool:
        """About the line between two feet: weight holds, a push outside that line or outwards above it lifts."""
        holding = self.mass / 1000 * GRAVITY * _inside(one, two, self.centre[:2])
        pressing = newton * cos(radians(lean)) * _inside(one, two, at[:2])
        return holding + pressing - newton * sin(radians(lean)) * at[2] < 0


def standing(
    printed: list[tuple[float, tuple[float, float, float]]],
    battery: tuple[float, tuple[float, float, float]],
    feet: list[tuple[float, float]],
    others_at: tuple[float, float, float],
) -> Balance:
    """Of pieces and battery, each grams and centre; the rest is taken to sit at `others_at`."""
    loads = [*printed, battery, (_OTHERS, others_at)]
    mass = sum(grams for grams, _ in loads)
    x, y, z = (sum(grams * centre[axis] for grams, centre in loads) / mass for axis in range(3))
    return Balance(mass, (x, y, z), feet)


def _around(feet: list[tuple[float, float]]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    return list(pairwise([*feet, feet[0]]))


def _inside(one: tuple[float, float], two: tuple[float, float], point: tuple[float, ...]) -> float:
    """How far to the left of the line from one to two: inside, when the feet go counter-clockwise."""
    across, along = two[0] - one[0], two[1] - one[1]
    return (across * (point[1] - one[1]) - along * (point[0] - one[0])) / hypot(across, along)
