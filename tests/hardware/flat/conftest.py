"""The flat box's case, modelled once for all tests of a file, and KiCad, where it is installed."""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import trimesh

    from hardware.drawing import Drawing
    from hardware.flat.case.pieces import Piece


@pytest.fixture(scope="session")
def installed() -> None:
    """KiCad is; without it, no test."""
    if shutil.which("kicad-cli") is None:
        pytest.skip("there is no kicad-cli here (Debian: apt-get install kicad kicad-footprints, version 9)")


@pytest.fixture(scope="session")
def case() -> dict[str, Piece]:
    """Every piece, the tray's too."""
    from hardware.flat.case.pieces import pieces

    return {piece.name: piece for piece in pieces()}


@pytest.fixture(scope="session")
def case_meshes(case: dict[str, Piece]) -> dict[str, trimesh.Trimesh]:
    """As the printer gets them."""
    from hardware.enclosure.printing import mesh

    return {name: mesh(piece.solid) for name, piece in case.items()}


@pytest.fixture(scope="session")
def drawn() -> list[Drawing]:
    """Every picture of the pages, drawn."""
    from hardware.drawing import Drawing
    from hardware.flat.case.pictures import drawings

    return [Drawing(drawing.name, partial(str, drawing.svg())) for drawing in drawings()]
