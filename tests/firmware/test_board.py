"""The pin maps: nothing twice, nothing that a chip needs for itself, and every input has something that pulls it up."""

from __future__ import annotations

from typing import Any, Final

import pytest

from moveclock import facts as k
from tests.firmware.edge import BOARD, ESP32, ESP32_S3

# What Espressif's data sheets and MicroPython's quick reference keep for other things.
FORBIDDEN: Final = {
    ESP32: {
        *(0, 2, 5, 12, 15),  # strapping
        *range(6, 12),  # flash
        *(1, 3),  # UART0: the cable
        *(16, 17),  # PSRAM of a WROVER
    },
    ESP32_S3: {
        *(0, 3, 45, 46),  # strapping
        *range(26, 38),  # flash, and PSRAM where it is octal
        *(19, 20),  # native USB: the cable
        *(43, 44),  # UART0: the cable
        *(38, 48),  # the lamp on a devkit
    },
}
THERE: Final = {
    ESP32: {*range(24), *range(25, 28), *range(32, 40)} - {20},
    ESP32_S3: {*range(22), *range(26, 49)},
}
NO_PULL_UP: Final = {ESP32: set(range(34, 40)), ESP32_S3: set()}
ADC1: Final = {ESP32: set(range(32, 40)), ESP32_S3: set(range(1, 11))}
CHIPS: Final = (ESP32, ESP32_S3)
BUILDS: Final = [(kostka, shared) for kostka in (True, False) for shared in (True, False)]


def inputs(pins: Any, *, kostka: bool, shared: bool) -> list[int]:
    return [pin for _, pin in pins.contacts(kostka, shared)]


def outputs(pins: Any) -> list[int]:
    return [pins.sda, pins.scl, pins.lamps, pins.buzzer]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("kostka", "shared"), BUILDS)
def test_no_pin_is_used_twice_and_none_that_the_chip_needs(chip: str, kostka: bool, shared: bool) -> None:
    pins = BOARD["pins"](chip)
    used = [*inputs(pins, kostka=kostka, shared=shared), *outputs(pins), pins.battery]

    assert len(set(used)) == len(used)
    assert not set(used) & FORBIDDEN[chip]
    assert set(used) <= THERE[chip]


@pytest.mark.parametrize("chip", CHIPS)
def test_every_contact_is_pulled_up_by_the_chip_or_is_named_as_one_that_its_wire_must(chip: str) -> None:
    pins = BOARD["pins"](chip)
    contacts = inputs(pins, kostka=True, shared=False)

    assert {pin for pin in contacts if pin in NO_PULL_UP[chip]} == set(pins.bare)
    assert not set(outputs(pins)) & NO_PULL_UP[chip]
    assert pins.battery in ADC1[chip]


@pytest.mark.parametrize("chip", CHIPS)
def test_every_build_has_the_contacts_that_the_core_expects(chip: str) -> None:
    pins = BOARD["pins"](chip)

    assert {contact for contact, _ in pins.contacts(True, False)} == {*range(8), k.SEDZIA, k.KOSTKA}
    assert {contact for contact, _ in pins.contacts(False, True)} == {k.SHARED_JUZ, k.SHARED_DALEJ, k.SEDZIA}


@pytest.mark.parametrize(
    ("machine", "battery"),
    [
        (ESP32, 35),
        ("Generic ESP32 module with SPIRAM with ESP32", 35),
        ("M5Stack Atom with ESP32-PICO-D4", 35),
        (ESP32_S3, 1),
        ("Generic ESP32S3 module with ESP32-S3", 1),
        ("Generic ESP32S3 module with Octal-SPIRAM with ESP32-S3-FN8", 1),
    ],
)
def test_a_board_is_known_by_what_it_calls_its_chip(machine: str, battery: int) -> None:
    assert BOARD["pins"](machine).battery == battery


@pytest.mark.parametrize("chip", ["ESP32-C3", "ESP32C3", "ESP32-C6", "ESP32-S2", "ESP32-S2FN4R2", "RP2040"])
def test_a_chip_that_nothing_is_drawn_for_has_no_pins(chip: str) -> None:
    with pytest.raises(ValueError, match=f"no pin map for A module with {chip}"):
        BOARD["pins"](f"A module with {chip}")
