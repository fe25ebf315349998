"""The electrical rules that the flat box's circuit keeps: one function each, with what it rests on.

A rule takes a circuit and returns what is wrong with it, one sentence for each fault; nothing if all is well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from hardware.firmware import constants, divider, firmware_pins
from hardware.flat import budget
from hardware.flat.budget import capacitance, size
from hardware.flat.circuit import ADDRESS, BUTTONS, COLON_COM, DIGIT_COMS, MAIN, SEGMENTS, SIDES, Circuit, Part
from hardware.flat.parts import DISPLAY_POLES, SUPPLIED
from moveclock import facts as k
from moveclock.view import RING

Rule = Callable[[Circuit], list[str]]

STRAPPING: Final = frozenset((0, 3, 45, 46))  # read while the chip starts (ESP32-S3 Series Datasheet, "Boot Control")
USB: Final = {19: "USB_N", 20: "USB_P"}
TAKEN: Final = frozenset((*USB, 43, 44, *range(26, 38)))
"""Pins of USB, the loader's port, flash and PSRAM (the same, "Pin Overview")."""
ADC1: Final = range(1, 11)  # the converter that is free beside a radio
BOOT: Final = 0
LINEAR_V: Final = 2.9
"""ESP32-S3 Series Datasheet, "ADC Calibration Results": up to which its converter is told to be true at 12 dB."""
MOST_V: Final = 5.5  # USB-IF, "USB Type-C Specification", vSafe5V
PIN_A: Final = 0.040  # what a pin gives or takes (facts.md 8.1)
SINK_A: Final = 0.003  # NXP, UM10204, what everything on the bus must be able to pull down in standard mode
RISE_S: Final = 1e-6  # the same, from 30 to 70 % at 100 kHz
BUS_F: Final = 200e-12
"""Of the bus at 5 V: five chips of 10 pF (the same, Ci), two transistors of 27 pF, their plugs, 60 cm at 1.2 pF/cm."""
CHARGE_A: Final = budget.PORT_A[0]
RESERVE_F: Final = 470e-6  # that helps flash to finish what it writes when the plug is pulled (facts.md 8.4)
CC_OHM: Final = 5100  # USB-IF, "USB Type-C Specification": how a cable's end says that it takes power
CHAIN: Final = (*(f"RING_{place}" for place in range(RING)), *BUTTONS, "SEDZIA")


def _gpios(box: Circuit) -> dict[int, str]:
    """Pins of the chip that are wired, and to which net."""
    module = box.by_ref["U1"]
    names = (name for _, name, _ in module.kind.pins)
    return {
        int(name[2:]): net for name, net in zip(names, module.nets, strict=True) if name.startswith("IO") and net
    }  # fmt: skip


def _pins(box: Circuit, ref: str) -> Iterator[tuple[str, str, str]]:
    """Name, what it does, and net of each of a part's pins."""
    part = box.by_ref[ref]
    return ((name, does, net) for (_, name, does), net in zip(part.kind.pins, part.nets, strict=True))


def pins_are_the_firmwares(box: Circuit) -> list[str]:
    """Each pin that the firmware uses is wired, and no other but USB's and the boot button's."""
    pins = firmware_pins()
    used = {*pins.buttons, pins.sedzia, pins.kostka, pins.sda, pins.scl, pins.lamps, pins.buzzer, pins.battery}
    wired = set(_gpios(box)) - {*USB, BOOT}
    return [f"IO{pin} is not wired" for pin in sorted(used - wired)] + [
        f"IO{pin} is wired, and the firmware does not know it" for pin in sorted(wired - used)
    ]


