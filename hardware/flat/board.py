"""The board of the flat box, whole: parts where `layout` has them, vias, tracks, areas of copper, outline, print."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, exp, hypot, log, radians, sin, sqrt
from pathlib import Path
from typing import Any, Final

from hardware.flat import bodies, kicad, layout, schematic
from hardware.flat.circuit import MAIN, SIDES, Circuit, circuit
from hardware.flat.copper import EDGE, VIA, Pad, Routes, Track, Via
from hardware.flat.fanout import fan_out
from hardware.flat.layout import turned
from hardware.flat.router import Router

PAIR: Final = (0.3, 0.2)
"""Width and gap of the USB pair's tracks, mm: 90 ohm between them above a plane 0.21 mm below (`impedance`)."""
RULES: Final = {
    "min_clearance": 0.15,
    "min_copper_edge_clearance": 0.4,
    "min_hole_clearance": 0.2,
    "min_hole_to_hole": 0.25,
    "min_through_hole_diameter": 0.3,
    "min_track_width": 0.15,
    "min_via_annular_width": 0.13,
    "min_via_diameter": 0.5,
    "min_text_height": 0.8,
    "min_text_thickness": 0.1,
}
"""Millimetres that any board house can do without an extra, four layers of 35 and 18 µm."""
SEVERITIES: Final = {"lib_footprint_mismatch": "ignore"}
"""Footprints are KiCad's but for what `pcbnew_board.py` does to them: wider holes below the module, less print."""
WIDE: Final = ("VBUS", "VBUS_FUSED", "+3V3")
POWER: Final = -45.0  # the frame of the corner with the socket
ANTENNA: Final = -135.0
_CLOSED: Final = tuple(turned(x, y, ANTENNA) for x, y in ((-24, 81.5), (24, 81.5), (24, 110), (-24, 110)))
"""Where the module's antenna wants nothing (Espressif, "ESP32-S3-WROOM-1 Datasheet", 10.2)."""
_NAMED: Final = ("S", "TP", "LS")
"""Letters of the parts that a person looks for: their names are printed on the board."""
_WORDED: Final = ("S11", "S12")
"""Whose words are printed beside them, where their names would lie."""
_AT_THE_EDGE: Final = ("J1", "J2", "J3", "J4", "J5", "J6", "U1")
"""Parts that stand over the board's edge, where nothing can be printed: their outlines are left out."""


def planes(piece: str) -> dict[str, str]:
    """The net of each layer that is one area of copper on a piece."""
    ground, supply = ("GND", "+5V") if piece == MAIN else (f"{piece}_GND", f"{piece}_5V")
    return {"F": ground, "1": ground, "2": supply, "B": ground}


def write(file: Path) -> None:
    """The panel as a .kicad_pcb, and its project beside it. NoKicad, Unrouted."""
    kicad.board(_data(circuit(), (MAIN, *SIDES), file, panel_routes()))
    project = file.with_suffix(".kicad_pro")
    settings = json.loads(project.read_text("utf-8"))
    settings["board"]["design_settings"]["rules"] |= RULES
    settings["board"]["design_settings"]["rule_severities"] |= SEVERITIES
    settings["net_settings"]["classes"][0] |= {"clearance": RULES["min_clearance"]}
    project.write_text(json.dumps(settings, indent=2, sort_keys=True) + "\n", "utf-8", newline="\n")


def panel_routes() -> Routes:
    """Tracks and vias of all pieces, on the panel. The four displays have the same."""
    whole = _routes(MAIN)
    display = _routes(SIDES[0])
    left, top = layout.origin(SIDES[0])
    for side in SIDES:
        dx, dy = (there - here for there, here in zip(layout.origin(side), (left, top), strict=True))
        for track in display.tracks:
            net, ends = side + track.net[1:], (track.x1 + dx, track.y1 + dy, track.x2 + dx, track.y2 + dy)
            whole.tracks.append(Track(net, track.layer, track.width, *ends))
        whole.vias += [Via(side + via.net[1:], via.x + dx, via.y + dy) for via in display.vias]
    return whole


def pads(*pieces: str) -> list[Pad]:
    """Where the pads of these pieces lie on the panel. NoKicad."""
    return [Pad(*each) for each in kicad.pads(_data(circuit(), pieces, None, Routes()))]


