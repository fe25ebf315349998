"""What a maker takes along beside the parts to print: lists to buy and to solder by, every picture as SVG and PNG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import matplotlib as mpl
import resvg_py

from hardware import bom, bom_polish
from hardware.circuit.netlist import netlist
from hardware.circuit.wirelist import files
from hardware.drawing import Drawing

WIDE: Final = 1600  # pixels of a PNG
_FONT: Final = "DejaVu Sans"  # which comes with matplotlib, so that letters look alike on every computer


def write_lists(folder: Path, build: str, chip: str, tables: int, *, kostka: bool = True) -> list[Path]:
    """What to buy for so many tables, in English and Polish, and what to solder where."""
    bought = bom.shopping(bom.rows(), tables, build, chip, kostka=kostka)
    texts = [
        ("shopping.csv", bom.as_csv(bought)),
        ("shopping.md", bom.as_markdown(bought, tables, build, chip)),
        ("shopping.pl.md", bom_polish.as_markdown(bought, tables, build, chip)),
    ]
    return [_written(folder / name, text) for name, text in [*texts, *files(netlist(build, chip, kostka=kostka))]]


def write_pictures(folder: Path, drawings: Iterable[Drawing]) -> Iterator[Path]:
    """Each picture twice, SVG and PNG; drawn while they are asked for."""
    for name, svg in drawings:
        text = svg()
        yield _written(folder / f"{name}.svg", text)
        picture = folder / f"{name}.png"
        picture.write_bytes(_pixels(text))
        yield picture


def _pixels(svg: str) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=WIDE,
            background="#fff",
            dpi=96,
            skip_system_fonts=True,
            font_family=_FONT,
            sans_serif_family=_FONT,
            serif_family=_FONT,
            font_dirs=[str(Path(mpl.get_data_path(), "fonts", "ttf"))],
        )
    )


def _written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="\n")
    return file
