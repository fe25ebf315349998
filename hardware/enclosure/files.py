"""The pieces as files for a printer."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from build123d import export_stl

from hardware.enclosure.pieces import Piece
from hardware.enclosure.printing import OFF, TURN


def write_stl(folder: Path, made: Sequence[Piece]) -> list[Path]:
    """Each printed piece as it lies on the bed, and pieces.csv: how many of each, and which face lies down."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.stl"):  # of a box that was made before, perhaps with a tray
        old.unlink()
    written = [folder / f"{piece.name}.stl" for piece in made]
    for piece, file in zip(made, written, strict=True):
        export_stl(piece.solid, file, tolerance=OFF, angular_tolerance=TURN)
    listed = folder / "pieces.csv"
    listed.write_text(_pieces(made), "utf-8", newline="\n")
    return [*written, listed]


def _pieces(made: Iterable[Piece]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["file", "quantity", "lies on"])
    table.writerows([f"{piece.name}.stl", piece.quantity, piece.orientation] for piece in made)
    return text.getvalue()
