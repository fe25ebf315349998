"""What each piece is printed of, and how many grams of it a box takes. Nothing here needs a modeller."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hardware.enclosure.pieces import Piece
    from hardware.enclosure.sizes import Sizes

KINDS: Final = {
    "lantern": "filament-white",
    "collar-juz": "filament-white",
    "collar-dalej": "filament-white",
    "clamp": "filament-petg",
}
"""All other pieces are of `filament`, the dark one."""


def kind(name: str) -> str:
    """The list of parts' key of what this piece is printed of."""
    return KINDS.get(name, "filament")


def grams(pieces: Iterable[Piece], sizes: Sizes) -> dict[str, float]:
    """By kind, for one box: at most, as if every piece were printed solid. Nothing has been weighed."""
    found: dict[str, float] = {}
    for piece in pieces:
        of = kind(piece.name)
        found[of] = found.get(of, 0.0) + piece.quantity * piece.solid.volume
    return {name: volume * sizes.printing.density / 1000 for name, volume in found.items()}
