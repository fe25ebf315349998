"""A hall plays by the ruleset that was chosen and by what the organiser set otherwise."""

from __future__ import annotations

import pytest

from dalej.errors import WrongInput
from dalej.rulesets import rulebook
from tests.views.writing import RULES, Written


def test_6h_a_limit_that_the_organiser_set_counts_in_the_hall_until_it_is_taken_back() -> None:
    told = Written()
    set_to_50 = told.decide("option", {"key": "limit_ms", "value": 50_000})
    model = told.model()
    assert model.ruleset.limit_ms == 50_000

    model.entry(told.revoke(set_to_50))

    assert model.ruleset == RULES


def test_an_option_holds_whichever_ruleset_is_chosen_after_it() -> None:
    told = Written()
    told.decide("option", {"key": "limit_ms", "value": 50_000})
    text, _ = rulebook.source("it-classic")
    told.decide("ruleset", {"id": "it-classic", "text": text})

    model = told.model()

    assert (model.ruleset.id, model.ruleset.limit_ms) == ("it-classic", 50_000)


def test_an_option_that_says_nothing_changes_nothing() -> None:
    told = Written()
    model = told.model()

    with pytest.raises(WrongInput):
        model.entry(told.decide("option", {"key": "limit_ms", "value": "soon"}))

    assert model.ruleset == RULES
