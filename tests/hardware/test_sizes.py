"""The box by its numbers alone: parts fit, hands reach, eyes see. Nothing is modelled here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import atan2, cos, degrees, dist, hypot, radians, sin

import pytest

from hardware import bom
from hardware.enclosure import DEVKITS, SIZES, Sizes, fasteners, printed
from hardware.enclosure.layout import Layout, WillNotFit
from hardware.enclosure.sizes import PEOPLE, Battery, Button, Charger, Foam, Person, Receptacle, Ring

LAYOUT = Layout(SIZES)


def buttons(layout: Layout = LAYOUT) -> list[tuple[float, float]]:
    """The middles of all eight."""
    turned = []
    for x, y in layout.buttons.values():
        turned += [(x, y), (y, -x), (-x, -y), (-y, x)]
    return turned


def test_the_box_as_it_is_drawn_fits_together() -> None:
    LAYOUT.check()


@pytest.mark.parametrize(
    ("sizes", "word"),
    [
        (replace(SIZES, outer=240.0), "bed"),
        (replace(SIZES, collar=4.0), "clamp"),
        (replace(SIZES, button=Button(flange=45.0)), "flange"),
        (replace(SIZES, ring=Ring(outer=110.0, inner=96.0)), "ring"),
        (replace(SIZES, ring=Ring(outer=65.5, inner=52.3)), "lamp"),
        (replace(SIZES, battery=Battery(height=60.0)), "battery"),
        (replace(SIZES, battery=Battery(width=90.0)), "battery"),
        (replace(SIZES, rise=24.0), "names"),
        (replace(SIZES, foam=Foam(thickness=3.0)), "battery"),
        (replace(SIZES, charger=Charger(length=65.0)), "charger"),
        (replace(SIZES, charger=Charger(length=18.0)), "charger"),
        (replace(SIZES, charger=Charger(width=40.0)), "charger"),
        (replace(SIZES, charger=Charger(width=14.0)), "charger"),
        (replace(SIZES, charger=Charger(aside=9.0)), "socket"),
        (replace(SIZES, receptacle=Receptacle(thickness=6.5)), "Receptacles"),
    ],
)
def test_sizes_that_give_no_box_are_refused_in_one_sentence(sizes: Sizes, word: str) -> None:
    with pytest.raises(WillNotFit) as refused:
        Layout(sizes).check()
    assert word in str(refused.value)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "sizes",
    [
        replace(SIZES, button=Button(hole=28.0, flange=33.0)),
        replace(SIZES, battery=Battery(length=110.0, width=60.0, height=12.0, swelling=0.1)),
        replace(SIZES, deck=60.0),
        replace(SIZES, outer=214.0),
        *[
            replace(SIZES, charger=Charger(length=long, width=wide))
            for long, wide in ((20, 15), (25, 18), (30, 20), (58, 34))
        ],
    ],
)
def test_other_parts_that_are_sold_fit_too(sizes: Sizes) -> None:
    Layout(sizes).check()


def test_a_finger_has_room_between_any_two_buttons() -> None:
    gaps = [dist(one, two) - SIZES.button.flange for one, two in combinations(buttons(), 2)]
    assert min(gaps) >= 25.0


def test_a_sides_two_buttons_are_not_nearer_to_another_seat_than_to_each_other() -> None:
    (dalej, juz), others = LAYOUT.buttons.values(), buttons()
    nearest_other = min(dist(juz, one) for one in others if abs(one[1] - LAYOUT.buttons["juz"][1]) > 1e-6)
    assert dist(dalej, juz) <= nearest_other + 5.0


def test_collars_lie_on_the_deck_and_not_on_each_other() -> None:
    radius = LAYOUT.collar_radius
    assert LAYOUT.button_out + radius <= LAYOUT.half - 1.0
    assert LAYOUT.button_out - radius >= LAYOUT.tower_half
    assert all(dist(one, two) > 2 * radius for one, two in combinations(buttons(), 2))
    assert 2 * radius >= SIZES.button.flange + 2.0, "a ring of light shows around the flange"


def test_a_collars_lamp_lies_between_the_buttons_body_and_the_sides_middle() -> None:
    from_middle = SIZES.apart / 2 - LAYOUT.pixel_from_button
    cup = SIZES.pixel.diameter / 2 + SIZES.pixel.tolerance + 1.4
    assert from_middle > cup
    assert LAYOUT.pixel_from_button - cup > SIZES.button.hole / 2


def test_a_press_straight_down_is_always_within_the_feet() -> None:
    foot = max(x for x, _ in LAYOUT.feet)
    assert all(max(abs(x), abs(y)) < foot for x, y in buttons())


def test_no_screws_head_touches_the_table() -> None:
    assert SIZES.foot.height - SIZES.foot.recess > SIZES.screw.head_height + 1.0


def test_every_screw_bites_deep_enough_behind_the_piece_it_holds() -> None:
    for held in (SIZES.plate, SIZES.clamp):
        assert SIZES.screw.length - held >= SIZES.screw.bite
    assert SIZES.screw.pilot < SIZES.screw.diameter < SIZES.screw.through < SIZES.screw.head
    assert (SIZES.screw.boss - SIZES.screw.pilot) / 2 >= 4 * SIZES.printing.line


def test_no_screw_points_at_the_battery() -> None:
    x, y = LAYOUT.battery
    pack = SIZES.battery
    for at in [*LAYOUT.base_screws, *LAYOUT.tower_screws]:
        beside = abs(at[0] - x) - pack.width / 2 - SIZES.screw.head / 2
        before = abs(at[1] - y) - pack.length / 2 - SIZES.screw.head / 2
        assert max(beside, before) > 1.0, at


def bought_measures(kind: str, form: str) -> list[float]:
    """Those that the list of parts gives for it."""
    (package,) = [row.package for row in bom.rows() if row.kind == kind]
    found = re.search(form, package)
    assert found, package
    return [float(number) for number in found.groups()]


def test_the_largest_pack_that_is_listed_lies_in_its_bay_with_foam_and_without_pressure() -> None:
    number = r"([\d.]+)"
    length, width, height = bought_measures("battery", f"{number} x {number} x {number} mm")
    wide, thick, long = bought_measures("foam-tape", f"{number} mm wide, {number} mm thick, {number} mm long")
    air = LAYOUT.battery_top - SIZES.plate - height * (1 + SIZES.battery.swelling) - SIZES.foam.layers * thick
    assert air >= 0.5
    assert (wide, thick) == (SIZES.foam.width, SIZES.foam.thickness)
    assert long >= 4 * length, "two strips below, one above, one more for a low pack"
    assert SIZES.battery.tolerance >= 1.0
    assert (length, width) == (SIZES.battery.length, SIZES.battery.width)


def test_a_pack_that_swells_still_has_room() -> None:
    flat = Layout(replace(SIZES, battery=Battery(length=110.0, width=60.0, height=12.0, swelling=0.1)))
    assert flat.battery_top - SIZES.plate - SIZES.foam.layers * SIZES.foam.thickness > 12.0 * 1.1


def test_the_lantern_goes_onto_the_tower_in_one_way_only() -> None:
    """In the three others one of its bosses at least is beside every hole, by more than a screw's play."""
    play = SIZES.screw.through - SIZES.screw.diameter
    for quarter in (1, 2, 3):
        away = LAYOUT.ring_bosses
        for _ in range(quarter):
            away = [(y, -x) for x, y in away]
        assert max(min(dist(boss, hole) for hole in LAYOUT.ring_bosses) for boss in away) > 2 * play + 2.0


