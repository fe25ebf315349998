"""What people write into the final form: fields by their names in three languages, days and numbers as they come."""

from __future__ import annotations

from datetime import date

import pytest

from dalej.domain.tournament.tournament import Mark, Player
from dalej.event.ledger import PERSONAL_FIELDS
from dalej.office import formdata
from dalej.office.finalists import known, needs_consent
from dalej.office.nameorder import apart
from dalej.words import LANGUAGES

TODAY = date(2026, 11, 28)
FINAL = date(2026, 11, 28)


def player(name: str, surname: str = "", town: str = "", consent: bool | None = None) -> Player:
    return Player(1, name, Mark(1, "Sowa", 0, ""), consent=consent, surname=surname, town=town)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("Imię", "first_name"), ("NAZWISKO", "surname"), ("Data urodzenia", "born"), ("data_urodzenia", "born"),
        ("Telefon", "phone"), ("E-mail", "email"), ("Zgoda rodzica", "consent"), ("Miasto", "town"),
        ("Cognome", "surname"), ("Data di nascita", "born"), ("consenso", "consent"), ("first_name", "first_name"),
        ("Zgoda rodzica/opiekuna", "consent"), ("PESEL", None), ("", None),
    ],
)  # fmt: skip
def test_a_field_goes_by_its_name_in_three_languages_and_by_its_key(text: str, field: str | None) -> None:
    assert formdata.field_of(text) == field


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_is_known_by_the_title_that_the_reader_is_shown(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    titles = [formdata.title(field) for field in formdata.FIELDS]
    assert [formdata.field_of(title) for title in titles] == list(formdata.FIELDS)
    assert len(set(titles)) == len(PERSONAL_FIELDS) + 1


@pytest.mark.parametrize(
    "text",
    [
        "4.05.2013", "04.05.2013", "4. 5. 2013", "4.05.2013 r.", "4-05-2013", "2013-05-04", "2013.05.04", "2013/5/4",
        "4 maja 2013", "4 maja 2013 r.", "4 Maggio 2013", "4 May 2013", "May 4, 2013",
    ],
)  # fmt: skip
def test_a_day_is_read_as_people_write_it(text: str) -> None:
    assert formdata.value_of("born", text, TODAY) == "2013-05-04"


@pytest.mark.parametrize(("language", "read"), [("pl", True), ("it", True), ("en", False)])
def test_a_day_with_slashes_is_read_where_nobody_puts_the_month_first(
    language: str, read: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    found = formdata.read([("born", "4/05/2013")], TODAY)
    assert (found.values, sorted(found.wrong)) == (({"born": "2013-05-04"}, []) if read else ({}, ["born"]))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("600 000 001", "600 000 001"), ("600-000-001", "600-000-001"), ("600–000–001", "600-000-001"),
        ("+48600000001", "+48600000001"), ("(22) 555 00 01", "(22) 555 00 01"), ("tel. 600 000 001", "600 000 001"),
        ("0048 600 000 001", "0048 600 000 001"), ("600\N{NO-BREAK SPACE}000 001", "600 000 001"),
    ],
)  # fmt: skip
def test_a_phone_number_is_read_as_people_write_it(text: str, kept: str) -> None:
    assert formdata.value_of("phone", text, TODAY) == kept


@pytest.mark.parametrize("text", ["12", "ask at home", "600 000 001 mum", "1234 5678 9012 3456 78", "+"])
def test_what_is_no_phone_number_is_none(text: str) -> None:
    assert list(formdata.read([("phone", text)], TODAY).wrong) == ["phone"]


def test_all_that_is_wrong_is_told_and_all_that_is_right_is_there() -> None:
    found = formdata.read(
        [("born", "May"), ("town", " Reda "), ("email", "lis"), ("consent", "perhaps"), ("surname", "Rudy")], TODAY
    )
    assert found.values == {"town": "Reda", "surname": "Rudy"}
    assert list(found.wrong) == ["born", "email", "consent"]
    assert found.consent is None


@pytest.mark.parametrize(("text", "consent"), [("tak", True), ("x", True), ("nie", False), ("sì", True), ("", None)])
def test_a_consent_is_answered_in_three_languages_or_left_open(text: str, consent: bool | None) -> None:
    assert formdata.read([("consent", text)], TODAY).consent is consent


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (player("Jan Nowak", "Nowak"), ("Jan", "Nowak", True)), (player("Nowak Jan", "Nowak"), ("Jan", "Nowak", True)),
        (player("Anna Maria Nowak Kos", "Nowak Kos"), ("Anna Maria", "Nowak Kos", True)),
        (player("Jan Nowak (4b)", "Nowak"), ("Jan", "Nowak", True)),
        (player("Jan Nowak"), ("Jan", "Nowak", False)), (player("Lis"), ("Lis", "", False)),
        (player("Jan Kowal", "Nowak"), ("Jan", "Kowal", False)),
    ],
)  # fmt: skip
def test_a_name_is_taken_apart_as_the_list_said_whatever_its_order(one: Player, told: tuple[str, str, bool]) -> None:
    assert tuple(apart(one.name, one.surname)) == told


def test_what_the_event_knows_for_sure_is_the_name_that_the_list_took_apart_and_the_town() -> None:
    assert known(player("Nowak Jan", "Nowak", "Reda")) == {"first_name": "Jan", "surname": "Nowak", "town": "Reda"}
    assert known(player("Nowak Jan")) == {}


@pytest.mark.parametrize(
    ("consent", "born", "lacks"),
    [
        (True, "", False), (None, "", True), (False, "2013-05-04", True), (False, "2008-11-28", False),
        (False, "2008-11-29", True), (None, "1980-01-01", False),
    ],
)  # fmt: skip
def test_whoever_is_of_age_on_the_day_of_the_final_needs_no_parents_consent(
    consent: bool | None, born: str, lacks: bool
) -> None:
    assert needs_consent(player("Lis", consent=consent), born, FINAL) is lacks
