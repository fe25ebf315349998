"""Power on paper: the warning comes 10 hours before the end, and the page says what is computed."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from hardware import cell, figures, firmware, modes, power, power_page
from hardware.circuit.netlist import netlist
from hardware.power import Setting
from moveclock import view as v
from moveclock.box import LOW_BATTERY_MV
from tests.board.board import VirtualBoard
from tests.firmware.edge import DISPLAY, PINS, machine, on_board, pressed, set_up, tap

BOXES = [Setting(chip, build) for chip in figures.CHIP for build in modes.BUTTONS]
SETUP = pressed(0, 1)


@pytest.mark.parametrize("box", BOXES, ids=lambda box: f"{box.build}-{box.chip}")
def test_the_warning_comes_ten_hours_before_the_end(box: Setting) -> None:
    assert power.promised(box) >= power.RULE_HOURS
    assert box.hours_at(LOW_BATTERY_MV) > power.promised(box)
    assert box.hours() - box.hours_at(LOW_BATTERY_MV) >= 8, "and not before a day has been played"


def test_no_lower_threshold_would_do() -> None:
    assert max(power.least_warning(box) for box in BOXES) == LOW_BATTERY_MV


@pytest.mark.parametrize(
    "worse",
    [Setting("esp32s3", cells=3), Setting("esp32s3", curve=cell.FLAT), Setting("esp32s3", mode="stopped")],
    ids=["half the cells", "a flat pack", "always at its brightest"],
)
def test_a_box_that_breaks_the_rule_is_found(worse: Setting) -> None:
    assert power.promised(worse) < power.RULE_HOURS
    assert power.least_warning(worse) > LOW_BATTERY_MV


def test_the_page_is_what_is_computed() -> None:
    assert power_page.PAGE.read_text("utf-8") == power_page.page(), "run python -m hardware.power --update"


def test_the_page_follows_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "PIXEL", figures.PIXEL._replace(typical=0.7))

    assert power_page.PAGE.read_text("utf-8") != power_page.page()


def test_every_figure_has_a_source_and_a_worst_that_is_no_better() -> None:
    higher_is_better = {figures.EFFICIENCY, figures.CELL, figures.RESERVE}
    for one in figures.FIGURES:
        assert len(one.source) > 7, one.what
        worse = one.worst < one.typical if one in higher_is_better else one.worst > one.typical
        assert worse, one.what
    held = {value for value in vars(figures).values() if isinstance(value, figures.Figure)} | {*figures.CHIP.values()}
    assert held == set(figures.FIGURES), "each figure is on the page"


def test_every_doubt_changes_something() -> None:
    for box in BOXES:
        lost = power.losses(box, LOW_BATTERY_MV)
        assert {doubt for doubt, hours in lost.items() if hours} == set(power.DOUBTS)


@pytest.mark.parametrize("chip", figures.CHIP)
def test_the_converter_gives_what_the_box_takes_and_does_not_fall_asleep(chip: str) -> None:
    for case in figures.CASES:
        assert modes.peak(case, chip=chip) < 0.8 * power.CONVERTER_MA
        assert modes.peak(case, chip=chip) >= max(sum(modes.taken(mode, case, chip=chip)) for mode in modes.MODES)
    assert power.smallest(chip) > 2 * power.SLEEPS_BELOW_MA


def test_the_fuse_bears_what_the_box_takes_and_blows_before_its_leads_are_hot() -> None:
    most = max(power.cell_amperes(modes.peak(case, chip=chip), case) for case in figures.CASES for chip in figures.CHIP)
    assert 1.5 * max(most, power.CHARGING_A) < power.FUSE_A < power.WIRE_A
    assert [part.value for part in netlist("full", "esp32").of_kind("fuse")] == [f"{power.FUSE_A} A, slow"]


@pytest.mark.parametrize("chip", figures.CHIP)
def test_the_reserve_lasts_for_a_page_of_flash(chip: str) -> None:
    assert power.reserve_ms(chip, "typical") > figures.PAGE_MS.worst
    assert power.reserve_ms(chip, "worst") > figures.PAGE_MS.typical
    assert power.reserve_ms(chip, "worst") < power.reserve_ms(chip, "typical")


def test_a_second_diode_in_a_row_would_leave_no_reserve() -> None:
    """So the guide has the bridge IN-OUT of an S3 board closed."""
    assert power.reserve_ms("esp32s3", "worst", diodes=2) < figures.PAGE_MS.typical
    assert power.reserve_ms("esp32s3", "typical", diodes=2) < power.reserve_ms("esp32s3", "typical")


def test_a_tournament_day_is_whole_and_takes_less_than_a_game_that_never_ends() -> None:
    assert sum(power.DAY.values()) == pytest.approx(1)
    assert set(power.DAY) < set(modes.MODES)
    for box in BOXES:
        assert box._replace(mode="day").hours() > box.hours()


def test_a_dark_box_takes_what_its_parts_take_by_hand() -> None:
    idle = modes.taken("idle", "typical")

    assert idle.lamps == pytest.approx(33 * 0.9)
    assert idle.displays == pytest.approx(4 * 1 + 4 * 2 * 25 / 8)  # two segments on each, an eighth of the time
    assert modes.taken("idle", "typical", build="small").lamps == pytest.approx(27 * 0.9)
    assert modes.taken("idle", "typical", brightness=8).displays == pytest.approx(4 * 1 + 4 * 2 * 25 / 16)


def test_a_pack_lasts_as_long_as_its_energy_over_the_load() -> None:
    pack = cell.Pack(cell.ROUND, 10, 0.0, 2.6)
    energy = sum((b - a) * 10 * (low + high) / 2 for (a, low), (b, high) in pairwise(cell.ROUND))

    assert pack.hours(2.0, 0.0) == pytest.approx(energy / 2.0, rel=0.01)
    assert pack.hours(4.0, 0.0) == pytest.approx(energy / 4.0, rel=0.01)


@pytest.mark.parametrize("curve", [cell.ROUND, cell.FLAT], ids=["round", "flat"])
def test_the_charge_that_is_left_is_found_again_from_the_voltage_under_load(curve: cell.Curve) -> None:
    assert all(low < high for one, other in pairwise(curve) for low, high in zip(one, other, strict=True))
    pack = cell.Pack(curve, 20, 0.1, 3.0)
    for left in (0.1, 0.35, 0.6, 0.9):
        volts, amperes = pack.loaded(left, 2.0, 0.003)
        assert volts == pytest.approx(pack.at_rest(left) - 0.1 * amperes, abs=1e-4)
        assert pack.left_at(volts, 2.0, 0.003) == pytest.approx(left, abs=0.001)


def test_the_firmware_shows_what_is_counted_here(tmp_path: Path) -> None:
    seen: dict[str, tuple[int, int, int]] = {}

    def look(board: VirtualBoard, mode: str) -> None:
        shown = [board.displays[DISPLAY + seat] for seat in range(modes.SEATS)]
        segments = sum(byte.bit_count() for ram, _, _ in shown for byte in ram[:10])
        seen[mode] = (segments, sum(board.strips[PINS.lamps]), shown[0][2])

    async def play(board: VirtualBoard) -> None:
        await set_up(board)
        await tap(board, PINS.buttons[0], 2)
        await board.run(200)
        look(board, "running")
        board.edge(PINS.sedzia, 0)
        await board.run(1500)
        board.edge(PINS.sedzia, 1)
        await board.run(300)
        look(board, "stopped")

    on_board(tmp_path, play, given=machine(held=SETUP))

    bright = firmware.dimming() - 1
    assert seen["running"] == (_dotless("running"), _light("running"), bright)
    assert seen["stopped"][1:] == (_light("stopped"), bright)


def _dotless(mode: str) -> int:
    """The segments as bits of the displays' memory, where the colon's two dots are one."""
    return modes.pictures(mode, "full")[0].segments - modes.SEATS


def _light(mode: str) -> float:
    return sum(share * sum(colour) for colour, share in modes.pictures(mode, "full")[0].pixels)


def test_texts_and_sounds_are_counted_as_the_devices_make_them() -> None:
    assert firmware.segments("88.88") == 4 * 7 + 1
    assert firmware.segments(" 0:11") == 6 + 2 + 2 + 2
    assert firmware.segments(" -- ") == 2
    assert firmware.sounding(v.TIME_OVER) == pytest.approx(1.0)
    assert firmware.duty(loud=True) == 0.5
    assert firmware.colours()[v.DARK] == (0, 0, 0)
