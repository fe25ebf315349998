"""Circuit and list of parts are what data sheets ask for, as tests/hardware/datasheets.py has them by hand. No kept
picture is asked here: whoever draws all of them anew has changed nothing of this.
"""

from __future__ import annotations

import re

import pytest

from hardware import bom, bom_polish, figures, power
from hardware.circuit.box import CHIPS
from hardware.circuit.devkits import DEVKITS
from hardware.circuit.netlist import Netlist, netlist
from moveclock import view
from tests.hardware import datasheets as said
from tests.hardware.boxes import amount, each_box, listed, ohms

box = each_box()


# Pins


def test_pins_have_the_numbers_and_names_of_their_data_sheets(box: Netlist) -> None:
    for part in box.of_kind(*said.PINS):
        assert {pin.number: pin.name for pin in part.pins} == said.PINS[part.kind], part.ref


def test_pads_have_the_names_that_are_printed_beside_them(box: Netlist) -> None:
    for part in (part for part in box.parts if part.kind in said.PADS):
        assert {pin.name for pin in part.pins} == said.PADS[part.kind], part.ref


def test_no_part_is_left_out_of_the_table(box: Netlist) -> None:
    known = (*said.PINS, *said.PADS, *said.UNPOLARISED, "devkit", "connector-")

    assert [part.ref for part in box.parts if not part.kind.startswith(known)] == []
    polarised = set(said.NETS) | {part.ref for part in box.of_kind("pixel", "button", "kostka-switch")}
    wired = {part.ref for part in box.of_kind(*said.PINS, *said.PADS, "fuse", "switch")}
    assert wired <= polarised


def test_parts_are_of_the_types_whose_data_sheets_these_are(box: Netlist) -> None:
    for kind, name in said.TYPES.items():
        for part in box.of_kind(kind):
            assert part.value.startswith(name), part.ref
        assert [row.value.startswith(name) for row in bom.rows() if row.kind == kind] == [True]


@pytest.mark.parametrize("chip", CHIPS)
def test_the_headers_of_a_board_are_those_of_its_maker(chip: str) -> None:
    rows = [tuple(map(_header, row.split())) for row in said.HEADERS[chip]]

    assert (DEVKITS[chip].left, DEVKITS[chip].right) == tuple(rows)
    u1 = netlist("full", chip).by_ref["U1"]
    numbered = [
        (f"{side}{place}", name) for side, row in zip("LR", rows, strict=True) for place, name in enumerate(row, 1)
    ]
    assert [(pin.number, pin.name) for pin in u1.pins] == numbered


def _header(printed: str) -> str:
    name = said.PRINTED.get(printed, printed).removeprefix("IO")
    return f"GPIO{name}" if name.isdigit() else name


@pytest.mark.parametrize("chip", CHIPS)
def test_what_the_pins_of_a_chip_cannot_do_is_what_its_data_sheet_says(chip: str) -> None:
    devkit = DEVKITS[chip]
    there = {int(name[4:]) for _, name in devkit.rows if name.startswith("GPIO")}

    assert devkit.strapping == said.STRAPPING[chip]
    assert devkit.adc1 == said.ADC1[chip]
    assert devkit.input_only & there == said.INPUT_ONLY[chip]
    assert devkit.taken >= said.FLASH_AND_PORT[chip]
    used = set(said.GPIOS[chip].values())
    assert len(used) == len(said.GPIOS[chip])
    assert not used & (said.STRAPPING[chip] | said.FLASH_AND_PORT[chip])
    driven = {said.GPIOS[chip][name] for name in ("SDA", "SCL", "LAMPS", "BUZZER")}
    assert not driven & said.INPUT_ONLY[chip]
    assert said.GPIOS[chip]["BATTERY_HALF"] in said.ADC1[chip]


# The circuit


