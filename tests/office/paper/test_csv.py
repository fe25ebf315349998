"""CSV as spreadsheets open it: in columns, and without calculating what somebody has typed as a name."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dalej.office.paper.formats import csv_bytes
from dalej.words import speak

CALCULATED = ("=", "+", "-", "@")
TEXTS = st.text(alphabet=st.sampled_from("=+-@,;|\t\r\n\"' a1ł"), max_size=12)


@pytest.fixture
def spoken() -> Iterator[None]:
    yield
    speak("en")


@pytest.mark.parametrize(("language", "delimiter"), [("pl", ";"), ("it", ";"), ("en", ",")])
@pytest.mark.usefixtures("spoken")
def test_cells_are_parted_as_spreadsheets_of_the_language_expect(language: str, delimiter: str) -> None:
    speak(language)
    assert csv_bytes(("a", "b"), [("Łoś", 3)]).decode("utf-8-sig").split() == [f"a{delimiter}b", f"Łoś{delimiter}3"]


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=3), max_size=3), st.sampled_from([",", ";", "\t"]))
@example([["Ola;=1+1;x"]], ",")
@example([["Ola,=1+1"]], ";")
@example([["1", 'Ola;"=1+1";x']], ",")
@example([["1", "Ola\n=1+1"]], ",")
def test_no_text_is_calculated_whatever_a_spreadsheet_cuts_it_at(rows: list[list[str]], delimiter: str) -> None:
    text = csv_bytes(("name",), rows, delimiter).decode("utf-8-sig")

    for cut in (",", ";", "\t", "|"):
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=cut):
            assert not [cell for cell in row if cell.startswith(CALCULATED)]
        for line in text.replace("\r", "\n").split("\n"):  # as a program does that knows no quotation marks
            assert not [cell for cell in line.split(cut) if cell.strip('"').startswith(CALCULATED)]


def test_numbers_stay_numbers() -> None:
    assert csv_bytes(("points",), [(-9,)], ",") == "\ufeffpoints\r\n-9\r\n".encode()
