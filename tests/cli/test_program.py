"""The program as a whole: its list of commands is complete, and a command costs no more than it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import click
import pytest

from dalej import cli, words
from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.cli.program import BEGINNING, GROUPS, HELP, PARTS
from dalej.cli.terminal import json_text
from moveclock.box import FIRMWARE
from moveclock.wire import PROTOCOL
from tests.cli.conftest import Program
from tests.processes import bounded

HEAVY = (
    "asyncio",
    "babel",
    "jinja2",
    "textual",
    "typst",
    "xlsxwriter",
    "dalej.simulator",
    "dalej.link",
    "dalej.desk.feed",
)
FULL = Path("/dev/full")
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
    _usage, _says, *lists = dalej("--lang", language, "--help").out.split("\n\n")

    lines = [line for part in lists for line in part.splitlines()]
    names = [line.split()[0] for line in lines if line.startswith("  ") and line[2:3].strip()]
    assert sorted(name for name in names if name in PARTS) == sorted(PARTS)


def test_every_command_stands_in_exactly_one_group() -> None:
    assert sum(map(len, GROUPS.values())) == len(PARTS)


@pytest.mark.parametrize(("language", "first"), [("en", "Where to begin"), ("pl", "Od czego"), ("it", "Da dove")])
def test_the_help_begins_with_what_a_teacher_without_boxes_does_first(
    dalej: Program, language: str, first: str
) -> None:
    _usage, says, begin, tournament, *rest = dalej("--lang", language, "--help").out.split("\n\n")

    assert "Rummikub" in says
    assert begin.startswith(first)
    assert all(f"  dalej {words}" in begin for words in ("event new", "players import", "seat draw", "paper diplomas"))
    assert tournament.splitlines()[1].split()[0] == "event"
    assert rest[-1].split()[-3] in HELP


@pytest.mark.parametrize("line", BEGINNING)
def test_every_command_to_begin_with_exists_and_takes_what_is_written(line: str) -> None:
    _program, *arguments = line.split()
    command: click.Command = cli.app()
    while arguments and isinstance(command, click.Group):
        command = command.commands[arguments.pop(0)]

    command.make_context(command.name, arguments, resilient_parsing=True)


@pytest.mark.parametrize("language", ["en", "pl", "it"])
def test_no_list_cuts_what_a_command_does(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that ends in "..." makes everybody open the next page to know what it is."""
    monkeypatch.setenv("LANGUAGE", language)
    words.speak()
    groups = [cli.app()]
    for group in groups:  # it grows
        context = click.Context(group, info_name=group.name, terminal_width=80)
        cut = [line for line in group.get_help(context).splitlines()[1:] if line.endswith(("...", "…"))]
        assert not cut, group.name
        groups += [one for one in map(group.commands.get, group.commands) if isinstance(one, click.Group)]
    assert len(groups) > 10


def test_a_command_that_does_not_exist_is_wrong_usage_and_a_near_one_is_named(dalej: Program) -> None:
    done = dalej("stadings")

    assert done.code == 2
    assert "standings" in done.err


def test_the_first_three_letters_of_a_command_are_enough_where_no_other_begins_so(dalej: Program) -> None:
    assert dalej("sta", "--help").out == dalej("standings", "--help").out
    assert dalej("rou", "clos", "--help").out == dalej("round", "close", "--help").out
    for two_or_too_short in (("pla",), ("st",), ("event", "s"), ("round", "clo"), ("box", "res")):
        assert dalej(*two_or_too_short).code == 2


@pytest.mark.parametrize("word", sorted(HELP))
def test_help_as_a_word_is_the_help_of_the_program_or_of_the_command_behind_it(dalej: Program, word: str) -> None:
    assert dalej(word) == dalej("--help")
    assert dalej("--lang", "pl", word).out == dalej("--lang", "pl", "--help").out
    assert dalej(word, "round", "close").out == dalej("round", "close", "--help").out
    assert dalej(word, "nonsense").code == 2


