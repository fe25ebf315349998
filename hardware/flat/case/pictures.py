"""The flat box's pictures: whole in a game, apart, and ten steps. Numbers, and no words but the caps' own.

A number means the same part in every picture; `legend` is the line that explains them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from build123d import Compound, Location

from hardware.canvas import Canvas, Point
from hardware.drawing import Drawing
from hardware.enclosure.render import Rendered, render
from hardware.enclosure.scene import Camera, Shown
from hardware.enclosure.shapes import box, prism, rod
from hardware.enclosure.trace import Line
from hardware.flat import layout
from hardware.flat.case import bought, scenery, tray
from hardware.flat.case.models import Mark, Models, Thing, at_side, lifted, shown
from hardware.flat.case.sizes import Sizes, in_corner
from hardware.flat.circuit import SIDES
from moveclock.view import RING

Spot: TypeAlias = tuple[float, float, float]
NAMES: Final = {
    "deck": ("deck", "wierzch"),
    "juz": ("Już, green", "Już, zielony"),
    "dalej": ("Dalej, amber", "Dalej, żółty"),
    "sedzia": ("Sędzia, red", "Sędzia, czerwony"),
    "display": ("display", "wyświetlacz"),
    "ring": ("ring of lamps", "pierścień lampek"),
    "cable": ("cable", "kabel"),
    "board": ("main board", "płytka główna"),
    "key": ("key switch", "przełącznik"),
    "mask": ("mask", "maska"),
    "paper": ("tracing paper", "kalka"),
    "base": ("base", "podstawa"),
    "screw": ("screw M3 × 10", "śruba M3 × 10"),
    "foot": ("foot", "nóżka"),
    "bank": ("power bank", "powerbank"),
    "tray": ("Kostka's tray", "podajnik Kostki"),
    "lead": ("its lead", "jego przewód"),
    "stand": ("its stand", "jego stojak"),
    "chute": ("its chute", "jego zsyp"),
    "switch": ("its switch", "jego mikrowyłącznik"),
    "clamp": ("its clamp", "jego docisk"),
    "tie": ("cable tie", "opaska zaciskowa"),
}
NUMBERS: Final = {name: number for number, name in enumerate(NAMES, 1)}
LANGUAGES: Final = ("en", "pl")
_GREEN: Final = "#1d7f3c"
SWITCH_SCALE: Final = 2.2  # of the tray's switch, where it is drawn by itself
RAIL_OFF: Final = 36.0  # how far off the panel's rails are drawn


class Tag(NamedTuple):
    """A number, where it stands as parts of the picture from its middle, and the point that it is about."""

    name: str
    at: Point
    point: Spot


class Arrow(NamedTuple):
    """The way that something goes."""

    start: Spot
    end: Spot


def drawings() -> Iterator[Drawing]:
    """All of them; they share what they show, so ask for one set and draw from it."""
    models = Models()
    yield Drawing("flat-box", partial(assembled, models))
    yield Drawing("flat-exploded", partial(exploded, models))
    for number, step in enumerate(STEPS, 1):
        yield Drawing(f"flat-step-{number}", partial(step, models))


def legend(language: str) -> str:
    """The line of the page that explains the numbers."""
    which = LANGUAGES.index(language)
    return " · ".join(f"**{NUMBERS[name]}** {words[which]}" for name, words in NAMES.items())


def view(
    things: Sequence[Thing],
    camera: Camera,
    tags: Sequence[Tag],
    arrows: Sequence[Arrow] = (),
    before: Sequence[Thing] = (),
    under: Sequence[Mark] = (),
) -> str:
    """The SVG of these; what is `before` hides all else, what is `under` is hidden by all else."""
    layers = [_layer(layer, camera) for layer in (things, before) if layer]
    ends = [end for seen, _ in layers for end in (seen.low, seen.high)]
    ends += [on_page(camera, (at.X, at.Y, at.Z)) for mark in under for at in mark.outline]
    low, high = (tuple(pick(end[axis] for end in ends) for axis in (0, 1)) for pick in (min, max))
    letter = max((high[0] - low[0]) / 36, (high[1] - low[1]) / 30)
    room = 1.6 * letter
    canvas = Canvas(
        (round(low[0] - room), round(low[1] - room)),
        (round(high[0] + room), round(high[1] + room)),
        round(letter, 1),
    )

    for mark in under:
        _draw(canvas, camera, mark)
    for seen, marks in layers:
        canvas.rendered(replace(seen, patches=[(colour, _rounded(loops)) for colour, loops in seen.patches]))
        for mark in marks:
            _draw(canvas, camera, mark)
    for start, end in arrows:
        _arrow(canvas, on_page(camera, start), on_page(camera, end))
    middle = [(first + last) / 2 for first, last in zip(low, high, strict=True)]
    half = [(last - first) / 2 for first, last in zip(low, high, strict=True)]
    for name, (across, up), point in tags:
        canvas.number(NUMBERS[name], (middle[0] + across * half[0], middle[1] + up * half[1]), on_page(camera, point))
    return canvas.svg()


def on_page(camera: Camera, spot: Spot) -> Point:
    """Where it is seen."""
    x, y, _ = camera.seen(np.array(spot))
    return float(x), float(y)


def _draw(canvas: Canvas, camera: Camera, mark: Mark) -> None:
    red, green, blue = mark.colour
    outline = [on_page(camera, (at.X, at.Y, at.Z)) for at in mark.outline]
    canvas.area(outline, f"#{red:02x}{green:02x}{blue:02x}", 0)


def _layer(things: Sequence[Thing], camera: Camera) -> tuple[Rendered, list[Mark]]:
    """What is drawn as cells, and the marks on faces that look at the eye."""
    seen = render([one for one in things if isinstance(one, Shown)], camera)
    marks = [one for one in things if isinstance(one, Mark)]
    return seen, [one for one in marks if camera.seen(np.array((one.out.X, one.out.Y, one.out.Z)))[2] > 0]


def _rounded(loops: Sequence[Line]) -> list[Line]:
    """To tenths: a patch's edges are whole cells, and a file is a quarter smaller."""
    return [[(round(x, 1), round(y, 1)) for x, y in loop] for loop in loops]


