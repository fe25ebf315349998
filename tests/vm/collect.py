"""Turns every `test_*` function of tests/core into a second test that runs in MicroPython: `test_x[micropython]`.

A file's tests share one machine: it starts when the first of them is due, and runs those that were selected.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import pytest

from tests.vm import machine

CORE = machine.ROOT / "tests" / "core"
VECTORS = machine.ROOT / "tests" / "vectors"
SECONDS = 600  # for all of a file
SILENT = 90  # for one of its tests: they say when they begin and end
MARK = "\x02"  # begins a line of the report; a test may print anything else

HARNESS = f"""
import sys

def _attempt(name):
    global tested
    print("{MARK}begun", name)
    try:
        if name == "import":
            tested = __import__(MODULE)
        else:
            getattr(tested, name)()
        print("{MARK}passed", name)
    except Exception as error:
        print("{MARK}failed", name)
        sys.print_exception(error)
        print("{MARK}end", name)
"""


class MicroPythonError(Exception):
    """A test failed in the machine; the message is what MicroPython says about it."""


class CoreFile(pytest.File):
    """One file of tests/core, seen by MicroPython."""

    def collect(self) -> Iterator[CoreTest]:
        try:
            tree = ast.parse(self.path.read_bytes())
        except SyntaxError:
            return  # the plain collection of the same file says it better
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield CoreTest.from_parent(self, name=f"{node.name}[micropython]", called=node.name, line=node.lineno)

    @cached_property
    def failures(self) -> dict[str, str]:
        """What went wrong, by the test's name, with one run of the machine."""
        due = [item.called for item in self.session.items if isinstance(item, CoreTest) and item.parent is self]
        steps = [HARNESS, f"MODULE = {self.path.stem!r}", *(f"_attempt({name!r})" for name in ("import", *due))]
        stopped = ""
        try:
            output = machine.run(steps, _present(CORE, VECTORS), path=[CORE], seconds=SECONDS, silent=SILENT)
        except machine.MachineError as error:
            stopped, output = str(error), error.output
        return failures(output, due, stopped)


class CoreTest(pytest.Item):
    """One function of a core file, run by MicroPython."""

    parent: CoreFile

    def __init__(self, *, called: str, line: int, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type]  # from_parent's own arguments, handed on unseen
        self.called = called
        self.line = line
        self.add_marker(pytest.mark.long(SECONDS))  # the first of them waits for all

    def runtest(self) -> None:
        if failure := self.parent.failures.get(self.called):
            raise MicroPythonError(failure)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        if isinstance(excinfo.value, MicroPythonError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style))  # type: ignore[arg-type]  # pytest does not export the type

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line - 1, self.name


def failures(output: str, due: Sequence[str], stopped: str) -> dict[str, str]:
    """Reads the harness's report: for every test of `due` that did not pass, what to show."""
    ended: dict[str, str] = {}
    begun = printed = ""
    for line in output.splitlines(keepends=True):
        word, _, name = line.strip().partition(" ")
        if word == f"{MARK}begun":
            begun, printed = name, ""
        elif word == f"{MARK}passed":
            ended[name] = begun = ""
        elif word == f"{MARK}end":
            ended[name], begun = _with_source(printed), ""
        elif word != f"{MARK}failed":
            printed += line
    if begun:
        ended[begun] = f"{printed}{stopped}"
    if broken := ended.get("import"):
        return dict.fromkeys(due, broken)
    missing = f"not run, MicroPython had ended before: {stopped or 'no reason given'}"
    return {name: ended.get(name, missing) for name in due if ended.get(name, missing)}


def _with_source(traceback: str) -> str:
    """The traceback with the source line under each place in it, as CPython prints it."""
    shown = []
    for line in traceback.splitlines():
        shown.append(line)
        if place := re.match(r'  File "/(.+)", line (\d+)', line):
            lines = (machine.ROOT / place[1]).read_text(encoding="utf-8").splitlines()
            shown.append(f"    {lines[int(place[2]) - 1].strip()}")
    return "\n".join(shown)


def _present(*folders: Path) -> list[Path]:
    return [folder for folder in folders if folder.is_dir()]
