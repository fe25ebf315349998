"""Where people mean boxes to stand, where they counted, and what is left of a step that was taken back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dalej.event.boxplaces import STAND, BoxTables
from dalej.event.ledger import Decision
from tests.domain.tables import BOX, EPOCH
from tests.views.writing import Written, heard, running

TWELVE = "c0c1c2d3e4f5"


def stand(ledger: Written, table: int, box: str, name: str = "") -> Decision:
    return ledger.decide(STAND, {"table": table, "box": box, "from": "now", "goes_on": True, "name": name})


def met(ledger: Written, table: int, box: str, name: str = "", seq: int = 0) -> Decision:
    """An organiser puts the box there and a desk meets it; the organiser's decision."""
    decided = stand(ledger, table, box, name)
    ledger.assign(table, box, seq=seq)
    return decided


def test_a_move_that_is_taken_back_leaves_each_box_where_it_stood_and_counted() -> None:
    ledger = Written()
    met(ledger, 4, BOX, "7")
    met(ledger, 2, TWELVE, "12")
    taken = met(ledger, 4, TWELVE, "12", seq=9)
    model = ledger.model()
    assert [(row.table, row.box, row.called) for row in model.rows(0)] == [(4, TWELVE, "12")]

    model.entry(ledger.revoke(taken))

    assert [(row.table, row.box, row.called) for row in model.rows(0)] == [(2, TWELVE, "12"), (4, BOX, "7")]


def test_what_a_box_told_while_it_counted_at_a_table_stays_there() -> None:
    ledger = Written()
    met(ledger, 2, TWELVE)
    taken = met(ledger, 4, TWELVE, seq=9)
    ledger.revoke(taken)
    ledger.assign(2, TWELVE, seq=20)  # the desk meets it where it stands again
    boxes = BoxTables()
    for entry in ledger.entries:
        boxes.take(entry)

    assert [boxes.table_of_fact(TWELVE, EPOCH, seq) for seq in (9, 10, 20, 21)] == [2, 4, 4, 2]
    assert boxes.tables[TWELVE] == 2


def test_a_table_from_which_the_box_is_taken_is_a_table_without_a_box() -> None:
    table, ledger = running(), Written()
    met(ledger, 3, BOX)
    ledger.seat(3, {"A": "Lis", "B": "Sowa"})
    ledger.facts(table.facts)
    model = ledger.model()
    model.pulse(0, 0)
    model.heard(heard(table, 0, number=3))
    assert (model.row(3, 0).box, model.row(3, 0).state) == (BOX, "running")

    away = stand(ledger, 3, "")
    model.entry(away)

    assert (model.row(3, 0).box, model.row(3, 0).state, model.row(3, 0).names[0]) == ("", "unknown", "Lis")
    assert len(model.turns(3)) == 1, "what was played there stays"
    model.heard(heard(table, 0, number=3))
    assert model.row(3, 0).box == ""
    model.entry(ledger.revoke(away))
    assert (model.row(3, 0).box, model.row(3, 0).state) == (BOX, "running")


def test_a_box_that_nobody_has_heard_yet_is_shown_where_it_is_meant_to_stand() -> None:
    ledger = Written()
    stand(ledger, 3, BOX, "7")

    (row,) = ledger.model().rows(0)
    assert (row.table, row.box, row.called, row.state) == (3, BOX, "7", "unknown")


def test_a_box_whose_name_a_terminal_would_obey_is_called_harmlessly() -> None:
    ledger = Written()
    stand(ledger, 3, BOX, "7\x1b[2J")

    assert ledger.model().called(BOX) == "7�[2J"
    assert ledger.model().called(TWELVE) == TWELVE


def test_an_assignment_of_a_box_of_which_nobody_says_where_it_is_meant_moves_it() -> None:
    ledger = Written()
    met(ledger, 4, BOX)
    ledger.assign(4, TWELVE)

    assert ledger.model().row(4, 0).box == TWELVE


def test_an_assignment_that_was_made_too_late_moves_nothing() -> None:
    ledger = Written()
    stand(ledger, 4, BOX)
    stand(ledger, 5, BOX)
    ledger.assign(4, BOX)  # by a desk that had not read the second one yet

    assert [(row.table, row.box) for row in ledger.model().rows(0)] == [(5, BOX)]


def test_who_stood_on_a_table_before_is_who_is_still_said_to_have_stood_there() -> None:
    ledger, tables = Written(), BoxTables()
    tables.decide(stand(ledger, 4, BOX))
    taken_back = stand(ledger, 4, TWELVE)
    tables.decide(taken_back)
    tables.decide(stand(ledger, 4, ""))
    third = stand(ledger, 4, "c0c1c2d3e4f5")
    tables.decide(third)
    assert tables.stood_before(4, third.cursor) == TWELVE
    assert tables.stood_before(5, third.cursor) == ""
    tables.decide(ledger.revoke(taken_back))

    assert tables.stood_before(4, third.cursor) == BOX


steps = st.lists(
    st.tuples(st.sampled_from([BOX, TWELVE, ""]), st.integers(1, 3), st.booleans(), st.booleans()), max_size=10
)


@given(steps=steps)
def test_whatever_is_decided_and_taken_back_a_box_stands_on_one_table_and_what_is_undone_never_was(
    steps: list[tuple[str, int, bool, bool]],
) -> None:
    ledger, kept = Written(), BoxTables()
    undone = []
    for box, table, is_met, is_undone in steps:
        decided = stand(ledger, table, box)
        if is_met and box:
            ledger.assign(table, box)
        if is_undone:
            undone.append(decided)
        else:
            kept.decide(decided)
    for decided in undone:
        ledger.revoke(decided)
    found = BoxTables()
    for entry in ledger.entries:
        assert isinstance(entry, Decision)
        found.decide(entry)

    assert found.on_tables == kept.on_tables
    assert len(set(found.on_tables.values())) == len(found.on_tables)
