"""Sign-up lists as forms and spreadsheets write them: read where it is certain, else refused with the place."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.errors import WrongInput
from dalej.office.players import folded
from dalej.office.signups import SignUp, SignUps, read, score
from dalej.office.spreadsheets import BYTES_MOST

FILE = "list.csv"
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1250", "iso-8859-2")


def read_text(text: str, encoding: str = "utf-8") -> SignUps:
    return read(text.encode(encoding), FILE)


def names(signups: SignUps) -> list[str]:
    return [player.name for player in signups.players]


POLISH = "aąbcćdeęfghijklłmnńoóprsśtuwyzźżABCĆDEĘFGHIJKLŁMNŃOÓPRSŚTUWYZŹŻ"
SHARED = "áâäçéëíîôöúüýßÁÉÖÜ"
LETTERS = st.text(POLISH + SHARED + "xqvàèìòùšžĄ", min_size=1, max_size=12)
WORDS = st.lists(st.one_of(st.text(POLISH, min_size=1, max_size=12), LETTERS), min_size=1, max_size=3).map(" ".join)
CELLS = st.one_of(WORDS, st.tuples(WORDS, st.sampled_from(";,|'\"-"), WORDS).map("".join))


@given(
    st.lists(CELLS.filter(lambda name: len(name) <= 60), min_size=1, max_size=6, unique_by=folded),
    st.sampled_from(ENCODINGS), st.sampled_from(";,\t|"), st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([["imię i nazwisko"], ["name", "class"], ["e-mail", "nome e cognome", "classe"]]),
)  # fmt: skip
def test_any_table_of_names_is_read_back_or_refused_never_read_wrong(
    people: Sequence[str], encoding: str, delimiter: str, end: str, header: Sequence[str]
) -> None:
    # š and ž lie in ISO-8859-2 where cp1250 has ą and ľ: there is no telling, so Polish is taken for Polish
    if encoding == "iso-8859-2" and set("šž") & set("".join(people)):
        return
    table = io.StringIO()
    writer = csv.writer(table, delimiter=delimiter, lineterminator=end)
    writer.writerow(header)
    place = 1 if header[0] == "e-mail" else 0
    for name in people:
        writer.writerow([name if column == place else "x" for column in range(len(header))])
    try:
        data = table.getvalue().encode(encoding)
    except UnicodeEncodeError:
        return
    with suppress(WrongInput):
        found = read(data, FILE)
        assert names(found) == [" ".join(name.split()) for name in people]


@given(
    st.lists(
        st.text(POLISH, min_size=1, max_size=12).filter(lambda name: not score([name])),
        min_size=1, max_size=8, unique_by=folded,
    ),
    st.sampled_from(["utf-8-sig", "utf-16"]),
)  # fmt: skip
def test_whatever_begins_with_a_mark_is_read(people: Sequence[str], encoding: str) -> None:
    assert names(read_text("\n".join(["imię", *people]), encoding)) == list(people)


FOREST = ("Łoś", "Gęś", "Zając", "Źrebak", "Żółw", "Bóbr", "Wąż", "Świstak", "Ćma", "Jeż", "Lis", "Sowa")


@given(
    st.lists(st.sampled_from(FOREST), min_size=1, unique=True), st.sampled_from(ENCODINGS), st.sampled_from(";,\t|"),
)  # fmt: skip
def test_polish_names_are_read_in_every_encoding_and_with_every_delimiter(
    people: Sequence[str], encoding: str, delimiter: str
) -> None:
    text = "".join(f"{name}{delimiter}4b\r\n" for name in ("Imię", *people)).replace("4b", "Klasa", 1)
    assert names(read_text(text, encoding)) == list(people)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_and_nothing_else(data: bytes) -> None:
    with suppress(WrongInput):
        read(b"name;class\n" + data, FILE)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_polish_excel_writes_is_read_in_every_encoding_it_may_have(encoding: str) -> None:
    found = read_text("Imię i nazwisko;Klasa\r\nŁoś Śpioch;4b\r\nZając Źrebak;5a\r\n", encoding)
    assert found.players == (
        SignUp(2, "Łoś Śpioch", "4b", surname="Śpioch"), SignUp(3, "Zając Źrebak", "5a", surname="Źrebak"),
    )  # fmt: skip


def test_a_form_is_read_without_what_is_nobodys_business() -> None:
    found = read_text(
        "Sygnatura czasowa,E-mail,Imię ucznia,Nazwisko ucznia,Klasa,PESEL,Imię i nazwisko rodzica,Zgoda rodzica\n"
        '2026/11/02 8:15:00,a@b,Łoś,Mały,4b,123,Łoś Duży,"Tak, wyrażam zgodę"\n'
    )
    assert found.players == (SignUp(2, "Łoś Mały", "4b", consent=True, surname="Mały"),)
    assert found.unread == ("Sygnatura czasowa", "E-mail", "PESEL", "Imię i nazwisko rodzica")


@pytest.mark.parametrize(
    "header",
    [
        "Nome;Cognome;Classe",
        "NAME;SURNAME;CLASS",
        "first name;last name;school",
        "Imię;NAZWISKO;Szkoła",
        "Imię;Nazwisko;Kl.",
    ],
)
def test_columns_are_known_in_three_languages(header: str) -> None:
    assert read_text(f"{header}\nLis;Rudy;4b\n").players == (SignUp(2, "Lis Rudy", "4b", surname="Rudy"),)


@pytest.mark.parametrize(
    ("text", "surname"),
    [
        ("Imię i nazwisko\nJan Nowak\n", "Nowak"), ("Nazwisko i imię\nNowak Jan\n", "Nowak"),
        ("Nazwisko i imię ucznia\nNowak Jan\n", "Nowak"), ("Cognome e nome\nRossi Anna\n", "Rossi"),
        ("Nazwisko;Imię\nKos Nowak;Anna Maria\n", "Kos Nowak"),
        ("Imię i nazwisko\nAnna Maria Nowak\n", "Nowak"), ("Imię i nazwisko\nAnna Xyz Nowak\n", ""),
        ("Imię i nazwisko\nLis\n", ""), ("Gracz\nJan Nowak\n", "Nowak"), ("Gracz\nLis Rudy\n", ""),
    ],
)  # fmt: skip
def test_the_heading_or_a_first_name_says_which_word_is_the_surname_or_nobody_does(text: str, surname: str) -> None:
    assert [one.surname for one in read_text(text).players] == [surname]


def test_a_town_is_one_where_the_heading_says_so() -> None:
    found = read_text("gracz;klasa;miasto\nLis;4b;Reda\nSowa;4c;\n").players
    assert [(one.group, one.town) for one in found] == [("4b, Reda", "Reda"), ("4c", "")]


def test_empty_lines_and_trailing_empty_columns_are_passed_over() -> None:
    assert names(read_text("name;class;;\r\n\r\nLis;4b;;\r\n;;;\r\nSowa;;;\r\n")) == ["Lis", "Sowa"]


@pytest.mark.parametrize(
    "last", [";Razem;", "Razem;2;", ";Suma: 2 osoby;", ";Totale;2", "Łącznie;;2", ";TOTAL;2\n;Sum;4", "3;Razem;2"]
)
def test_sums_below_a_list_are_nobody_and_are_named(last: str) -> None:
    found = read_text(f"Lp.;Imię i nazwisko;Klasa\n1;Lis;4b\n2;Sowa;4b\n{last}\n")
    assert (names(found), len(found.table.sums)) == (["Lis", "Sowa"], 1 + last.count("\n"))


@pytest.mark.parametrize("player", ["Anna Suma;4b", "Suma;4b", "Razem Lis;", "Total;5a", "Suma;\nLis;4b"])
def test_somebody_who_is_called_so_is_no_sum(player: str) -> None:
    found = read_text(f"Imię i nazwisko;Klasa\n{player}\n")
    assert (names(found)[0], found.table.sums) == (player.partition(";")[0], ())


def test_a_sum_between_two_classes_is_nobody() -> None:
    found = read_text("Imię i nazwisko;Klasa\nLis;4a\nRazem;1\nSowa;4b\nRazem;1\n")
    assert (names(found), found.table.sums) == (["Lis", "Sowa"], (3, 5))


def test_a_line_that_tells_the_delimiter_is_obeyed_and_counted() -> None:
    assert read_text("sep=,\nname,class\nLis,4b\n").players == (SignUp(3, "Lis", "4b"),)


def test_qualified_and_consent_may_be_left_open() -> None:
    found = read_text("name;zakwalifikowany;zgoda\nLis;tak;nie\nSowa;;\nJeż;nie;x\n").players
    assert [(one.qualified, one.consent) for one in found] == [(True, False), (False, None), (False, True)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("klasa;e-mail\n4b;x\n", "line 1: no column holds the name.*found: “klasa”, “e-mail”"),
        ("name\nLis\nSowa\nLÍS\n", "lines 2 and 4: “LÍS” twice"),
        ("name;class\nLis;4b\nSowa;4b;5a\n", "line 3: 3 columns"),
        ("name;class\nLis,4b\n", "line 2: 1 columns"),
        ("name\nLis, Rudy\n", "line 2: it is not certain"),
        ('name;class\n"Lis;4b\nSowa;4b\n', "line 2: a quotation mark"),
        ("name;zgoda\nLis;może\n", "line 2: under the heading zgoda \\(cell B2\\): “może”, expected yes"),
        ("name;imię\nLis;Lis\n", None),
        ("name;full name\nLis;Lis\n", "line 1: the columns “name”, “full name” say the same"),
        ("name\n" + "x" * 61 + "\n", "line 2: .*61 characters"),
        ("name\nLis\x07\n", "line 2: .*character 4 cannot be read"),
        ("name\n7\n", "line 2: .*no letter"),
        ("", "is empty"),
        ("\n;;\n", "no column|is empty"),
        ("name\nLi\0s\n", "line 2, column 3: a byte that no text has"),
    ],
)
def test_what_is_not_certain_is_refused_with_its_place(text: str, message: str | None) -> None:
    if message is None:
        assert names(read_text(text)) == ["Lis Lis"]
        return
    with pytest.raises(WrongInput, match=message):
        read_text(text)


def test_utf_8_that_breaks_off_is_refused_with_line_column_and_advice() -> None:
    data = "name\nŁoś\n".encode() + b"\xffLis\n"
    with pytest.raises(WrongInput, match=r"line 2, column 1: .*expected an encoding"):
        read(data, FILE)
    with pytest.raises(WrongInput, match=r"line 3, column 1: not utf-8"):
        read(data, FILE, "utf-8")


def test_italian_letters_of_another_code_page_are_not_guessed_but_read_when_told() -> None:
    data = "nome;classe\nNicolò;1A\n".encode("cp1252")
    with pytest.raises(WrongInput, match=r"line 2, column 6: “Nicolň” / “Nicolò”; nobody can tell"):
        read(data, FILE)
    assert names(read(data, FILE, "cp1252")) == ["Nicolò"]


def test_an_encoding_that_contradicts_the_mark_is_refused() -> None:
    with pytest.raises(WrongInput, match="begins as utf-8 does"):
        read("name\nLis\n".encode("utf-8-sig"), FILE, "cp1250")


def test_a_file_of_fifty_megabytes_is_refused_unread() -> None:
    with pytest.raises(WrongInput, match="larger than 10 MB"):
        read(b"x" * (BYTES_MOST + 1), FILE)


def test_more_players_than_any_event_has_are_refused() -> None:
    with pytest.raises(WrongInput, match="5001 players"):
        read_text("name\n" + "".join(f"Lis {number}\n" for number in range(5001)))


def test_headings_are_found_below_a_title_and_on_every_page_of_a_printed_list() -> None:
    found = read_text(
        "Liga Leśna, jesień;\n;\nLp.;Imię i nazwisko;Klasa\n1.;Lis;4b\nLp.;Imię i nazwisko;Klasa\n2.;Sowa;5a\n3.\n"
    )
    assert found.players == (SignUp(4, "Lis", "4b"), SignUp(6, "Sowa", "5a"))
    assert (found.table.line, found.table.above) == (3, ("Liga Leśna, jesień",))


def test_two_tables_one_below_the_other_are_refused_with_both_lines() -> None:
    with pytest.raises(WrongInput, match="lines 1 and 3: both name columns"):
        read_text("name;x\nLis;1\nname;class\nSowa;4b\n")


def test_every_row_that_is_not_understood_is_said_at_once() -> None:
    with pytest.raises(WrongInput) as problem:
        read_text("name;zgoda\nLis;może\nSowa;tak\n7;\nLis\x07;\nSowa;\n")
    said = str(problem.value)
    assert "4 places are wrong" in said
    assert [line for line in (2, 3, 4, 5) if f"line {line}" in said or f"lines {line}" in said] == [2, 3, 4, 5]


def test_namesakes_of_two_classes_are_two_and_of_one_class_are_asked_about() -> None:
    assert names(read_text("name;class\nLis;4a\nLis;5b\n")) == ["Lis", "Lis"]
    with pytest.raises(WrongInput, match="lines 2 and 3: “lis” twice, both in 4b"):
        read_text("name;class\nLis;4 B\nlis;4b\n")
    with pytest.raises(WrongInput, match="lines 2 and 3: “Lis” twice, both in 4b: if that is one person delete one"):
        read_text("name;class\nLis;4b\nLis;4b\n")
