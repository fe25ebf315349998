"""What to order for an evening box: the page, both languages and every list say what parts.csv says, and it adds up."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from hardware.evening import order
from hardware.evening.sizes import SIZES
from hardware.shopping import LANGUAGES
from tests.documents import ROOT

PAGES = {"en": ROOT / "hardware" / "evening.md", "pl": ROOT / "hardware" / "evening-pl.md"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_lists_what_the_data_list(language: str) -> None:
    assert order.table(order.rows(), language) in PAGES[language].read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_names_both_sums(language: str) -> None:
    """In cardboard at its head, and for a printed stand."""
    text = PAGES[language].read_text("utf-8")
    sums = [order.priced(order.total(order.rows(), stand, language), language) for stand in order.STANDS]

    head = text.split("\n## ", 1)[0]
    assert [one in head for one in sums] == [True, True]
    assert order.priced(sum(row.prices[language] for row in order.rows() if not row.stand), language) == sums[0]


def test_both_languages_name_the_same_numbers() -> None:
    for row in order.rows():
        told = [re.findall(r"\d+(?:[.,]\d+)?", f"{words.typed} {words.look}") for words in row.words.values()]
        first, second = ({number.replace(",", ".") for number in numbers} for numbers in told)
        assert first == second, row.kind
        assert row.quantity > 0
        assert (row.prices["en"] > 0) == (row.prices["pl"] > 0)


def test_the_box_to_be_found_is_as_large_as_the_template() -> None:
    (box,) = [row for row in order.rows() if row.kind == "box"]
    for words in box.words.values():
        wide, high, deep, lid = (10.0 * int(number) for number in re.findall(r"\d+", words.look))
        assert (wide, high) == (SIZES.front.width, SIZES.front.height)
        assert deep == SIZES.cardboard.depth > SIZES.button.depth
        assert SIZES.cardboard.lid <= lid


def test_screws_and_feet_are_as_many_as_the_stand_has_places() -> None:
    from hardware.evening import bought
    from hardware.evening.stand import post_middles

    numbers = {row.kind: row.quantity for row in order.rows()}
    assert numbers["screw"] == len(SIZES.holes()) + len(post_middles(SIZES))
    assert numbers["foot"] == len(bought.feet(SIZES))
    assert numbers["button"] == len(SIZES.front.buttons)


@pytest.mark.parametrize("stand", order.STANDS)
def test_a_list_for_eight_tables_is_eight_times_as_much(stand: str, tmp_path: Path) -> None:
    from hardware.evening import making

    written = {file.name: file.read_text("utf-8") for file in making.write_lists(tmp_path, 8)}

    *rows, last = csv.DictReader(written[f"order-{stand}.csv"].splitlines())
    assert {row["kind"]: int(row["quantity"]) for row in rows} == {
        row.kind: 8 * row.quantity for row in order.wanted(order.rows(), stand)
    }
    assert [int(last[one]) for one in ("eur", "pln")] == [
        order.total(order.rows(), stand, one, 8) for one in ("en", "pl")
    ]
    assert [sum(int(row[one]) for row in rows) for one in ("eur", "pln")] == [int(last[one]) for one in ("eur", "pln")]
    for name, language in ((f"order-{stand}.md", "en"), (f"order-{stand}-pl.md", "pl")):
        assert order.priced(order.total(order.rows(), stand, language, 8), language) in written[name]
        assert written[name].count("\n| ") == len(rows) + 1


def test_the_command_writes_all_of_this_build_and_nothing_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from hardware import __main__ as command

    monkeypatch.chdir(tmp_path)

    assert command.main(["evening", "--tables", "2"]) == 0

    made = tmp_path / "dist" / "hardware"
    files = sorted(file.relative_to(made).as_posix() for file in made.rglob("*") if file.is_file())
    assert sorted(capsys.readouterr().out.split()) == [f"dist/hardware/{file}" for file in files]
    assert {file.split("/")[0] for file in files} == {"evening"}
    assert {file.split("/")[1] for file in files} == {
        "order-cardboard.csv", "order-cardboard.md", "order-cardboard-pl.md", "order-printed.csv", "order-printed.md",
        "order-printed-pl.md", "print", "cardboard.svg", "cardboard.pdf", "pictures",
    }  # fmt: skip
    assert {file for file in files if file.endswith(".stl")} == {"evening/print/shell.stl", "evening/print/base.stl"}
    drawn = {Path(file).stem for file in files if "/pictures/" in file}
    assert drawn == {one.stem for one in (ROOT / "hardware" / "pictures").glob("evening-*.svg")}
