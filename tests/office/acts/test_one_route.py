"""Only the performer changes an event on a person's wish: commands and screens make wishes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import dalej

HOST: Final = Path(dalej.__file__).parent
WRITES: Final = {"change", "change_seen", "decide_together", "request"}
# What no act does: an event is made, and a round's clock that runs in a terminal tells boxes ahead.
NO_WISH: Final = {("opening", "open_event"), ("roundclock", "final_lap")}


def writing() -> set[tuple[str, str]]:
    """Modules of the office with their functions that change an event."""
    found = set()
    for path in HOST.glob("office/*.py"):
        for one in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(one, ast.FunctionDef):
                calls = {node.func.attr for node in ast.walk(one)
                         if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}  # fmt: skip
                if calls & WRITES:
                    found.add((path.stem, one.name))
    return found


def used(path: Path) -> Iterator[tuple[str, str]]:
    """What that file takes from modules of the office: by name, or through the module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "dalej.office":
            modules |= {one.asname or one.name: one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dalej.office."):
            yield from (((node.module or "").rpartition(".")[2], one.name) for one in node.names)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr


def test_no_command_and_no_screen_calls_what_changes_an_event() -> None:
    writers = writing()
    assert {("rulings", "rule_at"), ("settings", "set_as_seen"), ("rounds", "close_round")} <= writers
    past = {
        (path.relative_to(HOST).as_posix(), *name)
        for room in ("cli", "tui", "web", "views") for path in HOST.glob(f"{room}/**/*.py")
        for name in used(path) if name in writers - NO_WISH
    }  # fmt: skip
    assert not past
