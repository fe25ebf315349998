"""Names, penalties, rulings and turns of a table: they stay with those who sat there, whichever box tells."""

from __future__ import annotations

from moveclock import facts as k
from tests.domain.tables import BOX, A, B, C, D
from tests.hall.writing import FOREST, RULES, Written, running

SPARE = "b0b1c2d3e4f5"


def test_a_ruling_of_the_referee_is_shown_with_its_name_and_the_tables_verdict_is_back_when_it_is_revoked() -> None:
    table, ledger = running(), Written()
    table.wait(41_000)
    table.press(2 * B + 1)
    ledger.assign(1)
    ledger.seat(1, FOREST)
    ledger.facts(table.facts)
    model = ledger.model()
    ran_out = next(fact for fact in table.facts if fact.kind == k.TIME_RAN_OUT)
    by_table = model.row(1, 0).penalties, model.turns(1)[0].ruled_by
    ruling = ledger.rule(ran_out, "takes_invalid", None)
    model.entry(ruling)
    ruled = model.row(1, 0).penalties, model.turns(1)[0].ruled_by
    model.entry(ledger.revoke(ruling))

    assert by_table == ((1, 0, 0, 0), "table")
    assert ruled == ((-1, 0, 0, 0), "Puchacz")
    assert (model.row(1, 0).penalties, model.turns(1)[0].ruled_by) == by_table
    assert model.turns(1)[0].clause == RULES.clause_of("undone")


def test_penalties_are_those_of_the_game_that_is_on() -> None:
    table, ledger = running(), Written()
    table.wait(41_000)
    table.press(2 * B + 1)
    ledger.facts(table.facts)
    before = ledger.model().row(1, 0).penalties
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_END_GAME)
    table.order(k.C_NEXT_GAME)
    ledger.facts(table.facts)

    assert before == (1, 0, 0, 0)
    assert ledger.model().row(1, 0).penalties == (0, 0, 0, 0)


def test_a_game_of_the_same_number_after_the_table_was_set_up_anew_begins_without_penalties() -> None:
    table, ledger = running(), Written()
    table.wait(41_000)
    table.press(2 * B + 1)
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_END_GAME)
    table.clock.prepare(table.now, 1, A, k.DESK)
    table.wait(1_000)
    ledger.facts(table.facts)

    row = ledger.model().row(1, 0)

    assert (row.state, row.game, row.penalties) == ("ready", 1, (0, 0, 0, 0))


def test_turns_keep_the_names_of_those_who_sat_there_then() -> None:
    table, ledger = running(), Written()
    ledger.assign(1)
    ledger.seat(1, FOREST)
    table.wait(9_000)
    table.press(2 * A)
    ledger.facts(table.facts)
    later = ledger.seat(1, {"A": "Kuna", "B": "Ryś", "C": "Gęś", "D": "Dzik"})
    table.wait(9_000)
    table.press(2 * B)
    ledger.facts(table.facts)
    model = ledger.model()

    names = [seen.name for seen in model.turns(1)]
    row = model.row(1, 0)
    model.entry(ledger.revoke(later))

    assert names == ["Lis", "Sowa", "Gęś"]
    assert (row.seat, row.name) == (C, "Gęś")
    assert (model.row(1, 0).name, [seen.name for seen in model.turns(1)][-1]) == ("Żuraw", "Żuraw")


def test_a_spare_box_takes_over_and_the_game_stays_one() -> None:
    first, spare, ledger = running(), running(box=SPARE), Written()
    ledger.assign(1)
    ledger.seat(1, FOREST)
    first.wait(41_000)
    first.press(2 * B + 1)
    ledger.facts(first.facts)
    spare.order(k.C_STOP, k.REFEREE)
    spare.order(k.C_END_GAME)
    before = len(spare.facts)
    spare.order(k.C_TAKE_OVER, 1, 2, B, 31_000, 48, 0)
    ledger.assign(1, SPARE, seq=before)
    ledger.facts(spare.facts)
    model = ledger.model()

    row = model.row(1, 0)

    assert (row.box, row.state, row.seat, row.move, row.left_ms) == (SPARE, "stopped", B, 2, 31_000)
    assert (row.penalties, row.bank) == ((1, 0, 0, 0), 48)
    assert [(seen.turn.box, seen.turn.move, seen.turn.how) for seen in model.turns(1)] == [
        (BOX, 1, "timeout"), (SPARE, 2, None)
    ]  # fmt: skip
    assert model.tables() == [1]


def test_a_box_that_plays_the_same_game_at_another_table_leaves_its_penalties_where_they_were_ruled() -> None:
    first, spare, ledger = running(), running(box=SPARE), Written()
    ledger.assign(1)
    first.wait(41_000)
    first.press(2 * B + 1)
    ledger.facts(first.facts)
    for table, number, (move, seat) in ((spare, 1, (2, B)), (first, 2, (5, C))):
        table.order(k.C_STOP, k.REFEREE)
        table.order(k.C_END_GAME)
        ledger.assign(number, table.box, seq=len(table.facts))
        table.order(k.C_TAKE_OVER, 1, move, seat, 31_000, 48, 0)
        ledger.facts(table.facts)
    first.order(k.C_RESUME)
    first.wait(32_000)
    first.press(2 * D + 1)
    ledger.facts(first.facts)
    model = ledger.model()

    assert (model.row(1, 0).box, model.row(1, 0).penalties) == (SPARE, (1, 0, 0, 0))
    assert (model.row(2, 0).box, model.row(2, 0).penalties) == (BOX, (0, 0, 1, 0))
