"""The list of parts in Polish: what bom.csv lists, in the words that a shop's search box takes.

Quantities, spares and prices are those of bom.csv alone; a test compares kinds, and numbers of values and measures.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from hardware.bom import Row, WrongList, cost, page_of

FILE: Final = Path(__file__).parent / "bom-pl.csv"
HEADS: Final = ("kind", "chip", "część", "wartość", "wymiary", "wpisz w sklepie", "na co zwrócić uwagę")


class Words(NamedTuple):
    """What a row of bom.csv is in Polish; `search` is to be typed into a shop's search box."""

    kind: str
    chip: str
    part: str
    value: str
    package: str
    search: str
    look_for: str


def words(text: str | None = None) -> dict[tuple[str, str], Words]:
    """By kind and chip, of bom-pl.csv or of this text in its form. WrongList for a line that is none."""
    reader = csv.reader(io.StringIO(FILE.read_text("utf-8") if text is None else text))
    if tuple(next(reader, [])) != HEADS:
        raise WrongList(f"The first line must be {','.join(HEADS)}.")
    found: dict[tuple[str, str], Words] = {}
    for line in reader:
        if len(line) != len(HEADS) or not all((line[0], line[2], line[5])):
            raise WrongList(f"Line {reader.line_num} is not {len(HEADS)} fields with kind, part and search.")
        row = Words(*line)
        if (row.kind, row.chip) in found:
            raise WrongList(f"There are two rows for {row.kind}.")
        found[row.kind, row.chip] = row
    return found


def differences(listed: Iterable[Row], polish: dict[tuple[str, str], Words]) -> list[str]:
    """Where the Polish list is not that of bom.csv, in sentences: kinds, and numbers of values and measures."""
    rows = {(row.kind, row.chip): row for row in listed}
    wrong = [f"{kind} {chip}".strip() + " has no Polish row." for kind, chip in rows if (kind, chip) not in polish]
    wrong += [
        f"Polish {kind} {chip}".strip() + " is not in bom.csv." for kind, chip in polish if (kind, chip) not in rows
    ]
    for key, row in rows.items():
        if key in polish:
            told = [_numbers(f"{each.part} {each.value} {each.package}") for each in (row, polish[key])]
            if told[0] != told[1]:
                wrong.append(f"{row.kind}: {' '.join(told[0])} in bom.csv, {' '.join(told[1])} in Polish.")
    return wrong


def as_markdown(bought: Sequence[tuple[Row, int]], tables: int, build: str, chip: str) -> str:
    """What to buy, as a table that can be printed."""
    polish = words()
    headings = ("sztuk", "część", "wartość, wymiary", "wpisz w sklepie", "na co zwrócić uwagę", "EUR")
    rows = (_cells(polish[row.kind, row.chip], count, count * row.price) for row, count in bought)
    total = cost(bought)
    sums = [f"Razem około {total:.0f} EUR, {total / tables:.0f} EUR na stoper: to szacunek, nie oferta."]
    if tables > 1:
        sums.append("Zapas jest wliczony.")
    return page_of(f"Do kupienia: {tables} × {build}, {chip}", headings, rows, sums)


def _cells(told: Words, count: int, price: float) -> tuple[str, ...]:
    measures = "; ".join(filter(None, (told.value, told.package)))
    return str(count), told.part, measures, told.search, told.look_for, _decimal(price)


def _numbers(text: str) -> tuple[str, ...]:
    """Every number, however the language writes its decimals, in an order of its own."""
    return tuple(sorted(each.replace(",", ".") for each in re.findall(r"\d+(?:[.,]\d+)?", text)))


def _decimal(price: float) -> str:
    return f"{price:.2f}".replace(".", ",")
