"""The flat box's circuit and layout are what data sheets ask for, as `datasheets` beside this file has them by hand. No
picture and no KiCad is asked here: whoever draws all of it anew has changed nothing of this.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from math import atan2, cos, degrees, hypot, radians, sin
from pathlib import Path
from typing import Final

import pytest

from hardware.flat import layout
from hardware.flat.circuit import Part, circuit
from tests.hardware.flat import datasheets as said

BOX: Final = circuit()
AT: Final = layout.places(BOX)
SIDES: Final = {"A": (0, 1), "B": (-1, 0), "C": (0, -1), "D": (1, 0)}
"""Where each side's player sits, seen from above: x to the right, y downwards."""


def amount(part: Part) -> float:
    """Ohm or farad, read without the circuit's own reader; the part's kind says the same."""
    found = re.fullmatch(r"([\d.]+) ([knµ]?)([ΩF])", part.kind.value)
    assert found, part.kind.value
    prefix, unit = found[2], found[3]
    kind = re.fullmatch(r"(resistor|capacitor)-(\d+)([knuµ]?)(\d*)", part.kind.name)
    assert kind, part.kind.name
    assert (kind[1], kind[3].replace("u", "µ")) == ("resistor" if unit == "Ω" else "capacitor", prefix)
    assert float(f"{kind[2]}.{kind[4] or 0}") == float(found[1])
    return float(found[1]) * {"": 1, "k": 1e3, "n": 1e-9, "µ": 1e-6}[prefix]


def ohms(ref: str) -> float:
    return amount(BOX.by_ref[ref])


def nets_of(part: Part) -> dict[str, str]:
    """By the pins' names; pins of one name are on one net."""
    found: dict[str, str] = {}
    for (_, name, _), net in zip(part.kind.pins, part.nets, strict=True):
        assert found.setdefault(name, net) == net, f"{part.ref} {name}"
    return found


# Pins


def test_pins_have_the_numbers_and_names_of_their_data_sheets() -> None:
    for part in BOX.parts:
        if part.kind.name in said.PINS:
            assert {number: name for number, name, _ in part.kind.pins} == said.PINS[part.kind.name], part.ref
        else:
            assert part.kind.name.startswith(said.UNPOLARISED), f"{part.ref} is not in the table"


def test_parts_are_of_the_types_whose_data_sheets_these_are() -> None:
    for name, value in said.TYPES.items():
        assert {part.kind.value.startswith(value) for part in BOX.parts if part.kind.name == name} == {True}, name


def test_pads_are_those_of_the_footprints_that_number_them_so() -> None:
    for name, footprint in said.FOOTPRINTS.items():
        assert {part.kind.footprint for part in BOX.parts if part.kind.name == name} == {footprint}, name


def test_what_the_pins_of_a_chip_cannot_do_is_asked_of_none() -> None:
    for chip, gpios in said.GPIOS.items():
        used = set(gpios.values())
        assert len(used) == len(gpios)
        assert not used & (said.STRAPPING[chip] | said.FLASH_AND_PORT[chip])
        assert not {gpios[name] for name in ("SDA", "SCL", "LAMPS", "BUZZER")} & said.INPUT_ONLY[chip]
        assert gpios["BATTERY_HALF"] in said.ADC1[chip]


# The circuit


def test_each_pin_of_the_module_is_on_the_net_of_its_name() -> None:
    wanted = {**said.OWN, **{f"IO{pin}": name for name, pin in said.GPIOS["esp32s3"].items()}}

    for name, net in nets_of(BOX.by_ref["U1"]).items():
        assert net == wanted.get(name, ""), name


def test_what_can_be_wired_the_wrong_way_round_is_wired_as_written_down() -> None:
    for ref, wanted in said.NETS.items():
        assert nets_of(BOX.by_ref[ref]) == wanted, ref
    assert nets_of(BOX.by_ref["J1"]) == said.SOCKET
    main = {part.ref for part in BOX.parts if part.piece == "main" and part.kind.name in said.PINS}
    assert {ref for ref in main if not ref.startswith("LP")} - said.NETS.keys() == {"U1", "J1"}


