"""What is stored of the gallery's pictures: plain text for a person to read in a diff, and what the documents show.

An SVG says the same as the text and the colours of its pieces, in ten times the bytes and in a diff that nobody reads,
so those are drawn when somebody wants to look: `python -m tools.pictures --all FOLDER`. Colours do not depend on the
size, so they are stored once, below the text of the smallest.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from rich.style import Style
from textual.app import App

from tests.tui.gallery import GALLERY, SIZES, Size, Stage
from tests.tui.scenes import as_text
from tools.svg import plain_svg

FOLDER: Final = Path(__file__).with_name("pictures")
DOCS: Final = Path(__file__).parents[2] / "docs" / "pictures"
IN_DOCS: Final = {
    "ruling": "rule", "menu": "menu", "entry": "entry-wrong", "standings": "standings", "seating": "seating",
    "settings": "settings", "public": "public",
}  # fmt: skip
"""A picture of the documents, at the smallest size, and its scene."""
COLOURS: Final = "\n--- colours: lines, columns ---\n"
_BESIDE: Final = ("bold", "dim", "italic", "reverse", "strike", "underline")


async def drawn(name: str) -> dict[Path, str]:
    """Everything that is stored of a scene, under its file."""
    files: dict[Path, str] = {}
    async with GALLERY[name](SIZES[0]) as stage:
        for size in SIZES:
            if size != SIZES[0]:
                await stage.resized(size)
            files |= stored(name, size, stage)
    return files


def stored(name: str, size: Size, stage: Stage) -> dict[Path, str]:
    """What is stored of a scene that stands still, at that size."""
    smallest = size == SIZES[0]
    text = as_text(stage.app)  # first: it looks behind a dialog, and from then on so does whoever asks for lines
    colours = COLOURS + as_colours(stage.app) if smallest else ""
    files = {FOLDER / f"{name}-{size[0]}x{size[1]}.txt": text + colours}
    if smallest:
        svg = [DOCS / f"{shown}.svg" for shown, scene in IN_DOCS.items() if scene == name]
        files |= {file: plain_svg(stage.app.export_screenshot(simplify=True)) for file in svg}
    return files


def as_colours(app: App[Any]) -> str:
    """The look of every piece that is not as most of the screen; equal lines together."""
    lines = [list(_pieces(strip)) for strip in app.screen._compositor.render_strips()]
    plain = _most(lines)
    told, at = [], 1
    for pieces, alike in groupby(lines):
        count = len(list(alike))
        where = f"{at}" if count == 1 else f"{at}-{at + count - 1}"
        told += [f"{where}: {left}-{right} {look}" for left, right, look in pieces if look != plain]
        at += count
    return "\n".join([f"all else: {plain}", *told]) + "\n"


def _pieces(strip: Any) -> Iterator[tuple[int, int, str]]:
    """First and last column of each run of one look."""
    at = 0
    looks = [(_look(segment.style), segment.cell_length) for segment in strip if segment.cell_length]
    for look, run in groupby(looks, key=lambda one: one[0]):
        length = sum(cells for _look, cells in run)
        yield at + 1, at + length, look
        at += length


def _look(style: Style | None) -> str:
    if style is None:
        return "-"
    words = [word for word in _BESIDE if getattr(style, word)]
    colours = [one.get_truecolor().hex if one else "-" for one in (style.color, style.bgcolor)]
    return " ".join([*words, f"{colours[0]} on {colours[1]}"])


def _most(lines: list[list[tuple[int, int, str]]]) -> str:
    cells: dict[str, int] = {}
    for pieces in lines:
        for left, right, look in pieces:
            cells[look] = cells.get(look, 0) + right - left + 1
    return max(cells, key=lambda look: (cells[look], look))
