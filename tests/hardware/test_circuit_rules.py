"""Each rule of the circuit finds the fault it is there for: a circuit broken in that way, and in no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import pytest

from hardware.circuit import devkits
from hardware.circuit.netlist import Netlist, netlist
from hardware.circuit.rules import RULES, chip, faults, lamps, leads, supply
from hardware.circuit.values import amount


class Broken(NamedTuple):
    """A rule, how to break what it guards, and words of what it says then; `chip` is the box's."""

    rule: Callable[[Netlist], list[str]]
    breaks: Callable[[Netlist], Netlist]
    says: str
    chip: str = "esp32"


def rewired(*changes: tuple[str, str, str]) -> Callable[[Netlist], Netlist]:
    """Pins of parts put on other nets: `(ref, pin, net)` of each."""

    def change(box: Netlist) -> Netlist:
        for ref, pin, net in changes:
            box = box.rewired(ref, pin, net)
        return box

    return change


def without(ref: str) -> Callable[[Netlist], Netlist]:
    return lambda box: box.without(ref)


def valued(ref: str, value: str) -> Callable[[Netlist], Netlist]:
    return lambda box: box.swapped(replace(box.by_ref[ref], value=value))


def kind(ref: str, name: str) -> Callable[[Netlist], Netlist]:
    return lambda box: box.swapped(replace(box.by_ref[ref], kind=name))


def fielded(ref: str, **fields: str) -> Callable[[Netlist], Netlist]:
    return lambda box: box.swapped(replace(box.by_ref[ref], fields={**box.by_ref[ref].fields, **fields}))


def swapped_nets(ref: str) -> Callable[[Netlist], Netlist]:
    """A part with two pins, turned round."""

    def turn(box: Netlist) -> Netlist:
        first, second = box.by_ref[ref].nets
        return box.rewired(ref, "1", second).rewired(ref, "2", first)

    return turn


