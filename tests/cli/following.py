"""Hints as commands that somebody types: where each is made, which were said, which were typed as they were said."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pytest

from dalej import hints
from dalej.cli import resultdialogue, results, terminal
from dalej.errors import Command
from dalej.hints import TO_FILL_IN

SOURCE: Final = Path(hints.__file__).parent
MAKERS: Final = frozenset({"typed", "once_more", "correcting", "undoing"})
_VERBS: Final = (
    "asks|begins|brings|changes|closes|corrects|decides|does|do|excludes|gives|goes|lets|lists|makes|passes|puts|reads|records|rules|says|seats|"
    "settles|shows|takes|tells|writes"
)
_HANDS: Final = (terminal, results, resultdialogue)  # that write a command down as it is typed here

if TYPE_CHECKING:
    from tests.cli.conftest import Done, Program

Test = TypeVar("Test", bound=Callable[..., Any])


def follows(*places: str) -> Callable[[Test], Test]:
    """Marks a test that types what the hints of these places say, such as "office/rounds.py _expect_complete"."""
    return pytest.mark.follows(*places)


def places_followed() -> set[str]:
    """Every place that a test beside this one is marked with and that has a typist to type what it says."""
    trees = [ast.parse(file.read_text("utf-8")) for file in Path(__file__).parent.glob("test_*.py")]
    tests = [one for tree in trees for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    return {
        str(word.value)
        for one in tests if "typist" in [arg.arg for arg in one.args.args]
        for mark in one.decorator_list if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name)
        for word in mark.args if mark.func.id == follows.__name__ and isinstance(word, ast.Constant)
    }  # fmt: skip


def places_of_hints() -> set[str]:
    """Every function that makes a hint's command, by its file; "" where it is made with the module."""
    found = set()
    for file in sorted(SOURCE.rglob("*.py")):
        if file != Path(hints.__file__):
            found |= {
                f"{file.relative_to(SOURCE).as_posix()} {name}" for name in _makers(ast.parse(file.read_text("utf-8")))
            }
    return found


def _makers(tree: ast.Module) -> set[str]:
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) and one.module == "dalej.hints"]
    imported = {name.asname or name.name for one in imports for name in one.names} & MAKERS
    found: set[str] = set()

    def look(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = child.name if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else name
            if isinstance(child, ast.Call) and _is_maker(child.func, imported):
                found.add(inner)
            look(child, inner)

    look(tree, "")
    return found


def _is_maker(called: ast.expr, imported: set[str]) -> bool:
    if isinstance(called, ast.Attribute):
        return isinstance(called.value, ast.Name) and called.value.id == "hints" and called.attr in MAKERS
    return isinstance(called, ast.Name) and called.id in imported


class Typist:
    """Reads what was printed and types it."""

    def __init__(self, dalej: Program) -> None:
        self._dalej = dalej
        self.said: list[tuple[str, re.Pattern[str]]] = []  # the place of a hint, and how its command may be typed
        self.followed: set[str] = set()

    def refused(self, *words: str) -> list[str]:
        """The commands that the refusal names, as they stand there."""
        done = self._dalej(*words)
        assert (done.code, done.err.count("\n")) == (1, 1), done
        return self.named(done.err)

    def named(self, text: str) -> list[str]:
        return re.findall(rf"dalej .+?(?=, then |, the best|; to open| and dalej | (?:{_VERBS})\b|,? ?$)", text.strip())

    def types(self, command: str, *more: str, **instead: str) -> Done:
        """`instead`: what a person writes in place of a word such as TABLE."""
        words = [instead.get(word, word) for word in shlex.split(command)]
        assert words[0] == "dalej"
        done = self._dalej(*words[1:], *more)
        assert done.code == 0, done
        typed = shlex.join(words)
        self.followed |= {place for place, way in self.said if way.match(typed)}
        return done


@contextmanager
def typing(dalej: Program, wanted: Collection[str]) -> Iterator[Typist]:
    """Somebody who has typed, at the end, what the hints of every `wanted` place say."""
    made = Typist(dalej)
    where: dict[int, tuple[Command, str]] = {}

    def made_somewhere(words: tuple[str, ...], again: bool = False) -> Command:
        one = Command(words, again)
        where[id(one)] = one, _place()
        return one

    def hand(writes: Callable[[Command, str], str]) -> Callable[[Command, str], str]:
        def written(command: Command, event: str) -> str:
            text = writes(command, event)
            if id(command) in where:
                made.said.append((where[id(command)][1], _ways(text)))
            return text

        return written

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hints, "Command", made_somewhere)
        for one in _HANDS:
            patch.setattr(one, "typed_here", hand(one.typed_here))
        yield made
    lacking = {*wanted} - made.followed
    assert not lacking, f"nobody has typed what these say: {lacking}; what was: {made.followed}"


def _place() -> str:
    """Of whoever makes a command just now."""
    frame = sys._getframe(2)
    while frame.f_back is not None and (
        frame.f_code.co_filename == hints.__file__ or frame.f_code.co_name in ("<genexpr>", "<listcomp>")
    ):
        frame = frame.f_back
    name = "" if frame.f_code.co_name == "<module>" else frame.f_code.co_name
    return f"{Path(frame.f_code.co_filename).relative_to(SOURCE).as_posix()} {name}"


def _ways(text: str) -> re.Pattern[str]:
    """The command with anything in place of the words that a person fills in, and anything behind it."""
    filled = "|".join(sorted(TO_FILL_IN))
    return re.compile(re.sub(rf"\b({filled})\b", ".+", re.escape(shlex.join(shlex.split(text)))))
