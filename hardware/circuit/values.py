"""What the words of a value mean in ohm and farad."""

from __future__ import annotations

from typing import Final

_PREFIXES: Final = {"n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6}


def amount(value: str) -> float:
    """The number of `4.7 kΩ` or `100 nF` in its unit; ValueError for what is none."""
    number, _, unit = value.partition(" ")
    if not unit.endswith(("Ω", "F")) or len(unit) > 2:
        raise ValueError(value)
    return float(number) * _PREFIXES.get(unit[:-1], 1.0)
