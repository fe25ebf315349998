"""Rules on the cell, its charger and the rails."""

from __future__ import annotations

from typing import Final

from hardware.circuit.netlist import Netlist
from hardware.circuit.values import amount

RESERVE: Final = 470e-6  # farad that help flash to finish what it writes (facts.md 8.4)
_FEEDS: Final = {  # pins that must be fed, by their names
    "GND": "GND", "VCC": "+5V", "5V": "+5V", "HV": "+5V", "LV": "+3V3", "BAT+": "BATTERY",
}  # fmt: skip


def every_part_is_supplied(box: Netlist) -> list[str]:
    """Each pin that takes power is on the rail of its name; the board's own is behind the diode."""
    found = []
    for part in box.parts:
        for pin in part.pins:
            wanted = "+5V_BOARD" if (part.kind, pin.name) == ("devkit", "5V") else _FEEDS.get(pin.name)
            if pin.func == "PWRIN" and pin.net != wanted:
                found.append(f"{part.ref} {pin.name} is on {pin.net or 'nothing'}, not on {wanted}")
    return found


def usb_and_converter_do_not_feed_each_other(box: Netlist) -> list[str]:
    """Between the 5 V rail and the board, which a cable feeds too, is a Schottky diode that lets current in alone."""
    diodes = [part for part in box.of_kind("schottky") if (part.net("A"), part.net("K")) == ("+5V", "+5V_BOARD")]
    found = [] if diodes else ["no diode leads from +5V to +5V_BOARD"]
    behind = ("devkit", "capacitor-1000u", "capacitor-470u", "capacitor-100n")
    return found + [
        f"{part.ref} is on +5V_BOARD, beside the diode"
        for part in box.on("+5V_BOARD")
        if part not in diodes and part.kind not in behind
    ]


def the_cell_is_protected(box: Netlist) -> list[str]:
    """The cell is on the charger alone, by a fuse; its minus not on ground; only the divider is on its plus, too."""
    found = []
    if {part.kind for part in box.on("BATTERY_MINUS")} != {"battery-plug", "charger"}:
        found.append("the cell's minus goes elsewhere than to the charger")
    if "GND" in [part.net("-") for part in box.of_kind("battery", "pack-plug")]:
        found.append("the cell's minus is on GND, past the charger's protection")
    if {part.kind for part in box.on("CELL")} != {"battery-plug", "fuse"} or not box.between("CELL", "BATTERY", "fuse"):
        found.append("no fuse stands between the cell and all else")
    if any(charger.net("OUT-") != "GND" for charger in box.of_kind("charger")):
        found.append("the charger's output does not return to it")
    allowed = ("fuse", "charger", "connector-3", "resistor-100k")
    found += [f"{part.ref} is on the cell itself" for part in box.on("BATTERY") if part.kind not in allowed]
    switch = box.by_ref["SW1"]
    if {switch.net("1"), switch.net("2")} != {"+5V_CHARGER", "+5V"}:
        found.append("the switch does not stand between charger and box")
    if {part.kind for part in box.on("+5V_CHARGER")} != {"charger", "switch"}:
        found.append("something goes past the switch")
    return found


def nothing_is_soldered_to_the_pack(box: Netlist) -> list[str]:
    """On the pack's leads is its own half of a plug and nothing else; the other half fits it, plus at the fuse."""
    pack = box.by_ref["BT1"]
    found = []
    for pin in pack.pins:
        others = [part for part in box.on(pin.net) if part.ref != pack.ref]
        if [part.fields.get("comes_with") for part in others] != [pack.ref]:
            found.append(f"BT1 {pin.name} is on {', '.join(part.ref for part in others) or 'nothing'}")
    for half in box.of_kind("pack-plug"):
        fitting = [part for part in box.of_kind("battery-plug") if part.fields["mates"] == half.ref]
        if len(fitting) != 1:
            found.append(f"{half.ref} meets no half that fits")
        elif (half.nets, fitting[0].net("+")) != (pack.nets, "CELL"):
            found.append(f"plus and minus are exchanged at {half.ref} or {fitting[0].ref}")
    return found


def a_brown_out_is_bridged(box: Netlist) -> list[str]:
    """A reserve behind the diode, for the board alone, and one for the ring on the carrier (facts.md 8.4)."""
    found = []
    board = sum(amount(part.value) for part in box.between("+5V_BOARD", "GND", "capacitor"))
    if board < RESERVE:
        found.append(f"the board's reserve is {1e6 * board:.0f} µF")
    ring = [part for part in box.between("+5V", "GND", "capacitor") if part.place == "carrier"]
    if sum(amount(part.value) for part in ring) < RESERVE:
        found.append("the ring has no reserve")
    return found


def electrolytics_are_the_right_way_round(box: Netlist) -> list[str]:
    """Plus on a rail, minus on ground."""
    return [
        f"{part.ref} is the wrong way round"
        for part in box.of_kind("capacitor-470u", "capacitor-1000u")
        if part.net("-") != "GND" or not part.net("+").startswith("+")
    ]


def chips_have_their_capacitor(box: Netlist) -> list[str]:
    """100 nF beside each bare chip, across its supply."""
    spare = [part for part in box.between("+5V", "GND", "capacitor-100n") if part.place == "carrier"]
    chips = list(box.of_kind("buffer"))
    return [f"{chip.ref} has no capacitor" for chip in chips[len(spare) :]]
