"""MicroPython's .bin: what it is, where its files lie, and what is said of a file that is none."""

from __future__ import annotations

import runpy
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.boxes.firmware.micropython import expect_chip, expect_machine, read
from dalej.errors import DalejError, Refused, WrongInput
from tests.boxes.firmware import esp

PINS: Final[Any] = runpy.run_path(str(Path(__file__).parents[3] / "firmware" / "board.py"))["pins"]


@pytest.mark.parametrize(("number", "name", "offset"), [(0, "esp32", 0x1000), (9, "esp32s3", 0)])
def test_a_whole_one_tells_its_chip_version_and_where_its_files_begin(number: int, name: str, offset: int) -> None:
    found = read(esp.micropython(number), "m.bin")

    assert (found.chip.name, found.chip.offset, found.version) == (name, offset, "1.27.0")
    assert (found.files_at, found.files_size) == (0x200000, None)


def test_a_partition_for_files_counts_where_there_is_one() -> None:
    partitions = [*esp.STOCK, (1, 0x81, 0x210000, 0x1F0000, "vfs")]

    found = read(esp.micropython(partitions=partitions), "m.bin")

    assert (found.files_at, found.files_size) == (0x210000, 0x1F0000)


def test_with_room_for_updates_the_files_begin_after_the_last_partition() -> None:
    partitions = [*esp.STOCK[:2], (0, 16, 0x10000, 0x180000, "ota_0"), (0, 17, 0x190000, 0x180000, "ota_1")]

    assert read(esp.micropython(partitions=partitions), "m.bin").files_at == 0x310000


@pytest.mark.parametrize("banner", [b"MicroPython v1.23.0 on", b"MicroPython (with v2.0 preview) v1.30.1-preview.5 on"])
def test_a_version_that_is_new_enough(banner: bytes) -> None:
    assert read(esp.micropython(banner=banner), "m.bin").version in {"1.23.0", "1.30.1-preview.5"}


def test_one_for_another_chip_than_the_boards() -> None:
    with pytest.raises(WrongInput, match=r"m\.bin is a MicroPython for esp32s3, and the board is esp32"):
        expect_chip(read(esp.micropython(9), "m.bin"), "esp32")


WRONG = {
    "empty": (b"", "is no image for an ESP32"),
    "a picture": (b"\x89PNG" + bytes(4000), "is no image for an ESP32"),
    "a C3": (esp.micropython(5), "is an image for esp32c3, expected one for esp32, esp32s3"),
    "a chip nobody knows": (esp.micropython(99), "is an image for 99, expected"),
    "a program alone": (esp.image(0, esp.BANNER + bytes(60_000)), r"only a part of a MicroPython \(\.app-bin"),
    "another program": (esp.micropython(banner=b"hello, world"), "with no MicroPython in it"),
    "too big": (esp.micropython(more=0x1F0000), "is too big: it would reach 0x2000.* and the files begin at 0x200000"),
}


@pytest.mark.parametrize("what", WRONG)
def test_any_other_file_is_refused_in_words(what: str) -> None:
    data, words = WRONG[what]

    with pytest.raises(WrongInput, match=words) as refused:
        read(data, "m.bin")
    assert str(refused.value).startswith("m.bin ")


def test_an_old_one_is_refused() -> None:
    with pytest.raises(Refused, match=r"MicroPython 1\.22\.2 is too old, expected 1\.23 or later"):
        read(esp.micropython(banner=b"MicroPython v1.22.2 on 2024-02-22"), "m.bin")


@given(st.binary(max_size=300), st.integers(0, 300))
def test_garbage_is_an_error_of_ours_and_never_a_crash(garbage: bytes, at: int) -> None:
    data = bytearray(esp.micropython())
    data[at : at + len(garbage)] = garbage

    with suppress(DalejError):
        read(bytes(data[: 0x9000 + len(garbage)]), "m.bin")


@pytest.mark.parametrize("chip", ["ESP32", "ESP32-PICO-D4", "ESP32S3", "ESP32-S3", "Octal-SPIRAM with ESP32S3"])
def test_a_board_that_has_a_pin_map_is_taken(chip: str) -> None:
    machine = f"Generic module with {chip}"

    expect_machine(machine, "COM3")
    PINS(machine)


@pytest.mark.parametrize("chip", ["ESP32C3", "ESP32S2", "ESP32-C6", "RP2040", "ESP32P4"])
def test_a_board_without_a_pin_map_is_refused_as_its_firmware_would(chip: str) -> None:
    machine = f"Generic module with {chip}"

    with pytest.raises(Refused) as refused:
        expect_machine(machine, "COM3")

    assert str(refused.value) == (
        f"the board at COM3 is {chip}, for which there is no pin map: expected esp32, esp32s3"
    )
    with pytest.raises(ValueError, match="no pin map"):
        PINS(machine)
