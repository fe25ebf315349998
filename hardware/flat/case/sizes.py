"""Every measure of the flat box's case in millimetres: of what it holds, of its pieces. Numbers only.

z = 0 is the table, side A faces -y; B, C and D follow clockwise as seen from above: -x, +y, +x. Where parts stand on
the boards is `hardware.flat.layout`'s; `on_main` and `in_corner` turn its coordinates into these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from typing import Final, TypeAlias

from hardware.enclosure.printer import Printer
from hardware.flat import layout
from hardware.flat.circuit import MAIN, circuit
from hardware.flat.layout import Place

Span: TypeAlias = tuple[float, float]

CORNERS: Final = {"AB": -45.0, "BC": -135.0, "CD": 135.0, "DA": 45.0}
"""The frame of each cut corner, as `layout` turns it: what is on it is the power, the antenna, Kostka, the buzzer."""


@dataclass(frozen=True)
class Boards:
    """The main board, and a display's in its place."""

    thickness: float = 1.6
    top: float = 21.5  # of the main board above the table
    below: float = 4.0  # key sockets and through pins on its back
    back: float = 8.5  # a straight socket's height: from the main board's edge to a display's back
    pin: float = 1.27  # axis of right-angle pins above the board they are on
    lit: float = 0.8  # height of an LED
    tolerance: float = 0.2

    @property
    def bottom(self) -> float:
        """Of the main board."""
        return self.top - self.thickness

    @property
    def display_back(self) -> float:
        """From the box's middle."""
        return layout.HALF + self.back

    @property
    def display_front(self) -> float:
        """Of the board; its LEDs stand before it."""
        return self.display_back + self.thickness

    @property
    def display_middle(self) -> float:
        """Above the table."""
        return self.top + self.pin - layout.SOCKET_UP

    @property
    def display_z(self) -> Span:
        """Lower and upper edge."""
        half = layout.DISPLAY[1] / 2
        return self.display_middle - half, self.display_middle + half


@dataclass(frozen=True)
class Key:
    """A key switch of the MX kind, above the board it is pushed into (Cherry, "MX Series", and others of that size)."""

    wide: float = 15.6  # of the housing's flange
    waist: float = 7.0  # height up to which it is so wide at most
    narrow: float = 14.0
    housing: float = 11.6
    stem: float = 15.2
    travel: float = 4.0
    operates: float = 2.0  # after so much of it, 2.6 at most
    well: float = 6.2  # in the housing's top, into which a cap's stem dives
    cross: float = 4.1  # Cherry's keycap specification: 4.1 x 1.17; stems of other makers are up to 1.29 thick one way
    arms: Span = (1.29, 1.17)
    fit: float = 0.06


@dataclass(frozen=True)
class Cap:
    """A key cap: a square lid with a skirt that slides in the deck."""

    side: float = 26.0
    top: float = 39.8  # above the table
    roof: float = 2.2
    wall: float = 1.6
    skirt: float = 11.2  # from its top down
    stem: float = 5.6  # diameter
    sunk: float = 0.6
    pen: float = 1.3  # of Sędzia's ring


@dataclass(frozen=True)
class Plugs:
    """What is plugged in from outside: USB-C's moulding as large as it may be, Kostka's XHP-2 with its leads."""

    usb: Span = (12.5, 7.0)
    usb_up: float = 1.6  # the socket's middle above the board
    usb_face: float = 88.6  # where the moulding ends when it is in, out from the middle
    usb_play: float = 0.5
    kostka: Span = (7.6, 6.2)
    kostka_up: float = 3.4
    kostka_end: float = 91.5
    kostka_play: float = 1.6  # a finger's nail under it


@dataclass(frozen=True)
class Shell:
    """Deck and base."""

    side: float = 93.0  # from the middle to the outer face at a side
    corner: float = 95.0  # and at a cut corner
    wall: float = 1.6
    foot: float = 0.8  # by which the feet stand out: the base's underside
    thin: float = 1.4  # of the base under the displays
    base: float = 2.0  # elsewhere
    rim: float = 2.2  # height of what holds the deck in place
    deck: float = 37.0  # its top above the table
    plate: float = 2.2
    roof: float = 1.2  # over the displays
    skin: float = 0.6  # white print over a lamp
    rib: float = 1.4  # between lamps' shafts
    shafts: float = 2.1  # of their lower edge above the board
    bevel: float = 1.5
    clearance: float = 0.3  # between pieces that slide into each other
    air: float = 0.3  # between a display and what is over or before it
    cap_air: float = 0.35  # between a cap and its sleeve, on each side
    sleeve: float = 9.0  # from the deck's top down


@dataclass(frozen=True)
class Mask:
    """The black grid before a display: a well for each segment."""

    deep: float = 5.0
    paper: float = 0.2  # room for white paper or drafting film between it and the wall
    stroke: float = 4.0  # width of a segment
    apart: float = 1.2  # material between two
    dot: float = 2.7  # diameter of a point's and a colon's well
    half: float = 39.7  # of its width
    flange: Span = (42.4, 2.0)  # half width and thickness of what slides in the deck's rails
    low: float = 4.7  # its edges above the table
    high: float = 34.7
    shy: float = 0.2  # by which a window in the wall is narrower than its well, on each side


