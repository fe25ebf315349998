"""`python -m hardware flat` writes one build's folder, and says what it could not write."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.drawing import Drawing
from hardware.flat import files, making
from tests.documents import ROOT


def test_all_but_the_boards_files_needs_no_kicad(
    tmp_path: Path, drawn: list[Drawing], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "drawings", lambda: drawn)
    made = {file.relative_to(tmp_path).as_posix() for file in making.make(tmp_path, 4)}
    assert made >= {"order.csv", "order.md", "order-pl.md", "print/base.stl", "print/deck.stl", "print/tray-stand.stl"}
    assert made >= {"pictures/flat-box.svg", "pictures/flat-step-1.png"}
    assert not [name for name in made if "evening" in name]


def test_without_kostka_there_is_no_tray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "drawings", lambda: ())
    made = {file.name for file in making.make(tmp_path, 1, kostka=False)}
    assert "base.stl" in made
    assert not [name for name in made if name.startswith("tray") and name.endswith(".stl")]


def test_without_kicad_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(making, "MADE", tmp_path)
    monkeypatch.setattr(making, "make", lambda *_, **__: iter(()))
    monkeypatch.setattr("hardware.flat.kicad.shutil.which", lambda _: None)
    assert making.main([]) == 1
    assert capsys.readouterr().err == (
        "The flat box's files are written by KiCad 9, and there is no kicad-cli: install KiCad.\n"
    )


def test_the_interactive_list_is_where_the_makefile_puts_it() -> None:
    assert files.INTERACTIVE == ROOT / ".venv" / "ibom"
    assert "--target .venv/ibom" in (ROOT / "Makefile").read_text("utf-8")
