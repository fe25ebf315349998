"""The evening box's pictures: the front with its measures, what is wired, the box whole and apart.

They hold numbers and what is printed on the board, and no word: the page has the legend, in its own language. A number
means the same part in every picture (`NUMBERS`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Final

import numpy as np
from build123d import Compound, Location, Solid

from hardware.canvas import Canvas, Point
from hardware.drawing import Drawing
from hardware.enclosure.render import render
from hardware.enclosure.scene import Camera, Colour, Shown, model
from hardware.enclosure.shapes import box, less, rod, wedge
from hardware.evening import bought
from hardware.evening.cardboard import template
from hardware.evening.sight import cardboard_slope
from hardware.evening.sizes import SIZES, Sizes
from hardware.evening.stand import Piece, front, notch_middle, pieces

NUMBERS: Final = {
    "board": 1,
    "juz": 2,
    "dalej": 3,
    "cable": 4,
    "gnd": 5,
    "io22": 6,
    "io27": 7,
    "3.3V": 8,
    "speaker": 9,
    "roll": 10,
    "lid": 11,
}
_BEHIND: Final = ("board", "screen", "button-juz", "button-dalej", "speaker")  # what is seen of the front from there
_GREEN: Final = "#5ac86e"
_YELLOW: Final = "#ffd23c"
_DARK: Final = "#333"
_THIN: Final = "#555"
_LOOK: Final[dict[str, Colour]] = {
    "shell": (150, 175, 205),
    "base": (120, 145, 175),
    "board": (235, 205, 60),
    "screen": (50, 52, 56),
    "button-juz": (90, 200, 110),
    "button-dalej": (255, 210, 60),
    "lever": (240, 140, 60),
    "cable": (90, 90, 96),
    "speaker": (70, 72, 80),
    "card": (205, 170, 125),
    "inner": (180, 145, 100),
    "screws": (175, 175, 180),
    "black": (20, 20, 24),
    "tile": (250, 240, 210),
    "white": (245, 245, 245),
    "running": (60, 200, 90),
    "waiting": (95, 95, 100),
    "red": (220, 70, 60),
}


_SEATS: Final = ("abcefg", "cdefg", "adef", "bcdeg")  # the segments of A, b, C, d


def drawings(sizes: Sizes = SIZES) -> Iterator[Drawing]:
    """All of them."""
    yield Drawing("evening-box", partial(assembled, sizes))
    yield Drawing("evening-front", partial(dimensioned, sizes))
    yield Drawing("evening-wiring", wiring)
    yield Drawing("evening-inside", partial(apart, sizes))
    yield Drawing("evening-cardboard", partial(lying, sizes))
    yield Drawing("evening-opened", partial(opened, sizes))
    yield Drawing("evening-template", partial(template, sizes))


@cache
def _made(sizes: Sizes) -> tuple[Piece, ...]:
    return tuple(pieces(sizes))


def _shown(solid: Solid | Compound, look: str) -> Shown:
    return Shown(model(solid), _LOOK[look])


def _printed(sizes: Sizes, name: str) -> Shown:
    (piece,) = (piece for piece in _made(sizes) if piece.name == name)
    return _shown(piece.solid.moved(piece.place), name)


def screen_says(sizes: Sizes) -> list[Shown]:
    """What the screen shows while a move runs: 0:42, the bar, whose move it is; on the front's outer side of the glass.

    Where what is, in pixels, is `firmware/devices/screen.py`'s.
    """
    pixel = sizes.board.picture[0] / 320
    left, top = -sizes.board.picture[0] / 2, sizes.front.window_up + sizes.board.picture[1] / 2
    glass = sizes.board.glass - sizes.board_face

    def field(x: int, y: int, wide: int, high: int, above: float = 0.3) -> Solid:
        across = left + x * pixel, left + (x + wide) * pixel
        return box(across, (top - (y + high) * pixel, top - y * pixel), (glass, glass + above))

    lit = [one for at, digit in ((82, "abcdef"), (180, "fgbc"), (252, "abged")) for one in _segments(digit, at)]
    white = [*lit, (152, 70, 14, 14), (152, 111, 14, 14)]
    boxes = [(2 + 64 * seat, 180, 60, 58) for seat in range(5)]
    letters = [_segments(of, 21 + 64 * seat, 192, (22, 36, 5)) for seat, of in enumerate(_SEATS)]
    mark = [(285, 192, 6, 22), (285, 220, 6, 6)]  # Sędzia's !
    on_grey = [*letters[1], *letters[2], *letters[3], *mark]
    parts = {
        "black": [bought.picture(sizes), *(field(*one, 0.4) for one in letters[0])],
        "white": [*(field(*one) for one in white), *(field(*one, 0.4) for one in on_grey)],
        "running": [field(0, 0, 224, 20), field(*boxes[0])],
        "waiting": [field(*one) for one in boxes[1:]],
    }
    return [_shown(Compound(children=list(solids)), look) for look, solids in parts.items()]


def _segments(
    lit: str, left: int, top: int = 36, size: tuple[int, int, int] = (58, 124, 14)
) -> list[tuple[int, int, int, int]]:
    """Of a digit, a large one if nothing else is said: left, top, width, height in pixels. `size`: with its lines'."""
    wide, high, thick = size
    half = (high - thick) // 2
    upright, right = half - thick, left + wide - thick
    places = {
        "a": (left + thick, top, wide - 2 * thick, thick),
        "b": (right, top + thick, thick, upright),
        "c": (right, top + half + thick, thick, upright),
        "d": (left + thick, top + 2 * half, wide - 2 * thick, thick),
        "e": (left, top + half + thick, thick, upright),
        "f": (left, top + thick, thick, upright),
        "g": (left + thick, top + half, wide - 2 * thick, thick),
    }
    return [places[name] for name in lit]


