"""The printer that all printed pieces are made for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Printer:
    """What an ordinary printer can, in millimetres, and how long it takes."""

    bed: float = 210.0
    margin: float = 2.0  # between a piece and the bed's edge, all round
    line: float = 0.45
    steepest: float = 45.0  # degrees of overhang from the upright
    bridge: float = 20.0
    density: float = 1.24  # PLA, g per cubic centimetre
    speed: float = 11.0  # cubic centimetres an hour: 0.2 mm layers at 60 mm/s, turns and ways between them included