FAULTS: Final = (
    Broken(chip.pins_are_those_of_the_firmware, rewired(("U1", "GPIO32", "")), "GPIO32 is not wired"),
    Broken(chip.pins_are_those_of_the_firmware, rewired(("U1", "GPIO16", "JUZ_A")), "the firmware does not know it"),
    Broken(
        chip.contacts_reach_their_buttons,
        rewired(("U1", "GPIO32", "DALEJ_A"), ("U1", "GPIO33", "JUZ_A")),
        "GPIO32 reaches [('button-amber', 'side A')]",
    ),
    Broken(chip.contacts_reach_their_buttons, rewired(("S3", "NO", "JUZ_C_LEAD")), "GPIO25 reaches []"),
    Broken(
        chip.contacts_reach_their_buttons,
        rewired(("U1", "GPIO18", "BUZZER"), ("U1", "GPIO4", "LAMPS")),
        "GPIO18 does not reach its buffer",
    ),
    Broken(chip.contacts_reach_their_buttons, rewired(("S1", "COM", "+5V")), "S1 does not close to ground"),
    Broken(chip.inputs_are_free_pins, rewired(("U1", "GPIO15", "JUZ_A")), "GPIO15 is a strapping pin"),
    Broken(chip.inputs_are_free_pins, rewired(("U1", "GPIO9", "JUZ_A")), "GPIO9 is a pin of flash"),
    Broken(chip.inputs_are_free_pins, rewired(("U1", "GPIO3", "JUZ_A")), "GPIO3 is a pin of flash"),
    Broken(chip.inputs_are_free_pins, rewired(("U1", "GPIO45", "JUZ_A")), "GPIO45 is a strapping pin", "esp32s3"),
    Broken(chip.inputs_are_free_pins, rewired(("U1", "GPIO20", "JUZ_A")), "GPIO20 is a pin of flash", "esp32s3"),
    Broken(chip.inputs_are_free_pins, rewired(("U1", "GPIO35", "JUZ_A")), "GPIO35 is a pin of flash", "esp32s3"),
    Broken(chip.bare_inputs_have_a_pull_up, without("R21"), "GPIO34 has no pull-up"),
    Broken(chip.bare_inputs_have_a_pull_up, rewired(("R21", "2", "+5V")), "GPIO34 has no pull-up"),
    Broken(chip.bare_inputs_have_a_pull_up, rewired(("U1", "GPIO36", "LAMPS")), "GPIO36 cannot drive LAMPS"),
    Broken(chip.nothing_at_5_v_reaches_the_chip, rewired(("R21", "2", "+5V")), "R21 pulls GPIO34 to +5V"),
    Broken(chip.nothing_at_5_v_reaches_the_chip, rewired(("DS2", "SDA", "SDA")), "DS2 SDA is on GPIO21 itself"),
    Broken(chip.nothing_at_5_v_reaches_the_chip, rewired(("LP0", "DIN", "LAMPS")), "LP0 DIN is on GPIO18 itself"),
    Broken(chip.nothing_at_5_v_reaches_the_chip, rewired(("U3", "HV4", "SDA")), "U3 HV4 is on GPIO21 itself"),
    Broken(chip.nothing_at_5_v_reaches_the_chip, rewired(("U3", "LV", "+5V")), "U3 shifts between +5V and +5V"),
    Broken(chip.outputs_give_less_than_40_ma, valued("R5", "47 Ω"), "GPIO4 gives 70 mA"),
    Broken(chip.outputs_give_less_than_40_ma, rewired(("Q1", "B", "BUZZER")), "GPIO4 gives inf mA"),
    Broken(chip.battery_is_halved_on_adc1, without("R8"), "has no divider"),
    Broken(chip.battery_is_halved_on_adc1, without("C2"), "has no capacitor"),
    Broken(chip.battery_is_halved_on_adc1, valued("R7", "47 kΩ"), "the divider is 1.47"),
    Broken(chip.battery_is_halved_on_adc1, valued("R8", "220 kΩ"), "a full cell is 2.92 V"),
    Broken(supply.every_part_is_supplied, rewired(("DS3", "VCC", "+3V3")), "DS3 VCC is on +3V3"),
    Broken(supply.every_part_is_supplied, rewired(("U2", "GND", "")), "U2 GND is on nothing"),
    Broken(supply.every_part_is_supplied, rewired(("U1", "5V", "+5V")), "U1 5V is on +5V, not on +5V_BOARD"),
    Broken(supply.usb_and_converter_do_not_feed_each_other, swapped_nets("D1"), "no diode leads"),
    Broken(supply.usb_and_converter_do_not_feed_each_other, without("D1"), "no diode leads"),
    Broken(supply.usb_and_converter_do_not_feed_each_other, rewired(("R9", "1", "+5V_BOARD")), "R9 is on +5V_BOARD"),
    Broken(supply.the_cell_is_protected, rewired(("BT1", "-", "GND")), "past the charger's protection"),
    Broken(supply.the_cell_is_protected, rewired(("J11", "2", "BATTERY_MINUS")), "goes elsewhere"),
    Broken(supply.the_cell_is_protected, rewired(("U1", "GPIO35", "BATTERY")), "U1 is on the cell itself"),
    Broken(supply.the_cell_is_protected, rewired(("SW1", "2", "+5V_BOARD")), "does not stand between"),
    Broken(supply.the_cell_is_protected, rewired(("X2", "+", "BATTERY")), "no fuse stands between"),
    Broken(supply.the_cell_is_protected, rewired(("U4", "BAT+", "CELL")), "no fuse stands between"),
    Broken(supply.the_cell_is_protected, rewired(("U4", "OUT-", "BATTERY_MINUS")), "does not return to it"),
    Broken(supply.the_cell_is_protected, rewired(("J11", "1", "+5V_CHARGER")), "something goes past the switch"),
    Broken(supply.nothing_is_soldered_to_the_pack, rewired(("F1", "1", "PACK")), "BT1 + is on F1, X1"),
    Broken(supply.nothing_is_soldered_to_the_pack, rewired(("BT1", "-", "BATTERY_MINUS")), "BT1 - is on U4, X2"),
    Broken(supply.nothing_is_soldered_to_the_pack, without("X1"), "BT1 + is on nothing"),
    Broken(supply.nothing_is_soldered_to_the_pack, without("X2"), "X1 meets no half that fits"),
    Broken(supply.nothing_is_soldered_to_the_pack, fielded("X2", mates="X9"), "X1 meets no half that fits"),
    Broken(supply.nothing_is_soldered_to_the_pack, swapped_nets("X2"), "exchanged at X1 or X2"),
    Broken(supply.nothing_is_soldered_to_the_pack, swapped_nets("X1"), "exchanged at X1 or X2"),
    Broken(supply.a_brown_out_is_bridged, without("C1"), "the board's reserve is 0 µF"),
    Broken(supply.a_brown_out_is_bridged, valued("C1", "100 µF"), "the board's reserve is 100 µF"),
    Broken(supply.a_brown_out_is_bridged, without("C3"), "the ring has no reserve"),
    Broken(supply.electrolytics_are_the_right_way_round, swapped_nets("C1"), "C1 is the wrong way round"),
    Broken(supply.electrolytics_are_the_right_way_round, swapped_nets("C3"), "C3 is the wrong way round"),
    Broken(supply.chips_have_their_capacitor, without("C4"), "U2 has no capacitor"),
    Broken(
        lamps.the_chain_is_that_of_the_firmware,
        rewired(("LP1", "DIN", "LAMPS_AFTER_JUZ_A"), ("LP1", "DOUT", "LAMPS_AFTER_DALEJ_A"),
                ("LP2", "DIN", "LAMPS_AFTER_RING"), ("LP2", "DOUT", "LAMPS_AFTER_JUZ_A")),
        "the order is",
    ),
    Broken(lamps.the_chain_is_that_of_the_firmware, fielded("LP0", pixels="16"), "there are 25 pixels"),
    Broken(lamps.the_chain_is_that_of_the_firmware, without("LP5"), "LP6 is not in the chain"),
    Broken(
        lamps.the_chain_is_that_of_the_firmware, rewired(("U2", "4Y", "LAMPS_AFTER_JUZ_B")), "LP3 DOUT meets another"
    ),
    Broken(lamps.data_is_shifted_to_5_v, rewired(("U2", "VCC", "+3V3")), "passes no gate at 5 V"),
    Broken(lamps.data_is_shifted_to_5_v, rewired(("U2", "1OE", "+5V")), "the gate is not enabled"),
    Broken(lamps.data_is_shifted_to_5_v, kind("R1", "resistor-10k"), "no 330 Ω"),
    Broken(lamps.data_is_shifted_to_5_v, without("R2"), "open while the chip starts"),
    Broken(lamps.spare_gates_are_tied, rewired(("U2", "3A", "")), "U2 3A is open"),
    Broken(lamps.spare_gates_are_tied, rewired(("U2", "4OE", "")), "U2 4OE is open"),
    Broken(lamps.spare_gates_are_tied, rewired(("U2", "2Y", "GND")), "U2 2Y drives GND"),
    Broken(leads.every_lead_is_protected, without("C14"), "J6 DALEJ has no 100 nF"),
    Broken(leads.every_lead_is_protected, without("R19"), "J9 SEDZIA has no 1 kΩ"),
    Broken(leads.every_lead_is_protected, rewired(("U1", "GPIO25", "JUZ_B_LEAD")), "J6 JUZ is on U1 GPIO25 itself"),
    Broken(leads.every_lead_is_protected, rewired(("U2", "1Y", "LAMPS_5V")), "J9 RING IN is on U2 1Y itself"),
    Broken(leads.everything_outside_has_a_plug, without("J10"), "KOSTKA_LEAD has no plug for tray"),
    Broken(leads.everything_outside_has_a_plug, without("J3"), "SDA_5V has no plug for side C"),
    Broken(leads.everything_outside_has_a_plug, fielded("J5", lead="buttons B"), "JUZ_A_LEAD has no plug for side A"),
    Broken(
        leads.plugs_that_fit_carry_the_same,
        lambda box: box.swapped(replace(box.by_ref["J3"], pins=box.by_ref["J3"].pins[::-1])),
        "plugs with 4 poles differ",
    ),
    Broken(leads.every_net_joins_two_pins, rewired(("LS1", "-", "NOWHERE")), "NOWHERE has one pin, LS1 -"),
    Broken(leads.every_display_has_its_own_address, fielded("DS3", address="0x71"), "('side C', '0x71')"),
    Broken(leads.every_display_has_its_own_address, without("DS4"), "displays are"),
    Broken(
        leads.the_bus_is_shifted_and_pulled_up,
        rewired(("U3", "HV1", "SCL_5V"), ("U3", "HV2", "SDA_5V")),
        "SDA does not pass the shifter",
    ),
    Broken(leads.the_bus_is_shifted_and_pulled_up, without("R4"), "SCL has no pull-up"),
    Broken(leads.the_bus_is_shifted_and_pulled_up, rewired(("DS1", "SDA", "SDA")), "DS1 SDA is on SDA"),
    Broken(leads.the_buzzer_is_switched, rewired(("Q1", "E", "+5V")), "between buzzer and ground"),
    Broken(leads.the_buzzer_is_switched, rewired(("R5", "2", "GND")), "no 330 Ω between pin and transistor"),
    Broken(leads.the_buzzer_is_switched, without("R6"), "base is open"),
    Broken(leads.poles_are_what_they_are_called, rewired(("J1", "1", "GND"), ("J1", "2", "+5V")), "J1 +5V is on GND"),
    Broken(
        leads.poles_are_what_they_are_called,
        rewired(("J5", "5", "DALEJ_A_LEAD"), ("J5", "6", "JUZ_A_LEAD")),
        "J5 JUZ is on DALEJ_A_LEAD",
    ),
    Broken(
        leads.poles_are_what_they_are_called,
        rewired(("J6", "3", "LAMPS_AFTER_DALEJ_B"), ("J6", "4", "LAMPS_AFTER_DALEJ_A")),
        "J6 IN is on LAMPS_AFTER_DALEJ_B",
    ),
    Broken(
        leads.poles_are_what_they_are_called,
        rewired(("J9", "3", "LAMPS_AFTER_DALEJ_D"), ("J9", "5", "LAMPS_5V")),
        "J9 RING IN is on LAMPS_AFTER_DALEJ_D",
    ),
    Broken(
        leads.poles_are_what_they_are_called,
        rewired(("J2", "3", "SCL_5V"), ("J2", "4", "SDA_5V")),
        "J2 SDA is on SCL_5V",
    ),
    Broken(leads.the_buzzer_is_switched, swapped_nets("D2"), "no diode across the buzzer"),
    Broken(leads.the_buzzer_is_switched, without("R9"), "a piezo would not discharge"),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{place}-{fault.rule.__name__}" for place, fault in enumerate(FAULTS)])
def test_a_circuit_broken_so_is_found(fault: Broken) -> None:
    whole = netlist("full", fault.chip)
    assert fault.rule(whole) == []
    found = fault.rule(fault.breaks(whole))
    assert any(fault.says in sentence for sentence in found), found


def test_every_rule_has_a_circuit_that_breaks_it() -> None:
    assert {fault.rule for fault in FAULTS} == set(RULES)


def test_a_fault_is_reported_with_its_rule() -> None:
    broken = netlist("full", "esp32").without("C4")
    assert faults(broken) == ["chips_have_their_capacitor: U2 has no capacitor"]


def test_no_part_can_be_left_out_unnoticed() -> None:
    box = netlist("full", "esp32")
    taken_for_granted = {"U1", "U2", "U3", "LP0", "BT1", "SW1", "Q1", "LS1"}  # without them a rule has nothing to read
    assert taken_for_granted < {part.ref for part in box.parts}
    others = [part.ref for part in box.parts if part.ref not in taken_for_granted]
    assert [ref for ref in others if not faults(box.without(ref))] == []


def test_a_battery_pin_beside_adc1_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(devkits.DEVKITS["esp32"], adc1=frozenset((32, 33)))
    monkeypatch.setitem(devkits.DEVKITS, "esp32", other)
    assert chip.battery_is_halved_on_adc1(netlist("full", "esp32")) == ["GPIO35 is not on ADC1"]


def test_an_input_that_the_firmware_does_not_know_to_be_bare_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(devkits.DEVKITS["esp32"], input_only=frozenset((33, 34)))
    monkeypatch.setitem(devkits.DEVKITS, "esp32", other)
    found = chip.bare_inputs_have_a_pull_up(netlist("full", "esp32"))
    assert "GPIO33 has no pull-up, and the firmware does not know" in found


def test_values_are_read_with_their_prefix() -> None:
    assert amount("4.7 kΩ") == pytest.approx(4700)
    assert amount("330 Ω") == pytest.approx(330)
    assert amount("1000 µF") == pytest.approx(1e-3)
    for wrong in ("1N5819", "5 V", "red"):
        with pytest.raises(ValueError, match=wrong):
            amount(wrong)
