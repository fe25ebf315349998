"""Every message can be seen by what collects messages: it does not look into f-strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dalej

HOST = Path(dalej.__file__).parent
MARKS = ("_", "N_", "ngettext")
SUSPECT = re.compile(r"f(\"|').*\{.*\b(_|N_|ngettext)\(")


def hidden(source: str) -> Iterator[int]:
    """Lines on which a message stands within an f-string."""
    for text in ast.walk(ast.parse(source)):
        if isinstance(text, ast.JoinedStr):
            yield from (one.lineno for one in ast.walk(text) if isinstance(one, ast.Call) and is_message(one))


def is_message(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in MARKS and isinstance(call.args[0], ast.Constant)


def test_no_message_stands_within_an_f_string() -> None:
    sources = {file: file.read_text(encoding="utf-8") for file in sorted(HOST.rglob("*.py"))}
    found = [
        f"{file.relative_to(HOST)}:{line}"
        for file, source in sources.items()
        if SUSPECT.search(source)  # most files need not be parsed
        for line in hidden(source)
    ]
    assert not found


def test_one_that_does_is_found() -> None:
    assert list(hidden("f\"{_('a new table')} 3\"")) == [1]
