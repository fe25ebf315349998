"""Stand-ins for the bought parts, as large as they may be, where they sit: for pictures and for collisions."""

from __future__ import annotations

from typing import Final, NamedTuple

from build123d import Compound, Location, Solid

from hardware.enclosure.deck import lamps
from hardware.enclosure.devkit import devkit, usb_plugs
from hardware.enclosure.lantern import ring_face
from hardware.enclosure.layout import SIDES, Layout
from hardware.enclosure.panel import RECESS, front
from hardware.enclosure.quantities import BUTTONS
from hardware.enclosure.shapes import QUARTERS, Span, box, join, less, rod, tube, wedge
from hardware.enclosure.sizes import Sizes
from hardware.enclosure.tower import slope
from hardware.enclosure.tray import feet, height, switch_body

ON_CARRIER: Final = ("carrier", "devkit", "buzzer", "capacitor-470u", "capacitor-1000u", "connector")


class Bought(NamedTuple):
    """A bought part in the box: `kind` is its key in the list of parts, `place` where it goes."""

    kind: str
    place: str
    solid: Solid


def bought(sizes: Sizes, build: str = "full", chip: str = "esp32") -> list[Bought]:
    """All that has a body worth drawing. A tray's switch and tiles have the tray's origin: `tray_parts`."""
    layout = Layout(sizes)
    sides = list(zip(SIDES, QUARTERS, strict=True))
    parts = [Bought("display", f"side {side}", _turned(_display(sizes, layout), turn)) for side, turn in sides]
    for side, turn in sides[: BUTTONS[build]]:
        for (name, at), lamp in zip(layout.buttons.items(), lamps(layout), strict=True):
            kind = {"dalej": "button-amber", "juz": "button-green"}[name]
            over = sizes.deck + sizes.collar
            panel = sizes.plate - 0.6 + sizes.collar
            parts.append(Bought(kind, f"side {side}", _turned(button(sizes, at, over, panel), turn)))
            parts.append(Bought("pixel", f"side {side}", _turned(_pixel(sizes, lamp, sizes.deck - sizes.plate), turn)))
    parts += [Bought("foot", "base", foot(sizes, at, sizes.foot.recess)) for at in layout.feet]
    parts += [Bought("usb-cable", "carrier", plug) for plug in usb_plugs(layout, chip)]
    return parts + _top(sizes, layout) + on_carrier(sizes, layout, chip) + bay(sizes, layout)


def button(sizes: Sizes, at: Span, over: float, panel: float) -> Solid:
    """Flange on z = `over`; its body is narrower than the hole, its microswitch narrower still."""
    part = sizes.button
    return join(
        rod(at, part.flange / 2, (over, over + part.flange_height)),
        rod(at, 12.0, (over, over + part.height)),
        rod(at, part.hole / 2 - 0.2, (over - panel - 10.0, over + 0.5)),
        rod(at, 11.0, (over - part.depth, over)),
    )


def foot(sizes: Sizes, at: Span, top: float) -> Solid:
    """A rubber foot stuck under z = `top`."""
    return rod(at, sizes.foot.diameter / 2, (top - sizes.foot.height, top))


def screw(sizes: Sizes) -> Solid:
    """Its head stands on z = 0, its point looks down."""
    part = sizes.screw
    return join(
        rod((0.0, 0.0), part.head / 2, (0.0, part.head_height)), rod((0.0, 0.0), part.diameter / 2, (-part.length, 0.1))
    )


def digits(sizes: Sizes) -> Compound:
    """What side A's display says in the pictures: 1:00."""
    layout = Layout(sizes)
    face = front(sizes) - RECESS
    middle, high, pitch, pen = sum(layout.window) / 2, sizes.display.digit, 12.0, 1.8
    wide = high / 2
    bars = [box((-0.9, 0.9), (middle + up - 0.9, middle + up + 0.9), (face, face + 0.05)) for up in (-3.0, 3.0)]
    for place, lit in ((-0.55, "bc"), (0.55, "abcdef"), (1.55, "abcdef")):
        x = place * pitch
        upright = {"b": (x + wide / 2, 1), "c": (x + wide / 2, 0), "f": (x - wide / 2, 1), "e": (x - wide / 2, 0)}
        for segment in lit:
            if segment in upright:
                at, upper = upright[segment]
                low = middle - (0 if upper else high / 2)
                bars.append(box((at - pen / 2, at + pen / 2), (low + 0.5, low + high / 2 - 0.5), (face, face + 0.05)))
            else:
                level = middle + (high / 2 if segment == "a" else -high / 2)
                bars.append(
                    box(
                        (x - wide / 2 + 0.5, x + wide / 2 - 0.5),
                        (level - pen / 2, level + pen / 2),
                        (face, face + 0.05),
                    )
                )
    return Compound(children=bars).moved(slope(sizes).location)