def test_the_version_is_that_of_what_was_installed(dalej: Program) -> None:
    with (Path(__file__).parents[2] / "pyproject.toml").open("rb") as file:
        written = tomllib.load(file)["project"]["version"]

    done = dalej("--version")

    assert done.code == 0
    assert done.out == f"dalej {written} (firmware {FIRMWARE}, protocol {PROTOCOL})\n"
    assert dalej("--lang", "pl", "--version").out.startswith(f"dalej {written} (")
    assert "--version" in dalej("--help").out


def test_a_copy_that_nobody_installed_says_that_it_has_no_version(
    dalej: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", unknown)

    done = dalej("--version")

    assert (done.code, done.out) == (1, "")
    assert done.err == "this Dalej was copied and not installed, so it has no version: install it\n"


def test_the_list_of_commands_imports_none_of_them() -> None:
    loaded = _loaded()

    assert not [
        module for module in loaded if module.startswith(("dalej.domain", "dalej.event.ledger", "dalej.office"))
    ]
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
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *names], capture_output=True, check=True, text=True, timeout=60
    )
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
        with bounded(shown):
            shown.stdout.read(1)
        shown.stdout.close()
        with bounded(shown):
            complaints = shown.stderr.read()
    assert (shown.returncode, complaints) == (0, b"")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [("--help",), ("rules", "show", "school-league"), ("box", "list", "--json")])
def test_a_full_disk_is_one_sentence(tmp_path: Path, arguments: tuple[str, ...], unbuffered: str) -> None:
    OwnBoxes(tmp_path).keep(OwnBox("240ac4001207", "7", 0, 1))
    command = [sys.executable, "-m", "dalej", *arguments]
    surroundings = {
        **os.environ, "LANGUAGE": "en", "DALEJ_HOME": str(tmp_path), "PYTHONUNBUFFERED": unbuffered,
    }  # fmt: skip
    with FULL.open("wb") as full:
        done = subprocess.run(
            command,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=surroundings,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (1, "the output cannot be written: the disk is full\n")
        assert (
            subprocess.run(command, stdout=full, stderr=full, env=surroundings, check=False, timeout=60).returncode == 1
        )


def test_what_the_output_cannot_encode_is_escaped_and_json_stays_json(tmp_path: Path) -> None:
    OwnBoxes(tmp_path).keep(OwnBox("240ac4001207", "Źrebię 🦊", 0, 1))
    surroundings = {**os.environ, "LANGUAGE": "en", "DALEJ_HOME": str(tmp_path), "PYTHONIOENCODING": "cp1250"}

    def printed(*arguments: str) -> bytes:
        command = [sys.executable, "-m", "dalej", "box", "list", *arguments]
        done = subprocess.run(command, capture_output=True, env=surroundings, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    assert "Źrebię \\U0001f98a" in printed().decode("cp1250")
    assert json.loads(printed("--json"))["name"] == "Źrebię 🦊"


@pytest.mark.parametrize(
    ("encoding", "text", "written"),
    [
        ("utf-8", "Źrebię 🦊", '{"name": "Źrebię 🦊"}'), ("UTF8", "Źrebię", '{"name": "Źrebię"}'),
        (None, "Źrebię", '{"name": "Źrebię"}'), ("cp1250", "Ź", '{"name": "\\u0179"}'),
        ("utf-8", "\udcff", '{"name": "\\udcff"}'),
    ],
    ids=["utf-8", "another word for it", "no stream", "another encoding", "half a character"],
)  # fmt: skip
def test_json_is_readable_where_it_is_written_in_utf_8_and_ascii_elsewhere(
    encoding: str | None, text: str, written: str
) -> None:
    assert ascii(json_text({"name": text}, encoding)) == ascii(written)


@pytest.mark.parametrize(("shell", "word"), [("bash", "1"), ("zsh", "1"), ("fish", "pl")])
def test_a_shell_completes_commands_as_the_page_about_installing_says(shell: str, word: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from dalej.cli import main; sys.argv[0] = 'dalej'; main()"],
        env={**os.environ, "_DALEJ_COMPLETE": f"{shell}_complete", "COMP_WORDS": "dalej pl", "COMP_CWORD": word},
        capture_output=True, check=False, text=True, timeout=60,
    )  # fmt: skip

    assert f"{shell}_source" in (Path(__file__).parents[2] / "docs" / "install.md").read_text(encoding="utf-8")
    assert "players" in done.stdout
    assert "standings" not in done.stdout
