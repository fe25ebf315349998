"""A picture for each step of the build guide: what is there already in grey, what goes in in colour above its place."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin
from typing import Final

from build123d import Location, Plane, Solid

from hardware.enclosure.base import bar_posts, carrier_holders, charger_holders
from hardware.enclosure.bought import ON_CARRIER
from hardware.enclosure.deck import lamps as lamp_places
from hardware.enclosure.gallery import BOOK, GLUE, GREY, LEAD, Gallery, lifted, new
from hardware.enclosure.holders import DEPTH
from hardware.enclosure.lantern import ring_face
from hardware.enclosure.layout import Layout
from hardware.enclosure.panel import board_front, in_tower
from hardware.enclosure.scene import Camera, Shown
from hardware.enclosure.shapes import box, common
from hardware.enclosure.sheet import called
from hardware.enclosure.sizes import Sizes
from hardware.enclosure.tray import chute_screws, height, hinge_dot, switch_body, switch_holders
from hardware.enclosure.upright import upright

BOOKS_APART: Final = 50.0  # mm
_FRONT: Final = Camera(28, 36)


def lamps(gallery: Gallery) -> str:
    """The deck upside down with the eight lamps in their cups; side A's still above them."""
    layout, sizes = Layout(gallery.sizes), gallery.sizes
    over = Location((0, 0, sizes.deck), (180, 0, 0))
    sides = [gallery.bought("pixel", place=f"side {side}") for side in "ABCD"]
    there = [one.moved(over) for one in [*gallery.piece("deck"), *sides[1], *sides[2], *sides[3]]]
    coming = lifted([one.moved(over) for one in sides[0]], 25.0)
    near = -lamp_places(layout)[0][0]
    points = {"pixel": (near, layout.button_out, 33.0), "deck": (layout.half, 0.0, 30.0)}
    return called(there + new(coming), Camera(28, 50), points)


def buttons(gallery: Gallery) -> str:
    """The deck with its buttons; side A's collar and button of Już above their hole."""
    layout, sizes = Layout(gallery.sizes), gallery.sizes
    there = gallery.piece("deck") + gallery.piece("collar-dalej")
    there += [one for number in (1, 2, 3) for one in gallery.piece("collar-juz", number)]
    greens = gallery.bought("button-green")
    there += gallery.bought("button-amber") + greens[1:]
    coming = lifted(new(gallery.piece("collar-juz", 0)), 22.0) + lifted(greens[:1], 62.0)
    x, y = layout.buttons["juz"]
    points = {
        "collar-juz": (x + 14, y, sizes.deck + 24),
        "button-green": (x + 8, y, sizes.deck + 70),
        "collar-dalej": (-x + 17, y, sizes.deck + 2),
        "button-amber": (-x, y, sizes.deck + 10),
        "deck": (layout.half, -layout.half / 2, 30.0),
    }
    return called(there + coming, _FRONT, points)


def display(gallery: Gallery) -> str:
    """Display and clamps above a plate that lies on its face."""
    sizes = gallery.sizes
    flat = in_tower(sizes).inverse()
    shown = gallery.bought("display", place="side A")
    coming = lifted([one.moved(flat) for one in shown], 32.0)
    clamps = [one.moved(flat) for number in (6, 7) for one in gallery.piece("clamp", number)]
    top = sizes.panel + board_front(sizes) + sizes.display.board + sizes.clamp
    middle = sum(Layout(sizes).window) / 2
    at = sizes.display.width / 2 + 5.1
    screws = [gallery.screw.moved(Location((side * at, middle, top + 70.0))) for side in (-1, 1)]
    points = {
        "panel-a": (36.0, 10.0, 3.0),
        "display": (22.0, middle, 46.0),
        "clamp": (at, middle, top + 52.0),
        "screw-m3x10": (at, middle, top + 68.0),
    }
    return called(
        [gallery.on_bed("panel-a"), *coming, *lifted(new(clamps), 50.0), *screws], Camera(28, 28, 5.0), points
    )


def ring(gallery: Gallery) -> str:
    """The lantern on its top with the ring and the red lamp above it."""
    layout, sizes = Layout(gallery.sizes), gallery.sizes
    over = Location((0, 0, layout.roof + sizes.lantern), (180, 0, 0))
    ring_shown = lifted([one.moved(over) for one in gallery.bought("ring")], 35.0)
    lamp = lifted([one.moved(over) for one in gallery.bought("pixel", place="top")], 35.0)
    points = {
        "ring": (30.0, -26.0, 45.0),
        "pixel": (3.0, layout.ring_boss, 37.0),
        "lantern": (45.0, -12.0, 7.0),
        "hot-glue": _glued(sizes)[2],
    }
    dots = [gallery.other(Solid.make_sphere(2.0, Plane(at)), GLUE) for at in _glued(sizes)]
    return called([gallery.on_bed("lantern"), *new(ring_shown), *new(lamp), *dots], Camera(28, 40, 4.5), points)