def _turned(solid: Solid, degrees: float) -> Solid:
    return solid.moved(Location((0, 0, 0), (0, 0, degrees)))


def _pixel(sizes: Sizes, at: Span, under: float) -> Solid:
    return rod(at, sizes.pixel.diameter / 2, (under - sizes.pixel.height, under))


def _display(sizes: Sizes, layout: Layout) -> Solid:
    """Block, board, parts on its back and the lead's plug, in side A's slope: at both edges, as makers differ."""
    part = sizes.display
    middle = sum(layout.window) / 2
    face = front(sizes) - RECESS
    half, block, board = part.width / 2, part.block_height / 2, part.board_height / 2
    back = face - part.block - part.board
    edges = [(middle + side - 1.5, middle + side + 1.5) for side in (board - 2.5, 2.5 - board)]
    solid = join(
        box((-half, half), (middle - block, middle + block), (face - part.block - 0.1, face)),
        box((-half, half), (middle - board, middle + board), (back, face - part.block)),
        box((-half + 6, half - 6), (middle - block, middle + block), (back - part.behind, back + 0.1)),
        *[box((-6.5, 6.5), edge, (back - part.plug, back + 0.1)) for edge in edges],
    )
    return solid.moved(slope(sizes).location)


def _top(sizes: Sizes, layout: Layout) -> list[Bought]:
    ring, over = sizes.ring, ring_face(sizes)
    band = tube((0.0, 0.0), (ring.inner / 2, ring.outer / 2), (over - ring.board, over))
    top = layout.roof + sizes.lantern
    lamp = (0.0, -layout.ring_boss)
    return [
        Bought("ring", "top", band),
        Bought("button-red", "top", button(sizes, (0.0, 0.0), top, 3.0)),
        Bought("pixel", "top", _pixel(sizes, lamp, top - sizes.skin)),
    ]


def on_carrier(sizes: Sizes, layout: Layout, chip: str) -> list[Bought]:
    """The carrier board and what is high on it."""
    x, y = layout.carrier
    wide, long = sizes.carrier.width / 2, sizes.carrier.length / 2
    over = layout.carrier_under + sizes.carrier.board
    board = box((x - wide, x + wide), (y - long, y + long), (layout.carrier_under, over))
    # as hardware.circuit.carrier lays them out, its lower edge towards side C, where the USB lead leaves the box
    plugs = (y - long + 8.0, y + long - 11.0)
    rows = [box((x + side * 26.3 - 3.0, x + side * 26.3 + 3.0), plugs, (over, over + 14.0)) for side in (-1, 1)]
    return [
        Bought("carrier", "carrier", board),
        Bought("devkit", "carrier", devkit(sizes, layout, chip)),
        Bought("buzzer", "carrier", rod((x + 16.6, y + 7.6), 6.0, (over, over + 9.5))),
        Bought("capacitor-1000u", "carrier", rod((x + 16.6, y + 19.0), 5.0, (over, over + 18.0))),
        Bought("capacitor-470u", "carrier", rod((x + 2.5, y - 33.0), 4.0, (over, over + 12.0))),
        *[Bought("connector", "carrier", row) for row in rows],
    ]


def bay(sizes: Sizes, layout: Layout) -> list[Bought]:
    """Battery with its foam, charger, main switch with its leads."""
    return [
        Bought("battery", "battery bay", _battery(sizes, layout)),
        *[Bought("foam-tape", "battery bay", strip) for strip in _foam(sizes, layout)],
        Bought("charger", "battery bay", _charger(sizes, layout)),
        Bought("switch", "battery bay", _rocker(sizes, layout)),
        *[Bought("receptacle", "battery bay", one) for one in receptacles(sizes, layout)],
    ]


def _battery(sizes: Sizes, layout: Layout) -> Solid:
    (x, y), pack = layout.battery, sizes.battery
    wide, long = pack.width / 2, pack.length / 2
    low = sizes.plate + sizes.foam.thickness
    return box((x - wide, x + wide), (y - long, y + long), (low, low + pack.height))


def _foam(sizes: Sizes, layout: Layout) -> list[Solid]:
    """Two strips under the pack, one on it under the bar; not pressed."""
    (x, y), pack, foam = layout.battery, sizes.battery, sizes.foam
    along = (y - pack.length / 2, y + pack.length / 2)
    places = [(x - pack.width / 4, sizes.plate), (x + pack.width / 4, sizes.plate)]
    places.append((x, sizes.plate + foam.thickness + pack.height))
    half = foam.width / 2
    return [box((at - half, at + half), along, (low, low + foam.thickness)) for at, low in places]


