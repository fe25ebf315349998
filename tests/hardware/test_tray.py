"""The tray: one tile at a time leaves it and presses the lever, and it stands while a child draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hardware.enclosure import SIZES
from tests.hardware.clash import clashes

if TYPE_CHECKING:
    from tests.hardware.modelling import (
        Balance,
        Piece,
        height,
        inside,
        mouth,
        stand_outline,
        tray_parts,
    )

pytestmark = pytest.mark.usefixtures("modeller")


def test_nothing_in_the_tray_takes_up_the_same_room(made: dict[str, Piece]) -> None:
    printed_ones = [(piece.name, piece.solid.moved(at)) for piece in made.values() for at in piece.in_tray]
    assert clashes(printed_ones + [(part.kind, part.solid) for part in tray_parts(SIZES)]) == []


def test_one_tile_leaves_and_presses_the_lever() -> None:
    tile, switch = SIZES.tile, SIZES.microswitch
    assert tile.thickness < mouth(SIZES) < 2 * 8.0, "not two of the thinnest that are sold"
    up = switch.lever_free - 2.0
    assert up > mouth(SIZES) - 8.0, "even the thinnest tile cannot pass over it unpressed"
    assert switch.lever_closes - 0.5 > 2.0, "pressed down to the stand's top it has closed"
    (_, depth), (_, along) = inside(SIZES), stand_outline(SIZES)
    assert depth > tile.length
    assert along[0] < -tile.length - 2.0, "a tile that is out lies on the stand"


def test_the_tray_stands_while_a_tile_is_drawn(made: dict[str, Piece]) -> None:
    x, y = stand_outline(SIZES)
    feet = [(x[0] + 7.5, y[0] + 7.5), (x[1] - 7.5, y[0] + 7.5), (x[1] - 7.5, y[1] - 7.5), (x[0] + 7.5, y[1] - 7.5)]
    gram = SIZES.printing.density * SIZES.printing.filling / 1000
    mass = (made["tray-chute"].solid.volume + made["tray-stand"].solid.volume) * gram
    tray = Balance(mass, (0.0, 10.0, 50.0), feet)
    assert not tray.tips((0.0, -20.0, height(SIZES) + 5.0), 0.5, 90.0)
