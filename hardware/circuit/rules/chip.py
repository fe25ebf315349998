"""Rules on the chip's pins."""

from __future__ import annotations

from typing import Final

from hardware.circuit.box import SIDES
from hardware.circuit.devkits import DEVKITS, divider, firmware_pins
from hardware.circuit.netlist import Netlist, Part, is_supply
from hardware.circuit.values import amount
from moveclock import facts as k

LOGIC: Final = 3.3  # volts
USB: Final = 5.25  # the most that the 5 V rail may have
CELL: Final = 4.25  # volts of a full lithium cell, and a charger's tolerance
LINEAR: Final = 2.45  # volts up to which the converter is linear (facts.md 8.1)
MOST: Final = 0.040  # ampere a pin may give or take (facts.md 8.1)
MODULE: Final = 10_000  # ohm that a display's module and a level shifter pull each line up with


def _devkit(box: Netlist) -> Part:
    return box.by_ref["U1"]


def _gpios(box: Netlist) -> dict[int, str]:
    """Pins that are wired, and to which net."""
    return {int(pin.name[4:]): pin.net for pin in _devkit(box).pins if pin.name.startswith("GPIO") and pin.net}


def _contacts(box: Netlist) -> dict[int, int]:
    """The firmware's contacts of this build, and their pins."""
    return dict(firmware_pins(DEVKITS[box.chip]).contacts(box.kostka, box.build == "small"))


def pins_are_those_of_the_firmware(box: Netlist) -> list[str]:
    """Each pin that the firmware uses is wired, and no other."""
    pins = firmware_pins(DEVKITS[box.chip])
    used = {*_contacts(box).values(), pins.sda, pins.scl, pins.lamps, pins.buzzer, pins.battery}
    wired = set(_gpios(box))
    return [f"GPIO{pin} is not wired" for pin in sorted(used - wired)] + [
        f"GPIO{pin} is wired, and the firmware does not know it" for pin in sorted(wired - used)
    ]


def contacts_reach_their_buttons(box: Netlist) -> list[str]:
    """Behind each contact's pin and resistor is that button to ground, on that side; outputs go to what they drive."""
    gpios = _gpios(box)
    found = []
    for contact, pin in sorted(_contacts(box).items()):
        kind, place = _button(contact)
        reached = {
            (button.kind, button.place)
            for resistor in box.on(gpios.get(pin, "?"), "resistor-1k")
            for button in box.on(resistor.across(gpios[pin]), "button", "kostka-switch")
        }
        if reached != {(kind, place)}:
            found.append(f"GPIO{pin} reaches {sorted(reached)}, not one {kind} at {place}")
    found += [
        f"{part.ref} does not close to ground"
        for part in box.of_kind("button", "kostka-switch")
        if "GND" not in part.nets
    ]
    pins = firmware_pins(DEVKITS[box.chip])
    for pin, kind in (
        (pins.lamps, "buffer"),
        (pins.buzzer, "resistor-330"),
        (pins.sda, "level-shifter"),
        (pins.scl, "level-shifter"),
        (pins.battery, "resistor-100k"),
    ):
        if not list(box.on(gpios.get(pin, "?"), kind)):
            found.append(f"GPIO{pin} does not reach its {kind}")
    return found


def _button(contact: int) -> tuple[str, str]:
    named = {
        k.SEDZIA: ("button-red", "top"),
        k.KOSTKA: ("kostka-switch", "tray"),
        k.SHARED_JUZ: ("button-green", "side A"),
        k.SHARED_DALEJ: ("button-amber", "side A"),
    }
    if contact in named:
        return named[contact]
    return ("button-amber" if contact % 2 else "button-green"), f"side {SIDES[contact // 2]}"


def inputs_are_free_pins(box: Netlist) -> list[str]:
    """No strapping pin, and none of flash, USB or the loader's port, is used for anything (facts.md 8.1)."""
    devkit = DEVKITS[box.chip]
    return [
        f"GPIO{pin} is a {'strapping pin' if pin in devkit.strapping else 'pin of flash, USB or the loader'}"
        for pin in sorted(_gpios(box))
        if pin in devkit.strapping | devkit.taken
    ]


