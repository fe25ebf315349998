"""What the pictures are made of: every piece and bought part as a model in its colour, built once for all pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from build123d import Compound, Location, Solid

from hardware.enclosure.bought import Bought, bought, digits, screw, tray_parts
from hardware.enclosure.pieces import Piece, pieces
from hardware.enclosure.scene import Colour, Shown, model
from hardware.enclosure.shapes import QUARTERS
from hardware.enclosure.sizes import SIZES, Sizes

GLUE: Final = (250, 175, 70)
BOOK: Final = (150, 120, 95)
LEAD: Final = (200, 60, 50)
GREY: Final = (226, 226, 231)
WHITE: Final = (252, 250, 240)
NEW: Final = (168, 205, 245)
_COLOURS: Final[dict[str, Colour]] = {
    "battery": (120, 150, 190),
    "button-amber": (255, 190, 60),
    "button-green": (90, 200, 110),
    "button-red": (225, 60, 50),
    "buzzer": (70, 70, 75),
    "capacitor-1000u": (60, 70, 110),
    "capacitor-470u": (60, 70, 110),
    "carrier": (205, 170, 105),
    "charger": (95, 125, 190),
    "connector": (240, 238, 225),
    "devkit": (85, 90, 100),
    "display": (66, 66, 70),
    "foam-tape": (70, 70, 72),
    "foot": (80, 80, 85),
    "kostka-switch": (80, 80, 85),
    "pixel": (245, 245, 245),
    "receptacle": (200, 60, 50),
    "ring": (150, 190, 160),
    "screw-m3x10": (170, 170, 175),
    "switch": (70, 70, 75),
    "tile": (250, 240, 210),
    "usb-cable": (110, 110, 118),
}
_LIGHT_PIECES: Final = ("lantern", "collar-juz", "collar-dalej")


class Gallery:
    """One box of one build, ready to be shown. What is modelled already can be given."""

    def __init__(self, sizes: Sizes = SIZES, build: str = "full", made: Mapping[str, Piece] | None = None) -> None:
        self.sizes = sizes
        self.build = build
        self._made = made
        self._on_bed: dict[str, Shown] = {}

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        return self._made or {piece.name: piece for piece in pieces(self.sizes, self.build)}

    def on_bed(self, name: str) -> Shown:
        """A piece as it is printed."""
        if name not in self._on_bed:
            colour = WHITE if name in _LIGHT_PIECES else GREY
            self._on_bed[name] = Shown(model(self.pieces[name].solid), colour)
        return self._on_bed[name]

    @cached_property
    def parts(self) -> list[tuple[Bought, Shown]]:
        """The bought parts in the box."""
        return [(part, self._coloured(part)) for part in bought(self.sizes, self.build)]

    @cached_property
    def tray(self) -> list[tuple[Bought, Shown]]:
        return [(part, self._coloured(part)) for part in tray_parts(self.sizes)]

    @cached_property
    def lit(self) -> list[Shown]:
        """The digits of all four displays."""
        shown = Shown(model(digits(self.sizes)), (255, 120, 90))
        return [shown.moved(Location((0, 0, 0), (0, 0, turn))) for turn in QUARTERS]

    @cached_property
    def screw(self) -> Shown:
        return Shown(model(screw(self.sizes)), _COLOURS["screw-m3x10"])

    def other(self, solid: Solid | Compound, colour: Colour) -> Shown:
        """What only one picture shows."""
        return Shown(model(solid), colour)

    def piece(self, name: str, place: int | None = None) -> list[Shown]:
        """A piece's copies in the box, or the one of that number."""
        places = self.pieces[name].places if place is None else (self.pieces[name].places[place],)
        return [self.on_bed(name).moved(one) for one in places]

    def in_tray(self, name: str) -> list[Shown]:
        return [self.on_bed(name).moved(one) for one in self.pieces[name].in_tray]

    def bought(self, *kinds: str, place: str | None = None) -> list[Shown]:
        """Bought parts in the box of these kinds, at one place or everywhere."""
        return [shown for part, shown in self.parts if part.kind in kinds and place in (None, part.place)]

    @staticmethod
    def _coloured(part: Bought) -> Shown:
        return Shown(model(part.solid), _COLOURS[part.kind])


def lifted(shown: Iterable[Shown], up: float, across: float = 0.0, along: float = 0.0) -> list[Shown]:
    """The same, moved."""
    return [one.moved(Location((across, along, up))) for one in shown]


def new(shown: Iterable[Shown]) -> list[Shown]:
    """In the colour of what a step adds."""
    return [Shown(one.model, NEW) for one in shown]
