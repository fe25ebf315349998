"""How long a bought power bank lasts."""

from __future__ import annotations

from typing import Final

CELL_VOLTS: Final = 3.7  # what the number on a bank is meant at
EFFICIENCY: Final = 0.85  # from its cell to 5 V: banks' makers say 80 to 90 %; an estimate


def hours(ampere_hours: float, watts: float) -> float:
    """With a full bank of so many Ah, as printed on it, and so many watts at its socket."""
    return ampere_hours * CELL_VOLTS * EFFICIENCY / watts
