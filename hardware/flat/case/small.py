"""The small pieces: the mask before a display, the paper in it, the three kinds of caps."""

from __future__ import annotations

from typing import Final

from build123d import Location, Solid

from hardware.enclosure.letters import lettering
from hardware.enclosure.shapes import Span, box, join, less, rod, tube
from hardware.flat.case import face
from hardware.flat.case.sizes import Sizes

WORDS: Final = {"juz": ("JUŻ", 7.0, -5.0, 1.3), "dalej": ("DALEJ", 4.9, -2.4, 0.9)}
"""What is sunk into a cap, how high the letters are, where they begin, how wide the pen is."""
CAPS: Final = ("juz", "dalej", "sedzia")
RING_MARK: Final = 6.0  # radius of Sędzia's mark
PAPER: Final = (79.0, 29.0)


def mask(sizes: Sizes) -> Solid:
    """As it lies on its back: x along the display, y up from the table, z outwards."""
    part = sizes.mask
    wide, thick = part.flange
    body = join(
        box((-part.half, part.half), (part.low, part.high), (0.0, part.deep)),
        box((-wide, wide), (part.low, part.high), (0.0, thick)),
    )
    notch = (sizes.rail.low - 0.3, sizes.rail.low + 1.4)  # for the rails' catch
    notches = [
        box((x[0], x[1]), notch, (-1.0, 0.6)) for x in ((-wide - 1, 0.1 - part.half), (part.half - 0.1, wide + 1))
    ]
    return less(body, *face.prisms(sizes, (-1.0, part.deep + 1.0)), *notches)


def paper(sizes: Sizes) -> Solid:
    """A slip before the mask, in its place there."""
    wide, high = PAPER
    part = sizes.mask
    middle = (part.low + part.high) / 2
    return box((-wide / 2, wide / 2), (middle - high / 2, middle + high / 2), (part.deep + 0.02, part.deep + 0.12))


def cap(sizes: Sizes, name: str, *, plain: bool = False) -> Solid:
    """As it sits on its key, whose middle is the origin; its player is at -y. `plain`: without its mark."""
    part, key = sizes.cap, sizes.key
    half, low = part.side / 2, part.top - part.skirt
    block = box((-half, half), (-half, half), (low, part.top))
    block = block.fillet(1.5, [edge for edge in block.edges() if abs(edge.tangent_at(0).Z) > 0.99])
    block = block.chamfer(0.8, None, [edge for edge in block.edges() if part.top - 0.01 < edge.center().Z])
    inner, roof = half - part.wall, part.top - part.roof
    shell = less(block, box((-inner, inner), (-inner, inner), (low - 1, roof)))
    housing = sizes.boards.top + key.housing
    body = join(shell, rod((0.0, 0.0), part.stem / 2, (housing + 0.1, roof + 0.5)))
    long, (lying, standing) = (key.cross + key.fit) / 2, ((arm + key.fit) / 2 for arm in key.arms)
    z = (housing - 1, sizes.stem_top)
    cross = [box((-long, long), (-lying, lying), z), box((-standing, standing), (-long, long), z)]
    sunk = [] if plain else mark(sizes, name, (part.top - part.sunk, part.top + 1.0))
    return less(body, *cross, *sunk)


def mark(sizes: Sizes, name: str, z: Span) -> list[Solid]:
    """A cap's word, or Sędzia's ring, between these heights."""
    if name not in WORDS:
        return [tube((0.0, 0.0), (RING_MARK - sizes.cap.pen, RING_MARK), z)]
    words, height, foot, pen = WORDS[name]
    return [bar.move(Location((0, foot, z[0]))) for bar in lettering(words, height, pen, z[1] - z[0])]