def contacts_reach_their_keys(box: Circuit) -> list[str]:
    """Behind each contact's pin and 1 kOhm is its key to ground, S1 to S8 as the seats sit, S9 or the Kostka's plug;
    each output leads to what it drives.
    """
    gpios, pins = _gpios(box), firmware_pins()
    found = []
    for contact, pin in pins.contacts(True, False):
        wanted = {k.KOSTKA: "J6", k.SEDZIA: "S9"}.get(contact, f"S{contact + 1}")
        net = gpios.get(pin, "?")
        reached = {
            key.ref
            for resistor in box.on(net, "resistor-1k")
            for key in box.on(resistor.across(net), "key-socket", "kostka-plug")
        }
        if reached != {wanted}:
            found.append(f"IO{pin} reaches {sorted(reached)}, not {wanted}")
    found += [
        f"{key.ref} does not close to ground"
        for key in box.of_kind("key-socket", "kostka-plug")
        if key.net("2") != "GND"
    ]
    for pin, kind in (
        (pins.lamps, "buffer"), (pins.buzzer, "resistor-330"), (pins.sda, "mosfet-n"), (pins.scl, "mosfet-n"),
        (pins.battery, "resistor-100k"),
    ):  # fmt: skip
        if not list(box.on(gpios.get(pin, "?"), kind)):
            found.append(f"IO{pin} does not reach its {kind}")
    return found


def inputs_are_free_pins(box: Circuit) -> list[str]:
    """No strapping pin, and none of flash, USB or the loader's port, is used but for what it is."""
    own = {**USB, BOOT: "BOOT"}
    return [
        f"IO{pin} is a {'strapping pin' if pin in STRAPPING else 'pin of flash, USB or the loader'}"
        for pin, net in sorted(_gpios(box).items())
        if pin in STRAPPING | TAKEN and net != own.get(pin)
    ]


def the_chip_starts_by_itself(box: Circuit) -> list[str]:
    """EN rises slowly and stays up, and so does BOOT; a button leads each to ground (Espressif, "ESP32-S3 Hardware
    Design Guidelines", "Chip Power-up and Reset Timing").
    """
    found = [f"{net} has no pull-up of 10 kΩ" for net in ("EN", "BOOT") if not box.between(net, "+3V3", "resistor-10k")]
    found += [f"{net} has no button" for net in ("EN", "BOOT") if not box.between(net, "GND", "board-button")]
    if not box.between("EN", "GND", "capacitor-1u"):
        found.append("EN has no 1 µF")
    if (box.by_ref["U1"].net("EN"), _gpios(box).get(BOOT)) != ("EN", "BOOT"):
        found.append("the module's EN or IO0 is not on the net of its name")
    return found


def nothing_at_5_v_reaches_the_chip(box: Circuit) -> list[str]:
    """On a net of the chip's pin are resistors, capacitors, the buffer's input, the shifters' low side, no more; and
    the gates of the shifters are at 3.3 V.
    """
    found = []
    nets = {"EN": "EN", **{f"IO{pin}": net for pin, net in sorted(_gpios(box).items()) if pin not in USB}}
    halved = box.between("BATTERY_HALF", "GND", "resistor")
    for pin, net in nets.items():
        for part, number in box.nets.get(net, ()):
            low = (part.kind.name, number) in (("buffer", "2"), ("mosfet-n", "2"))
            if not (low or part.ref == "U1" or part.kind.name.startswith(("resistor", "capacitor", "board-button"))):
                found.append(f"{part.ref} pin {number} is on {pin} itself")
            fed = part.kind.name.startswith("resistor") and part.across(net) in ("+5V", "VBUS", "VBUS_FUSED")
            if fed and not (net == "BATTERY_HALF" and halved):
                found.append(f"{part.ref} pulls {pin} to {part.across(net)}")
    found += [f"{part.ref}'s gate is on {part.net('G')}" for part in box.of_kind("mosfet-n") if part.net("G") != "+3V3"]
    return found


def outputs_give_less_than_40_ma(box: Circuit) -> list[str]:
    """What each driven pin gives or takes at the worst, by its resistors."""
    gpios, pins = _gpios(box), firmware_pins()
    return [
        f"IO{pin} gives {1000 * current:.0f} mA"
        for pin in (pins.lamps, pins.buzzer, pins.sda, pins.scl)
        if (current := _worst(box, gpios.get(pin, "?"))) >= PIN_A
    ]


