"""How players are called in public: as the organiser chose, in full only with a consent; namesakes told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.domain.rules.options import with_options
from dalej.domain.tournament.tournament import Player, Tournament
from dalej.office.publicnames import public_names, published, shortened_in_public
from tests.office.paper.events import Written

PEOPLE = (
    ("Jan Nowak", "5b", True), ("Jan Nowacki", "5b", False), ("Nowicki Jan", "4a", None), ("Lis", "", True),
    ("Zofia Maria Adamczyk", "", None),
)  # fmt: skip


def event(ruleset: str = "school-league", **options: object) -> Tournament:
    state = Written(ruleset, [name for name, _group, _consent in PEOPLE]).state
    surnames = {3: "Nowicki"}
    players: dict[int, Player] = {
        number: replace(state.players[number], group=group, consent=consent, surname=surnames.get(number, ""))
        for number, (_name, group, consent) in enumerate(PEOPLE, start=1)
    }
    return replace(state, players=players, ruleset=with_options(state.ruleset, options))


def test_in_a_school_league_first_name_and_initial_are_shown_and_namesakes_are_told_apart_by_class_or_number() -> None:
    assert [*public_names(event()).values()] == ["Jan N. (1)", "Jan N. (2)", "Jan N. (4a)", "Lis", "Zofia Maria A."]


def test_where_the_organiser_chose_names_in_full_those_with_a_consent_alone_have_them() -> None:
    state = event(public_names="in_full")

    assert [*public_names(state).values()] == ["Jan Nowak", "Jan N. (5b)", "Jan N. (4a)", "Lis", "Zofia Maria A."]
    assert shortened_in_public(state, [1, 2, 3, 4, 5]) == [2, 3, 5]


@pytest.mark.parametrize("ruleset", ["pl-eliminations", "pl-championship", "wejherowo-championship", "it-classic"])
def test_elsewhere_than_in_a_league_the_names_of_those_who_consented_stand_in_full(ruleset: str) -> None:
    assert [*public_names(event(ruleset)).values()][:2] == ["Jan Nowak", "Jan N. (5b)"]
    assert public_names(event(ruleset, public_names="short"))[1] != "Jan Nowak"


def test_somebody_who_is_called_as_another_is_told_apart_is_told_apart_too() -> None:
    state = event()
    twin = replace(state.players[4], name="Jan N. (5b)", surname="")
    state = replace(state, players={**state.players, 4: twin})

    assert len(set(public_names(state).values())) == len(PEOPLE)


def test_what_is_published_has_no_class_and_no_surname_left() -> None:
    people = published(event()).players.values()

    assert [one.name for one in people] == [*public_names(event()).values()]
    assert {(one.group, one.surname) for one in people} == {("", "")}
