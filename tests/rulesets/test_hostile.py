"""Rulesets of strangers: what is larger or deeper than a ruleset can be is refused before anything reads it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dalej.domain.rules.ruletext import _TOKEN, Lines, faults, too_much
from dalej.rulesets.rulebook import available, source

DOTTED = ".".join("a" * 50_000) + " = 1\n"
HOSTILE = {
    "one dotted key of 100 kB": DOTTED,
    "a dotted key of strings": ".".join(['"a"'] * 9) + " = 1\n",
    "a dotted key with blanks": " . ".join("abcdefghij") + " = 1\n",
    "a dotted header": "[" + ".".join("a" * 20_000) + "]\n",
    "a dotted key in a table": "a = {" + ".".join("a" * 20_000) + " = 1}\n",
    "200 kB": "# ł\n" * 50_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_deeper_or_larger_than_a_ruleset_is_refused_on_its_line(text: str) -> None:
    (fault,) = faults(text, "ours.toml")
    assert str(fault).startswith(f"ours.toml, line {too_much(text)}: it is larger or deeper than a ruleset can be")


def test_it_is_refused_in_little_memory() -> None:
    """In a process of its own, which may have 400 MB: before, one dotted key took 6.5 GB and a minute."""
    if sys.platform != "linux":
        pytest.skip("memory is limited with Linux's means")
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))\n"
        "from dalej.domain.rules.ruletext import faults\n"
        "print(faults('.'.join('a' * 50_000) + ' = 1', 'x')[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "larger or deeper" in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("unclosed", ['"' + '\\"' * 5_000, '"""' + '\\"' * 5_000, "'''" + "'a" * 5_000])
def test_a_string_that_nobody_closes_is_looked_through_once(unclosed: str) -> None:
    """In steps and not in seconds: before, each quote in it began another search, 150 s for 130 kB."""
    assert len(list(_TOKEN.finditer(unclosed))) == 1
    (fault,) = faults("a = " + unclosed, "ours.toml")
    assert str(fault).startswith("ours.toml, line 1")


@pytest.mark.parametrize("nested", ["a = " + "[" * 5_000 + "]" * 5_000, "a = " + "{a=" * 5_000 + "1" + "}" * 5_000])
def test_brackets_within_brackets_are_no_traceback(nested: str) -> None:
    (fault,) = faults(nested, "ours.toml")
    assert str(fault).startswith("ours.toml")


def test_the_lines_of_a_list_of_thousands_are_found_in_one_pass() -> None:
    text = "numbers = [\n" + "1,\n" * 30_000 + "]\n[late]\nkey = 1\n"
    assert Lines(text).of(("late", "key")) == 30_004


@pytest.mark.parametrize("name", available())
def test_those_that_ship_are_neither(name: str) -> None:
    assert not too_much(source(name)[0])


def test_lines_are_those_of_strings_and_brackets_as_they_are_written() -> None:
    text = 'a = """\n[x]\n\\"""\n""""\nb = [\n  "]",  # ]\n]\n[c]\nd = \'\'\'\n=\'\'\'\ne = {f = "{"}\n'
    lines = Lines(text)
    assert [lines.of(path) for path in (("a",), ("b",), ("c",), ("c", "d"), ("c", "e"))] == [1, 5, 8, 9, 11]
