"""The final form (pl-eliminations, ORGANIZACJA 10)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.fold import standings
from dalej.errors import Refused
from dalej.office.finalists import finalists
from dalej.office.paper import finalform
from dalej.office.paper.finalform import final_form
from tests.office.paper.events import eliminations, league
from tests.office.paper.reading import pages

ASKED = {
    1: {
        "first_name": "Łukasz", "surname": "Żółwiński", "town": "Wejherowo", "born": "2013-05-04",
        "email": "zolw@example.org", "phone": "+48 600 000 001",
    },
    2: {"first_name": "Gęś", "phone": "+48 600 000 002"},
}  # fmt: skip


def test_organizacja_10_the_form_holds_the_finalists_in_block_capitals_with_three_signatures() -> None:
    state = eliminations().state

    (page,) = pages(final_form(state, finalists(state, standings(state)), ASKED))

    for text in ("ŁUKASZ", "ŻÓŁWIŃSKI", "WEJHEROWO", "2013-05-04", "ZOLW@EXAMPLE.ORG", "GĘŚ", "ELIMINACJE „POD DĘBEM”"):
        assert text in page
    assert "Łukasz" not in page
    assert page.count("Signature") == 3
    assert page.count("First name") == 4


def test_organizacja_10_only_the_winners_phone_is_on_the_form() -> None:
    state = eliminations().state

    (page,) = pages(final_form(state, finalists(state, standings(state)), ASKED))

    assert "+48 600 000 001" in page
    assert "+48 600 000 002" not in page


def test_organizacja_10_two_working_days_after_the_eve_of_a_holiday() -> None:
    state = eliminations().state  # on the 10th of November; the 11th is a holiday

    (page,) = pages(final_form(state, finalists(state, standings(state)), {}))

    assert "by November 13, 2026 (ORGANIZACJA 10)" in page


def test_the_form_says_whose_parents_consent_is_missing_and_no_more_of_whoever_is_of_age() -> None:
    state = eliminations().state  # of whom every second has a parent's consent: 2 and 6 have none
    people = finalists(state, standings(state))

    (page,) = pages(final_form(state, people, {}))
    (of_age,) = pages(final_form(state, people, {2: {"born": "1980-01-01"}, 6: {"born": "2013-05-04"}}))

    assert "may not be sent yet: Sowa, Jeż" in page
    assert page.count("CONSENT MISSING") == 2
    assert "may not be sent yet: Jeż" in of_age
    assert of_age.count("CONSENT MISSING") == 1


def test_organizacja_10_the_last_day_is_said_as_polish_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "pl")
    state = eliminations().state

    (page,) = pages(final_form(state, finalists(state, standings(state)), ASKED))

    assert "13 listopada 2026 (ORGANIZACJA 10)" in page
    assert "4.05.2013" in page


def test_before_the_final_is_played_places_stay_blank_and_nobody_is_the_winner() -> None:
    state = eliminations(over=False).state
    people = finalists(state, standings(state))

    (page,) = pages(final_form(state, people, ASKED))

    assert {line.player for line in people} == {1, 2, 5, 6}
    assert "600 000 001" not in page


def test_a_ruleset_without_a_form_and_an_event_without_finalists_are_refused() -> None:
    with pytest.raises(Refused, match="asks for no final form"):
        finalists(league().state, [])
    written = eliminations(over=False)
    written.drafts = [draft for draft in written.drafts if draft[2] != "advanced:final"]
    with pytest.raises(Refused, match="nobody has come into the final yet"):
        finalists(written.state, standings(written.state))


@given(st.dates(date(2020, 1, 1), date(2060, 12, 31)), st.integers(1, 60), st.sampled_from(["pl", "it", "en"]))
def test_between_the_event_and_the_last_day_lie_exactly_so_many_working_days(
    start: date, days: int, country: str
) -> None:
    due = finalform.after(start, days, country)

    between = [date.fromordinal(number) for number in range(start.toordinal() + 1, due.toordinal() + 1)]
    working = [day for day in between if day.weekday() < 5 and not finalform.is_holiday(day, country)]
    assert len(working) == days
    assert working[-1] == due


@pytest.mark.parametrize(
    ("country", "day", "free"),
    [
        ("it", "2024-10-04", False), ("it", "2027-10-04", True), ("it", "2028-10-04", True),
        ("pl", "2027-10-04", False), ("pl", "2024-12-24", False), ("pl", "2025-12-24", True),
        ("it", "2025-12-24", False),
    ],
)  # fmt: skip
def test_a_holiday_that_a_law_has_made_is_one_from_its_year_on(country: str, day: str, free: bool) -> None:
    """San Francesco in Italy from 2026 on, Christmas Eve in Poland from 2025 on."""
    assert finalform.is_holiday(date.fromisoformat(day), country) == free


def test_the_last_day_of_a_form_jumps_over_san_francesco() -> None:
    friday = date(2027, 10, 1)
    assert finalform.after(friday, 1, "it") == date(2027, 10, 5)
    assert finalform.after(friday, 1, "pl") == date(2027, 10, 4)


@pytest.mark.parametrize("day", ["2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28", "2038-04-25", "2049-04-18"])
def test_easter_falls_where_the_church_says(day: str) -> None:
    assert finalform.easter(int(day[:4])).isoformat() == day
