"""Where every part of the flat box's board stands, and the outline of its five pieces. Millimetres, numbers only.

Board coordinates as in KiCad: the main board's middle is the origin, x to the right, y downwards, seen from above;
angles counter-clockwise in degrees. Side A is below; B, C, D follow clockwise, as its player sees them to the left.
A display's own coordinates have their origin in its middle, seen from its front.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin, sqrt
from typing import Final

from hardware.flat.circuit import BUTTONS, DIGIT_COMS, MAIN, SEGMENTS, SIDES, Circuit
from moveclock.view import RING

PAPER: Final = (120.0, 100.0)  # from the corner of the drawing's paper to the panel's origin
HALF: Final = 75.0  # of the main board's width
CHAMFER: Final = 26.0  # what is cut off each corner, along a side
CORNER: Final = (2 * HALF - CHAMFER) / sqrt(2)
"""From the middle to the edge of a cut corner."""
DISPLAY: Final = (80.0, 33.0)  # width and height of a display's board
GAP: Final = 2.0  # between the panel's pieces: a router's way
TAB: Final = 5.0  # width of a bridge between two pieces
RAIL: Final = 10.0  # width of the rail beyond the main board, by which machines hold the panel; pins reach over it
TOOLING: Final = 2.0  # diameter of the rails' holes
MARK_IN: Final = 4.4  # from the panel's edge to a fiducial's middle
LEFT: Final = -HALF  # the panel's edges; its upper one is as far up as the lower one down
RIGHT: Final = HALF + GAP + DISPLAY[0]
LOW: Final = HALF + GAP + RAIL
BITE: Final = (0.6, 0.95)  # diameter and pitch of the holes along which a bridge breaks
INTO: Final = 0.1  # how far they reach into a piece, so that no stub stays; its copper ends far enough within
HOLE: Final = 3.2  # for a screw M3
HOLE_AT: Final = 34.5  # both coordinates of the four, but for their signs

KEYS: Final = 16.0  # from a side's middle line to Już on its player's right, and to Dalej on the left
KEY_OUT: Final = 56.0  # from the board's middle line to a key's
LAMP_OUT: Final = 40.0
RING_RADIUS: Final = 30.0
PINS_OUT: Final = 71.0  # where a display's pins are soldered; their body ends at the board's edge
SOCKET_UP: Final = 3.8  # how far a display's socket is above its middle
DIGITS: Final = (-28.5, -11.0, 11.0, 28.5)  # middles of the digits
DIGIT: Final = (11.0, 22.0)  # width and height of a digit, between the middles of its lines
BESIDE: Final = (2.7, 2.4)  # of a segment's two LEDs, from its middle: where it lies, where it stands
POINT: Final = 8.3  # of a digit's point, from its middle
COLON: Final = 4.5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part's footprint stands on its piece. `back`: on the side that is not seen, where KiCad turns it over
    from top to bottom, and only then by `angle`.
    """

    x: float
    y: float
    angle: float = 0.0
    back: bool = False


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """A point turned counter-clockwise about the origin, as KiCad turns footprints."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return x * c + y * s, -x * s + y * c


def _at(frame: float, x: float, y: float, own: float = 0.0, *, back: bool = False) -> Place:
    """In a frame whose y leads from the middle outwards: towards side A if it is not turned, D at 90 degrees."""
    return Place(*turned(x, y, frame), (frame + own) % 360, back)


_CORNERS: Final[dict[str, tuple[float, dict[str, tuple[float, float, float]]]]] = {
    "between B and C: the module": (-135.0, {
        "U1": (0, CORNER - 12.75, 180),
        "C7": (13.6, 78.2, 90), "C8": (11.2, 78.2, 90), "R20": (11.2, 74.2, 90), "C9": (13.6, 74.2, 90),
        "R22": (-11.4, 63.7, 0), "R7": (-11.4, 78.9, 0), "R8": (-11.4, 76.8, 0), "C6": (-11.4, 74.7, 0),
        "Q2": (4.5, 56, 180), "R25": (4.5, 59.2, 0), "R27": (4.5, 52.8, 0),
        "Q3": (-1.5, 56, 180), "R26": (-1.5, 59.2, 0), "R28": (-1.5, 52.8, 0),
        "U3": (-8, 55, 90), "R5": (-8, 59, 0), "C10": (-5.0, 51.5, 90), "R6": (-11.8, 55, 90),
        "U2": (-20.5, 66.5, -90), "C4": (-15.2, 69, 90), "C5": (-15.2, 64.5, 90),
    }),
    "between A and B: the power": (-45.0, {
        "J1": (0, 84.6, 0), "U5": (0, 75.2, 90), "R1": (-4.6, 77.6, 90), "R2": (4.6, 77.6, 90),
        "F1": (10.8, 78.2, 90), "C1": (15.4, 76.6, 90), "Q1": (11, 71, 0), "C2": (15.4, 72.2, 90),
        "R3": (15.4, 68.4, 90), "D3": (19, 70.4, 90), "C3": (4, 64.5, 180), "R9": (-6, 64.5, 90),
    }),
    "between C and D: Kostka": (135.0, {
        "J6": (-1.25, CORNER - 9.2, 0), "R10": (1.5, 73.8, 0), "C20": (-3, 73.8, 0), "R21": (1.5, 71.6, 0),
    }),
    "between D and A: the buzzer and what a repairer needs": (45.0, {
        "LS1": (-3.25, 74, 0), "Q4": (0, 63, 0), "R23": (-4.6, 63, 90), "R24": (4.6, 63, 90), "D2": (0, 59, 0),
        "S11": (-14.5, 72, 0), "S12": (14.5, 72, 0), "TP1": (-10, 62.5, 0), "TP2": (10, 62.5, 0), "TP3": (0, 54.5, 0),
    }),
}  # fmt: skip
"""Parts in the cut corners: angle of the corner's frame; then along its edge, out from the middle, own angle."""


