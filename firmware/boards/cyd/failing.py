"""The last thing that a firmware does which could not start, or could not go on: its code on the screen."""

from devices.waking import screen

from board import pins
from devices.screen import Time
from moveclock import facts as k


def show(machine: str) -> None:
    """Show the code on the board that calls itself `machine`; ValueError if nobody knows where its screen is."""
    Time(screen(pins(machine))).show_all(f"E {k.E_START}")
