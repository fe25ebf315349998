"""Whom the desk means by a number or a name, and what a name may be."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.tournament.tournament import Mark, Player, Tournament
from dalej.errors import WrongInput
from dalej.office.players import NAME_MOST, find, folded, namesake, proper_group, proper_name
from dalej.rulesets.rulebook import load

MARK = Mark(cursor=1, who="Sowa", when_ms=0, why="signed up")


def signed_up(*names: str) -> Tournament:
    ruleset = load("school-league")
    return Tournament(
        name="Liga", town="", date="2026-11-21", closed=False, ruleset=ruleset, options={}, plan=ruleset.stages,
        players=MappingProxyType({number: Player(number, name, MARK) for number, name in enumerate(names, start=1)}),
        entrants={}, rounds={}, ties={}, cursor=1, latest={},
    )  # fmt: skip


FOREST = signed_up("Lis Rudy", "Lisica Biała", "Łoś", "Żuraw Szary", "Mały Borsuk")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3), ("#3", 3), (" 3 ", 3),
        ("Łoś", 3), ("łoś", 3), ("los", 3), ("LOS", 3), ("Ło", 3),
        ("zuraw", 4), ("ŻURAW  szary", 4), ("lis r", 1), ("lisi", 2), ("lis rudy", 1), ("borsuk", 5), ("mal", 5),
    ],
)  # fmt: skip
def test_a_number_a_name_or_a_unique_beginning_is_enough(text: str, number: int) -> None:
    assert find(FOREST, text).number == number


def test_a_whole_name_wins_over_a_longer_one_that_begins_with_it() -> None:
    assert find(signed_up("Lisica", "Lis"), "lis").number == 2


def test_who_it_could_be_is_said() -> None:
    with pytest.raises(WrongInput, match=r"“lis” could be 1 Lis Rudy, 2 Lisica Biała"):
        find(FOREST, "lis")


@pytest.mark.parametrize("typed", ["Rudy Lis", "rudy  LIS", "Rud Lis", "ru lis"])
def test_a_name_is_found_with_its_words_in_any_order(typed: str) -> None:
    assert find(FOREST, typed).name == "Lis Rudy"


def test_who_bears_just_these_words_comes_before_who_bears_them_and_more() -> None:
    assert find(signed_up("Lis Jan Rudy", "Rudy Lis"), "lis rudy").number == 2


NUMBERS = ("0", "6", "-1", "99999999999999999999999", "9" * 5000)


@pytest.mark.parametrize("text", ["Wilk", "", "  ", "é", *NUMBERS], ids=lambda text: text[:24])
def test_whom_nobody_is_called_is_said_to_be_nobody(text: str) -> None:
    with pytest.raises(WrongInput, match="there is no player"):
        find(FOREST, text)


NAMES = st.text(st.characters(categories=["Lu", "Ll", "Lo", "Zs"]), min_size=1, max_size=20)


@given(st.lists(NAMES.filter(lambda name: bool(name.strip())), min_size=1, max_size=8, unique_by=folded))
def test_everybody_is_found_by_the_whole_name_however_it_is_typed(names: Sequence[str]) -> None:
    state = signed_up(*names)
    for number, name in enumerate(names, start=1):
        if folded(name) and not folded(name).isdecimal():
            for typed in (name, name.upper().lower(), unicodedata.normalize("NFD", name)):
                if folded(typed) == folded(name):
                    assert find(state, typed).number == number


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)


def test_every_sign_there_is_folds_once_and_for_all() -> None:
    """Given letters of formulas among them: an italic alpha is taken apart into one that has a small letter."""
    signs = [
        chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs")
    ]
    assert "\N{MATHEMATICAL ITALIC CAPITAL ALPHA}" in signs
    assert [sign for sign in signs if folded(folded(sign)) != folded(sign)] == []


@pytest.mark.parametrize(
    "typed",
    ["LIS", "\U0001d40b\U0001d408\U0001d412", "\u2112\u2110\U0001d4ae", "\u24c1\u24d8\u24e2", "\uff2c\uff29\uff33"],
    ids=["plain", "bold", "script", "circled", "wide"],
)
def test_a_name_is_found_in_whatever_letters_it_was_pasted(typed: str) -> None:
    assert find(signed_up("Lis", "Sowa"), typed).number == 1


@pytest.mark.parametrize("name", ["lis rudy", "LIS  RUDY", "Lís Rudy", "Lis\u200b Rudy"])
def test_a_namesake_is_found_whatever_the_case_and_accents(name: str) -> None:
    assert namesake(FOREST, name) == FOREST.players[1]


def test_a_name_is_kept_composed_with_single_spaces() -> None:
    assert proper_name(unicodedata.normalize("NFD", "  Żuraw   Szary ")) == "Żuraw Szary"


@pytest.mark.parametrize(
    "name",
    ["", " ", "7", "…", "Lis\n", "Lis\x00", "\x1b[2JLis", "Lis\u202e", "Lis\u200b", "\ud800", "L�s", "Lis\ue000"],
)
def test_what_is_not_a_name_is_refused(name: str) -> None:
    with pytest.raises(WrongInput):
        proper_name(name)


def test_a_name_of_sixty_characters_is_kept_and_one_more_is_refused() -> None:
    assert proper_name("ż" * NAME_MOST) == "ż" * NAME_MOST
    with pytest.raises(WrongInput, match="61 characters"):
        proper_name("ż" * (NAME_MOST + 1))


def test_a_group_may_be_a_number_or_nothing_but_not_a_control() -> None:
    assert [proper_group(text) for text in ("4", "", " 4 b ")] == ["4", "", "4 b"]
    with pytest.raises(WrongInput):
        proper_group("4\tb")
