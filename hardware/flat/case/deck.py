"""The deck: the lid that holds everything, printed on its face. Its first layers are white, the rest black.

Lamps shine through the white where a shaft leads down to them. Masks slide into its rails, the main board lies on its
pillars, caps in its sleeves; the base closes it.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, tan
from typing import Final

from build123d import Location, Solid

from hardware.enclosure.letters import lettering
from hardware.enclosure.shapes import (
    QUARTERS,
    Span,
    box,
    common,
    each_side,
    frustum,
    join,
    less,
    prism,
    rod,
    tube,
    wedge,
)
from hardware.flat.case import face
from hardware.flat.case.sizes import Sizes, in_corner, on_main
from hardware.flat.circuit import SIDES
from hardware.flat.layout import LAMP_OUT
from moveclock.view import RING

FINS: Final = 18.0  # along a cut corner's edge, from its middle: what the main board's edge lies between
_FIN: Final = 1.6
_BEHIND: Final = ((30.0, 38.0), 1.8)  # where from the side's middle, and how thick, is what is behind a display's edge
_CELL: Final = (26.8, 33.2)  # inner and outer radius of the ring's windows
_WINDOW: Final = 3.2  # half the width of another lamp's
_LETTER: Final = 13.0  # from the outer face to the foot of a side's letter
_TIP: Final = 2.5  # height of the pillars' slender end, beside which parts stand
SOUND: Final = 1.5  # radius of a hole
_SOUND_APART: Final = 4.6
POKE: Final = 1.6  # radius of the hole over a repairer's button


def deck(sizes: Sizes, *, blind: bool = False) -> Solid:
    """As it stands in the box. `blind`: without the segments' windows, two thirds of its faces."""
    body = join(_shell(sizes), *_sleeves(sizes), *_shafts(sizes), *_pillars(sizes), *_rails(sizes), *_fins(sizes),
                *_behind(sizes), *_tubes(sizes))  # fmt: skip
    cuts = [*([] if blind else _windows(sizes)), *_holes(sizes), *_cells(sizes), *_pockets(sizes), *openings(sizes)]
    return join(less(body, *cuts), *_catches(sizes))


def corner_box(name: str, along: Span, out: Span, z: Span) -> Solid:
    """A block in the frame of a cut corner."""
    corners = [(along[0], out[0]), (along[1], out[0]), (along[1], out[1]), (along[0], out[1])]
    return prism([in_corner(name, *at) for at in corners], z)


def sound_holes() -> list[Span]:
    """Over the buzzer."""
    around = [(_SOUND_APART * cos(step * pi / 3), _SOUND_APART * sin(step * pi / 3)) for step in range(6)]
    return [in_corner("DA", x, 74.0 + y) for x, y in [(0.0, 0.0), *around]]


def lamp_windows(sizes: Sizes) -> list[tuple[str, list[Span]]]:
    """Each lamp's, by its reference: an outline in the box."""
    at = on_main()
    found = []
    inner, outer = _CELL
    for place in range(RING):
        x, y = at[f"LP{place + 1}"]
        turn = atan2(y, x)
        corners = []
        for radius, side in ((inner, -1), (outer, -1), (outer, 1), (inner, 1)):
            aside = side * (radius * tan(pi / RING) - sizes.shell.rib / 2)
            corners.append((radius * cos(turn) - aside * sin(turn), radius * sin(turn) + aside * cos(turn)))
        found.append((f"LP{place + 1}", corners))
    for number in range(RING + 1, RING + 9):
        x, y = at[f"LP{number}"]
        turn = atan2(y, x)
        quarter = round(turn / (pi / 2)) * pi / 2  # towards its side
        begin, end = LAMP_OUT - 3.1, LAMP_OUT + 0.95
        aside = -x * sin(quarter) + y * cos(quarter)
        corners = [(begin, aside - _WINDOW), (end, aside - _WINDOW), (end, aside + _WINDOW), (begin, aside + _WINDOW)]
        found.append(
            (
                f"LP{number}",
                [(a * cos(quarter) - b * sin(quarter), a * sin(quarter) + b * cos(quarter)) for a, b in corners],
            )
        )
    x, y = at[f"LP{RING + 9}"]
    low, high = sizes.sleeve + sizes.cap.wall + 0.1, y + 2.8
    found.append((f"LP{RING + 9}", [(x - _WINDOW, low), (x + _WINDOW, low), (x + _WINDOW, high), (x - _WINDOW, high)]))
    return found