def _worst(box: Circuit, net: str) -> float:
    """Amperes through a pin on this net if each resistor there had all of its supply across it."""
    current = 0.0
    for part in box.on(net):
        if part.kind.name.startswith("resistor"):
            current += budget.LOW_VOLTS / size(part)
        elif part.kind.name == "mosfet-n":
            current += sum(MOST_V / size(each) for each in box.between(part.net("D"), "+5V", "resistor"))
        elif part.kind.name in ("transistor", "buzzer", "key-socket", "board-button"):
            return float("inf")
    return current


def half_of_5_v_is_read(box: Circuit) -> list[str]:
    """Two resistors and a capacitor at a pin of ADC1; the most that USB has stays where the converter is true."""
    pin = firmware_pins().battery
    net = _gpios(box).get(pin, "?")
    found = [] if pin in ADC1 else [f"IO{pin} is not on ADC1"]
    upper, lower = box.between(net, "+5V", "resistor"), box.between(net, "GND", "resistor")
    if len(upper) != 1 or len(lower) != 1:
        return [*found, f"IO{pin} has no divider"]
    ratio = 1 + size(upper[0]) / size(lower[0])
    if abs(ratio - divider()) > 0.01:
        found.append(f"the divider is {ratio:.2f}, for the firmware {divider()}")
    if MOST_V / ratio > LINEAR_V:
        found.append(f"{MOST_V} V are {MOST_V / ratio:.2f} V at IO{pin}")
    if not box.between(net, "GND", "capacitor-100n"):
        found.append(f"IO{pin} has no capacitor")
    return found


_FED: Final = {
    ("module", "3V3"): "+3V3", ("regulator", "IN"): "+5V", ("buffer", "VCC"): "+5V", ("lamp", "VDD"): "+5V",
    ("usb-guard", "VBUS"): "VBUS", ("display-driver", "VDD"): "5V",
}  # fmt: skip


def every_part_is_supplied(box: Circuit) -> list[str]:
    """Each pin that takes power is on its rail; the regulator gives +3V3 and nothing else does."""
    found = []
    for part in box.parts:
        for name, does, net in _pins(box, part.ref):
            rail = _FED.get((part.kind.name, name), "GND")
            wanted = rail if part.piece == MAIN else f"{part.piece}_{rail}"
            if does == SUPPLIED and net != wanted:
                found.append(f"{part.ref} {name} is on {net or 'nothing'}, not on {wanted}")
    if [part.net("OUT") for part in box.of_kind("regulator")] != ["+3V3"]:
        found.append("+3V3 is not the regulator's")
    return found


def nothing_is_fed_past_fuse_and_switch(box: Circuit) -> list[str]:
    """VBUS leads to the fuse, behind it to the switch; what USB's own guard and the slow start need is there, too."""
    found = []
    for net, allowed in (
        ("VBUS", {"J1", "U5", "F1"}), ("VBUS_FUSED", {"F1", "C1", "Q1", "C2"}), ("SLOW", {"Q1", "C2", "R3", "D3"}),
    ):  # fmt: skip
        there = {part.ref for part in box.on(net)}
        found += [f"{ref} is on {net}" for ref in sorted(there - allowed)]
        found += [f"{ref} is not on {net}" for ref in sorted(allowed - there)]
    switch = box.by_ref["Q1"]
    if (switch.net("S"), switch.net("D")) != ("VBUS_FUSED", "+5V"):
        found.append("Q1 does not let current from VBUS_FUSED to +5V, and its diode not back")
    return found


def plugging_in_is_gentle(box: Circuit) -> list[str]:
    """At most 10 µF are on VBUS as it is plugged (USB 2.0, 7.2.4.1); then the capacitor between Q1's gate and source
    lets it open so slowly that what it fills takes no more than a port of USB 2.0 gives (`budget.start` has the sum).
    """
    found = []
    plugged = capacitance(("VBUS", "VBUS_FUSED"), box)
    if plugged > budget.PLUGGED_F * 1.001:
        found.append(f"{1e6 * plugged:.1f} µF are on VBUS")
    if not box.between("VBUS_FUSED", "SLOW", "capacitor") or not box.between("SLOW", "GND", "resistor"):
        return [*found, "nothing makes Q1 slow"]
    if (most := budget.start(box).most) > CHARGE_A:
        found.append(f"the start takes {most:.2f} A")
    if not [each for each in box.of_kind("diode") if (each.net("K"), each.net("A")) == ("SLOW", "GND")]:
        found.append("the next start after a short pause is not slow")
    if not box.between("+5V", "GND", "resistor"):
        found.append("nothing empties +5V before the next start")
    return found