def _arrow(canvas: Canvas, start: Point, end: Point) -> None:
    """White behind, so that it is seen over lines."""
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    head = min(canvas.letter * 0.8, length / 2)
    neck = end[0] - along[0] * head, end[1] - along[1] * head
    canvas.line([start, neck], canvas.letter / 2.6, "#fff")
    canvas.line([start, neck], canvas.letter / 5, _GREEN)
    wing = head * 0.45
    corners = [
        end,
        (neck[0] - along[1] * wing, neck[1] + along[0] * wing),
        (neck[0] + along[1] * wing, neck[1] - along[0] * wing),
    ]
    canvas.area(corners, _GREEN, canvas.letter / 10, colour="#fff")


def _down(spot: Spot, by: float) -> Arrow:
    return Arrow(spot, (spot[0], spot[1], spot[2] - by))


def assembled(models: Models) -> str:
    """On the table in a game: side A's move runs."""
    red, blue, black, amber = "red", "blue", "black", "amber"
    things = models.closed((" 0:42", " 1:00", " 1:00", " 1:00"), 17, {0: "green", 1: "amber"})
    usb = models.sizes.boards.top + models.sizes.plugs.usb_up
    lead: list[Spot] = [(*in_corner("AB", 0.0, out), z) for out, z in ((108.0, usb), (125.0, usb), (150.0, 2.0))]
    things += [models.plugs["cable"], *scenery.run([*lead, (-232.0, -150.0, 2.0)], 4.0, "cable")]
    things += scenery.row([(number, blue) for number in (3, 4, 5)], Location((128.0, 10.0, 0), (0, 0, -6)))
    things += scenery.row([(number, red) for number in (7, 8, 9)], Location((-60.0, -140.0, 0), (0, 0, 4)))
    things += scenery.row([(2, black), (2, red), (2, amber)], Location((-205.0, 30.0, 0), (0, 0, 10)))
    things += scenery.row([(number, black) for number in (9, 10, 11, 12)], Location((-40.0, 160.0, 0), (0, 0, -3)))
    things += scenery.row([(number, amber) for number in (1, 2, 3)], Location((-205.0, -86.0, 0), (0, 0, -8)))
    things += scenery.row([(13, black), (13, amber), (13, blue)], Location((120.0, 132.0, 0), (0, 0, 12)))
    things += scenery.rack(8, Location((90.0, -226.0, 0)))
    keys = models.sizes.key_places()
    top = models.sizes.cap.top
    tags = [
        Tag("juz", (0.42, -0.3), (keys["juz-A"][0] + 10, keys["juz-A"][1] - 9, top)),
        Tag("dalej", (-0.5, -0.24), (keys["dalej-A"][0] - 10, keys["dalej-A"][1] - 9, top)),
        Tag("sedzia", (-0.3, 0.8), (keys["sedzia"][0] - 8, keys["sedzia"][1] + 8, top)),
        Tag("ring", (0.42, 0.42), (25.0, 16.0, models.sizes.shell.deck)),
        Tag("display", (0.2, -0.32), (27.0, -models.sizes.shell.side, 12.0)),
        Tag("cable", (-0.8, -0.3), (-190.0, -136.0, 3.0)),
    ]
    table = scenery.table((-232.0, 232.0), (-262.0, 200.0))
    return view(things, Camera(-24, 42, 1.9), tags, before=models.caps(sit=True), under=table)


