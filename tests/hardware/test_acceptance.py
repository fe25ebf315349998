"""The bench page: the same for every build, in two printed pages, its numbers the firmware's, both languages alike."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
import typst
from pypdf import PdfReader

from firmware.boards.cyd.board import Pins
from moveclock import facts as k
from moveclock.debounce import STUCK_MS
from tests.documents import ROOT
from tests.firmware.errorcodes import shown
from tools import words

PAGES: Final = {"en": ROOT / "hardware" / "acceptance.md", "pl": ROOT / "hardware" / "acceptance-pl.md"}
MARKS: Final = {  # for whom a line is, by language
    "en": ("each box", "first box", "bench"),
    "pl": ("każdy stoper", "pierwszy stoper", "przyrządy"),
}
DIFFERS: Final = 6  # at most so many rows of what differs by build
FOUND: Final = {  # what a bad board has, and the line that finds it: words that stand in it, by language
    "radio range": (6, {"en": "radio", "pl": "radio"}),
    "a reversed part": (1, {"en": "direction", "pl": "kierunek"}),
    "a button": (3, {"en": "every button", "pl": "każdy przycisk"}),
    "a drop": (10, {"en": "a drop", "pl": "upadek"}),
    "a charged person": (11, {"en": "charged", "pl": "naelektryzowanego"}),
}


def page(language: str) -> str:
    return PAGES[language].read_text("utf-8")


def lines_of(text: str) -> list[list[str]]:
    """The cells of each line: number, for whom, what to do, when it has passed."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"(?m)^\| \d+ \|.*$", text)]


def differing(text: str) -> dict[str, tuple[str, str]]:
    """What differs: the evening box's, the flat box's."""
    rows = [line.strip("|").split("|") for line in text.split("\n## ", 1)[0].splitlines() if line.startswith("| ")]
    return {row[0].strip(): (row[1].strip(), row[2].strip()) for row in rows[1:]}


def numbers(text: str) -> Counter[str]:
    plain = re.sub(r"\]\([^)]*\)", "]", text)
    return Counter(number.replace(",", ".") for number in re.findall(r"\d+(?:[.,]\d+)?", plain))


