"""Lists by name: by surname where the sign-up lists told it, whatever the order of the words; else as written."""

from __future__ import annotations

import io
from dataclasses import replace

from pypdf import PdfReader

from dalej.domain.tournament.tournament import Seating, Tournament
from dalej.office.paper.namelists import by_surname, in_order
from dalej.office.paper.roundresults import results_pdf
from dalej.office.paper.scoresheets import score_sheets
from dalej.office.paper.seatingplan import seating_pdf, wall_pdf
from dalej.office.paper.tabletents import tents_pdf
from dalej.words import speak
from tests.office.paper.events import Written, current
from tests.office.paper.reading import pages

PEOPLE = (("Zofia Adamczyk", "Adamczyk"), ("Ćwik Maja", "Ćwik"), ("Jan Nowak (5b)", "Nowak"), ("Adam Łoś", "Łoś"))
ORDERED = ["Adamczyk Zofia", "Ćwik Maja", "Łoś Adam", "Nowak Jan (5b)"]


def event(*, known: int = 4) -> Tournament:
    """Four at a table; the sign-up list told the surnames of the first so many."""
    written = Written("school-league", [name for name, _surname in PEOPLE])
    written.seat("league", 1, [[1, 2, 3, 4]])
    state = written.state
    told = {
        number: replace(state.players[number], surname=surname if number <= known else "")
        for number, (_name, surname) in enumerate(PEOPLE, start=1)
    }
    return replace(state, players=told)


def seated(state: Tournament) -> Seating:
    seating = current(state).seating
    assert seating is not None
    return seating


def test_names_of_mixed_order_come_out_in_one_order_by_surname() -> None:
    assert [*in_order(event(), [1, 2, 3, 4]).values()] == ORDERED


def test_where_surnames_are_not_known_names_stand_and_are_sorted_as_written() -> None:
    assert [*in_order(event(known=2), [1, 2, 3, 4]).values()] == [
        "Adam Łoś", "Ćwik Maja", "Jan Nowak (5b)", "Zofia Adamczyk",
    ]  # fmt: skip


def test_one_name_in_ten_typed_by_hand_does_not_change_the_order_of_a_list() -> None:
    people = [f"Jan Nowak{letter}" for letter in "abcdefghij"]
    state = Written("school-league", people).state
    told = {n: replace(one, surname=one.name[4:] if n > 1 else "") for n, one in state.players.items()}
    assert by_surname(replace(state, players=told), [*told])
    assert not by_surname(replace(state, players=told | {2: replace(told[2], surname="")}), [*told])


def test_wall_list_list_by_name_and_results_by_name_say_how_they_are_sorted_and_are() -> None:
    speak("pl")
    for known, title in ((4, "Według nazwisk"), (0, "Alfabetycznie")):
        state = event(known=known)
        (wall,) = pages(wall_pdf(state, current(state), seated(state)))
        by_name = pages(seating_pdf(state, current(state), seated(state)))[1]
        assert title in wall
        assert title in by_name
        if known:
            (results,) = pages(results_pdf(state, current(state), seated(state), "name"))
            for paper in (wall, by_name, results):
                assert sorted(ORDERED, key=paper.index) == ORDERED


def sizes(content: bytes, *texts: str) -> dict[str, set[float]]:
    """In which sizes these texts are printed on the first page."""
    found: dict[str, set[float]] = {text: set() for text in texts}

    def heard(text: str, _matrix: object, _text_matrix: list[float], _font: object, size: float) -> None:
        for one in texts:
            if one in text:
                found[one].add(round(size, 1))

    PdfReader(io.BytesIO(content)).pages[0].extract_text(visitor_text=heard)
    return found


def test_all_names_of_a_score_sheet_are_equally_large_and_what_is_read_at_the_table_can_be() -> None:
    speak("pl")
    state = event()
    content = score_sheets(state, current(state), seated(state).tables)

    (one, *others) = (found for text, found in sizes(content, "Adamczyk", "Ćwik", "Łoś").items())
    assert one
    assert all(other == one for other in others)
    for text, found in sizes(content, "Pierwszą grę zaczyna", "Zaczyna", "wyłożone", "pusty bank").items():
        assert found, text
        assert min(found) >= 9, text


def test_a_table_number_shows_each_side_the_seats_as_they_are_seen_from_there_clockwise() -> None:
    """From A: B to the left, C opposite, D to the right. From C, on the other side of the fold, it is turned."""
    at: dict[str, list[tuple[float, float]]] = {letter: [] for letter in "ABCD"}

    def heard(text: str, matrix: list[float], text_matrix: list[float], _font: object, _size: float) -> None:
        letter = text.strip()
        if letter in at:
            x, y = text_matrix[4], text_matrix[5]
            at[letter].append((
                matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5],
            ))  # fmt: skip

    PdfReader(io.BytesIO(tents_pdf(event(), [1]))).pages[0].extract_text(visitor_text=heard)

    assert [len(places) for places in at.values()] == [2, 2, 2, 2]
    middle = 421
    low = {letter: next(one for one in places if one[1] < middle) for letter, places in at.items()}
    high = {letter: next(one for one in places if one[1] > middle) for letter, places in at.items()}
    for half in (low, high):
        assert half["A"][1] < half["B"][1] < half["C"][1]
        assert half["B"][0] < half["A"][0] < half["D"][0]
