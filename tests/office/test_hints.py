"""What the office refuses is said on screens too: no sentence speaks of commands, and the command line adds its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dalej
from dalej.cli.program import run
from dalej.errors import Refused, WrongInput
from dalej.words import advised, said

SOURCE = Path(dalej.__file__).parent
ELSEWHERE = ("spreadsheets.py", "performer.py")  # files are read by commands alone; what only a web server can do
COMMAND = re.compile(r"\bdalej [a-z]+|(^|[ (`])--[a-z]|--[a-z]+ [A-Z]+")


def sentences(file: Path) -> Iterator[tuple[int, str]]:
    """What is marked for translation and is no hint, with its line."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    hints = {
        id(inner) for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "hinted"
        for argument in call.args for inner in ast.walk(argument)
    }  # fmt: skip
    for call in calls:
        marks = isinstance(call.func, ast.Name) and call.func.id in ("_", "N_", "ngettext")
        if marks and id(call) not in hints:
            for argument in call.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield call.lineno, argument.value


@pytest.mark.parametrize("package", ["event", "office", "office/acts", "views", "desk/feed"])
def test_no_sentence_that_a_screen_may_show_speaks_of_the_command_line(package: str) -> None:
    found = [
        f"{file.name}:{line}: {text}"
        for file in sorted((SOURCE / package).glob("*.py")) if file.name not in ELSEWHERE
        for line, text in sentences(file) if COMMAND.search(text)
    ]  # fmt: skip
    assert found == []


def test_a_hint_is_said_at_the_command_line_and_nowhere_else(capsys: pytest.CaptureFixture[str]) -> None:
    error = Refused("{round} is not seated yet", round="round 2").hinted("dalej {what} seats it", what="seat draw")

    def refuse() -> None:
        raise error

    assert str(error) == said(error) == "round 2 is not seated yet"
    assert advised(error) == "round 2 is not seated yet; dalej seat draw seats it"
    assert run(refuse) == 1
    assert capsys.readouterr().err == "round 2 is not seated yet; dalej seat draw seats it\n"


def test_a_hint_changes_neither_the_kind_of_an_error_nor_one_without_it() -> None:
    assert isinstance(WrongInput("no").hinted("--help tells more"), WrongInput)
    assert advised(WrongInput("no")) == "no"
