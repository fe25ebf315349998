"""What goes on a board does what its sources do, without the names of constants."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from dalej.boxes.firmware.compiling import compile_firmware, modules
from dalej.boxes.firmware.constants import inlined
from tests.compiledcore import PLAYED, compiled_board, core_run, without_constants, words
from tests.vm import machine
from tests.vm.collect import failures
from tools.firmware import FIRMWARE, main

FACTS: Final = "LOW = 3\nHIGH = LOW + 4\nBELOW = -LOW\nYES = True\nTEXT = 'x'\n"

# what `user` says before and after must be the same; the names are those that may not be left in `user`
TRAPS: Final[Mapping[str, tuple[str, str]]] = {
    "a module under another name": (
        "LOW BELOW",
        "import box.facts as k\nSEEN = k.LOW, k.BELOW + 1, -k.BELOW, k.TEXT, k.YES",
    ),
    "a module by its full name": ("LOW", "import box.facts\nSEEN = box.facts.LOW, box . facts . HIGH"),
    "a module from its package": ("LOW k", "from box import facts as k\nSEEN = [k.LOW, k\\\n.HIGH, (k\n.LOW)]"),
    "names under other names": ("LOW few", "from box.facts import LOW as few, HIGH, TEXT\nSEEN = few, HIGH, TEXT"),
    "a relative import": ("LOW far k", "from .facts import LOW as far\nfrom . import facts as k\nSEEN = far, k.HIGH"),
    "an import over several lines": (
        "LOW",
        "from box.facts import (  # these\n    LOW,\n    TEXT,\n)\nSEEN = LOW, TEXT",
    ),
    "a chain of imports": (
        "LOW",
        "from box.between import LOW\nfrom box import between as b\nSEEN = LOW, b.k.HIGH, b.MORE",
    ),
    "computed from constants": (
        "LOW MASK",
        "from box.facts import LOW\nMASK = (1 << LOW | LOW) & ~2 ^ 1\nSEEN = STEP = (MASK - 20) // 2 % 5 * +LOW >> 1",
    ),
    "in a tuple": ("ROWS_AT", "ROWS_AT = 2\nROWS = ((ROWS_AT, 'a'), (-ROWS_AT, 'b'))\nSEEN = ROWS"),
    "a method of a number": ("WIDTH", "WIDTH = 9\nSEEN = WIDTH.bit_length(), WIDTH .real"),
    "annotated": ("MOST", "MOST: int = 4\nOPEN: int\nSEEN = [MOST]"),
    "a default and a keyword of the same name": (
        "",
        "LIMIT = 4\ndef f(a=LIMIT, *, LIMIT=LIMIT): return a, LIMIT\nSEEN = f(), f(LIMIT=5), f(LIMIT=LIMIT + 1)",
    ),
    "a parameter of the same name": (
        "",
        "A = 1\ndef f(A): return A\nSEEN = A, f(2), (lambda A: A)(3), (lambda *A: A)(4)",
    ),
    "a local of the same name": ("", "A = 1\ndef f():\n    A = 2\n    return A\nSEEN = A, f()"),
    "a local of the function outside": ("", "A = 1\ndef f(A):\n    def g(): return A\n    return g\nSEEN = A, f(2)()"),
    "a name from a loop": ("", "A = 1\ndef f():\n    for A in (5, 6): pass\n    return A\nSEEN = A, f()"),
    "a name from a handler": (
        "",
        "A = 1\ndef f():\n    try: 1 // 0\n    except ArithmeticError as A: return str(A)\nSEEN = A, f()",
    ),
    "an import in a function": (
        "",
        "LOW = 1\ndef f():\n    from box.facts import LOW\n    return LOW\nSEEN = LOW, f()",
    ),
    "a module imported in a function": ("", "def f():\n    from box import facts\n    return facts.LOW\nSEEN = f()"),
    "a comprehension": (
        "",
        "A = 2\nSEEN = [A for A in range(A)], {A: A for A in (7,)}, [A + b for b in (1, 2) if b < A]",
    ),
    "a name that := binds": ("", "A = 2\ndef f():\n    [A := b for b in (3, 4)]\n    return A\nSEEN = A, f()"),
    "a name of a class": (
        "",
        "A = 1\nclass C:\n    B = A\n    A = A + 1\n    def f(self): return A, self.A\nSEEN = C.A, C.B, C().f()",
    ),
    "assigned twice": ("", "A = 1\ndef f(): return A\nSEEN = [f()]\nA = 2\nSEEN.append(f())"),
    "augmented": ("", "A = 1\ndef f(): return A\nA += 1\nSEEN = f()"),
    "changed by a function": ("", "A = 1\ndef f():\n    global A\n    A = 5\nf()\nSEEN = A"),
    "deleted": ("", "A = 1\ndel A\nSEEN = 'A' in dir()"),
    "assigned in a branch": ("", "A = 1\nif len('x'):\n    A = 2\nSEEN = A"),
    "assigned from outside": ("", "from box import facts as k\nk.LOW = 9\nSEEN = k.LOW"),
    "a module passed on": ("", "from box import facts as k\nsetattr(k, 'LOW', 9)\nSEEN = k.LOW, getattr(k, 'HIGH')"),
    "all names of a module": ("", "LOW = 1\nfrom box.facts import *\nSEEN = LOW, HIGH"),
    "asked for by name": ("", "A = 1\nSEEN = globals()['A'], A"),
    "in an f-string": (
        "",
        "from box import facts as k\nfrom box.facts import HIGH\nSEEN = f'{k.LOW:>{HIGH}}' f'{HIGH!r}'",
    ),
    "with others on its line": ("", "A = 1; B = A + 1\nSEEN = A, B"),
    "two names at once": ("", "A = B = 1\nC, D = 2, 3\nSEEN = A, B, C, D"),
    "no integer": ("", "A = 1 == 1\nB = 7 / 2\nC = -True\nD = 1 << -1 if A is None else 2\nSEEN = A is True, B, C, D"),
    "too large": ("", "A = 1 << 30\nB = 1 << 1000\nC = -(1 << 70)\nSEEN = A, B, C"),
    "letters of two bytes": ("MOST", "MOST = 3\nSEEN = 'Już', MOST, 'Dalej', MOST  # już"),
}
KEPT: Final = {
    "an import in a function": "LOW",
    "a name of a class": "A",
    "assigned twice": "A",
    "changed by a function": "A",
    "in an f-string": "k",
    "too large": "A",
}


class Sources:
    """Imports modules from texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        package = any(other.startswith(f"{name}.") for other in self._texts)
        return ModuleSpec(name, self, is_package=package) if name in self._texts else None  # type: ignore[arg-type]  # a loader by its two methods

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._texts[module.__name__], module.__name__, "exec"), module.__dict__)