def centres() -> dict[str, tuple[float, float]]:
    """The middle of what is soldered of each part, along its own axes, as KiCad's file of positions counts: y upwards.
    NoKicad.
    """
    at = {place["ref"]: place for place in _data(circuit(), (MAIN, *SIDES), None, Routes())["footprints"]}
    soldered: dict[str, list[Pad]] = {}
    for pad in pads(MAIN, *SIDES):
        if pad.number:
            soldered.setdefault(pad.ref, []).append(pad)
    found = {}
    for ref, own in soldered.items():
        along = radians(at[ref]["angle"])
        xs = [pad.x * cos(along) - pad.y * sin(along) for pad in own]
        ys = [pad.x * sin(along) + pad.y * cos(along) for pad in own]
        across, down = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        x, y = across * cos(along) + down * sin(along), down * cos(along) - across * sin(along)
        found[ref] = (layout.PAPER[0] + x, -layout.PAPER[1] - y)
    return found


def _routes(piece: str) -> Routes:
    """Those of one piece, at its place on the panel."""
    left, top = layout.origin(piece)
    contour = [(left + x, top + y) for x, y in layout.contour(piece)]
    closed = (_CLOSED,) if piece == MAIN else ()
    laid_out = pads(piece)
    given, ends = _usb() if piece == MAIN else (Routes(), [])
    fed = set(planes(piece).values())
    given = fan_out(laid_out, fed, contour, closed, given)
    router = Router(laid_out, contour, closed, given, WIDE, ends)
    nets = {pad.net for pad in laid_out if pad.net} - fed - {"USB_P", "USB_N"}
    found = router.route(net for net in nets if len(router.joins(net)) > 1)
    return Routes(given.tracks + found.tracks, given.vias + found.vias)


def _usb() -> tuple[Routes, list[Pad]]:
    """What is laid by hand: the pair from the socket over its guard to the module, supplies; where the supply's end."""
    width, gap = PAIR
    apart = (width + gap) / 2
    found = Routes()

    def lay(net: str, wide: float, *points: tuple[float, float], frame: float | None = POWER) -> None:
        laid = [turned(x, y, frame) if frame is not None else (x, y) for x, y in points]
        for (x1, y1), (x2, y2) in pairwise(laid):
            found.tracks.append(Track(net, "F", wide, x1, y1, x2, y2))

    outer, inner = 80.9, 79.0
    lay("USB_N", 0.2, (0.25, outer), (0.25, 82.0), (-0.75, 82.0), (-0.75, outer))
    lay("USB_N", 0.2, (-0.75, outer), (-0.75, 78.2), (-0.95, 78.0), (-0.95, 76.3))
    lay("USB_P", 0.2, (-0.25, outer), (-0.25, inner), (0.75, inner), (0.75, outer))
    lay("USB_P", 0.2, (0.75, inner), (0.75, 78.2), (0.95, 78.0), (0.95, 76.3))
    # board's corner of the guard, then along side B to the module: one middle line, a track on either side of it
    middle = [turned(0, 71.6, POWER), turned(-11.2, 71.6, POWER)]
    middle.append((-66.0, middle[-1][1] - 66.0 - middle[-1][0]))
    end = turned(11.4, 64.335, ANTENNA)
    middle += [(-66.0, end[1] + (end[0] + 66.0)), end]
    left, right = _beside(middle, -apart), _beside(middle, apart)
    for net, x, out, line, pad in (("USB_N", -0.95, apart, left, 64.97), ("USB_P", 0.95, -apart, right, 63.70)):
        lay(net, width, (x, 76.3), (x, 72.1 + out), (x - 0.5, 71.6 + out))
        lay(net, width, turned(x - 0.5, 71.6 + out, POWER), *line[1:], frame=None)
        lay(net, width, line[-1], turned(10.6, pad, ANTENNA), turned(8.9, pad, ANTENNA), frame=None)
    found.vias += [Via("+5V", *turned(x, y, POWER)) for x, y in layout.SUPPLY_VIAS]
    ends = []
    for x in (-2.45, 2.45):
        lay("VBUS", 0.5, (x, 80.4), (x, 78.6))
        at = turned(x, 78.6, POWER)
        ends.append(Pad("J1", "", *at, 0.5, 0.5, POWER, "F", "VBUS", 0.0))
    return found, ends


