"""Who may import what on the box outside its core, where import-linter cannot look; and what types a board has.

The edge is devices/, board.py and main.py: it alone knows a chip, and nobody in lib/ knows the edge.
"""

from __future__ import annotations

import ast
import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.firmware import FIRMWARE

EDGE = sorted([
    *(FIRMWARE / "devices").glob("*.py"), *(FIRMWARE / "boards").rglob("*.py"), FIRMWARE / "board.py",
    FIRMWARE / "main.py",
])  # fmt: skip
CORE = sorted((FIRMWARE / "lib").rglob("*.py"))
TYPINGS = FIRMWARE.parent / "tools" / "typings"
CHIP = {"bluetooth", "esp32", "flashbdev", "framebuf", "machine", "micropython", "neopixel", "time", "vfs"}
LANGUAGE = {"array", "binascii", "errno", "gc", "os", "select", "sys"}
ON_A_BOARD = importlib.metadata.distribution("micropython-esp32-stubs")


def imported(file: Path) -> set[str]:
    """Names of the top-level modules that a file imports, in functions too."""
    found = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("file", EDGE, ids=lambda file: file.relative_to(FIRMWARE).as_posix())
def test_the_edge_imports_the_chip_the_core_and_itself(file: Path) -> None:
    assert imported(file) <= CHIP | LANGUAGE | {"moveclock", "devices", "board"}


@pytest.mark.parametrize("file", CORE, ids=lambda file: file.stem)
def test_the_core_knows_neither_edge_nor_chip(file: Path) -> None:
    assert not imported(file) & (CHIP | LANGUAGE | {"devices", "board", "main"} - {"binascii"}) - {"binascii"}


def test_pins_are_numbers_and_nothing_else() -> None:
    assert imported(FIRMWARE / "board.py") == {"moveclock"}
    assert not [node for node in ast.walk(ast.parse((FIRMWARE / "board.py").read_bytes())) if isinstance(node, ast.For)]


def test_main_is_short_and_nobody_imports_it() -> None:
    assert len((FIRMWARE / "main.py").read_text(encoding="utf-8").splitlines()) <= 80
    assert not [file for file in [*EDGE, *CORE] if "main" in imported(file)]


def test_no_handler_and_no_turn_of_the_pump_lets_an_exception_out() -> None:
    for name, function in (("radio.py", "_handle"), ("pump.py", "turn")):
        tree = ast.parse((FIRMWARE / "devices" / name).read_bytes())
        (found,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function]
        statements = [node for node in found.body if not isinstance(node, ast.Expr)]
        assert [type(node) for node in statements] == [ast.Try], name


def test_an_interrupt_takes_its_stamp_before_anything_else() -> None:
    tree = ast.parse((FIRMWARE / "devices" / "buttons.py").read_bytes())
    (handler,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "changed"]

    assert ast.unparse(handler.body[1]) == "stamp = ticks_ms()"


@pytest.mark.parametrize("file", sorted(TYPINGS.glob("*.pyi")), ids=lambda file: file.stem)
def test_every_name_that_the_types_promise_is_on_a_board(file: Path) -> None:
    there = set(names(_stub(file.name)))

    assert not set(names(file)) - there


def _stub(name: str) -> Path:
    """The installed stub of a module."""
    (found,) = [path for path in ON_A_BOARD.files or () if path.as_posix() == name]
    return Path(str(found.locate()))


def names(file: Path) -> Iterator[str]:
    """`module`, `Class`, `Class.method` and constants of a stub."""
    for node in ast.parse(file.read_bytes()).body:
        yield from _of(node, "")


def _of(node: ast.AST, inside: str) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        yield node.name
        for child in node.body:
            yield from _of(child, f"{node.name}.")
    elif isinstance(node, ast.FunctionDef) and node.name != "__init__":
        yield inside + node.name
    elif isinstance(node, ast.AnnAssign):
        yield inside + ast.unparse(node.target)
