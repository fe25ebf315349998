"""Every measure of the box in millimetres: of what is bought, and of what is printed around it. Numbers only.

Measures of bought parts are those of the type as it is commonly sold, with the difference between makers as tolerance.
Nobody has held them in hand for this project yet: measure yours, and where they differ print with other `Sizes`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Button:
    """A 30 mm snap-in arcade push button with its microswitch below. Some sold as "30 mm" want a 28 mm hole."""

    hole: float = 30.0
    flange: float = 35.0  # 33 to 35
    flange_height: float = 3.0
    height: float = 9.0  # above the panel, not pressed
    depth: float = 34.0  # below the panel, terminals and soldered leads included: 24 to 34
    thinnest_panel: float = 2.0
    thickest_panel: float = 5.0


@dataclass(frozen=True)
class Display:
    """A four-digit 7-segment backpack with HT16K33. Held by clamps: makers differ in the holes, hardly outside."""

    width: float = 50.2
    board_height: float = 28.0
    board: float = 1.6
    block_height: float = 19.0
    block: float = 8.0  # from the board's front to the digits' front
    digit: float = 14.2  # 0.56 inch
    behind: float = 4.0  # parts on the back
    plug: float = 11.0  # header and leads on the back, near an edge
    tolerance: float = 0.3


@dataclass(frozen=True)
class Ring:
    """24 WS2812 on a ring. Sold as 86/72 mm; another common one is 65.5/52.3 mm."""

    outer: float = 86.0
    inner: float = 72.0
    board: float = 1.6
    lamp: float = 1.6  # the LED's own height
    tolerance: float = 0.5


@dataclass(frozen=True)
class Pixel:
    """One WS2812 on a round board."""

    diameter: float = 10.0
    height: float = 3.2
    tolerance: float = 0.2


@dataclass(frozen=True)
class Battery:
    """A ready-made pack of six round cells 18650, three wide and two high, with its protection board in the sleeve.

    Why round cells and 19 Ah or more: hardware/power.md. Their cans are of steel and do not swell.
    """

    length: float = 74.0
    width: float = 58.0
    height: float = 39.0
    tolerance: float = 1.0
    swelling: float = 0.0  # of its height
    free: float = 0.8  # air over the largest pack, its swelling and its foam: nothing ever presses
    mass: float = 300.0  # grams


@dataclass(frozen=True)
class Foam:
    """Adhesive strips in the bay: under the pack, and on it under the bar; a low pack takes more on top."""

    thickness: float = 2.0
    width: float = 10.0
    layers: int = 2


@dataclass(frozen=True)
class Charger:
    """Charger and 5 V converter on one board, USB-C at a short edge.

    Another board: write its measures here; its holders in the base and the opening in the deck's wall follow.
    """

    length: float = 38.0  # from the edge with the socket to the one opposite
    width: float = 24.0
    board: float = 1.6
    height: float = 10.0  # parts above the board
    socket: float = 3.2  # height of the USB-C socket on the board
    aside: float = 0.0  # its middle beside the board's, to the right as one looks at side C from outside
    plug_width: float = 12.5  # of the plug's moulding, which must enter the wall
    plug_height: float = 7.0
    tolerance: float = 0.5


@dataclass(frozen=True)
class Carrier:
    """A 70 x 90 mm perfboard with the devkit on female headers. Held at its edges: makers differ in the holes."""

    width: float = 70.0
    length: float = 90.0
    board: float = 1.6
    height: float = 26.0  # above the board: header 8.5, the pins' insulator 2.5, devkit 5, connectors with leads
    socket: float = 8.5  # height of the female headers
    insulator: float = 2.5  # between a header and the devkit, around its pins
    below: float = 4.0  # solder and cut leads
    tolerance: float = 0.5


@dataclass(frozen=True)
class Devkit:
    """A development board: length and width of its outline, and its rows of pins."""

    length: float
    width: float
    pins_in_row: int
    rows_apart: float = 25.4


DEVKITS: Final = {"esp32": Devkit(55.0, 28.5, 19), "esp32s3": Devkit(70.0, 28.5, 22)}


@dataclass(frozen=True)
class UsbPlug:
    """What stays in a devkit's socket: a straight plug's moulding, and its cable up to where it has turned aside."""

    width: float = 12.0
    height: float = 8.0
    length: float = 25.0
    bend: float = 10.0
    cable: float = 4.0


USB_PLUGS: Final = {"esp32": UsbPlug(), "esp32s3": UsbPlug(length=20.0, bend=9.0)}
"""Side C's buttons leave the longer board less room: a short plug, or an angled one."""


@dataclass(frozen=True)
class Rocker:
    """The main switch: a small snap-in rocker, 15 x 10 mm outside, its leads pushed on from behind."""

    width: float = 13.4
    height: float = 9.0
    bezel_width: float = 15.2
    bezel_height: float = 10.7
    depth: float = 20.0  # with terminals
    thickest_panel: float = 2.0
    tab: float = 4.8  # width of a terminal
    tab_length: float = 6.5
    tabs_apart: float = 7.0  # estimate, as all of a receptacle's measures


