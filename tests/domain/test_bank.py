"""The bank: every tile that was drawn or ruled is counted, and none twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.bank import Bank, BanksByMove, GameBank, Tiles, banks
from dalej.domain.game.commands import MidGame
from dalej.domain.game.facts import Fact
from dalej.domain.game.games import GameKey
from dalej.domain.game.rulings import Ruling, Rulings, Told, games_ruled, rulings
from dalej.domain.game.turns import turns
from dalej.domain.rules.rulesets import RulingName
from dalej.rulesets import rulebook
from moveclock import facts as k
from moveclock import settings as rules
from tests.domain import takeover
from tests.domain.begun import NEXT_DALEJ_OF_B, another, table
from tests.domain.referee import Decided, ruled
from tests.domain.tables import A, B, Journal, PlayedTable, played

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


@pytest.mark.parametrize(
    ("tiles", "by", "ruling", "ruled_tiles", "from_bank", "cost"),
    [
        (Tiles(1, 0), "default", "stands", 0, 1, 1),
        (Tiles(0, 1), "table", "stands", 0, 1, 1),
        (Tiles(0, 1), "referee", "stands", 0, 0, 0),
        (Tiles(1, 0), "referee", "stands", 2, 3, 3),
        (Tiles(0, 0), "default", "undone", 1, 1, 1),
        (Tiles(0, 1), "default", "undone", 0, 1, 1),
        (Tiles(0, 1), "referee", "undone", 0, 0, 0),
        (Tiles(0, 0), "referee", "undone", 0, 0, 0),
        (Tiles(1, 0), "referee", "undone", 1, 1, 1),
        (Tiles(1, 0), "referee", "undone", 3, 3, 3),
        (Tiles(0, 1), "referee", "takes_invalid", 5, 0, 5),
        (Tiles(1, 0), "referee", "takes_invalid", 5, 1, 6),
        (Tiles(1, 0), "default", "takes_invalid", None, 1, None),
    ],
)
def test_6h_what_a_move_costs_the_bank_and_its_player_as_it_is_ruled(
    tiles: Tiles, by: Literal["default", "table", "referee"], ruling: RulingName, ruled_tiles: int | None,
    from_bank: int, cost: int | None,
) -> None:  # fmt: skip
    one = Ruling(ruling, ("a0b1c2d3e4f5", 7, 5), 1, 1, A, ruled_tiles, by == "default", "6h", by)

    assert (tiles.from_bank(one), tiles.cost(one)) == (from_bank, cost)
    assert tiles.from_bank(None) == tiles.cost(None) == tiles.counted


@pytest.mark.parametrize("kostka", [False, True])
def test_a_tile_drawn_in_time_is_one_tile_whether_it_was_seen_or_the_click_told_of_it(kostka: bool) -> None:
    journal = Journal()
    journal.write(k.MOVE_STARTED, 0, 1, A, a=40_000, c=50)
    if kostka:
        journal.write(k.TILE_DRAWN, 5_000, 1, A, 1, 5_000, c=49)
    late = journal.write(k.TIME_RAN_OUT, 40_000, 1, A, a=40_000, b=1, c=49)
    journal.write(k.MOVE_ENDED, 40_000, 1, A, k.BY_TIMEOUT, 40_000, 1, 49)

    bank = only(journal.facts, ruled(9, late, "undone", 2))

    assert both(bank) == (49, 48)


def test_6e_a_tile_that_was_only_seen_is_none_that_the_box_has_counted() -> None:
    """The bank is empty by its count: a referee has given back the tile that it knows of."""
    at_table = table(tiles=4 * 14 + 1, on_bank_empty=rules.PLAY_ON)
    at_table.wait(43_000)
    at_table.press(NEXT_DALEJ_OF_B)
    at_table.press(k.KOSTKA)  # that of the verdict
    overruled = ruled(8, late(at_table.facts), "stands", 0)
    assert both(only(at_table.facts, overruled)) == (0, 1)
    at_table.wait(10_000)
    at_table.press(k.KOSTKA)
    at_table.wait(40_000)
    again = [fact for fact in at_table.facts if fact.kind == k.TIME_RAN_OUT][-1]

    assert again.b == 1
    assert both(only(at_table.facts, overruled, ruled(9, again, "undone", 1))) == (0, 0)


def test_6h_a_tile_is_late_before_the_end_of_its_move_is_told() -> None:
    at_table = table()
    at_table.wait(43_000)
    at_table.press(k.KOSTKA)
    told = [fact for fact in at_table.facts if fact.kind != k.MOVE_ENDED]

    assert both(only(told, ruled(9, late(told), "stands", 0))) == (FULL - 1, FULL)


def test_8_a_rack_shown_wrongly_as_empty_costs_what_is_ruled_on_its_reopening() -> None:
    journal = Journal()
    journal.play(A, 1, 0, 20_000, k.BY_EMPTY_RACK)
    journal.write(k.GAME_ENDED, 20_000, 1, A, k.WENT_OUT)
    reopened = journal.write(k.GAME_REOPENED, 90_000, 1, A, k.NEXT_SEAT)

    assert both(only(journal.facts)) == (50, 49)
    assert both(only(journal.facts, ruled(9, reopened, "undone", 3))) == (50, 47)


@pytest.mark.parametrize(
    ("given", "corrected"),
    [
        ((k.MOVE_RESTARTED, k.DESK, 40_000), 49), ((k.TIME_CORRECTED, 0, 9_000), 49), ((k.EXTRA_TIME_GIVEN, 0, 1), 49),
        ((k.GAME_REOPENED, k.SAME_SEAT, 9_000), 49),
        ((k.TIME_CORRECTED, 0, 0), 50),
    ],
)  # fmt: skip
def test_a_tile_taken_late_is_the_one_tile_of_a_move_that_goes_on(given: tuple[int, int, int], corrected: int) -> None:
    """Else a referee who lets the move stand gives it back."""
    kind, code, remaining = given
    journal = Journal()
    late = journal.time_out(A, move=1, start=0)
    journal.write(k.TILE_DRAWN, 43_000, 1, A, 1, 40_000, c=49)
    journal.write(kind, 60_000, 1, A, code, remaining)
    if remaining:
        late = journal.write(k.TIME_RAN_OUT, 90_000, 1, A, a=40_000, b=1, c=49)

    assert both(only(journal.facts, ruled(9, late, "stands", 0))) == (49, corrected)
    assert both(only(journal.facts, ruled(9, late, "undone", 1))) == (49, 49)


def test_a_tile_drawn_in_the_time_that_a_late_move_was_given_is_drawn_in_time() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.write(k.EXTRA_TIME_GIVEN, 60_000, 1, A, a=9_000, b=9_000)
    journal.write(k.TILE_DRAWN, 63_000, 1, A, 1, 43_000, c=49)
    late = journal.write(k.TIME_RAN_OUT, 69_000, 1, A, a=49_000, b=1, c=49)

    assert both(only(journal.facts, ruled(9, late, "stands", 0))) == (49, 49)


def test_a_count_that_was_set_within_a_move_is_what_is_left_after_it() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.write(k.MOVE_STARTED, 50_000, 2, B, a=40_000, c=50)
    journal.write(k.BANK_CORRECTED, 60_000, 2, B, a=50, c=40)
    after = only(journal.facts).after

    assert [(after[move].counted, after[move].corrected) for move in (1, 2)] == [(50, 49), (40, 40)]


def test_a_count_that_was_set_while_a_late_move_waited_for_its_verdict_has_its_tile_in_it() -> None:
    journal = Journal()
    journal.time_out(A, move=1, start=0)
    journal.write(k.CLOCK_STOPPED, 42_000, 1, A, k.REFEREE)
    journal.write(k.BANK_CORRECTED, 60_000, 1, A, a=50, c=40)
    bank = only(journal.facts)

    assert both(bank) == (40, 40)
    assert bank.after[1] == bank.now


# --- a game that another box goes on with ---------------------------------------------------------------------------


def by_both(first: PlayedTable, spare: PlayedTable, *decisions: Decided) -> tuple[GameBank, GameBank]:
    """The bank as the box tells of it, and as its spare goes on with it."""
    facts = [*first.facts, *spare.facts]
    fold = Rulings(SCHOOL)
    for fact in facts:
        fold.add(fact)
    for decision in decisions:
        fold.decide(decision)
    games = games_ruled(Told(0, part, fold) for part in fold.parts())
    here, *_, there = banks(facts, [one for game in games for one in game.current()], (game.game for game in games))
    return here, there


def taken_over() -> tuple[PlayedTable, PlayedTable]:
    """A's first move was late when its box died; at the other the table has still to speak."""
    first = takeover.late()
    return first, takeover.takes_over(first)