def exploded(models: Models) -> str:
    """From the feet up to the caps."""
    things = lifted(models.bought("foot"), -30.0) + lifted(models.bought("screw"), -62.0) + models.piece("base")
    things += lifted([*models.main, *models.bought("key-switch")], 45.0)
    for place, (x, y) in enumerate(((0, -1), (-1, 0), (0, 1), (1, 0))):
        strip = models.display(place)
        things += lifted(strip[:2] if place == 3 else strip, 45.0, 34.0 * x, 34.0 * y)  # one shows its LEDs
        if place in (0, 3):  # the others are hidden by these
            things += lifted(models.piece("mask")[place : place + 1], 120.0, 10.0 * x, 10.0 * y)
            things += lifted(models.papers()[place : place + 1], 120.0, 30.0 * x, 30.0 * y)
    things += lifted([*models.outside, *models.says("", "", "", ""), *models.lamps(0, {})], 175.0)
    caps = lifted(models.caps(), 215.0)
    keys, top = models.sizes.key_places(), models.sizes.cap.top + 215.0
    side = models.sizes.shell.side
    tags = [
        Tag("juz", (0.75, 0.9), (keys["juz-A"][0] + 8, keys["juz-A"][1], top)),
        Tag("dalej", (-0.8, 0.9), (keys["dalej-A"][0] - 8, keys["dalej-A"][1], top)),
        Tag("sedzia", (0.0, 1.0), (0.0, 6.0, top)),
        Tag("deck", (0.97, 0.62), (side - 8, -30.0, 212.0)),
        Tag("mask", (0.45, 0.22), (41.0, -side - 3, 146.0)),
        Tag("paper", (-0.97, 0.1), (-34.0, -side - 29, 140.0)),
        Tag("display", (-0.97, -0.45), (-36.0, -119.0, 60.0)),
        Tag("key", (0.8, -0.02), (keys["juz-D"][0], keys["juz-D"][1], 80.0)),
        Tag("board", (0.97, -0.3), (62.0, -58.0, 66.0)),
        Tag("base", (0.97, -0.75), (side - 4, -30.0, 2.0)),
        Tag("foot", (0.75, -1.0), (*models.sizes.feet()[3], -28.0)),
        Tag("screw", (-0.1, -1.0), (34.5, -34.5, -46.0)),
    ]
    return view(things, Camera(-24, 20, 1.8), tags, before=caps)