def bare_inputs_have_a_pull_up(box: Netlist) -> list[str]:
    """10 kOhm to 3.3 V where the chip has no pull-up of its own; the firmware knows the same pins (facts.md 8.1)."""
    devkit = DEVKITS[box.chip]
    gpios = _gpios(box)
    bare = set(firmware_pins(devkit).bare)
    contacts = set(_contacts(box).values())
    found = [f"GPIO{pin} has no pull-up, and the firmware does not know" for pin in contacts & devkit.input_only - bare]
    found += [
        f"GPIO{pin} has no pull-up"
        for pin in sorted(contacts & (bare | devkit.input_only))
        if not box.between(gpios.get(pin, "?"), "+3V3", "resistor-10k")
    ]
    outputs = {net for pin in _devkit(box).pins if (net := pin.net) and pin.func == "OUTPUT"}
    return found + [f"GPIO{pin} cannot drive {gpios[pin]}" for pin in devkit.input_only if gpios.get(pin) in outputs]


def nothing_at_5_v_reaches_the_chip(box: Netlist) -> list[str]:
    """On a net of the chip's pin are resistors, capacitors, the buffer's inputs and the shifter's low side, no more."""
    found = []
    for gpio, net in sorted(_gpios(box).items()):
        for pin in box.nets[net]:
            part = box.by_ref[pin.ref]
            passive = part.kind.startswith(("resistor", "capacitor"))
            gate = part.kind == "buffer" and pin.name.endswith("A")
            low = part.kind == "level-shifter" and pin.name.startswith("LV")
            if not (passive or gate or low or part.ref == "U1"):
                found.append(f"{pin.ref} {pin.name} is on GPIO{gpio} itself")
            if part.kind.startswith("resistor") and part.across(net).startswith("+5V"):
                found.append(f"{pin.ref} pulls GPIO{gpio} to {part.across(net)}")
    shifter = box.by_ref["U3"]
    if (shifter.net("LV"), shifter.net("HV")) != ("+3V3", "+5V"):
        found.append(f"U3 shifts between {shifter.net('LV')} and {shifter.net('HV')}")
    return found


def outputs_give_less_than_40_ma(box: Netlist) -> list[str]:
    """What each driven pin gives or takes at the worst, by its resistors (facts.md 8.1)."""
    pins = firmware_pins(DEVKITS[box.chip])
    gpios = _gpios(box)
    return [
        f"GPIO{pin} gives {1000 * current:.0f} mA"
        for pin in (pins.lamps, pins.buzzer, pins.sda, pins.scl)
        if (current := worst_current(box, gpios.get(pin, "?"))) >= MOST
    ]


def worst_current(box: Netlist, net: str) -> float:
    """Ampere through a pin on this net, if each resistor there had all of its supply across it, the shifter's too."""
    current = 0.0
    for part in box.on(net):
        if part.kind.startswith("resistor"):
            current += LOGIC / amount(part.value)
        elif part.kind == "level-shifter":
            current += LOGIC / MODULE + USB / MODULE + USB * len(list(box.of_kind("display"))) / MODULE
        elif part.kind in ("transistor", "buzzer", "switch"):
            return float("inf")
    return current


def battery_is_halved_on_adc1(box: Netlist) -> list[str]:
    """Two resistors and a capacitor at a pin of ADC1, so that a full cell stays where it is linear (facts.md 8.1)."""
    devkit = DEVKITS[box.chip]
    pin = firmware_pins(devkit).battery
    net = _gpios(box).get(pin, "?")
    found = [] if pin in devkit.adc1 else [f"GPIO{pin} is not on ADC1"]
    upper, lower = box.between(net, "BATTERY", "resistor"), box.between(net, "GND", "resistor")
    if len(upper) != 1 or len(lower) != 1:
        return [*found, f"GPIO{pin} has no divider"]
    ratio = 1 + amount(upper[0].value) / amount(lower[0].value)
    if abs(ratio - divider()) > 0.01:
        found.append(f"the divider is {ratio:.2f}, for the firmware {divider()}")
    if CELL / ratio > LINEAR:
        found.append(f"a full cell is {CELL / ratio:.2f} V at GPIO{pin}")
    if not box.between(net, "GND", "capacitor-100n"):
        found.append(f"GPIO{pin} has no capacitor")
    if is_supply(net):
        found.append(f"GPIO{pin} is on {net} itself")
    return found
