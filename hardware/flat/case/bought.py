"""Stand-ins for what the case holds, as large as it may be, where it sits: boards, parts, keys, plugs, screws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from build123d import Compound, Location, Solid

from hardware.enclosure.shapes import QUARTERS, Span, box, join, less, prism, rod, wedge
from hardware.flat import layout
from hardware.flat.case import face, tray
from hardware.flat.case.deck import corner_box
from hardware.flat.case.sizes import Sizes, in_corner, places
from hardware.flat.circuit import MAIN, SIDES, Part, circuit

HIGH: Final = {
    "resistor": (1.8, 1.0, 0.7), "capacitor-100n": (1.8, 1.0, 1.0), "capacitor-1u": (1.8, 1.0, 1.0),
    "capacitor-10u": (2.2, 1.5, 1.5), "capacitor-22u": (2.2, 1.5, 1.5), "capacitor-470u": (8.6, 8.6, 10.5),
    "fuse": (4.8, 3.6, 1.6), "diode": (3.9, 1.9, 1.4), "led": (2.2, 1.4, 0.8), "transistor": (3.1, 2.7, 1.2),
    "mosfet": (3.1, 2.7, 1.2), "regulator": (7.2, 7.2, 1.9), "buffer": (3.1, 3.1, 1.5), "usb-guard": (3.1, 3.1, 1.5),
    "lamp": (5.5, 5.1, 1.7), "module": (18.2, 25.7, 3.3), "board-button": (5.6, 5.6, 3.6),
    "display-driver": (10.7, 18.2, 2.7),
}  # fmt: skip
"""Along x and y of its footprint, and its height, at most: data sheets' of what is ordered. Kinds by how they begin."""
_HEADER: Final = 10.3  # length of four poles
_BODY: Final = 2.6  # of right-angle pins, along and above the board
_PINS: Final = 6.2  # beyond their body


class Bought(NamedTuple):
    """`kind` is its key in the list of what to order, or `board`, `display`."""

    kind: str
    place: str
    solid: Solid


def bought(sizes: Sizes) -> list[Bought]:
    """All that has a body of its own in the closed box, without plugs; small parts are `parts_on`."""
    found = [Bought("board", MAIN, main_board(sizes))]
    for side, quarter in zip(SIDES, QUARTERS, strict=True):
        turn = Location((0, 0, 0), (0, 0, quarter))
        found += [Bought(kind, side, one.moved(turn)) for kind, one in _display(sizes)]
    found += [Bought("key-switch", name, key(sizes, at)) for name, at in sizes.key_places().items()]
    found += [Bought("screw", "base", screw(sizes, at)) for at in sizes.posts()]
    found += [Bought("foot", "base", foot(sizes, at)) for at in sizes.feet()]
    return found + _tall(sizes)


def main_board(sizes: Sizes) -> Solid:
    """The octagon with its screw holes."""
    z = (sizes.boards.bottom, sizes.boards.top)
    outline = [(x, -y) for x, y in layout.contour(MAIN)]
    return less(prism(outline, z), *[rod(at, layout.HOLE / 2, (0.0, 30.0)) for at in sizes.posts()])


def below(sizes: Sizes) -> Compound:
    """Under the main board: the keys' sockets, and what through-hole parts stick out."""
    z = (sizes.boards.bottom - sizes.boards.below, sizes.boards.bottom)
    made = [
        box((-8.6, 7.4), (-0.75, 7.25), z).moved(Location((x, y, 0), (0, 0, turn)))
        for x, y, turn in sizes.key_places().values()
    ]
    made += [one.moved(Location((0, 0, 0), (0, 0, turn))) for turn in QUARTERS for one in [_solder(z)]]
    made += [corner_box("DA", (-5.5, 5.5), (72.5, 75.5), z), corner_box("CD", (-3.0, 3.0), (77.0, 80.0), z)]
    made.append(corner_box("AB", (-5.5, 5.5), (79.5, 86.0), z))
    return Compound(children=made)


def _solder(z: Span) -> Solid:
    return box((-5.5, 5.5), (-layout.PINS_OUT - 1.5, 1.5 - layout.PINS_OUT), z)


def parts_on(sizes: Sizes, piece: str) -> Compound:
    """What is soldered onto a board's front, and onto a display's back: in the box, or in side A's place."""
    made = [
        one
        for part in circuit().parts
        if part.piece == piece and (size := _size(part)) is not None
        for one in [_soldered(sizes, part, size)]
    ]
    return Compound(children=made)


def _size(part: Part) -> tuple[float, float, float] | None:
    return next((size for kind, size in HIGH.items() if part.kind.name.startswith(kind)), None)


def _soldered(sizes: Sizes, part: Part, size: tuple[float, float, float]) -> Solid:
    at = places()[part.ref]
    (wide, long, high), boards = size, sizes.boards
    block = box((-wide / 2, wide / 2), (-long / 2, long / 2), (0.0, high))
    here = Location((at.x, -at.y, 0), (0, 0, at.angle))
    if part.piece == MAIN:
        return block.moved(Location((0, 0, boards.top)) * here)
    if at.back:
        block = block.moved(Location((0, 0, -high - boards.thickness)))
    return block.moved(face.UPRIGHT * Location((0, boards.display_middle, boards.display_front)) * here)


