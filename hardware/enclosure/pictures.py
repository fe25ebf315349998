"""The pictures of the enclosure: the box whole, apart and open, every piece on its bed, the tray."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from hardware.drawing import Drawing
from hardware.enclosure import steps
from hardware.enclosure.bought import ON_CARRIER
from hardware.enclosure.gallery import Gallery, lifted
from hardware.enclosure.layout import Layout
from hardware.enclosure.quantities import printed
from hardware.enclosure.render import render
from hardware.enclosure.scene import Camera, Shown
from hardware.enclosure.sheet import Measure, Sheet, called

FRONT: Final = Camera(28, 36)


def drawings(full: Gallery | None = None) -> Iterator[Drawing]:
    """All of them; they share what they show, so ask for one set and draw from it."""
    full, small = full or Gallery(), Gallery(build="small")
    yield Drawing("box-assembled", partial(assembled, full))
    yield Drawing("box-small", partial(assembled, small))
    yield Drawing("box-exploded", partial(exploded, full))
    yield Drawing("box-open", partial(opened, full))
    yield Drawing("box-back", partial(back, full))
    yield Drawing("box-side", partial(side, full))
    yield Drawing("tray-with-tiles", partial(tray, full))
    for name in sorted(printed() | printed("small")):
        yield Drawing(f"part-{name}", partial(part, small if name == "plug" else full, name))
    for name, step in steps.STEPS.items():
        yield Drawing(f"step-{name}", partial(step, full))


def everything(gallery: Gallery) -> list[Shown]:
    """The box, closed."""
    names = [name for name, piece in gallery.pieces.items() if piece.places]
    return [one for name in names for one in gallery.piece(name)] + [one for _, one in gallery.parts] + gallery.lit


def _outside(gallery: Gallery) -> list[Shown]:
    """What one can see of a closed box, which is quicker to draw."""
    names = [name for name in gallery.pieces if gallery.pieces[name].places and name not in ("clamp", "battery-bar")]
    kinds = ("display", "button-green", "button-amber", "button-red", "switch", "foot", "charger")
    return [one for name in names for one in gallery.piece(name)] + gallery.bought(*kinds) + gallery.lit


def assembled(gallery: Gallery) -> str:
    """As it stands on the table."""
    return Sheet(render(_outside(gallery), FRONT)).svg()


def back(gallery: Gallery) -> str:
    """Side C with its openings."""
    camera = Camera(205, 28)
    layout = Layout(gallery.sizes)
    low = layout.half
    points = {
        "USB-C": (layout.usb[0], low, layout.usb[1]),
        "switch": (layout.rocker[0], low + 3, layout.rocker[1]),
        "Kostka": (layout.leads["tray"], low, gallery.sizes.plate + 4),
        "USB": (layout.leads["usb"], low, gallery.sizes.plate + 4),
    }
    return called(_outside(gallery), camera, points)


def exploded(gallery: Gallery) -> str:
    """From the base up to the red button."""
    camera = Camera(28, 18, 2.0)
    inside = gallery.bought(*ON_CARRIER, "battery", "charger")
    shown = gallery.piece("base") + gallery.bought("foot") + lifted(inside, 22)
    shown += lifted(gallery.piece("battery-bar"), 45) + lifted(gallery.piece("deck") + gallery.bought("switch"), 115)
    shown += lifted(gallery.piece("collar-juz") + gallery.piece("collar-dalej"), 138)
    shown += lifted(gallery.bought("button-green", "button-amber"), 168)
    shown += _panels_apart(gallery, 215) + lifted(gallery.piece("tower"), 215)
    shown += lifted(gallery.bought("ring"), 252) + lifted(gallery.piece("lantern"), 277)
    shown += lifted(gallery.bought("button-red"), 312)
    sizes, layout = gallery.sizes, Layout(gallery.sizes)
    half, tower = layout.half, layout.tower_half
    points = {
        "base": (half, -half * 0.6, 2.0),
        "battery": (layout.battery[0] + 15, -sizes.battery.length / 2, 40.0),
        "carrier": (layout.carrier[0], -45.0, 31.0),
        "battery-bar": (layout.battery[0], -40.0, layout.battery_top + 46),
        "deck": (half, -half * 0.6, 115 + sizes.deck - 25),
        "collar-juz": (52.0, -layout.button_out, 138 + sizes.deck + 1),
        "button-green": (38.0, -layout.button_out, 168 + sizes.deck + 9),
        "button-amber": (-38.0, -layout.button_out, 168 + sizes.deck + 9),
        "panel-a": (30.0, -tower - 44, 215 + sizes.deck + 8),
        "tower": (tower - 14, -tower + 14, 215 + sizes.deck + 20),
        "ring": (38.0, -15.0, 252 + layout.roof + 4),
        "lantern": (46.0, -5.0, 277 + layout.roof + 7),
        "button-red": (10.0, -5.0, 312 + layout.roof + 20),
    }
    return called(shown, camera, points)


def _panels_apart(gallery: Gallery, up: float) -> list[Shown]:
    """Each display's plate pulled out towards its seat, with its display."""
    shown = []
    for number, (across, along) in enumerate(((0, -1), (-1, 0), (0, 1), (1, 0))):
        letter = "abcd"[number]
        both = gallery.piece(f"panel-{letter}") + gallery.bought("display", place=f"side {letter.upper()}")
        shown += lifted([*both, gallery.lit[number]], up, 42.0 * across, 42.0 * along)
    return shown


