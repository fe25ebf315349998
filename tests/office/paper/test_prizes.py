"""Prizes by class, club or town: who is named, with whom a place is shared, who has no class."""

from __future__ import annotations

import pytest

from dalej.errors import Refused
from dalej.office.paper.prizes import Placing, by_group, everybody, prizes_csv, prizes_fields, prizes_pdf, prizes_xlsx
from dalej.words import speak
from tests.office.paper.events import LONG, UNBROKEN, Written, eliminations, finished, league, names, tables_of
from tests.office.paper.reading import book, pages, table, without_blanks

CLASSES = ["10a", "4b", "4B ", "10a", "4b", "10a", "", "4b"]


def told(of: Placing) -> list[tuple[int, bool, int]]:
    return [(one.place, one.shared, one.line.player) for one in of.players]


def test_places_are_counted_anew_within_a_class_and_shared_only_with_its_own() -> None:
    """In the whole event 1 = 5, 2 = 6, 3 = 7 and 4 = 8."""
    four, ten = by_group(finished(names(8), CLASSES).state)

    assert (four.group, told(four)) == ("4b", [(1, False, 5), (2, False, 2), (3, False, 3), (4, False, 8)])
    assert (ten.group, told(ten)) == ("10a", [(1, False, 1), (2, False, 6), (3, False, 4)])


def test_of_a_place_shared_at_the_end_everybody_is_named() -> None:
    state = finished(names(12), ["4b"] * 12).state

    (one,) = by_group(state)

    assert [(placed.place, placed.shared) for placed in one.best(3)] == [(1, True)] * 3
    assert len(one.best(4)) == 6
    (page,) = pages(prizes_pdf(state, 1))
    assert page.count("shared place") == 2 * 3


def test_classes_stand_in_the_order_of_their_numbers_after_the_whole_event() -> None:
    (page,) = pages(prizes_pdf(finished(names(8), CLASSES).state, 3))

    at = [page.index(words) for words in ("The whole event", "4b 4 players", "10a 3 players")]
    assert at == sorted(at)


def test_who_has_no_class_is_named_below() -> None:
    (page,) = pages(prizes_pdf(finished(names(8), CLASSES).state, 3))

    assert "Without a class or club: Wilk." in page


def test_where_nobody_has_a_class_the_best_of_the_whole_event_are_named_and_nobody_is_said_to_lack_one() -> None:
    (page,) = pages(prizes_pdf(finished(names(8), [""] * 8).state, 3))

    assert "1. Lis" in page
    assert "Without a class" not in page


@pytest.mark.parametrize("seated", [False, True])
def test_before_any_result_there_are_no_prizes(*, seated: bool) -> None:
    written = Written("school-league", names(8))
    if seated:
        written.seat("league", 1, tables_of(8))

    with pytest.raises(Refused, match="nobody has played yet"):
        everybody(written.state)


def test_the_sheet_says_after_which_round_the_prizes_stand_so() -> None:
    (page,) = pages(prizes_pdf(league(8).state, 3))
    assert "(after round 1)" in page


def test_of_stages_that_cannot_be_compared_it_says_how_far_somebody_came() -> None:
    (page,) = pages(prizes_pdf(eliminations().state, 5))

    assert "1. Lis · 4b Final" in page
    assert "5. Borsuk · 4b Semifinal" in page


def test_as_csv_xlsx_and_data_it_is_the_same() -> None:
    state = finished(names(8), CLASSES).state

    rows = table(prizes_csv(state, 2))
    sheet = list(book(prizes_xlsx(state, 2)).worksheets[0].iter_rows(min_row=2, values_only=True))
    data = prizes_fields(state, 2)

    assert [(row["Group"], row["Place"], row["Player"]) for row in rows] == [
        ("The whole event", "1", "Lis"), ("The whole event", "1", "Żuraw"), ("4b", "1", "Żuraw"), ("4b", "2", "Sowa"),
        ("10a", "1", "Lis"), ("10a", "2", "Jeż"),
    ]  # fmt: skip
    assert [row["Note"] for row in rows[:3]] == ["shared place", "shared place", ""]
    assert [tuple(map(str, row[:3])) for row in sheet] == [(row["Group"], row["Place"], row["Player"]) for row in rows]
    assert [(one["group"], one["place"], one["name"]) for one in data[1:3]] == [(None, 1, "Żuraw"), ("4b", 1, "Żuraw")]


def test_sixty_tables_in_thirty_classes_name_the_best_of_each() -> None:
    state = finished(names(240), [f"{number % 30 // 4 + 1}{'abcd'[number % 4]}" for number in range(240)]).state

    text = without_blanks("".join(pages(prizes_pdf(state, 3))))

    for of in by_group(state):
        for one in of.best(3):
            assert without_blanks(state.players[one.line.player].name) in text


@pytest.mark.parametrize("language", ["pl", "en", "it"])
def test_long_names_are_whole_in_every_language(language: str) -> None:
    speak(language)
    state = finished([LONG, UNBROKEN, "Lis (4b)", "Lis (5a)"], ["4b", "5a", "4b", "5a"], name=LONG).state

    text = without_blanks("".join(pages(prizes_pdf(state, 3))))

    assert text.count(without_blanks(LONG)) >= 3
    assert text.count(UNBROKEN) == 2
    assert "Lis(4b)" in text
