"""The box put together: pieces and bought parts fit and nothing meets, sides are marked, the box stands."""

from __future__ import annotations

from dataclasses import replace
from math import radians
from typing import TYPE_CHECKING

import pytest

from hardware.circuit.box import CHIPS
from hardware.circuit.carrier import spots
from hardware.circuit.netlist import netlist
from hardware.enclosure import SIZES, fasteners, printed
from hardware.enclosure.layout import Layout
from hardware.enclosure.sizes import Charger, Receptacle, Sizes
from tests.hardware.clash import clashes

if TYPE_CHECKING:
    from tests.hardware.modelling import (
        Balance,
        Bought,
        GeomType,
        Location,
        Piece,
        Solid,
        Vector,
        bay,
        bay_walls,
        box,
        button,
        charger_holders,
        charger_seat,
        clamp,
        hinge_dot,
        np,
        on_carrier,
        placed,
        receptacles,
        standing,
        switch_body,
        tie_slots,
        tray_parts,
        tray_tie_slots,
    )

pytestmark = pytest.mark.usefixtures("modeller")
LAYOUT = Layout(SIZES)
SMALL_CHARGER = Charger(length=25.0, width=18.0, aside=2.0)
PLACED = ("U1", "LS1", "C1", "C3")


def in_box(made: dict[str, Piece], *but: str) -> list[tuple[str, Solid]]:
    return [
        (name, piece.solid.moved(place))
        for name, piece in made.items()
        if name not in ("plug", *but)
        for place in piece.places
    ]


def test_the_list_of_pieces_is_what_is_modelled(made: dict[str, Piece]) -> None:
    assert {name: piece.quantity for name, piece in made.items() if name != "plug"} == printed()
    assert len(made["plug"].places) == made["plug"].quantity == printed("small")["plug"]
    assert all(piece.quantity == len(piece.places) + len(piece.in_tray) for piece in made.values())


@pytest.mark.parametrize("chip", CHIPS)
def test_what_stands_on_the_carrier_stands_where_the_circuit_puts_it(chip: str, parts: list[Bought]) -> None:
    """Given the perfboard's plan, its lower edge towards side C, then what is modelled is within 2 mm of it."""
    box = netlist("full", chip)
    x, y = LAYOUT.carrier
    parts = parts if chip == "esp32" else on_carrier(SIZES, LAYOUT, chip)
    for part in (part for part in box.parts if part.ref in PLACED):
        body = spots(box)[part.ref].body.millimetres()
        (there,) = [one.solid.bounding_box().center() for one in parts if one.kind == part.kind]
        assert abs(there.X - x + (body.left + body.right) / 2) < 2, part.ref
        assert abs(there.Y - y - (body.top + body.bottom) / 2) < 2, part.ref


def test_nothing_in_the_box_takes_up_the_same_room(made: dict[str, Piece], parts: list[Bought]) -> None:
    """Displays and lamps of C and D are left to the torture run: they sit as those of A and B, and take as long."""
    far = [part for part in parts if part.kind in ("display", "pixel") and part.place in ("side C", "side D")]
    solids = in_box(made, "panel-c", "panel-d") + [(part.kind, part.solid) for part in parts if part not in far]
    assert clashes(solids) == []


def test_the_longer_devkit_fits_as_well(made: dict[str, Piece]) -> None:
    small = [(part.kind, part.solid) for part in on_carrier(SIZES, LAYOUT, "esp32s3")]
    assert "devkit" in dict(small)
    clamps = [("clamp", made["clamp"].solid.moved(place)) for place in made["clamp"].places[:4]]
    assert clashes([*small, *clamps, ("deck", made["deck"].solid.moved(made["deck"].places[0]))]) == []


def test_a_plug_is_larger_than_its_hole_by_its_ribs_alone(made: dict[str, Piece]) -> None:
    """Those of side B; C's and D's sit alike."""
    plugs = [("plug", made["plug"].solid.moved(place)) for place in made["plug"].places[:2]]
    found = clashes([*plugs, ("deck", made["deck"].solid.moved(made["deck"].places[0]))])
    assert [pair[:2] for pair in found] == [("plug", "deck")] * len(plugs)
    assert all(0.1 < volume < 5.0 for *_, volume in found)


def test_what_is_inside_or_flush_with_another_body_is_found() -> None:
    block = ("block", box((0, 10), (0, 10), (0, 10)))
    for other in (
        box((4, 6), (4, 6), (4, 6)),
        block[1],
        box((9, 19), (0, 10), (0, 10)),
        box((0, 10), (0, 10), (-9, 1)),
    ):
        assert clashes([block, ("other", other)])
        assert clashes([("other", other), block])
    assert (
        clashes([block, ("beside", box((10, 20), (0, 10), (0, 10))), ("below", box((0, 10), (0, 10), (-9, 0)))]) == []
    )