@dataclass(frozen=True)
class Receptacle:
    """What is pushed onto a 4.8 mm tab, its sleeve included; estimates, the larger ones of what is sold."""

    length: float = 19.0
    width: float = 7.0
    thickness: float = 4.0
    bend: float = 8.0  # of the lead behind it


@dataclass(frozen=True)
class Microswitch:
    """A V-type lever microswitch. The lever's height varies by 1.2 mm and can be bent by hand."""

    length: float = 27.8
    width: float = 10.3
    height: float = 15.9
    terminals: float = 9.0  # below the body, with soldered leads
    free_end: float = 2.5  # of the lower face, before the first terminal
    lever_width: float = 4.6
    lever_free: float = 6.0  # its end above the body
    lever_closes: float = 3.0
    tolerance: float = 0.3


@dataclass(frozen=True)
class Tile:
    """A tile, and how many are stacked. Sets differ (36 x 25 x 8 to 40 x 28 x 11 mm): measure the largest of yours."""

    length: float = 38.5
    width: float = 26.5
    thickness: float = 10.0
    stack: int = 8
    gap: float = 0.8  # between tile and chute on each side
    mass: float = 9.0  # grams


@dataclass(frozen=True)
class Screw:
    """M3 x 10, driven into a printed hole in which it cuts its own thread; the tray and the box need no other."""

    diameter: float = 3.0
    length: float = 10.0
    head: float = 6.0
    head_height: float = 3.0  # a cylinder head's; a pan head is lower
    pilot: float = 2.7
    through: float = 3.4
    boss: float = 8.0
    bite: float = 6.0  # the shortest thread that holds: twice the diameter


@dataclass(frozen=True)
class Foot:
    """A round adhesive rubber foot. Higher than a screw's head, so that no head touches the table."""

    diameter: float = 12.0
    height: float = 5.0
    recess: float = 0.8
    friction: float = 0.6  # rubber on a school table, on the low side


@dataclass(frozen=True)
class Printing:
    """What the pieces ask of the printer."""

    bed: float = 220.0
    margin: float = 2.0  # between the piece and the bed's edge, all round
    line: float = 0.45
    steepest: float = 45.0  # degrees of overhang from the upright
    bridge: float = 20.0  # the longest roof over nothing: every PLA printer bridges it
    clearance: float = 0.3  # between pieces that slide into each other
    density: float = 1.24  # PLA, g per cubic centimetre
    filling: float = 0.6  # mass of a piece over that of a solid one: 3 perimeters, 20 % infill


@dataclass(frozen=True)
class Person:
    """Eyes at the table, seated: above its top and from the box's middle."""

    name: str
    eye_height: float
    distance: float


PEOPLE: Final = (
    Person("child of seven", 350.0, 550.0),
    Person("adult", 500.0, 650.0),
    Person("referee standing 3 m away", 850.0, 3000.0),
)


@dataclass(frozen=True)
class Sizes:
    """The whole box. Seat A's side faces -y; B, C and D follow clockwise as seen from above: -x, +y, +x."""

    button: Button = field(default_factory=Button)
    display: Display = field(default_factory=Display)
    ring: Ring = field(default_factory=Ring)
    pixel: Pixel = field(default_factory=Pixel)
    battery: Battery = field(default_factory=Battery)
    foam: Foam = field(default_factory=Foam)
    charger: Charger = field(default_factory=Charger)
    carrier: Carrier = field(default_factory=Carrier)
    rocker: Rocker = field(default_factory=Rocker)
    receptacle: Receptacle = field(default_factory=Receptacle)
    microswitch: Microswitch = field(default_factory=Microswitch)
    tile: Tile = field(default_factory=Tile)
    screw: Screw = field(default_factory=Screw)
    foot: Foot = field(default_factory=Foot)
    printing: Printing = field(default_factory=Printing)

    outer: float = 216.0  # the box is a square of this side
    corner: float = 12.0  # radius of its corners
    wall: float = 2.8
    plate: float = 3.0  # base and deck
    deck: float = 56.0  # the deck's upper face above the base's lower one
    panel: float = 3.0  # a display's plate
    collar: float = 1.6  # the ring of light under a button's flange
    slope: float = 60.0  # degrees between a display and the table
    rise: float = 33.0  # the tower above the deck
    top: float = 96.0  # side of the tower's top
    lantern: float = 14.0  # height of the diffuser
    skin: float = 1.2  # its thickness where light passes
    apart: float = 70.0  # from Dalej's middle to Już's
    grip: float = 2.5  # how far a clamp reaches over a board's edge
    clamp: float = 3.0  # thickness of a clamp and of the bar over the battery

    @property
    def height(self) -> float:
        """From the base's lower face to the lantern's top; feet and the red button not counted."""
        return self.deck + self.rise + self.lantern


SIZES: Final = Sizes()