def _charger(sizes: Sizes, layout: Layout) -> Solid:
    (x, y), charger = layout.charger, sizes.charger
    wide, long = charger.width / 2, charger.length / 2
    over = layout.charger_under + charger.board
    parts, (usb, _) = min(8.0, wide - sizes.grip - 0.5), layout.usb
    return join(
        box((x - wide, x + wide), (y - long, y + long), (layout.charger_under, over)),
        box((x - parts, x + parts), (y - long + 4, y + long - 10), (over - 0.1, over + charger.height)),
        box((usb - 4.5, usb + 4.5), (y + long - 7.0, y + long + 0.4), (over - 0.1, over + charger.socket)),
    )


def _rocker(sizes: Sizes, layout: Layout) -> Solid:
    (x, z), rocker = layout.rocker, sizes.rocker
    body = rocker.depth - rocker.tab_length
    tabs = [(middle - 0.4, middle + 0.4) for middle in _tabs(sizes, layout)]
    high_tab = (z - rocker.tab / 2, z + rocker.tab / 2)
    wide, high = rocker.width / 2 - 0.2, rocker.height / 2 - 0.2
    bezel, tall = rocker.bezel_width / 2, rocker.bezel_height / 2
    outside = layout.half
    return join(
        box((x - wide, x + wide), (outside - body, outside + 0.1), (z - high, z + high)),
        box((x - bezel, x + bezel), (outside, outside + 2.0), (z - tall, z + tall)),
        box((x - wide + 1, x + wide - 1), (outside + 1.9, outside + 4.5), (z - high + 1, z)),
        *[box(tab, (outside - rocker.depth, outside - body + 0.1), high_tab) for tab in tabs],
    )


def _tabs(sizes: Sizes, layout: Layout) -> list[float]:
    """Middles of the main switch's two terminals along x."""
    return [layout.rocker[0] + side * sizes.rocker.tabs_apart / 2 for side in (-1, 1)]


def receptacles(sizes: Sizes, layout: Layout) -> list[Solid]:
    """Pushed onto the main switch's terminals, with the beginning of its lead; hollow around it."""
    part, z = sizes.receptacle, layout.rocker[1]
    root = layout.half - sizes.rocker.depth + sizes.rocker.tab_length
    end = root - part.length
    deep, high = part.thickness / 2, part.width / 2
    made = []
    for x in _tabs(sizes, layout):
        sleeve = box((x - deep, x + deep), (end, root), (z - high, z + high))
        lead = box((x - 0.8, x + 0.8), (end - part.bend, end + 0.1), (z - 0.8, z + 0.8))
        tab = sizes.rocker.tab / 2
        made.append(
            less(
                join(sleeve, lead),
                box((x - 0.4, x + 0.4), (root - sizes.rocker.tab_length, root + 1), (z - tab, z + tab)),
            )
        )
    return made


def tray_parts(sizes: Sizes) -> list[Bought]:
    """Switch with its lever up, a stack of tiles and one on its way out."""
    x, y, z = switch_body(sizes)
    part = sizes.microswitch
    body = box(x, y, z)
    half = part.lever_width / 2
    lever = [(y[1] - 2.0, z[1] - 0.5), (y[1] - 2.0, z[1] + 1.0), (y[0] + 1.0, z[1] + part.lever_free)]
    lever += [(y[0] + 0.6, z[1] + part.lever_free), (y[1] - 2.8, z[1] - 0.5)]
    blades = [
        box((-0.4, 0.4), (at - 1.6, at + 1.6), (z[0] - 6.0, z[0] + 0.1)) for at in (y[0] + 5, y[0] + 13, y[1] - 5)
    ]
    switch = join(body, wedge(lever, (-half, half)), *blades)
    tile, floor = sizes.tile, height(sizes)
    stacked = [_tile(sizes, tile.gap, floor + number * tile.thickness) for number in range(tile.stack)]
    under = [Bought("foot", "tray", foot(sizes, at, 0.0)) for at in feet(sizes)]
    return [Bought("kostka-switch", "tray", switch), *[Bought("tile", "tray", one) for one in stacked], *under]


def _tile(sizes: Sizes, y: float, z: float) -> Solid:
    tile = sizes.tile
    return box((-tile.width / 2, tile.width / 2), (y, y + tile.length), (z, z + tile.thickness))
