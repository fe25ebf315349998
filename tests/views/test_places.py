"""Which box stands where: the latest standing decision counts, and a number nobody gave is the one of the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.domain.tournament.tournament import SEATING
from dalej.errors import Damaged
from dalej.event import eventlog
from dalej.event.boxplaces import BoxTables
from dalej.event.ledger import Baseline, Json, Ledger, Report
from dalej.event.reading import read
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from dalej.words import readable
from moveclock import facts as k
from tests.domain.begun import OTHER
from tests.domain.tables import BOX, EPOCH, A, B
from tests.views.writing import NOON, RULES, Written, running


def test_a_box_carried_to_another_table_leaves_its_turns_where_they_were_made() -> None:
    table, ledger = running(), Written()
    ledger.assign(3)
    table.wait(9_000)
    table.press(2 * A)
    ledger.facts(table.facts)
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_END_GAME)
    moved = ledger.assign(5, seq=len(table.facts))
    table.order(k.C_NEXT_GAME)
    table.wait(1_000)
    table.press(2 * table.clock.starter)
    ledger.facts(table.facts)
    model = ledger.model()

    assert model.tables() == [5]
    assert [(seen.turn.game, seen.turn.move) for seen in model.turns(5)] == [(2, 1)]
    model.entry(ledger.revoke(moved))
    assert model.tables() == [3]
    assert {seen.turn.game for seen in model.turns(3)} == {1, 2}


def test_of_two_boxes_at_a_table_the_one_that_came_last_is_shown_until_that_is_revoked() -> None:
    ledger = Written()
    ledger.assign(1, BOX)
    spare = ledger.assign(1, OTHER)
    model = ledger.model()

    assert model.row(1, 0).box == OTHER
    model.entry(ledger.revoke(spare))
    assert model.row(1, 0).box == BOX


def test_boxes_that_nobody_assigned_have_the_numbers_that_the_log_gives_them(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "e.dalej") as ledger:
        boxes = [f"{number:012x}" for number in (9, 4, 7)]
        for box in boxes:
            ledger.record([Report(fact, NOON, NOON) for fact in running(box=box).facts])
        ledger.assign(Baseline(6, boxes[1], EPOCH, 0), who="Puchacz", when_ms=NOON, why="it stands there")
        model = HallModel(RULES)
        Follower(ledger, model).catch_up()

        assert {model.row(table, NOON).box: table for table in model.tables()} == eventlog.tables(read(ledger))


def test_where_the_desk_says_a_box_stands_counts_only_if_the_ledger_says_nothing() -> None:
    boxes, ledger = BoxTables(), Written()
    boxes.told(BOX, 4)
    boxes.told(OTHER, 9)
    boxes.decide(ledger.assign(2, BOX))

    assert (boxes.tables, boxes.box_of) == ({BOX: 2, OTHER: 9}, {2: BOX, 9: OTHER})


def test_a_table_without_a_box_is_never_old_and_a_hall_without_any_has_none() -> None:
    ledger = Written()
    ledger.seat_all({1: "Lis Sowa Ryś -", 2: "Jeż Bóbr Ćma Wilk"})
    model = ledger.model()

    assert not model.has_boxes
    assert model.row(1, NOON).seats == 0b0111
    assert [(row.stale, row.alerts) for row in model.rows(NOON)] == [(False, ()), (False, ())]

    model.entry(ledger.assign(2, BOX))
    assert model.has_boxes
    assert [row.stale for row in model.rows(NOON)] == [False, True]


def test_facts_from_before_a_box_was_given_to_any_table_count_at_none() -> None:
    boxes, ledger = BoxTables(), Written()
    boxes.decide(ledger.assign(2, BOX, seq=10))

    assert boxes.table_of_fact(BOX, EPOCH, 10) is None
    assert boxes.table_of_fact(BOX, EPOCH, 11) == 2
    assert boxes.table_of_fact(BOX, EPOCH + 1, 3) == 2


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Lis\x1b]0;Sowa\x07", "Lis�]0;Sowa�"), ("Lis\nSowa\tRyś", "Lis�Sowa�Ryś"), ("\x9b31mLis\x7f", "�31mLis�"),
        ("\u202eLis\u2066\u200f", "�Lis��"), ("Lis\u2028Sowa", "Lis�Sowa"), ("Lis\ud83e", "Lis�"),
        ("Źrebię", "Źrebię"), ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("Lis\u200cek", "Lis\u200cek"), ("e\u0301", "e\u0301"),
    ],
    ids=ascii,
)  # fmt: skip
def test_a_name_that_a_terminal_would_obey_is_shown_harmless_and_any_other_as_it_is(typed: str, shown: str) -> None:
    ledger = Written()
    ledger.seat(1, {"A": typed, "B": "Sowa"})

    assert ledger.model().row(1, 0).names == (shown, "Sowa", "", "")


def test_the_name_of_a_referee_is_shown_as_harmless_as_the_players() -> None:
    table, ledger = running(), Written()
    table.wait(41_000)
    table.press(2 * B + 1)
    ledger.assign(1)
    ledger.facts(table.facts)
    ran_out = next(fact for fact in table.facts if fact.kind == k.TIME_RAN_OUT)
    ledger.rule(ran_out, "takes_invalid", 2, who="Puchacz\x1b[2J")

    assert ledger.model().turns(1)[0].ruled_by == readable("Puchacz\x1b[2J") == "Puchacz�[2J"


def test_a_round_seats_the_whole_hall_and_a_table_that_is_not_in_it_has_nobody() -> None:
    ledger = Written()
    ledger.assign(1)
    ledger.seat(1, {"A": "Bocian"})
    ledger.seat(7, {"A": "Bocian"})
    ledger.seat_all({1: "Lis Sowa Jeż -", 2: "Wilk Ryś Kuna Dzik"})
    model = ledger.model()

    assert model.tables() == [1, 2]
    assert model.row(1, 0).names == ("Lis", "Sowa", "Jeż", "")
    assert model.row(2, 0).names == ("Wilk", "Ryś", "Kuna", "Dzik")


def test_of_several_rounds_the_latest_counts_and_taken_back_the_one_before_it() -> None:
    ledger = Written()
    ledger.seat_all({1: "Lis Sowa Jeż -", 2: "Wilk Ryś Kuna Dzik"})
    model = ledger.model()
    later = ledger.seat_all({1: "Wilk Lis Ryś Sowa"}, 2)

    model.entry(later)
    assert model.tables() == [1]
    assert model.row(1, 0).names == ("Wilk", "Lis", "Ryś", "Sowa")
    model.entry(ledger.revoke(later))
    assert model.tables() == [1, 2]
    assert model.row(1, 0).names == ("Lis", "Sowa", "Jeż", "")


def test_a_table_seated_alone_after_the_round_has_those_people() -> None:
    ledger = Written()
    ledger.seat_all({1: "Lis Sowa Jeż -"})
    alone = ledger.seat(1, {"A": "Żuraw"})
    other = ledger.seat(3, {"A": "Łoś"})
    model = ledger.model()

    assert [model.row(table, 0).names[0] for table in model.tables()] == ["Żuraw", "Łoś"]
    model.entry(ledger.revoke(alone))
    model.entry(ledger.revoke(other))
    assert [model.row(table, 0).names[0] for table in model.tables()] == ["Lis"]


@pytest.mark.parametrize(
    "tables", [None, "1", [3], [{"table": 0, "names": ["", "", "", ""]}], [{"table": 1, "names": ["Lis"]}]]
)
def test_a_seating_that_seats_nobody_is_damaged_and_changes_nothing(tables: Json) -> None:
    ledger = Written()
    ledger.seat_all({1: "Lis Sowa Jeż -"})
    model = ledger.model()

    with pytest.raises(Damaged, match="decision 2 does not seat a round"):
        model.entry(ledger.decide(SEATING, {"tables": tables}))
    assert model.row(1, 0).names == ("Lis", "Sowa", "Jeż", "")
