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
