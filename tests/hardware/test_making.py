"""What `python -m hardware` writes beside the parts to print: lists to buy and to solder by, pictures to print."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hardware import bom, making, pixels
from hardware.circuit.box import BUILDS, circuit
from hardware.drawing import PICTURES
from hardware.enclosure import printed
from tests.documents import ROOT


def test_the_lists_are_those_of_the_board_that_was_asked_for(tmp_path: Path) -> None:
    making.write_lists(tmp_path, "small", "esp32s3", 8)

    rows = list(csv.DictReader((tmp_path / "shopping.csv").read_text("utf-8").splitlines()))
    bought = {row["kind"]: int(row["quantity"]) for row in rows}
    pixel = next(row for row in bom.rows() if row.kind == "pixel")
    assert bought["pixel"] == pixel.for_tables(8, 3) > 8 * 3
    assert any(row["value"].startswith("ESP32-S3") for row in rows)
    polish = (tmp_path / "shopping.pl.md").read_text("utf-8")
    assert f"| {bought['pixel']} | WS2812B na okrągłej płytce |" in polish
    assert polish.count("\n| ") == len(rows) + 1

    soldered = {row[0] for row in csv.reader((tmp_path / "carrier-parts.csv").read_text("utf-8").splitlines())}
    on_board = {part.ref for part in circuit("small", "esp32s3").parts if part.fields["place"] == "carrier"}
    assert on_board <= soldered
    assert (tmp_path / "carrier-wires.csv").read_text("utf-8").count("\n") > 50


def test_a_box_without_a_tray_gets_lists_without_it(tmp_path: Path) -> None:
    """Shopping list and carrier; what feet, ties and screws there are less, test_sizes.py says."""
    texts = []
    for folder, kostka in ((tmp_path / "with", True), (tmp_path / "without", False)):
        making.write_lists(folder, "full", "esp32", 1, kostka=kostka)
        texts.append({file.name: file.read_text("utf-8") for file in folder.iterdir()})
    for name, whole in texts[0].items():
        less = texts[1][name]
        assert whole != less, name
        assert not re.search(r"(?i)kostka|\b(S10|J10|R20|C20|R21)\b(?!\))", less), name
    bought = [
        {row["kind"]: row["quantity"] for row in csv.DictReader(each["shopping.csv"].splitlines())} for each in texts
    ]
    assert set(bought[0]) - set(bought[1]) == {"kostka-switch", "connector-2"}
    assert [each["foot"] for each in bought] == ["8", "4"]


def kept_here() -> set[str]:
    """The four-sided box's pictures in the repository."""
    return {file.stem for file in PICTURES.glob("*.svg") if not file.stem.startswith("evening-")}


@pytest.mark.parametrize("build", BUILDS)
def test_the_command_makes_a_box_without_a_tray(build: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces are not modelled here, which takes long: the torture run does."""
    from hardware import __main__ as command

    asked: dict[str, Any] = {}
    before = tmp_path / "dist" / "hardware" / f"stl-{build}" / "tray-stand.stl"
    before.parent.mkdir(parents=True)
    before.touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "pieces", lambda **of: asked.update(of) or [])
    monkeypatch.setattr(pixels, "write_pictures", lambda _, drawn: asked.update(drawn=list(drawn)) or [])

    assert command.main(["--build", build, "--no-kostka"]) == 0
    assert {name: asked[name] for name in ("build", "kostka")} == {"build": build, "kostka": False}
    assert not {"tray-stand", "tray-chute"} & set(printed(build, kostka=False))
    assert not before.exists()
    soldered = (tmp_path / "dist" / "hardware" / "carrier-parts.csv").read_text("utf-8")
    assert "J9" in soldered
    assert "J10" not in soldered
    drawn = {drawing.name: drawing for drawing in asked["drawn"]}
    assert sorted(drawn) == sorted(kept_here())
    for name in ("carrier-top", "carrier-wires", "harness-list"):
        assert "J9" in drawn[name].svg()
        assert "J10" not in drawn[name].svg()


@pytest.mark.torture
def test_the_command_writes_pieces_lists_and_pictures_of_the_box_that_was_asked_for(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hardware", "--build", "small", "--chip", "esp32s3", "--no-kostka"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False, capture_output=True, encoding="utf-8",
        timeout=3600,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    made = tmp_path / "dist" / "hardware"
    assert {str(tmp_path / line) for line in done.stdout.splitlines()} == {
        str(file) for file in made.rglob("*") if file.is_file()
    }
    assert {file.stem for file in (made / "stl-small").glob("*.stl")} == set(printed("small", kostka=False))
    assert {file.stem for file in (made / "pictures").glob("*.png")} == kept_here()
