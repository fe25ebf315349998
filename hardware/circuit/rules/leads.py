"""Rules on what leaves the carrier, and on the bus and the buzzer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hardware.circuit.box import ADDRESS, SIDES
from hardware.circuit.netlist import Netlist, Part, Pin, is_supply


def _poles(box: Netlist) -> Iterator[tuple[Part, Pin]]:
    return ((plug, pin) for plug in box.of_kind("connector") for pin in plug.pins)


def every_lead_is_protected(box: Netlist) -> list[str]:
    """1 kOhm and 100 nF at each contact's plug; no wire leads from a plug straight to a chip (facts.md 8.2)."""
    found = []
    for plug, pin in _poles(box):
        if is_supply(pin.net):
            continue
        found += [
            f"{plug.ref} {pin.name} is on {other.ref} {other.name} itself"
            for other in box.nets[pin.net]
            if box.by_ref[other.ref].kind in ("devkit", "buffer", "transistor")
        ]
        if list(box.on(pin.net, "button", "kostka-switch")):
            if not box.between(pin.net, "GND", "capacitor-100n"):
                found.append(f"{plug.ref} {pin.name} has no 100 nF")
            if len(list(box.on(pin.net, "resistor-1k"))) != 1:
                found.append(f"{plug.ref} {pin.name} has no 1 kΩ")
    return found


def everything_outside_has_a_plug(box: Netlist) -> list[str]:
    """A net that joins a place with another passes a plug whose lead goes there."""
    plugged: defaultdict[str, set[str]] = defaultdict(set)
    for plug, pin in _poles(box):
        plugged[place_of(plug)].add(pin.net)
    found = []
    for net, pins in box.nets.items():
        places = {part.place for pin in pins if not (part := box.by_ref[pin.ref]).kind.startswith("connector")}
        if len(places) > 1:
            found += [
                f"{net} has no plug for {place}" for place in sorted(places - {"carrier"}) if net not in plugged[place]
            ]
    return found


def place_of(plug: Part) -> str:
    """Where the lead of a plug on the carrier goes."""
    lead = str(plug.fields["lead"])
    named = {"power": "battery bay", "kostka": "tray", "buttons": "side A", "top": "top"}
    return named.get(lead) or f"side {lead[-1]}"


def plugs_that_fit_carry_the_same(box: Netlist) -> list[str]:
    """Plugs with as many poles have the same at each pole, so that a wrong one does no harm."""
    poles: defaultdict[int, set[tuple[str, ...]]] = defaultdict(set)
    for plug in box.of_kind("connector"):
        poles[len(plug.pins)].add(tuple(pin.name for pin in plug.pins))
    return [f"plugs with {count} poles differ" for count, named in sorted(poles.items()) if len(named) > 1]


def poles_are_what_they_are_called(box: Netlist) -> list[str]:
    """A pole of a supply is on that supply, one of a button on its lead, one of the chain at the lamp that it names."""
    return [f"{plug.ref} {pin.name} is on {pin.net}" for plug, pin in _poles(box) if not _fits(box, plug, pin)]


def _fits(box: Netlist, plug: Part, pin: Pin) -> bool:
    lamp, _, way = pin.name.rpartition(" ")
    if way in ("IN", "OUT"):
        there = [part for part in box.of_kind("ring", "pixel") if part.place == place_of(plug)]
        named = [part for part in there if lamp in ("", part.fields["lights"])]
        return pin.net in [part.net(f"D{way}") for part in named]
    if pin.name in ("SDA", "SCL"):
        return pin.net == f"{pin.name}_5V"
    return pin.net == pin.name if is_supply(pin.name) else pin.net.startswith(pin.name) and pin.net.endswith("_LEAD")


def every_net_joins_two_pins(box: Netlist) -> list[str]:
    """No net ends nowhere."""
    return [f"{name} has one pin, {pins[0].ref} {pins[0].name}" for name, pins in box.nets.items() if len(pins) < 2]


def every_display_has_its_own_address(box: Netlist) -> list[str]:
    """0x70 and the seat's place, as firmware/devices/display.py asks."""
    wanted = [(f"side {side}", f"0x{ADDRESS + place:02X}") for place, side in enumerate(SIDES)]
    there = sorted((display.place, display.fields["address"]) for display in box.of_kind("display"))
    return [] if there == wanted else [f"displays are {there}"]


def the_bus_is_shifted_and_pulled_up(box: Netlist) -> list[str]:
    """SDA and SCL pass one channel each of the shifter, and have 4.7 kOhm to 3.3 V; displays are on its high side."""
    shifter = box.by_ref["U3"]
    found = []
    for line in ("SDA", "SCL"):
        channels = [number for number in "1234" if shifter.net(f"LV{number}") == line]
        if [shifter.net(f"HV{number}") for number in channels] != [f"{line}_5V"]:
            found.append(f"{line} does not pass the shifter")
        if len(box.between(line, "+3V3", "resistor-4k7")) != 1:
            found.append(f"{line} has no pull-up")
        found += [
            f"{part.ref} {line} is on {part.net(line)}"
            for part in box.of_kind("display", "connector-4")
            if part.net(line) != f"{line}_5V"
        ]
    return found


def the_buzzer_is_switched(box: Netlist) -> list[str]:
    """By a transistor at 5 V that is off while its pin is open, with a diode for what the coil gives back."""
    transistor, buzzer = box.by_ref["Q1"], box.by_ref["LS1"]
    low, base = transistor.net("C"), transistor.net("B")
    found = []
    if transistor.net("E") != "GND" or set(buzzer.nets) != {"+5V", low}:
        found.append("the transistor does not stand between buzzer and ground")
    if not box.between("BUZZER", base, "resistor-330"):
        found.append("no 330 Ω between pin and transistor")
    if not box.between(base, "GND", "resistor-10k"):
        found.append("the transistor's base is open while the chip starts")
    if not [part for part in box.of_kind("flyback-diode") if (part.net("K"), part.net("A")) == ("+5V", low)]:
        found.append("no diode across the buzzer")
    if not box.between("+5V", low, "resistor-1k"):
        found.append("a piezo would not discharge")
    return found
