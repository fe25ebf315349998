"""The rules of facts.md section 8 and of hardware/README.md that a circuit keeps: one function each.

A rule takes a netlist and returns what is wrong with it, one sentence for each fault; nothing if all is well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardware.circuit.netlist import Netlist
from hardware.circuit.rules import chip, lamps, leads, supply

Rule = Callable[[Netlist], list[str]]

RULES: Final[tuple[Rule, ...]] = (
    chip.pins_are_those_of_the_firmware,
    chip.contacts_reach_their_buttons,
    chip.inputs_are_free_pins,
    chip.bare_inputs_have_a_pull_up,
    chip.nothing_at_5_v_reaches_the_chip,
    chip.outputs_give_less_than_40_ma,
    chip.battery_is_halved_on_adc1,
    supply.every_part_is_supplied,
    supply.usb_and_converter_do_not_feed_each_other,
    supply.the_cell_is_protected,
    supply.nothing_is_soldered_to_the_pack,
    supply.a_brown_out_is_bridged,
    supply.electrolytics_are_the_right_way_round,
    supply.chips_have_their_capacitor,
    lamps.the_chain_is_that_of_the_firmware,
    lamps.data_is_shifted_to_5_v,
    lamps.spare_gates_are_tied,
    leads.every_lead_is_protected,
    leads.everything_outside_has_a_plug,
    leads.plugs_that_fit_carry_the_same,
    leads.poles_are_what_they_are_called,
    leads.every_net_joins_two_pins,
    leads.every_display_has_its_own_address,
    leads.the_bus_is_shifted_and_pulled_up,
    leads.the_buzzer_is_switched,
)


def faults(box: Netlist) -> list[str]:
    """What any rule finds, each as `rule: sentence`."""
    return [f"{rule.__name__}: {fault}" for rule in RULES for fault in rule(box)]
