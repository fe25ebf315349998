"""Prints what is measured as one table of ratios: `python -m bench [SECTION ...]`, all sections if none is named."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bench import (
    air,
    centre,
    core,
    hall,
    journal,
    latency,
    ledger,
    office,
    pages,
    phones,
    pool,
    ranking,
    screen,
    vm,
    web,
)
from bench.row import Row

SECTIONS: Final[Mapping[str, Callable[[float], list[Row]]]] = {
    "core": core.measure,
    "latency": latency.measure,
    "ledger": ledger.measure,
    "vm": vm.measure,
    "journal": journal.measure,
    "hall": hall.measure,
    "pool": pool.measure,
    "air": air.measure,
    "screen": screen.measure,
    "web": web.measure,
    "pages": pages.measure,
    "centre": centre.measure,
    "phones": phones.measure,
    "ranking": ranking.measure,
    "office": office.measure,
}
HEADINGS: Final = ("", "measured", "baseline", "ratio", "goal", "")


def main(names: Sequence[str]) -> None:
    """Measure the named sections, in the order of `SECTIONS`, and print them when they are done."""
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        print(f"{', '.join(unknown)}: no such section, expected some of {', '.join(SECTIONS)}", file=sys.stderr)
        return
    lines: list[Sequence[str]] = [HEADINGS]
    rows: list[Row] = []
    for name, measure in SECTIONS.items():
        if not names or name in names:
            print(f"measuring {name} ...", file=sys.stderr)
            found = measure(1)
            rows += found
            lines.append((name.upper(),))
            lines += [(*row, _verdict(row)) for row in found]
    widths = [max(len(line[place]) for line in lines if len(line) > place) for place in range(len(HEADINGS))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=False)).rstrip())
    with_goal = [row for row in rows if row.met is not None]
    if with_goal:
        print(f"\n{sum(row.met is True for row in with_goal)} of {len(with_goal)} goals met.")


def _verdict(row: Row) -> str:
    return "" if row.met is None else "met" if row.met else "not met"


if __name__ == "__main__":
    main(sys.argv[1:])
