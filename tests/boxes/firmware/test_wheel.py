"""What travels inside the wheel: compiled catalogues, and the firmware, of which it makes images by itself."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

from dalej import words
from dalej.boxes.firmware import flash
from moveclock.identity import KOSTKA, Identity
from tests.boxes.firmware.club import environment
from tests.boxes.firmware.made import firmware
from tests.wheels import LIBRARIES, ROOT, built

ALONE: Final = """
import sys
sys.path[:0] = [sys.argv.pop(1)]
sys.path.append(sys.argv.pop(1))
from dalej.cli import main
main(sys.argv[1:])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


def test_it_holds_every_source_of_the_firmware_and_nothing_else_of_it(wheel: Path) -> None:
    firmware = ROOT / "firmware"
    with zipfile.ZipFile(wheel) as opened:
        inside = {name for name in opened.namelist() if name.startswith("dalej/firmware/")}

    assert inside == {f"dalej/firmware/{file.relative_to(firmware).as_posix()}" for file in firmware.rglob("*.py")}


def test_it_speaks_every_language_and_leaves_the_catalogues_sources_out(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        inside = {name for name in opened.namelist() if "/locale/" in name}

    assert inside == {f"dalej/locale/{language}/LC_MESSAGES/dalej.mo" for language in words.LANGUAGES}


@pytest.mark.skipif(sys.platform == "win32", reason="an open file there is not replaced")
def test_a_program_that_reads_a_catalogue_while_it_is_compiled_again_reads_the_whole_one_before(wheel: Path) -> None:
    tree = wheel.parents[1]
    catalogue = tree / "host" / "dalej" / "locale" / "pl" / "LC_MESSAGES" / "dalej.mo"
    before = catalogue.read_bytes()

    with catalogue.open("rb") as opened:
        beginning = opened.read(100)
        catalogue.with_suffix(".po").write_text('msgid "table"\nmsgstr "stolik"\n', encoding="utf-8")
        subprocess.run([sys.executable, "hatch_build.py"], cwd=tree, check=True, timeout=60)
        rest = opened.read()

    assert beginning + rest == before
    assert len(catalogue.read_bytes()) < len(before)
    assert not list(tree.glob(".catalogues-*"))


def test_it_makes_the_same_image_as_the_repository(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path / "installed")

    # -S: what an editable install puts on the path is not on it
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", ALONE, str(tmp_path / "installed"), LIBRARIES, "box", "image", "box.img"],
        cwd=tmp_path, env={**environment(tmp_path / "home"), "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True,
        check=False, text=True, timeout=60,
    )  # fmt: skip

    (expected,) = flash.parts(flash.files_of(firmware(), Identity(KOSTKA)), 4 << 20)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "box.img").read_bytes() == expected.data
