"""hardware/error-codes.md explains every code that a box can show, and no other."""

from __future__ import annotations

from dalej.domain.game import sentences
from dalej.domain.game.facts import FAULTS
from tests.firmware.errorcodes import sections, shown


def test_every_code_has_a_paragraph_and_every_paragraph_a_code() -> None:
    explained = [code for codes, _ in sections() for code in sorted(codes)]

    assert sorted(explained) == sorted(shown())


def test_every_paragraph_says_more_than_the_name() -> None:
    for codes, below in sections():
        assert len(below.split()) >= 15, codes


def test_a_desk_has_words_for_every_code() -> None:
    assert set(FAULTS) == shown()
    assert set(FAULTS.values()) == set(sentences.FAULTS)


def test_a_code_fits_beside_its_letter() -> None:
    assert max(shown()) <= 999
