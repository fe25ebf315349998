"""What people are told."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from dalej.errors import DalejError, Refused
from dalej.words import LANGUAGES, _, readable, said, speak


@pytest.mark.parametrize("name", ["Lis\x1b]0;gone\x07", "Lis\x9b2J", "a\tb", "a\u202eb", "a\u2028b", "\udc80"])
def test_a_name_cannot_make_a_terminal_do_anything(name: str) -> None:
    sentence = said(Refused("box {box} is served by another desk: {text}", box="a0", text=name))

    assert sentence == f"box a0 is served by another desk: {readable(name)}"
    assert all(letter.isprintable() for letter in sentence)
    assert "�" in sentence


@pytest.mark.parametrize("name", ["Żółw", "👩\u200d👩\u200d👧", "Ełk 2", "नमस्ते"])
def test_names_as_people_write_them_stay(name: str) -> None:
    assert readable(name) == name


def test_an_error_within_an_error_and_its_lines_stay_readable() -> None:
    inner = DalejError("line {line}:\nnot {found}", line=3, found="\x07")

    assert said(DalejError("{file}: {problem}", file="x", problem=inner)) == "x: line 3:\nnot �"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_that_nobody_gave_is_none_in_any_language(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    speak(language)

    assert _("") == ""


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("en:pl", "public"),
        ("en_GB:en:pl", "public"),
        ("de:pl:it", "publiczność"),
        ("it:en", "pubblico"),
        ("de:fr", "public"),
    ],
)
def test_who_reads_several_languages_is_told_everything_in_the_first_that_there_is(asked: str, says: str) -> None:
    """What click says itself, too."""
    program = "import gettext; from dalej.words import _, speak; speak(); print(_('public'), gettext.gettext('public'))"
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "LANGUAGE": asked, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
        capture_output=True, check=True, encoding="utf-8", timeout=60,
    )  # fmt: skip

    assert done.stdout.split() == [says, says]
