"""The flat box's schematic for KiCad: eight pages, drawn from `circuit`, and refused if they say anything else.

The first page is the way of the power as one line, and the list of the others. Every net has its name in `circuit` on
every page, as a global label or a rail's symbol, so that no name depends on a sheet. Lengths are in steps of 1.27 mm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from hardware.flat.circuit import SIDES, circuit
from hardware.flat.display_page import display
from hardware.flat.expression import Expression, Text, written
from hardware.flat.main_pages import keys, lamps, module, power
from hardware.flat.page import PROJECT, Door, Page, sheet_identity, symbol_identity
from hardware.flat.symbols import LIBRARY, library

Fields = Mapping[str, Mapping[str, str]]
TITLE: Final = "Dalej, flat box"


@cache
def pages() -> tuple[Page, ...]:
    """All of them, drawn; ValueError if one of them joins what the circuit does not, or the other way round."""
    parts = circuit().by_ref
    first = Page(1, "Power", PROJECT, parts)
    rest = [
        Page(2, "Module and bus", f"{PROJECT}-module", parts),
        Page(3, "Lamps", f"{PROJECT}-lamps", parts),
        Page(4, "Keys, Kostka, buzzer", f"{PROJECT}-keys", parts),
        *(
            Page(5 + place, f"Display {side}", f"{PROJECT}-display-{side.lower()}", parts)
            for place, side in enumerate(SIDES)
        ),
    ]
    power(first)
    for page, draw in zip(rest, (module, lamps, keys), strict=False):
        draw(page)
    for page, side in zip(rest[3:], SIDES, strict=True):
        display(page, side)
    for row, shown in enumerate((rest[:3], rest[3:])):
        first.doors += [Door(page, 14 + 52 * place, 178 + 22 * row) for place, page in enumerate(shown)]
    made = (first, *rest)
    _compare(made)
    return made


def nets(made: tuple[Page, ...]) -> Mapping[str, frozenset[tuple[str, str]]]:
    """What the pages join: each net's parts and pins; ValueError for one with two names, or with none."""
    found: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for page in made:
        open_ends = set(page.ends)
        for names, pins in page.nets():
            if len(names) > 1:
                raise ValueError(f"{page.name} joins {', '.join(sorted(names))}")
            if names:
                found[next(iter(names))] |= pins
            elif len(pins) != 1 or page.find(*next(iter(pins))) not in open_ends:
                raise ValueError(f"on {page.name} nothing names what joins {sorted(pins)}")
    return {name: frozenset(pins) for name, pins in found.items()}


def _compare(made: tuple[Page, ...]) -> None:
    drawn = nets(made)
    wanted = {name: frozenset((part.ref, number) for part, number in pins) for name, pins in circuit().nets.items()}
    for name in sorted(drawn.keys() | wanted.keys()):
        differing = drawn.get(name, frozenset()) ^ wanted.get(name, frozenset())
        if differing or name not in wanted:
            raise ValueError(f"{name} is drawn otherwise than the circuit has it: {sorted(differing)}")
    refs = [placed.ref for page in made for placed in page.placed]
    missing = circuit().by_ref.keys() - set(refs)
    if missing or len(refs) != len(set(refs)):
        raise ValueError(
            f"drawn never or twice: {sorted(missing) or sorted(ref for ref in refs if refs.count(ref) > 1)}"
        )


@cache
def _places() -> Mapping[str, Page]:
    return {placed.ref: page for page in pages() for placed in page.placed if placed.part is not None}


def _way(page: Page) -> str:
    """KiCad's path of a page, from the first one's UUID."""
    first = pages()[0].identity
    return f"/{first}" if page.number == 1 else f"/{first}/{sheet_identity(page)}"


def path_of(ref: str) -> str:
    """What a footprint of the board bears as its `path`; KeyError for a part that there is not."""
    page = _places()[ref]
    return f"/{symbol_identity(ref)}" if page.number == 1 else f"/{sheet_identity(page)}/{symbol_identity(ref)}"


def sheet_of(ref: str) -> tuple[str, str]:
    """The same part's `sheetname` and `sheetfile` on the board."""
    page = _places()[ref]
    return ("/" if page.number == 1 else f"/{page.name}/"), f"{page.file}.kicad_sch"


def net_of(ref: str, number: str) -> str:
    """The net of a pin, by its number, as the board has to name it: KiCad names one that stays open, too."""
    part = circuit().by_ref[ref]
    return (
        part.net(number)
        or f"unconnected-({ref}-{next(name for each, name, _ in part.kind.pins if each == number)}-Pad{number})"
    )


def write(folder: Path, fields: Fields | None = None) -> list[Path]:
    """Writes a file for each page, the library of their symbols and the table that names it; what was written.

    `fields`: more of a part's by its reference or its kind's name, {"LCSC": "C12345"}. The project's file is not
    written here, nor is a table of footprints, which needs to name the library `Dalej`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    made = pages()
    symbols = {placed.symbol.name: placed.symbol for page in made for placed in page.placed}
    files: dict[str, Expression] = {
        f"{page.file}.kicad_sch": page.expression(_way(page), fields or {}, f"{TITLE}: {page.name}") for page in made
    }
    files[f"{LIBRARY}.kicad_sym"] = library(symbols[name] for name in sorted(symbols))
    row = ("name", Text(LIBRARY)), ("type", Text("KiCad")), ("uri", Text(f"${{KIPRJMOD}}/{LIBRARY}.kicad_sym"))
    files["sym-lib-table"] = (
        "sym_lib_table",
        ("version", 7),
        ("lib", *row, ("options", Text("")), ("descr", Text(""))),
    )
    for name, expression in files.items():
        (folder / name).write_text(written(expression), encoding="utf-8", newline="\n")
    return [folder / name for name in files]
