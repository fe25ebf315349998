"""Where things sit in the box: positions that follow from `Sizes`, in millimetres. Numbers only.

The origin is the middle of the base's lower face, z points up, seat A's side faces -y.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin, tan
from typing import Final

from hardware.enclosure.sizes import Sizes

SIDES: Final = ("A", "B", "C", "D")
ASIDE: Final = 10.0  # degrees
HOLDER: Final = 9.2  # of a board's holder, away from the board
SHORTEST_CHARGER: Final = 20.0  # half a clamp's length still lies on it


class WillNotFit(ValueError):
    """These measures give no box; the message is one sentence that says why."""


@dataclass(frozen=True)
class Layout:
    """Positions of one box. Lengths along a display's slope are measured from the deck's upper face."""

    sizes: Sizes

    @property
    def half(self) -> float:
        return self.sizes.outer / 2

    @property
    def tower_half(self) -> float:
        """Of the tower's foot."""
        return self.sizes.top / 2 + self.sizes.rise / tan(radians(self.sizes.slope))

    @property
    def roof(self) -> float:
        """Upper face of the tower's top, on which the lantern stands."""
        return self.sizes.deck + self.sizes.rise

    @property
    def shelf(self) -> float:
        """Width of the deck in front of a display."""
        return self.half - self.tower_half

    @property
    def button_out(self) -> float:
        """From the box's middle to the line through a side's two buttons."""
        return (self.half + self.tower_half) / 2

    @property
    def collar_radius(self) -> float:
        return min(self.shelf / 2 - 1.4, self.sizes.button.flange / 2 + 2)

    @property
    def buttons(self) -> dict[str, tuple[float, float]]:
        """Middle of side A's buttons: Dalej at the player's left, towards the next seat; Już at the right."""
        return {"dalej": (-self.sizes.apart / 2, -self.button_out), "juz": (self.sizes.apart / 2, -self.button_out)}

    @property
    def pixel_from_button(self) -> float:
        """From a button's middle to that of its lamp, towards the middle of the side."""
        return (self.sizes.apart / 2 + self.sizes.button.flange / 2) / 2 + 0.2

    @property
    def lamp_under(self) -> float:
        """Lower face of a button's lamp, in its cup under the deck."""
        return self.sizes.deck - self.sizes.plate - self.sizes.pixel.height

    @property
    def terminals(self) -> float:
        """Lower end of the deepest button's microswitch."""
        return self.sizes.deck + self.sizes.collar - self.sizes.button.depth

    @property
    def lamp_to_switch(self) -> float:
        """The way of a wire from a button's lamp to its microswitch, across and down."""
        return self.pixel_from_button + self.lamp_under - self.terminals

    @property
    def slope_length(self) -> float:
        return self.sizes.rise / sin(radians(self.sizes.slope))

    @property
    def window(self) -> tuple[float, float]:
        """Lower and upper edge of the display's window along the slope; the names of the buttons stand below."""
        height = self.sizes.display.block_height + 2 * self.sizes.display.tolerance
        upper = self.slope_length - 7.1
        return upper - height, upper

    @property
    def panel_top(self) -> float:
        """Upper edge of a display's plate along the slope."""
        return self.slope_length - 2.1

    @property
    def opening(self) -> float:
        """Half the width of the tower's opening for a display's plate, as seen from outside."""
        return self.sizes.display.width / 2 + 9.9

    @property
    def ring_boss(self) -> float:
        """From the middle to the lantern's four bosses, between the red button and the ring of lamps."""
        return (self.sizes.button.flange / 2 + self.sizes.ring.inner / 2) / 2

    @property
    def ring_bosses(self) -> list[tuple[float, float]]:
        """The four; the one between A and D is aside, so that the lantern goes on in one way only."""
        turns = [radians(turn) for turn in (-45 + ASIDE, 45, 135, 225)]
        return [(self.ring_boss * cos(turn), self.ring_boss * sin(turn)) for turn in turns]

    @property
    def lantern_radius(self) -> float:
        return self.sizes.ring.outer / 2 + 4.0

    @property
    def base_screws(self) -> list[tuple[float, float]]:
        """Corners and middles of the sides, from below through the base into the deck."""
        inside = self.sizes.corner - self.sizes.wall
        corner = self.half - self.sizes.corner + (inside - 3.0) * cos(radians(45))
        middle = self.half - self.sizes.wall - 3.0
        corners = [(x * corner, y * corner) for x in (-1, 1) for y in (-1, 1)]
        return [*corners, (0.0, -middle), (-middle, 0.0), (0.0, middle), (middle, 0.0)]

    @property
    def tower_screws(self) -> list[tuple[float, float]]:
        """From below through the deck into the tower's corners."""
        at = self.tower_half - 12.0
        return [(x * at, y * at) for x in (-1, 1) for y in (-1, 1)]

    @property
    def tower_corner(self) -> float:
        """|x| + |y| up to which the deck's opening and the tower's hollow reach."""
        return 2 * (self.tower_half - 12.0) - 5.2

    @property
    def feet(self) -> list[tuple[float, float]]:
        at = self.half - 16.0
        return [(x * at, y * at) for x in (-1, 1) for y in (-1, 1)]

    @property
    def carrier(self) -> tuple[float, float]:
        """Middle of the carrier board; its length lies along y."""
        return -self.sizes.carrier.width / 2, 0.0

    @property
    def carrier_under(self) -> float:
        """Lower face of the carrier board."""
        return self.sizes.plate + self.sizes.carrier.below + 2.0

    @property
    def battery(self) -> tuple[float, float]:
        """Middle of the battery bay; the pack's length lies along y."""
        return 7.0 + self.sizes.battery.width / 2 + self.sizes.battery.tolerance, 0.0

    @property
    def battery_top(self) -> float:
        """Lower face of the bar over the pack: room for its foam, for a swollen cell, and for some air."""
        pack, foam = self.sizes.battery, self.sizes.foam
        return self.sizes.plate + foam.layers * foam.thickness + pack.height * (1 + pack.swelling) + pack.free

    @property
    def charger(self) -> tuple[float, float]:
        """Middle of the charger's board, its USB-C socket at the inside of side C's wall."""
        return (
            self.half - 30.0,
            self.half - self.sizes.wall - self.sizes.charger.tolerance - self.sizes.charger.length / 2,
        )

    @property
    def charger_under(self) -> float:
        return self.sizes.plate + 5.0

    @property
    def usb(self) -> tuple[float, float]:
        """Middle of the USB-C opening: x and z on side C."""
        charger = self.sizes.charger
        return self.charger[0] - charger.aside, self.charger_under + charger.board + charger.socket / 2

    @property
    def rocker(self) -> tuple[float, float]:
        """Middle of the main switch: x and z on side C."""
        return -(self.half - 30.0), self.sizes.deck / 2

    @property
    def leads(self) -> dict[str, float]:
        """Along x: the two notches on side C: the tray's lead and a USB lead for the devkit."""
        return {"tray": -12.0, "usb": 12.0}

    def check(self) -> None:
        """Raise `WillNotFit` with one sentence when these sizes give no box."""
        for fits, sentence in self._rules():
            if not fits:
                raise WillNotFit(sentence)

    def _rules(self) -> list[tuple[bool, str]]:
        return self._upper_rules() + self._lower_rules()

    def _upper_rules(self) -> list[tuple[bool, str]]:
        sizes = self.sizes
        bed = sizes.printing.bed - 2 * sizes.printing.margin
        clamped = sizes.plate - 0.6 + sizes.collar
        beside = sizes.ring.inner / 2 - sizes.ring.tolerance - sizes.button.flange / 2
        button, lamp = sizes.button, sizes.pixel.diameter + 4
        return [
            (sizes.outer <= bed, f"The box is {sizes.outer:g} mm wide, the bed takes {bed:g} mm."),
            (
                button.thinnest_panel <= clamped <= button.thickest_panel,
                f"Buttons clamp {button.thinnest_panel:g} to {button.thickest_panel:g} mm, the deck is {clamped:g} mm.",
            ),
            (
                self.shelf >= button.flange + 4,
                f"A flange of {button.flange:g} mm needs {button.flange + 4:g} mm of deck, not {self.shelf:.1f} mm.",
            ),
            (
                self.window[0] >= 9.0,
                f"The display's block of {sizes.display.block_height:g} mm leaves no room for the names below it.",
            ),
            (
                self.lantern_radius <= sizes.top / 2,
                f"A ring of {sizes.ring.outer:g} mm needs a top of {2 * self.lantern_radius:g} mm, not {sizes.top:g}.",
            ),
            (
                beside >= lamp,
                f"Between the red button and the ring {beside:.1f} mm are left for a lamp, not {lamp:g} mm.",
            ),
        ]

    def _lower_rules(self) -> list[tuple[bool, str]]:
        sizes, button = self.sizes, self.sizes.button
        charger, pack, rocker, pushed = sizes.charger, sizes.battery, sizes.rocker, sizes.receptacle
        behind = self.charger[1] - charger.length / 2 - charger.tolerance - 2.4
        beside = self.half - sizes.wall - 0.3 - self.charger[0] - charger.tolerance - HOLDER
        return [
            (
                behind > pack.length / 2 + pack.tolerance + 2.0,
                f"A charger of {charger.length:g} mm reaches the battery.",
            ),
            (
                2 * sizes.grip + 10.0 <= charger.width <= 2 * beside,
                f"A charger of {charger.width:g} mm is not {2 * sizes.grip + 10.0:g} to {2 * beside:g} mm wide.",
            ),
            (
                charger.length >= SHORTEST_CHARGER,
                f"A charger of {charger.length:g} mm is too short for its clamps, {SHORTEST_CHARGER:g} mm are not.",
            ),
            (
                abs(charger.aside) <= charger.width / 2 - 4.5,
                f"A socket {abs(charger.aside):g} mm beside the charger's middle is not on its board.",
            ),
            (
                rocker.tabs_apart + pushed.thickness < rocker.width and pushed.width < rocker.height,
                f"Receptacles of {pushed.width:g} x {pushed.thickness:g} mm do not pass the main switch's window.",
            ),
            (
                self.battery_top + sizes.clamp + sizes.screw.head_height < sizes.deck - sizes.plate,
                f"A battery of {sizes.battery.height:g} mm reaches up to the deck.",
            ),
            (
                self.battery[0] + sizes.battery.width / 2 + 4 <= self.button_out - button.hole / 2
                or sizes.deck - button.depth > self.battery_top,
                f"A battery of {sizes.battery.width:g} x {sizes.battery.height:g} mm reaches up to the buttons.",
            ),
        ]