def test_each_pin_of_the_chip_s_board_is_on_the_net_of_its_name(box: Netlist) -> None:
    feeds = {"GND": "GND", "3V3": "+3V3", "5V": "+5V_BOARD"}
    names = {pin: name for name, pin in said.GPIOS[box.chip].items() if box.kostka or name != "KOSTKA"}
    if box.build == "small":
        seats = {pin: name.removesuffix("_A") for pin, name in names.items() if name.endswith("_A")}
        names = {pin: name for pin, name in names.items() if name[-2:] not in ("_B", "_C", "_D")} | seats
    nets = {pin.number: (pin.name, pin.net) for pin in box.by_ref["U1"].pins}

    for name, net in nets.values():
        wanted = names.get(int(name[4:]), "") if name.startswith("GPIO") else feeds.get(name, "")
        assert net == wanted, name


def test_what_can_be_wired_the_wrong_way_round_is_wired_as_written_down(box: Netlist) -> None:
    for ref, wanted in said.NETS.items():
        for pin in box.by_ref[ref].pins:
            assert pin.net == wanted.get(pin.name, pin.net), f"{ref} {pin.name}"
        assert wanted.keys() <= {pin.name for pin in box.by_ref[ref].pins}


def test_each_contact_is_a_button_of_its_colour_on_its_side_that_closes_to_ground(box: Netlist) -> None:
    contacts = [*said.CHAIN[box.build], *(["KOSTKA"] if box.kostka else [])]
    closing = list(box.of_kind("button", "kostka-switch"))

    assert {part.net("NO") for part in closing} == {f"{contact}_LEAD" for contact in contacts}
    for part in closing:
        name, _, side = part.net("NO").removesuffix("_LEAD").partition("_")
        assert (part.kind, part.net("COM")) == (said.BUTTONS[name], "GND"), part.ref
        place = {"SEDZIA": "top", "KOSTKA": "tray"}.get(name, f"side {side or 'A'}")
        assert part.place == place, part.ref


def test_data_runs_from_lamp_to_lamp_in_the_order_written_down(box: Netlist) -> None:
    net = "LAMPS_AFTER_RING"
    lamps = {part.fields["lights"]: part for part in box.of_kind("pixel")}

    assert int(box.by_ref["LP0"].fields["pixels"]) == said.RING_PIXELS == view.RING
    assert list(lamps) == list(said.CHAIN[box.build])
    for name in said.CHAIN[box.build]:
        after = "" if name == "SEDZIA" else f"LAMPS_AFTER_{name}"
        assert (lamps[name].net("DIN"), lamps[name].net("DOUT")) == (net, after)
        assert (lamps[name].net("5V"), lamps[name].net("GND")) == ("+5V", "GND")
        net = after


def test_data_goes_in_at_din_and_comes_out_at_dout(box: Netlist) -> None:
    ways = {"DIN": "INPUT", "DOUT": "OUTPUT", **{f"{gate}{way}": func for gate in "1234" for way, func in
            (("A", "INPUT"), ("OE", "INPUT"), ("Y", "OUTPUT"))}}  # fmt: skip
    for part in box.of_kind("ring", "pixel", "buffer"):
        assert [pin.name for pin in part.pins if pin.func != ways.get(pin.name, "PWRIN")] == [], part.ref


def test_each_display_has_the_address_of_its_side(box: Netlist) -> None:
    assert {part.place: part.fields["address"] for part in box.of_kind("display")} == said.ADDRESSES


# Values


def test_each_resistor_and_capacitor_is_where_its_role_is_and_within_its_range(box: Netlist) -> None:
    roles = said.roles(box.build)
    found = {part.ref: part for part in box.of_kind("resistor", "capacitor")}
    without = set() if box.kostka else {"R20", "C20", "R21"}

    assert set(found) == set(roles) - without
    for ref, part in found.items():
        assert frozenset(part.nets) == roles[ref].nets, f"{ref}, {roles[ref].what}"
        assert roles[ref].least <= amount(part) <= roles[ref].most, f"{ref}, {roles[ref].what}: {part.value}"


def test_the_halves_of_the_divider_are_equal(box: Netlist) -> None:
    assert ohms(box, "R7") == ohms(box, "R8")
    taken = 1000 * said.CELL_VOLTS[1] / (ohms(box, "R7") + ohms(box, "R8"))
    assert figures.DIVIDER.typical <= taken <= figures.DIVIDER.worst
    assert said.ADC_MV[0] > 1000 * said.CHARGED_VOLTS / said.DIVIDER


