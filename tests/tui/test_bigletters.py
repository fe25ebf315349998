"""Big letters: what they can write, how wide and tall it gets, and that one accent does not become another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.tui.widgets.poster import TALL, drawn, largest, width_of

POLISH = "AĄBCĆDEĘFGHIJKLŁMNŃOÓPQRSŚTUVWXYZŹŻ"
ITALIAN = "ÀÈÉÌÒÙ"
WRITTEN = st.text(alphabet=POLISH + POLISH.lower() + ITALIAN + "0123456789 -−.,:'’()/&?+…", min_size=1, max_size=30)


@given(WRITTEN, st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_every_line_is_as_wide_as_was_said_and_there_are_as_many_as_was_said(
    text: str, across: int, down: int, bare: bool
) -> None:
    lines = drawn(text, across, down, bare=bare)

    assert lines is not None
    assert {len(line) for line in lines} == {width_of(text, across)}
    assert len(lines) == -(-(7 if bare else TALL) * down // 2)


def test_no_two_letters_look_alike() -> None:
    letters = sorted({*POLISH, *ITALIAN, *"0123456789ÄÖÜŠČŘŻ"})
    looks = {letter: drawn(letter) for letter in letters}
    same = [
        (one, other)
        for place, one in enumerate(letters)
        for other in letters[:place]
        if looks[one] == looks[other] and {one, other} != {"0", "O"} and {one, other} != {"8", "B"}
    ]

    assert same == []


@pytest.mark.parametrize("text", ["狐", "Лиса", "Lis 🦊", "q\u0323"])
def test_what_cannot_be_written_is_said_and_not_drawn_wrong(text: str) -> None:
    assert drawn(text) is None
    assert width_of(text) is None


def test_an_accent_written_apart_from_its_letter_is_the_same() -> None:
    assert drawn("Z\u0301re\u0328bie\u0328") == drawn("Źrębię")
    assert drawn("Straße") == drawn("STRASSE")


def test_a_clock_does_not_jump_when_its_digits_change() -> None:
    widths = {width_of(f"{minutes:02d}:{second:02d}") for minutes in range(60) for second in range(60)}

    assert len(widths) == 1


@given(WRITTEN, st.integers(1, 250), st.integers(1, 80))
def test_the_largest_fits_and_nothing_larger_does(text: str, width: int, height: int) -> None:
    across, down = largest(text, width, height)

    if not across or not down:
        assert (across, down) == (0, 0)
        return
    lines = drawn(text, across, down, bare=True) or []
    assert len(lines) <= height
    assert len(lines[0]) <= width
    assert down <= across <= 2 * down
    larger = drawn(text, down + 1, down + 1, bare=True) or []
    assert len(larger[0]) > width or 7 * (down + 1) > 2 * height


def test_a_wider_screen_never_makes_digits_smaller() -> None:
    sizes = [largest("90:00", width, 20)[1] for width in range(10, 250)]

    assert all(one <= next_one for one, next_one in pairwise(sizes))
