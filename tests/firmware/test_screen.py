"""The evening box: what its screen shows, what a touch of its glass is, and that it fits into its heap."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from bench import whole
from dalej.boxes.firmware.compiling import BOARDS, modules
from moveclock import facts as k
from tests.firmware.edge import ESP32, ESP32_S3
from tests.vm import machine
from tools.firmware import FIRMWARE

HERE: Final = Path(__file__).parent
WIDTH: Final = 320
GREY, GREEN, AMBER, RED, BLUE, WHITE, BLACK = 0x4208, 0x07E0, 0xFD20, 0xF800, 0x049F, 0xFFFF, 0
FREE: Final = {22, 27}  # the pins on its plugs that have a pull-up, by its schematic
ITS_OWN: Final = {  # by its schematic: what else is wired on the board
    "screen": {14, 13, 12, 15, 2, 21}, "touch": {25, 32, 39, 33, 36}, "card": {5, 18, 19, 23}, "lamp": {4, 16, 17},
    "light sensor": {34}, "speaker": {26}, "cable": {1, 3}, "flash": set(range(6, 12)),
}  # fmt: skip
BEGIN: Final = """
import sys
sys.path[:0] = %r
import parts
from devices.persona import Persona
from devices.stalls import Stalls
from moveclock import clock as c, facts as k, view as v
from machine import SPI, SoftSPI, Pin
def made(kostka=True):
    who = Persona(b"\\2bench")
    who.kostka, who.shared = kostka, True
    return parts.parts("Generic ESP32 module with ESP32", who, Stalls())
def show(displays, lamps, picture, now=0):
    displays.show(picture.displays, True)
    lamps.set(picture, now)
    while lamps.changed:
        lamps.refresh()
def picture(text, ring, lit=0, blinking=0, others=()):
    texts = [text] * 4
    for seat, other in others:
        texts[seat] = other
    return v.View(tuple(texts), ring, lit, blinking)
"""
SHOWN: Final = """
buttons, displays, lamps, buzzer, battery = made()
for one in %s:
    show(displays, lamps, *one)
pixels = SPI.last.pixels
for top in range(0, 240, 2):
    print("row", *["%%04x" %% pixels[top * 320 + left] for left in range(0, 320, 2)])
"""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """The firmware's modules as that board has them, in the repository, where the machine sees files."""
    whole.FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="screen-", dir=whole.FOLDER) as name:
        yield _filled(Path(name))


def _filled(made: Path) -> Path:
    for name, source in modules(FIRMWARE, BOARDS["cyd"]).items():
        if name.startswith("devices") or name == "board":
            file = made.joinpath(*name.split(".")).with_suffix(".py")
            file = made / "devices" / "__init__.py" if name == "devices" else file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(source, encoding="utf-8")
    return made


PATIENCE: Final = 240  # seconds: a virtual machine draws slowly where others want the processors, too


def run(folder: Path, text: str) -> str:
    path = [machine.inside(one) for one in (HERE / "glass", folder, FIRMWARE / "lib")]
    begin = BEGIN.replace("import parts\n", "from devices import parts\n") % path
    return machine.run([begin, text], [HERE, folder, FIRMWARE], heap=1 << 20, seconds=PATIENCE)


def shown(folder: Path, *views: str) -> list[list[int]]:
    """Every other pixel of every other row, after these views."""
    lines = run(folder, SHOWN % f"[{', '.join(f'({one},)' for one in views)}]").splitlines()
    return [[int(word, 16) for word in line.split()[1:]] for line in lines if line.startswith("row")]


