"""The firmware has pins, buses, displays, buzzer and supply as data sheets ask for (`datasheets` beside this file)."""

from __future__ import annotations

import ast
import runpy
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from moveclock import view
from moveclock.box import LOW_BATTERY_MV
from moveclock.settings import LOUD, SILENT, SOFT
from tests.hardware.flat import datasheets as said

FIRMWARE: Final = Path(__file__).parents[3] / "firmware"
MACHINES: Final = {"esp32": "Generic ESP32 module with ESP32", "esp32s3": "Generic ESP32S3 module with ESP32S3"}


@pytest.mark.parametrize("chip", MACHINES)
def test_the_firmware_has_each_thing_on_its_pin(chip: str) -> None:
    pins: Any = runpy.run_path(str(FIRMWARE / "board.py"))["pins"](MACHINES[chip])
    wanted = said.GPIOS[chip]
    seats = [wanted[f"{button}_{side}"] for side in "ABCD" for button in ("JUZ", "DALEJ")]

    assert list(pins.buttons) == seats
    assert {
        "SEDZIA": pins.sedzia, "KOSTKA": pins.kostka, "SDA": pins.sda, "SCL": pins.scl, "LAMPS": pins.lamps,
        "BUZZER": pins.buzzer, "BATTERY_HALF": pins.battery,
    } == {name: pin for name, pin in wanted.items() if pin not in seats}  # fmt: skip
    assert set(pins.bare) == said.INPUT_ONLY[chip] & {pins.kostka, pins.sedzia, *pins.buttons}


def constants(name: str) -> dict[str, Any]:
    """What the only file of devices that assigns this name assigns at its top, where it is a plain value."""
    (found,) = (values for file in sorted((FIRMWARE / "devices").glob("*.py")) if name in (values := _plain(file)))
    return found


def _plain(file: Path) -> dict[str, Any]:
    found = {}
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
            try:
                found[target.id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return found


def buses() -> Iterator[object]:
    """The hertz of every I2C bus that the firmware makes for these displays; None: whatever the chip takes."""
    for file in sorted((FIRMWARE / "devices").glob("*.py")):
        values = _plain(file)
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("I2C", "SoftI2C"):
                speeds = [ast.unparse(each.value) for each in node.keywords if each.arg == "freq"]
                yield next((values[name] if name in values else ast.literal_eval(name) for name in speeds), None)


def test_every_bus_runs_at_100_khz() -> None:
    assert list(buses()) == [said.I2C_HZ] * 2, "that of a box that plays, and of one that fails to"


def test_displays_are_spoken_to_as_their_data_sheet_says() -> None:
    display, font = constants("_SYSTEM_ON"), constants("GLYPHS")

    assert display["ADDRESS"] == said.FIRST_ADDRESS
    assert {name: display[name] for name in said.HT16K33} == said.HT16K33
    assert display["_BRIGHTNESS"][0] in said.DIMMING
    assert (display["_PLACES"], (display["_COLON_AT"], display["_COLON"])) == (said.DIGITS_AT, said.COLON_AT)
    assert display["_POINT"] == 1 << 7
    shapes = dict(zip(font["GLYPHS"], font["_SEGMENTS"], strict=True))
    for glyph, letters in said.SEGMENTS.items():
        assert shapes[glyph] == sum(1 << "abcdefg".index(letter) for letter in letters), glyph


class Heard:
    """A tone's pin that says what becomes of it: duties, in their order, beginning with that of power-on."""

    duties: Final[list[int]] = []

    def __init__(self, pin: object, freq: int, duty_u16: int = 32768) -> None:
        self.duties.append(duty_u16)

    def freq(self, hertz: int) -> None:
        assert 20 <= hertz <= 20_000

    def duty_u16(self, duty: int) -> None:
        self.duties.append(duty)


@pytest.fixture
def pins_made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Numbers and modes of the pins that the firmware makes from now on; tones are heard, half of the rail is 2.5 V."""
    made: list[tuple[int, ...]] = []

    def pin(number: int, *how: int) -> tuple[int, ...]:
        made.append((number, *how))
        return made[-1]

    vars(pin).update(IN=1, OUT=3, PULL_UP=2)
    Heard.duties.clear()
    monkeypatch.setitem(sys.modules, "machine", SimpleNamespace(Pin=pin, PWM=Heard, ADC=Converter))
    return made


def made(name: str, what: str) -> Any:
    """A class of a device's file, which brings in the machine that is there now."""
    return runpy.run_path(str(FIRMWARE / "devices" / f"{name}.py"))[what]


def test_the_buzzer_is_silent_until_something_is_played_and_after_it(pins_made: list[tuple[int, ...]]) -> None:
    buzzer = made("buzzer", "Buzzer")(4)
    assert Heard.duties == [0], "its pin is low, and the transistor does not conduct"
    assert pins_made == [(4, 3)]

    buzzer.play(view.TURN, SILENT, 0)
    buzzer.go_on(10)
    assert Heard.duties == [0]
    for loudness, sound in product((SOFT, LOUD), (view.CLICK, view.TURN, view.REFUSE, view.END, view.TIME_OVER)):
        buzzer.play(sound, loudness, 0)
        assert 0 < Heard.duties[-1] <= 32768, "half of the time at most: a coil takes no more for it"
        for now in range(0, 3000, 5):
            buzzer.go_on(now)
        assert not buzzer.sounds()
        assert Heard.duties[-1] == 0
    Heard.duties.clear()
    buzzer.play(view.TIME_OVER, LOUD, 0)
    for now in range(0, 3000, 5):
        buzzer.go_on(now)
    loud, rest, again, end = Heard.duties
    assert (rest, end) == (0, 0), "nor in the rest between two notes"
    assert loud == again > 0


# The supply


class Converter:
    """An input at which `volts` are."""

    ATTN_11DB: Final = 3
    volts = 2.5

    def __init__(self, pin: object, atten: int = 0) -> None:
        assert atten == self.ATTN_11DB

    def read_uv(self) -> int:
        return int(1e6 * min(self.volts, said.READ_MV / 1000))


@pytest.fixture
def read(pins_made: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the firmware makes of volts at its pin: millivolts, and whether it believes them."""
    supply = made("battery", "Battery")
    divider = int(runpy.run_path(str(FIRMWARE / "board.py"))["DIVIDER"])

    def reads(volts: float) -> tuple[int, bool]:
        monkeypatch.setattr(Converter, "volts", volts)
        there = supply(1, divider)
        return there.millivolts(), there.plausible()

    return reads


def test_a_supply_from_a_sagging_cable_to_the_most_is_read_as_it_is_and_believed(read: Any) -> None:
    low, high = said.LEAST_VOLTS, said.RAIL_VOLTS[1]
    for step in range(21):
        volts = low + (high - low) * step / 20
        millivolts, believed = read(volts / said.DIVIDER)
        assert millivolts == pytest.approx(1000 * volts, abs=3)
        assert believed, volts


def test_a_divider_with_a_resistor_missing_is_not_believed(read: Any) -> None:
    assert read(0.0) == (0, False), "the upper one is missing"
    assert not read(5.0)[1], "the lower one is missing: more than can be read"


def test_a_warning_comes_when_a_bank_sags_and_not_before(read: Any) -> None:
    """A good bank through a good cable is never below 4.5 V; below 3.8 V the regulator gives less than 3.3 V."""
    warned = LOW_BATTERY_MV / 1000

    assert warned + 0.1 >= said.OUT_VOLTS + said.DROPOUT_VOLTS
    assert warned < said.RAIL_VOLTS[0] - 0.2
    assert read(warned / said.DIVIDER)[1], "and it is believed"
