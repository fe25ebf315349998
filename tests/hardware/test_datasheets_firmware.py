"""The firmware has pins, buses, displays, buzzer and battery as data sheets ask for (tests/hardware/datasheets.py has
them by hand).
"""

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

from hardware import cell, figures, power
from hardware.circuit.box import CHIPS
from hardware.circuit.netlist import Netlist
from moveclock import view
from moveclock.box import LOW_BATTERY_MV
from moveclock.settings import LOUD, SILENT, SOFT
from tests.hardware import datasheets as said
from tests.hardware.boxes import each_box, ohms
from tools.firmware import FIRMWARE

MACHINES: Final = {"esp32": "Generic ESP32 module with ESP32", "esp32s3": "Generic ESP32S3 module with ESP32S3"}

box = each_box()


@pytest.mark.parametrize("chip", CHIPS)
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

    assert [f"0x{display['ADDRESS'] + seat:02X}" for seat in range(4)] == list(said.ADDRESSES.values())
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
    """Numbers and modes of the pins that the firmware makes from now on; tones are heard, the battery has 2 V."""
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


def test_the_buzzer_s_pin_low_is_off_and_open_is_off(box: Netlist) -> None:
    """An NPN transistor below the buzzer, and a resistor that holds its base at its emitter."""
    assert box.by_ref["Q1"].net("E") == "GND"
    assert frozenset(box.by_ref["R6"].nets) == frozenset((box.by_ref["Q1"].net("B"), "GND"))
    assert frozenset(box.by_ref["LS1"].nets) == frozenset(("+5V", box.by_ref["Q1"].net("C")))
    assert 3.3 * ohms(box, "R6") / (ohms(box, "R5") + ohms(box, "R6")) > said.BASE_VOLTS, "nor does it keep it off"


# The battery


class Converter:
    """An input at which `volts` are."""

    ATTN_11DB: Final = 3
    volts = 2.0

    def __init__(self, pin: object, atten: int = 0) -> None:
        assert atten == self.ATTN_11DB

    def read_uv(self) -> int:
        return int(1e6 * min(self.volts, said.ADC_MV[1] / 1000))


def board_divider() -> int:
    return int(runpy.run_path(str(FIRMWARE / "board.py"))["DIVIDER"])


@pytest.fixture
def read(pins_made: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the firmware makes of volts at its pin: millivolts, and whether it believes them."""
    battery = made("battery", "Battery")

    def reads(volts: float) -> tuple[int, bool]:
        monkeypatch.setattr(Converter, "volts", volts)
        there = battery(35, board_divider())
        return there.millivolts(), there.plausible()

    return reads


def test_a_cell_from_empty_to_full_is_read_as_it_is_and_believed(read: Any) -> None:
    low, high = said.CELL_VOLTS[0], said.CHARGED_VOLTS + figures.READING.worst
    for step in range(21):
        volts = low + (high - low) * step / 20
        millivolts, believed = read(volts / said.DIVIDER)
        assert millivolts == pytest.approx(1000 * volts, abs=3)
        assert believed, volts


def test_a_divider_with_a_resistor_missing_and_two_cells_in_series_are_not_believed(read: Any) -> None:
    assert read(0.0) == (0, False), "the upper one is missing"
    for volts in (said.ADC_MV[1] / 1000, 2 * 3.0):
        assert not read(volts)[1], "the lower one is missing, or a second cell is in series: more than can be read"


def test_the_limits_of_the_battery_are_the_same_in_firmware_power_and_cell(box: Netlist) -> None:
    battery = constants("_LEAST_MV")
    empty, full = said.CELL_VOLTS

    assert board_divider() == said.DIVIDER == 1 + ohms(box, "R7") / ohms(box, "R8")
    assert (cell.ROUND[0][1], cell.ROUND[-1][1], cell.FLAT[-1][1]) == (empty, full, full)
    assert 2000 <= battery["_LEAST_MV"] <= 1000 * empty
    assert 1000 * (said.CHARGED_VOLTS + figures.READING.worst) < battery["_MOST_MV"]
    assert battery["_MOST_MV"] < said.DIVIDER * said.ADC_MV[1] * 0.95
    assert battery["_MOST_MV"] < 2000 * figures.EMPTY.typical
    assert empty < figures.EMPTY.typical <= figures.EMPTY.worst < LOW_BATTERY_MV / 1000 - figures.READING.worst < full
    assert power.Setting(box.chip).pack().empty == figures.EMPTY.typical
    assert power.Setting(box.chip).pack().ampere_hours == pytest.approx(said.CELLS * figures.CELL.typical)
