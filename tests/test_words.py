"""What people are told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

import pytest

from dalej.cli.program import PARTS
from dalej.cli.terminal import name_commands
from dalej.errors import DalejError, Refused
from dalej.hints import typed
from dalej.words import LANGUAGES, _, advised, dated, day_shown, readable, said, speak
from tools.words import read


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


@pytest.mark.parametrize(
    ("language", "shown"), [("pl", "27.11.2026"), ("it", "27/11/2026"), ("en", "2026-11-27")]
)  # fmt: skip
def test_a_day_is_shown_as_the_readers_language_writes_it_and_read_again_as_it_is_shown(
    monkeypatch: pytest.MonkeyPatch, language: str, shown: str
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    speak(language)

    assert (day_shown("2026-11-27"), dated(shown)) == (shown, "2026-11-27")
    assert said(DalejError("on {day}, in {file}", day="2026-11-27", file="2026-11-27.csv")).startswith(f"on {shown}, ")
    assert said(DalejError("{file}", file="2026-11-27.csv")) == "2026-11-27.csv"
    assert day_shown("") == ""


def test_a_day_with_slashes_is_refused_where_english_is_read_which_has_two_orders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")

    assert dated("4/12/2026") == "4/12/2026"
    assert dated("4.12.2026") == "2026-12-04"


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


COMMAND: Final = re.compile(rf"(?<![„“])\bdalej (?:{'|'.join(PARTS)})\b")
BUTTONS: Final = re.compile(r"\b(?:Już|Dalej|Kostka|Sędzia)\b|\{button\}")
QUOTED: Final = re.compile(r"„[^”]*”|“[^”]*”")
PROGRAM: Final = re.compile(r"\bprogram\w* Dalej\b", re.IGNORECASE)  # what it is called, which is no button


def unquoted(english: str, translated: str) -> Iterator[str]:
    """Commands, and buttons that the English names too, which the translation leaves without quotation marks; a button
    that is the whole message is its own label.
    """
    yield from (found[0] for found in COMMAND.finditer(translated))
    named = set(BUTTONS.findall(english))
    if translated != english:
        rest = PROGRAM.sub("", QUOTED.sub("", translated))
        yield from (one for one in BUTTONS.findall(rest) if one in named)


@pytest.mark.parametrize("language", ["pl", "it"])
def test_commands_and_buttons_stand_between_quotation_marks(language: str) -> None:
    """„Dalej” and „już” are adverbs: without the marks "otwiera ją dalej round reopen" is no sentence."""
    found = {
        (english, translated): bare
        for message in read(language)
        for english in ([message.id] if isinstance(message.id, str) else [" ".join(message.id)])
        for translated in ([message.string] if isinstance(message.string, str) else message.string or ())
        if (bare := list(unquoted(english, translated)))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("english", "polish", "bare"),
    [
        ("dalej round reopen opens it", "otwiera ją dalej round reopen", "dalej round"),
        ("press Już", "nacisnąć Już", "Już"),
        ("this Dalej is older", "ten Dalej jest starszy", "Dalej"),
        ("press {button}", "nacisnąć {button}", "{button}"),
    ],
)
def test_a_command_or_a_button_without_them_is_found(english: str, polish: str, bare: str) -> None:
    assert list(unquoted(english, polish)) == [bare]


@pytest.mark.parametrize(
    ("english", "polish"),
    [
        ("dalej round reopen opens it", "otwiera ją „dalej round reopen”"),
        ("press Już", "nacisnąć „Już”"),
        ("It is so already.", "Już tak jest."),
        ("play goes on", "gra toczy się dalej na stoliku"),
        ("this Dalej is older", "ten program Dalej jest starszy"),
        ("Kostka", "Kostka"),
    ],
)
def test_the_words_themselves_and_the_programs_name_need_none(english: str, polish: str) -> None:
    assert not list(unquoted(english, polish))


def test_a_command_in_a_hint_stands_between_the_readers_quotation_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Refused("{round} is not seated yet", round="runda 2").hinted(
        "{command} seats it", command=typed("seat", "draw", "liga.dalej")
    )
    monkeypatch.setenv("LANGUAGE", "en")
    speak("pl")

    assert advised(name_commands(refused)).endswith("; rozsadza ją „dalej seat draw liga.dalej”")
