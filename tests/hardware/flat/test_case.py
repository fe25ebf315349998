"""The flat box's printed pieces: closed, small enough for a bed, printable without supports; how much they take."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hardware.flat.case import quantities
from hardware.flat.case.sizes import SIZES

if TYPE_CHECKING:
    import trimesh

    from hardware.flat.case.pieces import Piece

NAMES = sorted(quantities.printed())


def test_the_pieces_are_those_that_are_counted(case: dict[str, Piece]) -> None:
    assert {name: piece.quantity for name, piece in case.items()} == quantities.printed()
    assert quantities.printed(kostka=False).keys() == quantities.printed().keys() - {
        name for name, piece in case.items() if piece.of_tray
    }
    assert len(SIZES.posts()) + 3 + 2 == quantities.fasteners()["screw"]
    assert len(SIZES.posts()) == quantities.fasteners(kostka=False)["screw"]


@pytest.mark.parametrize("name", NAMES)
def test_a_piece_is_one_closed_body_that_lies_on_a_small_bed(
    name: str, case_meshes: dict[str, trimesh.Trimesh]
) -> None:
    surface = case_meshes[name]
    assert surface.is_watertight
    assert surface.is_winding_consistent
    assert surface.volume > 0
    assert surface.body_count == 1
    low, high = surface.bounds
    assert SIZES.printer.bed <= 210.0
    assert max(high - low) <= SIZES.printer.bed - 2 * SIZES.printer.margin
    assert low[2] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_piece_prints_without_supports_and_of_whole_lines(name: str, case_meshes: dict[str, trimesh.Trimesh]) -> None:
    from hardware.enclosure.printing import hanging, thin_spots

    assert SIZES.printer.steepest <= 45.0
    assert SIZES.printer.bridge <= 20.0
    found = hanging(case_meshes[name].triangles, SIZES.printer)
    assert found.cells == 0, f"in the air at {found.where}"
    assert thin_spots(case_meshes[name].triangles, 1.19) == 0


def test_the_other_way_up_the_deck_would_not_print(case: dict[str, Piece]) -> None:
    from build123d import Location

    from hardware.enclosure.printing import hanging, mesh

    standing = case["deck"].solid.moved(Location((0, 0, SIZES.shell.deck), (180, 0, 0)))
    assert hanging(mesh(standing).triangles, SIZES.printer).cells > 1000


def test_no_wall_is_thinner_than_it_prints() -> None:
    """Those that are numbers; thin spots are looked for in the pieces themselves."""
    shell, mask, rail = SIZES.shell, SIZES.mask, SIZES.rail
    walls = (shell.wall, shell.thin, shell.roof, shell.rib, mask.apart, rail.lip, SIZES.cap.wall)
    assert min(walls) >= 1.2
    lip = rail.ends - mask.flange[0] - rail.slide
    assert lip >= 1.2


def test_a_box_takes_a_third_of_a_spool_and_a_day(case_meshes: dict[str, trimesh.Trimesh]) -> None:
    """At most: as if all were solid. About what the page tells who prints it."""
    counts = quantities.printed(kostka=False)
    volume = sum(case_meshes[name].volume * number for name, number in counts.items()) / 1000
    assert 250.0 < volume * SIZES.printer.density < 340.0
    assert volume / SIZES.printer.speed < 24.0


def test_another_cap_is_another_hole(case: dict[str, Piece]) -> None:
    from hardware.flat.case.deck import deck

    wide = replace(SIZES, cap=replace(SIZES.cap, side=24.0))
    assert deck(wide).volume > case["deck"].solid.volume
