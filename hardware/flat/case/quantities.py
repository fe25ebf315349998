"""How many of each printed piece and each fastener a box takes; how far a spool goes. Nothing here needs a modeller."""

from __future__ import annotations

from typing import Final

_PRINTED: Final = {"base": 1, "deck": 1, "mask": 4, "cap-juz": 4, "cap-dalej": 4, "cap-sedzia": 1}
_TRAY: Final = {"tray-stand": 1, "tray-chute": 1, "tray-clamp": 2}
_CLOSING, _CHUTE, _CLAMPS = 4, 3, 2
COLOURS: Final = {"cap-juz": "green", "cap-dalej": "amber", "cap-sedzia": "red", "deck": "white, then black"}
"""Of what each is printed; all else is black. The deck's first 0.6 mm are white, then the filament is changed."""


def printed(*, kostka: bool = True) -> dict[str, int]:
    """Name of a printed piece -> how many."""
    return _PRINTED | _TRAY if kostka else dict(_PRINTED)


def fasteners(*, kostka: bool = True) -> dict[str, int]:
    """Kind of a bought mechanical part, as the list of what to order names it -> how many."""
    more = _CHUTE + _CLAMPS if kostka else 0
    return {"screw": _CLOSING + more, "foot": 4, "key-switch": 9, "paper": 4}
