"""Pieces as files for a printer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from build123d import Solid, export_stl

from hardware.enclosure.printing import OFF, TURN


class Printed(Protocol):
    """A piece: `solid` as it lies on the bed."""

    @property
    def name(self) -> str: ...

    @property
    def solid(self) -> Solid: ...


def write_stl(folder: Path, pieces: Iterable[Printed]) -> Iterator[Path]:
    """Each piece, when it is written; those of a box that was made before are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.stl"):
        old.unlink()
    for piece in pieces:
        file = folder / f"{piece.name}.stl"
        export_stl(piece.solid, file, tolerance=OFF, angular_tolerance=TURN)
        yield file
