"""Each rule of the flat box's circuit finds the fault it is there for: a circuit broken in that way, in no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import pytest

from hardware.firmware import constants
from hardware.flat import parts, rules
from hardware.flat.circuit import Circuit, circuit
from hardware.flat.parts import Kind

BOX: Final = circuit()
Change = Callable[[Circuit], Circuit]


class Broken(NamedTuple):
    """A rule, how to break what it guards, and words of what it says then."""

    rule: rules.Rule
    breaks: Change
    says: str


def rewired(*changes: tuple[str, str, str]) -> Change:
    """Pins of parts put on other nets: `(ref, pin, net)` of each."""

    def change(box: Circuit) -> Circuit:
        for ref, pin, net in changes:
            box = box.rewired(ref, pin, net)
        return box

    return change


def without(ref: str) -> Change:
    return lambda box: box.without(ref)


def kind(ref: str, other: Kind) -> Change:
    return lambda box: box.swapped(replace(box.by_ref[ref], kind=other))


def fitted(ref: str, there: bool) -> Change:
    return lambda box: box.swapped(replace(box.by_ref[ref], fitted=there))


def turned(ref: str) -> Change:
    """A part with two pins, turned round."""
    return lambda box: box.swapped(replace(box.by_ref[ref], nets=box.by_ref[ref].nets[::-1]))


def exchanged(ref: str, pin: str, other: str) -> Change:
    """Two pins of a part, each on the other's net."""
    part = BOX.by_ref[ref]
    return rewired((ref, pin, part.net(other)), (ref, other, part.net(pin)))


