"""Several decisions taken back as one: all of them, or none."""

from __future__ import annotations

import pytest

from dalej.errors import DalejError
from dalej.event.ledger import Draft
from dalej.office.undo import undo_together
from tests.office.conftest import Desk
from tests.office.deciding import decide


def test_all_are_taken_back_in_one_step(desk: Desk) -> None:
    event = desk("Sowa")
    numbers = [decide(event, Draft("warned", {"player": number})) for number in (1, 2)]

    undo_together(event, numbers, "by mistake")

    assert not event.state().players[1].warnings
    assert not event.state().players[2].warnings


def test_if_one_cannot_be_taken_back_none_is(desk: Desk) -> None:
    event = desk("Sowa")
    number = decide(event, Draft("warned", {"player": 1}))
    before = event.ledger.head()

    with pytest.raises(DalejError, match="there is no decision 0"):
        undo_together(event, [number, 0], "by mistake")

    assert event.ledger.head() == before
    assert event.state().players[1].warnings