def _on_front(sizes: Sizes, *kinds: str) -> list[Shown]:
    home = front(sizes)
    made = [_shown(part.solid, part.kind) for part in bought.bought(sizes) if part.kind in kinds]
    return made + [one.moved(home) for one in screen_says(sizes)] if "screen" in kinds else made


def _view(shown: Sequence[Shown], camera: Camera, tags: Sequence[tuple[int, Point, tuple[float, float, float]]]) -> str:
    """The SVG of these; each tag is a number, where it stands (as parts of the picture from its middle), and a point of
    the box.
    """
    view = render(shown, camera)
    letter = (view.high[0] - view.low[0]) / 28
    room = 2.6 * letter
    canvas = Canvas(
        (round(view.low[0] - room), round(view.low[1] - room)),
        (round(view.high[0] + room), round(view.high[1] + room)),
        round(letter, 1),
    )
    canvas.rendered(view)
    middle = [(low + high) / 2 for low, high in zip(view.low, view.high, strict=True)]
    half = [(high - low) / 2 + room / 2 for low, high in zip(view.low, view.high, strict=True)]
    for number, (across, up), point in tags:
        x, y, _ = camera.seen(np.array(point))
        canvas.number(number, (middle[0] + across * half[0], middle[1] + up * half[1]), (float(x), float(y)))
    return canvas.svg()


def _lead(sizes: Sizes) -> Shown:
    """The cable behind the stand, on its way to the right."""
    x, y = notch_middle(sizes), sizes.depth
    parts = [box((x - 2, x + 2), (y - 2, y + 24), (0.2, 4.2)), box((x - 2, x + 105), (y + 20, y + 24), (0.2, 4.2))]
    return _shown(Compound(children=parts), "cable")


_TILES: Final = ((7, -62.0), (8, -33.0), (9, -4.0))  # and where their left edges are
_DIGITS: Final = {7: "abc", 8: "abcdefg", 9: "abcdfg"}
_PEN: Final = 0.14  # mm of a digit on a tile for a pixel of one on the screen


