"""What to order for evening boxes, in English and in Polish words: all of it from parts.csv, the page's table too.

Prices are estimates in both currencies, for all pieces of a row together, without postage.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware import shopping
from hardware.shopping import LANGUAGES, Words

PARTS: Final = Path(__file__).with_name("parts.csv")
STANDS: Final = ("cardboard", "printed")
_PRICED: Final = {"en": "{price} €", "pl": "{price} zł"}
_LISTS: Final = {
    "en": (
        "# What to order for {tables} of the evening box",
        "Stand: {stand}. About {total} and the postage; prices are estimates.",
        {"cardboard": "a cardboard box", "printed": "printed"},
    ),
    "pl": (
        "# Co zamówić: stoper w jeden wieczór, sztuk: {tables}",
        "Podstawka: {stand}. Około {total} i przesyłka; ceny są szacunkowe.",
        {"cardboard": "pudełko z tektury", "printed": "drukowana"},
    ),
}


@dataclass(frozen=True)
class Row:
    """One thing to order: `stand` is the one that needs it, or nothing for both; prices for all pieces of one box."""

    kind: str
    stand: str
    quantity: int
    prices: dict[str, int]
    words: dict[str, Words]


def rows() -> list[Row]:
    """All of parts.csv."""
    with PARTS.open(encoding="utf-8", newline="") as file:
        return [
            Row(
                line["kind"],
                line["stand"],
                int(line["quantity"]),
                {"en": int(line["eur"]), "pl": int(line["pln"])},
                shopping.words(line),
            )
            for line in csv.DictReader(file)
        ]


def wanted(listed: Iterable[Row], stand: str) -> list[Row]:
    """What a box in this stand takes."""
    return [row for row in listed if row.stand in ("", stand)]


def total(listed: Iterable[Row], stand: str, language: str, tables: int = 1) -> int:
    """What so many boxes in this stand cost, in the currency of the language."""
    return sum(row.prices[language] for row in wanted(listed, stand)) * tables


def priced(price: int, language: str) -> str:
    """A sum with its currency; nothing for what costs nothing."""
    return _PRICED[language].format(price=price) if price else ""


def table(listed: Iterable[Row], language: str, tables: int = 1) -> str:
    """As Markdown, a line for each row."""
    lines = []
    for row in listed:
        words = row.words[language]
        price = priced(row.prices[language] * tables, language)
        lines.append((words.what, str(row.quantity * tables), words.told, words.where, price))
    return shopping.as_table(shopping.HEAD[language], lines)


def as_markdown(listed: Sequence[Row], stand: str, language: str, tables: int = 1) -> str:
    """The list of what to order for so many boxes, with its sum."""
    title, about, stands = _LISTS[language]
    said = about.format(stand=stands[stand], total=priced(total(listed, stand, language, tables), language))
    body = table(wanted(listed, stand), language, tables)
    return f"{title.format(tables=tables)}\n\n{said}\n\n{body}\n"


def as_csv(listed: Sequence[Row], stand: str, tables: int = 1) -> str:
    """The same for a spreadsheet, both languages beside each other, the sums in the last line."""
    head = ("kind", "quantity", "eur", "pln", "type", "look at", "where", "wpisać", "zwrócić uwagę", "gdzie")
    lines: list[list[object]] = []
    for row in wanted(listed, stand):
        words = [
            shopping.plain(part)
            for one in LANGUAGES
            for part in (row.words[one].typed or row.words[one].what, row.words[one].look, row.words[one].where)
        ]
        lines.append([row.kind, row.quantity * tables, *(row.prices[one] * tables for one in LANGUAGES), *words])
    lines.append(["sum", "", *(total(listed, stand, one, tables) for one in LANGUAGES), *[""] * 6])
    return shopping.as_csv(head, lines)
