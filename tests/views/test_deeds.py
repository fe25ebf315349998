"""What boxes made of what they were asked for, as people read it."""

from __future__ import annotations

import pytest

from dalej.office.acts.wishes import Done
from dalej.views.deeds import outcome_words
from dalej.views.requests import Answered, Result


def asked(*results: tuple[int, Result]) -> list[Answered]:
    """By tables."""
    return [
        Answered(number, table, "resume", "Sowa", result) for number, (table, result) in enumerate(results, start=1)
    ]


@pytest.mark.parametrize(
    ("second", "says"),
    [
        ("applied", "✓ the box has done it."),
        ("waiting", "… waiting for the box."),
        ("refused", "✗ the box refused"),
        ("no_link", "◌ no link"),
    ],
)
def test_a_box_that_was_asked_for_two_things_is_one_box(second: Result, says: str) -> None:
    (words,) = outcome_words(Done("Asked.", requests=(1, 2)), asked((7, "applied"), (7, second)))
    assert words.startswith(says)


def test_two_boxes_are_counted() -> None:
    (words,) = outcome_words(Done("Asked.", requests=(1, 2)), asked((1, "applied"), (2, "applied")))
    assert words == "✓ 2 of 2 boxes have done it."