def test_each_key_closes_to_ground_and_is_seen_at_its_pin() -> None:
    for number, key in enumerate(said.KEYS, 1):
        assert BOX.by_ref[f"S{number}"].nets == (f"{key}_KEY", "GND")


def test_data_runs_from_lamp_to_lamp_in_the_order_written_down() -> None:
    chain = [*(f"RING_{place}" for place in range(said.RING_PIXELS)), *said.KEYS]
    net = "LAMPS_5V"

    assert len([part for part in BOX.parts if part.kind.name == "lamp"]) == len(chain)
    for number, lights in enumerate(chain, 1):
        lamp = BOX.by_ref[f"LP{number}"]
        after = "" if number == len(chain) else f"LAMPS_{number}"
        assert lamp.field("lights") == lights
        assert nets_of(lamp) == {"VDD": "+5V", "VSS": "GND", "DIN": net, "DOUT": after}, lamp.ref
        net = after


@pytest.mark.parametrize("side", SIDES)
def test_a_display_is_wired_as_written_down(side: str) -> None:
    parts = [part for part in BOX.parts if part.piece == side]
    own = {part.kind.name: nets_of(part) for part in parts if part.kind.name in ("display-driver", "display-socket")}
    driver = own["display-driver"]
    used = {*said.COLUMNS.values(), *(row for row in said.ROWS.values() if row != "POINTS"), "ROW7"}

    assert own["display-socket"] == {
        "GND": f"{side}_GND",
        "SCL": f"{side}_SCL",
        "SDA": f"{side}_SDA",
        "5V": f"{side}_5V",
    }
    supplies = {"VSS": "GND", "VDD": "5V", "SCL": "SCL", "SDA": "SDA"}
    wanted = {**supplies, **{name: name for name in used}}
    assert driver == {name: f"{side}_{wanted[name]}" if name in wanted else "" for name in driver}
    diodes = [nets_of(part) for part in parts if part.kind.name == "diode"]
    assert diodes == [{"A": f"{side}_COM0", "K": f"{side}_ADDRESS"}]
    straps = {part.across(f"{side}_ADDRESS") for part in BOX.on(f"{side}_ADDRESS", "resistor") if part.fitted}
    assert straps == {f"{side}_{row}" for row in said.STRAPS[side]}


@pytest.mark.parametrize("side", SIDES)
def test_each_led_shines_where_its_segment_is(side: str) -> None:
    leds = [part for part in BOX.parts if part.piece == side and part.kind.name == "led"]
    middles = [(-28.5, "1"), (-11.0, "2"), (11.0, "3"), (28.5, "4")]
    there = Counter((led.field("digit"), led.field("segment")) for led in leds)
    digits = {(digit, segment): count for segment, count in said.LEDS.items() for digit in "1234"}

    assert there == {
        key: count for key, count in {**digits, ("0", "colon"): 2}.items() if (key[0] == "0") == (key[1] == "colon")
    } | {("0", "colon"): 2}
    for led in leds:
        digit, segment, at = led.field("digit"), led.field("segment"), AT[led.ref]
        assert led.nets == (f"{side}_{said.COLUMNS[digit]}", f"{side}_{said.ROWS[segment]}"), led.ref
        assert not at.back
        if segment == "colon":
            assert abs(at.x) < 1
            assert 3 < abs(at.y) < 7
            continue
        (middle,) = (x for x, name in middles if name == digit)
        right, below = said.WHERE[segment]
        assert (_sign(at.x - middle, 3.5), _sign(at.y, 2.5)) == (right, below), f"{led.ref} {segment}"
        upright = segment in "bcef"
        assert at.angle == (90 if upright else 0), "cathodes are on the left and below, where a person looks for them"


def _sign(number: float, least: float) -> int:
    return 0 if abs(number) < least else 1 if number > 0 else -1


# What stands on the board


