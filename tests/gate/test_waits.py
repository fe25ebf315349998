"""No test waits for another process without a deadline of its own: the one that ends all tests says less."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.processes import bounded

TESTS: Final = Path(__file__).parents[1]
BOUNDS: Final = {"bounded", "timeout", "wait_for", "within", "told_to_nobody"}
READS: Final = {"read", "readline", "readlines"}
VIRTUAL_BOARDS: Final = {"tests/board/board.py", "tests/nimble/board.py"}  # `until` and `run` have deadlines


def called(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def waits_for_ever(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls that wait for a process and have no limit, outside of a block that has one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.With | ast.AsyncWith):
            limits = [one.context_expr for one in node.items if isinstance(one.context_expr, ast.Call)]
            if any(called(one.func) in BOUNDS for one in limits):
                continue
        if isinstance(node, ast.Call):
            if called(node.func) in BOUNDS:
                continue
            if is_endless(node):
                yield node
        yield from waits_for_ever(node)


def is_endless(call: ast.Call) -> bool:
    name, on = called(call.func), call.func.value if isinstance(call.func, ast.Attribute) else None
    limited = any(one.arg in {"timeout", None} for one in call.keywords)
    if on is not None and called(on) == "subprocess":
        return name in {"run", "call", "check_call", "check_output"} and not limited
    if name == "communicate":
        return not limited
    if name == "wait":
        return not call.args and not limited and on is not None and called(on) in {"process", "running"}
    return name in READS and on is not None and called(on) in {"stdout", "stderr"}


def test_whoever_waits_for_a_process_says_how_long() -> None:
    files = {file.relative_to(TESTS.parent).as_posix(): file for file in sorted(TESTS.rglob("*.py"))}
    found = [
        f"{name}:{call.lineno}"
        for name, file in files.items()
        if name not in VIRTUAL_BOARDS
        for call in waits_for_ever(ast.parse(file.read_bytes()))
    ]

    assert len(files) > 100
    assert not found, "these wait without an end; give a timeout or see tests/processes.py"


@pytest.mark.parametrize(
    "line",
    ["subprocess.run(['x'])", "one.communicate()", "one.process.wait()", "one.stdout.readline()"],
)
def test_a_wait_without_an_end_is_found_and_one_with_an_end_is_not(line: str) -> None:
    plain = f"async def test():\n    {line}\n"
    limited = f"async def test():\n    with bounded(one):\n        {line}\n"

    assert len(list(waits_for_ever(ast.parse(plain)))) == 1
    assert not list(waits_for_ever(ast.parse(limited)))


def test_a_process_that_says_nothing_is_ended_with_all_that_it_started_and_named() -> None:
    """What it started has its output too, and would keep whoever reads it waiting."""
    child = "import time; time.sleep(1000)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as mute:
        assert mute.stdout is not None
        with pytest.raises(AssertionError, match=r"took longer than 1 s"), bounded(mute, 1):
            mute.stdout.read()
