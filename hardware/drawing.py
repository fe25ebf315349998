"""What a picture of the box is: a name, and how to draw it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

PICTURES: Final = Path(__file__).parent / "pictures"


class Drawing(NamedTuple):
    """One SVG of hardware/pictures: `name` is the file's, without its ending; `svg()` draws it, the same every time."""

    name: str
    svg: Callable[[], str]


def written(file: Path, text: str) -> Path:
    """Write it, with the folder that it is to be in."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="\n")
    return file