def at(pixels: list[list[int]], left: int, top: int) -> int:
    return pixels[top // 2][left // 2]


def text_of(pixels: list[list[int]]) -> str:
    """The large digits, read back by where each segment has its middle."""
    known = {0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8",
             0x6F: "9", 0: " ", 0x40: "-", 0x79: "E", 0x54: "n", 0x5E: "d"}  # fmt: skip
    found = ""
    for left in (10, 82, 180, 252):
        middles = [(29, 6), (50, 34), (50, 90), (29, 116), (6, 90), (6, 34), (29, 62)]
        bits = sum((at(pixels, left + x, 36 + y) == WHITE) << bit for bit, (x, y) in enumerate(middles))
        found += known[bits]
        if left == 82:
            found += ":" if at(pixels, 158, 78) == WHITE else "." if at(pixels, 158, 154) == WHITE else ""
    return found


@pytest.mark.parametrize(
    ("text", "ring", "bar"),
    [(" 0:42", "(v.GREEN, 16, 1)", GREEN), (" 9.5 ", "(v.AMBER, 4, 1)", AMBER), ("- 12", "(v.RED, 24, 1)", RED),
     ("End ", "(v.DARK, 0, k.NOBODY)", BLACK), (" 1:58", "(v.BLUE, 24, 1)", BLUE), ("E 91", "(v.WHITE, 24, 1)", WHITE)],
)  # fmt: skip
def test_the_time_stands_large_and_the_bar_is_as_long_as_what_is_left(
    folder: Path, text: str, ring: str, bar: int
) -> None:
    pixels = shown(folder, f"picture({text!r}, {ring}, 3 << 2)")

    assert text_of(pixels) == text
    lit = int(ring.split(", ")[1])
    assert [at(pixels, left, 10) for left in (2, 318)] == [bar if lit else BLACK, bar if lit == 24 else BLACK]
    assert sum(colour == bar for colour in pixels[5]) == ((lit * WIDTH // 24 + 1) // 2 if lit else WIDTH // 2)


def test_whose_move_it_is_is_green_who_waits_is_grey_and_who_has_left_is_dark(folder: Path) -> None:
    pixels = shown(folder, 'picture(" 0:42", (v.GREEN, 16, 1), 3 << 2, 0, [(3, "----")])')

    assert [at(pixels, 64 * seat + 6, 186) for seat in range(4)] == [GREY, GREEN, GREY, BLACK]
    assert at(pixels, 4 * 64 + 6, 186) == GREY


def test_sedzia_is_red_while_called_and_a_time_is_shown_when_seat_a_has_left(folder: Path) -> None:
    pixels = shown(folder, 'picture(" 0:42", (v.GREEN, 16, 1), 3 << 2 | 1 << k.SEDZIA, 0, [(0, "----")])')

    assert at(pixels, 4 * 64 + 6, 186) == RED
    assert text_of(pixels) == " 0:42"


def test_a_firmware_that_cannot_start_shows_its_code(folder: Path) -> None:
    lines = run(
        folder,
        f"""
from devices import failing
failing.show({ESP32!r})
pixels = SPI.last.pixels
for top in range(0, 240, 2):
    print("row", *["%04x" % pixels[top * 320 + left] for left in range(0, 320, 2)])
""",
    ).splitlines()
    pixels = [[int(word, 16) for word in line.split()[1:]] for line in lines if line.startswith("row")]

    assert text_of(pixels) == f"E {k.E_START}"


@pytest.mark.long(2 * PATIENCE)
def test_what_is_drawn_over_what_was_there_is_what_would_be_drawn_afresh(folder: Path) -> None:
    """Only what changed is drawn: after any row of pictures the screen is as with the last one alone."""
    said = run(
        folder,
        """
state = 7
def lot(below):
    global state
    state = state * 1103515245 + 12345 & 0x7fffffff
    return (state >> 8) % below
texts = [" 0:42", " 1:00", "10:00", " 9.5 ", " 0.0 ", "- 12", "-999", "End ", " -- ", "E 91", "    ", "PLAY", "88:88"]
before = made()
for turn in range(20):
    for _ in range(1 + lot(3)):
        others = [(seat, ("----", "    ")[lot(2)]) for seat in range(4) if not lot(4)]
        one = picture(texts[lot(len(texts))], (lot(6), lot(25), (0, 1, 2, 3, k.NOBODY)[lot(5)]), lot(1024), lot(1024),
                      others)
        now = 250 * lot(9)
        show(before[1], before[2], one, now)
    kept = SPI.last
    fresh = made()
    show(fresh[1], fresh[2], one, now)
    if not all(a == b for a, b in zip(kept.pixels, SPI.last.pixels)):
        print("other", turn, one.displays, one.ring)
    SPI.last = kept
    before[1]._panel._bus = kept
print("done")
""",
    )
    assert said.split() == ["done"]


def test_shortly_before_a_limit_a_turn_draws_few_pieces_and_the_next_ones_the_rest(folder: Path) -> None:
    """A call of its bus takes some 50 microseconds (an estimate); two milliseconds are 40 of them."""
    said = run(
        folder,
        """
buttons, displays, lamps, buzzer, battery = made()
def show(text, calm):
    before = SPI.last.writes
    displays.show((text,) * 4, calm)
    return SPI.last.writes - before
show(" 2.0 ", True)
most = 0
for tenth in range(19, -1, -1):
    most = max(most, show("%2d.%d " % (tenth // 10, tenth % 10), False))
for _ in range(4):
    most = max(most, show(" 0.0 ", False))
print(most, show(" 0.0 ", False))
kept = SPI.last.pixels
fresh = made()
fresh[1].show((" 0.0 ",) * 4, True)
print(all(kept[place] == SPI.last.pixels[place] for place in range(36 * 320, 160 * 320)))
""",
    )
    most, nothing, same = said.split()
    assert int(most) <= 40
    assert (nothing, same) == ("0", "True")


def test_a_screen_that_lost_its_mind_is_whole_again_after_it_was_woken_a_few_times(folder: Path) -> None:
    """But for the seams between what is drawn, where nothing ever is."""
    said = run(
        folder,
        """
buttons, displays, lamps, buzzer, battery = made()
one = picture(" 0:42", (v.GREEN, 16, 1), 3 << 2)
for _ in range(8):
    show(displays, lamps, one)
right = SPI.last.pixels[:]
SPI.last.lose()
for again in range(24):
    displays.wake(again & 3)
    displays.show(one.displays, True)
    lamps.refresh()
print(SPI.last.awake)
wrong = 0
for place in range(320 * 240):
    if right[place] and right[place] != SPI.last.pixels[place]:
        wrong += 1
print(wrong)
""",
    )
    assert said.split() == ["True", "0"]


def test_the_right_half_of_the_glass_is_sedzia_and_the_left_a_tile_only_on_a_box_with_kostka(folder: Path) -> None:
    said = run(
        folder,
        """
from devices import touch
clock = [1000]
touch.ticks_ms = lambda: clock[0]
touch.since = lambda start: clock[0] - start
def press(buttons, level, across, hard, ms=12):
    Pin.levels[36], SoftSPI.across, SoftSPI.hard = level, across, hard
    clock[0] += ms
    buttons.look()
    return buttons.held()
for kostka in (True, False):
    Pin.levels[36] = 1
    buttons = made(kostka)[0]
    for step in ((1, 0, 0), (0, 3000, 500), (0, 900, 500), (0, 900, 5), (1, 0, 0), (1, 0, 0, 100), (0, 2100, 500),
                 (0, 900, 500), (1, 0, 0, 30), (0, 900, 500), (1, 0, 0, 100), (0, 3000, 5)):
        print(press(buttons, *step))
""",
    )
    sedzia, tile, nobody = "(9,)", "(8,)", "()"
    with_kostka = [
        nobody, sedzia,  # pressed on the right
        sedzia, sedzia, sedzia,  # slides to the left, grows light, lets go for a moment: it stays where it began
        nobody,  # and is over
        nobody, tile,  # in the middle: neither; then on the left
        tile, tile, nobody,  # a short loss is none
        nobody,  # too light
    ]  # fmt: skip
    assert said.split() == [*with_kostka, *[sedzia if one == tile else one for one in with_kostka]]
    assert (k.KOSTKA, k.SEDZIA) == (8, 9)


def test_nobody_asks_the_glass_while_nobody_touches_it_but_once_at_the_start(folder: Path) -> None:
    assert run(
        folder,
        """
Pin.levels[36] = 1
buttons = made()[0]
for _ in range(100):
    buttons.look()
print(SoftSPI.asked)
""",
    ).split() == ["1"]


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("cyd", [(0x36, b"\x28"), 0x20]),
        ("cyd-inverted", [(0x36, b"\x28"), 0x21]),
        ("cyd2usb", [(0xC0, b"\x0c"), (0x36, b"\x68"), 0x20]),
        ("cyd2usb-inverted", [(0xC0, b"\x0c"), (0x36, b"\x68"), 0x21]),
    ],
)
def test_each_controller_is_told_its_colours_and_its_corner(folder: Path, board: str, said: list[object]) -> None:
    """What both data sheets ask: reset, awake, sixteen bits; 0xC0 is about colours on the one, about power on the
    other, which is never told of it.
    """
    sources = modules(FIRMWARE, BOARDS[board])
    for name in ("controller", "inversion"):
        (folder / "devices" / f"{name}.py").write_text(sources[f"devices.{name}"], encoding="utf-8")
    told = run(folder, "made()\nprint(SPI.last.told)")

    assert told.strip() == str([0x01, 0x11, 0x11, (0x3A, b"\x55"), *said, 0x29, 0x2A, 0x2B, 0x2C])


def test_its_two_buttons_are_on_its_free_pins_and_nothing_else_is_in_the_way(folder: Path) -> None:
    found: dict[str, Any] = {}
    exec(compile(modules(FIRMWARE, BOARDS["cyd"])["board"], "board", "exec"), found)
    pins = found["pins"](ESP32)

    assert {pin for _, pin in pins.contacts()} == FREE
    assert {*pins.screen, pins.lamps} == ITS_OWN["screen"]
    assert {*pins.touch, pins.touched} == ITS_OWN["touch"]
    assert {pins.buzzer} == ITS_OWN["speaker"]
    assert not FREE & set().union(*ITS_OWN.values())
    with pytest.raises(ValueError, match="no pin map"):
        found["pins"](ESP32_S3)


measured = cache(whole.measure)


@pytest.mark.parametrize("board", [board for board in BOARDS.values() if board])
def test_an_evening_box_at_its_fullest_needs_two_kilobytes_more_than_a_four_sided_one(board: int) -> None:
    found = measured(board)

    assert found.fault == 0
    assert found.state == k.RUNNING
    assert found.heap <= 98 * 1024


def test_a_four_sided_box_holds_nothing_of_a_screen() -> None:
    of_a_screen = {f"devices.{name}" for name in ("screen", "touch", "controller", "inversion", "waking")}
    assert not of_a_screen & modules(FIRMWARE).keys()
    assert of_a_screen <= modules(FIRMWARE, BOARDS["cyd2usb"]).keys()
    assert not [name for name in modules(FIRMWARE, BOARDS["cyd"]) if name.startswith("boards")]