def break_panel(models: Models) -> str:
    """Step 1: the rails are off; then all four strips are bent down together, away from the pins over two of them."""
    top, bottom = models.sizes.boards.top, models.sizes.boards.bottom
    flat = Location((0, 0, top - models.sizes.boards.display_front), (-90, 0, 0))
    middle = Location((0, 0, -models.sizes.boards.display_middle))
    near = layout.HALF + layout.GAP
    bent = Location((near, 0, bottom), (0, 24, 0)) * Location((-near, 0, -bottom))
    things = [*models.main, *models.letters(0, 1, 2, 3)]
    for place, side in enumerate(SIDES):
        x, y = layout.origin(side)
        at = bent * Location((x, -y, 0)) * flat * middle
        things += [one.moved(at) for one in (models.display()[0], *models.display()[-1:], *models.letter(place))]
    bridges = [
        box((x - layout.TAB / 2, x + layout.TAB / 2), (-y - 1.0, 1.0 - y), (bottom, top - 0.05))
        for x, y, across in layout.bridges()
        if not across and abs(y) < layout.HALF - layout.DISPLAY[1]
    ]
    things.append(shown(Compound(children=bridges), "board").moved(bent))
    far = near + layout.DISPLAY[0]
    for end, rail in zip((1, -1), layout.rails(), strict=True):
        things.append(shown(prism([(x, end * RAIL_OFF - y) for x, y in rail], (bottom, top)), "part"))
    edge = [
        box((layout.HALF, near), (-y - layout.TAB / 2, layout.TAB / 2 - y), (bottom, top - 0.05))
        for _, y, across in layout.bridges()
        if across
    ]
    things.append(shown(Compound(children=edge), "board"))

    def spot(x: float, y: float, up: float = 0.0) -> Spot:
        at = (bent * Location((x, y, top + up))).position
        return at.X, at.Y, at.Z

    x, y = layout.origin("C")
    tags = [
        Tag("board", (-0.97, 0.85), (-66.0, 34.0, top)),
        Tag("display", (0.97, -0.9), spot(x + 30.0, -y - 8.0)),
    ]
    ways = [
        _down((high[0], high[1], high[2] + 24.0), 30.0) for high in (spot(far + 9.0, y) for y in (-52.0, 0.0, 52.0))
    ]
    beyond = layout.HALF + layout.GAP + layout.RAIL / 2 + RAIL_OFF
    ways += [_down((x, end * beyond, top + 34.0), 30.0) for end in (-1, 1) for x in (-40.0, 40.0)]
    return view(things, Camera(-18, 44, 2.6), tags, ways)


def push_switches(models: Models) -> str:
    """Step 2."""
    keys = models.sizes.key_places()
    up = ("juz-A", "dalej-A", "sedzia")
    things = list(models.main)
    arrows = []
    for name in keys:
        key = models.bought("key-switch", place=name)
        things += lifted(key, 34.0) if name in up else key
        if name in up:
            x, y, _ = keys[name]
            arrows.append(_down((x, y, 54.0), 24.0))
    tags = [
        Tag("key", (-0.45, -0.97), (keys["dalej-A"][0] - 6, keys["dalej-A"][1] - 8, 56.0)),
        Tag("board", (0.97, -0.5), (64.0, -54.0, models.sizes.boards.top)),
    ]
    return view(things, Camera(-24, 38, 3.0), tags, arrows)


def lay_board(models: Models) -> str:
    """Step 3."""
    things = models.piece("base") + lifted([*models.main, *models.bought("key-switch")], 55.0)
    arrows = [_down((x, y, 70.0), 46.0) for x, y in models.sizes.posts() if y < 0]
    tags = [
        Tag("board", (0.97, 0.35), (64.0, -54.0, 76.0)),
        Tag("base", (0.97, -0.6), (88.0, -30.0, 2.0)),
        Tag("key", (-0.1, 1.0), (-16.0, 56.0, 90.0)),
    ]
    return view(things, Camera(-24, 30, 2.8), tags, arrows)


def slide_masks(models: Models) -> str:
    """Step 4: the deck lies on its top."""
    over = Location((0, 0, models.sizes.shell.deck), (180, 0, 0))
    up = 42.0
    masks, papers = models.piece("mask"), models.papers()
    things = [
        one.moved(over)
        for one in [*models.piece("deck"), masks[1], masks[3], papers[1], papers[3], masks[0], papers[0]]
    ]
    # turned over, side C looks at the eye
    things += lifted([masks[2].moved(over)], up)
    things += lifted([papers[2].moved(over)], up + 30.0, 0.0, -9.0)
    side = models.sizes.shell.side
    arrows = [Arrow((x, -88.0, up + 24.0), (x, -88.0, 38.0)) for x in (-46.0, 46.0)]
    tags = [
        Tag("deck", (0.97, -0.5), (side, -10.0, 12.0)),
        Tag("mask", (-0.8, 0.62), (-30.0, -side + 3, up + 14.0)),
        Tag("paper", (0.75, 0.97), (28.0, -side - 8, up + 54.0)),
    ]
    return view(things, Camera(-20, 34, 2.8), tags, arrows)


