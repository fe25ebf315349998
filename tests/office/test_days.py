"""Days as people write them, kept in one way."""

from __future__ import annotations

from datetime import date

import pytest

from dalej.errors import WrongInput
from dalej.event.ledger.personal import checked
from dalej.office.opening import proper_date


@pytest.mark.parametrize("typed", ["27.11.2026", "27. 11. 2026", " 2026-11-27 "])
def test_a_day_is_kept_in_one_way_however_it_is_written(typed: str) -> None:
    assert proper_date(typed) == "2026-11-27"


def test_a_date_of_birth_may_be_written_with_dots() -> None:
    assert checked("born", "4.05.2013", date(2026, 11, 27)) == "2013-05-04"


@pytest.mark.parametrize("typed", ["31.11.2026", "5/4/2026", "27.11.26"])
def test_a_day_that_is_none_or_in_doubt_is_refused(typed: str) -> None:
    with pytest.raises(WrongInput, match="expected a day such as 2026-11-21"):
        proper_date(typed)
