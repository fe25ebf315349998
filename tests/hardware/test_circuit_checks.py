"""What a multimeter should find between two holes is what the circuit has between them."""

from __future__ import annotations

from itertools import pairwise

from hardware.circuit import checks
from hardware.circuit.carrier import spots
from hardware.circuit.checks import Check, powered, unpowered
from hardware.circuit.netlist import Netlist, netlist
from hardware.circuit.values import amount
from tests.hardware.boxes import each_box

box = each_box()


def nets(box: Netlist, check: Check) -> tuple[str, str]:
    """What the two holes of a check are on."""
    at = {hole: box.by_ref[spot.ref].net(number) for spot in spots(box).values() for number, hole in spot.holes.items()}
    return at[check.plus.hole], at[check.minus.hole]


def ohms(box: Netlist, one: str, other: str) -> float:
    """Of the resistors between two nets, in a row of two at most; infinite without any."""
    for first in box.on(one, "resistor"):
        middle = first.across(one)
        for second in [None] if middle == other else box.between(middle, other, "resistor"):
            return amount(first.value) + (amount(second.value) if second else 0)
    return float("inf")


def test_resistances_are_those_between_the_holes(box: Netlist) -> None:
    contacts = 0
    for check in unpowered(box):
        plus, minus = nets(box, check)
        if check.expect.endswith("kΩ"):
            assert ohms(box, plus, minus) == amount(check.expect), check.what
            contacts += check.expect == "1 kΩ"
        else:
            assert plus != minus, check.what
    assert contacts == len(list(box.of_kind("button", "kostka-switch")))


def test_the_diode_is_measured_both_ways(box: Netlist) -> None:
    diode = [check for check in unpowered(box) if "D1" in check.what]
    assert [nets(box, check) for check in diode] == [("+5V", "+5V_BOARD"), ("+5V_BOARD", "+5V")]
    assert [check.expect for check in diode] == [checks.DIODE, "∞"]


def test_volts_are_those_of_the_rails(box: Netlist) -> None:
    rails = {checks.RAIL: "+5V", checks.BOARD: "+5V_BOARD", checks.HALF: "BATTERY_HALF"}
    found = powered(box)
    for check in found:
        assert nets(box, check) == (rails[check.expect], "GND"), check.what
    fed = {part.ref for part in box.of_kind("connector", "devkit", "buffer", "level-shifter") if "GND" in part.nets}
    assert {check.plus.ref for check in found} == fed - {"J10"}


def test_a_pin_that_is_wired_elsewhere_is_found() -> None:
    whole = netlist("full", "esp32")
    broken = whole.rewired("R11", "2", "JUZ_B")
    first = next(check for check in unpowered(whole) if check.expect == "1 kΩ")
    assert ohms(whole, *nets(whole, first)) == 1000
    assert ohms(broken, *nets(broken, first)) == float("inf")


def test_no_two_poles_beside_each_other_are_the_same_net(box: Netlist) -> None:
    """So a beep between neighbours is always a fault."""
    for plug in box.of_kind("connector"):
        assert all(one.net != other.net for one, other in pairwise(plug.pins)), plug.ref


def test_the_holes_of_a_full_box_are_those_of_the_guide() -> None:
    said = {f"{check.plus.named}-{check.minus.named}" for check in unpowered(netlist("full", "esp32"))}
    assert {"B26-B27", "I12-I25", "B28-B27", "D30-I30", "B11-I18"} <= said