def out(x: float, y: float, angle: float) -> tuple[float, float]:
    """A direction of a footprint that is turned counter-clockwise, where y is downwards."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return x * c + y * s, y * c - x * s


@pytest.mark.parametrize("ref", said.LOOKS)
def test_what_looks_out_of_the_box_looks_outwards_at_its_edge(ref: str) -> None:
    at = AT[ref]
    x, y = out(*said.LOOKS[ref], at.angle)
    far = hypot(at.x, at.y)

    assert far > 65
    assert (x * at.x + y * at.y) / far > 0.99
    assert not at.back


@pytest.mark.parametrize(("side", "number", "socket"), [("A", 2, 101), ("B", 3, 201), ("C", 4, 301), ("D", 5, 401)])
def test_pins_meet_the_poles_of_the_display_s_socket(side: str, number: int, socket: int) -> None:
    """A display stands upright and looks outwards, its socket on its back: its right is its player's right."""
    pins, poles = AT[f"J{number}"], AT[f"J{socket}"]
    right = SIDES[side][1], -SIDES[side][0]
    along = []
    for x, y in said.PINS_MM:
        dx, dy = out(x, y, pins.angle)
        along.append((pins.x + dx) * right[0] + (pins.y + dy) * right[1])
    # KiCad turns a footprint over from top to bottom, and then by its angle as it is seen from in front
    across = [poles.x + out(0, -y, poles.angle)[0] for y in said.SOCKET_MM]

    assert poles.back
    assert along == pytest.approx(across, abs=0.01)


def test_keys_lie_before_their_players_juz_on_the_right() -> None:
    for number, key in enumerate(said.KEYS[:8], 1):
        name, side = key.split("_")
        at, (x, y) = AT[f"S{number}"], SIDES[side]
        assert at.x * x + at.y * y > 50, key
        assert (at.x * y - at.y * x > 10) == (name == "JUZ"), key
    assert (AT["S9"].x, AT["S9"].y) == (0, 0)


def test_a_lamp_is_beside_its_key() -> None:
    for number, key in enumerate(said.KEYS, 1):
        lamp = AT[f"LP{said.RING_PIXELS + number}"]
        assert hypot(lamp.x - AT[f"S{number}"].x, lamp.y - AT[f"S{number}"].y) < 20, key


def test_the_ring_begins_on_a_s_right_and_runs_clockwise() -> None:
    for place in range(said.RING_PIXELS):
        at = AT[f"LP{place + 1}"]
        turn = (360 - degrees(atan2(at.x, at.y))) % 360  # clockwise from side A's middle
        assert turn == pytest.approx((360 - 37.5 + 15 * place) % 360, abs=0.1)
        assert hypot(at.x, at.y) == pytest.approx(30, abs=5)
        assert at.angle % 360 == pytest.approx((37.5 - 15 * place) % 360), "all are turned alike, seen from the middle"


def test_a_capacitor_is_beside_its_lamp_and_its_chip() -> None:
    pairs = [(f"C{50 + number}", f"LP{number}", 6) for number in range(1, 34)]
    pairs += [("C10", "U3", 6), ("C8", "U1", 16), ("C4", "U2", 7), ("C5", "U2", 7), ("C1", "F1", 6), ("C9", "R20", 4)]
    pairs += [(f"C{base + 1}", f"U{base + 1}", 13) for base in (100, 200, 300, 400)]
    for capacitor, other, most in pairs:
        assert hypot(AT[capacitor].x - AT[other].x, AT[capacitor].y - AT[other].y) < most, f"{capacitor}, {other}"


# Values


def test_each_resistor_and_capacitor_is_where_its_role_is_and_within_its_range() -> None:
    roles = said.roles()
    found = {part.ref: part for part in BOX.of_kind("resistor", "capacitor")}

    assert set(found) == set(roles)
    for ref, part in found.items():
        assert frozenset(part.nets) == roles[ref].nets, f"{ref}, {roles[ref].what}"
        assert roles[ref].least <= amount(part) <= roles[ref].most, f"{ref}, {roles[ref].what}: {part.kind.value}"


