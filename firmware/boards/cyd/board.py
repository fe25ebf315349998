"""Which pin is what on an ESP32-2432S028, the "cheap yellow display". Numbers only.

Free are three pins (its schematic; PINS.md of witnessmenow/ESP32-Cheap-Yellow-Display, read 2026-11-28): IO22 and IO27,
on which the two arcade buttons close to ground, and IO35, which has no pull-up and stays empty. The touch glass pulls
IO36 low while somebody touches it. Nobody has tried this on a board yet.
"""

from moveclock import facts as k


class Pins:
    """`buttons`: Już and Dalej; `touched`: low while the glass is; `touch`: clock, in, out and select of its chip."""

    def __init__(self) -> None:
        self.buttons = (22, 27)
        self.touched = 36
        self.touch = (25, 32, 39, 33)
        self.screen = (14, 13, 12, 15, 2)  # clock, out, in, select, data
        self.lamps = 21  # the light behind the screen
        self.buzzer = 26  # by way of the amplifier

    def contacts(self) -> list[tuple[int, int]]:
        """`(contact of moveclock.facts, pin)`: those that are pins."""
        return [(k.SHARED_JUZ, self.buttons[0]), (k.SHARED_DALEJ, self.buttons[1])]


def pins(machine: str) -> Pins:
    """Those of this board; ValueError if its chip is not the one that is on it."""
    if machine.rpartition(" with ")[2] != "ESP32":
        raise ValueError(f"no pin map for {machine}")
    return Pins()
