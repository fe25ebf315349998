"""What the guide has a maker measure before anything can be damaged: plugs, power lead, battery, threaded wires."""

from __future__ import annotations

import html
import re
from itertools import product
from math import ceil
from typing import Final

import pytest

from hardware import bom, bom_polish, harness, modes, power
from hardware.circuit import checks
from hardware.circuit.box import BUILDS, CHIPS
from hardware.circuit.carrier import PITCH, RAILS, apart, spots
from hardware.circuit.devkits import DEVKITS
from hardware.circuit.netlist import Netlist, netlist
from hardware.drawing import PICTURES
from hardware.enclosure.holders import LENGTH
from hardware.enclosure.sizes import SIZES
from tests.hardware.guide import GUIDES, LANGUAGES, codes, pictures, sections, table

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


def lists(kind: str, chip: str = "") -> dict[str, str]:
    """What the lists of parts say of one, by language, with points in decimals."""
    row = next(row for row in bom.rows() if (row.kind, row.chip) == (kind, chip))
    polish = bom_polish.words()[kind, chip]
    return {"en": f"{row.package}; {row.look_for}", "pl": dotted(f"{polish.package}; {polish.look_for}")}


def dotted(text: str) -> str:
    """The same with points in decimals."""
    return re.sub(r"(?<=\d),(?=\d)", ".", text)


# --- before anything is soldered -----


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rows_of_a_board_are_measured_before_it_is_tried(language: str) -> None:
    text = dotted(part_of(language, "4."))
    narrow, wide = DEVKITS["esp32"], DEVKITS["esp32s3"]

    assert narrow.pitches == narrow.wide, "one distance alone"
    assert re.search(rf"{len(narrow.left + narrow.right)} \w+ {PITCH * narrow.pitches:g} mm", text)
    both = rf"{PITCH * wide.pitches:.2f} (or|albo) {PITCH * wide.wide:.2f} mm"
    assert re.search(rf"{len(wide.left + wide.right)} \w+ {both}", text)
    assert f"{PITCH * narrow.pitches:g} mm" in lists("devkit", "esp32")[language]
    assert re.search(both, lists("devkit", "esp32s3")[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_diode_shows_in_the_guide_what_it_shows_in_the_list(language: str) -> None:
    low, high = (float(volts) for volts in re.findall(r"[\d.]+", checks.DIODE))
    (carrier,) = (row[1] for row in table(GUIDES[language], "7.") if "D1" in row[0])
    (board,) = (row[2] for row in table(GUIDES[language], "4.") if re.fullmatch(r"[\d.,]+ (to|do) [\d.,]+ V", row[-1]))

    assert [float(volts) for volts in re.findall(r"\d\.\d", dotted(carrier))] == [low, high]
    one, other = (float(volts) for volts in re.findall(r"\d\.\d", dotted(board)))
    assert one == low < high <= other, "other makers' diodes drop as much or more"


@pytest.mark.parametrize(
    ("language", "closed", "opened"),
    [
        ("en", r"IN-OUT (is|must be) closed", r"USB-OTG (stays|must be) open"),
        ("pl", r"IN-OUT (zamyka się|musi być zamknięta)", r"USB-OTG (zostaje|musi być) otwarta"),
    ],
)
def test_the_bridge_that_would_take_the_reserve_is_closed(language: str, closed: str, opened: str) -> None:
    for text in (part_of(language, "4.").replace("**", ""), lists("devkit", "esp32s3")[language]):
        assert re.search(closed, text)
        assert re.search(opened, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_level_shifter_fits_its_sockets(language: str) -> None:
    holes = spots(netlist("full", "esp32"))["U3"].holes
    across = apart(holes["1"], holes["12"])

    said = f"{across:.2f} mm ({across / 25.4:g} "
    assert said in dotted(part_of(language, "7."))
    assert said in lists("level-shifter")[language]


@pytest.mark.parametrize(("language", "parts"), [("en", "Parts"), ("pl", "Części")])
def test_what_a_clamp_covers_is_measured_before_it_is_bought_and_printed(language: str, parts: str) -> None:
    free = f"{LENGTH:g} × {ceil(SIZES.grip)} mm"

    assert free in part_of(language, parts)
    assert free in part_of(language, "6.")
    assert free.replace("×", "x") in lists("display")[language]


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


@pytest.mark.parametrize(("language", "displays"), [("en", "2. Displays"), ("pl", "2. Wyświetlacze")])
def test_the_charger_is_judged_under_a_load_that_keeps_it_awake(language: str, displays: str) -> None:
    taken = [modes.taken("idle", "typical", chip=chip) for chip in ("esp32", "esp32s3")]
    alone = [f"{one.chip:.0f} mA" for one in taken]
    shown = [one.chip + one.displays + one.rest for one in taken]
    least = min(power.smallest(chip) for chip in CHIPS)

    assert re.findall(r"\b\d+ mA\b", part_of(language, "8.").split("100 mA")[1]) == [*alone, f"{least:.0f} mA"]
    assert re.findall(r"\b\d+ mA\b", part_of(language, displays)) == [f"{one:.0f} mA" for one in shown]
    assert min(shown) > 1.5 * power.SLEEPS_BELOW_MA > min(one.chip for one in taken)


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