@dataclass(frozen=True)
class Rail:
    """Beside each display, for its mask's flange."""

    begins: float = 40.5  # from the side's middle
    ends: float = 44.4
    lip: float = 1.35
    low: float = 6.0
    slide: float = 0.15
    catch: float = 0.5  # height of the ridge over which the flange snaps
    tongue: float = 9.0  # of the lip's end, which bears the ridge: it bends
    slit: float = 0.55  # beside it


@dataclass(frozen=True)
class Screw:
    """M3 x 10, which cuts its thread into the print: four close the box."""

    length: float = 10.0
    head: float = 6.0
    head_height: float = 3.0
    diameter: float = 3.0
    pilot: float = 2.7
    through: float = 3.4
    bite: float = 5.0  # at least, of its thread
    seat: float = 17.0  # its head's upper face above the table


@dataclass(frozen=True)
class Foot:
    """A round adhesive rubber foot."""

    diameter: float = 12.0
    height: float = 5.0
    out: float = 76.0  # from the middle towards each corner


@dataclass(frozen=True)
class Tile:
    """The largest that is sold (sets differ: 36 x 25 x 8 to 40 x 28 x 11), and how many a stack has."""

    length: float = 38.5
    width: float = 26.5
    thickness: float = 10.0
    stack: int = 8
    gap: float = 0.8


@dataclass(frozen=True)
class Microswitch:
    """A snap-action switch with a straight lever, as it is commonly sold (27.8 x 10.3 x 15.9, terminals 4.8 mm)."""

    length: float = 27.8
    width: float = 10.3
    height: float = 15.9
    terminals: float = 10.0
    lever_width: float = 4.6
    lever_free: float = 6.0  # its end above the body
    lever_closes: float = 3.0
    tolerance: float = 0.3


@dataclass(frozen=True)
class Sizes:
    """All of it."""

    boards: Boards = field(default_factory=Boards)
    key: Key = field(default_factory=Key)
    cap: Cap = field(default_factory=Cap)
    plugs: Plugs = field(default_factory=Plugs)
    shell: Shell = field(default_factory=Shell)
    mask: Mask = field(default_factory=Mask)
    rail: Rail = field(default_factory=Rail)
    screw: Screw = field(default_factory=Screw)
    foot: Foot = field(default_factory=Foot)
    tile: Tile = field(default_factory=Tile)
    microswitch: Microswitch = field(default_factory=Microswitch)
    printer: Printer = field(default_factory=Printer)

    @property
    def wall(self) -> float:
        """The inner face of a side's wall, from the middle."""
        return self.shell.side - self.shell.wall

    @property
    def mask_front(self) -> float:
        """From the middle."""
        return self.wall - self.mask.paper

    @property
    def mask_back(self) -> float:
        """From the middle; the LEDs stay behind it, so that the deck can be put on."""
        return self.mask_front - self.mask.deep

    @property
    def under(self) -> float:
        """The deck's underside."""
        return self.shell.deck - self.shell.plate

    @property
    def floor(self) -> float:
        """The base's upper face at its edge."""
        return self.shell.foot + self.shell.thin

    @property
    def stem_top(self) -> float:
        """Of a key that is not pressed."""
        return self.boards.top + self.key.stem

    @property
    def sleeve(self) -> float:
        """Half the side of the hole that a cap slides in."""
        return self.cap.side / 2 + self.shell.cap_air

    def outline(self, inwards: float = 0.0) -> list[Span]:
        """The octagon so far inside the outer faces, counter-clockwise."""
        side, corner = self.shell.side - inwards, self.shell.corner - inwards
        near = corner * sqrt(2) - side
        return [
            (near, -side), (side, -near), (side, near), (near, side), (-near, side), (-side, near), (-side, -near),
            (-near, -side),
        ]  # fmt: skip

    def key_places(self) -> dict[str, tuple[float, float, float]]:
        """Middle of each key and degrees by which it is turned counter-clockwise from side A's: "juz-A", "sedzia"."""
        at = on_main()
        found = {}
        for place, side in enumerate("ABCD"):
            for step, name in enumerate(("juz", "dalej")):
                found[f"{name}-{side}"] = (*at[f"S{2 * place + step + 1}"], -90.0 * place)
        return found | {"sedzia": (*at["S9"], 0.0)}

    def feet(self) -> list[Span]:
        """Under the four corners."""
        return [in_corner(name, 0.0, self.foot.out) for name in CORNERS]

    def posts(self) -> list[Span]:
        """Where a screw closes the box, through the main board's holes."""
        return [(x, -y) for x, y in layout.holes()]


@cache
def places() -> Mapping[str, Place]:
    """Of every part on its own board, as `layout` has it."""
    return layout.places(circuit())


def on_main() -> dict[str, Span]:
    """Middles of the main board's parts, by reference."""
    at = places()
    return {part.ref: (at[part.ref].x, -at[part.ref].y) for part in circuit().parts if part.piece == MAIN}


def in_corner(name: str, along: float, out: float) -> Span:
    """A point in the frame of a cut corner: along its edge, out from the middle."""
    x, y = layout.turned(along, out, CORNERS[name])
    return x, -y


SIZES: Final = Sizes()
