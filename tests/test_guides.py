"""The pages that run a whole tournament from the command line: every command on them is run, in its order."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT, commands

GUIDES = {"league.md": "league.dalej", "elimination.md": "cup.dalej"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pages say the commands are typed, as far as they need it."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.mark.parametrize("page", GUIDES)
def test_a_tournament_runs_from_registration_to_its_end_as_the_page_says(page: str, folder: Path) -> None:
    """The issue's own words: from registration to final form from the command line alone."""
    env = _env()
    for number, command in commands(ROOT / "docs" / page):
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            env[name] = value
            continue
        done = _run(command, folder, env)
        assert done.returncode == 0, f"{page}, line {number}: {command!r} ended with {done.returncode}:\n{done.stdout}"

    shown = json.loads(_run(f"dalej event show {GUIDES[page]} --json", folder, env).stdout)
    assert shown["over"] is True
    forms = list(folder.glob("*-form.pdf"))
    assert [form.read_bytes()[:5] for form in forms] == [b"%PDF-"]


def test_every_page_that_shows_commands_is_run() -> None:
    shown = {page.name for page in (ROOT / "docs").glob("*.md") if any(True for _ in commands(page))}

    assert shown == {*GUIDES, "boxes.md"}  # which tests/whole/test_box_pages.py runs, at a board


def _env() -> dict[str, str]:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": programs, "LANGUAGE": "en", "PYTHONIOENCODING": "utf-8"}


def _run(command: str, folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, shell=True, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False, encoding="utf-8", timeout=120,
    )  # fmt: skip