def _shell(sizes: Sizes) -> Solid:
    part = sizes.shell
    block = prism(sizes.outline(), (sizes.floor, part.deck))
    block = block.chamfer(1.0, None, [edge for edge in block.edges() if part.deck - 0.01 < edge.center().Z])
    return less(block, prism(sizes.outline(part.wall), (sizes.floor - 1, sizes.under)))


def _sleeves(sizes: Sizes) -> list[Solid]:
    half, part = sizes.sleeve + sizes.cap.wall, sizes.shell
    z = (part.deck - part.sleeve, sizes.under + 0.5)
    return [box((x - half, x + half), (y - half, y + half), z) for x, y, _ in sizes.key_places().values()]


def _shafts(sizes: Sizes) -> list[Solid]:
    part = sizes.shell
    z = (sizes.boards.top + part.shafts, sizes.under + 0.5)
    made = [tube((0.0, 0.0), (_CELL[0] - part.rib, _CELL[1] + part.rib), z)]
    half = _WINDOW + part.rib
    far = LAMP_OUT + 2.3
    for x in (16.0, -16.0):
        made += each_side(box((x - half, x + half), (-far, -(LAMP_OUT - 3.1 - part.rib)), z))
    x, y = on_main()[f"LP{RING + 9}"]
    made.append(box((x - half, x + half), (sizes.sleeve + 0.5, y + 2.8 + part.rib), z))
    return made


def _pillars(sizes: Sizes) -> list[Solid]:
    """On the main board, around its holes; slender at their ends, for the parts beside them."""
    top = sizes.boards.top
    made = []
    for at in sizes.posts():
        made += [rod(at, 2.9, (top, sizes.under + 0.5)), rod(at, 4.2, (top + _TIP, sizes.under + 0.5))]
    return made


def _rails(sizes: Sizes) -> list[Solid]:
    """Both of each side, within the walls."""
    part = sizes.rail
    within = prism(sizes.outline(0.4), (part.low, sizes.under + 0.5))
    begin = sizes.mask_back - part.slide - part.lip
    made = []
    for side in (-1, 1):
        x = sorted((side * part.begins, side * part.ends))
        block = box((x[0], x[1]), (-sizes.shell.side, -begin), (part.low, sizes.under + 0.5))
        made.append(common(block, within))
    return each_side(*made)


def _catches(sizes: Sizes) -> list[Solid]:
    """A ridge across the tongue of each rail, over which a mask snaps, so that the deck can be turned over."""
    part = sizes.rail
    begin = sizes.mask_back - part.slide
    outline = [(0.3 - begin, part.low), (-begin - part.catch, part.low + 0.3), (0.3 - begin, part.low + 1.0)]
    ends = [sorted((side * (part.begins + 0.1), side * (sizes.mask.flange[0] - 0.2))) for side in (-1, 1)]
    return each_side(*[wedge(outline, (x[0], x[1])) for x in ends])


def _fins(sizes: Sizes) -> list[Solid]:
    """Outside the main board's cut corners, so that its holes come to lie on the pillars."""
    z = (sizes.boards.bottom + 0.6, sizes.under + 0.5)
    return [
        corner_box(name, (side * FINS - _FIN / 2, side * FINS + _FIN / 2), (88.0, sizes.shell.corner - 1.0), z)
        for name in ("AB", "BC", "CD", "DA")
        for side in (-1, 1)
    ]


def behind(sizes: Sizes, z: Span) -> list[Solid]:
    """Two small walls behind each display, so that nobody bends its pins."""
    (near, far), thick = _BEHIND
    back = sizes.boards.display_back - sizes.shell.air
    blocks = [
        box((side * near, side * far) if side > 0 else (-far, -near), (-back, thick - back), z) for side in (-1, 1)
    ]
    return each_side(*blocks)


def _behind(sizes: Sizes) -> list[Solid]:
    return behind(sizes, (sizes.boards.display_z[1] - 4.0, sizes.under + 0.5))