def opened(gallery: Gallery) -> str:
    """The base with all that it carries."""
    layout = Layout(gallery.sizes)
    inside = gallery.bought(*ON_CARRIER, "usb-cable", "battery", "charger")
    clamps = [one for number in range(6) for one in gallery.piece("clamp", number)]
    shown = gallery.piece("base") + inside + clamps + gallery.piece("battery-bar")
    x, y = layout.carrier
    points = {
        "carrier": (x - 20, y - 38, layout.carrier_under + 2),
        "devkit": (x - 4, y + 10, layout.carrier_under + 13),
        "connector": (x - 26, y, layout.carrier_under + 15),
        "USB": (x - 4, y + 62, layout.carrier_under + 20),
        "buzzer": (x + 16, y + 5, layout.carrier_under + 11),
        "battery": (layout.battery[0] + 20, -25.0, layout.battery_top),
        "battery-bar": (layout.battery[0], -20.0, layout.battery_top + 3),
        "charger": (layout.charger[0], layout.charger[1] - 8, layout.charger_under + 11),
        "clamp": (layout.charger[0] + 17, layout.charger[1], layout.charger_under + 4),
        "cable-tie": (layout.leads["tray"] - 5, layout.half - 21, 3.0),
        "base": (layout.half, -60.0, 2.0),
    }
    return called(shown, Camera(28, 48), points)


def side(gallery: Gallery) -> str:
    """Side A with measures in mm."""
    sizes, layout = gallery.sizes, Layout(gallery.sizes)
    camera = Camera(0, 0)
    top = sizes.height + sizes.button.height
    low = sizes.foot.recess - sizes.foot.height

    def at(x: float, z: float) -> tuple[float, float]:
        return x * camera.scale, z * camera.scale

    apart = sizes.apart / 2
    measures = [
        Measure(at(-layout.half, low), at(layout.half, low), f"{sizes.outer:g}", 45.0),
        Measure(at(layout.half, low), at(layout.half, top), f"{top - low:.0f}", 75.0),
        Measure(at(layout.half, low), at(layout.half, sizes.deck), f"{sizes.deck - low:.0f}", 32.0),
        Measure(at(-apart, sizes.deck), at(apart, sizes.deck), f"{sizes.apart:g}", 50.0),
        Measure(at(-layout.tower_half, sizes.deck), at(-sizes.top / 2, layout.roof), f"{sizes.slope:g}°", -22.0),
    ]
    return Sheet(render(_outside(gallery), camera), measures=measures).svg()


def tray(gallery: Gallery) -> str:
    """Filled, one tile half out."""
    tiles = [shown for part, shown in gallery.tray if part.kind == "tile"]
    rest = [shown for part, shown in gallery.tray if part.kind in ("kostka-switch", "foot")]
    shown = gallery.in_tray("tray-stand") + gallery.in_tray("tray-chute") + rest
    shown += lifted(tiles[:1], 0.0, 0.0, -26.0) + tiles[1:]
    points = {
        "tray-chute": (8.0, -2.4, 100.0),
        "tile": (8.0, -25.0, 40.0),
        "tray-stand": (30.0, -44.0, 12.0),
    }
    return called(shown, Camera(35, 30, 5.0), points)


def part(gallery: Gallery, name: str) -> str:
    """One piece as it lies on the bed, with the room it takes there."""
    shown = gallery.on_bed(name)
    size = gallery.pieces[name].solid.bounding_box().size
    camera = Camera(30, 42, min(3.0, 420 / max(size.X, size.Y, size.Z)) if max(size) > 60 else 7.0)
    words = " x ".join(f"{length:.1f}".removesuffix(".0") for length in (size.X, size.Y, size.Z))
    return Sheet(render([shown], camera), caption=f"{words} mm").svg()
