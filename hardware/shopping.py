"""A list of what to buy for a build, in English and in Polish: its words, as a table and for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

LANGUAGES: Final = ("en", "pl")
HEAD: Final = {
    "en": ("what", "how many", "what to type, and what to look at", "where, for example", "about"),
    "pl": ("co", "ile", "co wpisać i na co zwrócić uwagę", "gdzie, na przykład", "około"),
}


@dataclass(frozen=True)
class Words:
    """A row in one language: what it is, what to type in a shop's search, what to look at, where."""

    what: str
    typed: str
    look: str
    where: str

    @property
    def told(self) -> str:
        """What to type, and what to look at."""
        return ", ".join(part for part in (self.typed, self.look) if part)


def words(line: Mapping[str, str]) -> dict[str, Words]:
    """By language, of a line of a build's list, whose columns are `what_en`, `type_en`, `look_en`, `where_en`, too."""
    return {
        one: Words(line[f"what_{one}"], line[f"type_{one}"], line[f"look_{one}"], line[f"where_{one}"])
        for one in LANGUAGES
    }


def as_table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """As Markdown."""
    above = list(head)
    told = [above, ["---"] * len(above), *lines]
    return "\n".join("|" + "|".join(_cell(cell) for cell in cells) + "|" for cells in told)


def _cell(cell: str) -> str:
    return cell if cell == "---" else f" {cell} " if cell else " "


def as_csv(head: Iterable[str], lines: Iterable[Iterable[object]]) -> str:
    """For a spreadsheet."""
    text = io.StringIO()
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(head)
    sheet.writerows(lines)
    return text.getvalue()


def plain(text: str) -> str:
    """Without Markdown's marks."""
    return text.replace("`", "").replace("*", "")
