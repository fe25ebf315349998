"""The flat box's pictures: kept as they are drawn, without a word of any language, their numbers with a legend."""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from hardware.drawing import PICTURES, Drawing
from tests.documents import ROOT

NAMES: Final = ("flat-box", "flat-exploded", *(f"flat-step-{number}" for number in range(1, 11)))
PAGES: Final = ("flat.md", "flat-pl.md")
LARGEST: Final = 160_000


def texts(name: str) -> list[str]:
    root = ET.parse(PICTURES / f"{name}.svg").getroot()
    return [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("fill") == "#111"]


@pytest.mark.long(300)
def test_each_is_kept_as_it_is_drawn(drawn: list[Drawing]) -> None:
    made = {drawing.name: drawing for drawing in drawn}
    assert tuple(made) == NAMES
    stale = [name for name, drawing in made.items() if (PICTURES / f"{name}.svg").read_text("utf-8") != drawing.svg()]
    assert stale == []
    assert all((PICTURES / f"{name}.svg").stat().st_size < LARGEST for name in NAMES)


def test_a_display_says_what_it_is_given() -> None:
    """Its points, too: all of them are windows in the wall."""
    from hardware.flat.case import face
    from hardware.flat.case.sizes import SIZES
    from hardware.flat.layout import DIGITS, POINT

    def drawn(text: str | None) -> int:
        return len(list(face.outlines(SIZES, lit=text)))

    assert drawn(None) == drawn("8.8.:8.8.") == 4 * 7 + 4 + 2
    assert drawn("    ") == 0
    assert drawn(" 0:42") == 6 + 4 + 5 + 2
    *_, point = face.outlines(SIZES, lit=" 9.5 ")
    assert sum(x for x, _ in point) / len(point) == pytest.approx(DIGITS[1] + POINT)


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_holds_numbers_that_the_legend_has(name: str) -> None:
    from hardware.flat.case.pictures import NUMBERS

    told = texts(name)
    assert told
    assert {int(text) for text in told} <= set(NUMBERS.values())
    assert len(told) == len(set(told))


def test_the_legend_is_the_same_in_both_languages_but_for_its_words() -> None:
    from hardware.flat.case.pictures import LANGUAGES, NUMBERS, legend

    for language in LANGUAGES:
        assert [int(one) for one in re.findall(r"\*\*(\d+)\*\*", legend(language))] == list(NUMBERS.values())
    used = {int(text) for name in NAMES for text in texts(name)}
    assert used == set(NUMBERS.values())


@pytest.mark.parametrize("page", PAGES)
def test_each_is_on_the_page(page: str) -> None:
    text = (ROOT / "hardware" / page).read_text("utf-8")
    shown = set(re.findall(r"pictures/(flat-[a-z0-9-]+)\.svg", text))
    assert {name for name in NAMES if name.startswith("flat-step")} <= shown
    assert shown <= set(NAMES)


@pytest.mark.parametrize(("page", "language"), [("flat.md", "en"), ("flat-pl.md", "pl")])
def test_the_page_says_what_the_numbers_mean(page: str, language: str) -> None:
    from hardware.flat.case.pictures import legend

    text = (ROOT / "hardware" / page).read_text("utf-8")
    assert legend(language) in text
    assert all(f"pictures/{name}.svg" in text for name in NAMES)
