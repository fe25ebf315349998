"""What lies and stands around a box in its pictures: tiles of a game, a rack, a power bank, a laptop."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from build123d import Compound, Location, Plane, Solid, Vector

from hardware.enclosure.shapes import Span, box, wedge
from hardware.flat.case.face import LIT
from hardware.flat.case.models import Mark, Thing, printed, shown
from hardware.flat.case.sizes import SIZES

_PEN: Final = 1.5
_DIGIT: Final = (6.0, 11.0)
TILE: Final = (SIZES.tile.width, SIZES.tile.length, SIZES.tile.thickness)


def _bars(number: int) -> list[Solid]:
    """A number, its digits side by side around the origin, flat on z = 0."""
    wide, high = _DIGIT
    text = str(number)
    made = []
    for place, digit in enumerate(text):
        x = (place - (len(text) - 1) / 2) * (wide + 3.0)
        for name in LIT[digit]:
            if name in "adg":
                y = {"a": high / 2, "g": 0.0, "d": -high / 2}[name]
                made.append(box((x - wide / 2, x + wide / 2), (y - _PEN / 2, y + _PEN / 2), (0.0, 0.3)))
            else:
                side = x + (wide / 2 if name in "bc" else -wide / 2)
                low = 0.0 if name in "bf" else -high / 2
                made.append(box((side - _PEN / 2, side + _PEN / 2), (low, low + high / 2), (0.0, 0.3)))
    return made


def tile(number: int, colour: str, at: Location) -> list[Thing]:
    """On the table, its number's foot towards -y there."""
    wide, long, thick = TILE
    body = box((-wide / 2, wide / 2), (-long / 2, long / 2), (0.0, thick))
    number_at = at * Location((0, 4.0, thick))
    return [shown(body, "tile").moved(at), *(one.moved(number_at) for one in printed(_bars(number), colour))]


def row(tiles: list[tuple[int, str]], at: Location) -> list[Thing]:
    """A set, from its first tile to the right."""
    step = TILE[0] + 0.8
    return [
        one
        for place, (number, colour) in enumerate(tiles)
        for one in tile(number, colour, at * Location((place * step, 0, 0)))
    ]


def rack(count: int, at: Location) -> list[Thing]:
    """Seen from behind it: backs of so many tiles; its player is at -y."""
    wide, long, thick = TILE
    half = count * (wide + 1.0) / 2 + 6.0
    foot = wedge([(-28.0, 0.0), (20.0, 0.0), (20.0, 8.0), (-8.0, 8.0), (-14.0, 14.0), (-28.0, 6.0)], (-half, half))
    lean = Location((0, -6.0, 8.0), (-15, 0, 0))
    tiles = [
        box((x - wide / 2, x + wide / 2), (0.0, thick), (0.0, long)).moved(lean)
        for x in ((place - (count - 1) / 2) * (wide + 1.0) for place in range(count))
    ]
    return [shown(foot, "wood").moved(at), *(shown(one, "tile").moved(at) for one in tiles)]


def bank(at: Location) -> list[Thing]:
    """A power bank, lying."""
    return [shown(box((-35.0, 35.0), (-70.0, 70.0), (0.0, 16.0)), "grey").moved(at)]


def table(x: Span, y: Span) -> list[Mark]:
    """Its top."""
    return printed([box(x, y, (-1.0, 0.0))], "table")


def run(points: list[tuple[float, float, float]], thick: float, look: str) -> list[Thing]:
    """A lead from each point to the next."""
    made = []
    for one, two in pairwise(points):
        way = Vector(*two) - Vector(*one)
        made.append(Solid.make_cylinder(thick / 2, way.length, Plane(Vector(*one), z_dir=way)))
    return [shown(Compound(children=made), look)]


def laptop(at: Location) -> list[Thing]:
    """Open; a tick on its screen."""
    keys = box((-100.0, 100.0), (-66.0, 66.0), (0.0, 12.0))
    lid = Location((0, 66.0, 12.0), (-15, 0, 0))
    back = box((-100.0, 100.0), (0.0, 7.0), (0.0, 132.0)).moved(lid)
    screen = box((-92.0, 92.0), (-0.4, 0.0), (10.0, 124.0)).moved(lid)
    strokes = [
        box((-30.0, 5.0), (-1.0, -0.4), (-5.0, 5.0)).moved(lid * Location((-16.0, 0, 44.0), (0, 45, 0))),
        box((-5.0, 66.0), (-1.0, -0.4), (-5.0, 5.0)).moved(lid * Location((-16.0, 0, 44.0), (0, -45, 0))),
    ]
    field = box((-84.0, 84.0), (-24.0, 54.0), (12.0, 12.6))
    return [
        shown(keys, "grey").moved(at),
        shown(back, "grey").moved(at),
        shown(screen, "screen").moved(at),
        shown(field, "dark").moved(at),
        *(shown(one, "green").moved(at) for one in strokes),
    ]
