"""The acceptance page: each line says for whom it is, and both languages say the same."""

from __future__ import annotations

import re
from typing import Final

from tests.documents import ROOT
from tests.hardware.guide import FOLDER, LANGUAGES, differences, numbers

ACCEPTANCE: Final = {"en": "acceptance.md", "pl": "acceptance-pl.md"}
MARKS: Final = {  # for whom a line is, by language
    "en": ("each box", "first box", "bench", "open", "first six boxes"),
    "pl": ("każdy stoper", "pierwszy stoper", "przyrządy", "otwarty", "pierwszych sześć stoperów"),
}
OPEN: Final = 3  # of them


def acceptance(language: str) -> str:
    """The page of that language."""
    return (ROOT / "hardware" / ACCEPTANCE[language]).read_text(encoding="utf-8")


def lines_of(page: str) -> list[list[str]]:
    """The cells of each line: number, for whom, what to do, what to expect."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"(?m)^\| \d+ \|.*$", page)]


def marks(page: str, language: str) -> list[tuple[int, ...]]:
    """Of each line, which of the `MARKS` it bears."""
    return [tuple(place for place, mark in enumerate(MARKS[language]) if mark in who) for _, who, *_ in lines_of(page)]


def test_each_line_of_the_acceptance_page_says_for_whom_it_is() -> None:
    page = acceptance("en")

    assert all(set(found) - {OPEN} for found in marks(page, "en"))
    assert marks(page.replace("| 8 | bench |", "| 8 | |"), "en")[7] == ()
    for language in LANGUAGES:
        text = (FOLDER / f"{language}.md").read_text(encoding="utf-8")
        assert all(f"*{mark}*" in text for mark in MARKS[language][:4])


def test_the_acceptance_page_is_the_same_in_both_languages() -> None:
    assert not differences(acceptance("en"), acceptance("pl"))
    assert marks(acceptance("en"), "en") == marks(acceptance("pl"), "pl")
    for here, there in zip(lines_of(acceptance("en")), lines_of(acceptance("pl")), strict=True):
        assert numbers(" ".join(here)) == numbers(" ".join(there))


def test_the_acceptance_page_has_as_many_lines_as_the_guide_says() -> None:
    lines = [number for number, *_ in lines_of(acceptance("en"))]
    said = re.search(r"one page of (\d+) lines", (FOLDER / "en.md").read_text(encoding="utf-8"))

    assert said is not None
    assert int(said[1]) == len(lines) == int(lines[-1])
