"""Every measure of the evening box in millimetres: of what is bought, of its front, of the two stands. Numbers only.

The board's are its maker's (Dimensions.png and the specification of the ESP32-2432S028R, in the archive of
witnessmenow/ESP32-Cheap-Yellow-Display, read 2026-11-28), the screen's its data sheet's (JC2432A028N), the others those
of the type as it is commonly sold. Nobody has held them in hand for this project yet.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Final, TypeAlias

from hardware.enclosure.printer import Printer

Span: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Board:
    """An ESP32-2432S028 as one looks at its screen, the end with the USB sockets to the right."""

    width: float = 86.0
    height: float = 50.0
    thickness: float = 1.6
    corner: float = 4.0  # from both edges to the middle of a hole
    hole: float = 3.2
    module: Span = (69.2, 50.0)  # the screen with its frame and its glass, in the board's middle
    glass: float = 4.0  # from the board to the glass at most: 2.3 and the touch glass, and what it is stuck on with
    picture: Span = (57.6, 43.2)
    aside: float = 2.0  # the picture's middle, to the left of the board's: 1 to 3
    behind: float = 6.0  # parts on the back
    card: float = 1.4  # the card's socket stands out below
    micro_usb: float = 15.7  # the socket's middle above the lower edge; a second one, USB-C, is on the same edge
    tolerance: float = 0.5


@dataclass(frozen=True)
class Button:
    """A 30 mm arcade push button that a nut holds, with its microswitch and what is pushed onto its tabs."""

    hole: float = 30.0
    flange: float = 35.0  # 33 to 35
    flange_height: float = 3.0
    height: float = 9.0  # above the front, not pressed
    nut: float = 38.0
    nut_height: float = 10.0
    switch: float = 11.0  # radius of all that is behind the thread
    depth: float = 45.0  # behind the front, wires included: 35 to 45
    tolerance: float = 0.3


@dataclass(frozen=True)
class Plug:
    """A straight plug's moulding, and its cable up to where it has turned aside."""

    width: float = 12.0
    height: float = 8.5
    length: float = 25.0
    bend: float = 8.0
    cable: float = 4.5


@dataclass(frozen=True)
class Speaker:
    """One of 8 ohm and 1 W as large as it may be, stuck behind the front by its rim: they are 30 x 20 to 40 x 28."""

    width: float = 28.0
    height: float = 40.0
    depth: float = 12.0


@dataclass(frozen=True)
class Lever:
    """A WAGO 221-413, for three wires."""

    width: float = 18.7
    length: float = 18.4
    height: float = 8.4


@dataclass(frozen=True)
class Front:
    """Where what is on the face that both stands have. The origin is the middle of its lower edge, y goes up."""

    width: float = 170.0
    height: float = 120.0
    window: Span = (58.0, 44.0)  # in cardboard: the picture, and a little
    window_up: float = 82.0  # its middle
    apart: float = 70.0  # from Dalej's middle to Już's
    buttons_up: float = 28.0
    speaker: Span = (-60.0, 82.0)  # the middle of its holes, left of the board
    sound: float = 2.4  # each hole's diameter; in cardboard a toothpick's
    sound_apart: float = 5.0

    @property
    def window_x(self) -> Span:
        """Left and right edge."""
        return -self.window[0] / 2, self.window[0] / 2

    @property
    def window_y(self) -> Span:
        """Lower and upper edge."""
        return self.window_up - self.window[1] / 2, self.window_up + self.window[1] / 2

    @property
    def buttons(self) -> dict[str, Span]:
        """The middles of both. As on every build, Już is at its user's right hand and Dalej at the left."""
        return {"juz": (self.apart / 2, self.buttons_up), "dalej": (-self.apart / 2, self.buttons_up)}

    @property
    def sounds(self) -> list[Span]:
        """The middles of the holes before the speaker: three beside each other, five above each other."""
        (x, y), apart = self.speaker, self.sound_apart
        return [(x + across * apart, y + up * apart) for up in range(-2, 3) for across in range(-1, 2)]


@dataclass(frozen=True)
class Stand:
    """The printed one: a shell in one piece, and the base that closes it below."""

    slope: float = 30.0  # degrees between the front and the table
    lip: float = 36.0  # height of the wall before the buttons
    face: float = 3.2
    wall: float = 2.4
    base: float = 3.0
    corner: float = 4.0  # radius of the upright edges
    post: float = 8.0  # side of what the base is screwed to, in each corner
    pad: float = 7.0  # diameter of what the board is screwed to
    gap: float = 0.4  # air between the glass and the face: nothing but fingers presses on it
    window: Span = (62.0, 46.0)  # wider than in cardboard, where the board can be shifted
    rim: float = 4.0  # height of what holds the base in its place
    rim_wall: float = 1.6
    pilot: float = 2.7  # in which a screw M3 cuts its thread
    through: float = 3.4
    board_thread: float = 6.8  # depth of the hole for a screw M3 x 8 that holds the board
    base_thread: float = 7.0
    notch: Span = (6.0, 6.0)  # width and height of the cable's way out, below in the back wall
    tie: Span = (5.0, 2.2)  # a slit for a cable tie
    clearance: float = 0.3


@dataclass(frozen=True)
class Cardboard:
    """A box that lies on its lid: its bottom, up, is the front; a folded foot is under the lid's far edge."""

    depth: float = 80.0  # of the box: so high it is
    sheet: float = 3.0  # its thickness
    lid: float = 20.0  # height of the lid's rim
    roll: float = 8.0  # thickness of what stands between the board's corners and the lid: a thicker one meets a socket
    foot: float = 42.0  # each of the foot's three sides
    tab: float = 12.0  # by which the foot is glued together
    flap: float = 30.0  # the part of the template that is folded over the right edge
    slit: Span = (34.0, 14.0)  # along the edge, and down from `slit_under`
    slit_under: float = 4.0


@dataclass(frozen=True)
class Sizes:
    """The whole box. The front looks to -y and up; x goes to the right, z up from the base's upper face."""

    board: Board = field(default_factory=Board)
    button: Button = field(default_factory=Button)
    plug: Plug = field(default_factory=Plug)
    speaker: Speaker = field(default_factory=Speaker)
    lever: Lever = field(default_factory=Lever)
    front: Front = field(default_factory=Front)
    stand: Stand = field(default_factory=Stand)
    cardboard: Cardboard = field(default_factory=Cardboard)
    printer: Printer = field(default_factory=Printer)

    @property
    def board_middle(self) -> Span:
        """On the front: beside the window's, so that the picture is in the window."""
        return self.board.aside, self.front.window_up

    @property
    def board_face(self) -> float:
        """From the front's outer face to the board, whose glass is towards it."""
        return self.stand.face + self.stand.gap + self.board.glass

    @property
    def depth(self) -> float:
        """The stand's, from front to back."""
        return self.front.height * cos(radians(self.stand.slope))

    @property
    def back(self) -> float:
        """Height of the stand's back wall."""
        return self.stand.lip + self.front.height * sin(radians(self.stand.slope))

    def holes(self) -> list[Span]:
        """The board's four, on the front."""
        x, y = self.board_middle
        across, up = self.board.width / 2 - self.board.corner, self.board.height / 2 - self.board.corner
        return [(x + right * across, y + over * up) for right in (-1, 1) for over in (-1, 1)]


SIZES: Final = Sizes()
