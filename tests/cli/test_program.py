"""The program as a whole: its list of commands is complete, and a command costs no more than it needs."""

from __future__ import annotations

import json
import subprocess
import sys

import click
import pytest

from dalej import cli
from dalej.cli.program import PARTS
from tests.cli.conftest import Program

HEAVY = ("asyncio", "babel", "jinja2", "textual", "typst", "xlsxwriter", "dalej.simulated", "dalej.link", "dalej.live")
DEVICES = ("bleak", "cryptography", "keyring", "littlefs", "serial", "textual")
LOADED = """
import json, sys
from dalej.cli import app
for name in sys.argv[1:]:
    app().commands[name]
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("name", PARTS)
def test_the_list_says_of_a_command_what_its_own_help_begins_with(name: str) -> None:
    command = cli.app().commands[name]

    assert command.name == name
    assert _beginning(command) == _beginning(click.Command(name, help=PARTS[name].says))
    assert command.help is not None
    assert command.help.startswith(PARTS[name].says)


@pytest.mark.parametrize("language", ["en", "pl", "it"])
def test_the_list_names_every_command_once_in_every_language(dalej: Program, language: str) -> None:
    lines = dalej("--lang", language, "--help").out.splitlines()

    assert [line.split()[0] for line in lines if line.strip() and line.split()[0] in PARTS] == sorted(PARTS)


def test_a_command_that_does_not_exist_is_wrong_usage_and_a_near_one_is_named(dalej: Program) -> None:
    done = dalej("standing")

    assert done.code == 2
    assert "standings" in done.err


def test_the_list_of_commands_imports_none_of_them() -> None:
    loaded = _loaded()

    assert not [module for module in loaded if module.startswith(("dalej.domain", "dalej.ledger", "dalej.office"))]
    assert not _heavy(loaded)


@pytest.mark.parametrize("name", ["standings", "event", "players", "seat", "advance", "undo"])
def test_an_office_command_loads_neither_hall_nor_printing_press(name: str) -> None:
    assert not _heavy(_loaded(name))


@pytest.mark.parametrize("name", ["demo", "event", "log", "players", "results", "round", "screen"])
def test_a_command_loads_no_library_of_a_device_before_it_runs(name: str) -> None:
    """`run`, `capacity`, `latency` and `box` talk to devices, and so may they."""
    assert not {module.partition(".")[0] for module in _loaded(name)} & set(DEVICES)


def _loaded(*names: str) -> list[str]:
    """Modules that a new process has after these commands were looked up."""
    done = subprocess.run([sys.executable, "-c", LOADED, *names], capture_output=True, check=True, text=True)
    modules: list[str] = json.loads(done.stdout)
    return modules


def _heavy(modules: list[str]) -> list[str]:
    return [module for module in modules if module in HEAVY or module.startswith(tuple(f"{one}." for one in HEAVY))]


def _beginning(command: click.Command) -> str:
    return command.get_short_help_str(limit=10_000)


def test_whoever_reads_only_the_beginning_has_read_enough() -> None:
    command = [sys.executable, "-c", "from dalej.cli.program import main; main()", "rules", "show", "school-league"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as shown:
        assert shown.stdout is not None
        assert shown.stderr is not None
        shown.stdout.read(1)
        shown.stdout.close()
        complaints = shown.stderr.read()
    assert (shown.returncode, complaints) == (0, b"")