def test_a_deeper_button_or_a_shifted_board_is_found(made: dict[str, Piece], parts: list[Bought]) -> None:
    deep = replace(SIZES, button=replace(SIZES.button, depth=60.0))
    at = (-LAYOUT.button_out, LAYOUT.buttons["juz"][0])
    long_button = button(deep, at, SIZES.deck + SIZES.collar, 4.0)
    base = ("base", made["base"].solid)
    assert clashes([base, ("button", long_button)])
    carrier = next(part for part in parts if part.kind == "carrier")
    assert clashes([base, ("carrier", carrier.solid.moved(Location((0, 4, 0))))])


def way_out(sizes: Sizes) -> list[tuple[str, Solid]]:
    """The room that the main switch's two receptacles and leads pass through from behind the wall to before it."""
    bounds = [one.bounding_box() for one in receptacles(sizes, LAYOUT)]
    return [("receptacle", box((b.min.X, b.max.X), (b.min.Y, LAYOUT.half + 40), (b.min.Z, b.max.Z))) for b in bounds]


def test_the_main_switch_goes_in_from_outside_with_its_leads_pushed_on(made: dict[str, Piece]) -> None:
    """Both receptacles pass its window side by side; that there is room behind it the test of the whole box says."""
    deck = ("deck", made["deck"].solid.moved(made["deck"].places[0]))
    assert clashes([deck, *way_out(SIZES)]) == []
    wider = replace(SIZES, receptacle=Receptacle(width=9.6))
    assert [pair[:2] for pair in clashes([deck, *way_out(wider)])] == [("deck", "receptacle")] * 2


def test_a_smaller_charger_lies_in_a_seat_of_its_own() -> None:
    """That the whole box is modelled around it and prints the torture run says."""
    sizes = replace(SIZES, charger=SMALL_CHARGER)

    def held(board: Sizes) -> list[str]:
        layout, under = Layout(sizes), Layout(sizes).charger_under + sizes.charger.board
        seat = [("base", one) for one in [*charger_seat(sizes, layout), *bay_walls(sizes, layout)]]
        parts = [(part.kind, part.solid) for part in bay(board, Layout(board))]
        for x, y, turn in charger_holders(layout):
            parts += [("clamp", one) for one in placed([clamp(sizes, 0.5)], x, y, under, turn)]
        return [other for one, other, _ in clashes(seat + parts) if one == "base" != other]

    assert held(sizes) == []
    assert "charger" in held(SIZES), "the larger one does not lie there"


def test_an_a_marks_side_a_in_base_deck_and_tower_and_a_dot_the_switchs_hinge(made: dict[str, Piece]) -> None:
    """Given the middle of each A's bar: cut out of base and deck, standing out of the tower's roof."""

    def full(name: str, *at: float) -> bool:
        piece = made[name]
        (place,) = piece.places or piece.in_tray
        return piece.solid.is_inside((place.inverse() * Location(at)).position)

    sunk, edge = SIZES.plate - 0.3, LAYOUT.half
    assert not full("base", 0.0, -edge + SIZES.wall + 11.0, sunk)
    assert full("base", 0.0, edge - SIZES.wall - 11.0, sunk), "C has no bar"
    bar = (edge - 40.0, 11.0 - edge, SIZES.deck - sunk)
    assert not full("deck", *bar)
    assert full("deck", bar[0], -bar[1], bar[2])
    under_roof = LAYOUT.roof - SIZES.plate - 0.4
    assert full("tower", 12.0, -33.0, under_roof)
    assert not full("tower", 12.0, 33.0, under_roof)
    dot = hinge_dot(SIZES).bounding_box()
    _, (front, back), _ = switch_body(SIZES)
    assert back - 5.0 < dot.center().Y < back, "at the lever's hinge"
    assert full("tray-stand", dot.center().X, dot.center().Y, dot.min.Z + 0.5)
    assert not full("tray-stand", dot.center().X, front + back - dot.center().Y, dot.min.Z + 0.5)


