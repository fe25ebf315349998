"""What does not print is found: a wall that is too thin, a bridge that is too long, a slope that is too flat; and what
takes up the same room.
"""

from __future__ import annotations

from math import radians, tan
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from hardware.enclosure.printer import Printer
from tests.hardware.clash import clashes

if TYPE_CHECKING:
    from build123d import Solid


class Piece(NamedTuple):
    name: str
    solid: Solid


PRINTER: Final = Printer()


def test_a_thin_wall_is_found() -> None:
    from hardware.enclosure.printing import mesh, thin_spots
    from hardware.enclosure.shapes import box

    assert thin_spots(mesh(box((0, 0.6), (0, 20), (0, 20))).triangles, 0.8) > 100
    assert thin_spots(mesh(box((0, 0.9), (0, 20), (0, 20))).triangles, 0.8) == 0


def test_a_long_bridge_and_a_flat_slope_are_found() -> None:
    from hardware.enclosure.printing import hanging, mesh
    from hardware.enclosure.shapes import box, join, wedge

    def table(span: float) -> Solid:
        legs = [box((side, side + 3), (-10, 10), (0, 20)) for side in (-span / 2 - 3, span / 2)]
        return join(box((-span / 2 - 3, span / 2 + 3), (-10, 10), (20, 23)), *legs)

    def slope(angle: float) -> Solid:
        over = 30 * tan(radians(angle))
        return wedge([(0, 0), (5, 0), (5 + over, 30), (over, 30)], (0, 20))

    good, bad = [table(15), slope(45)], [table(25), slope(56)]
    assert [hanging(mesh(one).triangles, PRINTER).cells for one in good] == [0, 0]
    assert all(hanging(mesh(one).triangles, PRINTER).cells > 0 for one in bad)
    assert hanging(mesh(table(15)).triangles, PRINTER).longest_bridge == pytest.approx(15.0, abs=1.0)


def test_what_is_inside_or_flush_with_another_body_is_found() -> None:
    from hardware.enclosure.shapes import box

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


def test_the_files_for_the_printer_are_closed_bodies_of_the_same_volume(tmp_path: Path) -> None:
    import trimesh

    from hardware.enclosure.files import write_stl
    from hardware.enclosure.shapes import box, join, rod

    pin = join(rod((20, 0), 5, (0, 20)), rod((20, 0), 8, (0, 2)))
    pieces = [Piece("block", box((0, 10), (0, 10), (0, 10))), Piece("pin", pin)]
    before = tmp_path / "tray.stl"
    before.touch()

    files = list(write_stl(tmp_path, pieces))

    assert sorted(tmp_path.iterdir()) == sorted(files), "what was there before is gone"
    for piece, file in zip(pieces, files, strict=True):
        read = trimesh.load_mesh(file)
        assert (file.name, read.is_watertight) == (f"{piece.name}.stl", True)
        assert abs(read.volume - piece.solid.volume) < 0.01 * piece.solid.volume
