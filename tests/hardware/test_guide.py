"""The build guide says the same in both languages, and it is so: parts, pins, pieces, commands, pictures."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from dalej import cli
from hardware import bom
from hardware.circuit.netlist import netlist, quantities
from hardware.drawing import PICTURES
from hardware.enclosure import printed
from tests.documents import ROOT, make_targets
from tests.hardware.guide import (
    FOLDER,
    GUIDES,
    LANGUAGES,
    README,
    codes,
    differences,
    fences,
    numbers,
    pictures,
    sections,
    table,
)

PAGES: Final = (*(FOLDER / f"{language}.md" for language in LANGUAGES), README)
PLACEHOLDER: Final = {"PORT": "/dev/ttyUSB0", "FILE.pdf": "cards.pdf"}


# --- two languages -----


def test_both_languages_have_the_same_sections_pictures_commands_and_numbers() -> None:
    assert not differences(GUIDES["en"], GUIDES["pl"])


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        ("4.9 to 5.2 V", "4.8 to 5.2 V"),
        ("dalej box rename 1 13", "dalej box rename 1 14"),
        ("step-ring.svg", "step-tray.svg"),
        ("### 2. Displays", "#### 2. Displays"),
        ("\n- **Cleaning**", "\n**Cleaning**"),
    ],
)
def test_a_language_that_says_something_else_is_found(what: str, instead: str) -> None:
    assert what in GUIDES["en"]
    assert differences(GUIDES["en"], GUIDES["en"].replace(what, instead))


def test_decimals_are_the_same_number_in_both_languages() -> None:
    assert numbers("4.7 kΩ at 10 V") == numbers("4,7 kΩ przy 10 V")
    assert numbers("see [1](../a2.md)") == numbers("1")


# --- pictures -----


def missing(text: str) -> set[str]:
    """Pictures of a page that hardware/pictures does not hold; what it holds, the command draws (test_pictures.py)."""
    return set(pictures(text)) - {file.stem for file in PICTURES.glob("*.svg")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_picture_is_one_that_the_command_draws(page: Path) -> None:
    assert not missing(page.read_text(encoding="utf-8"))


def test_a_picture_that_nobody_draws_is_found() -> None:
    assert missing(GUIDES["en"].replace("step-ring.svg", "step-king.svg")) == {"step-king"}


def test_the_guide_shows_pictures_of_every_kind() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", GUIDES["en"])

    assert len(shown) == len(set(shown)) >= 10
    assert all("![" in section.text for section in sections(GUIDES["en"]) if section.title.startswith(("6", "7", "8")))


# --- parts and pieces -----


def wrong_parts(rows: list[list[str]]) -> list[str]:
    """Rows of the table of parts whose counts are not those of the circuit or the enclosure."""
    wrong = []
    for column, build in ((2, "full"), (3, "small")):
        needed = bom.needed(build, "esp32")
        for row in rows:
            (kind,) = codes(row[1])
            if needed[kind] != int(row[column]):
                wrong.append(f"{kind}: {needed[kind]} in a {build} box")
    return wrong


@pytest.mark.parametrize(("language", "title"), [("en", "Parts"), ("pl", "Części")])
def test_the_parts_are_those_of_circuit_and_enclosure(language: str, title: str) -> None:
    rows = table(GUIDES[language], title)

    assert not wrong_parts(rows)
    listed = {codes(row[1])[0] for row in rows}
    assert set(quantities(netlist("full", "esp32"))) <= listed


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_parts_are_those_of_the_list(language: str) -> None:
    listed = bom.rows()
    for row in table(GUIDES[language], {"en": "Parts", "pl": "Części"}[language]):
        (kind,) = codes(row[1])
        assert {(one.full, one.small) for one in listed if one.kind == kind} == {(int(row[2]), int(row[3]))}


def test_a_part_that_is_counted_wrongly_is_found() -> None:
    rows = table(GUIDES["en"], "Parts")
    assert wrong_parts([[*row[:2], "5", row[3]] if "`pixel`" in row[1] else row for row in rows]) == [
        "pixel: 9 in a full box"
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pieces_are_those_that_are_printed(language: str) -> None:
    rows = table(GUIDES[language], "6.")
    for column, build in ((1, "full"), (2, "small")):
        told = {codes(row[0])[0]: int(row[column]) for row in rows if len(codes(row[0])) == 1 and int(row[column])}
        for row in rows:
            if len(codes(row[0])) > 1:
                assert int(row[column]) == len(codes(row[0]))
                told |= dict.fromkeys(codes(row[0]), 1)
        assert told == printed(build)


# --- commands -----


def resolved(line: str) -> None:
    """Parse a `dalej` command without running it; click.UsageError if there is no such command or option."""
    words = [PLACEHOLDER.get(word, word) for word in shlex.split(line)]
    command: click.Command = cli.app()
    name, *rest = words
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        context = click.Context(command, info_name=name)
        _name, found, rest = command.resolve_command(context, rest)
        if found is None:
            raise click.UsageError(line)
        command, name = found, f"{name} {_name}"
    if rest:
        command.make_context(name, list(rest))


def commands(text: str) -> Iterator[str]:
    """Every `dalej …` of a page, in a fence or in a sentence."""
    for fence in fences(text, "sh"):
        yield from (line for line in fence.splitlines() if line.startswith("dalej "))
    for fence in codes(text):
        if fence.startswith("dalej "):
            yield fence


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_every_command_is_one(page: Path) -> None:
    typed = list(commands(page.read_text(encoding="utf-8")))

    assert len(typed) > 3
    for line in typed:
        resolved(line)


@pytest.mark.parametrize("line", ["dalej box tset PORT", "dalej box test PORT --minutes 3", "dalej box rename 1"])
def test_a_command_that_does_not_exist_is_found(line: str) -> None:
    with pytest.raises(click.UsageError):
        resolved(line)


def test_make_targets_exist() -> None:
    typed = {line for fence in fences(GUIDES["en"], "sh") for line in fence.splitlines() if line.startswith("make ")}
    assert typed
    assert {line.split()[1] for line in typed} <= make_targets()
    options = {option for line in typed for option in re.findall(r"--[a-z-]+", line)}
    assert options
    assert options <= set(re.findall(r'"(--[a-z-]+)"', (ROOT / "hardware" / "__main__.py").read_text(encoding="utf-8")))