def test_every_part_works_with_what_usb_may_have() -> None:
    low, high = said.RAIL_VOLTS
    for kind in ("display-driver", "lamp", "buffer", "regulator"):
        assert said.SUPPLIES[kind][0] <= low < high <= said.SUPPLIES[kind][1], kind
    assert said.SUPPLIES["module"][0] <= said.OUT_VOLTS <= said.SUPPLIES["module"][1]
    assert low - said.DROPOUT_VOLTS > said.OUT_VOLTS


def test_the_halves_of_the_divider_are_equal_and_what_is_read_is_in_range() -> None:
    assert ohms("R7") == ohms("R8")
    assert 1 + ohms("R7") / ohms("R8") == said.DIVIDER
    assert 1000 * said.RAIL_VOLTS[1] / said.DIVIDER < said.ADC_MV["esp32s3"]


def test_a_contact_that_closes_is_seen_at_once_and_pulls_its_pin_low() -> None:
    """A pin reads low below a quarter of 3.3 V; it has a pull-up of its own, Kostka has R21 beside it."""
    for number in range(10, 20):
        series = ohms(f"R{number}")
        pull_up = ohms("R21") if number == 10 else said.PULL_UP_OHMS
        capacitor = amount(BOX.by_ref["C20" if number == 10 else f"C{number}"])
        assert series / (series + pull_up) < 0.25
        assert series * capacitor < 1e-3
        assert pull_up * capacitor < 0.030 / 3, "and a contact that opens long before a bounce is over"


def test_the_buzzer_s_transistor_is_switched_on_and_its_diode_bears_the_coil() -> None:
    most = 1000 * said.RAIL_VOLTS[1] / said.BUZZER_OHMS
    base = 1000 * (said.OUT_VOLTS - said.BASE_VOLTS) / ohms("R23")

    assert most < base * said.GAIN
    assert base < said.GPIO_MA
    assert most < said.FLYBACK_MA
    told = re.search(r"(\d+) Ω$", BOX.by_ref["LS1"].kind.value)
    assert told
    assert int(told[1]) >= said.BUZZER_OHMS
    assert BOX.by_ref["LS1"].kind.value.startswith("passive")


def test_the_buzzer_s_pin_low_is_off_and_open_is_off() -> None:
    """An NPN transistor below the buzzer, and a resistor that holds its base at its emitter."""
    assert said.OUT_VOLTS * ohms("R24") / (ohms("R23") + ohms("R24")) > said.BASE_VOLTS, "nor does it keep it off"


def test_a_chip_can_pull_the_bus_down() -> None:
    for low, high in (("R25", "R27"), ("R26", "R28")):
        assert 1000 * (said.OUT_VOLTS / ohms(low) + said.RAIL_VOLTS[1] / ohms(high)) < said.SINK_MA


def test_the_fuse_holds_what_a_bank_gives_and_trips_before_a_cable_is_hot() -> None:
    told = re.fullmatch(r"([\d.]+) A, resettable", BOX.by_ref["F1"].kind.value)
    assert told
    assert 1.1 <= float(told[1]) <= 2.0


def test_what_is_ordered_is_what_the_table_is_about() -> None:
    with Path(layout.__file__).with_name("order.csv").open(encoding="utf-8", newline="") as file:
        numbers = {row["kind"]: row["number"] for row in csv.DictReader(file)}

    for kind, part_of_it in said.ORDERED.items():
        assert part_of_it in numbers[kind], kind
    soldered = {part.kind.name for part in BOX.parts}
    valued = {kind for kind in soldered if kind.startswith(("resistor-", "capacitor-"))}
    assert valued <= said.ORDERED.keys() <= soldered


def test_nothing_but_the_straps_is_left_out() -> None:
    left = {part.ref for part in BOX.parts if not part.fitted}
    assert left == {"R101", "R102", "R202", "R301"}
