"""All printed pieces of the flat box, each as it lies on the bed, and where its copies go."""

from __future__ import annotations

from dataclasses import dataclass

from build123d import Location, Solid

from hardware.enclosure.shapes import QUARTERS
from hardware.flat.case import face, tray
from hardware.flat.case.base import base
from hardware.flat.case.deck import deck
from hardware.flat.case.sizes import SIZES, Sizes
from hardware.flat.case.small import CAPS, cap, mask


@dataclass(frozen=True)
class Piece:
    """One printed piece: `solid` stands on z = 0 as on the bed, with the face `lies_on` down.

    `places` puts its copies into the box, or into the tray where `of_tray`.
    """

    name: str
    solid: Solid
    lies_on: str
    places: tuple[Location, ...]
    of_tray: bool = False

    @property
    def quantity(self) -> int:
        return len(self.places)


def pieces(sizes: Sizes = SIZES, *, kostka: bool = True) -> list[Piece]:
    """Every piece of one box, with or without the tray that stands aside."""
    made = [_standing("base", base(sizes), "bottom"), _turned("deck", deck(sizes), "top"), _mask(sizes)]
    made += [_cap(sizes, name) for name in CAPS]
    return made + _tray(sizes) if kostka else made


def home(sizes: Sizes, quarter: float = 0.0) -> Location:
    """Where a mask is, on the side that is so many degrees counter-clockwise from A."""
    return Location((0, 0, 0), (0, 0, quarter)) * face.UPRIGHT * Location((0, 0, sizes.mask_back))


def _standing(name: str, solid: Solid, lies_on: str) -> Piece:
    low = solid.bounding_box().min.Z
    return Piece(name, solid.moved(Location((0, 0, -low))), lies_on, (Location((0, 0, low)),))


def _turned(name: str, solid: Solid, lies_on: str, places: tuple[Location, ...] = (Location(),)) -> Piece:
    """Modelled as it stands, printed upside down."""
    over = Location((0, 0, solid.bounding_box().max.Z), (180, 0, 0))
    return Piece(name, solid.moved(over), lies_on, tuple(place * over.inverse() for place in places))


def _mask(sizes: Sizes) -> Piece:
    return Piece("mask", mask(sizes), "back", tuple(home(sizes, quarter) for quarter in QUARTERS))


def _cap(sizes: Sizes, name: str) -> Piece:
    at = [place for key, place in sizes.key_places().items() if key.partition("-")[0] == name]
    places = tuple(Location((x, y, 0), (0, 0, turn)) for x, y, turn in at)
    return _turned(f"cap-{name}", cap(sizes, name), "top", places)


def _tray(sizes: Sizes) -> list[Piece]:
    stand = _turned("tray-stand", tray.stand(sizes), "top")
    chute = _turned("tray-chute", tray.chute(sizes), "top")
    clamp = Piece("tray-clamp", tray.clamp(sizes), "flat", tuple(tray.clamp_places(sizes)))
    return [Piece(one.name, one.solid, one.lies_on, one.places, of_tray=True) for one in (stand, chute, clamp)]
