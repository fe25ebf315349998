"""Pictures as pixels, for whoever has no program that shows an SVG."""

from __future__ import annotations

from pathlib import Path

from hardware import pixels
from hardware.drawing import PICTURES, Drawing


def test_each_picture_is_written_as_it_is_drawn_and_as_pixels(tmp_path: Path) -> None:
    svg = (PICTURES / "evening-wiring.svg").read_text("utf-8")

    written = list(pixels.write_pictures(tmp_path, [Drawing("wiring", lambda: svg)]))

    assert [file.name for file in written] == ["wiring.svg", "wiring.png"]
    assert written[0].read_text("utf-8") == svg
    png = written[1].read_bytes()
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == pixels.WIDE
    assert _pixels_of(tmp_path, svg.replace("<text", "<!--text").replace("</text>", "</text-->")) < len(png) * 0.9


def _pixels_of(folder: Path, svg: str) -> int:
    """Bytes of the picture."""
    *_, png = pixels.write_pictures(folder, [Drawing("plain", lambda: svg)])
    return png.stat().st_size