def plug_displays(models: Models) -> str:
    """Step 5."""
    things = [*models.piece("base"), *models.main, *models.bought("key-switch"), *models.letters(0, 1, 3)]
    arrows = []
    away = 38.0
    for side, (x, y) in enumerate(((0, -1), (-1, 0), (0, 1), (1, 0))):
        out = away if side in (0, 3) else 0.0
        things += lifted(models.display(side), 0.0, out * x, out * y)
        if out:
            things += lifted(at_side(models.letter(side), side), 0.0, out * x, out * y)
    arrows = [Arrow((x, -114.0, 40.0), (x, -90.0, 40.0)) for x in (-28.0, 28.0)]
    arrows += [Arrow((116.0, y, 40.0), (92.0, y, 40.0)) for y in (-28.0, 28.0)]
    tags = [
        Tag("display", (-0.75, -0.93), (-34.0, -124.0, 20.0)),
        Tag("board", (0.9, 0.85), (60.0, 56.0, 21.5)),
        Tag("base", (-0.97, -0.4), (-80.0, -52.0, 2.0)),
    ]
    return view(things, Camera(-24, 36, 2.6), tags, arrows)


def build_tray(models: Models) -> str:
    """Step 6: all of it upside down, apart; beside it how it stands."""
    sizes, apart = models.sizes, models.tray_apart
    deep = tray.height(sizes)
    over = Location((0, 0, deep), (180, 0, 0))
    _, (_, back) = tray.stand_outline(sizes)
    heights = {"tray-chute": -14.0, "kostka-switch": 38.0, "tray-clamp": 60.0, "screw": 74.0, "chute-screw": 44.0}
    things = [one.moved(over) for one in apart["tray-stand"]]
    things += [shown(tray.hinge_dot(sizes), "amber").moved(Location((0, 0, -0.3))).moved(over), *_switch_apart(sizes)]
    for name, up in heights.items():
        things += lifted([one.moved(over) for one in apart[name]], up)
    tie = box((-6.0, 6.0), (back, back + 1.4), (8.8, 11.2))
    things += lifted([shown(tie, "tie").moved(over)], 0.0, 0.0, -16.0)
    for x, blade, look in ((-1.6, 0, "kostka-lead"), (1.6, 1, "black")):
        high = deep - tray.switch_body(sizes)[2][0] + heights["kostka-switch"]
        at = -bought.blades(sizes)[-1 - blade]
        lead: list[Spot] = [(0.0, at, high + 4.0), (0.0, at, high + 9.0), (4.0 * x, -12.0, high)]
        things += scenery.run([*lead, (x, -back - 2.0, deep - 4.0), (x, -back - 30.0, deep - 8.0)], 2.4, look)
    whole = Location((-150.0, 30.0, -80.0), (0, 0, 12))
    things += [one.moved(whole) for one in models.tray]
    side, along = tray.chute_screws(sizes)[1]
    arrows = [_down((at, -along, deep + 36.0), 22.0) for at in (-side, side)]
    arrows.append(Arrow((0.0, -back - 15.0, deep - 10.0), (0.0, -back - 4.0, deep - 10.0)))
    (_, near), (_, far) = tray.clamp_screws(sizes)
    (_, wide), _, _ = tray.switch_body(sizes)
    tags = [
        Tag("tray", (-0.95, -0.1), (-172.0, -10.0, -70.0)),
        Tag("chute", (0.9, -0.8), (18.0, -back + 20.0, -50.0)),
        Tag("stand", (0.97, -0.3), (38.0, -back, 20.0)),
        Tag("switch", (0.9, 0.35), (wide, 10.0, 60.0)),
        Tag("clamp", (0.8, 0.7), (3.0, -far, 80.0)),
        Tag("screw", (0.0, 0.97), (-1.0, -near, deep + heights["screw"] - 8.0)),
        Tag("lead", (-0.12, 0.05), (1.5, -back - 26.0, deep - 7.0)),
        Tag("tie", (0.1, -0.75), (-4.0, -back - 17.0, deep - 10.0)),
    ]
    return view(things, Camera(-30, 34, 2.4), tags, arrows)


