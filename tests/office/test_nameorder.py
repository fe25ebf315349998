"""Which word of a name is the surname: it is the one that is shortened in public."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.errors import DalejError, WrongInput
from dalej.office.acts.players import ChangePlayer
from dalej.office.nameorder import FIRST_NAME_FIRST, SURNAME_FIRST, Order, apart, is_first_name, order_of, surname_in
from dalej.office.publicnames import short
from dalej.office.signups import SignUp, enter, read
from dalej.views.signupwords import remarks
from tests import world

UNKNOWN = ["Lis Rudy", "Borsuk Mały", "Wydra Szara"]


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (["Róg Anna", "Bóbr Jan", "Żuk Maria"], SURNAME_FIRST),
        (["Anna Róg", "Jan Bóbr", "Maria Żuk"], FIRST_NAME_FIRST),
        (["Róg Anna (5b)", "Bóbr Jan", "Żuk Maria"], SURNAME_FIRST),
        (["Róg, Xyz", "Bóbr, Abc"], SURNAME_FIRST), (UNKNOWN, None), (["Lis"], None),
        (["Róg Anna", "Jan Bóbr", "Maria Żuk"], None), (["Marek Anna", "Adam Jan"], None),
        (["Róg Anna", *(f"Kos {word}" for word in ("Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg"))], None), ([], None),
    ],
)  # fmt: skip
def test_first_names_that_are_known_say_what_stands_first(names: list[str], order: Order | None) -> None:
    assert order_of(names) == order


def test_a_list_by_the_alphabet_goes_by_surnames() -> None:
    surnames = ["Bąk", "Ćma", "Kos", "Łoś", "Mól", "Osa", "Ryś", "Żuk"]
    seconds = ["Xe", "Xa", "Xi", "Xo", "Xb", "Xu", "Xy", "Xc"]
    pairs = list(zip(surnames, seconds, strict=True))

    assert order_of([f"{one} {two}" for one, two in pairs]) == SURNAME_FIRST
    assert order_of([f"{two} {one}" for one, two in pairs]) == FIRST_NAME_FIRST
    assert order_of([f"{one} {two}" for one, two in reversed(pairs)]) is None


@pytest.mark.parametrize(
    ("name", "order", "surname"),
    [
        ("Róg Anna", SURNAME_FIRST, "Róg"), ("Anna Róg", FIRST_NAME_FIRST, "Róg"), ("Lis", SURNAME_FIRST, ""),
        ("Róg Anna Maria", SURNAME_FIRST, "Róg"), ("Anna Maria Róg", FIRST_NAME_FIRST, "Róg"),
        ("Jan Marek", FIRST_NAME_FIRST, "Marek"), ("de la Rosa Xyz", SURNAME_FIRST, "de la Rosa"),
        ("Anna Róg (5b)", FIRST_NAME_FIRST, "Róg"), ("Anna Xyz Róg", FIRST_NAME_FIRST, ""),
        ("Xyz Róg", FIRST_NAME_FIRST, "Róg"), ("Lis", FIRST_NAME_FIRST, ""),
    ],
)  # fmt: skip
def test_one_word_is_left_for_each(name: str, order: Order, surname: str) -> None:
    assert surname_in(name, order) == surname


@pytest.mark.parametrize(
    ("name", "public"),
    [("Róg Anna", "Anna R."), ("Anna Róg", "Anna R."), ("Róg Anna Maria", "Anna Maria R."), ("Lis Rudy", "Lis R."),
     ("Żurek Łukasz", "Łukasz Ż."), ("Marek Anna", "Marek A."), ("Kos Anna-Maria", "Anna-Maria K.")],
)  # fmt: skip
def test_a_name_that_was_typed_by_itself_is_shortened_by_the_first_name_that_is_known(name: str, public: str) -> None:
    assert short(name, "") == public


def test_what_the_list_said_goes_before_what_is_known() -> None:
    assert apart("Marek Anna", "Marek") == ("Anna", "Marek", True)
    assert is_first_name("ŁUKASZ")


@pytest.mark.parametrize("heading", ["Uczeń", "Zawodnik"])
def test_a_school_s_list_under_a_heading_that_does_not_say_it_is_shortened_in_public_by_the_surname(
    heading: str,
) -> None:
    found = read(f"{heading};Klasa\nRóg Anna;5b\nBóbr Xyz;5b\nŻuk Maria;5a\nKret Jan;5a\n".encode(), "list.csv")

    assert (found.order, found.guessed, found.doubtful) == (SURNAME_FIRST, True, False)
    assert [short(one.name, one.surname) for one in found.players] == ["Anna R.", "Xyz B.", "Maria Ż.", "Jan K."]


def test_a_row_that_stands_the_other_way_round_is_read_so_and_told_of_unless_a_heading_says_it() -> None:
    rows = "Róg Anna\nBóbr Piotr\nJan Kos\nŻuk Maria\nKret Ewa\n"
    guessed, said = (read(f"{heading}\n{rows}".encode(), "list.csv") for heading in ("Uczeń", "Nazwisko i imię"))

    assert (guessed.otherwise, said.otherwise) == (("Jan Kos",), ("Jan Kos",))
    assert [short(one.name, one.surname) for one in guessed.players] == [
        "Anna R.", "Piotr B.", "Jan K.", "Maria Ż.", "Ewa K.",
    ]  # fmt: skip
    assert [one.surname for one in said.players][2] == "Jan"
    names = [one.name for one in guessed.players]
    new = [{"name": name, "group": "", "consent": None} for name in names]
    assert "read the other way round than the others: Jan Kos" in remarks(guessed, new)
    assert "the heading counts, though these look the other way round: Jan Kos" in remarks(said, new)


def test_whoever_turns_a_name_round_says_by_it_which_word_is_the_surname(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 4) as event:
        for change, surname, told in (
            (ChangePlayer(player=1, full_name="Jan Kos", surname="Jan"), "Jan", "Kos J."),
            (ChangePlayer(player=1, full_name="Kos Jan"), "Kos", "Jan K."),
            (ChangePlayer(player=1, full_name="Kost Jan"), "Kos", "Jan K."),
        ):
            said = str(change.do(event, change.wish()))
            assert (event.state().players[1].surname, told in said) == (surname, True), said


def test_a_second_child_of_a_name_that_is_told_apart_already_needs_a_hint_too(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 4) as event:
        event.change(lambda state: enter(state, [SignUp(0, "Kos Jan (4a)", "4a"), SignUp(0, "Kos Jan (5b)", "5b")]))
        for group in ("4a", "6c"):
            with pytest.raises(DalejError, match="put class or initial behind"):
                enter(event.state(), [SignUp(0, "Kos Jan", group)])
        event.change(lambda state: enter(state, [SignUp(0, "Kos Jan (6c)", "6c")]))


def test_where_nothing_says_it_that_is_told_and_whoever_sends_the_list_can_say_it() -> None:
    data = "\n".join(["Uczeń", *UNKNOWN]).encode()

    assert read(data, "list.csv").doubtful
    assert [one.surname for one in read(data, "list.csv").players] == ["", "", ""]
    said = read(data, "list.csv", order=SURNAME_FIRST)
    assert (said.doubtful, said.guessed) == (False, False)
    assert [one.surname for one in said.players] == ["Lis", "Borsuk", "Wydra"]


def test_a_class_that_is_corrected_leaves_the_surname_that_was_told(tmp_path: Path) -> None:
    with world.an_event(tmp_path, 4) as event:
        number = 1
        name = f"{event.state().players[number].name} Xyz"
        for change, surname in (
            (ChangePlayer(player=number, full_name=name, surname="Xyz"), "Xyz"),
            (ChangePlayer(player=number, group="4c", surname=""), "Xyz"),
            (ChangePlayer(player=number, group="4d"), "Xyz"),
        ):
            change.do(event, change.wish())
            assert event.state().players[number].surname == surname
        wrong = ChangePlayer(player=number, surname="Abc")
        with pytest.raises(WrongInput, match="is not the surname in"):
            wrong.do(event, wrong.wish())
