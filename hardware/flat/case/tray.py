"""The tray that stands aside, on a lead from Kostka's plug: a stack of tiles of which the lowest is drawn out.

A stand with the lever switch under its top, a chute whose lowest tile leaves over the lever. The chute's lintel lets
one tile through and keeps it down on the lever; at the sides it is open for finger and thumb. It holds the one stack
that is drawn from (8 tiles: school-league 6e); the others lie beside it and are put in when it is empty: chutes for all
50 tiles of the bank would be a second box on the table.
"""

from __future__ import annotations

from typing import Final

from build123d import Location, Solid

from hardware.enclosure.shapes import Span, box, join, less, rod, wedge
from hardware.flat.case.sizes import Sizes

TOP: Final = 3.0  # thickness of the stand's top
THIN: Final = 2.0  # of it above the switch
WALL: Final = 2.4
HOOD: Final = 14.0  # how far the lintel covers a leaving tile
OPEN: Final = 17.0  # height of the openings for finger and thumb
GRIPPED: Final = 27.0  # how far along a tile they reach
SLOT: Final = 16.0  # width of the front slot, by which a stack is put in
LANDING: Final = 44.0  # of the stand in front of the chute
BOSS: Final = 8.0  # diameter around a screw
GRIP: Final = 2.5  # how far a clamp reaches over the switch
CLAMP: Final = (10.0, 3.0)  # its width and thickness
BLOCK: Final = 8.0  # what it is screwed to, beside the switch


def height(sizes: Sizes) -> float:
    """Of the stand: the switch stands upright in it, its leads below."""
    switch = sizes.microswitch
    return THIN + switch.height + switch.terminals + 3.0


def inside(sizes: Sizes) -> tuple[float, float]:
    """Half the chute's inner width, and its depth; its front inner face is y = 0, tiles leave towards -y."""
    return sizes.tile.width / 2 + sizes.tile.gap, sizes.tile.length + 2 * sizes.tile.gap


def mouth(sizes: Sizes) -> float:
    """Height of the lintel above the stand: one tile passes, never two."""
    return sizes.tile.thickness + sizes.tile.gap


def chute_screws(sizes: Sizes) -> list[Span]:
    """From below through the stand into the chute's three columns."""
    half, depth = inside(sizes)
    side = half + WALL + BOSS / 2 - 1.5
    return [(-side, depth - 5.0), (side, depth - 5.0), (0.0, depth + WALL + BOSS / 2 - 1.5)]


def switch_body(sizes: Sizes) -> tuple[Span, Span, Span]:
    """Where its body is along x, y and z: the lever's hinge is at +y, so that a leaving tile presses it down."""
    switch = sizes.microswitch
    back = 7.8
    top = height(sizes) - THIN
    return (-switch.width / 2, switch.width / 2), (back - switch.length, back), (top - switch.height, top)


def chute(sizes: Sizes) -> Solid:
    """As it stands on the stand; printed upside down."""
    half, depth = inside(sizes)
    floor = height(sizes)
    top = floor + sizes.tile.stack * sizes.tile.thickness + 8.0
    outer = half + WALL
    lintel = floor + mouth(sizes)
    hood = [(-WALL, lintel), (-HOOD, lintel), (-HOOD, lintel + 2.0), (-WALL, lintel + 2.0 + (HOOD - WALL) * 1.1)]
    body = join(
        box((-outer, outer), (-WALL, depth + WALL), (floor, top)),
        wedge([(0.0, lintel), *hood[1:], (0.0, hood[-1][1])], (-outer, outer)),
        *[rod(at, BOSS / 2, (floor, top)) for at in chute_screws(sizes)],
    )
    cuts = [
        box((-half, half), (0.0, depth), (floor - 1, top + 1)),
        box((-outer - 1, outer + 1), (-HOOD - 1, 0.1), (floor - 1, lintel)),
        box((-outer - 1, outer + 1), (-WALL - 0.1, GRIPPED), (floor - 1, lintel)),
        box((-outer - 1, -half + 0.1), (0.0, GRIPPED), (floor - 1, floor + OPEN)),
        box((half - 0.1, outer + 1), (0.0, GRIPPED), (floor - 1, floor + OPEN)),
        box((-SLOT / 2, SLOT / 2), (-WALL - 1, 0.1), (lintel + 18.0, top + 1)),
    ]
    cuts += [rod(at, sizes.screw.pilot / 2, (floor - 1, floor + sizes.screw.length)) for at in chute_screws(sizes)]
    return less(body, *cuts)


