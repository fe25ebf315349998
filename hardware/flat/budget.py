"""What the flat box's 5 V have to bear, as sums of its parts' values: the figures on the schematic's first page.

Currents of chip, displays, lamps and buzzer are those of `currents`. Nobody has measured a box: what the sums
begin with has its source beside it, and is a data sheet's typical value where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Final, NamedTuple

from hardware.flat import currents
from hardware.flat.circuit import Circuit, Part, circuit

VOLTS: Final = 5.0
LOW_VOLTS: Final = 3.3
PORT_A: Final = (0.5, 1.5, 3.0)
"""USB-IF, "USB Type-C Specification", a source's currents: a USB 2.0 port as it is, and the two higher ones."""
FUSE_A: Final = (1.5, 3.0)
"""Littelfuse, "1812L", 1812L150 at 20 °C: the most that it holds, the least that trips it."""
PLUGGED_F: Final = 10e-6
"""USB-IF, "USB 2.0 Specification", 7.2.4.1: the most that may be on VBUS as it is plugged."""
REGULATOR_A: Final = 1.0  # Texas Instruments, TLV1117LV33, output current
THRESHOLD_V: Final = 0.9  # Alpha & Omega, AO3401A: of the gate, typical
OPEN_V: Final = 2.5  # the same: the least gate voltage for which it says a resistance
SLOPE: Final = (17.0, 4.0)  # the same: forward transconductance in siemens, and the current at which, in amperes
_PREFIX: Final = {"k": 1e3, "m": 1e-3, "µ": 1e-6, "n": 1e-9}


class Start(NamedTuple):
    """Of the slow start: seconds from the plug until Q1 begins to lead, then those in which it fills what is behind it,
    and the most amperes meanwhile; seconds from the plug until it is open.
    """

    begins: float
    fills: float
    most: float
    opened: float


def size(part: Part) -> float:
    """Ohms or farads; ValueError for a part that has neither."""
    number, _, unit = part.kind.value.partition(" ")
    if unit[-1:] not in ("Ω", "F"):
        raise ValueError(f"{part.ref} is no resistor and no capacitor: {part.kind.value}")
    return float(number) * _PREFIX.get(unit[:-1], 1)


def capacitance(nets: Iterable[str], box: Circuit | None = None) -> float:
    """Farads of all capacitors from these nets to a ground, a display's own one or the box's."""
    found = {part.ref: part for net in nets for part in (box or circuit()).on(net, "capacitor")}
    return sum(size(part) for part in found.values() if any(net.endswith("GND") for net in part.nets))


def behind(box: Circuit | None = None) -> float:
    """Farads that Q1 fills to 5 V; those behind the regulator count for what they hold at their 3.3 V."""
    of_box = box or circuit()
    rails = {"+5V", *(net for net in of_box.nets if net.endswith("_5V") and len(net) == len("A_5V"))}
    return capacitance(rails, of_box) + capacitance(("+3V3",), of_box) * LOW_VOLTS / VOLTS


def start(box: Circuit | None = None) -> Start:
    """How slow it is, with nothing switched on yet.

    C2 is empty, so the gate stands at 5 V and falls through R3: source to gate there are V(t) = 5 V (1 - exp(-t / RC)).
    Beyond the threshold V0, at t0 = RC ln(5 V / (5 V - V0)), Q1 leads k/2 (V - V0)^2 as any MOSFET that is not open
    yet; the data sheet's slope g at a current I is k = g^2 / 2I. From t0 on V - V0 rises by s = (5 V - V0) / RC, so a
    charge Q has gone through after T = (6 Q / k s^2)^(1/3), and at its end the current is k/2 (s T)^2 = 3 Q / T.
    """
    of_box = box or circuit()
    delay = size(of_box.by_ref["R3"]) * size(of_box.by_ref["C2"])
    gain = SLOPE[0] ** 2 / (2 * SLOPE[1])
    rise = (VOLTS - THRESHOLD_V) / delay
    charge = behind(of_box) * VOLTS
    fills = (6 * charge / (gain * rise**2)) ** (1 / 3)
    return Start(
        begins=delay * log(VOLTS / (VOLTS - THRESHOLD_V)),
        fills=fills,
        most=3 * charge / fills,
        opened=delay * log(VOLTS / (VOLTS - OPEN_V)),
    )


def game() -> float:
    """Amperes at 5 V while a game runs, typical mean."""
    return sum(currents.taken("running", "typical")) / 1000


def most() -> float:
    """Amperes at 5 V at any moment, every figure at its worst."""
    return currents.peak("worst") / 1000


def halved(box: Circuit | None = None) -> float:
    """Volts that the chip reads of 5 V."""
    upper, lower = (size((box or circuit()).by_ref[ref]) for ref in ("R7", "R8"))
    return VOLTS * lower / (upper + lower)


def module() -> tuple[float, float]:
    """Amperes at 3.3 V: typical, and at worst while it sends."""
    return currents.CHIP.typical / 1000, currents.CHIP_PEAK.worst / 1000


def warmth() -> tuple[float, float]:
    """Watts in the regulator at the same two: it lets the difference fall."""
    low, high = module()
    return (VOLTS - LOW_VOLTS) * low, (VOLTS - LOW_VOLTS) * high