def _tiles() -> list[Shown]:
    """A run of three on the table before the stand: red 7, 8, 9."""
    made = []
    for number, x in _TILES:
        tile = box((x, x + 27), (-72.0, -34.0), (-3.0, 5.0))
        bars = [
            box(
                (x + 9.4 + left * _PEN, x + 9.4 + (left + wide) * _PEN),
                (-38.0 - (top + high) * _PEN, -38.0 - top * _PEN),
                (5.0, 5.2),
            )
            for left, top, wide, high in _segments(_DIGITS[number], 0)
        ]
        made += [_shown(tile, "tile"), _shown(Compound(children=bars), "red")]
    return made


def assembled(sizes: Sizes) -> str:
    """As it stands on the table, a run of tiles before it."""
    shown = [_printed(sizes, "shell"), _printed(sizes, "base"), _lead(sizes), *_tiles()]
    shown += _on_front(sizes, "screen", "button-juz", "button-dalej")
    home = front(sizes)

    def on(x: float, y: float, z: float) -> tuple[float, float, float]:
        at = (home * Location((x, y, z))).position
        return at.X, at.Y, at.Z

    (jx, jy), (dx, dy) = sizes.front.buttons["juz"], sizes.front.buttons["dalej"]
    tags = [
        (NUMBERS["board"], (-0.9, 0.75), on(-24.0, sizes.front.window_up + 18, 0.0)),
        (NUMBERS["dalej"], (-0.97, 0.1), on(dx - 6, dy, 9.0)),
        (NUMBERS["juz"], (0.72, -0.55), on(jx + 4, jy, 9.0)),
        (NUMBERS["cable"], (0.92, 0.75), (notch_middle(sizes) + 80, sizes.depth + 22.0, 4.0)),
        (NUMBERS["speaker"], (-0.97, 0.42), on(*sizes.front.speaker, 0.0)),
    ]
    return _view(shown, Camera(-24, 34, 4.0), tags)


def apart(sizes: Sizes) -> str:
    """The shell on its face, with all that is in it, its lower edge towards us; beside it the base."""
    shell = [_printed(sizes, "shell")]
    shell += [_shown(part.solid, part.kind) for part in bought.bought(sizes) if part.kind in _BEHIND]
    shell += [_shown(one, "screws") for one in bought.screws(sizes)]
    down = _made(sizes)[0].place.inverse()
    beside = Location((-195.0, -10.0, 3.0), (0, 0, 180))
    below = [_printed(sizes, "base"), *[_shown(one, "lever") for one in bought.levers(sizes)]]
    shown = [one.moved(down) for one in shell] + [one.moved(beside) for one in below]
    home = down * front(sizes)

    def on(x: float, y: float, z: float) -> tuple[float, float, float]:
        at = (home * Location((x, y, z))).position
        return at.X, at.Y, at.Z

    def along(x: float, y: float, z: float) -> tuple[float, float, float]:
        at = (beside * Location((x, y, z))).position
        return at.X, at.Y, at.Z

    (jx, jy), (dx, dy), (sx, sy) = sizes.front.buttons["juz"], sizes.front.buttons["dalej"], sizes.front.speaker
    deep, lever = -sizes.button.depth, [one.center() for one in bought.levers(sizes)]
    tags = [
        (NUMBERS["board"], (-0.2, 0.97), on(0.0, sizes.front.window_up + 8, -sizes.board_face - 8)),
        (NUMBERS["dalej"], (-0.3, -0.75), on(dx, dy, deep)),
        (NUMBERS["juz"], (-0.75, -0.6), on(jx, jy, deep)),
        (NUMBERS["speaker"], (0.06, 0.9), on(sx + 9, sy, -sizes.stand.face - sizes.speaker.depth)),
        *[
            (NUMBERS[name], (across, 0.6), along(at.X, at.Y, sizes.lever.height))
            for name, at, across in zip(("gnd", "io22", "io27"), lever, (0.3, 0.46, 0.62), strict=True)
        ],
    ]
    return _view(shown, Camera(150, 52, 3.0), tags)


