"""Reading along with a ledger: in slices, past what cannot be read, and anew when the file is an older one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.errors import Damaged
from dalej.event.eventlog import choose_ruleset
from dalej.event.ledger import Entry, Ledger, Report
from dalej.event.people import SEATED
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from tests.domain.tables import B
from tests.views.writing import FOREST, NOON, RULES, Written, running


def write(ledger: Ledger, moves: int) -> None:
    table = running()
    for move in range(moves):
        table.wait(5_000)
        table.press(2 * (move & 3))
    ledger.record([Report(fact, NOON, NOON + fact.uptime_ms) for fact in table.facts])


@pytest.mark.parametrize("slice_size", [1, 7, 1_000])
def test_in_slices_of_any_size_the_hall_is_the_same(tmp_path: Path, slice_size: int) -> None:
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        write(ledger, 9)
        expected, found = HallModel(RULES), HallModel(RULES)
        for entry in ledger.since(0):
            expected.entry(entry)
        follower = Follower(ledger, found, slice_size=slice_size)

        touched = follower.catch_up()

        assert touched == {1}
        assert (follower.cursor, follower.behind) == (ledger.head(), False)
        assert found.rows(NOON) == expected.rows(NOON)
        assert found.turns(1) == expected.turns(1)
        assert follower.catch_up() == set()


def test_a_follower_that_is_told_to_stops_after_so_many_and_goes_on_there(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        write(ledger, 9)
        follower = Follower(ledger, HallModel(RULES), slice_size=4)

        follower.catch_up(most=8)

        assert (follower.cursor, follower.behind) == (8, True)
        follower.catch_up()
        assert (follower.cursor, follower.behind) == (ledger.head(), False)


def test_a_decision_that_says_nothing_is_passed_over_and_said(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        ledger.decide(SEATED, {"table": "one"}, who="Puchacz", when_ms=NOON, why="a slip")
        ledger.decide("ruling", {"of": 3}, who="Puchacz", when_ms=NOON, why="a slip")
        ledger.decide("ruleset", {"id": "x", "text": "limit"}, who="Puchacz", when_ms=NOON, why="a slip")
        write(ledger, 2)
        model = HallModel(RULES)
        follower = Follower(ledger, model)

        follower.catch_up()

        assert len(follower.troubles) == 3
        assert "does not seat anybody" in str(follower.troubles[0])
        assert (model.row(1, NOON).move, model.ruleset) == (3, RULES)


def test_an_event_file_restored_from_an_older_copy_is_read_anew(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "old.dalej") as old, Ledger.create(tmp_path / "e.dalej") as ledger:
        for each in (old, ledger):
            choose_ruleset(each, "school-league", who="test", when_ms=NOON)
        write(old, 2)
        write(ledger, 9)
        model = HallModel(RULES)
        follower = Follower(ledger, model)
        follower.catch_up()
        before = model.row(1, NOON)

        follower._entries = old
        touched = follower.catch_up()

        assert touched == {1}
        assert (before.move, before.seat) == (10, B)
        assert model.row(1, NOON).move == 3
        assert [str(trouble) for trouble in follower.troubles] == [
            "the event file is an older one than before: read anew from its start"
        ]


def test_a_ledger_that_cannot_be_read_at_all_is_the_callers_to_know() -> None:
    class Torn:
        def since(self, cursor: int, limit: int) -> list[object]:
            raise Damaged("torn")

    with pytest.raises(Damaged):
        Follower(Torn(), HallModel(RULES)).catch_up()  # type: ignore[arg-type]


def test_a_ledger_that_cannot_be_read_on_is_told_and_what_was_read_stays() -> None:
    written = Written()
    written.assign(1)
    written.seat(1, FOREST)
    written.facts(running().facts)

    class Torn:
        def since(self, cursor: int, limit: int) -> list[Entry]:
            if cursor >= 3:
                raise Damaged("torn")
            return [*written.entries[cursor : cursor + limit]]

    model = HallModel(RULES)
    follower = Follower(Torn(), model, slice_size=3)
    for _again in range(3):
        with pytest.raises(Damaged, match="torn"):
            follower.catch_up()

    assert (follower.cursor, follower.troubles) == (3, [])
    assert model.row(1, NOON).names == tuple(FOREST.values())


def test_the_ruleset_that_the_ledger_chose_last_counts_until_it_is_revoked(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        table = running()
        table.wait(41_000)
        ledger.record([Report(fact, NOON, NOON) for fact in table.facts])
        model = HallModel(RULES)
        follower = Follower(ledger, model)
        choose_ruleset(ledger, "it-classic", who="Puchacz", when_ms=NOON)
        follower.catch_up()
        italian = model.ruleset.id, model.turns(1)[0].turn.ruling
        ledger.revoke(ledger.head(), who="Puchacz", when_ms=NOON, why="a slip")
        follower.catch_up()

        assert italian == ("it-classic", "takes_invalid")
        assert (model.ruleset.id, model.turns(1)[0].turn.ruling) == ("school-league", "undone")


def test_names_come_through_the_ledger_with_every_polish_letter(tmp_path: Path) -> None:
    names = {"A": "Źrebię", "B": "Śledź", "C": "Łabędź", "D": "Gżegżółka ćmi ńĄĘÓ"}
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        ledger.decide(SEATED, {"table": 1, "names": names}, who="Żółw", when_ms=NOON, why="przesiadka")
        model = HallModel(RULES)
        Follower(ledger, model).catch_up()

    assert model.row(1, NOON).names == tuple(names.values())


def test_what_is_read_twice_changes_nothing() -> None:
    ledger = Written()
    ledger.assign(1)
    ledger.seat(1, FOREST)
    table = running()
    ledger.facts(table.facts)
    model = ledger.model()
    before = model.rows(NOON)

    for entry in ledger.entries:
        model.entry(entry)

    assert model.rows(NOON) == before
