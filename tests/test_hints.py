"""A sentence carries the step that it means; how that is typed only the command line says, as a hint."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file

from dalej.cli.program import run
from dalej.errors import DalejError, Refused, WrongInput
from dalej.words import advised, said
from tools.words import KEYWORDS, SOURCE

COMMAND = re.compile(r"\bdalej [a-z]+|(^|[^\w-])--[a-z]")


def sentences(file: Path) -> Iterator[str]:
    """What the catalogues have from there, hints too."""
    for line, found, _comments, _context in extract_from_file("python", file, keywords=KEYWORDS):
        for text in (found,) if isinstance(found, str) else found:
            yield f"{file.relative_to(SOURCE)}:{line}: {text}"


def test_no_sentence_that_is_made_below_the_command_line_names_a_command() -> None:
    files = [file for file in sorted(SOURCE.rglob("*.py")) if file.relative_to(SOURCE).parts[0] != "cli"]
    found = [sentence for file in files for sentence in sentences(file) if COMMAND.search(sentence)]

    assert len(files) > 100
    assert found == []


@pytest.mark.parametrize("names", ["pair it: dalej box pair PORT", "expected --overwrite", "“--links 3” says so"])
def test_one_that_does_is_found(tmp_path: Path, names: str) -> None:
    assert COMMAND.search(names)


@pytest.mark.parametrize("names", ["press Dalej", "Dalej is pressed", "dalej", "well-being - and so on", "-- nothing"])
def test_the_button_and_a_dash_are_no_commands(names: str) -> None:
    assert COMMAND.search(names) is None


def test_a_hint_is_said_at_the_command_line_and_nowhere_else(capsys: pytest.CaptureFixture[str]) -> None:
    error = Refused("{round} is not seated yet", round="round 2").hinted("dalej {what} seats it", what="seat draw")

    def refuse() -> None:
        raise error

    assert str(error) == said(error) == "round 2 is not seated yet"
    assert advised(error) == "round 2 is not seated yet; dalej seat draw seats it"
    assert run(refuse) == 1
    assert capsys.readouterr().err == "round 2 is not seated yet; dalej seat draw seats it\n"


def test_a_hint_of_an_error_within_an_error_is_said_with_the_whole_sentence() -> None:
    inner = Refused("there is no secret").hinted("{command} makes one", command="dalej box pair")
    error = DalejError("table {table} cannot be served: {problem}", table=3, problem=inner)

    assert advised(error) == "table 3 cannot be served: there is no secret; dalej box pair makes one"


def test_a_hint_changes_neither_the_kind_of_an_error_nor_one_without_it() -> None:
    assert isinstance(WrongInput("no").hinted("--help tells more"), WrongInput)
    assert advised(WrongInput("no")) == "no"


def copied(source: str) -> Iterator[tuple[str, str]]:
    """Templates and the fields of them that are filled with `command_line(…)`, which is not quoted."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call):
            fields = [
                one.arg
                for one in call.keywords
                if one.arg and isinstance(one.value, ast.Call) and ast.unparse(one.value.func) == "command_line"
            ]
            texts = [one for one in ast.walk(call) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            templates = [str(one.value) for one in texts if fields and f"{{{fields[0]}}}" in str(one.value)]
            yield from ((template, field) for template in templates for field in fields)


def test_a_command_that_is_not_quoted_stands_behind_a_colon() -> None:
    """So that it can be copied; within a sentence `named(…)` puts the reader's quotation marks around it."""
    files = sorted((SOURCE / "cli").glob("*.py"))
    found = [told for file in files for told in copied(file.read_text(encoding="utf-8"))]

    assert len(found) > 5
    assert [template for template, field in found if f": {{{field}}}" not in template] == []


def test_one_within_a_sentence_is_found() -> None:
    assert list(copied('_("{command} does it").format(command=command_line("run"))')) == [
        ("{command} does it", "command")
    ]
