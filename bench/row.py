"""One line of the table that the measurements print."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """What was measured, its value, what it is compared with, their ratio and the goal for the ratio, as shown."""

    what: str
    value: str
    baseline: str
    ratio: str
    goal: str
