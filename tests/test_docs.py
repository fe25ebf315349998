"""What is written down is true: links lead somewhere, every command explains itself, every word has its translation."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement

from dalej import cli, words
from tests.documents import ROOT, anchors, commands, documents, links, make_targets
from tools import words as catalogues


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"])
def test_the_repository_introduces_itself(name: str) -> None:
    assert (ROOT / name).is_file(), f"{name} is missing"


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    dead = [f"line {number}: {target}" for number, target in links(document) if not _leads(document, target)]

    assert not dead


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.relative_to(ROOT).as_posix())
def test_documents_name_only_make_targets_that_exist(document: Path) -> None:
    named = {command.split()[1] for _, command in commands(document) if re.match(r"make [a-z]", command)}

    assert named <= make_targets()


def test_no_patch_of_another_project_lies_here_and_no_document_builds_one() -> None:
    made = {"dist", "run"}  # by commands
    here = [one for one in ROOT.iterdir() if one.is_dir() and not one.name.startswith(".") and one.name not in made]
    files = [file for folder in here for file in folder.rglob("*") if "node_modules" not in file.parts]
    assert [file for file in files if file.suffix in (".patch", ".diff")] == []

    built = re.compile(r"git (apply|am)\b|patch -|make -C|cmake\b|\./configure\b")
    said = [line for document in documents() for line in document.read_text(encoding="utf-8").splitlines()]
    assert [line for line in said if built.search(line)] == []


def test_every_command_has_help_with_an_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    words.speak()

    silent = [path for path, command in _commands(cli.app(), "dalej") if not _examples(path, command)]

    assert not silent


def test_examples_in_help_use_options_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    words.speak()

    unknown = [
        f"{path}: {option}"
        for path, command in _commands(cli.app(), "dalej")
        for example in _examples(path, command)
        for option in re.findall(r"(?<=\s)--[a-z-]+", example)
        if option not in {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    ]

    assert not unknown


def test_the_catalogues_are_complete() -> None:
    collected = catalogues.collected()
    wrong = [problem for language in catalogues.NAMES for problem in catalogues.problems(language, collected)]

    assert not wrong, "\n".join(wrong)


def test_english_is_what_the_source_says_and_its_catalogue_a_header() -> None:
    """Without that, who reads English before Polish would be given Polish."""
    messages = [message for message in catalogues.read(catalogues.ORIGINAL) if message.id]

    assert messages == []
    assert catalogues.po_file(catalogues.ORIGINAL).read_text(encoding="utf-8").count("\n") < 12


def test_no_message_hides_in_an_f_string_where_it_would_not_be_collected() -> None:
    hidden = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in sorted((ROOT / "host").rglob("*.py"))
        for text in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for node in ast.walk(text)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "N_", "ngettext"}
        if isinstance(node.args[0], ast.Constant)
    ]

    assert not hidden


def test_every_language_offered_has_a_catalogue() -> None:
    assert set(words.LANGUAGES) == set(catalogues.NAMES)


@pytest.mark.parametrize(
    "lock",
    [
        "requirements.lock",
        "hardware/requirements.lock",
        "proof/requirements.lock",
        "windows/requirements.lock",
        "tests/vm/package-lock.json",
    ],
)
def test_locks_hold_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")

    assert "sha256:" in text or "sha512-" in text
    assert "://" not in text


@pytest.mark.parametrize(
    ("lock", "group"),
    [
        ("requirements.lock", "dev"),
        ("hardware/requirements.lock", "hardware"),
        ("proof/requirements.lock", "proof"),
    ],
)
def test_the_lock_covers_what_is_asked_for(lock: str, group: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked: list[str] = project["dependency-groups"][group]
    if group == "dev":
        asked = [*asked, *project["project"]["dependencies"], *project["build-system"]["requires"]]
    locked = _locked(lock)

    missing = [line for line in asked if not _met(Requirement(line), locked)]

    assert not missing, f"run `make lock`: {missing}"


def test_a_windows_laptop_gets_the_versions_that_are_tested_here() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tested, locked = (_locked(lock) for lock in ("requirements.lock", "windows/requirements.lock"))
    asked = [*project["dependencies"], *project["optional-dependencies"]["box"]]

    assert not [line for line in asked if not _met(Requirement(line), locked)], "run `make lock`"
    assert {name: tested.get(name) for name in locked} == locked
    assert "winrt-runtime" in locked  # by which bleak reaches Bluetooth there
    assert "dbus-fast" not in locked


def test_nothing_says_to_fetch_dalej_from_an_index_where_that_name_is_a_strangers() -> None:
    bare = re.compile(r"\b(?:pipx?|uvx?)\b[^\n`]*\s['\"]?dalej(?:\[\w+\])?['\"]?(?![\w./-])")
    assert bare.search("python -m pip install 'dalej[box]'")
    sources = [*(ROOT / "host").rglob("*.py"), *(ROOT / "host").rglob("*.po"), *(ROOT / "windows").glob("*.*")]

    said = [
        f"{file.relative_to(ROOT)}: {line}"
        for file in [*documents(), *sources]
        for line in file.read_text(encoding="utf-8").splitlines()
        if bare.search(line)
    ]
    assert not said


def _locked(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))


def _met(requirement: Requirement, locked: dict[str, str]) -> bool:
    version = locked.get(requirement.name)
    return version is not None and requirement.specifier.contains(version)


def _leads(document: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    there = document.parent / path if path else document
    return there.exists() and (not anchor or there.suffix != ".md" or anchor in anchors(there))


def _commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Every command of the tree that does something itself, with the words that call it."""
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            yield from _commands(command.commands[name], f"{path} {name}")
    else:
        yield path, command


def _examples(path: str, command: click.Command) -> list[str]:
    """The example lines in a command's help: after the word Example, the lines that call it."""
    shown = command.get_help(click.Context(command, info_name=path, terminal_width=200))
    _, _, examples = shown.partition("Example")
    return [line.strip() for line in examples.splitlines() if line.strip().startswith(path)]
