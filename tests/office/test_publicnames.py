"""How players are called in public: in full only with a consent where consents are kept; namesakes told apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dalej.domain.tournament.tournament import Player, Tournament
from dalej.office.publicnames import asks_consent, public_names, without_consent
from tests.office.paper.events import Written

PEOPLE = (
    ("Jan Nowak", "5b", True), ("Jan Nowacki", "5b", False), ("Nowicki Jan", "4a", None), ("Lis", "", True),
    ("Zofia Maria Adamczyk", "", None),
)  # fmt: skip


def event(ruleset: str = "school-league", *, consents: bool = True) -> Tournament:
    state = Written(ruleset, [name for name, _group, _consent in PEOPLE]).state
    surnames = {3: "Nowicki"}
    players: dict[int, Player] = {
        number: replace(
            state.players[number], group=group, consent=consent if consents else None, surname=surnames.get(number, "")
        )
        for number, (_name, group, consent) in enumerate(PEOPLE, start=1)
    }
    return replace(state, players=players)


def test_short_is_first_name_and_initial_and_namesakes_are_told_apart_by_class_or_number() -> None:
    assert [*public_names(event(), full=False).values()] == [
        "Jan N. (1)", "Jan N. (2)", "Jan N. (4a)", "Lis", "Zofia Maria A.",
    ]  # fmt: skip


def test_in_full_stand_those_with_a_consent_alone_and_the_others_are_known() -> None:
    assert [*public_names(event(), full=True).values()] == [
        "Jan Nowak", "Jan N. (5b)", "Jan N. (4a)", "Lis", "Zofia Maria A.",
    ]  # fmt: skip
    assert without_consent(event(), [1, 2, 3, 4, 5]) == [2, 3, 5]


def test_where_no_consents_are_kept_everybody_may_stand_in_full() -> None:
    state = event(consents=False)

    assert [*public_names(state, full=True).values()] == [name for name, _group, _consent in PEOPLE]
    assert without_consent(state, [1, 2]) == []


@pytest.mark.parametrize(("ruleset", "consents", "asks"), [
    ("school-league", True, True), ("school-league", False, False), ("pl-eliminations", False, True),
])  # fmt: skip
def test_consents_are_kept_where_the_ruleset_has_a_form_or_anybodys_is_known(
    ruleset: str, consents: bool, asks: bool
) -> None:
    assert asks_consent(event(ruleset, consents=consents)) is asks