def test_6h_the_tile_of_a_move_that_was_late_at_the_box_before_is_taken_once() -> None:
    first, spare = taken_over()
    here, there = by_both(first, spare)

    assert (here.goes_on, there.goes_on) == (True, False)
    assert both(here) == both(there) == (FULL, FULL - 1)


def test_6h_a_tile_that_is_taken_at_the_spare_is_late_there_too() -> None:
    first, spare = taken_over()
    spare.press(k.KOSTKA)

    _, there = by_both(first, spare, ruled(9, late(first.facts), "stands", 0))

    assert both(there) == (FULL - 1, FULL)


@pytest.mark.parametrize(
    ("more", "ruling", "corrected"),
    [
        (MidGame(late=True), "undone", 11), (MidGame(late=True, drawn=True), "undone", 12),
        (MidGame(late=True, penalty=True), "undone", 12), (MidGame(late=True, penalty=True), "stands", 13),
        (MidGame(late=True, drawn=True), "stands", 12),
    ],
)  # fmt: skip
def test_what_the_box_before_has_counted_is_known_where_nobody_heard_it(
    more: MidGame, ruling: str, corrected: int
) -> None:
    spare = Journal()
    spare.write(k.CONFIGURED, 0, 0, A, k.DESK, 40_000, 0b1111, 12)
    taken = spare.write(k.MOVE_STARTED, 0, 7, B, code=1, b=more.number, c=12)

    tiles = 1 if ruling == "undone" else 0
    assert both(only(spare.facts, ruled(9, taken, ruling, tiles))) == (12, corrected)


