"""The list of parts in Polish: the same parts, with the same numbers, and a word to type for each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hardware import bom, bom_polish
from hardware.bom import WrongList
from hardware.bom_polish import Words

LISTED = bom.rows()
POLISH = bom_polish.words()


def test_the_polish_list_has_the_parts_and_numbers_of_the_list() -> None:
    assert bom_polish.differences(LISTED, POLISH) == []
    assert [(row.kind, row.chip) for row in LISTED] == list(POLISH)


RING = ("ring", "")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda ring: {}, "ring has no Polish row."),
        (lambda ring: {RING: ring, ("lasso", ""): ring}, "Polish lasso is not in bom.csv."),
        (
            lambda ring: {RING: ring._replace(package="65,5 mm")},
            "ring: 24 24 2812 2812 72 86 in bom.csv, 24 24 2812 2812 65.5 in Polish.",
        ),
    ],
    ids=["a missing row", "a row too many", "another size"],
)
def test_a_polish_list_that_is_another_is_found(
    change: Callable[[Words], dict[tuple[str, str], Words]], complaint: str
) -> None:
    listed = [row for row in LISTED if row.kind == "ring"]

    assert bom_polish.differences(listed, change(POLISH[RING])) == [complaint]


def test_each_part_has_words_for_a_search_box() -> None:
    unsaid = [each.kind for each in POLISH.values() if not 3 <= len(each.search) <= 60 or "|" in "".join(each)]

    assert not unsaid


def test_the_polish_table_has_every_part_and_decimal_commas() -> None:
    bought = bom.shopping(LISTED, 8, "full", "esp32")

    table = bom_polish.as_markdown(bought, 8, "full", "esp32").splitlines()

    assert table[0] == "# Do kupienia: 8 × full, esp32"
    rows = [line for line in table if line.startswith("| ") and not line.startswith("| sztuk")]
    assert len(rows) == len(bought)
    for line, (row, count) in zip(rows, bought, strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert (cells[0], cells[-1]) == (str(count), f"{count * row.price:.2f}".replace(".", ","))
    assert "Zapas jest wliczony." in table


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("ring,,pierścień", "Line 2 is not 7 fields"),
        ("ring,,pierścień,,,,zmierzyć", "Line 2 is not 7 fields"),
        ("ring,,pierścień,,,pierścień,\nring,,pierścień,,,pierścień,", "There are two rows for ring."),
    ],
)
def test_a_polish_list_that_cannot_be_read_says_where(line: str, sentence: str) -> None:
    with pytest.raises(WrongList, match=f"^{sentence}"):
        bom_polish.words(",".join(bom_polish.HEADS) + f"\n{line}\n")
    with pytest.raises(WrongList, match=r"^The first line must be kind,"):
        bom_polish.words(line)
