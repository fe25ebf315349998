"""The bank: every tile that was drawn or ruled is counted, and none twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.bank import GameBank, banks
from dalej.domain.game.facts import Fact
from dalej.domain.game.rulings import rulings
from dalej.domain.game.turns import turns
from dalej.rulesets import rulebook
from moveclock import facts as k
from tests.domain.begun import NEXT_DALEJ_OF_B, table
from tests.domain.referee import Decided, ruled
from tests.domain.tables import A, B, played

SCHOOL = rulebook.load("school-league")
ITALY = rulebook.load("it-classic")
FULL = 50  # 106 tiles, 14 to each of four
NEXT_JUZ_OF_B = 2 * B


def only(facts: Sequence[Fact], *decisions: Decided) -> GameBank:
    (bank,) = banks(facts, rulings(facts, SCHOOL, decisions))
    return bank


def both(bank: GameBank) -> tuple[int | None, int | None]:
    return bank.now.counted, bank.now.corrected


def late(facts: Sequence[Fact]) -> Fact:
    return next(fact for fact in facts if fact.kind == k.TIME_RAN_OUT)


def test_6e_each_tile_drawn_is_counted_by_the_box_alone() -> None:
    at_table = table()
    at_table.wait(5_000)
    at_table.press(k.KOSTKA)
    at_table.press(2 * A + 1)
    assert both(only(at_table.facts)) == (FULL - 1, FULL - 1)


def test_6h_the_provisional_tile_is_not_in_the_boxs_count() -> None:
    at_table = table()
    at_table.wait(41_000)
    assert both(only(at_table.facts)) == (FULL, FULL - 1)


@pytest.mark.parametrize("kostka", [False, True])
def test_6h_the_tile_of_the_tables_verdict_is_counted_once_whether_or_not_it_is_seen(kostka: bool) -> None:
    at_table = table()
    at_table.wait(43_000)
    if kostka:
        at_table.press(k.KOSTKA)
    at_table.wait(1_000)
    at_table.press(NEXT_DALEJ_OF_B)
    if not kostka:
        at_table.wait(1_000)
        at_table.press(k.KOSTKA)  # the tile that the verdict has counted
    assert both(only(at_table.facts)) == (FULL - 1, FULL - 1)


@pytest.mark.parametrize("kostka", [False, True])
def test_6s_an_overruled_verdict_gives_its_tile_back(kostka: bool) -> None:
    at_table = table()
    at_table.wait(43_000)
    if kostka:
        at_table.press(k.KOSTKA)
    at_table.press(NEXT_DALEJ_OF_B)
    overruled = ruled(9, late(at_table.facts), "stands", 0)
    assert both(only(at_table.facts, overruled)) == (FULL - 1, FULL)
    assert turns(at_table.facts, rulings(at_table.facts, SCHOOL, [overruled]))[0].tiles == 0


def test_6h_what_is_in_no_valid_set_is_taken_from_the_table_instead_of_the_penalty_tile() -> None:
    at_table = table()
    at_table.wait(43_000)
    at_table.press(NEXT_DALEJ_OF_B)
    decided = ruled(9, late(at_table.facts), "takes_invalid", 5)
    assert both(only(at_table.facts, decided)) == (FULL - 1, FULL)
    assert turns(at_table.facts, rulings(at_table.facts, SCHOOL, [decided]))[0].tiles == 5


def test_6h_a_verdict_that_the_referee_turns_into_undone_costs_the_tile_after_all() -> None:
    at_table = table()
    at_table.wait(43_000)
    at_table.press(NEXT_JUZ_OF_B)
    assert both(only(at_table.facts)) == (FULL, FULL)
    assert both(only(at_table.facts, ruled(9, late(at_table.facts), "undone", 1))) == (FULL, FULL - 1)


def test_6h_the_tile_of_an_undone_move_is_its_ordinary_draw() -> None:
    at_table = table()
    at_table.wait(30_000)
    at_table.press(k.KOSTKA)
    at_table.wait(15_000)
    assert both(only(at_table.facts)) == (FULL - 1, FULL - 1)
    assert both(only(at_table.facts, ruled(9, late(at_table.facts), "undone", 1))) == (FULL - 1, FULL - 1)


def test_tempo_limite_nobody_counted_what_was_taken_and_the_bank_is_none_the_smaller() -> None:
    at_table = table()
    at_table.wait(41_000)
    (bank,) = banks(at_table.facts, rulings(at_table.facts, ITALY))
    assert both(bank) == (FULL, FULL)


def test_a_count_that_the_referee_set_includes_what_was_ruled_before_it() -> None:
    at_table = table(on_expiry=1)
    at_table.wait(51_000)
    assert both(only(at_table.facts)) == (FULL, FULL - 1)
    at_table.order(k.C_STOP, k.REFEREE)
    at_table.order(k.C_SET_BANK, 49)
    bank = only(at_table.facts)
    assert both(bank) == (49, 49)
    assert bank.after[1].corrected == FULL - 1


def test_6o_no_ruling_takes_a_tile_that_is_not_there() -> None:
    at_table = table(tiles=4 * 14)
    at_table.wait(43_000)
    assert both(only(at_table.facts, ruled(9, late(at_table.facts), "undone", 1))) == (0, 0)


def test_the_bank_after_each_move() -> None:
    at_table = table(on_expiry=1)
    at_table.wait(51_000)
    at_table.press(k.KOSTKA)
    at_table.press(2 * B + 1)
    after = only(at_table.facts).after
    assert [(after[move].counted, after[move].corrected) for move in (1, 2)] == [(50, 49), (49, 48)]


# --- for whatever happens at a table --------------------------------------------------------------------------------


def decide_on(facts: Sequence[Fact], data: st.DataObject) -> list[Decided]:
    """A referee rules on some of the time-outs, and takes some of it back."""
    made: list[Decided] = []
    for fact in facts:
        if fact.kind == k.TIME_RAN_OUT and data.draw(st.booleans()):
            name = data.draw(st.sampled_from(["stands", "undone", "takes_invalid"]))
            made.append(ruled(1_000 + len(made), fact, name, data.draw(st.integers(0, 3))))
            if data.draw(st.booleans()):
                made.append(Decided(1_000 + len(made), kind="revoke", revokes=made[-1].cursor))
    return made


@given(st.data())
def test_no_tile_is_counted_twice_and_none_is_forgotten(data: st.DataObject) -> None:
    """What the deal gave, less what every turn of the log cost, is the bank; unless somebody counted it anew."""
    facts = data.draw(played())
    found = rulings(facts, SCHOOL, decide_on(facts, data))
    log = turns(facts, found)
    for bank in banks(facts, found):
        here = [fact for fact in facts if fact.game == bank.game and fact.seq >= bank.dealt]
        if bank.void or any(fact.kind in (k.BANK_CORRECTED, k.GAME_REDEALT) for fact in here):
            continue
        ruled_here = [ruling for ruling in found if ruling.game == bank.game and ruling.of[2] > bank.dealt]
        spent = 0
        for turn in log:
            if turn.game == bank.game and turn.seq >= bank.dealt:
                taken = sum(r.tiles or 0 for r in ruled_here if r.move == turn.move and r.ruling == "takes_invalid")
                spent += (turn.tiles or 0) - taken
        assert here[0].kind == k.CONFIGURED
        assert bank.now.corrected == max(0, here[0].c - spent)


@given(st.data())
def test_whatever_order_facts_and_repeats_come_in_the_bank_is_the_same(data: st.DataObject) -> None:
    facts = data.draw(played())
    found = rulings(facts, SCHOOL, decide_on(facts, data))
    mixed = data.draw(st.permutations([*facts, *facts[: len(facts) // 3]]))
    assert banks(mixed, data.draw(st.permutations(found))) == banks(facts, found)


@given(played())
def test_without_rulings_the_bank_is_what_the_box_says(facts: list[Fact]) -> None:
    for bank in banks(facts):
        assert bank.now.corrected == bank.now.counted
