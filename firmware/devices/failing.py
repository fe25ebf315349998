"""The last thing that a firmware does which could not start, or could not go on: its code on every display."""

from machine import I2C, Pin

from board import pins
from devices.display import Displays
from devices.stalls import Stalls
from moveclock import facts as k


def show(machine: str) -> None:
    """Show the code on the board that calls itself `machine`; ValueError if nobody knows where its displays are."""
    board = pins(machine)
    bus = I2C(0, sda=Pin(board.sda), scl=Pin(board.scl), freq=100000)
    Displays(bus, Stalls()).show_all(f"E {k.E_START}")
