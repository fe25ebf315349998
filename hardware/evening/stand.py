"""The printed stand: a shell with the leaning front, printed on its face, and the base that closes it."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, tan
from typing import Final

from build123d import Location, Solid

from hardware.enclosure.letters import lettering
from hardware.enclosure.shapes import box, common, join, less, rod, wedge
from hardware.evening.sizes import SIZES, Sizes, Span

SUNK: Final = 0.6  # depth of the letters
_FLARE: Final = 2.0  # by which the window is wider outside, on each side


@dataclass(frozen=True)
class Piece:
    """One printed piece: `solid` lies on z = 0 as on the bed, with that face down; `place` puts it into the stand."""

    name: str
    solid: Solid
    lies_on: str
    place: Location


def front(sizes: Sizes) -> Location:
    """Where the front's lower edge is: x to the right, y up the front, z out of it."""
    return Location((0, 0, sizes.stand.lip), (sizes.stand.slope, 0, 0))


def pieces(sizes: Sizes = SIZES) -> list[Piece]:
    """Both."""
    over = Location((0, 0, 0), (180, 0, 0)) * front(sizes).inverse()
    down = Location((0, 0, sizes.stand.base))
    return [
        Piece("shell", shell(sizes).moved(over), "front", over.inverse()),
        Piece("base", base(sizes).moved(down), "bottom", down.inverse()),
    ]


def shell(sizes: Sizes) -> Solid:
    """As it stands: z = 0 is its lower edge."""
    part = sizes.stand
    half = sizes.front.width / 2
    outside = _rounded(
        wedge([(0.0, 0.0), (0.0, part.lip), (sizes.depth, sizes.back), (sizes.depth, 0.0)], (-half, half)), part.corner
    )
    body = less(outside, _inside(sizes, part.wall))
    body = join(body, *[common(post, outside) for post in _posts(sizes)], *_pads(sizes))
    return less(body, *_openings(sizes), *_threads(sizes), *_words(sizes))


def base(sizes: Sizes) -> Solid:
    """As it stands, its upper face on z = 0."""
    part = sizes.stand
    half = sizes.front.width / 2
    plate = _rounded(box((-half, half), (0.0, sizes.depth), (-part.base, 0.0)), part.corner)
    holes = [rod(at, part.through / 2, (-part.base - 1, 1.0)) for at in post_middles(sizes)]
    return less(join(plate, *_rim(sizes)), *holes, *tie_slits(sizes))


def post_middles(sizes: Sizes) -> list[Span]:
    """Where the base is screwed to the shell."""
    part = sizes.stand
    inset = part.wall + part.post / 2
    x = sizes.front.width / 2 - inset
    return [(side * x, y) for side in (-1, 1) for y in (inset, sizes.depth - inset)]


def tie_slits(sizes: Sizes) -> list[Solid]:
    """Two, beside each other, for the tie that holds the cable on the base before its way out."""
    part = sizes.stand
    x, y = notch_middle(sizes), sizes.depth - part.wall - 22.0
    wide, deep = part.tie
    return [
        box((x + side * 5.0 - deep / 2, x + side * 5.0 + deep / 2), (y - wide / 2, y + wide / 2), (-part.base - 1, 1.0))
        for side in (-1, 1)
    ]


def notch_middle(sizes: Sizes) -> float:
    """Where in the back wall the cable leaves."""
    return sizes.front.width / 2 - 32.0


def _rounded(block: Solid, radius: float) -> Solid:
    return block.fillet(radius, [edge for edge in block.edges() if abs(edge.tangent_at(0).Z) > 0.99])


def _inside(sizes: Sizes, wall: float) -> Solid:
    """The room within walls of that thickness, open below."""
    part = sizes.stand
    slope = radians(part.slope)
    half = sizes.front.width / 2 - wall

    def roof(y: float) -> float:
        return part.lip + y * tan(slope) - part.face / cos(slope)

    near, far = wall, sizes.depth - wall
    return wedge([(near, -1.0), (near, roof(near)), (far, roof(far)), (far, -1.0)], (-half, half))


