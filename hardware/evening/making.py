"""Write what a maker of evening boxes needs, and nothing of another build: what to order, pieces to print, the template
for a cardboard box, every picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hardware.drawing import written
from hardware.enclosure.files import write_stl
from hardware.evening import cardboard, order
from hardware.evening.pictures import drawings
from hardware.evening.stand import pieces
from hardware.pixels import write_pictures

MADE: Final = Path("dist", "hardware", "evening")


def main(arguments: list[str]) -> int:
    """Exit code."""
    asked = _parser().parse_args(arguments)
    for file in make(MADE, asked.tables):
        print(file)
    return 0


def make(folder: Path, tables: int) -> Iterator[Path]:
    """Each file, when it is written."""
    yield from write_lists(folder, tables)
    yield from write_stl(folder / "print", pieces())
    yield from write_template(folder)
    yield from write_pictures(folder / "pictures", drawings())


def write_lists(folder: Path, tables: int) -> Iterator[Path]:
    """For each stand one to read in either language, and one for a spreadsheet."""
    listed = order.rows()
    for stand in order.STANDS:
        yield written(folder / f"order-{stand}.csv", order.as_csv(listed, stand, tables))
        for language, name in (("en", f"order-{stand}.md"), ("pl", f"order-{stand}-pl.md")):
            yield written(folder / name, order.as_markdown(listed, stand, language, tables))


def write_template(folder: Path) -> Iterator[Path]:
    """For a printer at 100 %, and for whoever changes it."""
    svg = cardboard.template()
    yield written(folder / "cardboard.svg", svg)
    page = folder / "cardboard.pdf"
    page.write_bytes(cardboard.pdf(svg))
    yield page


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hardware evening", description=__doc__)
    parser.add_argument("--tables", type=int, default=1, help="how many boxes the lists of what to order are for")
    return parser
