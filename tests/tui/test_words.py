"""Words and figures of the screens."""

from __future__ import annotations

import gettext

import pytest

from dalej import words
from dalej.views.phrases import brief, clock_text, duration, penalties_text, seat_words, state_words, time_text
from moveclock import facts as k
from moveclock.view import time_text as on_the_box
from tests.tui.paper import a_row


@pytest.mark.parametrize(
    ("ms", "long", "short"),
    [
        (-5, "0 s", "0 s"),
        (59_999, "59 s", "59 s"),
        (60_000, "1:00 min", "1:00"),
        (3_599_999, "59:59 min", "59:59"),
        (3_720_000, "1 h 02 min", "1:02 h"),
    ],
)
def test_a_duration_is_rounded_down(ms: int, long: str, short: str) -> None:
    assert (duration(ms), brief(ms)) == (long, short)


@pytest.mark.parametrize("ms", [0, 1, 99, 100, 5_000, 9_900, 9_901, 9_999, 10_000, 10_001, 59_001, 60_000, 3_600_000])
def test_time_left_is_what_the_box_shows(ms: int) -> None:
    assert time_text(ms) == on_the_box(ms).strip()


@pytest.mark.parametrize(
    ("left_ms", "shown"), [(None, "–"), (0, "0.0"), (-999, "0.0"), (-1_000, "−1"), (-7_300, "−7"), (-65_000, "−65")]
)
def test_an_expired_table_shows_the_overrun(left_ms: int | None, shown: str) -> None:
    assert clock_text(a_row(1, state="expired", left_ms=left_ms)) == shown


def test_penalties_name_the_seat_and_say_where_somebody_has_to_count() -> None:
    assert penalties_text(a_row(1, penalties=(2, 0, -1, 0))) == "A2 C?"


def test_a_seat_without_a_name_is_a_letter_and_nobody_is_a_dash() -> None:
    assert [seat_words(0, "Lis"), seat_words(1, ""), seat_words(k.NOBODY, "")] == ["Lis (A)", "B", "–"]


def test_a_state_says_its_reason_and_the_final_lap() -> None:
    assert state_words(a_row(1, state="stopped", reason="round_break")) == "the clock stands: round break"
    assert state_words(a_row(1, final_lap=True)) == "playing, final lap"
    assert state_words(a_row(1, state="over", reason="bank_empty", final_lap=True)) == "game over: bank empty"


@pytest.mark.parametrize("language", ["pl", "en", "xx"])
def test_what_is_looked_up_once_is_what_gettext_says(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    domain = gettext.textdomain()
    monkeypatch.setenv("LANGUAGE", language)
    words.speak()
    try:
        assert words._("it stands") == gettext.gettext("it stands")
        assert words._("nobody ever translated this") == "nobody ever translated this"
    finally:
        gettext.textdomain(domain)