def _lid(sizes: Sizes) -> Solid:
    """Of the cardboard box, over its walls; it lies on the table."""
    part, face = sizes.cardboard, sizes.front
    half, thick = face.width / 2, part.sheet
    return less(
        box((-half - thick, half + thick), (-thick, face.height + thick), (0.0, part.lid)),
        box((-half, half), (0.0, face.height), (thick, part.lid + 1)),
    )


def sockets_behind(sizes: Sizes) -> dict[str, tuple[Point, Point]]:
    """Where the board's sockets are as one looks at the front: x from, to; y from, to."""
    x, y = sizes.board_middle
    left, top = x - sizes.board.width / 2, y + sizes.board.height / 2
    return {
        name: ((left + low[0], left + high[0]), (top - high[1], top - low[1])) for name, (low, high) in _SOCKETS.items()
    }


def opened(sizes: Sizes) -> str:
    """The cardboard box on its front, its lid off and beside it: what is stuck in, and the rolls that the lid holds."""
    part, face = sizes.cardboard, sizes.front
    half, thick = face.width / 2, part.sheet
    carton = less(
        box((-half, half), (0.0, face.height), (-part.depth, 0.0)),
        box((thick - half, half - thick), (thick, face.height - thick), (-part.depth - 1, -thick)),
    )
    under = -sizes.board_face - sizes.board.thickness
    rolls = [rod(at, part.roll / 2, (4.0 - part.depth, under)) for at in sizes.holes()]
    y, tall = face.height - part.foot, part.foot * 3**0.5 / 2
    foot = wedge([(y, 0.0), (y + part.foot, 0.0), (y + part.foot / 2, -tall)], (-half, half))
    home = front(sizes).inverse()
    sockets = [box(x, y, (under - sizes.board.behind - 0.3, under)) for x, y in sockets_behind(sizes).values()]
    behind = [_shown(Compound(children=sockets), "inner")]
    behind += [_shown(one.solid, one.kind).moved(home) for one in bought.bought(sizes) if one.kind in _BEHIND]
    over, beside = Location((0, 0, 0), (180, 0, 0)), Location((-215.0, -10.0, part.lid), (180, 0, 0))
    shown = [_shown(carton, "card"), _shown(Compound(children=rolls), "inner"), *behind]
    shown = [one.moved(over) for one in shown]
    shown += [_shown(_lid(sizes), "card").moved(beside), _shown(foot, "inner").moved(beside)]

    def on(x: float, y: float, z: float) -> tuple[float, float, float]:
        at = (over * Location((x, y, z))).position
        return at.X, at.Y, at.Z

    (jx, jy), (dx, dy), (sx, sy) = face.buttons["juz"], face.buttons["dalej"], face.speaker
    deep, at = -sizes.button.depth, (beside * Location((0.0, 20.0, 0.0))).position
    tags = [
        (NUMBERS["board"], (-0.2, 0.97), on(0.0, face.window_up, under - sizes.board.behind)),
        (NUMBERS["dalej"], (-0.3, -0.85), on(dx, dy, deep)),
        (NUMBERS["juz"], (-0.75, -0.7), on(jx, jy, deep)),
        (NUMBERS["speaker"], (0.1, 0.95), on(sx + 6, sy + 8, -sizes.stand.face - sizes.speaker.depth)),
        (NUMBERS["roll"], (-0.8, 0.9), on(*sizes.holes()[3], 4.0 - part.depth)),
        (NUMBERS["lid"], (0.7, 0.8), (at.X, at.Y, at.Z)),
    ]
    return _view(shown, Camera(155, 64, 3.0), tags)