def test_every_lead_that_leaves_the_box_is_tied() -> None:
    assert fasteners(kostka=False)["cable-tie"] == len(LAYOUT.leads)


@pytest.mark.parametrize("chip", DEVKITS)
def test_either_devkit_fits_on_the_carrier_beside_its_connectors(chip: str) -> None:
    kit = DEVKITS[chip]
    assert kit.length <= SIZES.carrier.length - 6.0
    assert kit.width <= SIZES.carrier.width - 20.0
    assert kit.pins_in_row * 2.54 <= kit.length
    assert kit.rows_apart < kit.width


def sight(eye: float, distance: float) -> tuple[float, float]:
    """Degrees above the table, and between line of sight and the display's normal, at the window's middle."""
    slope = radians(SIZES.slope)
    up = sum(LAYOUT.window) / 2
    z = SIZES.deck + up * sin(slope)
    out = LAYOUT.tower_half - up * cos(slope)
    elevation = degrees(atan2(eye - z, distance - out))
    return elevation, abs(elevation - (90.0 - SIZES.slope))


@pytest.mark.parametrize("person", PEOPLE, ids=lambda person: person.name)
def test_everyone_looks_at_a_display_nearly_straight(person: Person) -> None:
    assert sight(person.eye_height, person.distance)[1] <= 20.0


