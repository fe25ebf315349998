"""What the guide has a maker measure before anything can be damaged: plugs, power lead, battery, threaded wires."""

from __future__ import annotations

import html
import re
from itertools import product
from typing import Final

import pytest

from hardware import bom, harness
from hardware.circuit import checks
from hardware.circuit.box import BUILDS, CHIPS
from hardware.circuit.carrier import RAILS, spots
from hardware.circuit.netlist import Netlist, netlist
from hardware.drawing import PICTURES
from tests.hardware.test_guide import LANGUAGES, codes, pictures, sections, table
from tests.hardware.test_guide_facts import GUIDES

BOXES: Final = tuple(product(BUILDS, CHIPS))


def part_of(language: str, title: str) -> str:
    """The text of the section whose title begins so, in one line."""
    text = next(section.text for section in sections(GUIDES[language]) if section.title.startswith(title))
    return " ".join(text.split())


def poles(box: Netlist, ref: str, *, turned: bool = False) -> list[str]:
    """The nets at a plug's wires 1, 2, …, with its header as drawn or turned round."""
    found = [pin.net for pin in box.by_ref[ref].pins]
    return found[::-1] if turned else found


def beeps(box: Netlist, ref: str, *, turned: bool = False) -> tuple[bool, bool]:
    """Whether wire 1 beeps with the hole of J11's pole 1, and wire 2 with that of its pole 2."""
    supply, ground, _ = poles(box, "J11")
    first, second, *_ = poles(box, ref, turned=turned)
    return first == supply, second == ground


# --- headers that are turned round -----


@pytest.mark.parametrize("variant", BOXES, ids="-".join)
def test_a_beep_tells_a_header_that_is_turned_round(variant: tuple[str, str]) -> None:
    box = netlist(*variant)

    for plug in box.of_kind("connector"):
        if plug.ref != "J11":
            assert beeps(box, plug.ref) == (plug.ref != "J10", True), plug.ref
            assert beeps(box, plug.ref, turned=True) != beeps(box, plug.ref), plug.ref
    assert poles(box, "J11")[2] == "BATTERY" != poles(box, "J11", turned=True)[2]