def _posts(sizes: Sizes) -> list[Solid]:
    """In each corner, from the base up into the front."""
    part = sizes.stand
    made = []
    for x, y in post_middles(sizes):
        side, back = (1 if x > 0 else -1), y > sizes.depth / 2
        outer, inner = x + side * (part.post / 2 + part.wall / 2), x - side * part.post / 2
        low, high = (
            (y - part.post / 2, y + part.post / 2 + part.wall / 2)
            if back
            else (y - part.post / 2 - part.wall / 2, y + part.post / 2)
        )
        made.append(box((min(inner, outer), max(inner, outer)), (low, high), (0.0, sizes.back)))
    return made


def _on_front(sizes: Sizes, solid: Solid) -> Solid:
    return solid.moved(front(sizes))


def _pads(sizes: Sizes) -> list[Solid]:
    """Behind the front, under the board's corners."""
    part = sizes.stand
    return [_on_front(sizes, rod(at, part.pad / 2, (-sizes.board_face, -part.face / 2))) for at in sizes.holes()]


def _threads(sizes: Sizes) -> list[Solid]:
    part = sizes.stand
    depth = sizes.board_face
    board = [_on_front(sizes, rod(at, part.pilot / 2, (-depth - 1, part.board_thread - depth))) for at in sizes.holes()]
    return board + [rod(at, part.pilot / 2, (-1.0, part.base_thread)) for at in post_middles(sizes)]


def _openings(sizes: Sizes) -> list[Solid]:
    """Window, holes of the buttons, the cable's way out, holes for the sound."""
    part, button = sizes.stand, sizes.button
    round_ones = [(at, button.hole + button.tolerance) for at in sizes.front.buttons.values()]
    round_ones += [(at, sizes.front.sound) for at in sizes.front.sounds]
    holes = [_on_front(sizes, rod(at, wide / 2, (-part.face - 1, 1.0))) for at, wide in round_ones]
    x = notch_middle(sizes)
    way_out = box(
        (x - part.notch[0] / 2, x + part.notch[0] / 2), (sizes.depth - 5.0, sizes.depth + 1), (-1.0, part.notch[1])
    )
    return [_on_front(sizes, _window(sizes)), *holes, way_out]


def _window(sizes: Sizes) -> Solid:
    """Wider outside, for fingers."""
    part = sizes.stand
    across, up = part.window[0] / 2, part.window[1] / 2
    middle = sizes.front.window_up
    low, high = -part.face - 0.01, 0.01

    def outline(half: float) -> list[Span]:
        return [(-half - _FLARE, high), (-half, low), (half, low), (half + _FLARE, high)]

    wide = wedge([(y + middle, z) for y, z in outline(up)], (-across - _FLARE, across + _FLARE))
    tall = wedge(outline(across), (-up - _FLARE, up + _FLARE)).moved(Location((0, middle, 0), (0, 0, -90)))
    return common(wide, tall)


def _words(sizes: Sizes) -> list[Solid]:
    """The buttons' names, under them."""
    words = {"juz": "JUŻ", "dalej": "DALEJ"}
    made = []
    for name, (x, _) in sizes.front.buttons.items():
        at = Location((x, 2.6, -SUNK))
        made += [_on_front(sizes, bar.move(at)) for bar in lettering(words[name], 4.0, 1.0, SUNK + 1.0)]
    return made


def _rim(sizes: Sizes) -> list[Solid]:
    """Bars inside the walls, between the posts; the one behind leaves the cable its way."""
    part = sizes.stand
    out = part.wall + part.clearance
    inner, z = out + part.rim_wall, (-0.5, part.rim)
    half, free = sizes.front.width / 2, part.wall + part.post + 2.0
    x = notch_middle(sizes)
    back = (sizes.depth - inner, sizes.depth - out)
    return [
        box((free - half, half - free), (out, inner), z),
        box((free - half, x - part.notch[0]), back, z),
        box((out - half, inner - half), (free, sizes.depth - free), z),
        box((half - inner, half - out), (free, sizes.depth - free), z),
    ]