def stand(sizes: Sizes) -> Solid:
    """As it stands on the table; printed upside down."""
    top = height(sizes)
    x, y = stand_outline(sizes)
    shell = box(x, y, (0.0, top))
    shell = shell.fillet(6.0, [edge for edge in shell.edges() if abs(edge.tangent_at(0).Z) > 0.99])
    shell = less(shell, box((x[0] + WALL, x[1] - WALL), (y[0] + WALL, y[1] - WALL), (-1.0, top - TOP)))
    corners = [rod(at, 7.0, (0.0, top - TOP + 0.5)) for at in feet(sizes)]
    solid = join(shell, *corners, *_switch_seat(sizes))
    return less(solid, *_stand_holes(sizes))


def stand_outline(sizes: Sizes) -> tuple[Span, Span]:
    """Along x and y."""
    half, depth = inside(sizes)
    return (-half - 22.0, half + 22.0), (-LANDING, depth + 14.0)


def feet(sizes: Sizes) -> list[Span]:
    """Under the stand's corners."""
    x, y = stand_outline(sizes)
    return [(across, along) for across in (x[0] + 7.5, x[1] - 7.5) for along in (y[0] + 7.5, y[1] - 7.5)]


def clamp(sizes: Sizes) -> Solid:
    """Screwed under a block at an end of the switch, over whose edge (x < 0) its finger reaches."""
    wide, thick = CLAMP
    gap = sizes.microswitch.tolerance
    plate = box((-GRIP, gap + BLOCK), (-wide / 2, wide / 2), (0.0, thick))
    return less(plate, rod((gap + BLOCK / 2, 0.0), sizes.screw.through / 2, (-1.0, thick + 1)))


def clamp_places(sizes: Sizes) -> list[Location]:
    """Of both, under the switch."""
    _, y, z = switch_body(sizes)
    over = Location((0, 0, 0), (180, 0, 0))
    return [Location((0, at, z[0]), (0, 0, turn)) * over for at, turn in ((y[1], 90), (y[0], -90))]


def clamp_screws(sizes: Sizes) -> list[Span]:
    """From below through a clamp into the block beside the switch."""
    _, y, _ = switch_body(sizes)
    beside = sizes.microswitch.tolerance + BLOCK / 2
    return [(0.0, y[1] + beside), (0.0, y[0] - beside)]


def _switch_seat(sizes: Sizes) -> list[Solid]:
    switch = sizes.microswitch
    below = height(sizes) - TOP
    x, y, z = switch_body(sizes)
    near, wide = switch.tolerance, CLAMP[0] / 2
    ends = [(y[1] + near, y[1] + near + BLOCK), (y[0] - near - BLOCK, y[0] - near)]
    parts = [box((-wide, wide), end, (z[0] + 0.2, below + 0.5)) for end in ends]
    for side in (-1, 1):
        inner, outer = sorted((side * (x[1] + near), side * (x[1] + near + 2.0)))
        parts.append(box((inner, outer), (y[0] + 4, y[1] - 4), (below - 7.0, below + 0.5)))
    return [*parts, hinge_dot(sizes)]


def hinge_dot(sizes: Sizes) -> Solid:
    """Stands out of the underside of the stand's top, where the hinge of the lever belongs."""
    below = height(sizes) - TOP
    return rod((-16.0, switch_body(sizes)[1][1] - 2.5), 2.5, (below - 1.0, below + 0.5))


def _stand_holes(sizes: Sizes) -> list[Solid]:
    switch = sizes.microswitch
    top = height(sizes)
    x, y, (under, _) = switch_body(sizes)
    near = switch.tolerance
    _, (_, back) = stand_outline(sizes)
    deep = sizes.screw.length - CLAMP[1] + 1.0
    holes = [rod(at, sizes.screw.pilot / 2, (under - 1, under + deep)) for at in clamp_screws(sizes)]
    holes += [box((x[0] - near, x[1] + near), (y[0] - near, y[1] + near), (top - TOP - 1, top - THIN))]
    holes.append(
        box((-switch.lever_width / 2 - 1, switch.lever_width / 2 + 1), (y[0] - 3.0, y[1]), (top - THIN - 1, top + 1))
    )
    holes += [rod(at, sizes.screw.through / 2, (top - TOP - 1, top + 1)) for at in chute_screws(sizes)]
    holes.append(box((-3.0, 3.0), (back - WALL - 1, back + 1), (-1.0, 6.0)))
    return holes + tray_tie_slots(sizes)


def tray_tie_slots(sizes: Sizes) -> list[Solid]:
    """In the stand's back wall above the lead's notch: a cable tie through both holds the lead."""
    _, (_, back) = stand_outline(sizes)
    return [box((side - 1.2, side + 1.2), (back - WALL - 1, back + 1), (8.0, 12.0)) for side in (-4.5, 4.5)]
