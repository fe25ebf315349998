"""The printed pieces, modelled once for all tests that one worker gets (tests/vm/collect.py sees to that)."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.enclosure import SIZES
from hardware.enclosure.layout import Layout

HERE = Path(__file__).parent

if TYPE_CHECKING:
    import trimesh

    from hardware.enclosure.bought import Bought
    from hardware.enclosure.pieces import Piece


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whichever comes first models for all others."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.long(600))


@pytest.fixture(scope="module")
def modeller(request: pytest.FixtureRequest) -> None:
    """Brings in what needs ten seconds of a processor, which only a worker that models something should spend."""
    names = vars(import_module("tests.hardware.modelling"))
    vars(request.module).update({name: names[name] for name in names["__all__"]})


@pytest.fixture(scope="session")
def made() -> dict[str, Piece]:
    """The full build's pieces, and the small one's plug: its other pieces are as dear to model, and alike."""
    from hardware.enclosure.pieces import _collars, pieces

    everything = {piece.name: piece for piece in pieces()}
    return everything | {piece.name: piece for piece in _collars(SIZES, Layout(SIZES), "small") if piece.name == "plug"}


@pytest.fixture(scope="session")
def meshes(made: dict[str, Piece]) -> dict[str, trimesh.Trimesh]:
    """As the printer gets them."""
    from hardware.enclosure.printing import mesh

    return {name: mesh(piece.solid) for name, piece in made.items()}


@pytest.fixture(scope="session")
def parts() -> list[Bought]:
    """What is bought, where it sits in the full box."""
    from hardware.enclosure.bought import bought

    return bought(SIZES)
