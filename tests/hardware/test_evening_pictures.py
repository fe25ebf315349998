"""The evening box's pictures: kept as they are drawn, without a word of any language, numbered as the page explains."""

from __future__ import annotations

import re
from math import hypot
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from hardware.drawing import PICTURES
from hardware.evening.sizes import SIZES
from tests.documents import ROOT

WORDLESS: Final = (
    "evening-box", "evening-cardboard", "evening-front", "evening-inside", "evening-opened", "evening-wiring",
)  # fmt: skip
NAMES: Final = tuple(sorted((*WORDLESS, "evening-template")))  # which says in two languages what to cut
PRINTED: Final = {"GND", "IO22", "IO27", "3.3V", "CN1", "P1", "P3", "P4 SPEAK", "USB", "ESP32"}  # on the board itself
PAGES: Final = ("evening.md", "evening-pl.md")


def texts(name: str) -> list[str]:
    root = ET.parse(PICTURES / f"{name}.svg").getroot()
    return [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text") if text.get("fill") == "#111"]


def test_each_is_kept_as_it_is_drawn() -> None:
    from hardware.evening.pictures import drawings

    made = {drawing.name: drawing for drawing in drawings()}
    assert tuple(sorted(made)) == NAMES
    stale = [name for name, drawing in made.items() if (PICTURES / f"{name}.svg").read_text("utf-8") != drawing.svg()]
    assert stale == []
    assert all((PICTURES / f"{name}.svg").stat().st_size < 120_000 for name in NAMES)


@pytest.mark.parametrize("name", WORDLESS)
def test_a_picture_holds_numbers_and_what_is_printed_on_the_board_alone(name: str) -> None:
    assert {text for text in texts(name) if not re.fullmatch(r"(Ø )?\d+", text)} <= PRINTED


@pytest.mark.parametrize("page", PAGES)
def test_every_number_is_explained_on_the_page_and_every_picture_shown(page: str) -> None:
    from hardware.evening.pictures import NUMBERS

    text = (ROOT / "hardware" / page).read_text("utf-8")
    legend = re.search(r"(?m)^[^*\n]*: \*\*1\*\* .*$", text)
    assert legend is not None
    assert [int(one) for one in re.findall(r"\*\*(\d+)\*\*", legend[0])] == sorted(NUMBERS.values())
    assert sorted(re.findall(r"pictures/(evening-[a-z]+)\.svg", text)) == sorted(NAMES)


def test_the_sketch_has_every_length_of_the_front() -> None:
    front = SIZES.front
    left = front.buttons["dalej"][0] + front.width / 2
    lengths = [
        front.width, front.height, *front.window, front.apart, front.buttons_up, left,
        front.window_y[0], front.height - front.window_y[1], front.window_x[0] + front.width / 2,
        front.speaker[0] + front.width / 2, front.speaker[1],
    ]  # fmt: skip
    told = texts("evening-front")
    assert {f"{length:g}" for length in lengths} <= set(told)
    assert told.count(f"Ø {SIZES.button.hole:g}") == 2


def written_at(name: str, words: str) -> float:
    """How far to the right that is in the picture."""
    root = ET.parse(PICTURES / f"{name}.svg").getroot()
    (x,) = [
        float(text.get("x") or 0)
        for text in root.iter("{http://www.w3.org/2000/svg}text")
        if text.text == words and text.get("fill") in ("#111", None)
    ]
    return x


def test_juz_is_at_the_users_right_hand_as_on_every_build() -> None:
    """On the front, in each picture that shows it from there, and on the template; from behind it is the other way."""
    from hardware.evening.pictures import NUMBERS

    (juz, _), (dalej, _) = SIZES.front.buttons["juz"], SIZES.front.buttons["dalej"]
    assert juz > 0 > dalej
    numbered = {
        name: written_at(f"evening-{name}", str(NUMBERS["juz"])) - written_at(f"evening-{name}", str(NUMBERS["dalej"]))
        for name in ("box", "front", "cardboard", "inside", "opened")
    }
    assert {name: distance > 0 for name, distance in numbered.items()} == {
        "box": True, "front": True, "cardboard": True, "inside": False, "opened": False,
    }  # fmt: skip
    assert written_at("evening-template", "JUŻ") > written_at("evening-template", "DALEJ")


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("evening.md", r"(?s)green one \(\*\*Już\*\*\) is \*\*right\*\*.*yellow one \(\*\*Dalej\*\*\) \*\*left\*\*"),
        ("evening-pl.md", r"zielony \(\*\*Już\*\*\) jest \*\*po prawej\*\*, żółty \(\*\*Dalej\*\*\) \*\*po lewej\*\*"),
    ],
)
def test_the_page_puts_the_green_button_right(page: str, words: str) -> None:
    assert re.search(words, (ROOT / "hardware" / page).read_text("utf-8"))


