"""What the flat box's pages tell a maker is so: files, parts and points by their names, steps in their order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from hardware.flat import files, layout
from hardware.flat.case import quantities
from hardware.flat.case.sizes import SIZES
from hardware.flat.circuit import MAIN, SIDES, circuit
from hardware.flat.order import PAGES
from tests.documents import ROOT

BOX: Final = circuit()
COMMAND: Final = "make hardware ARGS=flat"
STEPS: Final = {  # the order in which they are done, by a word of each title
    "en": ("panel", "switches", "base", "masks", "displays", "Kostka", "test", "Deck", "Caps", "bank"),
    "pl": (
        "panel",
        "przełączników",
        "podstawy",
        "maski",
        "wyświetlacze",
        "Kostki",
        "sprawdź",
        "Wierzch",
        "Nakładki",
        "bank",
    ),
}
DANGERS: Final = {"en": ("adult", "dust", "solders"), "pl": ("dorosły", "pył", "Lutuje")}


def page(language: str) -> str:
    return PAGES[language].read_text("utf-8")


@pytest.mark.parametrize("language", PAGES)
def test_it_is_tried_before_it_is_closed(language: str) -> None:
    titles = re.findall(r"(?m)^### \d+ (.+)$", page(language))
    assert [word in title for word, title in zip(STEPS[language], titles, strict=True)] == [True] * 10


@pytest.mark.parametrize("language", PAGES)
def test_the_files_it_names_are_written(language: str) -> None:
    """By the names that the program has for them."""
    written = Path(files.__file__).read_text("utf-8")
    named = set(re.findall(r"`((?:order|read)/[\w.-]+)`", page(language)))
    assert named >= {"order/gerber.zip", "order/bom.csv", "order/placement.csv", "order/placement-jlcpcb.csv"}
    for name in named:
        stem = name.partition("/")[2].replace("board-top", "board-{side}").replace("board-bottom", "board-{side}")
        assert f'{stem}"' in written, name


def test_every_page_types_the_same() -> None:
    for one in (*PAGES.values(), ROOT / "hardware" / "README.md"):
        text = one.read_text("utf-8")
        assert COMMAND in text, one.name
        assert "python -m hardware flat" not in text, f"{one.name}: it brings no tools"


@pytest.mark.parametrize("language", PAGES)
def test_the_parts_to_look_at_first_are_those_that_it_says(language: str) -> None:
    """The diodes of the displays' addresses, the guard of the USB lines, the large capacitor."""
    text = page(language)
    address = [f"D{100 * (place + 1) + 90}" for place in range(len(SIDES))]
    assert all(BOX.by_ref[ref].kind.name == "diode" for ref in address)
    assert all("ADDRESS" in BOX.by_ref[ref].net("A") + BOX.by_ref[ref].net("K") for ref in address)
    assert f"**{', '.join(address)}**" in text
    assert "**U5, C3**" in text
    assert BOX.by_ref["U5"].kind.name == "usb-guard"
    assert BOX.by_ref["C3"].kind.name == "capacitor-470u"
    lamp = next(BOX.of_kind("lamp"))
    assert lamp.net("3") == "GND"


@pytest.mark.parametrize("language", PAGES)
def test_it_names_the_test_points_that_there_are(language: str) -> None:
    """And says of a display's pins what is on which."""
    text = page(language)
    printed = {words for _, words, *_ in layout.prints()}
    nets = {"5V": "+5V", "3V3": "+3V3", "GND": "GND"}
    assert "**5V, 3V3, GND**" in text
    assert printed >= {*nets, "reset", "boot"}
    assert sorted(part.nets[0] for part in BOX.of_kind("test-point")) == sorted(nets.values())
    assert BOX.by_ref["J2"].nets == ("GND", "SCL_5V", "SDA_5V", "+5V")
    assert BOX.by_ref["S11"].nets[0] == "EN"
    assert "*reset*" in text
    at = layout.places(BOX)["J2"]
    assert at.x > 0, "its first pin is at its player's right"
    assert at.angle % 360 == 270


@pytest.mark.parametrize("language", PAGES)
def test_dangers_are_named(language: str) -> None:
    assert [word for word in DANGERS[language] if word not in page(language)] == []


def test_pins_reach_over_the_two_middle_strips_alone() -> None:
    """Which is why they are bent down; and the outer strips hang on those."""
    hung = {
        side for side in SIDES for _, y, across in layout.bridges() if across and abs(y - layout.origin(side)[1]) < 16
    }
    assert hung == {"B", "C"}


@pytest.mark.parametrize("language", PAGES)
def test_it_says_what_to_print_and_of_what_size(language: str) -> None:
    """How many of each file; the bed, the tiles that the tray takes, the plug that the opening takes."""
    text = page(language).replace(",", ".")
    told = {name: int(many) for many, name in re.findall(r"(\d) `((?:base|deck|mask|cap|tray)[a-z-]*)`", text)}
    assert told == quantities.printed()
    tile, (wide, high) = SIZES.tile, SIZES.plugs.usb
    assert f"{SIZES.printer.bed:g} × {SIZES.printer.bed:g} mm" in text
    assert f"{tile.length} × {tile.width} × {tile.thickness:g} mm" in text
    assert re.search(rf"\b{wide} mm .* {high:g} mm", text)
    switch = SIZES.microswitch
    assert f"{switch.length} × {switch.width} × {switch.height} mm" in text


@pytest.mark.parametrize("language", PAGES)
def test_it_is_compared_before_its_first_plug_and_felt_before_the_deck(language: str) -> None:
    """Before it is broken, while it can go back; line 1 of the bench ends in step 7."""
    first, step = (page(language).partition(f"### {number} ")[2].partition("\n### ")[0] for number in (1, 7))
    assert (
        first.index("read/board-top.png")
        < first.index("read/board-bottom.png")
        < first.index({"en": "rails", "pl": "marginesy"}[language])
    )
    compared, typed, bench = (
        step.index(words) for words in ({"en": "step 1", "pl": "kroku 1"}[language], "```text", "(acceptance")
    )
    assert compared < typed < bench


@pytest.mark.usefixtures("installed")
def test_the_large_capacitors_plus_lies_where_the_page_says() -> None:
    """Turned round it fails hot."""
    from hardware.flat import board

    plus, minus = sorted((pad for pad in board.pads(MAIN) if pad.ref == "C3"), key=lambda pad: pad.number)
    assert (plus.net, minus.net) == ("+5V", "GND")
    assert plus.x > minus.x
    assert plus.y > minus.y, "y goes down"
    assert "its plus at the pad with +5V, the lower right one" in page("en")
    assert "plus na polu z +5V, prawym dolnym" in page("pl")
