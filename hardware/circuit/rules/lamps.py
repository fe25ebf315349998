"""Rules on the chain of lamps, and on the buffer that drives it."""

from __future__ import annotations

from hardware.circuit.box import SIDES
from hardware.circuit.netlist import Netlist, Part
from moveclock.view import RING


def wanted(box: Netlist) -> list[tuple[str, str]]:
    """`(what it lights, place)` of ring and pixels in the order of firmware/devices/lamps.py."""
    if box.build == "small":
        buttons = [("JUZ", "side A"), ("DALEJ", "side A")]
    else:
        buttons = [(f"{button}_{side}", f"side {side}") for side in SIDES for button in ("JUZ", "DALEJ")]
    return [("RING", "top"), *buttons, ("SEDZIA", "top")]


def chained(box: Netlist) -> list[Part]:
    """Ring and pixels in the order in which data runs through them, from the resistor on."""
    found: list[Part] = []
    net = "LAMPS_5V"
    while net:
        following = [part for part in box.of_kind("ring", "pixel") if part.net("DIN") == net and part not in found]
        if len(following) != 1:
            break
        found.append(following[0])
        net = following[0].net("DOUT")
    return found


def the_chain_is_that_of_the_firmware(box: Netlist) -> list[str]:
    """Ring, then Już and Dalej of A, B, C, D, then Sędzia; as many pixels as the firmware drives; none beside it."""
    chain = chained(box)
    found = []
    order = [(part.fields["lights"], part.place) for part in chain]
    if order != wanted(box):
        found.append(f"the order is {order}")
    pixels = sum(int(part.fields["pixels"]) for part in chain)
    if pixels != RING + len(wanted(box)) - 1:
        found.append(f"there are {pixels} pixels")
    found += [f"{part.ref} is not in the chain" for part in box.of_kind("ring", "pixel") if part not in chain]
    for part in chain:
        if part.net("DOUT") and len([pin for pin in box.nets[part.net("DOUT")] if pin.func == "OUTPUT"]) > 1:
            found.append(f"{part.ref} DOUT meets another output")
    return found


def data_is_shifted_to_5_v(box: Netlist) -> list[str]:
    """An enabled gate of the 74AHCT125 at 5 V and 330 Ohm stand between chip and chain (facts.md 8.2)."""
    buffer = box.by_ref["U2"]
    found = []
    gates = [number for number in "1234" if buffer.net(f"{number}A") == "LAMPS"]
    if len(gates) != 1 or buffer.net("VCC") != "+5V":
        return ["the lamps' data passes no gate at 5 V"]
    if buffer.net(f"{gates[0]}OE") != "GND":
        found.append("the gate is not enabled")
    if not box.between(buffer.net(f"{gates[0]}Y"), "LAMPS_5V", "resistor-330"):
        found.append("no 330 Ω between gate and chain")
    if not box.between("LAMPS", "GND", "resistor-10k"):
        found.append("the gate's input is open while the chip starts")
    return found


def spare_gates_are_tied(box: Netlist) -> list[str]:
    """Inputs of the gates that do nothing are on a rail, and their outputs on nothing."""
    found = []
    for pin in box.by_ref["U2"].pins:
        working = box.by_ref["U2"].net(f"{pin.name[0]}A") == "LAMPS" if pin.name[0].isdigit() else True
        if not working and pin.func == "INPUT" and pin.net not in ("GND", "+5V"):
            found.append(f"U2 {pin.name} is open")
        if not working and pin.func == "OUTPUT" and pin.net:
            found.append(f"U2 {pin.name} drives {pin.net}")
    return found