@pytest.mark.parametrize("variant", BOXES, ids="-".join)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_holes_at_which_it_beeps_are_those_of_the_power_header(language: str, variant: tuple[str, str]) -> None:
    holes = [str(hole) for hole in spots(netlist(*variant))["J11"].holes.values()]
    text = part_of(language, "8.")

    assert [hole for hole in holes if re.search(rf"\b{hole}\b", text)] == holes
    assert set(re.findall(r"\bB\d\d\b", text)) == set(holes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_contact_is_touched_before_power(language: str) -> None:
    box = netlist("full", "esp32")
    said = re.search(r"J9 SEDZIA \w+ GND \(\w+ (\d) \w+ (\d)\)", part_of(language, "7."))

    assert said is not None
    assert [box.by_ref["J9"].net(pole) for pole in said.groups()] == ["SEDZIA_LEAD", "GND"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rail_is_named_before_it_is_soldered(language: str) -> None:
    assert {rail for rail in RAILS if not re.search(rf"{re.escape(rail)}\b(?!_)", part_of(language, "7."))} == set()


# --- the power lead -----


def joined(box: Netlist, through: tuple[str, ...]) -> set[frozenset[str]]:
    """Pairs of ends of the power lead that beep, as the guide calls them, with these parts conducting."""
    power = next(lead for lead in harness.leads(box) if lead.name == "power")
    names = {
        (part.ref, pin.number): _called(part.ref, pin.number, pin.name) for part in power.parts for pin in part.pins
    }
    names |= {(power.plug.ref, pin.number): pin.number for pin in power.plug.pins}
    groups = [{wire.begin, wire.end} for wire in power.wires if wire.net not in ("PACK", "PACK_MINUS")]
    groups += [{harness.End(ref, "1"), harness.End(ref, "2")} for ref in through]
    whole: list[set[harness.End]] = []
    for group in groups:
        touching = [each for each in whole if each & group]
        whole = [each for each in whole if not each & group] + [group.union(*touching)]
    told = [{name for end in group if (name := names[end])} for group in whole]
    return {frozenset((one, other)) for group in told for one in group for other in group if one < other}


def _called(ref: str, number: str, name: str) -> str:
    if ref == "U4":
        return name.replace("-", "−")
    return {"1": "X2+", "2": "X2−"}[number] if ref == "X2" else ""


def measured(language: str) -> set[frozenset[str]]:
    """Pairs that are to beep with the switch on, by the table of the power lead without the battery."""
    rows = [row for row in table(GUIDES[language], "8.") if re.match(r"X2|OUT", row[0])]
    lasting = [row for row in rows if not re.match(r"no lasting|bez trwałego", row[1])]
    found = set()
    for row in lasting:
        one, *others = re.findall(r"(?:X2|BAT|OUT)[+−]|(?<=pole )\d|(?<=styku )\d", row[0])
        found |= {frozenset((one, other)) for other in others}
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_power_lead_beeps_where_the_guide_says(language: str) -> None:
    box = netlist("full", "esp32")
    on, off = joined(box, ("F1", "SW1")), joined(box, ("F1",))
    said = measured(language)

    assert len(said) == 5
    assert said <= on
    assert on - said == {frozenset(("BAT+", "3"))}, "which follows from X2+ to both"
    assert said - off == {frozenset(("OUT+", "1"))}
    assert not on & {frozenset(pair) for pair in (("X2+", "X2−"), ("1", "2"), ("2", "3"), ("1", "3"))}


def test_a_lead_without_its_fuse_and_a_table_of_other_wires_are_found() -> None:
    box = netlist("full", "esp32")

    assert frozenset(("X2+", "3")) not in joined(box, ("SW1",))
    crossed = box.rewired("U4", "BAT+", "GND").rewired("U4", "OUT-", "BATTERY")
    assert not measured("en") <= joined(crossed, ("F1", "SW1"))


def test_the_leads_of_the_battery_s_other_half_are_long_enough() -> None:
    wires = [wire for lead in harness.leads(netlist("full", "esp32")) for wire in lead.wires]
    red = sum(wire.length for wire in wires if "F1" in (wire.begin.ref, wire.end.ref))
    black = max(wire.length for wire in wires if wire.net == "BATTERY_MINUS")
    listed = next(row for row in bom.rows() if row.kind == "battery-plug")
    bought = re.search(r"(\d+) mm or longer", listed.package)

    assert bought is not None
    assert int(bought[1]) >= max(red, black) > harness.JOINT
    assert f"{harness.JOINT} mm from its plug (X2)" in part_of("en", "8.")


def test_a_battery_that_may_be_used_passes_at_the_divider() -> None:
    said = re.search(r"\*\*([\d.]+) to ([\d.]+) V\*\*, and which pole is plus", part_of("en", "8."))

    assert said is not None
    assert f"{float(said[1]) / 2} – {float(said[2]) / 2} V" == checks.HALF


# --- ring, tray, lamps -----


@pytest.mark.parametrize("variant", BUILDS)
def test_the_wires_that_are_threaded_are_those_to_ring_and_lamp(variant: str) -> None:
    (top,) = (lead for lead in harness.leads(netlist(variant, "esp32")) if lead.name == "top")
    goes = {wire.begin.pin: wire.end.ref for wire in top.wires if wire.begin.ref == top.plug.ref}
    kinds = {part.ref: part.kind for part in top.parts}
    between = {wire.length for wire in top.wires if wire.begin.ref != top.plug.ref}

    assert [kinds[goes[str(pole)]] for pole in range(1, 8)] == ["ring"] * 4 + ["pixel"] + ["button-red"] * 2
    assert {int(number) for number in re.findall(r"of (\d+) mm", part_of("en", "3. Ring"))} == between


def test_the_tray_s_wires_are_those_of_its_plug() -> None:
    (tray,) = (lead for lead in harness.leads(netlist("full", "esp32")) if lead.name == "kostka")
    names = {pin.number: pin.name for pin in tray.parts[0].pins}
    ends = ", ".join(f"wire {wire.begin.pin} to {names[wire.end.pin]}" for wire in tray.wires)

    assert ends in part_of("en", "6. The tray")


def test_the_capacitor_to_look_at_is_where_it_is_drawn() -> None:
    holes = [str(hole) for hole in spots(netlist("full", "esp32"))["C3"].holes.values()]

    assert f"C3 (470 µF) at {' and '.join(holes)}" in part_of("en", "13.")


# --- words in pictures -----


def words_of(picture: str) -> set[str]:
    """English words of a picture: its labels in small letters, without the side."""
    svg = (PICTURES / f"{picture}.svg").read_text("utf-8")
    labels = {html.unescape(label).strip() for label in re.findall(r"<text [^>]*>([^<]*)</text>", svg)}
    return {re.sub(r" [A-D]$", "", label) for label in labels if re.fullmatch(r"[a-z][a-z-]{2,}( [A-D])?", label)}


def unexplained(text: str) -> set[str]:
    """Words of the pictures shown that a page neither lists in its tables nor says; numbers at a plug count as it."""
    listed = {code for line in text.splitlines() if line.startswith("|") for code in codes(line)}
    said = next(line for line in text.split("\n\n") if line.startswith("Słowa na rysunkach"))
    told = listed | set(re.findall(r"[\w-]+", said))
    words = {
        word
        for name in pictures(text)
        if name.startswith(("box", "step", "tray", "harness"))
        for word in words_of(name)
    }
    return {word for word in words if word not in told and not re.fullmatch(r"connector-\d", word)}


def test_every_word_in_a_picture_is_told_to_a_reader_of_polish() -> None:
    assert unexplained(GUIDES["pl"]) == set()
    assert unexplained(re.sub(r"hinge\s+zawias", "zawias", GUIDES["pl"])) == {"hinge"}
