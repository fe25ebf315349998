"""Dalej as a teacher has it: the wheel, installed into an environment of its own, typed in another folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.documents import commands
from tests.wheels import LIBRARIES, ROOT, built

PLAYERS: Final = "Imię i nazwisko;Klasa\n" + "".join(f"Gracz {letter};4a\n" for letter in "ABCDEFGHIJKLMNOPRSTU")
# Before the wheel's name: what the fixtures do in their own way, and test_windows_zip.py.
BUILT_OTHERWISE: Final = (
    "make wheel", "pipx install dist/", 'pipx install "dist/',
    'make windows ARGS="--python python-3.13.9-embed-amd64.zip --sha256 HASH"',
)  # fmt: skip
COMPLETING: Final = r"""
set -e
eval "$(_DALEJ_COMPLETE=bash_source dalej)"
complete -p dalej
asked() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _dalej_completion dalej "${!#}" "" 2>/dev/null
    echo "$*= ${COMPREPLY[*]}"
}
asked dalej pap
asked dalej event re
asked dalej event new --rul
asked dalej --lang ""
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`dalej`, as an installer writes it. What it needs is taken from here, and nothing else is."""
    folder = tmp_path_factory.mktemp("installed") / "środowisko"
    for command in (
        ("venv", "--without-pip", folder),
        ("pip", "-q", "--python", folder, "install", "--no-deps", "--no-index", wheel),
    ):
        done = subprocess.run(
            [sys.executable, "-m", *map(str, command)], capture_output=True, text=True, check=False, timeout=100
        )
        assert done.returncode == 0, done.stderr
    return folder / "bin" / "dalej"


def typed(program: Path, folder: Path, *words: str) -> str:
    """What it prints to whoever types this in the folder; it succeeds."""
    surroundings = {"HOME": str(folder / "home"), "PATH": f"{program.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
    done = subprocess.run(
        words, cwd=folder, env={**surroundings, "PYTHONPATH": str(LIBRARIES)}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8", check=False, timeout=100,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_file_of_the_program_is_in_the_wheel(wheel: Path) -> None:
    here = ROOT / "host" / "dalej"
    ours = {
        f"dalej/{file.relative_to(here).as_posix()}"
        for file in here.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".po", ".mo", ".pyc")
    }
    with zipfile.ZipFile(wheel) as packed:
        inside = {name for name in packed.namelist() if not name.startswith(("dalej/firmware/", "moveclock/"))}

    assert {name for name in inside if "/locale/" not in name and ".dist-info/" not in name} == ours


@pytest.mark.skipif(os.name == "nt", reason="programs lie elsewhere there")
def test_a_league_begins_far_from_any_source(program: Path, tmp_path: Path) -> None:
    (tmp_path / "lista.csv").write_text(PLAYERS, encoding="utf-8")

    where = typed(program, tmp_path, str(program.with_name("python")), "-c", "import dalej; print(dalej.__file__)")
    assert Path(where).is_relative_to(program.parents[1])
    assert typed(program, tmp_path, "dalej", "--version").startswith("dalej 0")
    assert "w porządku" in typed(
        program, tmp_path, "dalej", "--lang", "pl", "demo", "--headless", "--tables", "2", "--moves", "40"
    )
    for words in (
        ("event", "new", "liga.dalej", "--ruleset", "school-league"),
        ("players", "import", "liga.dalej", "lista.csv"),
        ("seat", "draw", "liga.dalej"),
        ("paper", "sheets", "liga.dalej", "-o", "sheets.pdf"),
        ("paper", "seating", "liga.dalej", "-o", "seating.pdf"),
        ("paper", "standings", "liga.dalej", "-o", "standings.xlsx"),
        ("paper", "site", "liga.dalej", "-o", "site"),
        ("box", "card", "cards.pdf", "--tables", "1-2"),
        ("event", "backup", "liga.dalej", "kopia.dalej"),
        ("event", "restore", "kopia.dalej", "liga.dalej"),
    ):
        typed(program, tmp_path, "dalej", "--lang", "pl", *words)

    for paper in ("sheets.pdf", "seating.pdf", "cards.pdf"):
        assert (tmp_path / paper).read_bytes().startswith(b"%PDF")
    assert "Gracz A" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    here = {path.name for path in tmp_path.iterdir()} - {"home", "lista.csv", "standings.xlsx"}
    assert {name for name in here if name.endswith(".dalej")} == {
        "liga.dalej", "kopia.dalej", "liga.replaced-1.backup.dalej",
    }  # fmt: skip


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_page_about_installing_does_what_it_says(program: Path, wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    for number, command in commands(ROOT / "docs" / "install.md"):
        if command.startswith(("make ", "pipx ")):
            assert command.partition(wheel.name)[0] in BUILT_OTHERWISE, f"line {number}: {command!r}"
            continue
        typed(program, tmp_path, "bash", "--norc", "-c", command)

    bash, fish = (tmp_path / "home" / name for name in (".bashrc", ".config/fish/completions/dalej.fish"))
    assert "_dalej_completion" in typed(program, tmp_path, "bash", "--norc", "-c", f". '{bash}'; complete -p dalej")
    assert "complete" in fish.read_text()
    assert sorted(path.name for path in tmp_path.glob("*.dalej")) == [
        "copy.dalej", "league.dalej", "league.replaced-1.backup.dalej",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_what_is_typed(program: Path, tmp_path: Path) -> None:
    said = typed(program, tmp_path, "bash", "--norc", "-c", COMPLETING)

    assert said.splitlines() == [
        "complete -o nosort -F _dalej_completion dalej", "dalej pap= paper", "dalej event re= restore",
        "dalej event new --rul= --ruleset", "dalej --lang = pl en it",
    ]  # fmt: skip
