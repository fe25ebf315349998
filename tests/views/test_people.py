"""Names, penalties, rulings and turns of a table: they stay with those who sat there, whichever box tells."""

from __future__ import annotations

from dalej.views.movetimes import of_players
from moveclock import facts as k
from tests.domain.tables import BOX, A, B, C, D, PlayedTable
from tests.domain.takeover import SPARE
from tests.views.writing import FOREST, HOUR_MS, NOON, RULES, Written, running

FIRST = {1: "Lis Sowa Jeż Wilk"}
SECOND = {1: "Ryś Kuna Dzik Żuraw"}


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


def goes_on(ledger: Written, box: PlayedTable, table: int, move: int, seat: int) -> None:
    """The box leaves its own game and takes over that of the table, where that seat has 31 s left."""
    box.order(k.C_STOP, k.REFEREE)
    box.order(k.C_END_GAME)
    ledger.assign(table, box.box, seq=len(box.facts))
    box.order(k.C_TAKE_OVER, 1, move, seat, 31_000, 48, 0)
    ledger.facts(box.facts)


def first_round(ledger: Written) -> PlayedTable:
    """Lis has made a move, and Sowa is to move."""
    table = running()
    ledger.assign(1)
    ledger.seat_all(FIRST)
    table.wait(9_000)
    table.press(2 * A)
    ledger.facts(table.facts)
    return table


def test_a_game_that_goes_on_while_the_next_round_is_seated_keeps_its_people() -> None:
    ledger = Written()
    table = first_round(ledger)
    ledger.seat_all(SECOND, 2)
    table.wait(9_000)
    table.press(2 * B)
    table.wait(500)
    table.press(k.SEDZIA)
    ledger.facts(table.facts)
    model = ledger.model()

    row, turns = model.row(1, 0), model.turns(1)

    assert (row.names, row.name, row.alerts[0].seat) == (("Lis", "Sowa", "Jeż", "Wilk"), "Jeż", B)
    assert [seen.name for seen in turns] == ["Lis", "Sowa", "Jeż"]
    assert [times.whose.name for times in of_players({1: turns})] == ["Lis", "Sowa", "Jeż"]


def test_a_game_that_is_over_keeps_its_people_until_the_box_is_set_up_for_the_next_round() -> None:
    ledger = Written()
    table = first_round(ledger)
    ledger.seat_all(SECOND, 2)
    table.order(k.C_STOP, k.REFEREE)
    table.order(k.C_END_GAME)
    ledger.facts(table.facts)
    over = ledger.model().row(1, 0)
    table.clock.prepare(table.now, 1, A, k.DESK)
    table.wait(1_000)
    ledger.facts(table.facts)
    ready = ledger.model().row(1, 0)
    table.press(2 * A)
    ledger.facts(table.facts)
    model = ledger.model()

    assert (over.state, over.names[0]) == ("over", "Lis")
    assert (ready.state, ready.names[0]) == ("ready", "Ryś")
    assert model.row(1, 0).name == "Ryś"
    assert [seen.name for seen in model.turns(1)] == ["Lis", "Sowa", "Ryś"]


def test_who_changes_chairs_in_the_round_of_the_game_sits_there_from_then_on() -> None:
    ledger = Written()
    table = first_round(ledger)
    ledger.seat_all({1: "Lis Bocian Jeż Wilk"}, how="moved")
    table.wait(9_000)
    table.press(2 * B)
    ledger.facts(table.facts)
    ledger.seat_all(SECOND, 2)
    model = ledger.model()

    assert model.row(1, 0).names == ("Lis", "Bocian", "Jeż", "Wilk")
    assert [seen.name for seen in model.turns(1)] == ["Lis", "Sowa", "Jeż"]


def test_a_game_keeps_those_who_began_it_when_everybody_is_drawn_anew() -> None:
    ledger = Written()
    first_round(ledger)
    ledger.seat_all(SECOND)
    model = ledger.model()

    assert model.row(1, 0).names[0] == "Lis"
    assert model.turns(1)[0].name == "Lis"


def test_a_game_that_is_told_of_late_is_of_the_round_in_which_it_was_played() -> None:
    table, ledger = running(), Written()
    ledger.assign(1)
    ledger.seat_all(FIRST)
    table.wait(9_000)
    table.press(2 * A)
    ledger.seat_all(SECOND, 2, when_ms=NOON + HOUR_MS)
    ledger.facts(table.facts)
    model = ledger.model()

    assert model.row(1, 0).names[0] == "Lis"
    assert [seen.name for seen in model.turns(1)] == ["Lis", "Sowa"]


def test_a_spare_that_goes_on_after_the_next_round_was_seated_plays_for_those_who_began() -> None:
    spare, ledger = running(box=SPARE), Written()
    first_round(ledger)
    ledger.seat_all(SECOND, 2)
    goes_on(ledger, spare, 1, 2, B)
    model = ledger.model()

    assert (model.row(1, 0).box, model.row(1, 0).name) == (SPARE, "Sowa")
    assert [seen.name for seen in model.turns(1)] == ["Lis", "Sowa"]


def test_a_game_that_was_begun_before_anybody_was_seated_is_of_those_who_were_seated_first() -> None:
    table, ledger = running(), Written()
    ledger.assign(1)
    ledger.facts(table.facts)
    first = ledger.seat_all(FIRST)
    model = ledger.model()
    seated = model.row(1, 0).names
    model.entry(ledger.seat_all(SECOND, 2))
    later = model.row(1, 0).names
    model.entry(ledger.revoke(first))

    assert (seated[0], later[0]) == ("Lis", "Lis")
    assert model.row(1, 0).names[0] == "Ryś"


def test_a_spare_box_takes_over_and_the_game_stays_one() -> None:
    first, spare, ledger = running(), running(box=SPARE), Written()
    ledger.assign(1)
    ledger.seat(1, FOREST)
    first.wait(41_000)
    first.press(2 * B + 1)
    ledger.facts(first.facts)
    goes_on(ledger, spare, 1, 2, B)
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
    goes_on(ledger, spare, 1, 2, B)
    goes_on(ledger, first, 2, 5, C)
    first.order(k.C_RESUME)
    first.wait(32_000)
    first.press(2 * D + 1)
    ledger.facts(first.facts)
    model = ledger.model()

    assert (model.row(1, 0).box, model.row(1, 0).penalties) == (SPARE, (1, 0, 0, 0))
    assert (model.row(2, 0).box, model.row(2, 0).penalties) == (BOX, (0, 0, 1, 0))