@pytest.mark.parametrize("person", PEOPLE[:2], ids=lambda person: person.name)
def test_no_button_hides_a_display_from_its_seat(person: Person) -> None:
    slope = radians(SIZES.slope)
    low = LAYOUT.window[0]
    window = LAYOUT.tower_half - low * cos(slope), SIZES.deck + low * sin(slope)
    button = LAYOUT.button_out - 12.0, SIZES.deck + SIZES.collar + SIZES.button.height
    to_window = (person.eye_height - window[1]) / (person.distance - window[0])
    assert window[1] + to_window * (button[0] - window[0]) > button[1] + 3.0


def test_digits_are_legible_at_three_metres() -> None:
    minutes_of_arc = degrees(atan2(SIZES.display.digit * sin(radians(90 - 15)), 3000.0)) * 60
    assert minutes_of_arc >= 10.0, "twice what a normal eye needs"


def test_the_lantern_holds_its_ring_and_the_red_button() -> None:
    assert LAYOUT.lantern_radius >= SIZES.ring.outer / 2 + SIZES.ring.tolerance + 2.0
    boss = SIZES.screw.boss / 2
    assert LAYOUT.ring_boss - boss > SIZES.button.flange / 2
    assert LAYOUT.ring_boss + boss < SIZES.ring.inner / 2 - SIZES.ring.tolerance - 1.6
    assert hypot(*LAYOUT.tower_screws[0]) > LAYOUT.lantern_radius


def test_a_plug_reaches_the_chargers_socket_through_the_wall() -> None:
    x, y = LAYOUT.charger
    behind_wall = LAYOUT.half - (y + SIZES.charger.length / 2)
    assert behind_wall <= SIZES.wall + 1.0
    assert LAYOUT.usb[1] - SIZES.charger.plug_height / 2 - 0.5 > SIZES.plate
    assert x + SIZES.charger.width / 2 < LAYOUT.half - SIZES.wall - 10.0


def test_the_small_build_closes_every_hole_it_does_not_use() -> None:
    full, small = printed("full"), printed("small")
    assert full["collar-juz"] + full["collar-dalej"] == 8
    assert small["collar-juz"] + small["collar-dalej"] + small["plug"] == 8
    assert small | {"plug": 0} == full | {"plug": 0, "collar-juz": 1, "collar-dalej": 1}


def test_a_box_without_a_tray_needs_less() -> None:
    more, less = fasteners(), fasteners(kostka=False)
    assert more["screw-m3x10"] - less["screw-m3x10"] == 5
    assert more["foot"] - less["foot"] == 4
    assert set(printed()) - set(printed(kostka=False)) == {"tray-stand", "tray-chute"}


@pytest.mark.parametrize("count", [printed, fasteners])
def test_a_build_that_does_not_exist_has_no_list(count: Callable[[str], dict[str, int]]) -> None:
    with pytest.raises(KeyError):
        count("huge")
