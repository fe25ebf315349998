"""What a multimeter should find on a carrier, and between which holes: before anything is powered, and the first time.

Nobody has measured one yet; the figures are the circuit's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from hardware.circuit.carrier import End, end, spots
from hardware.circuit.netlist import Netlist

RAIL: Final = "4.9 – 5.2 V"  # of the converter
BOARD: Final = "4.6 – 5.2 V"  # the same behind a Schottky diode that hardly has to carry anything
DIODE: Final = "0.1 – 0.4 V"  # of a Schottky diode at the 0.5 to 1 mA of a multimeter
HALF: Final = "1.5 – 2.1 V"  # of a lithium cell's voltage, 3 to 4.2 V


class Check(NamedTuple):
    """Between two ends; `what` is there, as the netlist calls it; `expect` is `∞` for no contact."""

    plus: End
    minus: End
    what: str
    expect: str


def unpowered(box: Netlist) -> list[Check]:
    """With the development board, the level shifter and the buffer out of their sockets, and no plug in."""
    at = _At(box)
    found = [
        at.check(("J11", "+5V"), ("J11", "GND"), "∞"),
        at.check(("U1", "3V3"), ("U1", "GND"), "∞"),
        at.check(("J11", "BATTERY"), ("J11", "GND"), "200 kΩ"),
        at.check(("D1", "A"), ("U1", "5V"), DIODE),
        at.check(("U1", "5V"), ("D1", "A"), "∞"),
    ]
    return found + [at.check(lead, pin, "1 kΩ") for lead, pin in _contacts(box)]


def powered(box: Netlist) -> list[Check]:
    """The first 5 V, with the same three still out: plus and ground where they, lamps and displays take theirs."""
    at = _At(box)
    found = [
        at.check(("J11", "+5V"), ("J11", "GND"), RAIL),
        at.check(("U1", "5V"), ("U1", "GND"), BOARD),
        at.check(("U2", "VCC"), ("U2", "GND"), RAIL),
        at.check(("U3", "HV"), ("U3", "GND"), RAIL),
    ]
    battery = next(pin.name for pin in box.by_ref["U1"].pins if pin.net == "BATTERY_HALF")
    found.append(at.check(("U1", battery), ("U1", "GND"), HALF))
    plugs = [part for part in box.of_kind("connector") if "+5V" in part.nets and part.ref != "J11"]
    return found + [at.check((plug.ref, "+5V"), (plug.ref, "GND"), RAIL) for plug in plugs]


class _At:
    """Where pins are, by their parts and names."""

    def __init__(self, box: Netlist) -> None:
        self._box = box
        self._placed = spots(box)

    def check(self, plus: tuple[str, str], minus: tuple[str, str], expect: str) -> Check:
        """Between two pins; of several with the second one's name, the nearest to the first."""
        first = self._ends(*plus)[0]
        last = min(self._ends(*minus), key=lambda other: _far(first, other))
        what = [f"{ref} {name.removeprefix('GPIO')}" for ref, name in (plus, minus)]
        return Check(first, last, " – ".join(what), expect)

    def _ends(self, ref: str, name: str) -> list[End]:
        return [end(self._box, pin, self._placed) for pin in self._box.by_ref[ref].pins if pin.name == name]


def _far(one: End, other: End) -> int:
    """How hard it is to find: in the same row of pins is easiest."""
    return abs(one.hole.row - other.hole.row) + 3 * abs(one.hole.column - other.hole.column)


def _contacts(box: Netlist) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Each contact's pole and the chip's pin behind its resistor."""
    chip = {pin.net: pin.name for pin in box.by_ref["U1"].pins if pin.name.startswith("GPIO") and pin.net}
    for plug in box.of_kind("connector"):
        for pole in plug.pins:
            for resistor in box.on(pole.net, "resistor-1k") if pole.net.endswith("_LEAD") else ():
                yield (plug.ref, pole.name), ("U1", chip[resistor.across(pole.net)])
