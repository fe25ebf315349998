"""All printed pieces, each as it lies on the bed, and where it goes in the box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from build123d import Location, Solid

from hardware.enclosure.base import base, carrier_holders, charger_holders
from hardware.enclosure.deck import deck
from hardware.enclosure.holders import clamp
from hardware.enclosure.lantern import lantern
from hardware.enclosure.layout import SIDES, Layout
from hardware.enclosure.panel import board_front, in_tower, panels
from hardware.enclosure.quantities import BUTTONS, printed
from hardware.enclosure.shapes import QUARTERS
from hardware.enclosure.sizes import SIZES, Sizes
from hardware.enclosure.small import battery_bar, collar_dalej, collar_juz, plug
from hardware.enclosure.tower import tower
from hardware.enclosure.tray import chute, stand, switch_body, switch_holders


@dataclass(frozen=True)
class Piece:
    """One printed piece: `solid` stands on z = 0 as on the bed, `orientation` says which face lies there.

    `places` puts its copies into the box, `in_tray` into the tile tray, which has an origin of its own.
    """

    name: str
    solid: Solid
    orientation: str
    quantity: int
    places: tuple[Location, ...]
    in_tray: tuple[Location, ...] = ()


def pieces(sizes: Sizes = SIZES, build: str = "full", *, kostka: bool = True) -> list[Piece]:
    """Every piece of one box, by name; WillNotFit when these sizes give none."""
    layout = Layout(sizes)
    layout.check()
    made = [
        *_large(sizes),
        *_panels(sizes, SIDES[: BUTTONS[build]]),
        *_collars(sizes, layout, build),
        _clamp(sizes, layout, kostka=kostka),
    ]
    made.append(_lying("battery-bar", battery_bar(sizes), "flat", [Location((*layout.battery, layout.battery_top))]))
    if kostka:
        made += [_of_tray("tray-stand", stand(sizes)), _of_tray("tray-chute", chute(sizes))]
    named = {piece.name: piece for piece in made}
    return [named[name] for name in printed(build, kostka=kostka)]


def _lying(name: str, solid: Solid, face: str, places: list[Location]) -> Piece:
    return Piece(name, solid, face, len(places), tuple(places))


def _turned(name: str, in_box: Solid, face: str) -> Piece:
    """A piece that is modelled as it stands in the box and printed upside down."""
    bounds = in_box.bounding_box()
    over = Location((0, 0, bounds.max.Z), (180, 0, 0))
    return Piece(name, in_box.moved(over), face, 1, (over.inverse(),))


def _of_tray(name: str, solid: Solid) -> Piece:
    piece = _turned(name, solid, "top")
    return replace(piece, places=(), in_tray=piece.places)


def _large(sizes: Sizes) -> list[Piece]:
    return [
        _lying("base", base(sizes), "bottom", [Location()]),
        _turned("deck", deck(sizes), "top"),
        _turned("tower", tower(sizes), "top"),
        _turned("lantern", lantern(sizes), "top"),
    ]


def _panels(sizes: Sizes, named: Sequence[str]) -> list[Piece]:
    home = in_tower(sizes)
    quarters = dict(zip(SIDES, QUARTERS, strict=True))
    return [
        _lying(f"panel-{side.lower()}", solid, "front", [Location((0, 0, 0), (0, 0, quarters[side])) * home])
        for side, solid in panels(sizes, named).items()
    ]


def _collars(sizes: Sizes, layout: Layout, build: str) -> list[Piece]:
    """Collars on the sides that have buttons; on the others a plug in each hole, tongue over the lamp's hole."""
    made = []
    used, free = QUARTERS[: BUTTONS[build]], QUARTERS[BUTTONS[build] :]
    for name, solid in (("juz", collar_juz(sizes)), ("dalej", collar_dalej(sizes))):
        home = Location((*layout.buttons[name], sizes.deck))
        made.append(_lying(f"collar-{name}", solid, "underside", [_quarter(turn) * home for turn in used]))
    over = sizes.deck + sizes.collar
    left = Location((*layout.buttons["dalej"], over), (180, 0, 0))
    right = Location((*layout.buttons["juz"], over), (180, 0, 180))
    if free:
        homes = [_quarter(turn) * home for turn in free for home in (left, right)]
        made.append(_lying("plug", plug(sizes), "face", homes))
    return made


def _quarter(degrees: int) -> Location:
    return Location((0, 0, 0), (0, 0, degrees))


def _clamp(sizes: Sizes, layout: Layout, *, kostka: bool) -> Piece:
    carrier = layout.carrier_under + sizes.carrier.board
    charger = layout.charger_under + sizes.charger.board
    places = [Location((x, y, carrier), (0, 0, turn)) for x, y, turn in carrier_holders(layout)]
    places += [Location((x, y, charger), (0, 0, turn)) for x, y, turn in charger_holders(layout)]
    middle = sum(layout.window) / 2
    height = sizes.panel + board_front(sizes) + sizes.display.board
    for turn in QUARTERS:
        home = _quarter(turn) * in_tower(sizes)
        half = sizes.display.width / 2
        places += [home * Location((side * half, middle, height), (0, 0, over)) for side, over in ((1, 0), (-1, 180))]
    piece = _lying("clamp", clamp(sizes, 0.5), "flat", places)
    if not kostka:
        return piece
    under = switch_body(sizes)[2][0]
    over = Location((0, 0, 0), (180, 0, 0))
    in_tray = tuple(Location((x, y, under), (0, 0, turn)) * over for x, y, turn in switch_holders(sizes))
    return replace(piece, quantity=len(places) + len(in_tray), in_tray=in_tray)
