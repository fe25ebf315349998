"""What the import contracts in pyproject.toml cannot say.

Which part of the standard library the core lives on, its dialect, who reads the clock on the wall, and that no test
imports another.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = ROOT / "firmware" / "lib" / "moveclock"
HOST = ROOT / "host" / "dalej"
READINGS = {"now", "utcnow", "today", "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter"}
ON_A_BOX = {"binascii", "collections", "hashlib", "moveclock", "struct"}

# Recorded while the modules named on the command line are imported: who asked for what.
RECORDER = """
import builtins, importlib, sys
wanted, original = set(), builtins.__import__
def recording(name, globals=None, *rest):
    if globals and globals.get("__name__", "").split(".")[0] == "moveclock":
        wanted.add(name.split(".")[0] or "moveclock")
    return original(name, globals, *rest)
builtins.__import__ = recording
for module in sys.argv[1:]:
    importlib.import_module(module)
print(*sorted(wanted))
"""


def _sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_bytes(), filename=str(file))


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "moveclock" if node.level else node.module or ""


def _called(node: ast.AST) -> str:
    """`datetime.now` of `datetime.now(...)`; empty for what is not a plain call."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def _foreign_to_micropython(node: ast.AST) -> str:
    """What the dialect card rules out although MicroPython's compiler takes it; empty for everything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, float):
        return "a float"
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
        return "a division that makes a float"
    if isinstance(node, ast.Raise) and node.cause is not None:
        return "raise … from"
    if isinstance(node, ast.Attribute) and node.attr in {"removeprefix", "removesuffix", "Struct"}:
        return node.attr
    if isinstance(node, ast.keyword) and node.arg == "maxlen":
        return "deque(maxlen=)"
    if isinstance(node, ast.For | ast.comprehension) and _called(node.iter).endswith((".items", ".keys", ".values")):
        return "iteration over a dict, whose order a box does not keep"
    return ""


@pytest.mark.parametrize("file", _sources(CORE), ids=_name)
def test_the_core_imports_nothing_a_box_lacks(file: Path) -> None:
    foreign = [(line, name) for line, name in _imports(_tree(file)) if name.split(".")[0] not in ON_A_BOX]

    assert not foreign


def test_the_core_asks_for_nothing_else_at_run_time() -> None:
    modules = [f"moveclock.{file.stem}" for file in _sources(CORE)]

    done = subprocess.run(
        [sys.executable, "-c", RECORDER, *modules], capture_output=True, check=True, text=True, timeout=60
    )

    assert done.stdout.split()
    assert set(done.stdout.split()) <= ON_A_BOX


@pytest.mark.parametrize("file", _sources(CORE), ids=_name)
def test_the_core_keeps_to_the_dialect(file: Path) -> None:
    found = [(node, _foreign_to_micropython(node)) for node in ast.walk(_tree(file))]

    assert not [f"line {getattr(node, 'lineno', '?')}: {what}" for node, what in found if what]


def test_the_time_is_read_in_clock_py_alone() -> None:
    read = [
        f"{_name(file)}:{line}: {what}"
        for file in _sources(HOST)
        if file != HOST / "clock.py"
        for line, what in _readings_of_the_time(_tree(file))
    ]

    assert not read
    assert list(_readings_of_the_time(_tree(HOST / "clock.py"))), "where it is read it is found"


def _readings_of_the_time(tree: ast.Module) -> Iterator[tuple[int, str]]:
    yield from ((line, name) for line, name in _imports(tree) if name == "time")
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in READINGS:
            name = ast.unparse(called)
            if name.split(".")[0] in {"datetime", "date", "time"}:
                yield called.lineno, name


def test_only_the_command_line_makes_the_real_clock() -> None:
    named = [file for file in _sources(HOST) if "SystemClock(" in file.read_text(encoding="utf-8")]

    assert named
    assert not [_name(file) for file in named if HOST / "cli" not in file.parents and file.name != "clock.py"]


def test_every_folder_of_code_is_a_package() -> None:
    bare = {_name(file.parent) for root in (CORE, HOST) for file in _sources(root) if _bare(file.parent)}

    assert not bare


def _bare(folder: Path) -> bool:
    return not (folder / "__init__.py").exists()


def test_no_test_imports_another() -> None:
    """What they share lies beside them, in a module named after its subject: `tests/world.py`, `tests/tui/paper.py`."""
    folder = ROOT / "tests"
    files = [file for file in _sources(folder) if "node_modules" not in file.parts]
    borrowed = [f"{_name(file)}:{line}: {name}" for file in files for line, name in _tests_imported(_tree(file))]

    assert not borrowed
    assert list(_tests_imported(ast.parse("from tests.air import test_games"))), "what is imported is found"
    assert list(_tests_imported(ast.parse("from tests.air.test_games import play"))), "so is what it is imported from"


def _tests_imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every import of something whose name, or whose module's, begins as that of a test."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            inside = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
            names = [inside + alias.name for alias in node.names]
            yield from (
                (node.lineno, name) for name in names if any(part.startswith("test_") for part in name.split("."))
            )