def lying(sizes: Sizes) -> str:
    """The cardboard box on its foot."""
    part, face = sizes.cardboard, sizes.front
    half = face.width / 2
    slope = cardboard_slope(sizes)
    turn = Location((0, 0, 0), (slope, 0, 0))
    home = Location((0, 0, part.depth))
    carton = box((-half, half), (0.0, face.height), (0.0, part.depth - 0.2))
    shown = [_shown(carton, "card").moved(turn)]
    dark = box(face.window_x, face.window_y, (part.depth - 0.2, part.depth))
    shown.append(_shown(dark, "screen").moved(turn))
    pricks = [rod(at, face.sound / 2, (part.depth - 0.2, part.depth + 0.1)) for at in face.sounds]
    shown.append(_shown(Compound(children=pricks), "screen").moved(turn))
    shown.append(_shown(_lid(sizes), "card").moved(turn))
    glass = sizes.board.glass - sizes.board_face
    shown += [one.moved(turn * home * Location((0, 0, 0.2 - glass))) for one in screen_says(sizes)]
    for name, (x, y) in face.buttons.items():
        knob = Compound(children=[rod((x, y), 17.5, (0.0, 3.0)), rod((x, y), 12.0, (3.0, 9.0))])
        shown.append(_shown(knob, f"button-{name}").moved(turn * home))
    far = (turn * Location((0, face.height - part.foot / 2, 0))).position
    tall = part.foot * 3**0.5 / 2
    prism = wedge([(far.Y - part.foot / 2, 0.0), (far.Y + part.foot / 2, 0.0), (far.Y, tall)], (-half, half))
    shown.append(_shown(prism, "inner"))
    _, y = sizes.board_middle
    z = part.depth - part.slit_under - part.slit[1] / 2
    cable = box((half - 1, half + 60), (y - 9.0, y - 5.0), (z - 2, z + 2))
    shown.append(_shown(cable, "cable").moved(turn))

    def on(x: float, y: float, z: float) -> tuple[float, float, float]:
        at = (turn * home * Location((x, y, z))).position
        return at.X, at.Y, at.Z

    (jx, jy), (dx, dy) = face.buttons["juz"], face.buttons["dalej"]
    tags = [
        (NUMBERS["board"], (-0.9, 0.8), on(-24.0, face.window_up + 18, 0.0)),
        (NUMBERS["dalej"], (-0.97, -0.1), on(dx, dy, 9.0)),
        (NUMBERS["juz"], (0.3, -0.95), on(jx, jy, 9.0)),
        (NUMBERS["cable"], (0.9, 0.75), on(half + 40.0, y - 7.0, z - part.depth)),
        (NUMBERS["speaker"], (-0.97, 0.4), on(*face.speaker, 0.0)),
        (NUMBERS["lid"], (0.6, -0.9), on(half + part.sheet, 50.0, part.lid / 2 - part.depth)),
    ]
    return _view(shown, Camera(-24, 34, 4.0), tags)


def dimensioned(sizes: Sizes) -> str:
    """The front with every length that one needs to make it, in millimetres; behind it, dashed, the board."""
    face, board, button = sizes.front, sizes.board, sizes.button
    half = face.width / 2
    canvas = Canvas((-half - 34, -34), (half + 40, face.height + 30), 6.0)
    canvas.box((-half, half), (0, face.height), "#dbe4ee", 0.7)
    x, y = sizes.board_middle
    across, up = board.width / 2, board.height / 2
    canvas.box((x - across, x + across), (y - up, y + up), width=0.4, dash="2 1.6")
    canvas.box(
        (x + across - 2, x + across + 1),
        (y - up + board.micro_usb - 4, y - up + board.micro_usb + 4),
        width=0.4,
        dash="2 1.6",
    )
    canvas.box(face.window_x, face.window_y, _DARK, 0.6)
    for (name, at), colour in zip(face.buttons.items(), (_GREEN, _YELLOW), strict=True):
        canvas.ring(at, button.hole / 2, colour, 0.6)
        canvas.cross(at, 4.0)
        canvas.text(f"Ø {button.hole:g}", (at[0], at[1] - 9.5), size=5.0)
        side = -1 if at[0] < 0 else 1
        canvas.number(NUMBERS[name], (at[0] + side * 28, at[1] - 8), (at[0] + side * 11, at[1] - 4))
    for at in face.sounds:
        canvas.ring(at, face.sound / 2, "#fff", 0.4)
    x_sound, y_sound = face.speaker
    canvas.number(NUMBERS["speaker"], (-half + 10, y_sound + 2), (x_sound - face.sound_apart, y_sound))
    canvas.number(NUMBERS["board"], (-half + 10, y + 20), (face.window_x[0] + 5, y + 16))
    canvas.number(NUMBERS["cable"], (half - 14, y - up + board.micro_usb + 12), (x + across, y - up + board.micro_usb))
    (left, low), (right, _) = face.buttons["dalej"], face.buttons["juz"]
    window_x, window_y = face.window_x, face.window_y
    canvas.measure((-half, 0), (half, 0), 24)
    canvas.measure((left, low), (right, low), -14)
    canvas.measure((-half, 0), (left, 0), 11)
    canvas.measure((right, 0), (half, 0), 11)
    canvas.measure((window_x[0], face.height), (window_x[1], face.height), -11)
    canvas.measure((-half, face.height), (window_x[0], face.height), -11)
    canvas.measure((window_x[1], face.height), (half, face.height), -11)
    canvas.measure((half, window_y[0]), (half, window_y[1]), 12)
    canvas.measure((half, 0), (half, window_y[0]), 12)
    canvas.measure((half, window_y[1]), (half, face.height), 12)
    canvas.measure((half, 0), (half, face.height), 27)
    canvas.measure((-half, 0), (-half, low), -14)
    canvas.measure((-half, 0), (-half, y_sound), -27)
    canvas.measure((-half, y_sound - 13), (x_sound, y_sound - 13), 5)
    return canvas.svg()