FAULTS: Final = (
    Broken(rules.pins_are_the_firmwares, rewired(("U1", "IO4", "")), "IO4 is not wired"),
    Broken(rules.pins_are_the_firmwares, rewired(("U1", "IO2", "JUZ_A")), "the firmware does not know it"),
    Broken(rules.contacts_reach_their_keys, exchanged("U1", "IO4", "IO5"), "IO4 reaches ['S2'], not S1"),
    Broken(rules.contacts_reach_their_keys, exchanged("U1", "IO21", "IO10"), "reaches ['J6'], not S9"),
    Broken(rules.contacts_reach_their_keys, rewired(("S3", "1", "JUZ_C_KEY")), "IO6 reaches [], not S3"),
    Broken(rules.contacts_reach_their_keys, exchanged("U1", "IO14", "IO13"), "IO14 does not reach its buffer"),
    Broken(rules.contacts_reach_their_keys, exchanged("U1", "IO8", "IO1"), "IO8 does not reach its mosfet-n"),
    Broken(rules.contacts_reach_their_keys, rewired(("S1", "2", "+5V")), "S1 does not close to ground"),
    Broken(rules.inputs_are_free_pins, rewired(("U1", "IO3", "JUZ_A")), "IO3 is a strapping pin"),
    Broken(rules.inputs_are_free_pins, rewired(("U1", "IO0", "JUZ_A")), "IO0 is a strapping pin"),
    Broken(rules.inputs_are_free_pins, rewired(("U1", "IO35", "JUZ_A")), "IO35 is a pin of flash"),
    Broken(rules.inputs_are_free_pins, rewired(("U1", "IO20", "JUZ_A")), "IO20 is a pin of flash"),
    Broken(rules.the_chip_starts_by_itself, without("R20"), "EN has no pull-up"),
    Broken(rules.the_chip_starts_by_itself, without("R22"), "BOOT has no pull-up"),
    Broken(rules.the_chip_starts_by_itself, without("C9"), "EN has no 1 µF"),
    Broken(rules.the_chip_starts_by_itself, without("S12"), "BOOT has no button"),
    Broken(rules.the_chip_starts_by_itself, exchanged("U1", "EN", "IO0"), "not on the net of its name"),
    Broken(rules.nothing_at_5_v_reaches_the_chip, rewired(("R21", "1", "+5V")), "R21 pulls IO10 to +5V"),
    Broken(rules.nothing_at_5_v_reaches_the_chip, rewired(("R20", "1", "+5V")), "R20 pulls EN to +5V"),
    Broken(rules.nothing_at_5_v_reaches_the_chip, rewired(("J2", "SDA", "SDA")), "J2 pin 3 is on IO8 itself"),
    Broken(rules.nothing_at_5_v_reaches_the_chip, rewired(("LP1", "DIN", "LAMPS")), "LP1 pin 4 is on IO14 itself"),
    Broken(rules.nothing_at_5_v_reaches_the_chip, exchanged("Q2", "S", "D"), "Q2 pin 3 is on IO8 itself"),
    Broken(rules.nothing_at_5_v_reaches_the_chip, rewired(("Q3", "G", "+5V")), "Q3's gate is on +5V"),
    Broken(rules.nothing_at_5_v_reaches_the_chip, without("R8"), "R7 pulls IO1 to +5V"),
    Broken(rules.outputs_give_less_than_40_ma, rewired(("Q4", "B", "BUZZER")), "IO13 gives inf mA"),
    Broken(rules.outputs_give_less_than_40_ma, kind("R25", replace(parts.RESISTOR_150, value="68 Ω")), "IO8 gives 50"),
    Broken(rules.half_of_5_v_is_read, without("R8"), "has no divider"),
    Broken(rules.half_of_5_v_is_read, without("C6"), "has no capacitor"),
    Broken(rules.half_of_5_v_is_read, kind("R7", parts.RESISTOR_39K), "the divider is 1.39"),
    Broken(rules.half_of_5_v_is_read, kind("R7", parts.RESISTOR_39K), "5.5 V are 3.96 V at IO1"),
    Broken(rules.every_part_is_supplied, rewired(("U301", "VDD", "+3V3")), "U301 VDD is on +3V3, not on C_5V"),
    Broken(rules.every_part_is_supplied, rewired(("U3", "GND", "")), "U3 GND is on nothing, not on GND"),
    Broken(rules.every_part_is_supplied, rewired(("U1", "3V3", "+5V")), "U1 3V3 is on +5V, not on +3V3"),
    Broken(rules.every_part_is_supplied, exchanged("LP7", "VDD", "VSS"), "LP7 VDD is on GND, not on +5V"),
    Broken(rules.every_part_is_supplied, exchanged("U2", "OUT", "IN"), "U2 IN is on +3V3, not on +5V"),
    Broken(rules.nothing_is_fed_past_fuse_and_switch, rewired(("C4", "1", "VBUS")), "C4 is on VBUS"),
    Broken(rules.nothing_is_fed_past_fuse_and_switch, rewired(("U2", "IN", "VBUS_FUSED")), "U2 is on VBUS_FUSED"),
    Broken(rules.nothing_is_fed_past_fuse_and_switch, rewired(("Q1", "S", "VBUS")), "Q1 is not on VBUS_FUSED"),
    Broken(rules.nothing_is_fed_past_fuse_and_switch, exchanged("Q1", "S", "D"), "and its diode not back"),
    Broken(rules.plugging_in_is_gentle, kind("C1", parts.CAPACITOR_22U), "22.0 µF are on VBUS"),
    Broken(rules.plugging_in_is_gentle, without("C2"), "nothing makes Q1 slow"),
    Broken(rules.plugging_in_is_gentle, rewired(("C2", "1", "GND")), "nothing makes Q1 slow"),
    Broken(rules.plugging_in_is_gentle, kind("C2", parts.CAPACITOR_100N), "the start takes 2."),
    Broken(rules.plugging_in_is_gentle, kind("R3", parts.RESISTOR_39K), "the start takes 2."),
    Broken(rules.plugging_in_is_gentle, turned("D3"), "is not slow"),
    Broken(rules.plugging_in_is_gentle, without("R9"), "nothing empties +5V"),
    Broken(rules.a_brown_out_is_bridged, without("C3"), "the reserve is 0 µF"),
    Broken(rules.a_brown_out_is_bridged, rewired(("C3", "+", "VBUS_FUSED")), "the reserve is 0 µF"),
    Broken(rules.poles_are_the_right_way_round, turned("C3"), "C3 is the wrong way round"),
    Broken(rules.poles_are_the_right_way_round, turned("D2"), "D2 is the wrong way round"),
    Broken(rules.poles_are_the_right_way_round, turned("D290"), "D290 is the wrong way round"),
    Broken(rules.poles_are_the_right_way_round, turned("D131"), "D131 is the wrong way round"),
    Broken(rules.chips_have_their_capacitors, without("C83"), "33 capacitors of 100 nF are on +5V for 34"),
    Broken(rules.chips_have_their_capacitors, without("C301"), "display C has no capacitor-100n"),
    Broken(rules.chips_have_their_capacitors, without("C402"), "display D has no capacitor-10u"),
    Broken(rules.chips_have_their_capacitors, without("C4"), "the regulator's input has no 10 µF"),
    Broken(rules.chips_have_their_capacitors, without("C5"), "no 22 µF each"),
    Broken(rules.chips_have_their_capacitors, without("C8"), "the module has no 100 nF"),
    Broken(rules.the_chain_is_the_firmwares, without("LP5"), "LP6 is not in the chain"),
    Broken(rules.the_chain_is_the_firmwares, exchanged("LP9", "DIN", "DOUT"), "the chain differs at lamp 9 of 8"),
    Broken(
        rules.the_chain_is_the_firmwares,
        rewired(("LP25", "DIN", "LAMPS_25"), ("LP25", "DOUT", "LAMPS_26"),
                ("LP26", "DIN", "LAMPS_24"), ("LP26", "DOUT", "LAMPS_25")),
        "the chain differs at lamp 25 of 33",
    ),
    Broken(rules.the_chain_is_the_firmwares, rewired(("LP33", "DOUT", "LAMPS_12")), "LAMPS_12 has two outputs"),
    Broken(rules.data_is_shifted_to_5_v, rewired(("U3", "VCC", "+3V3")), "passes no buffer at 5 V"),
    Broken(rules.data_is_shifted_to_5_v, kind("U3", replace(parts.BUFFER, value="74AHC1G125")), "no buffer at 5 V"),
    Broken(rules.data_is_shifted_to_5_v, rewired(("U3", "OE", "+5V")), "the buffer is not enabled"),
    Broken(rules.data_is_shifted_to_5_v, kind("R6", parts.RESISTOR_10K), "no 330 Ω"),
    Broken(rules.data_is_shifted_to_5_v, without("R5"), "open while the chip starts"),
    Broken(rules.every_key_has_resistor_and_capacitor, without("C14"), "S4 has no 100 nF"),
    Broken(rules.every_key_has_resistor_and_capacitor, without("R19"), "S9 has no 1 kΩ"),
    Broken(rules.every_key_has_resistor_and_capacitor, without("C20"), "J6 has no 100 nF"),
    Broken(rules.every_key_has_resistor_and_capacitor, without("R21"), "J6 has no pull-up"),
    Broken(rules.every_net_joins_two_pins, rewired(("LS1", "-", "NOWHERE")), "NOWHERE has one pin, LS1 2"),
    Broken(rules.boards_are_joined_by_their_plugs_alone, rewired(("C201", "2", "GND")), "C201 is on GND"),
    Broken(rules.boards_are_joined_by_their_plugs_alone, rewired(("C201", "2", "A_GND")), "C201 is on A_GND"),
    Broken(rules.boards_are_joined_by_their_plugs_alone, rewired(("C4", "2", "A_GND")), "C4 is on A_GND"),
    Broken(rules.boards_are_joined_by_their_plugs_alone, exchanged("J3", "SCL", "SDA"), "J3 SCL is on SDA_5V"),
    Broken(rules.boards_are_joined_by_their_plugs_alone, exchanged("J401", "GND", "5V"), "J401 GND is on D_5V"),
    Broken(rules.boards_are_joined_by_their_plugs_alone, without("J5"), "there are not four display-pins"),
    Broken(
        rules.boards_are_joined_by_their_plugs_alone,
        kind("J101", replace(parts.DISPLAY_SOCKET, pins=parts.DISPLAY_SOCKET.pins[::-1])),
        "J101 has other poles",
    ),
    Broken(rules.every_display_has_its_own_address, fitted("R101", True), "display A has 0x71, not 0x70"),
    Broken(rules.every_display_has_its_own_address, fitted("R402", False), "display D has 0x71, not 0x73"),
    Broken(rules.every_display_has_its_own_address, without("D290"), "display B has 0x70, not 0x71"),
    Broken(rules.every_display_has_its_own_address, rewired(("R201", "2", "B_ROW0")), "display B has 0x74, not 0x71"),
    Broken(rules.every_display_has_its_own_address, kind("R201", parts.RESISTOR_1K), "display B has no straps of 39"),
    Broken(
        rules.every_display_has_its_own_address,
        rewired(("U101", "COM0", "A_COM1"), ("U101", "COM1", "A_COM0")),
        "display A has no driver at COM0",
    ),
    Broken(rules.displays_show_what_the_firmware_writes, rewired(("D101", "A", "A_ROW1")), "1 a COM0 ROW1"),
    Broken(rules.displays_show_what_the_firmware_writes, without("D460"), "display D has not"),
    Broken(rules.displays_show_what_the_firmware_writes, exchanged("U201", "ROW2", "ROW3"), "U201 ROW2 is on B_ROW3"),
    Broken(rules.displays_show_what_the_firmware_writes, without("R303"), "display C's points are not"),
    Broken(
        rules.the_bus_is_shifted_and_pulled_up,
        rewired(("Q2", "D", "SCL_5V"), ("Q3", "D", "SDA_5V")),
        "SDA does not pass its transistor",
    ),
    Broken(rules.the_bus_is_shifted_and_pulled_up, without("R26"), "SCL has not one pull-up"),
    Broken(rules.the_bus_is_shifted_and_pulled_up, kind("R27", parts.RESISTOR_1K), "SDA takes 6.2 mA"),
    Broken(rules.the_bus_is_shifted_and_pulled_up, kind("R28", parts.RESISTOR_10K), "SCL rises within 1.7 µs"),
    Broken(rules.the_bus_is_shifted_and_pulled_up, exchanged("U101", "SDA", "SCL"), "U101 SDA is on A_SCL"),
    Broken(rules.the_buzzer_is_switched, exchanged("Q4", "E", "C"), "between buzzer and ground"),
    Broken(rules.the_buzzer_is_switched, rewired(("R23", "2", "GND")), "no 330 Ω between pin and transistor"),
    Broken(rules.the_buzzer_is_switched, without("R24"), "base is open"),
    Broken(rules.the_buzzer_is_switched, rewired(("R24", "2", "+3V3")), "base is open"),
    Broken(rules.the_buzzer_is_switched, turned("D2"), "no diode across the buzzer"),
    Broken(rules.a_cable_is_told_that_power_is_taken, without("R2"), "CC2 has no resistor"),
    Broken(rules.a_cable_is_told_that_power_is_taken, kind("R1", parts.RESISTOR_10K), "CC1 has 10000 Ω"),
    Broken(rules.a_cable_is_told_that_power_is_taken, rewired(("J1", "CC2", "CC1")), "CC1 and CC2 are one net"),
    Broken(rules.usb_reaches_the_chip_past_its_guard, exchanged("U1", "IO19", "IO20"), "do not reach IO20 and IO19"),
    Broken(rules.usb_reaches_the_chip_past_its_guard, rewired(("J1", "B6", "USB_N")), "do not reach IO20 and IO19"),
    Broken(rules.usb_reaches_the_chip_past_its_guard, rewired(("U5", "4", "USB_N")), "the guard does not stand"),
    Broken(rules.usb_reaches_the_chip_past_its_guard, rewired(("J1", "B9", "")), "J1 VBUS is on nothing"),
    Broken(rules.a_probe_finds_the_rails, without("TP2"), "+3V3 has no test point"),
)  # fmt: skip


