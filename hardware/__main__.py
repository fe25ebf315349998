"""Write what a maker needs into dist/hardware: parts to print, lists to buy and to solder by, every picture.

`python -m hardware BUILD` writes all of that build and nothing of another.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hardware import harness_list, harness_picture, making, pixels
from hardware.circuit import pictures as circuit_pictures
from hardware.circuit.box import BUILDS, CHIPS
from hardware.drawing import PICTURES, Drawing
from hardware.enclosure import pictures as enclosure_pictures
from hardware.enclosure.files import write_stl
from hardware.enclosure.pieces import pieces
from hardware.evening import making as evening
from hardware.evening import pictures as evening_pictures

MADE: Final = Path("dist", "hardware")
BUILDS_APART: Final[dict[str, Callable[[list[str]], int]]] = {"evening": evening.main}


def kept() -> Iterator[Drawing]:
    """Every picture of hardware/pictures."""
    yield from drawings()
    yield from evening_pictures.drawings()


def drawings(*, kostka: bool = True) -> Iterator[Drawing]:
    """The four-sided box's; without a tray its carrier and list of leads are drawn as its wires are numbered then."""
    yield from circuit_pictures.drawings(kostka=kostka)
    yield from harness_picture.drawings()
    yield from harness_list.drawings(kostka=kostka)
    yield from enclosure_pictures.drawings()


def stale() -> Iterator[tuple[Drawing, str]]:
    """Those that the repository does not hold as the code draws them, and how it draws them."""
    for drawing in kept():
        file, drawn = PICTURES / f"{drawing.name}.svg", drawing.svg()
        if not file.exists() or file.read_text("utf-8") != drawn:
            yield drawing, drawn


def strays() -> list[str]:
    """Pictures that nothing draws."""
    return sorted({file.stem for file in PICTURES.iterdir()} - {drawing.name for drawing in kept()})


def main(arguments: list[str]) -> int:
    """Exit code: 1 if asked to compare and a picture is not what the code draws."""
    if arguments and arguments[0] in BUILDS_APART:
        return BUILDS_APART[arguments[0]](arguments[1:])
    wanted = _parser().parse_args(arguments)
    try:
        return _compare(update=wanted.update) if wanted.pictures or wanted.update else _make(wanted)
    except harness_picture.NotDrawn as problem:
        print(problem, file=sys.stderr)
        return 1


def _make(wanted: argparse.Namespace) -> int:
    kostka = not wanted.no_kostka
    written = write_stl(MADE / f"stl-{wanted.build}", pieces(build=wanted.build, kostka=kostka))
    written += making.write_lists(MADE, wanted.build, wanted.chip, wanted.tables, kostka=kostka)
    for file in written:
        print(file)
    for file in pixels.write_pictures(MADE / "pictures", drawings(kostka=kostka)):
        print(file)
    return 0


def _compare(*, update: bool) -> int:
    problems = 0
    for (name, _), drawn in stale():
        problems += 1
        print(f"{name}.svg {'is drawn anew' if update else 'is not what the code draws'}")
        if update:
            (PICTURES / f"{name}.svg").write_text(drawn, "utf-8", newline="\n")
    for name in strays():
        problems += 1
        print(f"{name}.svg {'is deleted: ' if update else ''}nothing draws it")
        if update:
            (PICTURES / f"{name}.svg").unlink()
    return 0 if update else min(1, problems)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hardware",
        description=__doc__,
        epilog=f"builds with a folder of their own: {', '.join(BUILDS_APART)}",
    )
    parser.add_argument("--build", choices=BUILDS, default="full", help="four sides, or two buttons for all seats")
    parser.add_argument("--chip", choices=CHIPS, default="esp32", help="which development board")
    parser.add_argument("--no-kostka", action="store_true", help="without the tray and its contact")
    parser.add_argument("--tables", type=int, default=1, help="how many boxes the shopping list is for")
    parser.add_argument("--pictures", action="store_true", help="only say which of hardware/pictures are out of date")
    parser.add_argument("--update", action="store_true", help="draw those anew")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