# The board's back, as its maker's page shows it with the USB socket to the right; millimetres from its lower left.
_SOCKETS: Final = {
    "P3": ((9.7, 45.4), (20.3, 50.6)),
    "CN1": ((26.0, 45.4), (36.6, 50.6)),
    "P4": ((55.5, -0.6), (61.5, 4.6)),
    "P1": ((80.4, 8.6), (85.6, 20.6)),
}
_WIRES: Final = {"GND": "#222", "IO22": "#2a8f3f", "IO27": "#c79a00", "3.3V": "#c22"}  # in the order of CN1
_FIRST: Final = 27.6  # where on the board's upper edge the first of them is, and from each to the next
_NEXT: Final = 2.4
_LEFT: Final = 96.0  # of the lever connectors, whose three wires all enter from below
_ENTRIES: Final = (100.0, 108.0, 116.0)
_UNDER: Final = {"GND": 128.0, "IO22": 84.0, "IO27": 46.0}  # their lower edges
_BUTTON: Final = (178.0, {"IO22": 78.0, "IO27": 40.0})


def wiring() -> str:
    """The board from behind, the four wires of CN1, three connectors, two buttons, and the speaker."""
    canvas = Canvas((-10, -32), (222, 156), 6.0)
    _back(canvas)
    first, second, third = _ENTRIES
    top = 50.0
    x, levels = _BUTTON
    paths = {
        "GND": [(_FIRST, top), (_FIRST, 122.0), (first, 122.0), (first, _UNDER["GND"])],
        "IO22": [(_FIRST + _NEXT, top), (_FIRST + _NEXT, 78.0), (first, 78.0), (first, _UNDER["IO22"])],
        "IO27": [
            (_FIRST + 2 * _NEXT, top),
            (_FIRST + 2 * _NEXT, 66.0),
            (91.0, 66.0),
            (91.0, 40.0),
            (first, 40.0),
            (first, 46.0),
        ],
        "3.3V": [(_FIRST + 3 * _NEXT, top), (_FIRST + 3 * _NEXT, 57.5), (54.0, 57.5)],
    }
    for pin, path in paths.items():
        canvas.line(path, 1.3, _WIRES[pin])
    for pin, y in (("GND", 122.0), ("IO22", 78.0), ("IO27", 66.0)):
        canvas.text(pin, (66.0, y + 4.8), size=5.5)
    canvas.text("3.3V", (45.0, 61.6), size=5.0)
    for pin, at in (("GND", (160.0, 126.8)), ("GND", (160.0, 117.0)), ("IO22", (136.0, 82.8)), ("IO27", (136.0, 44.8))):
        canvas.text(pin, at, size=5.5)
    for place, (pin, colour) in enumerate(_WIRES.items()):  # which line is which, once more
        y = -2.0 - 8.0 * place
        canvas.line([(132.0, y), (150.0, y)], 1.5, colour)
        canvas.text(pin, (155.0, y), "start", size=5.5)
    for entry, level, over, pin in ((second, 113.0, 204.0, "IO22"), (third, 122.0, 214.0, "IO27")):
        path = [(entry, _UNDER["GND"]), (entry, level), (over, level), (over, levels[pin]), (x + 17.0, levels[pin])]
        canvas.line(path, 1.3, _WIRES["GND"])
    for pin, name, colour in (("IO22", "juz", _GREEN), ("IO27", "dalej", _YELLOW)):
        level = levels[pin]
        canvas.line([(second, _UNDER[pin]), (second, level), (x - 17.0, level)], 1.3, _WIRES[pin])
        for side in (-1, 1):
            canvas.box((x + side * 14.5 - 2.5, x + side * 14.5 + 2.5), (level - 1.6, level + 1.6), "#c9ced6")
        canvas.ring((x, level), 12.0, colour, 0.7)
        canvas.number(NUMBERS[name], (x, level))
    for pin, name in (("GND", "gnd"), ("IO22", "io22"), ("IO27", "io27")):
        _connector(canvas, _UNDER[pin])
        canvas.number(NUMBERS[name], (second, _UNDER[pin] + 14.0))
    canvas.box((54.0, 60.0), (55.3, 59.7), "#888")
    canvas.number(NUMBERS["3.3V"], (72.0, 57.5), (60.0, 57.5))
    return canvas.svg()


