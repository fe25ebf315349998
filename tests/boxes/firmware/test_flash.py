"""The whole flash: what lies where, and what other tools read of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from dalej.boxes.firmware import flash
from dalej.boxes.firmware.micropython import read
from dalej.boxes.firmware.tree import BoardFile, Tree
from dalej.errors import WrongInput
from moveclock.identity import KOSTKA, Identity, unpack
from tests.boxes.firmware import esp
from tests.boxes.firmware.littlefs_image import contents

TREE: Final = Tree(1, [BoardFile("lib/a.mpy", b"M\x06"), BoardFile("main.py", b"import a\n")])
WHO: Final = Identity(KOSTKA, b"\x24\x0a\xc4\x00\x12\x07", bytes(range(32)))


def esptool(*arguments: object) -> str:
    """What the real esptool prints."""
    command = [sys.executable, "-m", "esptool", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout


@pytest.mark.parametrize(("chip", "name"), [(0, "esp32"), (9, "esp32s3")])
def test_esptool_merges_the_parts_to_the_same_flash(chip: int, name: str, tmp_path: Path) -> None:
    base = read(esp.micropython(chip), "m.bin")
    parts = flash.parts(flash.files_of(TREE, WHO), 4 << 20, base)
    (tmp_path / "m.bin").write_bytes(base.data)
    (tmp_path / "files").write_bytes(parts[1].data)

    esptool("--chip", name, "merge-bin", "-o", tmp_path / "merged", "--pad-to-size", "4MB",
            hex(base.chip.offset), tmp_path / "m.bin", "0x200000", tmp_path / "files")  # fmt: skip

    assert flash.whole(parts) == (tmp_path / "merged").read_bytes()


def test_esptool_reads_micropython_out_of_the_flash(tmp_path: Path) -> None:
    base = read(esp.micropython(9), "m.bin")
    data = flash.whole(flash.parts(flash.files_of(TREE, WHO), 8 << 20, base))
    (tmp_path / "flash.img").write_bytes(data[base.chip.offset :])

    told = esptool("--chip", "esp32s3", "image-info", tmp_path / "flash.img")

    assert len(data) == 8 << 20
    assert "ESP32-S3" in told
    assert "(valid)" in told
    assert "invalid" not in told


def test_the_identity_lies_beside_the_firmware_and_belongs_to_one_board() -> None:
    (part,) = flash.parts(flash.files_of(TREE, WHO), 4 << 20)

    read_back = contents(part.data)
    who = unpack(read_back.pop("identity"))

    assert part.offset == 0x200000
    assert read_back == {"lib/a.mpy": b"M\x06", "main.py": b"import a\n"}
    assert (who.uid, who.build) == (WHO.uid, WHO.build)
    assert who.secret == WHO.secret, "another secret"


def test_the_files_take_all_that_the_flash_has_left() -> None:
    sizes = [len(flash.parts(flash.files_of(TREE, WHO), size)[0].data) >> 20 for size in flash.SIZES.values()]

    assert sizes == [2, 6, 14]


def test_a_flash_that_is_too_small_is_said() -> None:
    partitions = [*esp.STOCK, (1, 0x81, 0x200000, 0x600000, "vfs")]
    base = read(esp.micropython(partitions=partitions), "m.bin")

    with pytest.raises(WrongInput, match="this MicroPython needs more flash than 4 MB"):
        flash.parts(flash.files_of(TREE, WHO), 4 << 20, base)
