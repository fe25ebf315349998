"""Looks of the screens: dark, light, high contrast, and one whose colours people who see few of them tell apart.

Blue and orange differ in hue and in lightness for every kind of colour blindness (after Okabe and Ito's set).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

from dalej.words import N_

CONTRAST: Final = Theme(
    name="dalej-contrast", primary="#ffffff", secondary="#ffff00", warning="#ffff00", error="#ff6060",
    success="#60ff60", accent="#00ffff", foreground="#ffffff", background="#000000", surface="#000000",
    panel="#202020", boost="#303030", dark=True,
    variables={"text-muted": "#ffffff", "primary": "#003a8c", "footer-key-foreground": "#ffff00"},
)  # fmt: skip
BLUE_ORANGE: Final = Theme(
    name="dalej-blue-orange", primary="#0072b2", secondary="#56b4e9", warning="#e69f00", error="#ff8c1a",
    success="#56b4e9", accent="#f0e442", foreground="#f0f0f0", background="#10141a", surface="#161c24",
    panel="#1d2530", dark=True,
)  # fmt: skip
OURS: Final = (CONTRAST, BLUE_ORANGE)
THEMES: Final[Mapping[str, str]] = {
    "textual-dark": N_("dark"), "textual-light": N_("light"), CONTRAST.name: N_("high contrast"),
    BLUE_ORANGE.name: N_("blue and orange"),
}  # fmt: skip