def printed_pages(text: str) -> int:
    """How many A4 pages it takes in letters of 9 points, as somebody takes it to the bench."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "page.typ")
        source.write_text(as_typst(text), "utf-8")
        made: bytes = typst.compile(source, format="pdf", ignore_system_fonts=True)
    return len(PdfReader(BytesIO(made)).pages)


def as_typst(text: str) -> str:
    made = ['#set page(paper: "a4", margin: 14mm)', "#set text(size: 9pt)", "#set table(inset: 3pt, stroke: 0.4pt)"]
    for block in re.split(r"\n{2,}", text.strip()):
        rows = [line for line in block.splitlines() if line.startswith("|") and not line.startswith("|---")]
        if rows:
            cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
            wide = "(auto, 16mm, 1fr, 1fr)" if len(cells[0]) == 4 else "(35mm, 1fr, 1fr)"
            made.append(f"#table(columns: {wide}, {', '.join(quoted(cell) for row in cells for cell in row)})")
        else:
            made.append(f"#strong({quoted(block.strip('# '))})" if block.startswith("#") else f"#{quoted(block)}")
    return "\n\n".join(made)


def quoted(words: str) -> str:
    plain = re.sub(r"[`*]|\]\([^)]*\)", "", words).replace("\n", " ").replace("[", "")
    return '"' + plain.replace("\\", "").replace('"', "”") + '"'


@pytest.mark.parametrize("language", PAGES)
def test_the_bench_page_is_two_printed_pages_at_most(language: str) -> None:
    assert printed_pages(page(language)) <= 2
    assert printed_pages(page(language) * 2) > 2


@pytest.mark.parametrize("language", PAGES)
def test_each_line_says_for_whom_it_is_and_has_a_limit(language: str) -> None:
    """Numbered from one on; whoever does those of each box needs no instrument."""
    lines = lines_of(page(language))
    assert [int(number) for number, *_ in lines] == list(range(1, len(lines) + 1))
    assert {who for _, who, *_ in lines} == set(MARKS[language])
    order = [MARKS[language].index(who) for _, who, *_ in lines]
    assert order == sorted(order)
    assert [passed for *_, passed in lines if len(passed) < 15] == []
    assert all(f"*{mark}*" in page(language) for mark in MARKS[language])


@pytest.mark.parametrize("language", PAGES)
@pytest.mark.parametrize("bad", FOUND)
def test_a_bad_board_is_found(bad: str, language: str) -> None:
    number, said = FOUND[bad]
    _, _, todo, passed = lines_of(page(language))[number - 1]
    assert said[language] in f"{todo} {passed}".lower()
    assert re.search(r"\d", passed)


@pytest.mark.parametrize("language", PAGES)
def test_who_was_touched_looks_at_what_the_program_says(language: str) -> None:
    """Uptime and log are called there as the program calls them."""
    _, _, _, passed = lines_of(page(language))[10]
    called = {one: one for one in ("running for", "the box started ({reset})")}
    if language != "en":
        called = {str(one.id): str(one.string) for one in words.read(language) if one.id in called}
    for word in called.values():
        assert word.partition(" (")[0] in passed
    assert "dalej box info PORT" in passed
    assert "dalej box log PORT" in passed


@pytest.mark.parametrize("language", PAGES)
def test_what_differs_by_build_is_a_small_table_and_the_firmwares(language: str) -> None:
    rows = list(differing(page(language)).values())
    assert len(rows) <= DIFFERS
    contacts, codes, lit, missing, *_ = rows
    shared = [k.SHARED_JUZ, k.SHARED_DALEJ, k.SEDZIA, k.KOSTKA]
    assert [int(one) for one in re.findall(r"\d+", contacts[0])] == [len(shared) - 1, len(shared)]
    assert {contact for contact, _ in Pins().contacts()} == set(shared[:2])
    assert [int(one) for one in re.findall(r"\d+", contacts[1])] == [k.SEDZIA + 1, k.SEDZIA]
    told = [int(one) for one in re.findall(r"\d+", codes[0])]
    assert told == [base + contact for base in (k.E_STUCK, k.E_HELD) for contact in shared]
    ends = [base + contact for base in (k.E_STUCK, k.E_HELD) for contact in (0, k.SEDZIA)]
    assert [int(one) for one in re.findall(r"\d+", codes[1])] == ends
    assert "33" in lit[1]
    assert re.findall(r"0x\d+", missing[1]) == ["0x70", "0x73"]
    assert [int(one) for one in re.findall(r"E (\d+)", missing[1])] == [k.E_DISPLAY, k.E_DISPLAY + 3]


def test_every_code_it_names_is_one_that_a_box_shows() -> None:
    for language in PAGES:
        named = {int(one) for one in re.findall(r"\bE (\d+)", page(language))}
        assert named <= shown()


def test_a_button_is_held_longer_than_the_box_waits() -> None:
    for language in PAGES:
        _, _, todo, _ = lines_of(page(language))[3]
        (seconds,) = re.findall(r"(\d+) s", todo)
        assert 1_000 * int(seconds) > STUCK_MS


def test_both_languages_say_the_same() -> None:
    english, polish = page("en"), page("pl")
    assert [MARKS["en"].index(who) for _, who, *_ in lines_of(english)] == [
        MARKS["pl"].index(who) for _, who, *_ in lines_of(polish)
    ]
    for here, there in zip(lines_of(english), lines_of(polish), strict=True):
        assert numbers(" ".join(here)) == numbers(" ".join(there)), here[0]
    for one, other in zip(differing(english).values(), differing(polish).values(), strict=True):
        assert numbers(" ".join(one)) == numbers(" ".join(other))