def a_brown_out_is_bridged(box: Circuit) -> list[str]:
    """A reserve behind the switch (facts.md 8.4)."""
    reserve = sum(size(part) for part in box.between("+5V", "GND", "capacitor-470u"))
    return [] if reserve >= RESERVE_F else [f"the reserve is {1e6 * reserve:.0f} µF"]


def poles_are_the_right_way_round(box: Circuit) -> list[str]:
    """Plus on a rail, minus on ground; a diode blocks, a display's LED leads from its row to its column."""
    found = [
        f"{part.ref} is the wrong way round"
        for part in box.of_kind("capacitor-470u")
        if (part.net("+"), part.net("-")) != ("+5V", "GND")
    ]
    blocking = {"D2": ("+5V", "BUZZER_LOW"), "D3": ("SLOW", "GND")}
    for part in box.of_kind("diode"):
        if part.piece == MAIN:
            wanted = blocking.get(part.ref)
        else:
            wanted = f"{part.piece}_ADDRESS", f"{part.piece}_COM0"
        if (part.net("K"), part.net("A")) != wanted:
            found.append(f"{part.ref} is the wrong way round")
    return found + [
        f"{part.ref} is the wrong way round"
        for part in box.of_kind("led")
        if "_COM" not in part.net("K") or "_COM" in part.net("A")
    ]


def chips_have_their_capacitors(box: Circuit) -> list[str]:
    """100 nF for each lamp, the buffer and each driver; what module and regulator ask for on either side."""
    found = []
    there = len(box.between("+5V", "GND", "capacitor-100n"))
    asking = len(list(box.of_kind("lamp", "buffer")))
    if there < asking:
        found.append(f"{there} capacitors of 100 nF are on +5V for {asking} lamps and chips")
    found += [
        f"display {side} has no {kind}"
        for side in SIDES
        for kind in ("capacitor-100n", "capacitor-10u")
        if not box.between(f"{side}_5V", f"{side}_GND", kind)
    ]
    if not box.between("+5V", "GND", "capacitor-10u"):
        found.append("the regulator's input has no 10 µF")
    if len(box.between("+3V3", "GND", "capacitor-22u")) < 2:
        found.append("regulator and module have no 22 µF each")
    if not box.between("+3V3", "GND", "capacitor-100n"):
        found.append("the module has no 100 nF")
    return found


def the_chain_is_the_firmwares(box: Circuit) -> list[str]:
    """Ring from side A's first lamp on, then Już and Dalej of A, B, C, D, then Sędzia (firmware/devices/lamps.py)."""
    chain: list[Part] = []
    net = "LAMPS_5V"
    while net:
        following = [part for part in box.of_kind("lamp") if part.net("DIN") == net and part not in chain]
        if len(following) != 1:
            break
        chain.append(following[0])
        net = following[0].net("DOUT")
    found = []
    if (order := [part.field("lights") for part in chain]) != list(CHAIN):
        place = next(
            (at for at, (one, other) in enumerate(zip(order, CHAIN, strict=False)) if one != other), len(order)
        )
        found.append(f"the chain differs at lamp {place + 1} of {len(chain)}")
    found += [f"{part.ref} is not in the chain" for part in box.of_kind("lamp") if part not in chain]
    driven = Counter(part.net("DOUT") for part in box.of_kind("lamp"))
    return found + [f"{net} has two outputs" for net, count in driven.items() if net and count > 1]