@pytest.mark.parametrize("counted_anew", [False, True])
def test_what_was_ruled_at_the_box_before_is_taken_at_the_spare_until_its_count_is_set(counted_anew: bool) -> None:
    first = table(on_expiry=rules.ADVANCE)
    first.wait(51_000)
    spare = another(first, 2, B)
    spare.wait(5_000)
    spare.press(2 * B)
    spare.order(k.C_STOP, k.REFEREE)
    if counted_anew:
        spare.order(k.C_SET_BANK, 49)

    _, there = by_both(first, spare)

    assert both(there) == ((49, 49) if counted_anew else (FULL, FULL - 1))
    assert (there.after[2].counted, there.after[2].corrected) == (FULL, FULL - 1)


# --- after a move, wherever it was played ---------------------------------------------------------------------------


def test_the_bank_after_a_move_is_that_of_the_deal_in_which_it_was_played() -> None:
    journal = Journal()
    for dealt in (50, 64):
        journal.write(k.CONFIGURED, 0, 0, A, k.DESK, 40_000, 0b1111, dealt)
        journal.write(k.GAME_STARTED, 0, 1, A, k.DESK, 40_000, c=dealt)
        journal.play(A, 1, 0, 5_000, k.BY_DALEJ, drawn=1, bank=dealt)
    known, game = BanksByMove(banks(journal.facts)), GameKey(journal.box, journal.epoch, 1)

    assert [known.after(game, 1, seq) for seq in (1, 4, 5, 8)] == [
        Bank(49, 49),
        Bank(49, 49),
        Bank(63, 63),
        Bank(63, 63),
    ]
    assert known.after(game, 2, 8) is None
    assert known.after(game, 1, 0) is None
    assert known.after(GameKey(journal.box, journal.epoch, 2), 1, 8) is None


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