def _beside(line: Sequence[tuple[float, float]], aside: float) -> list[tuple[float, float]]:
    """A line at a distance from another, to the right of it as one goes along it with y downwards."""
    found = []
    for place, (x, y) in enumerate(line):
        normals = []
        for (x1, y1), (x2, y2) in pairwise(line[max(place - 1, 0) : place + 2]):
            length = hypot(x2 - x1, y2 - y1)
            normals.append((-(y2 - y1) / length, (x2 - x1) / length))
        nx, ny = (sum(each) / len(normals) for each in zip(*normals, strict=True))
        square = nx * nx + ny * ny
        found.append((x + aside * nx / square, y + aside * ny / square))
    return found


def impedance(width: float, gap: float, above: float = 0.2104, er: float = 4.4, copper: float = 0.035) -> float:
    """Ohm between two tracks above a plane, mm (IPC-2141A, microstrip; National's AN-905 for the pair)."""
    single = 87 / sqrt(er + 1.41) * log(5.98 * above / (0.8 * width + copper))
    return 2 * single * (1 - 0.48 * exp(-0.96 * gap / above))


def _data(of: Circuit, pieces: Sequence[str], file: Path | None, routes: Routes) -> dict[str, Any]:
    """What `pcbnew_board.py` reads."""
    at = layout.places(of)
    parts = [part for part in of.parts if part.piece in pieces]
    outline = layout.outline()
    whole = len(pieces) > 1
    holes = [(f"H{n}", x, y, layout.HOLE) for n, (x, y) in enumerate(layout.holes(), 1)] if MAIN in pieces else []
    if whole:
        holes += [(f"TH{n}", x, y, layout.TOOLING) for n, (x, y) in enumerate(layout.tooling(), 1)]
        holes += [(f"MB{n}", x, y, layout.BITE[0]) for n, (x, y) in enumerate(outline.bites, 1)]
    footprints: list[dict[str, Any]] = []
    for part in parts:
        left, top = layout.origin(part.piece)
        place = at[part.ref]
        nets = {pin: schematic.net_of(part.ref, pin) for pin, _, _ in part.kind.pins}
        body = bodies.of(part.kind.name)
        footprints.append({
            "ref": part.ref, "value": part.kind.value, "footprint": part.kind.footprint, "nets": nets,
            "x": left + place.x, "y": top + place.y, "angle": place.angle, "back": place.back, "fitted": part.fitted,
            "named": part.ref.rstrip("0123456789") in _NAMED and part.ref not in _WORDED,
            "bare": part.ref in _AT_THE_EDGE,
            "path": schematic.path_of(part.ref),
            "sheet": schematic.sheet_of(part.ref),
            "body": body and f"${{KIPRJMOD}}/{bodies.FOLDER}/{body}.wrl",
        })  # fmt: skip
    return {
        "board": "" if file is None else str(file),
        "nets": sorted({net for each in footprints for net in each["nets"].values()}),
        "footprints": footprints,
        "lines": outline.lines if whole else _edges(pieces[0]),
        "holes": holes,
        "zones": [] if file is None else [zone for piece in pieces for zone in _zones(piece)],
        "rules": RULES,
        "corner": layout.PAPER,
        "fiducials": [(f"FID{number}", *at) for number, at in enumerate(layout.fiducials() if whole else (), 1)],
        "tracks": [(t.net, t.layer, t.width, t.x1, t.y1, t.x2, t.y2) for t in routes.tracks],
        "vias": [(via.net, via.x, via.y, *VIA) for via in routes.vias],
        "texts": [
            (words, layout.origin(piece)[0] + x, layout.origin(piece)[1] + y, angle, height, back)
            for piece, words, x, y, angle, height, back in (layout.prints() if whole else ())
        ],
    }


def _edges(piece: str) -> list[tuple[float, float, float, float]]:
    corners = layout.placed(piece)
    return [(*one, *other) for one, other in zip(corners, [*corners[1:], corners[0]], strict=True)]


def _zones(piece: str) -> Iterable[dict[str, Any]]:
    corners = layout.placed(piece, EDGE)
    for layer, net in planes(piece).items():
        yield {"layer": layer, "net": net, "corners": corners}
    if piece == MAIN:
        for net, area in layout.SUPPLY_AREAS:
            turned_area = [turned(x, y, POWER) for x, y in area]
            yield {"layer": "F", "net": net, "corners": turned_area, "priority": 1, "solid": True}