def _glued(sizes: Sizes) -> list[tuple[float, float, float]]:
    """Where dots of glue go, the lantern lying on its top: at four of its ribs beside the ring, at the red lamp."""
    layout = Layout(sizes)
    top = layout.roof + sizes.lantern
    edge, up = sizes.ring.outer / 2 + sizes.ring.tolerance, top - ring_face(sizes) + sizes.ring.board
    dots = [(edge * cos(radians(turn)), edge * sin(radians(turn)), up) for turn in (0, 90, 180, 270)]
    beside = layout.ring_boss - sizes.pixel.diameter / 2
    return [*dots, (0.0, beside, sizes.skin + sizes.pixel.height)]


def tower(gallery: Gallery) -> str:
    """The tower on the lantern, upside down; plates B to D are in, A slides into its groove."""
    layout, sizes = Layout(gallery.sizes), gallery.sizes
    over = Location((0, 0, layout.roof + sizes.lantern), (180, 0, 0))
    there = gallery.piece("tower") + gallery.piece("lantern") + gallery.bought("button-red")
    for letter in "bcd":
        there += gallery.piece(f"panel-{letter}") + gallery.bought("display", place=f"side {letter.upper()}")
    out = [*gallery.piece("panel-a"), *gallery.bought("display", place="side A")]
    slide = 45.0
    away = lifted(out, -slide * 0.866, 0.0, -slide * 0.5)
    screws = [gallery.screw.moved(Location((x, -y, 70.0))) for x, y in layout.ring_bosses]
    points = {
        "panel-a": (30.0, layout.tower_half + 12, 84.0),
        "tower": (layout.tower_half - 2, -20.0, 46.0),
        "lantern": (44.0, -15.0, 8.0),
        "screw-m3x10": (layout.ring_bosses[3][0], -layout.ring_bosses[3][1], 71.0),
    }
    shown = [one.moved(over) for one in there] + new([away[0].moved(over)]) + [away[1].moved(over)]
    return called(shown + screws + _books(gallery), Camera(205, 42), points)


def _books(gallery: Gallery) -> list[Shown]:
    """Two under the tower, the red button between them: it must not be pressed."""
    near, far, thick = BOOKS_APART / 2, 75.0, gallery.sizes.button.height + 8.0
    return [gallery.other(box(across, (-60.0, 60.0), (-thick, 0.0)), BOOK) for across in ((-far, -near), (near, far))]


def carrier(gallery: Gallery) -> str:
    """The carrier board, its four clamps and screws above the base."""
    layout, sizes = Layout(gallery.sizes), gallery.sizes
    coming = lifted(gallery.bought(*ON_CARRIER), 35.0)
    clamps = [one for number in range(4) for one in gallery.piece("clamp", number)]
    top = layout.carrier_under + sizes.carrier.board + sizes.clamp
    screws = [
        gallery.screw.moved(Location((x, y + (5.1 if turn > 0 else -5.1), top + 82.0)))
        for x, y, turn in carrier_holders(layout)
    ]
    x, y = layout.carrier
    points = {
        "carrier": (x, y - 44, layout.carrier_under + 36),
        "devkit": (x - 4, y + 10, layout.carrier_under + 48),
        "clamp": (x - 30, y - 50, top + 60.0),
        "screw-m3x10": (x - 30, y - 50, top + 84.0),
    }
    return called(gallery.piece("base") + coming + lifted(new(clamps), 60.0) + screws, _FRONT, points)


def battery(gallery: Gallery) -> str:
    """Foam, battery and bar; charger and clamps."""
    layout, sizes = Layout(gallery.sizes), gallery.sizes
    there = gallery.piece("base") + gallery.bought(*ON_CARRIER)
    there += [one for number in range(4) for one in gallery.piece("clamp", number)]
    clamps = [one for number in (4, 5) for one in gallery.piece("clamp", number)]
    *below, above = gallery.bought("foam-tape")
    there += below
    coming = lifted(gallery.bought("battery"), 55.0) + lifted([above], 65.0)
    coming += lifted(new(gallery.piece("battery-bar")), 82.0)
    coming += lifted(gallery.bought("charger"), 22.0) + lifted(new(clamps), 40.0)
    screws = [gallery.screw.moved(Location((x, y, layout.battery_top + 105.0))) for x, y in bar_posts(layout)]
    top = layout.charger_under + sizes.clamp + 64.0
    screws += [
        gallery.screw.moved(Location((x + (5.1 if turn == 0 else -5.1), y, top)))
        for x, y, turn in charger_holders(layout)
    ]
    points = {
        "battery": (layout.battery[0] + 20, 1 - sizes.battery.length / 2, 75.0),
        "battery-bar": (layout.battery[0], -6 - sizes.battery.length / 2, layout.battery_top + 85),
        "foam-tape": (layout.battery[0] - 14, 4 - sizes.battery.length / 2, sizes.plate + sizes.foam.thickness),
        "charger": (layout.charger[0], layout.charger[1] - 10, layout.charger_under + 33),
        "clamp": (layout.charger[0] + 18, layout.charger[1], layout.charger_under + 44),
        "screw-m3x10": (layout.charger[0] + 17, layout.charger[1], top + 2),
        "base": (-40.0, -layout.half, 2.0),
    }
    return called(there + coming + screws, Camera(-32, 34), points)


