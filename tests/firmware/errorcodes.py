"""The codes that a box can show, and the page that explains them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from moveclock import facts as k
from tools.firmware import FIRMWARE

PAGES = [FIRMWARE.parent / "hardware" / f"error-codes{language}.md" for language in ("", "-pl", "-it")]
EACH = {"E_STUCK": k.CONTACTS, "E_HELD": k.CONTACTS, "E_DISPLAY": 4}  # so many codes from this one on


def shown() -> set[int]:
    """Every number that may stand after the E."""
    found: set[int] = set()
    for name, code in vars(k).items():
        if name.startswith("E_"):
            numbers = set(range(code, code + EACH.get(name, 1)))
            assert not numbers & found, f"{name} has the number of another fault"
            found |= numbers
    return found


def sections(page: Path = PAGES[0]) -> Iterator[tuple[set[int], str]]:
    """The codes of each heading, and what stands below it."""
    text = page.read_text(encoding="utf-8")
    for head, below in re.findall(r"(?ms)^### ([^\n]+)\n\n(.+?)(?=\n#|\Z)", text):
        codes = [int(code) for code in re.findall(r"E (\d+)", head.partition(":")[0])]
        yield set(range(codes[0], codes[-1] + 1)), below
