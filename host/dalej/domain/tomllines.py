"""On which line of a TOML text something stands. The parser keeps no positions: statement by statement.

A path is the keys from the outermost in, with the place of an element, from 1, where there is a list of tables:
`("clock", "limit_ms", "value")`, `("texts", 3, "quote")`, `("format", "stages", "value", 2)`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

Path = tuple[str | int, ...]

_DEPTH: Final = 4  # as deep as a ruleset goes
# A string or a comment, in which a bracket is no bracket; a bracket; a new line. A string that nobody closes is one to
# its end: else each quote in it would begin another search for that end.
_TOKEN: Final = re.compile(
    r'"""(?:[^\\]|\\[\s\S])*?(?:"{3,5}|\\?\Z)|\'\'\'[\s\S]*?(?:\'{3,5}|\Z)|"(?:\\.|[^"\\\n])*+"?|\'[^\'\n]*+\'?'
    r"|#[^\n]*|[{}\[\]\n]"
)
# A string or a comment; a bare key; a dot; blanks, which may stand around one; anything else.
_KEYS: Final = re.compile(_TOKEN.pattern.rsplit("|", 1)[0] + r"|[\w-]+|\.|[ \t]+|[\s\S]")
_LARGEST: Final = 128 * 1024  # characters; those that ship have about 20 000
_DEEPEST: Final = 8  # keys with dots between them


class Lines:
    """The lines of one text that is valid TOML."""

    def __init__(self, text: str) -> None:
        self._lines = _lines(text)

    def of(self, path: Path) -> int:
        """The 1-based line where the path, or what there is of it, begins."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return 1


def too_much(text: str) -> int:
    """The 1-based line on which the text is deeper or larger than any ruleset, before anything tries to read it, which
    would take minutes; 0: it is neither.
    """
    line, dots = 1, 0
    for match in _KEYS.finditer(text):
        token = match[0]
        if token == ".":
            dots += 1
        elif not (token[0] in " \t\"'_-" or token[0].isalnum()):
            dots = 0
        if dots >= _DEEPEST or match.end() > _LARGEST:
            return line
        line += token.count("\n")
    return 0


def _lines(text: str) -> dict[Path, int]:
    """Each statement is parsed alone."""
    lines: dict[Path, int] = {}
    counts: Counter[Path] = Counter()  # of the tables met so far in each list of tables
    header: Path = ()
    for first, pending in _statements(text):
        try:
            statement = tomllib.loads(pending)
        except ValueError:  # cut where it should not be: what stands there is found by what stands around it
            continue
        found = _paths(statement)
        if pending.lstrip().startswith("["):
            header = max(found, key=len, default=())
            for path in found:
                lines.setdefault(path, first)
            if pending.lstrip().startswith("[["):
                counts[header] += 1
                header = (*header, counts[header])
                lines[header] = first
        else:
            for path in found:
                lines.setdefault(header + path, first)
            for path in found:
                _add_elements(lines, header + path, _value_at(statement, path), pending, first)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each with the line where it begins: it ends with a line in which no bracket and no string is open."""
    begin, depth, line, first = 0, 0, 1, 1
    for match in _TOKEN.finditer(text):
        token = match[0]
        depth += (token in "[{") - (token in "]}")
        line += token.count("\n")
        if token == "\n" and not depth:
            yield first, text[begin : match.end()]
            begin, first = match.end(), line
    yield first, text[begin:]


def _paths(table: dict[str, Any], depth: int = _DEPTH) -> list[Path]:
    """The key paths in a table."""
    paths: list[Path] = []
    for key, value in table.items():
        paths.append((key,))
        if isinstance(value, dict) and depth > 1:
            paths.extend((key, *path) for path in _paths(value, depth - 1))
    return paths


def _value_at(table: dict[str, Any], path: Path) -> Any:
    found: Any = table
    for key in path:
        found = found[key]
    return found


def _add_elements(lines: dict[Path, int], path: Path, value: Any, statement: str, first: int) -> None:
    """Where the tables of a list begin that is written with braces."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return
    line, depth, place = first, 0, 0
    for token in _TOKEN.findall(statement):
        if token == "{":
            depth += 1
            if depth == 1:
                place += 1
                lines[(*path, place)] = line
        elif token == "}":
            depth -= 1
        line += token.count("\n")
