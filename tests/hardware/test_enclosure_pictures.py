"""Pictures of the enclosure are what its pieces look like."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from hardware.drawing import PICTURES, Drawing

if TYPE_CHECKING:
    from tests.hardware.modelling import (
        Gallery,
        Piece,
        box,
        drawings,
    )

pytestmark = pytest.mark.usefixtures("modeller")


def drawn(made: dict[str, Piece]) -> dict[str, Drawing]:
    return {drawing.name: drawing for drawing in drawings(Gallery(made=made))}


@pytest.mark.parametrize("name", ["step-display", "part-tray-stand"])
def test_a_picture_is_what_the_pieces_look_like(name: str, made: dict[str, Piece]) -> None:
    assert drawn(made)[name].svg() == (PICTURES / f"{name}.svg").read_text("utf-8")


def test_every_picture_has_a_name_of_its_own_and_is_kept(made: dict[str, Piece]) -> None:
    names = [drawing.name for drawing in drawings()]
    assert len(names) == len(set(names))
    for name in names:
        kept = PICTURES / f"{name}.svg"
        assert kept.stat().st_size < 300_000, name
        assert ET.parse(kept).getroot().tag.endswith("svg")


def test_another_piece_is_another_picture(made: dict[str, Piece]) -> None:
    other = replace(made["clamp"], solid=box((0, 12), (0, 12), (0, 3)))
    assert drawn(made)["part-clamp"].svg() != drawn(made | {"clamp": other})["part-clamp"].svg()


@pytest.mark.torture
def test_every_picture_is_what_the_pieces_look_like() -> None:
    stale = [drawing.name for drawing in drawings() if drawing.svg() != (PICTURES / f"{drawing.name}.svg").read_text()]
    assert stale == []
