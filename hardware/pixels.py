"""An SVG as pixels, with letters that look alike on every computer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import matplotlib as mpl
import resvg_py

from hardware.drawing import Drawing, written

WIDE: Final = 1600
FONTS: Final = Path(mpl.get_data_path(), "fonts", "ttf")
_FONT: Final = "DejaVu Sans"  # which comes with matplotlib


def write_pictures(folder: Path, drawings: Iterable[Drawing]) -> Iterator[Path]:
    """Each picture twice, SVG and PNG; drawn while they are asked for."""
    for name, svg in drawings:
        text = svg()
        yield written(folder / f"{name}.svg", text)
        picture = folder / f"{name}.png"
        picture.write_bytes(pixels(text))
        yield picture


def pixels(svg: str) -> bytes:
    """A PNG, `WIDE` pixels wide."""
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
            font_dirs=[str(FONTS)],
        )
    )
