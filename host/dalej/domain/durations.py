"""Times as people write them: `40 s`, `90 min`, `1 min 30 s`, `0.3 s`; in milliseconds."""

from __future__ import annotations

import re
from typing import Final

_UNITS: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000}
_SPELLED: Final = {"sec": "s", "sek": "s", "m": "min", "godz": "h", "g": "h", "": "ms"}
_PART: Final = re.compile(r"\s*(\d{1,9})(?:[.,](\d{1,3}))?\s*([a-z]*)\.?", re.ASCII)


def duration(text: str) -> int | None:
    """Milliseconds; None if the text says no time. A number alone is milliseconds."""
    total, at, rest = 0, 0, text.strip().lower().replace("_", "")
    while at < len(rest):
        part = _PART.match(rest, at)
        unit = None if part is None else _UNITS.get(_SPELLED.get(part[3], part[3]))
        if part is None or unit is None or (not part[3] and (part[2] or part[0] != rest)):
            return None
        total += int(part[1]) * unit + int((part[2] or "").ljust(3, "0")) * unit // 1_000
        at = part.end()
    return total if rest else None


def spoken(ms: int) -> str:
    """The time in its largest whole units."""
    if not ms:
        return "0 s"
    parts = []
    for unit, size in reversed(_UNITS.items()):
        count, ms = divmod(ms, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts)
