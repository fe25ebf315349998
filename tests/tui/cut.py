"""What is cut off a scene in a language and whole in English; and which of it is known and waits to be mended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.tui.gallery import GALLERY, SIZES, Size
from tests.tui.languages import cuts, speaking
from tests.tui.storing import stored

KNOWN: Final[dict[str, set[str]]] = {}
"""By scene: widgets that cut a text and wait to be mended. One that is mended has to go from here: the test says so."""

WHOLE_BELOW: Final[dict[str, set[str]]] = {
    "settings": {"PickList#settings"}, "settings-boxes": {"PickList#settings"}, "results": {"PickList#results"},
}  # fmt: skip
"""By scene: lists that may shorten a line in the language that is generated, which is longer than any: the chosen line
stands whole below or beside it.
"""


@dataclass(frozen=True, slots=True)
class English:
    """A scene in English: what is stored of it, and what is cut off at each size."""

    files: dict[Path, str]
    cut: dict[Size, set[tuple[str, str]]]


_SEEN: Final[dict[str, English]] = {}  # drawn once in a process, whichever test comes first


async def english(name: str) -> English:
    """The scene in English, in every size."""
    if name not in _SEEN:
        files: dict[Path, str] = {}
        cut: dict[Size, set[tuple[str, str]]] = {}
        with speaking("en"):
            async with GALLERY[name](SIZES[0]) as stage:
                for size in SIZES:
                    if size != SIZES[0]:
                        await stage.resized(size)
                    files |= stored(name, size, stage)
                    cut[size] = set(cuts(stage.app))
        _SEEN[name] = English(files, cut)
    return _SEEN[name]


async def cut_in(name: str, language: str, sizes: Sequence[Size]) -> dict[str, list[str]]:
    """By widget: at which size what it shows is cut in that language only."""
    base = (await english(name)).cut
    found: dict[str, list[str]] = {}
    with speaking(language):
        async with GALLERY[name](sizes[0]) as stage:
            for size in sizes:
                if size != sizes[0]:
                    await stage.resized(size)
                for (widget, how), shown in cuts(stage.app).items():
                    if (widget, how) not in base[size]:
                        found.setdefault(widget.split()[-1], []).append(f"{size[0]}x{size[1]} {how}: {shown}")
    return found