def _display(sizes: Sizes) -> Iterable[tuple[str, Solid]]:
    """Side A's: its board, the socket on its back, and the main board's pins that it is pushed onto."""
    boards, (wide, _) = sizes.boards, layout.DISPLAY
    yield "display", box((-wide / 2, wide / 2), (-boards.display_front, -boards.display_back), boards.display_z)
    axis, half = boards.top + boards.pin, _HEADER / 2
    socket = box((-half, half), (-boards.display_back, -layout.HALF - 0.1), (axis - 1.3, axis + 1.3))
    pins = [
        box((x - 0.4, x + 0.4), (-layout.HALF - _PINS, -layout.HALF), (axis - 0.4, axis + 0.4))
        for x in (-3.81, -1.27, 1.27, 3.81)
    ]
    yield "display-socket", less(socket, *pins)
    body = box((-half, half), (-layout.HALF, _BODY - layout.HALF), (boards.top, boards.top + _BODY))
    yield "display-pins", join(body, *pins)


def key(sizes: Sizes, at: tuple[float, float, float], pressed: float = 0.0) -> Solid:
    """A switch; the cap's stem dives into the well around its own."""
    part, top = sizes.key, sizes.boards.top
    wide, narrow = part.wide / 2, part.narrow / 2
    housing = join(
        box((-wide, wide), (-wide, wide), (top, top + part.waist)),
        box((-narrow, narrow), (-narrow, narrow), (top, top + part.housing)),
    )
    housing = less(housing, rod((0.0, 0.0), part.well / 2, (top + part.waist - 1.0, top + part.housing + 1)))
    long, (lying, standing) = part.cross / 2, (arm / 2 for arm in part.arms)
    z = (top + part.waist - 1.0, top + part.stem - pressed)
    whole = join(
        housing, box((-long, long), (-lying, lying), z), box((-standing, standing), (-long, long), z)
    )  # its stem stands on the well's floor
    return whole.moved(Location((at[0], at[1], 0), (0, 0, at[2])))


def screw(sizes: Sizes, at: Span) -> Solid:
    """Point up."""
    part = sizes.screw
    return join(
        rod(at, part.head / 2, (part.seat - part.head_height, part.seat)),
        rod(at, part.diameter / 2, (part.seat - 0.1, part.seat + part.length)),
    )


def foot(sizes: Sizes, at: Span) -> Solid:
    """On the table, its upper face stuck into the base."""
    return rod(at, sizes.foot.diameter / 2, (0.0, sizes.foot.height))


def _tall(sizes: Sizes) -> list[Bought]:
    """Sockets and buzzer."""
    top = sizes.boards.top
    return [
        Bought("usb-socket", "AB", corner_box("AB", (-4.5, 4.5), (80.9, 88.3), (top, top + 3.3))),
        Bought("kostka-plug", "CD", corner_box("CD", (-3.8, 3.8), (76.0, 87.8), (top, top + 7.0))),
        Bought("buzzer", "DA", rod(in_corner("DA", 0.0, 74.0), 6.1, (top, top + 9.6))),
    ]


def plugs(sizes: Sizes) -> list[Bought]:
    """What enters from outside."""
    part, top = sizes.plugs, sizes.boards.top
    wide, high = (one / 2 for one in part.usb)
    middle = top + part.usb_up
    usb = corner_box("AB", (-wide, wide), (part.usb_face, part.usb_face + 22.0), (middle - high, middle + high))
    lead = corner_box("AB", (-2.0, 2.0), (part.usb_face + 22.0, part.usb_face + 60.0), (middle - 2.0, middle + 2.0))
    wide, high = (one / 2 for one in part.kostka)
    middle = top + part.kostka_up
    kostka = corner_box("CD", (-wide, wide), (87.9, part.kostka_end), (middle - high, middle + high))
    wires = corner_box("CD", (-2.0, 2.0), (part.kostka_end, 130.0), (middle - 0.8, middle + 0.8))
    return [Bought("cable", "AB", join(usb, lead)), Bought("kostka-lead", "CD", join(kostka, wires))]


def antenna(sizes: Sizes) -> Solid:
    """The outer end of the module, which sends."""
    top = sizes.boards.top
    out = layout.CORNER - 12.75 + 12.75
    return corner_box("BC", (-9.0, 9.0), (out - 6.2, out), (top, top + 3.2))


def blades(sizes: Sizes) -> tuple[float, float, float]:
    """Where the terminals of the tray's switch are, along y."""
    _, y, _ = tray.switch_body(sizes)
    return y[0] + 5, y[0] + 13, y[1] - 5


def lever(sizes: Sizes) -> Solid:
    """Of the tray's switch, up."""
    _, y, z = tray.switch_body(sizes)
    part = sizes.microswitch
    half = part.lever_width / 2
    outline = [(y[1] - 2.0, z[1] - 0.5), (y[1] - 2.0, z[1] + 1.0), (y[0] + 1.0, z[1] + part.lever_free)]
    outline += [(y[0] + 0.6, z[1] + part.lever_free), (y[1] - 2.8, z[1] - 0.5)]
    return wedge(outline, (-half, half))


def tray_parts(sizes: Sizes) -> list[Bought]:
    """Switch with its lever up, a stack of tiles, in the tray's place."""
    x, y, z = tray.switch_body(sizes)
    terminals = [box((-0.4, 0.4), (at - 1.6, at + 1.6), (z[0] - 6.0, z[0] + 0.1)) for at in blades(sizes)]
    switch = join(box(x, y, z), lever(sizes), *terminals)
    tile, floor = sizes.tile, tray.height(sizes)
    stack = [
        box((-tile.width / 2, tile.width / 2), (tile.gap, tile.gap + tile.length), (low, low + tile.thickness))
        for low in (floor + number * tile.thickness for number in range(tile.stack))
    ]
    return [Bought("kostka-switch", "tray", switch), *[Bought("tile", "tray", one) for one in stack]]
