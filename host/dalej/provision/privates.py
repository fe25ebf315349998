"""Short private names, in the source of a whole program.

A board's heap keeps the text of every name once, and seven bytes for its place in a table that doubles as it grows. A
name that begins with one underscore is its module's own affair: so those that a module defines become `_a`, `_b` ...
there, and the next module's the same. Modules whose classes inherit from one another share one set of names, because
they meet in one object. Lines and places of statements stay as they are.

What is private and comes from outside (`sys.implementation._machine`) is not defined here and keeps its name.
"""

from __future__ import annotations

import ast
import io
import re
import string
import tokenize
from collections.abc import Iterator, Mapping
from typing import Final

PRIVATE: Final = re.compile(r"_[A-Za-z0-9]\w*")
WORD: Final = re.compile(r"\w+")
IN_TEXT: Final = re.compile(r"(?<=\bself\.)_[A-Za-z0-9]\w*")  # of an f-string, which is one token before Python 3.12


def shortened(sources: Mapping[str, str]) -> dict[str, str]:
    """Module name -> source, private names shortened. Nobody but these modules may know them."""
    trees = {name: ast.parse(source) for name, source in sources.items()}
    families = {name: {name} for name in sorted(sources)}
    for name, tree in trees.items():
        for other in _inherited_from(tree):
            if other in families:
                together = families[name] | families[other]
                families.update(dict.fromkeys(together, together))
    defined = {name: set(_defined(tree)) for name, tree in trees.items()}
    words = {name: set(WORD.findall(source)) for name, source in sources.items()}
    short = {}
    for name in sorted(sources):
        due = sorted(set().union(*(defined[member] for member in families[name])))
        taken = set().union(*(words[member] for member in families[name]))
        short[name] = dict(zip(due, (new for new in _names() if new not in taken), strict=False))
    return {name: _renamed(source, short[name]) for name, source in sources.items()}


def _inherited_from(tree: ast.Module) -> Iterator[str]:
    """Modules from which the bases of a module's classes come."""
    homes = {
        alias.asname or alias.name: node.module or ""
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in tree.body:
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            if isinstance(base, ast.Name) and base.id in homes:
                yield homes[base.id]


def _defined(tree: ast.Module) -> Iterator[str]:
    """Private names that a module gives to attributes of `self`, to functions, classes and values of its own."""
    for node in ast.walk(tree):
        name = ""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.attr if isinstance(node.value, ast.Name) and node.value.id == "self" else ""
        if PRIVATE.fullmatch(name):
            yield name


def _names() -> Iterator[str]:
    for count in range(1, 3):
        for place in range(len(string.ascii_lowercase) ** count):
            first, last = divmod(place, len(string.ascii_lowercase))
            yield "_" + (string.ascii_lowercase[first] if count > 1 else "") + string.ascii_lowercase[last]


def _renamed(source: str, short: Mapping[str, str]) -> str:
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    text = source
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(source).readline))):
        new = token.string
        if token.type == tokenize.NAME:
            new = short.get(new, new)
        elif token.type == tokenize.STRING and token.string[0] in "fF":
            new = IN_TEXT.sub(lambda found: short.get(found[0], found[0]), new)
        if new != token.string:
            start = starts[token.start[0] - 1] + token.start[1]
            text = text[:start] + new + text[start + len(token.string) :]
    return text