def _connector(canvas: Canvas, under: float) -> None:
    """Three levers side by side."""
    canvas.box((_LEFT, _LEFT + 24.0), (under, under + 21.0), "#e8e8ea", 0.6)
    for entry in _ENTRIES:
        canvas.box((entry - 2.8, entry + 2.8), (under + 1.0, under + 6.5), "#f08c3c", 0.3)


def _back(canvas: Canvas) -> None:
    """What is on it that helps to find the right socket; crossed out are the two that look like it."""
    canvas.box((0, 86), (0, 50), "#f6dd62", 0.7)
    for at in ((4, 4), (4, 46), (82, 4), (82, 46)):
        canvas.ring(at, 1.6, "#fff")
    canvas.box((-0.5, 25.5), (15.5, 34.5), "#d8dde3")
    canvas.box((81.0, 87.0), (30.5, 38.0), "#c9ced6")
    canvas.text("USB", (73.5, 34.3), size=5.0)
    canvas.text("ESP32", (12.5, 25.0), size=5.0)
    canvas.box((40.0, 55.0), (35.5, 51.4), "#c9ced6")
    for name, (low, high) in _SOCKETS.items():
        x, y = (low[0], high[0]), (low[1], high[1])
        canvas.box(x, y, "#fff", 1.1 if name == "CN1" else 0.4)
        if name in ("P1", "P3"):
            canvas.line([(x[0] - 1, y[0] - 1), (x[1] + 1, y[1] + 1)], 1.0, "#c22")
            canvas.line([(x[0] - 1, y[1] + 1), (x[1] + 1, y[0] - 1)], 1.0, "#c22")
    canvas.text("P3", (15.0, 41.0), size=5.0)
    canvas.text("CN1", (31.3, 40.5), size=6.5)
    canvas.text("P1", (74.5, 14.6), size=5.0)
    canvas.text("P4 SPEAK", (58.5, 8.6), size=5.0)
    canvas.number(NUMBERS["board"], (50.0, 22.0))
    canvas.line([(58.5, 0.5), (58.5, -18.0), (72.0, -18.0)], 1.3, _THIN)
    canvas.area([(72, -14.5), (77, -14.5), (84, -9), (84, -27), (77, -21.5), (72, -21.5)], "#c9ced6")
    canvas.number(NUMBERS["speaker"], (95.0, -18.0))
