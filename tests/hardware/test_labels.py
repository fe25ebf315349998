"""No words of a picture cover others: circuit, carrier, lists and leads, as they are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from hardware import harness_list, harness_picture
from hardware.circuit import pictures as circuit_pictures
from hardware.circuit.canvas import Canvas, Frame, frame
from hardware.circuit.carrier import End, Hole, Wire
from hardware.circuit.carrier_picture import below
from hardware.circuit.netlist import netlist
from hardware.circuit.pictures import VARIANTS
from hardware.circuit.wire_picture import Drawn, draw
from hardware.drawing import PICTURES

SVG: Final = "{http://www.w3.org/2000/svg}"
NAMES: Final = tuple(
    drawing.name for drawing in (*circuit_pictures.drawings(), *harness_list.drawings(), *harness_picture.drawings())
)


def covered(svg: str) -> list[tuple[str, str]]:
    """Pairs of texts of which one covers the other."""
    found = sorted(_within(ET.fromstring(svg), "start", 12.0), key=lambda each: each[1])
    pairs = []
    for place, (one, own) in enumerate(found):
        for other, its in found[place + 1 :]:
            if its.left >= own.right:
                break
            if own.meets(its):
                pairs.append((one, other))
    return pairs


def _within(element: ET.Element, anchor: str, size: float) -> Iterator[tuple[str, Frame]]:
    """Each text and what it fills, whichever program wrote it."""
    anchor = element.get("text-anchor", anchor)
    size = float(element.get("font-size", size))
    if element.tag != f"{SVG}text":
        for inner in element:
            yield from _within(inner, anchor, size)
    elif words := "".join(element.itertext()).strip():
        down = [float(line.get("dy", 0)) for line in element.iter(f"{SVG}tspan")]
        middle = float(element.get("y", 0)) + (down[0] if down else -0.35 * size)
        turned = re.match(r"rotate\((-?\d+)", element.get("transform", ""))
        yield words, frame(
            (float(element.get("x", 0)), middle), words, size, anchor,
            turn=float(turned[1]) if turned else 0, bold=element.get("font-weight") == "bold",
        )  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_no_words_of_a_picture_cover_others(name: str) -> None:
    assert covered((PICTURES / f"{name}.svg").read_text("utf-8")) == []


@pytest.mark.parametrize("turn", [0, 90, -90])
def test_words_that_cover_others_are_found(turn: float) -> None:
    canvas = Canvas(200, 200)
    canvas.words((100, 100), "above", 12)
    canvas.words((112, 100), "below", 12, "end", turn=turn)
    canvas.words((100, 130 if turn == 0 else 160), "far", 12)

    assert [sorted(pair) for pair in covered(canvas.svg())] == [["above", "below"]]


def test_numbers_of_wires_on_one_way_stand_beside_each_other() -> None:
    """Given five wires between the same two places, and words that stand at their middle."""
    canvas = Canvas(300, 300)
    canvas.words((150, 150), "J1", 13)
    ends = [End("J1", "1", Hole(1, 1), Hole(1, 1)), End("J2", "1", Hole(9, 9), Hole(9, 9))]
    wires = [Drawn(number, Wire("SDA", *ends), (50, 150), (250, 150), 0.0) for number in range(101, 106)]

    draw(canvas, wires, [(50, 150), (250, 150)], canvas.frames)

    assert covered(canvas.svg()) == []
    assert {f"{number}" for number in range(101, 106)} <= set(re.findall(r">(\d+)<", canvas.svg()))


@pytest.mark.parametrize("variant", VARIANTS.values(), ids="-".join)
def test_hardly_a_wire_is_drawn_over_a_hole_at_which_it_does_not_end(variant: tuple[str, str]) -> None:
    over = []
    for rails in (True, False):
        _, holes, drawn = below(netlist(*variant), rails=rails)
        over.append([wire.number for wire in drawn if wire.passes(holes)])

    assert len(over[0]) <= 1
    assert len(over[1]) <= 8


def test_a_wire_goes_round_a_hole_that_it_only_passes() -> None:
    ends = [End("J1", "1", Hole(1, 1), Hole(1, 1)), End("J2", "1", Hole(9, 9), Hole(9, 9))]
    one = Drawn(1, Wire("SDA", *ends), (50, 150), (250, 150), 0.0)
    free = draw(Canvas(300, 300), [one], [one.start, one.end], [])[0]
    there = free.at(0.5)

    bent = draw(Canvas(300, 300), [one], [one.start, one.end, there], [])[0]

    assert free.passes([there]) == [there]
    assert bent.passes([there]) == []
    assert bent.bend != free.bend