SUPPLY_AREAS: Final = (
    (
        "VBUS_FUSED",
        ((9, 77.3), (17.2, 77.3), (17.2, 72.4), (13.4, 72.4), (13.4, 73.2), (11.3, 73.2), (11.3, 71.3), (9, 71.3)),
    ),
    ("+5V", ((11.6, 72.0), (14.0, 72.0), (14.0, 69.4), (11.6, 69.4))),
)
"""Areas of copper on the front of the power's corner, in its frame."""
SUPPLY_VIAS: Final = ((13.4, 71.5), (13.4, 70.6), (13.4, 69.8))
"""Through which 5 V reach their layer from Q1, beside the one at its pad."""


def places(circuit: Circuit) -> dict[str, Place]:
    """Of each part on its own piece."""
    found = _main()
    for place in range(len(SIDES)):
        found |= {f"{letters}{100 * (place + 1) + number}": at for (letters, number), at in _display().items()}
    refs = {part.ref for part in circuit.parts}
    if missing := refs ^ found.keys():
        raise ValueError(f"These parts have no place, or are none: {', '.join(sorted(missing))}")
    return found


def _main() -> dict[str, Place]:
    found = {ref: _at(frame, *at) for frame, refs in _CORNERS.values() for ref, at in refs.items()}
    for place in range(len(SIDES)):
        frame = -90.0 * place
        found[f"J{2 + place}"] = _at(frame, 3.81, PINS_OUT, -90)
        for step, x in enumerate((KEYS, -KEYS)):
            key = 2 * place + step
            found[f"S{key + 1}"] = _at(frame, x, KEY_OUT, 180, back=True)
            found[f"R{11 + key}"] = _at(frame, x - 3.2, 46.2)
            found[f"C{11 + key}"] = _at(frame, x + 1.2, 46.2)
            lamp = RING + key + 1
            found[f"LP{lamp}"] = _at(frame, x, LAMP_OUT)
            found[f"C{50 + lamp}"] = _at(frame, x, LAMP_OUT - 4.1)
    for place in range(RING):
        frame = 360 / RING * ((RING // len(SIDES) - 1) / 2 - place)
        found[f"LP{place + 1}"] = _at(frame, 0, RING_RADIUS)
        found[f"C{51 + place}"] = _at(frame, 0, RING_RADIUS - 4.1)
    last = RING + len(BUTTONS) + 1
    found["S9"] = Place(0, 0, 180, back=True)
    found["R19"], found["C19"] = Place(-3.2, -10.5), Place(1.2, -10.5)
    found[f"LP{last}"] = Place(0, -16.5)
    found[f"C{50 + last}"] = Place(0, -20.6)
    return found


def _display() -> dict[tuple[str, int], Place]:
    """Of each part of a display by its letters and its number above the hundred."""
    found = {
        ("J", 1): Place(0, -SOCKET_UP, 90, True),
        ("U", 1): Place(19.5, 1, 90, True),
        ("C", 1): Place(31.0, 1, 90, True),
        ("C", 2): Place(-8.5, -SOCKET_UP, 90, True),
        ("D", 90): Place(-14, -7, 0, True),
        ("R", 1): Place(-14, -4, 0, True),
        ("R", 2): Place(-14, -1, 0, True),
        ("R", 3): Place(-14, 2, 0, True),
    }
    width, height = DIGIT
    middles = {
        "a": (0, -height / 2), "b": (width / 2, -height / 4), "c": (width / 2, height / 4), "d": (0, height / 2),
        "e": (-width / 2, height / 4), "f": (-width / 2, -height / 4), "g": (0, 0),
    }  # fmt: skip
    number = 1
    for digit in range(len(DIGIT_COMS)):
        for segment in SEGMENTS:
            x, y = middles[segment]
            lies = segment in "adg"
            for end in (1, -1):
                beside = (end * BESIDE[0], 0.0) if lies else (0.0, -end * BESIDE[1])
                found["D", number] = Place(DIGITS[digit] + x + beside[0], y + beside[1], 0 if lies else 90)
                number += 1
        found["D", number] = Place(DIGITS[digit] + POINT, height / 2)
        number += 1
    found["D", number] = Place(0, -COLON, 90)
    found["D", number + 1] = Place(0, COLON, 90)
    return found


def rails() -> list[list[tuple[float, float]]]:
    """The corners of both on the panel: the upper and the lower one, each wider beside the displays."""
    beside, inner, displays = HALF + GAP, HALF + GAP, 2 * DISPLAY[1] + 2.5 * GAP
    lower = [(LEFT, inner), (beside, inner), (beside, displays), (RIGHT, displays), (RIGHT, LOW), (LEFT, LOW)]
    return [[(x, -y) for x, y in lower], lower]


def tooling() -> list[tuple[float, float]]:
    """Middles of the rails' holes on the panel."""
    return [(x, end * (LOW - RAIL / 2)) for end in (-1, 1) for x in (LEFT + RAIL, RIGHT - RAIL)]


def fiducials() -> list[tuple[float, float, bool]]:
    """What a machine finds its way by: x, y on the panel, whether on the back. Not alike, if it is turned round."""
    low, begin, end = LOW - MARK_IN, LEFT + 3 * RAIL, RIGHT - 3 * RAIL
    return [(x, y, back) for back in (False, True) for x, y in ((begin, low), (end, low), (begin, -low))]


def prints() -> list[tuple[str, str, float, float, float, float, bool]]:
    """What is printed: piece, words, x, y, angle, height of the letters, whether on the back."""
    found = [
        (MAIN, words, *turned(x, y, frame), (frame + own) % 360, height, False)
        for words, frame, x, y, own, height in (
            ("USB 5 V", -45.0, 0, 70.2, 0, 1.2),
            ("Kostka", 135.0, 0, 66.5, 180, 1.2),
            ("reset", 45.0, -14.5, 67.2, 0, 1.0),
            ("boot", 45.0, 14.5, 67.2, 0, 1.0),
            ("5V", 45.0, -10, 65, 0, 1.0),
            ("3V3", 45.0, 10, 65, 0, 1.0),
            ("GND", 45.0, 0, 57.0, 0, 1.0),
        )
    ]
    for place, side in enumerate(SIDES):
        frame = -90.0 * place
        found.append((MAIN, side, *turned(-8.5, 69, frame), frame % 360, 2.0, False))
        for words, x in (("Już", KEYS), ("Dalej", -KEYS)):
            found.append((MAIN, words, *turned(x, 65.3, frame), frame % 360, 1.2, False))
        found.append((side, side, DISPLAY[0] / 2 - 3, -DISPLAY[1] / 2 + 3, 0.0, 2.0, False))
        found.append((side, f"Dalej, display {side}", -24, -13.5, 0.0, 1.2, True))
    found.append((MAIN, "Dalej, flat box 1", 0, 12.5, 0.0, 1.2, False))
    return found


@dataclass(frozen=True, slots=True)
class Outline:
    """What is milled and drilled: `lines` as (x, y, x, y) on the panel; `bites`: middles of the bridges' holes."""

    lines: tuple[tuple[float, float, float, float], ...]
    bites: tuple[tuple[float, float], ...]


def origin(piece: str) -> tuple[float, float]:
    """Where on the panel the origin of a piece is: the displays stand in a column right of the main board."""
    if piece == MAIN:
        return 0.0, 0.0
    width, height = DISPLAY
    return HALF + GAP + width / 2, (SIDES.index(piece) - 1.5) * (height + GAP)


def contour(piece: str, within: float = 0.0) -> list[tuple[float, float]]:
    """The corners of a piece, in its own coordinates, or those of the line so far within its edge."""
    if piece != MAIN:
        x, y = DISPLAY[0] / 2 - within, DISPLAY[1] / 2 - within
        return [(-x, -y), (x, -y), (x, y), (-x, y)]
    out, cut = HALF - within, HALF - CHAMFER - within * (sqrt(2) - 1)
    return [(-cut, -out), (cut, -out), (out, -cut), (out, cut), (cut, out), (-cut, out), (-out, cut), (-out, -cut)]


def placed(piece: str, within: float = 0.0) -> list[tuple[float, float]]:
    """The same on the panel."""
    left, top = origin(piece)
    return [(left + x, top + y) for x, y in contour(piece, within)]


def encloses(corners: Sequence[tuple[float, float]], x: float, y: float) -> bool:
    """Whether the point is within that polygon."""
    inside = False
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside


def bridges() -> list[tuple[float, float, bool]]:
    """Middles of the bridges on the panel, and whether one leads from left to right."""
    found = []
    across = HALF + GAP / 2
    for side in SIDES[1:3]:
        _, y = origin(side)
        found += [(across, y - 10, True), (across, y + 10, True)]
    x, y = origin(SIDES[0])
    for row in range(len(SIDES) + 1):
        found += [(x + step, y + (row - 0.5) * (DISPLAY[1] + GAP), False) for step in (-26, 0, 26)]
    found += [(x, end * (HALF + GAP / 2), False) for end in (-1, 1) for x in (-36, -12, 14, 42)]
    return found


def holes() -> list[tuple[float, float]]:
    """Middles of the main board's screw holes."""
    return [(x * HOLE_AT, y * HOLE_AT) for x in (-1, 1) for y in (-1, 1)]


def outline() -> Outline:
    """Of the whole panel."""
    lines = []
    for corners in (*map(placed, (MAIN, *SIDES)), *rails()):
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
            lines += _cut(x1, y1, x2, y2)
    bites = []
    diameter, pitch = BITE
    for x, y, across in bridges():
        for end in (-1, 1):
            half, out = TAB / 2, end * GAP / 2
            lines.append(
                (x - GAP / 2, y + end * half, x + GAP / 2, y + end * half)
                if across
                else (x + end * half, y - GAP / 2, x + end * half, y + GAP / 2)
            )
            steps = [pitch * step for step in range(-2, 3)]
            inner = out + end * (INTO - diameter / 2)
            bites += [(x + inner, y + step) if across else (x + step, y + inner) for step in steps]
    return Outline(tuple(lines), tuple(bites))


def _cut(x1: float, y1: float, x2: float, y2: float) -> list[tuple[float, float, float, float]]:
    """An edge without what bridges take of it."""
    if x1 != x2 and y1 != y2:
        return [(x1, y1, x2, y2)]
    upright = x1 == x2
    begin, end = sorted((y1, y2) if upright else (x1, x2))
    fixed = x1 if upright else y1
    taken = sorted(
        (along - TAB / 2, along + TAB / 2)
        for x, y, across in bridges()
        for along, beside in [(y, x) if across else (x, y)]
        if across == upright and abs(beside - fixed) < GAP and begin < along < end
    )
    found = []
    for low, high in [*taken, (end, end)]:
        found.append((fixed, begin, fixed, low) if upright else (begin, fixed, low, fixed))
        begin = high
    return found