def test_the_speaker_has_its_place_in_every_picture_of_a_box() -> None:
    from hardware.evening.pictures import NUMBERS

    speaker = str(NUMBERS["speaker"])
    assert [name for name in WORDLESS if speaker not in texts(name)] == []
    front = ET.parse(PICTURES / "evening-front.svg").getroot()
    radius = f"{SIZES.front.sound / 2:g}"
    holes = [one for one in front.iter("{http://www.w3.org/2000/svg}circle") if one.get("r") == radius]
    assert len(holes) == len(SIZES.front.sounds) > 10


def test_every_line_of_the_wiring_has_its_name_beside_it_and_in_the_legend() -> None:
    """Whoever sees no colours reads them: from the board to a connector, from there to a button, once more below."""
    told = texts("evening-wiring")
    assert {pin: told.count(pin) for pin in ("GND", "IO22", "IO27", "3.3V")} == {
        "GND": 4, "IO22": 3, "IO27": 3, "3.3V": 2,
    }  # fmt: skip


def ends(colour: str) -> list[tuple[float, float]]:
    """Both ends of each line of that colour in the wiring, x to the right and y down."""
    found = []
    for path in ET.parse(PICTURES / "evening-wiring.svg").getroot().iter("{http://www.w3.org/2000/svg}path"):
        if path.get("stroke") == colour and path.get("stroke-width") == "1.3":
            numbers = [float(one) for one in re.findall(r"-?[\d.]+", path.get("d") or "")]
            found.append((numbers[0], numbers[1]))
            found.append((sum(numbers[::2]), sum(numbers[1::2])))
    return found


def place(words: str) -> tuple[float, float]:
    """Where that is written in the wiring."""
    (found,) = [
        (float(text.get("x") or 0), float(text.get("y") or 0))
        for text in ET.parse(PICTURES / "evening-wiring.svg").getroot().iter("{http://www.w3.org/2000/svg}text")
        if text.text == words and text.get("fill") == "#111"
    ]
    return found


def test_the_wiring_leads_each_wire_where_the_firmware_has_its_button() -> None:
    """IO22 through 6 to Już, IO27 through 7 to Dalej, ground through 5 to both; 3.3V to nothing."""
    from firmware.boards.cyd.board import Pins
    from hardware.evening.pictures import _WIRES, NUMBERS

    assert Pins().buttons == (22, 27)
    for pin, connector, button in (("IO22", "io22", "juz"), ("IO27", "io27", "dalej")):
        at, through = place(str(NUMBERS[button])), place(str(NUMBERS[connector]))
        assert any(x < at[0] and abs(x - at[0]) < 20 and y == at[1] for x, y in ends(_WIRES[pin]))
        assert sum(abs(x - through[0]) < 12 and 0 < y - through[1] < 20 for x, y in ends(_WIRES[pin])) == 2
        assert any(x > at[0] and x - at[0] < 20 and y == at[1] for x, y in ends(_WIRES["GND"]))
    through = place(str(NUMBERS["gnd"]))
    assert sum(abs(x - through[0]) < 12 and 0 < y - through[1] < 20 for x, y in ends(_WIRES["GND"])) == 3
    taped = place(str(NUMBERS["3.3V"]))
    (board, free) = ends(_WIRES["3.3V"])
    assert abs(free[0] - taped[0]) < 20
    assert free[1] == taped[1] < board[1]


def test_a_roll_stands_on_the_bare_board() -> None:
    """Or it stands askew on a socket, or on the USB plug, which is in by then."""
    from hardware.evening.pictures import sockets_behind

    radius, board = SIZES.cardboard.roll / 2, SIZES.board
    x, y = SIZES.board_middle
    right, usb = x + board.width / 2, y - board.height / 2 + board.micro_usb
    plug = (right - 6.0, right), (usb - 6.0, usb + 6.0)  # of its socket and what is pushed into it
    for at in SIZES.holes():
        for name, (across, up) in (*sockets_behind(SIZES).items(), ("USB", plug)):
            near = [min(max(mine, low), high) for mine, (low, high) in zip(at, (across, up), strict=True)]
            assert hypot(at[0] - near[0], at[1] - near[1]) > radius, (name, at)
