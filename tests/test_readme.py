"""The README's commands are run as they stand, in their order, in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT, commands, section

# What takes long, shows a screen, installs or runs the tests is replaced by something quick of the same kind.
INSTEAD = {
    "make demo": "dalej demo --headless --tables 2 --moves 40",
    ".venv/bin/dalej demo": "dalej demo --headless --tables 2 --moves 40",
    ".venv/bin/dalej demo --no-screen --tables 25 --event hall.dalej": (
        "dalej demo --headless --tables 2 --moves 40 --event hall.dalej"
    ),
    ".venv/bin/dalej screen hall.dalej": "dalej log show hall.dalej",
    "make test": "make -n test",
    "make check": "make -n check",
    "make bench": "make -n bench",
    "make wheel": "make -n wheel",  # tests/whole/test_installed.py builds and installs it
    "make hardware": "make -n hardware",  # tests/hardware/test_evening_order.py runs what it does
    "make torture": "make -n torture",
}
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "run", "dist")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the repository without what is made in it; with a blank and letters of ours in its path."""
    return shutil.copytree(ROOT, tmp_path / "Zażółć gęś", ignore=NOT_COPIED)


def test_the_commands_in_the_readme_do_what_they_say(copy: Path) -> None:
    assert (ROOT / "README.md").is_file(), "README.md is missing"
    elsewhere = section(ROOT / "README.md", "Build a box")  # tests/whole/test_box_pages.py, at a board
    shown = [one for one in commands(ROOT / "README.md") if one[0] not in elsewhere or one[1].startswith("make")]
    ours = [(number, command) for number, command in shown if _is_ours(command)]
    assert ours, "README.md shows no command: expected lines in a fence of the kind sh"

    for number, command in ours:
        instead = INSTEAD.get(command, command.removeprefix(".venv/bin/"))
        assert command in INSTEAD or not command.startswith("make"), f"line {number}: what to run for {command!r}?"
        done = _run(instead, copy)
        assert done.returncode == 0, f"line {number}: {instead!r} ended with {done.returncode}:\n{done.stdout}"


def test_the_game_shown_in_the_readme_is_what_its_command_prints(copy: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    command = re.search(r"\(`(dalej play [^`]+)`\)", text)
    shown = re.search(r"```text\n(    time .*?)```", text, re.DOTALL)
    assert command is not None
    assert shown is not None

    printed = _run(command[1], copy).stdout.splitlines()

    assert [line for line in shown[1].splitlines() if line not in printed] == []


def _is_ours(command: str) -> bool:
    return command.split()[0] in {"make", "dalej", ".venv/bin/dalej"}


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a shell makes of the line, with this environment's programs first and no terminal."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": programs, "LANGUAGE": "en"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
        timeout=100,
    )
