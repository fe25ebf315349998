"""hardware/README.md and the front pages say of pins, prices and hours what firmware, lists and sums say."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

import pytest

from hardware import bank
from hardware.evening import order as evening
from hardware.firmware import S3, firmware_pins
from hardware.flat import budget
from hardware.flat import order as flat
from tests.documents import ROOT

README: Final = (ROOT / "hardware" / "README.md").read_text("utf-8")
FRONT: Final = ("README.md", "docs/pl/README.md", "docs/it/README.md")
MACHINES: Final = ("Generic ESP32 module with ESP32", S3)
OF_A_CLUB: Final = 25
A_FEW: Final = 5


def pins(machine: str) -> dict[str, tuple[int, ...]]:
    """By the words of the table's first column."""
    told = firmware_pins(machine)
    seats = {f"Już {side}, Dalej {side}": told.buttons[2 * at : 2 * at + 2] for at, side in enumerate("ABCD")}
    return seats | {
        "Sędzia": (told.sedzia,), "Kostka": (told.kostka,), "displays, SDA and SCL": (told.sda, told.scl),
        "lamps": (told.lamps,), "buzzer": (told.buzzer,), "half of 5 V": (told.battery,),
    }  # fmt: skip


def test_the_table_of_pins_is_the_firmwares() -> None:
    part = README.partition("## Pins\n")[2]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"(?m)^\| [^|-].*\|$", part)]
    rows = rows[: len(pins(S3))]
    for place, machine in enumerate(MACHINES, 1):
        told = {row[0]: tuple(map(int, row[place].split(", "))) for row in rows}
        assert told == pins(machine)


def test_it_says_how_long_a_bank_lasts() -> None:
    of_both = re.search(r"(\d+) Ah\s+lasts about (\d+) h at the ([\d.]+) W of an evening box and about (\d+) h", README)
    assert of_both
    size, evening_hours, watts, flat_hours = map(float, of_both.groups())
    assert bank.hours(size, watts) == pytest.approx(evening_hours, abs=0.6)
    assert bank.hours(size, budget.VOLTS * budget.game()) == pytest.approx(flat_hours, abs=0.6)


def test_it_says_what_a_box_costs() -> None:
    assert f"| {evening.total(evening.rows(), 'cardboard', 'en')} € |" in README
    for boxes in (OF_A_CLUB, A_FEW):
        assert f"{flat.priced(flat.cost(boxes).each, 'en')} at {boxes}" in README


@pytest.mark.parametrize("page", FRONT)
def test_the_front_pages_say_it_too(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for boxes in (OF_A_CLUB, A_FEW):
        euros = flat.priced(flat.cost(boxes).each, "en")
        assert euros in text, euros
        assert re.search(rf"\b{boxes}\b", text)
    assert {"evening-box.svg", "flat-box.svg"} <= set(re.findall(r"[a-z-]+\.svg", text))


@pytest.mark.parametrize("build", ["evening", "flat"])
def test_whoever_has_not_the_tools_is_told_which_command_brings_them(build: str) -> None:
    without = (
        "import sys; sys.modules['build123d'] = None; from hardware.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", without, build], cwd=ROOT, capture_output=True, text=True, check=False, timeout=100
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "There is no build123d here, which this draws with: type `make hardware`, which brings it.\n"
