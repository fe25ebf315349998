"""Each printed piece by itself: a closed body on the bed, without supports, of walls that can be printed."""

from __future__ import annotations

import re
from dataclasses import replace
from math import radians, tan
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware import bom
from hardware.enclosure import SIZES, printed
from hardware.enclosure.filament import grams
from hardware.enclosure.layout import WillNotFit
from hardware.enclosure.sizes import Charger, Ring, Sizes, Tile
from tests.hardware.clash import clashes

if TYPE_CHECKING:
    from tests.hardware.modelling import (
        Location,
        Piece,
        Solid,
        bought,
        box,
        chute,
        hanging,
        join,
        mesh,
        pieces,
        stand,
        thin_spots,
        trimesh,
        wedge,
        write_stl,
    )

pytestmark = pytest.mark.usefixtures("modeller")
SMALL_CHARGER = Charger(length=25.0, width=18.0, aside=2.0)
NAMES = tuple(printed() | printed("small"))


@pytest.mark.parametrize("name", NAMES)
def test_a_piece_is_one_closed_body_on_the_bed(name: str, meshes: dict[str, trimesh.Trimesh]) -> None:
    surface = meshes[name]
    assert surface.is_watertight
    assert surface.is_winding_consistent
    assert surface.volume > 0
    assert surface.body_count == 1
    (low_x, low_y, low_z), (high_x, high_y, _) = surface.bounds
    room = SIZES.printing.bed - 2 * SIZES.printing.margin
    assert max(high_x - low_x, high_y - low_y) <= room
    assert low_z == pytest.approx(0.0, abs=1e-6)
    on_bed = surface.area_faces[(surface.triangles[:, :, 2] < 1e-6).all(axis=1)].sum()
    assert on_bed >= 100.0, "square millimetres that hold it there"


def test_the_files_for_the_printer_are_closed_bodies_of_the_same_volume(made: dict[str, Piece], tmp_path: Path) -> None:
    few = [made[name] for name in ("collar-juz", "clamp", "battery-bar")]

    *files, listed = write_stl(tmp_path, few)

    for piece, file in zip(few, files, strict=True):
        read = trimesh.load_mesh(file)
        assert (file.name, read.is_watertight) == (f"{piece.name}.stl", True)
        assert abs(read.volume - piece.solid.volume) < 0.01 * piece.solid.volume
    assert f"clamp.stl,{made['clamp'].quantity},flat\n" in listed.read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_piece_prints_without_supports(name: str, meshes: dict[str, trimesh.Trimesh]) -> None:
    found = hanging(meshes[name].triangles, SIZES.printing)
    assert found.cells == 0, f"in the air at {found.where}"
    assert found.longest_bridge <= SIZES.printing.bridge


@pytest.mark.parametrize("name", NAMES)
def test_no_wall_is_thinner_than_two_printed_lines(name: str, meshes: dict[str, trimesh.Trimesh]) -> None:
    assert thin_spots(meshes[name].triangles, 2 * SIZES.printing.line - 0.1) == 0


def test_a_thin_wall_is_found() -> None:
    assert thin_spots(mesh(box((0, 0.6), (0, 20), (0, 20))).triangles, 0.8) > 100
    assert thin_spots(mesh(box((0, 0.9), (0, 20), (0, 20))).triangles, 0.8) == 0


@pytest.mark.parametrize("name", ["lantern", "tray-chute"])
def test_the_other_way_up_it_would_not(name: str, made: dict[str, Piece]) -> None:
    solid = made[name].solid
    over = solid.moved(Location((0, 0, solid.bounding_box().max.Z), (180, 0, 0)))
    assert hanging(mesh(over).triangles, SIZES.printing).cells > 100


def test_a_long_bridge_and_a_flat_slope_are_found() -> None:
    def table(span: float) -> Solid:
        legs = [box((side, side + 3), (-10, 10), (0, 20)) for side in (-span / 2 - 3, span / 2)]
        return join(box((-span / 2 - 3, span / 2 + 3), (-10, 10), (20, 23)), *legs)

    def slope(angle: float) -> Solid:
        over = 30 * tan(radians(angle))
        return wedge([(0, 0), (5, 0), (5 + over, 30), (over, 30)], (0, 20))

    good, bad = [table(15), slope(45)], [table(25), slope(56)]
    assert [hanging(mesh(one).triangles, SIZES.printing).cells for one in good] == [0, 0]
    assert all(hanging(mesh(one).triangles, SIZES.printing).cells > 0 for one in bad)
    assert hanging(mesh(table(15)).triangles, SIZES.printing).longest_bridge == pytest.approx(15.0, abs=1.0)


@pytest.mark.parametrize("build", ["full", "small"])
def test_the_list_says_how_much_filament_a_box_takes(build: str, made: dict[str, Piece]) -> None:
    """At most, and not twice as much."""
    numbers = printed(build)
    of_build = [replace(piece, quantity=numbers[name]) for name, piece in made.items() if name in numbers]
    for kind, mass in grams(of_build, SIZES).items():
        (told,) = [row.look_for for row in bom.rows() if row.kind == kind]
        said = re.search(rf"(\d+) g for a {build}", told) or re.search(r"(\d+) g for a small", told)
        assert said
        assert mass <= float(said[1]) < 2 * mass + 10, kind


@pytest.mark.parametrize("tile", [Tile(36.0, 25.0, 8.0, stack=7), Tile(40.0, 28.0, 11.0)])
def test_a_tray_for_other_tiles_prints_as_well(tile: Tile) -> None:
    sizes = replace(SIZES, tile=tile)
    for solid in (chute(sizes), stand(sizes)):
        over = solid.moved(Location((0, 0, solid.bounding_box().max.Z), (180, 0, 0)))
        assert hanging(mesh(over).triangles, sizes.printing).cells == 0


def test_sizes_that_give_no_box_are_refused_before_anything_is_modelled() -> None:
    with pytest.raises(WillNotFit):
        pieces(replace(SIZES, ring=Ring(outer=120.0, inner=100.0)))


@pytest.mark.torture
@pytest.mark.parametrize(
    "sizes",
    [
        SIZES,
        replace(SIZES, button=replace(SIZES.button, hole=28.0, flange=33.0)),
        replace(SIZES, outer=214.0, deck=60.0),
        replace(SIZES, charger=SMALL_CHARGER),
        replace(SIZES, ring=Ring(outer=84.0, inner=70.0)),
        replace(SIZES, slope=57.0, rise=33.0, top=94.0),
    ],
)
@pytest.mark.parametrize("build", ["full", "small"])
def test_another_box_is_built_and_prints_as_well(sizes: Sizes, build: str) -> None:
    made = {piece.name: piece for piece in pieces(sizes, build)}
    for piece in made.values():
        assert hanging(mesh(piece.solid).triangles, sizes.printing).cells == 0, piece.name
    parts = [(part.kind, part.solid) for part in bought(sizes, build)]
    ours = [(name, piece.solid.moved(place)) for name, piece in made.items() for place in piece.places]
    assert [pair for pair in clashes(ours + parts) if pair[0] != "plug" and pair[1] != "plug"] == []
