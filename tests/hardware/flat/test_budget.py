"""The figures on the schematic's first page follow from the circuit's values, by other ways of reckoning, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from hardware.flat import budget, currents, main_pages, parts
from hardware.flat.circuit import Circuit, circuit
from hardware.flat.parts import Kind
from moveclock.view import RING

BOX: Final = circuit()


def with_value(ref: str, kind: Kind) -> Circuit:
    return BOX.swapped(replace(BOX.by_ref[ref], kind=kind))


def stepped(delay: float, farads: float) -> tuple[float, float, float]:
    """A start in steps of 10 µs: when it begins, seconds from then until 4.95 V are behind Q1, the most amperes.

    Unlike the formula it has a gate that rises ever slower, and a Q1 that leads less when little is left across it.
    """
    gain = budget.SLOPE[0] ** 2 / 2 / budget.SLOPE[1]
    step, time, gate, after, most, begun = 1e-5, 0.0, 0.0, 0.0, 0.0, 0.0
    while after < 0.99 * budget.VOLTS:
        gate += (budget.VOLTS - gate) / delay * step
        over, left = max(0.0, gate - budget.THRESHOLD_V), budget.VOLTS - after
        amperes = gain / 2 * over**2 if left > over else gain * (over * left - left**2 / 2)
        after += amperes / farads * step
        most = max(most, amperes)
        time += step
        begun = begun or (time if over else 0.0)
    return begun, time - begun, most


def test_the_start_is_what_small_steps_find() -> None:
    start = budget.start()
    begun, filled, most = stepped(0.47, budget.behind())
    assert start.begins == pytest.approx(begun, rel=0.01)
    assert start.fills == pytest.approx(filled, rel=0.05)
    assert start.most == pytest.approx(most, rel=0.05)
    assert start.most < budget.PORT_A[0] < budget.FUSE_A[0], "a plain port bears it"
    assert start.begins + start.fills < start.opened


def test_a_smaller_resistor_starts_faster_and_with_more() -> None:
    slow, fast = budget.start(), budget.start(with_value("R3", parts.RESISTOR_39K))
    assert (fast.begins, fast.opened) == pytest.approx((slow.begins * 39 / 470, slow.opened * 39 / 470))
    assert fast.most == pytest.approx(slow.most * (470 / 39) ** (2 / 3))


def test_what_is_behind_the_switch() -> None:
    lamps = (RING + 9) * 0.1
    displays = 4 * (10 + 0.1)
    at_five = 470 + 10 + 0.1 + lamps + displays
    assert budget.behind() == pytest.approx((at_five + (22 + 22 + 0.1) * 0.66) * 1e-6)
    assert budget.behind(BOX.without("C102")) == pytest.approx(budget.behind() - 10e-6)


def test_a_plug_charges_no_more_than_usb_allows() -> None:
    assert budget.capacitance(("VBUS", "VBUS_FUSED")) == pytest.approx(budget.PLUGGED_F)
    more = budget.capacitance(("VBUS", "VBUS_FUSED"), with_value("C1", parts.CAPACITOR_22U))
    assert more > budget.PLUGGED_F


def test_half_of_5_v() -> None:
    assert budget.halved() == 2.5
    assert budget.halved(with_value("R8", parts.RESISTOR_39K)) == pytest.approx(5 * 39 / 139)


def test_the_fuse_and_a_port_bear_what_the_box_takes() -> None:
    assert 0.3 < budget.game() < budget.most() < budget.FUSE_A[0]


def test_warmth_is_what_falls_across_the_regulator() -> None:
    assert budget.warmth() == pytest.approx([1.7 * amperes for amperes in budget.module()])
    assert max(budget.module()) < budget.REGULATOR_A


def test_a_lamp_has_no_size() -> None:
    with pytest.raises(ValueError, match="LP1 is no resistor"):
        budget.size(BOX.by_ref["LP1"])


def test_the_first_page_says_them(monkeypatch: pytest.MonkeyPatch) -> None:
    before = main_pages._places()
    monkeypatch.setattr(budget, "SLOPE", (2 * budget.SLOPE[0], budget.SLOPE[1]))
    monkeypatch.setattr(currents, "CHIP_PEAK", currents.CHIP_PEAK._replace(worst=480))
    after = main_pages._places()
    assert {name for name, lines in before.items() if after[name] != lines} == {"Slow start", "5 V", "3.3 V"}
    start = budget.start()
    assert f"{start.fills * 1e3:.0f} ms with some {start.most:.1f} A" in "".join(after["Slow start"])
    assert "0.48 A" in "".join(after["3.3 V"])
