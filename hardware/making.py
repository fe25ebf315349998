"""What a maker takes along beside the parts to print and the pictures: lists to buy and to solder by."""

from __future__ import annotations

from pathlib import Path

from hardware import bom, bom_polish
from hardware.circuit.netlist import netlist
from hardware.circuit.wirelist import files
from hardware.drawing import written


def write_lists(folder: Path, build: str, chip: str, tables: int, *, kostka: bool = True) -> list[Path]:
    """What to buy for so many tables, in English and Polish, and what to solder where."""
    bought = bom.shopping(bom.rows(), tables, build, chip, kostka=kostka)
    texts = [
        ("shopping.csv", bom.as_csv(bought)),
        ("shopping.md", bom.as_markdown(bought, tables, build, chip)),
        ("shopping.pl.md", bom_polish.as_markdown(bought, tables, build, chip)),
    ]
    return [written(folder / name, text) for name, text in [*texts, *files(netlist(build, chip, kostka=kostka))]]