def test_feet_and_cable_ties_have_their_places(made: dict[str, Piece], parts: list[Bought]) -> None:
    stuck = [part for part in [*parts, *tray_parts(SIZES)] if part.kind == "foot"]
    assert len(stuck) == fasteners()["foot"]
    slots = [("slot", one) for one in tie_slots(SIZES, LAYOUT)]
    (upside_down,) = made["tray-stand"].in_tray
    back = [("slot", one) for one in tray_tie_slots(SIZES)]
    assert clashes([("base", made["base"].solid), *slots]) == []
    assert clashes([("stand", made["tray-stand"].solid.moved(upside_down)), *back]) == []
    assert len(slots + back) / 2 == fasteners()["cable-tie"]


def holes(solid: Solid, radius: float) -> list[Vector]:
    """Axes of the round holes of that radius, from above: one for each place."""
    found: dict[tuple[int, int], Vector] = {}
    for face in solid.faces().filter_by(GeomType.CYLINDER):
        axis = face.axis_of_rotation
        if axis is not None and abs((face.radius or 0.0) - radius) < 1e-6:
            found[round(axis.position.X), round(axis.position.Y)] = axis.position
    return list(found.values())


def test_the_deck_has_a_hole_for_each_button_as_wide_as_it_must_be(made: dict[str, Piece]) -> None:
    found = holes(made["deck"].solid, SIZES.button.hole / 2 + 0.15)
    assert len(found) == 8
    assert {round(max(abs(at.X), abs(at.Y)), 3) for at in found} == {round(LAYOUT.button_out, 3)}
    assert len(holes(made["lantern"].solid, SIZES.button.hole / 2 + 0.15)) == 1


def test_there_is_a_hole_for_every_screw(made: dict[str, Piece]) -> None:
    threaded = sum(len(holes(piece.solid, SIZES.screw.pilot / 2)) for name, piece in made.items() if name != "plug")
    assert threaded == fasteners()["screw-m3x10"]
    through = {name: len(holes(made[name].solid, SIZES.screw.through / 2)) for name in ("base", "deck", "tower")}
    assert through == {"base": 8, "deck": 4, "tower": 4}


@pytest.mark.parametrize(("side", "towards"), [("a", (0, -1)), ("b", (-1, 0)), ("c", (0, 1)), ("d", (1, 0))])
def test_a_display_faces_its_seat(side: str, towards: tuple[int, int], made: dict[str, Piece]) -> None:
    (place,) = made[f"panel-{side}"].places
    face = Vector(*(place * Location((0, 0, -1))).position) - place.position
    flat = SIZES.slope
    assert pytest.approx([one * np.sin(radians(flat)) for one in towards], abs=1e-6) == (face.X, face.Y)
    assert pytest.approx(np.cos(radians(flat))) == face.Z


def test_the_window_takes_the_displays_block_and_its_board_stays_behind(made: dict[str, Piece]) -> None:
    low, high = LAYOUT.window
    block = box((-25.1, 25.1), ((low + high) / 2 - 9.5, (low + high) / 2 + 9.5), (-1.0, 3.0))
    assert clashes([("panel", made["panel-a"].solid), ("block", block)]) == []
    board = block.moved(Location((0, 5.0, 0)))
    assert clashes([("panel", made["panel-a"].solid), ("board", board)])


@pytest.fixture(scope="module")
def box_stands(made: dict[str, Piece]) -> Balance:
    gram = SIZES.printing.density * SIZES.printing.filling / 1000
    loads = []
    for piece in made.values():
        for place in piece.places if piece.name != "plug" else ():
            solid = piece.solid.moved(place)
            loads.append((solid.volume * gram, tuple(solid.center())))
    x, y = LAYOUT.battery
    pack = (SIZES.battery.mass, (x, y, SIZES.plate + SIZES.battery.height / 2))
    around = sorted(LAYOUT.feet, key=lambda at: np.arctan2(at[1], at[0]))
    return standing(loads, pack, around, (0.0, 0.0, SIZES.deck))


def test_the_box_stands_still_when_a_child_presses(box_stands: Balance) -> None:
    assert 600.0 < box_stands.mass < 2000.0
    assert box_stands.room() > 60.0
    for x, y in LAYOUT.buttons.values():
        edge = (x, y - 12.0, SIZES.deck + SIZES.collar + SIZES.button.height)
        assert not box_stands.tips(edge, 10.0, 0.0)
        assert not box_stands.tips(edge, 10.0, 30.0)
    assert not box_stands.slides(10.0, 30.0, SIZES.foot.friction)


def test_a_push_that_tips_it_is_found(box_stands: Balance) -> None:
    assert box_stands.tips((0.0, -120.0, 60.0), 60.0, 0.0)
    assert box_stands.slides(40.0, 80.0, SIZES.foot.friction)
    assert Balance(1000.0, (200.0, 0.0, 0.0), box_stands.feet).room() < 0