def _switch_apart(sizes: Sizes) -> list[Thing]:
    """Beside the tray, larger, as it goes in: the lever below, its hinge at the dot, two wires on its terminals."""
    x, y, z = tray.switch_body(sizes)
    blades = bought.blades(sizes)
    terminals = [box((-0.4, 0.4), (at - 1.6, at + 1.6), (z[0] - 6.0, z[0] + 0.1)) for at in blades]
    things: list[Shown] = [
        shown(box(x, y, z), "part"),
        shown(bought.lever(sizes), "screw"),
        shown(Compound(children=terminals), "screw"),
        shown(rod((0.0, 0.0), 1.2, (-4.0, 4.0)), "amber").moved(Location((0, y[1] - 2.4, z[1] + 0.2), (0, 90, 0))),
        shown(tray.hinge_dot(sizes), "amber"),
    ]
    for at, look in ((blades[2], "kostka-lead"), (blades[1], "black")):
        things.append(shown(rod((0.0, at), 1.0, (z[0] - 13.0, z[0] - 2.0)), look))
    middle = np.array((0.0, sum(y) / 2, sum(z) / 2))
    here = Location((-138.0, -40.0, -136.0), (0, 0, 30)) * Location((0, 0, 0), (-28, 0, 0))
    here *= Location((0, 0, 0), (0, 0, 90)) * Location((0, 0, 0), (180, 0, 0))
    large = [replace(one.model, points=(one.model.points - middle) * SWITCH_SCALE) for one in things]
    return [Shown(model, one.colour).moved(here) for model, one in zip(large, things, strict=True)]


