"""Textual's SVG of a screen as the repository keeps it: the same whatever was drawn before, nothing from elsewhere."""

from __future__ import annotations

import html
import re
from typing import Final

from rich.cells import cell_len

_BLANK: Final = "&#160;"
_FAMILY: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
_FONT: Final = re.compile(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", re.DOTALL)
_RECT: Final = re.compile(r'<rect fill="([^"]*)" x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)" ([^>]*)/>')
_RECTS: Final = re.compile(rf"(?:{_RECT.pattern})+")
_TEXT: Final = re.compile(r'<text class="([^"]*)" x="([^"]*)" y="([^"]*)" textLength="([^"]*)" ([^>]*)>([^<]*)</text>')


def plain_svg(svg: str) -> str:
    """Without fonts from elsewhere, and without blanks at the ends of texts, which not every program keeps.

    How a line was cut into pieces, and a name made of that, depends on what was drawn before: both are made alike.
    """
    svg = _TEXT.sub(_trimmed, _RECTS.sub(_joined, _FONT.sub("", svg)))
    return re.sub(r"terminal-\d+", "hall", svg).replace("Fira Code, monospace", _FAMILY)


def _joined(rects: re.Match[str]) -> str:
    """Neighbours of one colour as one."""
    joined: list[list[str]] = []
    for fill, x, y, width, height, rest in _RECT.findall(rects.group()):
        if joined and (fill, y) == (joined[-1][0], joined[-1][2]):
            joined[-1][3] = f"{float(x) + float(width) - float(joined[-1][1]):g}"
        else:
            joined.append([fill, x, y, width, height, rest])
    return "\n".join(
        f'<rect fill="{fill}" x="{x}" y="{y}" width="{width}" height="{height}" {rest}/>'
        for fill, x, y, width, height, rest in joined
    )


def _trimmed(text: re.Match[str]) -> str:
    look, x, y, length, rest, said = text.groups()
    letters = html.unescape(said).replace("\n", "")
    if not letters.strip():
        return ""
    cell = float(length) / cell_len(letters)
    left = float(x) + cell * (len(letters) - len(letters.lstrip()))
    while said.startswith(_BLANK):
        said = said.removeprefix(_BLANK)
    while said.endswith(_BLANK):
        said = said.removesuffix(_BLANK)
    width = cell * cell_len(letters.strip())
    return f'<text class="{look}" x="{left:g}" y="{y}" textLength="{width:g}" {rest}>{said}</text>'
