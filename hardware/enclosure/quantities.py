"""How many of each printed piece and each fastener a box takes. Numbers only: nothing here needs a modeller."""

from __future__ import annotations

from typing import Final

from hardware.enclosure.layout import SIDES

_BOX: Final = {"base": 1, "deck": 1, "tower": 1, "lantern": 1, "battery-bar": 1}
_DISPLAY_CLAMPS: Final = 2
_INSIDE_CLAMPS: Final = {"carrier": 4, "charger": 2}
_SWITCH_CLAMPS: Final = 2
_CHUTE_SCREWS: Final = 3
_SCREWS: Final = {"base to deck": 8, "deck to tower": 4, "tower to lantern": 4, "battery bar": 2}
BUTTONS: Final = {"full": 4, "small": 1}  # sides that have Już and Dalej
LEADS_TIED: Final = 2  # the tray's and the devkit's, each with one cable tie in the box


def printed(build: str = "full", *, kostka: bool = True) -> dict[str, int]:
    """Name of a printed piece -> how many; KeyError for a build that does not exist."""
    sides = BUTTONS[build]
    pieces = _BOX | {f"panel-{side.lower()}": 1 for side in SIDES}
    pieces |= {"collar-juz": sides, "collar-dalej": sides, "clamp": _box_clamps()}
    if sides < len(SIDES):
        pieces["plug"] = 2 * (len(SIDES) - sides)
    if kostka:
        pieces |= {"tray-stand": 1, "tray-chute": 1}
        pieces["clamp"] += _SWITCH_CLAMPS
    return dict(sorted(pieces.items()))


def fasteners(build: str = "full", *, kostka: bool = True) -> dict[str, int]:
    """Kind of a bought mechanical part -> how many; the same for both builds, since a plug is pressed in."""
    if build not in BUTTONS:
        raise KeyError(build)
    screws = sum(_SCREWS.values()) + _box_clamps()
    kinds = {"foot": 4, "cable-tie": LEADS_TIED, "foam-tape": 1}
    if kostka:
        screws += _CHUTE_SCREWS + _SWITCH_CLAMPS
        kinds["foot"] += 4
        kinds["cable-tie"] += 1
    return {"screw-m3x10": screws} | kinds


def _box_clamps() -> int:
    return _DISPLAY_CLAMPS * len(SIDES) + sum(_INSIDE_CLAMPS.values())
