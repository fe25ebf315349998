"""One line of the table that the measurements print, and which of many values stands in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

NONE: Final = "–"


class Row(NamedTuple):
    """What was measured, its value, what it is compared with, their ratio and the goal, as shown.

    A goal is `≤` or `≥` and a number: with a unit it is for the value, else for the ratio, if there is one.
    """

    what: str
    value: str
    baseline: str = NONE
    ratio: str = NONE
    goal: str = NONE

    @property
    def met(self) -> bool | None:
        """Whether the goal is met by what is shown; None without one."""
        if self.goal == NONE:
            return None
        sign, limit, *unit = self.goal.split()
        shown = self.value if unit or self.ratio == NONE else self.ratio
        number = float(shown.split()[0].replace(",", ""))
        return number <= float(limit) if sign == "≤" else number >= float(limit)


def quantile(part: float, values: Iterable[float]) -> float:
    """The value that this part of them is less than, `part` 0 to 1; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0
