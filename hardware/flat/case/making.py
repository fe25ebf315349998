"""The case as files: every piece for a printer, and how many of each in which colour; every picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from build123d import export_stl

from hardware.drawing import written
from hardware.enclosure.printing import OFF, TURN
from hardware.flat.case import quantities
from hardware.flat.case.pieces import Piece, pieces
from hardware.flat.case.sizes import SIZES


def write_stl(folder: Path, *, kostka: bool = True) -> Iterator[Path]:
    """Each piece as it lies on the bed, and pieces.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pieces(kostka=kostka)
    for piece in made:
        file = folder / f"{piece.name}.stl"
        export_stl(piece.solid, file, tolerance=OFF, angular_tolerance=TURN)
        yield file
    yield written(folder / "pieces.csv", table(made))


def table(made: list[Piece]) -> str:
    """A line for each file: how many, of what, which face lies down, grams and hours of one if it is printed solid."""
    text = io.StringIO()
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(["file", "quantity", "filament", "lies on", "grams", "hours"])
    for piece in made:
        colour = quantities.COLOURS.get(piece.name, "black")
        sheet.writerow([f"{piece.name}.stl", piece.quantity, colour, piece.lies_on, *effort(piece)])
    return text.getvalue()


def effort(piece: Piece) -> tuple[int, float]:
    """Grams of one, and hours that an ordinary printer takes: both at most, and nothing has been weighed or timed."""
    volume = piece.solid.volume / 1000
    return round(volume * SIZES.printer.density), round(volume / SIZES.printer.speed, 1)
