"""The list of parts: reads hardware/bom.csv, counts what a box needs, and writes what to buy.

    python -m hardware.bom                         one full box with an ESP32, as Markdown
    python -m hardware.bom --tables 8 --csv        a set for eight tables with its spares, for a spreadsheet

Quantities are written down in bom.csv for people and counted here from the circuit, the enclosure and the harness; a
test compares both. Prices are estimates.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

from hardware import harness
from hardware.circuit.carrier import RAILS, spots, wires
from hardware.circuit.netlist import Netlist, netlist, quantities
from hardware.enclosure import fasteners

FILE: Final = Path(__file__).parent / "bom.csv"
BUILDS: Final = ("full", "small")
CHIPS: Final = ("esp32", "esp32s3")
BENCH: Final = "bench"
PLACES: Final = ("carrier", "sides", "top", "tray", "battery bay", "box", BENCH)
SET_TABLES: Final = 8  # for so many tables the column `spares` is meant
SUPPLIES: Final = dict.fromkeys(
    (
        "perfboard",
        "filament",
        "filament-white",
        "filament-petg",
        "heat-shrink",
        "solder",
        "load-resistor",
        "usb-cable",
        "usb-supply",
        "hot-glue",
    ),
    1,
)
"""What neither circuit nor enclosure counts, for a box of either build."""
WASTE: Final = 1.25  # of wire
ENDS: Final = 15  # mm at a wire of the carrier, to be bared and cut off


class WrongList(ValueError):
    """bom.csv cannot be read; the message is one sentence that names the line."""


class Row(NamedTuple):
    """A kind of part. `chip`: the only one that takes it, or `""`; `full`, `small`: pieces for a box; `price`: EUR."""

    kind: str
    part: str
    value: str
    chip: str
    full: int
    small: int
    spares: int
    package: str
    place: str
    look_for: str
    price: float

    def quantity(self, build: str, chip: str) -> int:
        """For one box."""
        return 0 if self.chip not in ("", chip) else self.full if build == "full" else self.small

    def for_tables(self, tables: int, each: int) -> int:
        """For so many with `each` in a box, with spares as for a set of eight, in proportion and rounded up.

        One box gets no spares. What is for the bench is bought once for eight.
        """
        if self.place == BENCH:
            return each * ceil(tables / SET_TABLES)
        return 0 if not each else each if tables == 1 else each * tables + ceil(self.spares * tables / SET_TABLES)


def rows(text: str | None = None) -> list[Row]:
    """Those of bom.csv, or of this text in its form. WrongList for a line that is none."""
    reader = csv.reader(io.StringIO(FILE.read_text("utf-8") if text is None else text))
    heads = next(reader, [])
    if tuple(heads) != _heads():
        raise WrongList(f"The first line must be {','.join(_heads())}.")
    found = [_row(line, reader.line_num) for line in reader]
    seen = Counter((row.kind, row.chip) for row in found)
    for row in found:
        if seen[row.kind, row.chip] > 1:
            raise WrongList(f"There are two rows for {row.kind}.")
    return found


def needed(build: str, chip: str, *, kostka: bool = True) -> Counter[str]:
    """How many of each kind a box takes, counted from its circuit, its enclosure and its leads."""
    box = netlist(build, chip, kostka=kostka)
    found = quantities(box)
    found.update(fasteners(build, kostka=kostka))
    found.update(SUPPLIES)
    boxes = [netlist(build, each, kostka=kostka) for each in CHIPS]
    found["wire"] = max(ceil(WASTE * (harness.metres(harness.leads(each)) + _soldered(each)[0])) for each in boxes)
    found["wire-thin"] = max(ceil(WASTE * _soldered(each)[1]) for each in boxes)
    return found


def _soldered(box: Netlist) -> tuple[float, float]:
    """Metres of wire on the carrier: for the rails, and the thin one for all else."""
    metres = [0.0, 0.0]
    for wire in wires(box, spots(box)):
        if not wire.bridge:
            metres[wire.net not in RAILS] += (wire.length + ENDS) / 1000
    return metres[0], metres[1]


def differences(listed: Iterable[Row]) -> list[str]:
    """Where the list is not what boxes need, in sentences; and kinds that have no row, and rows that nobody needs."""
    listed = list(listed)
    wrong = []
    for build in BUILDS:
        for chip in CHIPS:
            counted = needed(build, chip)
            bought = {row.kind: row.quantity(build, chip) for row in listed if row.chip in ("", chip)}
            for kind in sorted({*counted, *bought}):
                if kind not in bought:
                    wrong.append(f"{kind} has no row for {build} with {chip}.")
                elif counted[kind] != bought[kind]:
                    wrong.append(f"{kind}: {bought[kind]} listed for {build} with {chip}, {counted[kind]} counted.")
    kinds = {kind for build in BUILDS for chip in CHIPS for kind in needed(build, chip)}
    return wrong + [f"Nobody needs {row.kind}." for row in listed if row.kind not in kinds]


def shopping(
    listed: Iterable[Row], tables: int, build: str, chip: str, *, kostka: bool = True
) -> list[tuple[Row, int]]:
    """What to buy, and how many, without what this box does not take."""
    bought = []
    without = {} if kostka else needed(build, chip, kostka=False)
    for row in listed:
        each = row.quantity(build, chip)
        if each and not kostka:
            each = without[row.kind]
        if count := row.for_tables(tables, each):
            bought.append((row, count))
    return bought


def cost(bought: Iterable[tuple[Row, int]]) -> float:
    """In EUR, an estimate."""
    return sum(count * row.price for row, count in bought)


def as_markdown(bought: Sequence[tuple[Row, int]], tables: int, build: str, chip: str) -> str:
    """A table that can be printed."""
    headings = ("quantity", "part", "value", "package", "look for", "EUR")
    rows = (
        (str(count), row.part, row.value, row.package, row.look_for, f"{count * row.price:.2f}")
        for row, count in bought
    )
    total = cost(bought)
    sums = [f"About {total:.0f} EUR, {total / tables:.0f} EUR a box: estimates, not offers."]
    if tables > 1:
        sums.append("Spares are in the quantities.")
    return page_of(f"To buy for {tables} × {build}, {chip}", headings, rows, sums)


def page_of(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], sums: Sequence[str]) -> str:
    """A page with one table, in whatever language; its first and its last column are numbers."""
    lines = [f"# {title}", "", "| " + " | ".join(headings) + " |", "|---:|" + "---|" * (len(headings) - 2) + "---:|"]
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    return "\n".join([*lines, "", *sums]) + "\n"


def as_csv(bought: Iterable[tuple[Row, int]]) -> str:
    """The same for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("quantity", "kind", "part", "value", "package", "look_for", "price_eur_estimate"))
    for row, count in bought:
        writer.writerow((count, row.kind, row.part, row.value, row.package, row.look_for, f"{count * row.price:.2f}"))
    return out.getvalue()


