"""A time-out is answered while its alert is fresh: its fact comes much later where links are few, the ruling holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dalej.errors import Refused
from dalej.event.ledger import APPLIED, Ledger
from dalej.event.reading import read
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Wish
from moveclock import facts as k
from tests.office.acts.few_links import FewLinks

SOWA = Actor("Sowa", "referee")
FETCHED_WITHIN_MS = 5_000


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FewLinks]:
    made = FewLinks(tmp_path)
    yield made
    made.close()


def test_a_ruling_made_before_the_fact_is_there_holds_as_soon_as_it_is(hall: FewLinks) -> None:
    hall.time_runs_out(5)

    done = hall.rules_ahead(5, "stands")

    assert "ruled before its box has told of the time-out" in str(done)
    hall.row(5)
    assert hall.model.ahead(done.decisions) == ["waits"]
    assert not any(one.decision in done.decisions for one in hall.ruled(5))
    hall.waits_until_told(5)
    [now] = [one for one in hall.ruled(5) if one.decision in done.decisions]
    assert (now.ruling, now.by, now.tiles) == ("stands", "referee", 0)
    hall.row(5)
    assert hall.model.ahead(done.decisions) == ["holds"]
    assert hall.model.turns(5)[-1].ruled_by == "Lis"
    with Ledger.open(hall.ledger.path) as elsewhere:  # any process that has the event open
        assert read(elsewhere).decisions()[-1].body["ruling"] == "stands"


def test_a_ruling_holds_for_the_time_out_that_waited_whatever_was_pressed_since_then(hall: FewLinks) -> None:
    hall.time_runs_out(5)
    hall.tap(k.SEDZIA, 5)
    hall.setting.run(1_000)

    done = hall.rules_ahead(5, "undone")
    hall.tap(2 * k.SEAT_B + 1, 5)  # the table plays on as it was ruled
    hall.still.discard(5)
    hall.passes(5_000)
    hall.waits_until_told(5)

    [now] = [one for one in hall.ruled(5) if one.decision in done.decisions]
    assert now.ruling == "undone"


def test_a_table_that_had_settled_it_otherwise_before_is_not_overruled_unseen(hall: FewLinks) -> None:
    hall.time_runs_out(5)
    seen = hall.row(5).ahead
    assert seen is not None
    following = (hall.clock(5).seat + 1) % 4
    hall.tap(2 * following, 5)  # Już of the next seat: it stands
    hall.setting.run(1_000)
    assert hall.top(5) < seen[1]

    done = hall.do("rule", table=5, epoch=seen[0], head=seen[1], verdict="undone")
    hall.waits_until_told(5)

    assert [(one.ruling, one.by) for one in hall.ruled(5)][-1] == ("stands", "table")
    hall.row(5)
    assert hall.model.ahead(done.decisions) == ["overtaken"]
    with pytest.raises(Refused, match=r"table 5 has settled that time-out itself by now \(it stands\): look at it"):
        hall.do("rule", table=5, epoch=seen[0], head=seen[1], verdict="undone")


def test_a_ruling_on_a_time_out_that_there_was_not_rules_nothing_and_says_so(hall: FewLinks) -> None:
    while (row := hall.row(7)).ahead is None or row.state != "running":
        hall.passes(500)
    args: dict[str, Any] = {"table": 7, "epoch": row.ahead[0], "head": row.ahead[1], "verdict": "undone"}

    done = hall.do("rule", **args)
    hall.waits_until_told(7)

    assert not hall.ruled(7)
    hall.row(7)
    assert hall.model.ahead(done.decisions) == ["astray"]
    with pytest.raises(Refused, match="table 7: no time-out waits there for a ruling"):
        hall.do("rule", **args)


def test_once_the_fact_is_there_the_same_wish_rules_on_it(hall: FewLinks) -> None:
    hall.time_runs_out(5)
    seen = hall.row(5).ahead
    assert seen is not None
    hall.waits_until_told(5)

    done = hall.do("rule", table=5, epoch=seen[0], head=seen[1], verdict="undone")

    assert "undone, tiles: 1" in str(done)
    assert "open" not in read(hall.ledger).decisions()[-1].body
    assert hall.ruled(5)[-1].decision in done.decisions


@pytest.mark.parametrize("told", [False, True])
def test_it_is_taken_back_before_its_fact_is_there_and_after(hall: FewLinks, told: bool) -> None:
    hall.time_runs_out(5)
    done = hall.rules_ahead(5, "stands")
    if told:
        hall.waits_until_told(5)
    assert done.undo is not None

    taken = hall.performer.do(SOWA, Wish("revoke", done.undo.args, "wrong table"))
    hall.waits_until_told(5)

    assert [one.by for one in hall.ruled(5)][-1] == "default"
    assert taken.undo is not None
    hall.performer.do(SOWA, taken.undo)
    assert [(one.by, one.ruling) for one in hall.ruled(5)][-1] == ("referee", "stands")


def test_the_second_referee_is_told_of_the_first_ones_ruling(hall: FewLinks) -> None:
    hall.time_runs_out(5)
    row = hall.row(5)
    assert row.ahead is not None
    before = hall.ledger.head()
    hall.rules_ahead(5, "stands")

    args: dict[str, Any] = {"table": 5, "epoch": row.ahead[0], "head": row.ahead[1], "verdict": "undone"}
    with pytest.raises(Refused, match="Lis has decided on this in the meantime"):
        hall.performer.do(SOWA, Wish("rule", args, "seen", before))


def test_opening_a_call_fetches_that_tables_facts_before_all_others(hall: FewLinks) -> None:
    hall.time_runs_out(5)

    done = hall.do("fetch", table=5)
    took_ms = hall.waits_until_told(5)

    assert took_ms <= FETCHED_WITHIN_MS
    hall.setting.run(500)
    assert hall.ledger.outcomes(done.requests[0])[-1].result == APPLIED
    again = hall.do("fetch", table=5)
    hall.setting.run(500)
    assert hall.ledger.outcomes(again.requests[0])[-1].result == APPLIED  # there is nothing to wait for


def test_the_hall_is_served_in_turn_again_once_it_is_fetched(hall: FewLinks) -> None:
    hall.time_runs_out(5)
    hall.do("fetch", table=5)
    hall.waits_until_told(5)

    hall.setting.run(60_000)

    assert not hall.setting.backlog()
    assert not hall.ledger.open_requests()