def seen(texts: Mapping[str, str]) -> object:
    """What `box.user` has in SEEN."""
    finder = Sources(texts)
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module("box.user").SEEN
    finally:
        sys.meta_path.remove(finder)
        for name in texts:
            sys.modules.pop(name, None)


def program(user: str) -> dict[str, str]:
    between = "from box import facts as k\nfrom box.facts import LOW\nMORE = LOW + k.HIGH\n"
    return {"box": '"""A package."""\n', "box.facts": FACTS, "box.between": between, "box.user": user + "\n"}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_program_means_the_same_with_its_constants_inlined(trap: str) -> None:
    names, user = TRAPS[trap]
    sources = program(user)

    written = inlined(sources)

    assert seen(written) == seen(sources)
    assert not words(written["box.user"]) & set(names.split())
    assert KEPT.get(trap, "SEEN") in words(written["box.user"])
    assert {name: text.count("\n") for name, text in written.items()} == {
        name: text.count("\n") for name, text in sources.items()
    }, "a traceback would name other lines"


def test_a_module_that_does_something_on_import_keeps_its_names() -> None:
    sources = {**program("from box.loud import LEVEL\nSEEN = LEVEL"), "box.loud": "LEVEL = 3\nprint\n"}

    assert inlined(sources)["box.loud"] == sources["box.loud"]
    assert seen(inlined(sources)) == 3


def test_the_order_of_the_sources_does_not_matter() -> None:
    sources = modules(FIRMWARE)

    assert inlined(dict(reversed(sources.items()))) == inlined(sources)


def test_what_a_board_starts_stays_source(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "lib" / "box").mkdir(parents=True)
    (source / "lib" / "box" / "__init__.py").write_text("")
    (source / "lib" / "box" / "facts.py").write_text(FACTS)
    (source / "pins.py").write_text("LAMP = 8\n")
    (source / "main.py").write_text("import pins\nfrom box.facts import LOW\nprint(pins.LAMP, LOW)\n")

    compile_firmware(source, target)

    assert (target / "main.py").read_text() == "import pins\n\nprint(8, 3)\n"
    assert sorted(file.relative_to(target).as_posix() for file in target.rglob("*.mpy")) == [
        "lib/box/__init__.mpy",
        "lib/box/facts.mpy",
        "pins.mpy",
    ]


def test_what_mpy_cross_refuses_ends_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pins.py").write_text("def lamp[T](pin: T): pass\n" if sys.version_info >= (3, 12) else "return 1\n")
    monkeypatch.setattr("tools.firmware.FIRMWARE", tmp_path)

    assert main([str(tmp_path / "target")]) != 0
    assert main([]) == 2


@pytest.fixture(scope="module")
def board() -> Iterator[Path]:
    """The compiled firmware, where the machine can see it."""
    with compiled_board() as folder:
        yield folder


def test_the_same_sources_make_the_same_bytes(board: Path, tmp_path: Path) -> None:
    compile_firmware(FIRMWARE, tmp_path)

    assert _contents(tmp_path) == _contents(board)


def test_no_name_of_a_constant_reaches_a_board(board: Path) -> None:
    sources = modules(FIRMWARE)
    after = without_constants()
    gone = set().union(*(words(text) for text in sources.values())) - set().union(
        *(words(text) for text in after.values())
    )
    everything = b"".join(_contents(board).values())

    assert {"RUNNING", "SEDZIA", "GAME_STARTED", "R_ARGUMENT", "WINDOW_MS", "HELD_LONG"} <= gone
    assert len(gone) > 200
    assert not [name for name in sorted(gone) if bytes([len(name) << 1]) + name.encode() + b"\0" in everything]
    assert b"expired" in everything


@pytest.mark.parametrize("name", PLAYED)
def test_the_core_tests_pass_on_what_goes_on_a_board(name: str, board: Path) -> None:
    with core_run(name, board) as run:
        output = machine.run(run.steps, run.folders, seconds=120)
        failed = failures(output, run.due, "")

    assert run.due
    assert not failed, "\n".join(failed.values())


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()
    }