def main(arguments: list[str]) -> int:
    """Print what to buy."""
    parser = argparse.ArgumentParser(prog="python -m hardware.bom", description="What to buy for boxes.")
    parser.add_argument("--tables", type=int, default=1, help="how many boxes; from two on with spares (default 1)")
    parser.add_argument("--build", choices=BUILDS, default="full")
    parser.add_argument("--chip", choices=CHIPS, default="esp32")
    parser.add_argument("--no-kostka", action="store_true", help="without the tray and its contact")
    parser.add_argument("--csv", action="store_true", help="for a spreadsheet, not as Markdown")
    wanted = parser.parse_args(arguments)
    if wanted.tables < 1:
        parser.error("--tables must be 1 or more")
    try:
        bought = shopping(rows(), wanted.tables, wanted.build, wanted.chip, kostka=not wanted.no_kostka)
    except (OSError, WrongList) as error:
        print(error, file=sys.stderr)
        return 1
    print(as_csv(bought) if wanted.csv else as_markdown(bought, wanted.tables, wanted.build, wanted.chip), end="")
    return 0


def _heads() -> tuple[str, ...]:
    return (*Row._fields[:-1], "price_eur_estimate")


def _row(line: list[str], number: int) -> Row:
    if len(line) != len(Row._fields):
        raise WrongList(f"Line {number} has {len(line)} fields instead of {len(Row._fields)}.")
    kind, part, value, chip, full, small, spares, package, place, look_for, price = line
    if chip not in ("", *CHIPS):
        raise WrongList(f"Line {number}: {chip} is no chip.")
    if place not in PLACES:
        raise WrongList(f"Line {number}: {place} is none of {', '.join(PLACES)}.")
    if not all((kind, part, package, look_for)):
        raise WrongList(f"Line {number} leaves out what the part is.")
    try:
        counts = int(full), int(small), int(spares)
        euros = float(price)
    except ValueError:
        raise WrongList(f"Line {number}: a quantity or the price is no number.") from None
    if min(*counts, euros) < 0 or not any(counts):
        raise WrongList(f"Line {number}: quantities and price cannot be less than nothing, nor all be 0.")
    return Row(kind, part, value, chip, *counts, package, place, look_for, euros)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
