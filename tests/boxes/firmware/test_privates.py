"""Private names of a board's modules become short: what they did before they still do."""

from __future__ import annotations

import ast
from types import ModuleType

from dalej.boxes.firmware.compiling import modules, shortened
from dalej.boxes.firmware.constants import inlined
from tools.firmware import FIRMWARE


def run(source: str) -> ModuleType:
    module = ModuleType("run")
    exec(source, module.__dict__)
    return module


def test_what_a_module_defines_is_shortened_wherever_it_reads_it() -> None:
    source = """
_TABLE = (1, 2)
class Meter:
    def __init__(self, _start):
        self._count = _start
        self.public = _TABLE
    def _next(self):
        self._count += 1
        return f"{self._count} of {self.public}"
    def told(self):
        return self._next()
"""
    short = shortened({"meter": source})["meter"]

    assert run(short).Meter(4).told() == run(source).Meter(4).told() == "5 of (1, 2)"
    assert "_count" not in short
    assert "_next" not in short
    assert short.count("\n") == source.count("\n")


def test_a_private_name_of_somebody_else_is_kept() -> None:
    source = "import sys\nprint(sys.implementation._machine)\n"

    assert shortened({"main": source}) == {"main": source}


def test_two_modules_get_the_same_names_unless_their_classes_are_one_object() -> None:
    sources = {
        "base": "class Base:\n    def __init__(self):\n        self._kept = 1\n",
        "child": "from base import Base\nclass Child(Base):\n    def set(self):\n        self._other = 2\n",
        "alone": "class Alone:\n    def __init__(self):\n        self._own = 3\n",
    }
    short = shortened(sources)

    assert short["alone"].count("self._a = 3") == 1
    assert {short["base"].partition("self.")[2][:2], short["child"].partition("self.")[2][:2]} == {"_a", "_b"}


def test_a_short_name_that_is_taken_is_not_given_away() -> None:
    source = "def _long(_a):\n    return _a\nprint(_long(1))\n"

    assert shortened({"main": source})["main"].count("_b(") == 2


def test_the_firmware_stays_what_it_was_but_for_its_private_names() -> None:
    before = inlined(modules(FIRMWARE))
    after = shortened(before)

    for name, source in before.items():
        kinds = [type(node) for node in ast.walk(ast.parse(source))]
        assert kinds == [type(node) for node in ast.walk(ast.parse(after[name]))]
    assert sum(map(len, after.values())) < sum(map(len, before.values()))
