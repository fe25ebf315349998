"""tests/core as a program on what goes on a board, and in the page: compiled, and without the names of constants."""

from __future__ import annotations

import ast
import functools
import importlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.boxes.firmware.compiling import compile_firmware, modules
from dalej.boxes.firmware.constants import inlined
from tests.vm import machine
from tests.vm.collect import CORE, HARNESS, VECTORS
from tools.firmware import FIRMWARE

PLAYED: Final = ("test_box", "test_clock_vectors", "test_journal", "test_journal_room", "test_secure", "test_wire")
LONG: Final = (
    "at_any_call",
    "power_lost_again",
    "write_that_fails",
    "whatever_comes_in",
    "later_seq",
    "kept_from_being",
)

COMPILED: Final = """
for name in sys.modules:
    if name.startswith("moveclock"):
        assert sys.modules[name].__file__.endswith(".mpy"), name
"""


@dataclass(frozen=True, slots=True)
class CoreRun:
    """A program for MicroPython in `steps`, the `folders` of the repository that it opens, and the tests it plays."""

    steps: Sequence[str]
    folders: Sequence[Path]
    due: Sequence[str]


@contextmanager
def compiled_board() -> Iterator[Path]:
    """The compiled firmware, where the machine can see it."""
    (machine.ROOT / "run").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="board-", dir=machine.ROOT / "run") as folder:
        compile_firmware(FIRMWARE, Path(folder))
        yield Path(folder)


@contextmanager
def core_run(name: str, board: Path) -> Iterator[CoreRun]:
    """The tests of that file of tests/core, but for those that take long."""
    tests, written = core_tests(), with_core_tests()
    functions = [node.name for node in ast.parse(tests[name]).body if isinstance(node, ast.FunctionDef)]
    due = [test for test in functions if test.startswith("test_") and not any(word in test for word in LONG)]
    with tempfile.TemporaryDirectory(prefix="tests-", dir=board.parent) as temporary:
        folder = Path(temporary) / "core"
        folder.mkdir()
        for stem in tests:
            (folder / f"{stem}.py").write_text(written[stem], encoding="utf-8")
        shutil.copytree(VECTORS, folder.parent / "vectors")
        first = [
            f"import sys\nsys.path[:0] = {[machine.inside(top) for top in (board / 'lib', folder)]!r}",
            *_lent(written),
        ]
        steps = [*first, HARNESS, f"MODULE = {name!r}", *(f"_attempt({test!r})" for test in ("import", *due)), COMPILED]
        yield CoreRun(steps, [board, folder.parent], due)


@functools.cache
def without_constants() -> Mapping[str, str]:
    """The firmware's sources as they are compiled, but for its private names."""
    return inlined(modules(FIRMWARE))


@functools.cache
def core_tests() -> Mapping[str, str]:
    """Those of tests/core that are played here, and what they share, as they stand."""
    return {file.stem: file.read_text(encoding="utf-8") for file in CORE.glob("*.py") if _due(file)}


@functools.cache
def with_core_tests() -> Mapping[str, str]:
    """The firmware's sources and those tests without constants: all that a name is read for is seen at once."""
    return inlined({**modules(FIRMWARE), **core_tests()})


def words(source: str) -> set[str]:
    """Every name in a source, whatever it is used for."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        found |= {value for _, value in ast.iter_fields(node) if isinstance(value, str)}
    return found


def _lent(written: Mapping[str, str]) -> Iterator[str]:
    """Steps that give a board's modules back the names that the tests still read, as in an f-string."""
    for module, text in without_constants().items():
        for name in sorted(words(written[module]) - words(text)):
            yield f"import {module} as lent\nlent.{name} = {getattr(importlib.import_module(module), name)!r}"


def _due(file: Path) -> bool:
    return file.stem in PLAYED or not file.stem.startswith("test_")