def data_is_shifted_to_5_v(box: Circuit) -> list[str]:
    """An enabled buffer at 5 V that takes 3.3 V for high, and 330 Ohm, stand between chip and chain (facts.md 8.2)."""
    buffer = box.by_ref["U3"]
    found = []
    if (buffer.kind.value, buffer.net("A"), buffer.net("VCC")) != ("74AHCT1G125", "LAMPS", "+5V"):
        found.append("the lamps' data passes no buffer at 5 V")
    if buffer.net("OE") != "GND":
        found.append("the buffer is not enabled")
    if not box.between(buffer.net("Y"), "LAMPS_5V", "resistor-330"):
        found.append("no 330 Ω between buffer and chain")
    if not box.between("LAMPS", "GND", "resistor-10k"):
        found.append("the buffer's input is open while the chip starts")
    return found


def every_key_has_resistor_and_capacitor(box: Circuit) -> list[str]:
    """1 kOhm in its line and 100 nF at one of its ends against what a finger brings along (facts.md 8.2); a pull-up of
    10 kOhm where a lead goes out of the box.
    """
    found = []
    for key in box.of_kind("key-socket", "kostka-plug"):
        resistors = list(box.on(key.net("1"), "resistor"))
        if [part.kind.name for part in resistors] != ["resistor-1k"]:
            found.append(f"{key.ref} has no 1 kΩ of its own")
            continue
        behind = resistors[0].across(key.net("1"))
        if not any(box.between(net, "GND", "capacitor-100n") for net in (key.net("1"), behind)):
            found.append(f"{key.ref} has no 100 nF")
        if key.kind.name == "kostka-plug" and not box.between(behind, "+3V3", "resistor-10k"):
            found.append(f"{key.ref} has no pull-up")
    return found


def every_net_joins_two_pins(box: Circuit) -> list[str]:
    """No net ends nowhere."""
    return [f"{net} has one pin, {pins[0][0].ref} {pins[0][1]}" for net, pins in box.nets.items() if len(pins) < 2]


def boards_are_joined_by_their_plugs_alone(box: Circuit) -> list[str]:
    """A display's parts are on nets of its own; pins and the socket that they meet have the same in the same order."""
    own = tuple(f"{side}_" for side in SIDES)
    found = [
        f"{part.ref} is on {net}"
        for part in box.parts
        for net in part.nets
        if net and (net[0] if net.startswith(own) else MAIN) != part.piece
    ]
    on_main = {"GND": "GND", "SCL": "SCL_5V", "SDA": "SDA_5V", "5V": "+5V"}
    for plug in box.of_kind("display-pins", "display-socket"):
        if tuple(name for name, _, _ in _pins(box, plug.ref)) != DISPLAY_POLES:
            found.append(f"{plug.ref} has other poles")
        for name, _, net in _pins(box, plug.ref):
            if net != (on_main[name] if plug.piece == MAIN else f"{plug.piece}_{name}"):
                found.append(f"{plug.ref} {name} is on {net}")
    plugs = Counter(part.kind.name for part in box.parts)
    wanted = ("display-pins", "display-socket")
    return found + [f"there are not four {kind}" for kind in wanted if plugs[kind] != len(SIDES)]


def every_display_has_its_own_address(box: Circuit) -> list[str]:
    """0x70 and the seat's place, as the firmware asks: for each bit that is 1 a diode and 39 kOhm are fitted from COM0
    to its row (Holtek, "HT16K33", "Slave Addressing": ROW2 is A0, ROW1 A1, ROW0 A2).
    """
    found = []
    for place, side in enumerate(SIDES):
        diode = [part for part in box.of_kind("diode") if part.net("A") == f"{side}_COM0"]
        straps = [part for each in diode for part in box.on(each.net("K"), "resistor") if part.fitted]
        if [part.kind.name for part in straps if part.kind.name != "resistor-39k"]:
            found.append(f"display {side} has no straps of 39 kΩ")
        rows = {diode[0].net("K") and part.across(diode[0].net("K")) for part in straps}
        told = ADDRESS + sum(1 << bit for bit in range(3) if f"{side}_ROW{2 - bit}" in rows)
        if told != (wanted := constants("display")["ADDRESS"] + place) or len(diode) != 1:
            found.append(f"display {side} has 0x{told:02X}, not 0x{wanted:02X}")
        driver = [part for part in box.of_kind("display-driver") if part.piece == side]
        if [part.net(f"COM{com}") for part in driver for com in (0,)] != [f"{side}_COM0"]:
            found.append(f"display {side} has no driver at COM0")
    return found


