"""The program as a person runs it, in this process."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dalej.cli import main
from tests.cli.following import Typist, typing
from tests.cli.paper_events import write
from tests.office.paper.events import eliminations


@dataclass(frozen=True, slots=True)
class Done:
    """What a run printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def facts(self) -> list[dict[str, Any]]:
        return [line for line in self.objects if "fact" in line]

    @property
    def rulings(self) -> list[dict[str, Any]]:
        return [line for line in self.objects if "ruling" in line]

    def named(self, fact: str) -> list[dict[str, Any]]:
        """All facts of one name."""
        return [line for line in self.facts if line["fact"] == fact]


Program = Callable[..., Done]


def program(capsys: pytest.CaptureFixture[str]) -> Program:
    """`dalej` in this process: what it is given, what it printed."""

    def run(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = capsys.readouterr()
        return Done(int(ended.value.code or 0), printed.out, printed.err)

    return run


@pytest.fixture
def dalej(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    """`dalej("play", …)`, in English, in an empty folder, begun by its name however the tests were."""
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setattr(sys, "argv", ["dalej"])
    monkeypatch.chdir(tmp_path)
    return program(capsys)


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    """Writes a script and gives its path."""

    def write(text: str) -> str:
        path = tmp_path / "game.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def cup(tmp_path: Path) -> str:
    """cup.dalej: eliminations of sixteen, in which everything has been played."""
    return write(tmp_path / "cup.dalej", eliminations()).name


@pytest.fixture
def typist(dalej: Program, request: pytest.FixtureRequest) -> Iterator[Typist]:
    """Types what hints say; all those that the test is marked to follow."""
    mark = request.node.get_closest_marker("follows")
    with typing(dalej, () if mark is None else mark.args) as made:
        yield made
