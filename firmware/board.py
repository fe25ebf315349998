"""Which pin is what: of the flat box, an ESP32-S3, and of an ESP32 for a circuit of one's own. Numbers only.

Every button closes to ground. A shared build (one Już and one Dalej for all seats) uses seat A's two pins, so that a
box that takes itself for the other build still has two buttons that work.

An ESP32 leaves no pin with a pull-up for the tile contact: it has one of 10 kOhm to 3.3 V on its wire.
An ESP32-C3 has too few pins; nothing is drawn for it, for an S2 (no Bluetooth) or for any other chip.
"""

from moveclock import facts as k

TILE_TAKEN = 0  # the level of the Kostka contact while a tile is taken; 1 for a light barrier that is open then
DIVIDER = 2  # the supply's voltage over that at its pin

_ESP32_BUTTONS = (32, 33, 25, 26, 27, 14, 13, 23)
_ESP32_S3_BUTTONS = (4, 5, 6, 7, 15, 16, 17, 18)


class Pins:
    """The pins of one chip. `buttons`: Już and Dalej of A, B, C, D; `bare`: inputs without a pull-up of their own."""

    def __init__(self, buttons: tuple, sedzia: int, kostka: int, bare: tuple, outputs: tuple, battery: int) -> None:
        self.buttons = buttons
        self.sedzia = sedzia
        self.kostka = kostka
        self.bare = bare
        self.sda, self.scl, self.lamps, self.buzzer = outputs
        self.battery = battery

    def contacts(self, kostka: bool, shared: bool) -> list[tuple[int, int]]:
        """`(contact of moveclock.facts, pin)` of all that this build has."""
        if shared:
            built = [(k.SHARED_JUZ, self.buttons[0]), (k.SHARED_DALEJ, self.buttons[1])]
        else:
            built = [(contact, self.buttons[contact]) for contact in range(8)]
        built.append((k.SEDZIA, self.sedzia))
        if kostka:
            built.append((k.KOSTKA, self.kostka))
        return built


def pins(machine: str) -> Pins:
    """Those of the board whose `sys.implementation._machine` this is; ValueError for a chip without a map."""
    chip = machine.rpartition(" with ")[2].replace("-", "")
    if chip.startswith("ESP32S3"):
        return Pins(_ESP32_S3_BUTTONS, 21, 10, (), (8, 9, 14, 13), 1)
    if chip == "ESP32" or chip.startswith("ESP32PICO"):
        return Pins(_ESP32_BUTTONS, 19, 34, (34,), (21, 22, 18, 4), 35)
    raise ValueError(f"no pin map for {machine}")
