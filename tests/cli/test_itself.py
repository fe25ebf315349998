"""Commands that the program tells people to type."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from dalej.cli import terminal
from dalej.cli.terminal import command_line


@pytest.fixture
def on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only `dalej` that a shell finds."""
    program = tmp_path / "found" / ("dalej.exe" if os.name == "nt" else "dalej")
    program.parent.mkdir()
    program.write_bytes(b"")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    return program


def started(monkeypatch: pytest.MonkeyPatch, program: str, python: str = "python") -> list[str]:
    """The words of a command that a program says which was started like this."""
    monkeypatch.setattr(sys, "argv", [program])
    monkeypatch.setattr(sys, "orig_argv", [python, program])
    monkeypatch.setattr(terminal, "POSIX", True)
    return shlex.split(command_line("screen", "an event.dalej"))


@pytest.mark.usefixtures("on_the_path")
def test_a_program_that_was_started_by_its_path_says_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    assert started(monkeypatch, ".venv/bin/dalej") == [".venv/bin/dalej", "screen", "an event.dalej"]


def test_a_program_that_a_shell_finds_by_its_name_says_its_name(
    on_the_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert started(monkeypatch, str(on_the_path))[0] == "dalej"
    assert started(monkeypatch, "dalej")[0] == "dalej"


def test_a_module_that_was_run_says_by_which_python(monkeypatch: pytest.MonkeyPatch) -> None:
    words = started(monkeypatch, "/somewhere/dalej/__main__.py", ".venv/bin/python")

    assert words == [".venv/bin/python", "-m", "dalej", "screen", "an event.dalej"]


def test_another_program_that_calls_it_says_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert started(monkeypatch, "/usr/bin/pytest")[0] == "dalej"


def test_on_windows_a_path_with_blanks_is_quoted_as_windows_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["dalej"])
    monkeypatch.setattr(terminal, "POSIX", False)

    assert command_line("screen", "an event.dalej") == 'dalej screen "an event.dalej"'