def displays_show_what_the_firmware_writes(box: Circuit) -> list[str]:
    """A byte of the driver's memory at 2 n is column n, its bit r is row r (Holtek, "HT16K33", display memory): each
    digit, segment, point and colon is where firmware/devices/display.py writes it; two LEDs a segment, one a point.
    """
    told = constants("display")
    coms = [place // 2 for place in told["_PLACES"]]
    found = []
    if coms != list(DIGIT_COMS) or (told["_COLON_AT"] // 2, told["_COLON"]) != (COLON_COM, 2):
        found.append("digits or colon are elsewhere in the firmware")
    for side in SIDES:
        wanted: Counter[tuple[str, str, str, str]] = Counter()
        for digit, com in enumerate(coms, 1):
            for row, segment in enumerate(SEGMENTS):
                wanted[str(digit), segment, f"COM{com}", f"ROW{row}"] = 2
            wanted[str(digit), "point", f"COM{com}", "POINTS"] = 1
        wanted["0", "colon", f"COM{COLON_COM}", f"ROW{told['_COLON'].bit_length() - 1}"] = 2
        there = Counter(
            (led.field("digit"), led.field("segment"), led.net("K")[2:], led.net("A")[2:])
            for led in box.of_kind("led")
            if led.piece == side
        )
        found += [f"display {side} has not {' '.join(each)} as often" for each in (wanted - there) + (there - wanted)]
        point = f"{side}_ROW{told['_POINT'].bit_length() - 1}"
        if not box.between(point, f"{side}_POINTS", "resistor-150"):
            found.append(f"display {side}'s points are not behind their resistor")
        driver = [part for part in box.of_kind("display-driver") if part.piece == side]
        for name, _, net in _pins(box, driver[0].ref) if driver else ():
            if name.startswith(("COM", "ROW")) and net and net != f"{side}_{name}":
                found.append(f"{driver[0].ref} {name} is on {net}")
    return found


def the_bus_is_shifted_and_pulled_up(box: Circuit) -> list[str]:
    """SDA and SCL pass a transistor each, its source at 3.3 V (NXP, AN10441); with both pull-ups a chip has to sink no
    more than 3 mA, and at `BUS_F` a line rises within 1 µs (NXP, UM10204: 0.8473 R C).
    """
    found = []
    for line in ("SDA", "SCL"):
        high = f"{line}_5V"
        if [part.net("D") for part in box.of_kind("mosfet-n") if part.net("S") == line] != [high]:
            found.append(f"{line} does not pass its transistor")
        low, up = box.between(line, "+3V3", "resistor"), box.between(high, "+5V", "resistor")
        if len(low) != 1 or len(up) != 1:
            found.append(f"{line} has not one pull-up at 3.3 V and one at 5 V")
            continue
        if (sunk := budget.LOW_VOLTS / size(low[0]) + MOST_V / size(up[0])) > SINK_A:
            found.append(f"{line} takes {1000 * sunk:.1f} mA to pull down")
        slowest = max(size(low[0]), size(up[0]))
        if (rise := 0.8473 * slowest * BUS_F) > RISE_S:
            found.append(f"{line} rises within {1e6 * rise:.1f} µs")
        found += [
            f"{driver.ref} {line} is on {driver.net(line)}"
            for driver in box.of_kind("display-driver")
            if driver.net(line) != f"{driver.piece}_{line}"
        ]
    return found


def the_buzzer_is_switched(box: Circuit) -> list[str]:
    """By a transistor below it that is off while its pin is low or open, with a diode for what the coil gives back."""
    transistor, buzzer = box.by_ref["Q4"], box.by_ref["LS1"]
    low, base = transistor.net("C"), transistor.net("B")
    found = []
    if transistor.net("E") != "GND" or (buzzer.net("+"), buzzer.net("-")) != ("+5V", low):
        found.append("the transistor does not stand between buzzer and ground")
    if not box.between("BUZZER", base, "resistor-330"):
        found.append("no 330 Ω between pin and transistor")
    if not box.between(base, "GND", "resistor-10k"):
        found.append("the transistor's base is open while the chip starts")
    if not [each for each in box.of_kind("diode") if (each.net("K"), each.net("A")) == ("+5V", low)]:
        found.append("no diode across the buzzer")
    return found


def a_cable_is_told_that_power_is_taken(box: Circuit) -> list[str]:
    """5.1 kOhm to ground at either CC, each for itself: a cable from USB-C to USB-C gives no power without, and some
    give none where the two share one.
    """
    found = []
    socket = box.by_ref["J1"]
    for name in ("CC1", "CC2"):
        net = socket.net(name)
        there = [part for part in box.on(net) if part.ref != "J1"]
        if [part.kind.name.partition("-")[0] for part in there] != ["resistor"] or there[0].across(net) != "GND":
            found.append(f"{name} has no resistor of its own to ground")
        elif abs(size(there[0]) - CC_OHM) > CC_OHM / 10:
            found.append(f"{name} has {size(there[0]):.0f} Ω")
    if socket.net("CC1") == socket.net("CC2"):
        found.append("CC1 and CC2 are one net")
    return found


def usb_reaches_the_chip_past_its_guard(box: Circuit) -> list[str]:
    """D+ of both rows is on IO20, D- on IO19, and each passes its own channel of the guard."""
    found = []
    lines: dict[str, set[str]] = {"D+": set(), "D-": set()}
    for name, _, net in _pins(box, "J1"):
        if name in lines:
            lines[name].add(net)
        elif name in ("VBUS", "GND") and net != name:
            found.append(f"J1 {name} is on {net or 'nothing'}")
    gpios = _gpios(box)
    if (lines["D+"], lines["D-"]) != ({gpios.get(20, "?")}, {gpios.get(19, "?")}):
        found.append("D+ and D- do not reach IO20 and IO19")
    channels = [{net for name, _, net in _pins(box, "U5") if name == channel} for channel in ("I/O1", "I/O2")]
    if sorted(map(sorted, channels)) != [["USB_N"], ["USB_P"]]:
        found.append("the guard does not stand on D+ and D-")
    return found


def a_probe_finds_the_rails(box: Circuit) -> list[str]:
    """A pad each for +5V, +3V3 and ground."""
    there = {part.nets[0] for part in box.of_kind("test-point")}
    return [f"{net} has no test point" for net in ("+5V", "+3V3", "GND") if net not in there]


RULES: Final[tuple[Rule, ...]] = (
    pins_are_the_firmwares,
    contacts_reach_their_keys,
    inputs_are_free_pins,
    the_chip_starts_by_itself,
    nothing_at_5_v_reaches_the_chip,
    outputs_give_less_than_40_ma,
    half_of_5_v_is_read,
    every_part_is_supplied,
    nothing_is_fed_past_fuse_and_switch,
    plugging_in_is_gentle,
    a_brown_out_is_bridged,
    poles_are_the_right_way_round,
    chips_have_their_capacitors,
    the_chain_is_the_firmwares,
    data_is_shifted_to_5_v,
    every_key_has_resistor_and_capacitor,
    every_net_joins_two_pins,
    boards_are_joined_by_their_plugs_alone,
    every_display_has_its_own_address,
    displays_show_what_the_firmware_writes,
    the_bus_is_shifted_and_pulled_up,
    the_buzzer_is_switched,
    a_cable_is_told_that_power_is_taken,
    usb_reaches_the_chip_past_its_guard,
    a_probe_finds_the_rails,
)


def faults(box: Circuit) -> list[str]:
    """What any rule finds, each as `rule: sentence`."""
    return [f"{rule.__name__}: {fault}" for rule in RULES for fault in rule(box)]
