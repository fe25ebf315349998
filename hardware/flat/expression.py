"""KiCad's files are nested lists in brackets: how one is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID, uuid5

MILLIMETRES: Final = 4  # places behind the point: KiCad's smallest step in a schematic is 100 nm
_NAMESPACE: Final = UUID("6f0d3a4e-52c1-5d0b-9a57-0f1e6b3c9a21")


@dataclass(frozen=True, slots=True)
class Text:
    """A string in quotes; a bare `str` is a word of KiCad's."""

    text: str

    def __str__(self) -> str:
        escaped = self.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'


Atom: TypeAlias = str | int | float | Text
Expression: TypeAlias = "tuple[Atom | Expression, ...]"


def identity(*names: str) -> str:
    """The same UUID for the same names."""
    return str(uuid5(_NAMESPACE, "/".join(names)))


def written(expression: Expression) -> str:
    """Lists without lists in them stand on a line."""
    return "\n".join(_lines(expression, 0)) + "\n"


def _lines(expression: Expression, depth: int) -> Iterator[str]:
    indent = "\t" * depth
    atoms = [_atom(each) for each in expression if not isinstance(each, tuple)]
    lists = [each for each in expression if isinstance(each, tuple)]
    if not lists:
        yield f"{indent}({' '.join(atoms)})"
        return
    yield f"{indent}({' '.join(atoms)}"
    for each in lists:
        yield from _lines(each, depth + 1)
    yield f"{indent})"


def _atom(atom: Atom) -> str:
    if isinstance(atom, float):
        return f"{round(atom, MILLIMETRES):.{MILLIMETRES}f}".rstrip("0").rstrip(".").replace("-0", "0", atom == 0)
    return str(atom)
