"""`dalej box card`: a card for each table, without any event or box."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.office.paper.reading import pages


def test_a_card_for_each_table_polish_before_english(dalej: Program, tmp_path: Path) -> None:
    done = dalej("box", "card", "cards.pdf", "--tables", "2-3, 7,3")

    assert (done.code, done.out) == (0, "cards.pdf is written\n")
    read = pages((tmp_path / "cards.pdf").read_bytes())
    assert len(read) == 6
    for page, title in zip(read, ("Stolik 2", "Table 2", "Stolik 3", "Table 3", "Stolik 7", "Table 7"), strict=True):
        assert title in page


@pytest.mark.parametrize(
    ("built", "kostka"),
    [
        ((), True),
        (("--no-kostka",), False),
        (("--build", "evening"), False),
        (("--build", "evening", "--kostka"), True),
    ],
)
def test_a_card_of_one_side_tells_of_the_contact_that_such_a_box_has_unless_told_otherwise(
    dalej: Program, tmp_path: Path, built: tuple[str, ...], kostka: bool
) -> None:
    """As `dalej box install` makes it: an evening box has none, a four-sided one has."""
    assert dalej("box", "card", "c.pdf", "--languages", "en", *built).code == 0

    (page,) = pages((tmp_path / "c.pdf").read_bytes())
    assert ("Dalej itself counts as the tile." in page) is not kostka


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--tables", text), f"{text} names no tables, expected numbers up to 2500 such as 1-8 or 1,2,5")
        for text in ("0", "8-1", "1-", "a", "1,,2", "2501", "1-99999", "٣")
    ]
    + [
        (("--languages", text), f"{text} names no sides of a card, expected one or two of pl, en, it")
        for text in ("de", "pl,en,it", "pl;en", ",")
    ],
)
def test_what_cannot_be_a_card_is_refused_in_a_sentence(
    dalej: Program, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    done = dalej("box", "card", "cards.pdf", *arguments)

    assert (done.code, done.err) == (1, f"{sentence}\n")
    assert not list(tmp_path.iterdir())


def test_a_card_that_is_there_stays_unless_told_otherwise(dalej: Program, tmp_path: Path) -> None:
    (tmp_path / "cards.pdf").write_text("last year's")

    assert dalej("box", "card", "cards.pdf").err == (
        "cards.pdf already exists: expected a name that is free; dalej box card cards.pdf --overwrite writes over it\n"
    )
    assert dalej("box", "card", "cards.pdf", "--overwrite", "--languages", "en").code == 0
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF-")