def test_a_contact_that_closes_is_seen_at_once_and_pulls_its_pin_low(box: Netlist) -> None:
    """A pin reads low below a quarter of 3.3 V. An ESP32's own pull-up has about 45 kOhm; Kostka's is R21."""
    for part in box.of_kind("resistor-1k"):
        lead = next((net for net in part.nets if net.endswith("_LEAD")), None)
        if lead:
            pull_up = ohms(box, "R21") if lead == "KOSTKA_LEAD" else 45e3
            assert amount(part) / (amount(part) + pull_up) < 0.25
            (capacitor,) = box.between(lead, "GND", "capacitor")
            assert amount(part) * amount(capacitor) < 1e-3
            assert pull_up * amount(capacitor) < 0.030 / 3, "and a contact that opens long before a bounce is over"


def test_the_buzzer_s_transistor_is_switched_on_and_its_diode_bears_the_coil(box: Netlist) -> None:
    most = 1000 * 5.25 / said.BUZZER_OHMS
    base = 1000 * (3.3 - said.BASE_VOLTS) / ohms(box, "R5")

    assert most < base * said.GAIN
    assert base < said.GPIO_MA
    assert most < said.FLYBACK_MA
    told = re.search(r"(\d+) Ω or more", box.by_ref["LS1"].value)
    assert told
    assert int(told[1]) >= said.BUZZER_OHMS
    assert box.by_ref["LS1"].value.startswith("passive")


def test_a_display_can_pull_the_bus_down(box: Netlist) -> None:
    for ref in ("R3", "R4"):
        assert 1000 * (3.3 / ohms(box, ref) + 3.3 / 10e3 + 5.25 / 10e3) < said.SINK_MA


def test_the_diode_to_the_board_bears_what_the_board_takes() -> None:
    assert figures.CHIP_PEAK.worst + figures.BOARD.worst < said.SCHOTTKY_MA / 2


# The list of parts


@pytest.mark.parametrize("kind", ["capacitor-470u", "capacitor-1000u"])
def test_capacitors_on_5_v_bear_more(kind: str) -> None:
    told = re.search(r"(\d+) V or more", listed(kind).package)

    assert told
    assert int(told[1]) >= said.BULK_VOLTS


def test_the_cells_are_bought_in_parallel_and_as_many_as_are_reckoned_with() -> None:
    battery, polish = listed("battery"), bom_polish.words()["battery", ""]
    few, many = (cells * said.CELLS / 1000 for cells in said.CELL_MAH)

    assert power.CELLS == said.CELLS
    for text in (battery.look_for, polish.look_for):
        assert f"1S{said.CELLS}P" in text
        assert not re.search(rf"[2-9]S\d?P|1S(?!{said.CELLS}P)\d+P", text)
    assert re.search(rf"\b{said.CELLS} cells of 3\.\d Ah or more in parallel, never in series", battery.look_for)
    assert re.search(rf"\b{said.CELLS} ogniw po 3,\d Ah lub więcej równolegle, nigdy szeregowo", polish.look_for)
    assert "three by two cells" in battery.package
    assert "trzy na dwa ogniwa" in polish.package
    for text in (battery.look_for, polish.look_for):
        told = re.search(r"(\d+) Ah", text[text.index("3.7 V" if text is battery.look_for else "3,7 V") :])
        assert told
        assert few <= int(told[1]) <= many
    assert battery.value == "3.7 V, protected"
    assert (battery.full, battery.small) == (1, 1)
    assert all(few <= said.CELLS * each <= many for each in (figures.CELL.typical, figures.CELL.worst))
    assert f"{said.CELLS} cells of 40 mΩ in parallel" in figures.RESISTANCE.source
    assert "one cell (1S, 3.7 V)" in listed("charger").look_for


def test_the_fuse_bears_the_charger_and_blows_before_its_lead_is_hot(box: Netlist) -> None:
    low, high = said.FUSE_A
    told = [float(text.partition(" ")[0]) for text in (box.by_ref["F1"].value, listed("fuse").value)]

    assert set(told) == {power.FUSE_A}
    assert power.CHARGING_A < low <= power.FUSE_A <= high
    assert box.by_ref["F1"].value.endswith("A, slow")
