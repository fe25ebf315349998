"""Diplomas: who gets one, what it says, that nothing is cut."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dalej.domain.tournament import tournament as kinds
from dalej.domain.tournament.fold import standings
from dalej.errors import Refused, WrongInput
from dalej.office.paper.diplomas import blank_diploma, diplomas_pdf
from dalej.office.paper.formats import picture
from dalej.office.paper.naming import ordinal
from dalej.words import speak
from tests.office.paper.events import LONG, UNBROKEN, Written, eliminations, finished, league, names
from tests.office.paper.pictures import SVG, png
from tests.office.paper.reading import number_of_pages, pages, without_blanks


def test_the_first_three_of_the_whole_event_have_one_each_with_place_event_day_and_lines_to_sign() -> None:
    made = pages(diplomas_pdf(eliminations().state))

    assert len(made) == 3
    for page, name, place in zip(made, ("Lis", "Sowa", "Żuraw"), ("1st", "2nd", "3rd"), strict=True):
        assert f"awarded to {name} class 4b for {place} place in the Rummikub tournament" in page
        assert "Eliminacje „Pod Dębem” & <b>Las</b> Wejherowo, November 10, 2026" in page
        assert "Head referee" in page
        assert "Organiser" in page


@pytest.mark.parametrize(("surname", "printed"), [("Kos", "Jan Kos"), ("", "Kos Jan")])
def test_the_first_name_stands_first_where_it_is_known_which_word_is_the_surname(surname: str, printed: str) -> None:
    state = eliminations().state
    first = next(one.player for one in standings(state) if one.place == 1)
    player = replace(state.players[first], name="Kos Jan", surname=surname)

    page = pages(diplomas_pdf(replace(state, players={**state.players, first: player})))[0]

    assert f"awarded to {printed} class 4b" in page


def test_a_tie_shares_a_place_and_the_next_one_is_not_given() -> None:
    """Two tables played alike: places 1, 1, 3, 3."""
    made = pages(diplomas_pdf(finished(names(8)).state))

    assert [("for 1st place, shared" in page, "for 3rd place, shared" in page) for page in made] == [
        (True, False), (True, False), (False, True), (False, True),
    ]  # fmt: skip
    assert not any("2nd" in page for page in made)


def test_everybody_else_has_one_for_taking_part_by_class_and_name() -> None:
    state = finished(names(8), ["5a", "5a", "4b", "4b", "5a", "5a", "4a", "10c"]).state

    made = pages(diplomas_pdf(state, (1,), taking_part=True))

    assert len(made) == 8
    assert [page.partition("awarded to ")[2].partition(" for")[0] for page in made[2:]] == [
        "Sarna class 10c", "Wilk class 4a", "Borsuk class 4b", "Wydra class 4b", "Jeż class 5a", "Sowa class 5a",
    ]  # fmt: skip
    assert all("for taking part" in page for page in made[2:])


@pytest.mark.parametrize(
    ("group", "printed"),
    [
        ("5b", "klasa 5b"), ("7 A", "klasa 7 A"), ("10ć", "klasa 10ć"), ("Wejherowo", "Wejherowo"), ("SP 3", "SP 3"),
        ("2026", "2026"), ("3 Maja", "3 Maja"),
    ],
)  # fmt: skip
def test_a_class_is_called_one_and_a_club_or_town_stands_as_it_is(group: str, printed: str) -> None:
    speak("pl")
    whole = pages(diplomas_pdf(finished(names(8), [group] * 8).state, (1,)))[0]
    of_class = pages(diplomas_pdf(finished(names(8), [group] * 8).state, (1,), groups=True))[0]

    assert f"otrzymuje Lis {printed} za zajęcie I miejsca" in whole
    assert (f"w klasie {group}" in of_class) == printed.startswith("klasa")
    assert (f"w kategorii {group}" in of_class) != printed.startswith("klasa")


def test_of_each_class_the_best_whoever_is_better_elsewhere() -> None:
    state = finished(names(8), ["5a", "5a", "5a", "5a", "4b", "4b", "4b", ""]).state

    made = pages(diplomas_pdf(state, (1, 2), groups=True))

    assert [page[page.index("for ") : page.index(" in the Rummikub")] for page in made] == [
        "for 1st place in class 4b", "for 2nd place in class 4b", "for 1st place in class 5a",
        "for 2nd place in class 5a",
    ]  # fmt: skip
    assert "Sarna" not in "".join(made), "who has no class has no place in one"


def test_who_was_excluded_and_who_never_played_has_none_and_who_withdrew_has() -> None:
    written = finished(names(8))
    written.add(kinds.PLAYER, {
        "player": 9, "name": "Puma", "group": "4b", "qualified": False, "consent": None,
    }, "player:9")  # fmt: skip
    written.add(kinds.GONE, {"player": 2, "how": "excluded"}, "gone:2")
    written.add(kinds.GONE, {"player": 3, "how": "withdrawn"}, "gone:3")

    text = "".join(pages(diplomas_pdf(written.state, taking_part=True)))

    assert "Sowa" not in text
    assert "Puma" not in text
    assert "Borsuk" in text


@pytest.mark.parametrize("language", ["pl", "en", "it"])
def test_a_name_of_any_length_is_whole_on_its_page_in_every_language(language: str) -> None:
    speak(language)
    state = finished([LONG, UNBROKEN, *names(6)], [f"Szkoła {LONG}"] * 8, name=f"{LONG} {LONG}").state

    made = [without_blanks(page) for page in pages(diplomas_pdf(state, range(1, 9)))]

    assert len(made) == 8
    for player, page in zip((LONG, UNBROKEN), (made[0], made[2]), strict=True):
        assert without_blanks(player) in page
    assert all(without_blanks(f"{LONG} {LONG}") in page for page in made)
    assert all(without_blanks(f"Szkoła {LONG}") in page for page in made)


def test_namesakes_told_apart_by_their_class_have_it_once() -> None:
    state = finished(["Lis (4b)", "Lis (5a)", *names(8)[2:]], ["4b", "5a", *["4b"] * 6]).state

    made = pages(diplomas_pdf(state, range(1, 9)))

    for group in ("4b", "5a"):
        (page,) = (page for page in made if f"awarded to Lis class {group} for" in page)
        assert page.count(group) == 1


@pytest.mark.parametrize(
    ("language", "first", "shared"),
    [
        (
            "pl",
            "otrzymuje Lis klasa 4b za zajęcie I miejsca w turnieju Rummikuba",
            "za zajęcie III miejsca ex aequo",
        ),
        ("it", "conferito a Lis classe 4b 1º posto nel torneo di Rummikub", "3º posto ex aequo"),
    ],
)
def test_the_name_stands_as_it_was_signed_up_whatever_the_language(language: str, first: str, shared: str) -> None:
    speak(language)

    assert first in pages(diplomas_pdf(eliminations().state, (1,)))[0]
    assert shared in pages(diplomas_pdf(finished(names(8)).state))[-1]


@pytest.mark.parametrize(
    ("language", "places"),
    [
        ("en", ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th"]),
        ("pl", ["I", "II", "III", "IV", "11.", "12.", "13.", "21.", "111."]),
        ("it", ["1º", "2º", "3º", "4º", "11º", "12º", "13º", "21º", "111º"]),
    ],
)
def test_places_as_each_language_writes_them(language: str, places: list[str]) -> None:
    speak(language)

    assert [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 111)] == places


def test_before_everything_has_been_played_there_are_none() -> None:
    with pytest.raises(Refused, match="the last round is not closed yet"):
        diplomas_pdf(league(8).state)
    with pytest.raises(Refused, match="the last round is not closed yet"):
        diplomas_pdf(Written("school-league", names(8)).state, taking_part=True)


def test_by_class_there_are_none_where_nobody_has_one() -> None:
    with pytest.raises(Refused, match="no player has a class, club or town"):
        diplomas_pdf(finished(names(8), [" "] * 8).state, groups=True)


def test_places_that_nobody_has_are_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match="nobody stands at these places") as refused:
        diplomas_pdf(finished(names(8)).state, (2, 9))
    assert refused.value.data == {"last": 7}


def test_one_to_be_filled_in_needs_nobody_and_no_result() -> None:
    (page,) = pages(blank_diploma(Written("school-league", names(8)).state))

    assert "awarded to in the Rummikub tournament Liga Leśna" in page


def test_the_day_is_left_to_be_written_where_nobody_knows_it() -> None:
    written = Written("school-league", names(8))
    written.add(kinds.EVENT, {"name": "Liga", "town": "Wejherowo", "date": "", "closed": False}, "event")

    (page,) = pages(blank_diploma(written.state))

    assert "Wejherowo, ____" in page


def test_ninety_six_players_have_a_page_each_and_the_logo_once_in_the_file() -> None:
    state = finished(names(96)).state

    plain, with_logo = (diplomas_pdf(state, taking_part=True, logo=logo) for logo in (b"", png(400)))

    assert number_of_pages(plain) == 96
    assert len(plain) < 96 * 12_000
    assert number_of_pages(with_logo) == 96
    assert len(with_logo) - len(plain) < 60_000


@pytest.mark.parametrize(("name", "content"), [("logo.png", png()), ("logo.svg", SVG)])
def test_a_logo_is_read_whatever_its_file_is_called(tmp_path: Path, name: str, content: bytes) -> None:
    file = tmp_path / f"żółty {name}.bin"
    file.write_bytes(content)

    assert picture(str(file)) == content
    assert number_of_pages(blank_diploma(league(8).state, picture(str(file)))) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"", b"a letter to the parents", png()[:40], b"\x89PNG\r\n\x1a\n", b"<svg", b"%PDF-1.7",
        SVG.replace(b"</svg>", b'<image href="/etc/hostname" width="9" height="9"/></svg>'),
    ],
)  # fmt: skip
def test_what_is_no_picture_is_refused_by_its_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "logo.png"
    file.write_bytes(content)

    with pytest.raises(WrongInput, match="is no picture that can be printed"):
        picture(str(file))


def test_a_picture_too_large_or_not_there_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.png"
    large.write_bytes(b"\0" * 8_000_001)

    with pytest.raises(WrongInput, match="too large"):
        picture(str(large))
    with pytest.raises(WrongInput, match="cannot be read"):
        picture(str(tmp_path))


def test_the_same_event_gives_the_same_bytes() -> None:
    state = finished(names(8)).state
    assert diplomas_pdf(state, logo=png()) == diplomas_pdf(state, logo=png())


def test_a_name_is_never_markup() -> None:
    written = finished(["#panic()", "*Sowa* $x$", "`Jeż` @ref <b>", "Lis // \\ [x]"])

    made = pages(diplomas_pdf(written.state, range(1, 5)))

    assert all(any(name in page for page in made) for name in written.names)
