"""Write what a maker of flat boxes needs, and nothing of another build: what to order, the board's files for KiCad and
the board house, pieces to print, every picture. The board is KiCad's work and takes minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hardware.drawing import written
from hardware.flat import files, order
from hardware.flat.case import making as case
from hardware.flat.case.pictures import drawings
from hardware.flat.kicad import NoKicad
from hardware.pixels import write_pictures

MADE: Final = Path("dist", "hardware", "flat")


def main(arguments: list[str]) -> int:
    """Exit code: 1 if the board's files are not there because KiCad is not."""
    asked = _parser().parse_args(arguments)
    for file in make(MADE, asked.tables, kostka=not asked.no_kostka):
        print(file)
    try:
        for file in files.write(MADE):
            print(file, flush=True)
    except NoKicad as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


def make(folder: Path, tables: int, *, kostka: bool = True) -> Iterator[Path]:
    """Each file that needs no KiCad, when it is written."""
    yield written(folder / "order.csv", order.as_csv(tables))
    for language, name in (("en", "order.md"), ("pl", "order-pl.md")):
        yield written(folder / name, order.as_markdown(tables, language))
    yield from case.write_stl(folder / "print", kostka=kostka)
    yield from write_pictures(folder / "pictures", drawings())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hardware flat", description=__doc__)
    parser.add_argument("--tables", type=int, default=25, help="how many boxes the lists of what to order are for")
    parser.add_argument("--no-kostka", action="store_true", help="without the tray that stands aside")
    return parser
