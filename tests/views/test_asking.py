"""What there is to choose from in the forms of acts."""

from __future__ import annotations

from typing import NoReturn

import pytest

from dalej.office.acts.catalogue import ACTS
from dalej.views.asking import options
from dalej.views.book import Page


def looked() -> NoReturn:
    pytest.fail("the table's turns of the whole day were looked at")


def test_a_form_that_offers_no_rulings_looks_at_no_turns_of_the_day() -> None:
    """Given acts that a page offers for each open call, at each beat."""
    asks = [ask for act in ACTS.values() for ask in act.asks()]
    assert {ask.kind for ask in asks} > {"ruling", "seat", "player", "choice", "flag"}
    for ask in asks:
        if ask.kind != "ruling":
            options(ask, None, Page(), looked)
            continue
        with pytest.raises(pytest.fail.Exception, match="whole day"):
            options(ask, None, Page(), looked)