def try_it(models: Models) -> str:
    """Step 7: without its deck, as side A lights up; a laptop that says so, the tray on its lead."""
    sizes = models.sizes
    home = Location((-200.0, 138.0, 0.0), (0, 0, 26))
    end = (home * Location((0.0, -66.0, 6.0))).position
    lit = dict.fromkeys((f"LP{number}" for number in range(1, RING // 4 + 1)), "glow")
    lit |= {f"LP{RING + 1}": "green", f"LP{RING + 2}": "amber", f"LP{RING + 9}": "red"}
    things = [*models.piece("base"), *models.main_lit(lit), *models.bought("key-switch")]
    for side in range(len(SIDES)):
        things += models.display(side, lit=side == 0)
    usb = sizes.boards.top + sizes.plugs.usb_up
    lead: list[Spot] = [(*in_corner("AB", 0.0, out), z) for out, z in ((108.0, usb), (128.0, usb), (150.0, 2.0))]
    things += [models.plugs["cable"], *scenery.run([*lead, (-176.0, -10.0, 2.0), (end.X, end.Y, end.Z)], 4.0, "cable")]
    things += [*scenery.laptop(home), *_tray_beside(models)]
    tags = [
        Tag("cable", (-0.7, -0.8), (-164.0, -40.0, 4.0)),
        Tag("display", (0.0, -0.98), (10.0, -85.0, 8.0)),
        Tag("key", (0.3, 0.5), (15.0, 56.0, 36.0)),
        Tag("tray", (0.95, -0.6), (190.0, 4.0, 20.0)),
        Tag("lead", (0.6, 0.6), (*in_corner("CD", 0.0, 116.0), 14.0)),
    ]
    return view(things, Camera(-14, 38, 2.0), tags)


def _tray_beside(models: Models) -> list[Thing]:
    at = Location((158.0, 24.0, 0), (0, 0, -20))
    up = models.sizes.boards.top + models.sizes.plugs.kostka_up
    _, (_, back) = tray.stand_outline(models.sizes)
    notch = (at * Location((0.0, back - 1.0, 3.0))).position
    beyond = (at * Location((0.0, back + 16.0, 1.5))).position
    plug: list[Spot] = [(*in_corner("CD", 0.0, out), z) for out, z in ((90.0, up), (110.0, up), (124.0, 1.5))]
    ends: list[Spot] = [(beyond.X, beyond.Y, beyond.Z), (notch.X, notch.Y, notch.Z)]
    return [one.moved(at) for one in models.tray] + scenery.run([*plug, *ends], 2.4, "kostka-lead")


def put_deck_on(models: Models) -> str:
    """Step 8."""
    things = [*models.piece("base"), *models.main, *models.bought("key-switch")]
    for side in range(4):
        things += models.display(side)
    up = 62.0
    things += lifted([*models.outside, *models.says("", "", "", ""), *models.lamps(0, {})], up)
    things += lifted(models.bought("screw"), -44.0)
    arrows = [_down((x, -93.0, up + 4.0), 26.0) for x in (-46.0, 46.0)]
    arrows += [Arrow((x, y, -15.0), (x, y, 0.0)) for x, y in models.sizes.posts() if y < 0]
    tags = [
        Tag("deck", (0.97, 0.5), (88.0, -36.0, up + 34.0)),
        Tag("base", (0.97, -0.5), (88.0, -36.0, 2.0)),
        Tag("screw", (0.3, -1.0), (34.5, -34.5, -30.0)),
        Tag("display", (-0.97, -0.35), (-38.0, -85.0, 12.0)),
    ]
    return view(things, Camera(-24, 16, 2.8), tags, arrows)


def press_caps(models: Models) -> str:
    """Step 9."""
    things = [*models.outside, *models.bought("key-switch"), *models.says("", "", "", ""), *models.lamps(0, {})]
    up = 34.0
    keys = models.sizes.key_places()
    above = ("juz-A", "dalej-A", "sedzia")
    lifted_ones: list[Thing] = []
    for name in keys:
        if name in above:
            lifted_ones += lifted(models.cap(name), up)
        else:
            things += models.cap(name, sits=True)
    low = models.sizes.cap.top - models.sizes.cap.skirt
    arrows = [_down((*keys[name][:2], low + up - 2.0), 22.0) for name in above]
    tags = [
        Tag("juz", (0.6, -0.5), (keys["juz-A"][0] + 12, keys["juz-A"][1] - 6, up + 38.0)),
        Tag("dalej", (-0.75, -0.35), (keys["dalej-A"][0] - 12, keys["dalej-A"][1] - 6, up + 38.0)),
        Tag("sedzia", (0.2, 1.0), (4.0, 8.0, up + 39.0)),
    ]
    return view(things, Camera(-24, 42, 3.0), tags, arrows, lifted_ones)


def plug_cable(models: Models) -> str:
    """Step 10: feet from below, then cable and bank."""
    up = 30.0
    things = lifted(models.closed(("", "", "", ""), 0, {}), up) + models.bought("foot")
    usb = models.sizes.boards.top + models.sizes.plugs.usb_up + up
    x, y = in_corner("AB", 0.0, 26.0)
    things += lifted([models.plugs["cable"]], up, x, y)
    bank = in_corner("AB", -60.0, 225.0)
    lead: list[Spot] = [(*in_corner("AB", 0.0, out), z) for out, z in ((128.0, usb), (165.0, usb), (185.0, 8.0))]
    things += scenery.bank(Location((*bank, 0.0), (0, 0, 45)))
    things += scenery.run([*lead, (*in_corner("AB", -10.0, 210.0), 8.0)], 4.0, "cable")
    feet = models.sizes.feet()
    arrows = [Arrow((*in_corner("AB", 9.0, 126.0), usb + 9.0), (*in_corner("AB", 9.0, 99.0), usb + 9.0))]
    arrows += [Arrow((*at, 7.0), (*at, 27.0)) for at in feet if at[1] < 0]
    tags = [
        Tag("foot", (0.3, -0.95), (feet[3][0], feet[3][1], 2.0)),
        Tag("cable", (-0.12, -0.9), (*in_corner("AB", 0.0, 150.0), usb)),
        Tag("bank", (-0.8, 0.6), (*bank, 16.0)),
    ]
    return view(things, Camera(-28, 26, 2.5), tags, arrows, lifted(models.caps(sit=True), up))


STEPS: Final = (
    break_panel, push_switches, lay_board, slide_masks, plug_displays, build_tray, try_it, put_deck_on, press_caps,
    plug_cable,
)  # fmt: skip