def test_the_circuit_keeps_every_rule() -> None:
    assert rules.faults(BOX) == []


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{place}-{fault.rule.__name__}" for place, fault in enumerate(FAULTS)])
def test_a_circuit_broken_so_is_found(fault: Broken) -> None:
    found = fault.rule(fault.breaks(BOX))
    assert any(fault.says in sentence for sentence in found), found


def test_every_rule_has_a_circuit_that_breaks_it() -> None:
    assert {fault.rule for fault in FAULTS} == set(rules.RULES)


def test_a_fault_is_reported_with_its_rule() -> None:
    assert rules.faults(BOX.without("TP1")) == ["a_probe_finds_the_rails: +5V has no test point"]


TAKEN_FOR_GRANTED: Final = {"U1", "U3", "U5", "J1", "Q1", "Q4", "LS1"}
"""Without them a rule has nothing to read, and says so with a KeyError."""


@pytest.mark.parametrize("piece", ["main", "A"])
def test_no_part_can_be_left_out_unnoticed(piece: str) -> None:
    there = [part.ref for part in BOX.parts if part.piece == piece and part.fitted]
    there = [ref for ref in there if ref not in TAKEN_FOR_GRANTED]

    assert [ref for ref in there if not rules.faults(BOX.without(ref))] == []
    for ref in TAKEN_FOR_GRANTED:
        with pytest.raises(KeyError):
            rules.faults(BOX.without(ref))


def test_a_rail_pin_beside_adc1_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "ADC1", range(2, 11))
    assert rules.half_of_5_v_is_read(BOX) == ["IO1 is not on ADC1"]


def test_digits_that_the_firmware_has_elsewhere_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {**constants("display"), "_PLACES": (0, 2, 4, 6)}
    monkeypatch.setattr(rules, "constants", lambda device: told)
    assert "digits or colon are elsewhere in the firmware" in rules.displays_show_what_the_firmware_writes(BOX)