def _tubes(sizes: Sizes) -> list[Solid]:
    """Around the holes that lead to the repairer's buttons."""
    at = on_main()
    return [rod(at[ref], POKE + 1.6, (sizes.boards.top + 4.5, sizes.under + 0.5)) for ref in ("S11", "S12")]


def _windows(sizes: Sizes) -> list[Solid]:
    made = face.prisms(sizes, (sizes.wall - 0.5, sizes.shell.side + 0.5), sizes.mask.shy)
    return each_side(*[one.moved(face.UPRIGHT) for one in made])


def _holes(sizes: Sizes) -> list[Solid]:
    """For caps, screws, sound and a paper clip."""
    part, half, at = sizes.shell, sizes.sleeve, on_main()
    z = (part.deck - part.sleeve - 1, part.deck + 1)
    bevel = frustum(half - 0.01, half + part.bevel + 0.05, (part.deck - part.bevel, part.deck + 0.05))
    made = []
    for x, y, _ in sizes.key_places().values():
        made += [box((x - half, x + half), (y - half, y + half), z), bevel.moved(Location((x, y, 0)))]
    deep = sizes.screw.seat + sizes.screw.length + 1.5
    made += [rod(at, sizes.screw.pilot / 2, (sizes.boards.top - 1, deep)) for at in sizes.posts()]
    made += [rod(at, SOUND, (sizes.under - 1, part.deck + 1)) for at in sound_holes()]
    made += [rod(at[ref], POKE, (sizes.boards.top, part.deck + 1)) for ref in ("S11", "S12")]
    return made + letters(sizes, (part.deck - part.skin, part.deck + 1.0))  # through the white


def letters(sizes: Sizes, z: Span) -> list[Solid]:
    """Each side's, and the word BOOT beside the hole that leads there, between these heights."""
    deep = z[1] - z[0]
    made = []
    for side, quarter in zip(SIDES, QUARTERS, strict=True):
        home = Location((0, 0, 0), (0, 0, quarter)) * Location((0, _LETTER - sizes.shell.side, z[0]))
        made += [bar.moved(home) for bar in lettering(side, 6.0, 1.2, deep)]
    x, y = in_corner("DA", 14.5, 69.0)
    home = Location((x, y, z[0]), (0, 0, 45.0))
    return made + [bar.moved(home) for bar in lettering("BOOT", 3.4, 0.9, deep)]


def _cells(sizes: Sizes) -> list[Solid]:
    z = (sizes.boards.top, sizes.shell.deck - sizes.shell.skin)
    return [prism(outline, z) for _, outline in lamp_windows(sizes)]


def _pockets(sizes: Sizes) -> list[Solid]:
    """Over the displays, the rails' grooves, and what frees their tongues."""
    part, rail = sizes.boards, sizes.rail
    across = rail.begins + 0.2
    out = (part.display_back - 0.8, sizes.mask_back + 0.1)
    over = box((-across, across), (-out[1], -out[0]), (sizes.under - 0.5, sizes.shell.deck - sizes.shell.roof))
    wide, thick = sizes.mask.flange
    begin, end = sizes.mask_back - rail.slide, sizes.mask_back + thick + rail.slide
    grooves = [
        box((x[0], x[1]), (-end, -begin), (0.0, sizes.under))
        for x in [sorted((side * (rail.begins - 1), side * (wide + rail.slide))) for side in (-1, 1)]
    ]
    lip = (begin - rail.lip - 0.1, begin + 0.1)
    slits = [
        box((x[0], x[1]), (-lip[1], -lip[0]), (rail.low - 1.0, rail.low + rail.tongue))
        for x in [sorted((side * (wide + rail.slide), side * (wide + rail.slide + rail.slit))) for side in (-1, 1)]
    ]
    return each_side(over, *grooves, *slits)


def openings(sizes: Sizes) -> list[Solid]:
    """For both plugs."""
    plug, top = sizes.plugs, sizes.boards.top
    out = (sizes.shell.corner - sizes.shell.wall - 1, sizes.shell.corner + 1)
    made = []
    for name, (wide, high), up, play in (
        ("AB", plug.usb, plug.usb_up, plug.usb_play),
        ("CD", plug.kostka, plug.kostka_up, plug.kostka_play),
    ):
        half, middle = wide / 2 + play, top + up
        made.append(corner_box(name, (-half, half), out, (middle - high / 2 - play, middle + high / 2 + play)))
    return made
