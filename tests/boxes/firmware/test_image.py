"""The littlefs image, read back by littlefs at the geometry that MicroPython mounts with."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.boxes.firmware.flash import image
from dalej.boxes.firmware.tree import BoardFile
from dalej.errors import Refused
from tests.boxes.firmware.littlefs_image import contents, mounted
from tests.boxes.firmware.made import firmware

REST_OF_4_MB: Final = 0x200000
SMALL: Final = 64 * 4096
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz_0123456789"
NAMES: Final = st.text(LETTERS, min_size=1, max_size=24)
PATHS: Final = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


def test_every_file_of_the_firmware_is_read_back() -> None:
    made = firmware()

    data = image(made.files, REST_OF_4_MB)

    assert len(data) == REST_OF_4_MB
    assert contents(data) == {file.path: file.data for file in made.files}


def test_micropython_recognises_it_and_finds_its_own_disk_version() -> None:
    data = image([BoardFile("a", b"1")], SMALL)

    assert data[8:16] == b"littlefs"  # where extmod/vfs.c looks
    assert mounted(data).fs_stat().disk_version == 0x00020001
    assert mounted(data).fs_stat().block_count == SMALL // 4096


def test_the_same_files_make_the_same_bytes_in_whatever_order_they_come() -> None:
    files = [BoardFile(name, name.encode() * size) for name, size in (("b", 9), ("lib/c", 5000), ("a", 300))]

    assert image(files, SMALL) == image(reversed(files), SMALL)


def test_files_that_do_not_fit_are_refused() -> None:
    with pytest.raises(Refused, match="65536 bytes of flash have no room"):
        image([BoardFile("large", bytes(70_000))], 16 * 4096)


@given(st.dictionaries(PATHS, st.binary(max_size=9_000), max_size=6))
def test_whatever_the_files_they_come_back(files: dict[str, bytes]) -> None:
    kept = {path: data for path, data in files.items() if not any(other.startswith(f"{path}/") for other in files)}

    assert contents(image([BoardFile(path, data) for path, data in kept.items()], SMALL)) == kept