def tray(gallery: Gallery) -> str:
    """The stand on its top with the switch, its clamps and screws above the seat."""
    sizes = gallery.sizes
    over = Location((0, 0, height(sizes)), (180, 0, 0))
    switch = [shown.moved(over) for part, shown in gallery.tray if part.kind == "kostka-switch"]
    clamps = [one.moved(over) for one in gallery.in_tray("clamp")]
    stand = [one.moved(over) for one in gallery.in_tray("tray-stand")]
    (_, back, _), (_, front, _) = switch_holders(sizes)
    top = height(sizes) - switch_body(sizes)[2][0] + sizes.clamp
    away = 0.5 + DEPTH / 2
    ends = [-(front - away), -(back + away)]
    screws = [gallery.screw.moved(Location((0.0, y, top + 78.0))) for y in ends]
    dot = hinge_dot(sizes).bounding_box().center()
    points = {
        "tray-stand": (34.0, -30.0, 10.0),
        "kostka-switch": (5.0, 5.0, 68.0),
        "clamp": (4.0, ends[1], top + 60.0),
        "screw-m3x10": (0.0, ends[0], top + 80.0),
        "hinge": (dot.X, -dot.Y, height(sizes) - dot.Z),
    }
    return called([*stand, *lifted(switch, 45.0), *lifted(new(clamps), 60.0), *screws], Camera(-40, 40, 5.0), points)


def chute(gallery: Gallery) -> str:
    """The chute above the stand, its three screws from below."""
    sizes = gallery.sizes
    there = gallery.in_tray("tray-stand") + [shown for part, shown in gallery.tray if part.kind == "kostka-switch"]
    upwards = Location((0, 0, 0), (180, 0, 0))
    screws = [gallery.screw.moved(Location((x, y, -24.0)) * upwards) for x, y in chute_screws(sizes)]
    points = {
        "tray-chute": (18.0, 10.0, 100.0),
        "tray-stand": (34.0, -30.0, 15.0),
        "screw-m3x10": (*chute_screws(sizes)[1], -26.0),
    }
    shown = there + lifted(new(gallery.in_tray("tray-chute")), 35.0) + screws
    return called(shown, Camera(40, 12, 4.0), points)


def switch(gallery: Gallery) -> str:
    """The corner of the deck with the main switch before its window, its two leads out through it and pushed on."""
    layout, sizes = Layout(gallery.sizes), gallery.sizes
    x, z = layout.rocker
    out = 48.0
    corner = box((-layout.half - 1, x + 38), (layout.half - 45, layout.half + 1), (-1.0, sizes.deck + 1))
    deck = gallery.pieces["deck"]
    wall = gallery.other(common(deck.solid.moved(deck.places[0]), corner), GREY)
    coming = lifted(gallery.bought("switch", "receptacle"), 0.0, 0.0, out)
    begin = layout.half - sizes.rocker.depth + sizes.rocker.tab_length - sizes.receptacle.length + out
    leads = [
        gallery.other(box((at - 0.8, at + 0.8), (layout.half - 30.0, begin), (z - 0.8, z + 0.8)), LEAD)
        for at in (x - sizes.rocker.tabs_apart / 2, x + sizes.rocker.tabs_apart / 2)
    ]
    points = {
        "deck": (x + 30, layout.half, 12.0),
        "switch": (x, layout.half + out + 3, z),
        "receptacle": (x - 4.0, begin + 10, z + 3),
    }
    return called([wall, *coming, *leads], Camera(228, 24, 6.0), points)


def close(gallery: Gallery) -> str:
    """The upper part above the base, eight screws below."""
    layout = Layout(gallery.sizes)
    upper = [
        name for name, piece in gallery.pieces.items() if piece.places and name not in ("base", "battery-bar", "clamp")
    ]
    top = [one for name in upper for one in gallery.piece(name)] + gallery.lit
    top += gallery.bought("button-green", "button-amber", "button-red", "display", "switch")
    there = gallery.piece("base") + gallery.piece("battery-bar")
    there += gallery.bought(*ON_CARRIER, "foam-tape", "battery", "charger")
    upwards = Location((0, 0, 0), (180, 0, 0))
    screws = [gallery.screw.moved(Location((x, y, -34.0)) * upwards) for x, y in layout.base_screws]
    feet = lifted(gallery.bought("foot"), -22.0)
    points = {
        "deck": (-layout.half, 30.0, 100.0),
        "base": (-layout.half, -10.0, 2.0),
        "foot": (layout.feet[2][0], layout.feet[2][1], -24.0),
        "screw-m3x10": (*layout.base_screws[2], -36.0),
    }
    return called(there + lifted(top, 70.0) + screws + feet, Camera(28, 14, 2.4), points)


STEPS: Final[dict[str, Callable[[Gallery], str]]] = {
    "lamps": lamps,
    "buttons": buttons,
    "display": display,
    "ring": ring,
    "tower": tower,
    "upright": upright,
    "carrier": carrier,
    "battery": battery,
    "tray": tray,
    "chute": chute,
    "switch": switch,
    "close": close,
}
