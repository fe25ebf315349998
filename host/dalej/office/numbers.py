"""Numbers as they are typed, several at once: 1-3,7."""

from __future__ import annotations

import re
from typing import Final

from dalej.errors import WrongInput
from dalej.words import N_

TABLES_MOST: Final = 2_500
_NO_TABLES: Final = N_("{text} names no tables, expected numbers up to {most} such as 1-8 or 1,2,5")
_NO_PLACES: Final = N_("{text} names no places, expected numbers up to {most} such as 1-3 or 1,2,5")


def tables(text: str, most: int = TABLES_MOST) -> list[int]:
    """Numbers of tables."""
    return _several(text, most, _NO_TABLES)


def places(text: str, most: int) -> list[int]:
    """Places in the standings."""
    return _several(text, most, _NO_PLACES)


def _several(text: str, most: int, refusal: str) -> list[int]:
    """`1-3,7` -> 1, 2, 3, 7: each once, in their order. WrongInput with that template, to which `text` and `most` are
    known, where a part is none or one is above `most`.
    """
    digits = len(str(most))
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(rf"\s*([0-9]{{1,{digits}}})\s*(?:[-–]\s*([0-9]{{1,{digits}}})\s*)?", part)
        first, last = (0, 0) if match is None else (int(match[1]), int(match[2] or match[1]))
        if not 1 <= first <= last <= most:
            raise WrongInput(refusal, text=text, most=most)
        found.update(range(first, last + 1))
    return sorted(found)
