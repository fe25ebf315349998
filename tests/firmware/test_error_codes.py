"""hardware/error-codes.md, in every language, explains every code that a box can show, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.domain.game import sentences
from dalej.domain.game.facts import FAULTS
from tests.firmware.errorcodes import PAGES, sections, shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_code_has_a_paragraph_and_every_paragraph_a_code(page: Path) -> None:
    explained = [code for codes, _ in sections(page) for code in sorted(codes)]

    assert sorted(explained) == sorted(shown())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_paragraph_says_more_than_the_name(page: Path) -> None:
    for codes, below in sections(page):
        assert len(below.split()) >= 15, codes


def test_a_desk_has_words_for_every_code() -> None:
    assert set(FAULTS) == shown()
    assert set(FAULTS.values()) == set(sentences.FAULTS)


def test_a_code_fits_beside_its_letter() -> None:
    assert max(shown()) <= 999
