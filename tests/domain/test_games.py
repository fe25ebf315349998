"""Which facts are of which deal, which deals are one game of a table, and which of its boxes told what."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.commands import MidGame
from dalej.domain.game.facts import Fact
from dalej.domain.game.games import (
    Deal,
    DealKey,
    GameFacts,
    GameKey,
    OfDeals,
    Part,
    TableGame,
    deal_key,
    part_of,
    table_games,
    taken_over,
)
from dalej.domain.game.rulings import Rulings
from dalej.domain.game.turns import Turns, turns
from dalej.rulesets import rulebook
from moveclock import facts as k
from tests.domain.begun import NEXT_DALEJ_OF_B, go_out, lay, table
from tests.domain.tables import BOX, EPOCH, A, B, Journal
from tests.domain.takeover import SPARE

KINDS = (k.GAME_STARTED, k.MOVE_STARTED, k.MOVE_ENDED, k.TABLE_RESTORED, k.GAME_ENDED, k.GAME_REOPENED)
GAME = GameKey(BOX, EPOCH, 1)
SCHOOL = rulebook.load("school-league")


def deals(facts: list[Fact]) -> list[Deal]:
    fold = GameFacts(KINDS)
    fold.add_all(facts)
    return list(fold.deals(GAME))


def set_up() -> Journal:
    """A box that was set up for its first game."""
    journal = Journal()
    journal.write(k.CONFIGURED, 0, 0, A, k.DESK, 40_000, 0b1111, 50)
    return journal


def begun() -> Journal:
    """The same, and A has passed."""
    journal = set_up()
    journal.write(k.GAME_STARTED, 1_000, 1, A, k.TABLE, 40_000, c=50)
    journal.play(A, 1, 1_000, 5_000, k.BY_DALEJ)
    return journal


def went_on(move: int = 7, more: MidGame | None = None, given_ms: int = 9_000) -> Journal:
    """A box that went on with another's game."""
    told = more or MidGame()
    journal = set_up()
    journal.write(k.MOVE_STARTED, 0, move, B, int(told.late), 0 if told.late else given_ms, told.number, 50)
    return journal


# --- facts and deals ------------------------------------------------------------------------------------------------


def test_a_fact_is_sorted_in_once_if_it_is_of_a_game_and_of_a_kind_that_is_looked_for() -> None:
    fold, journal = GameFacts(KINDS), Journal(game=0)
    assert fold.add(journal.write(k.MOVE_STARTED, 0, 1, A)) is None
    journal.game = 1
    assert fold.add(journal.write(k.STRAY_TAP, 0, 1, A)) is None
    assert fold.games() == []

    move = journal.write(k.MOVE_STARTED, 0, 1, A)

    assert (fold.add(move), fold.add(move), fold.games()) == (GAME, None, [GAME])


def test_a_deal_is_named_by_the_fact_that_dealt_it_as_soon_as_that_is_told() -> None:
    journal = begun()
    journal.write(k.GAME_REDEALT, 60_000, 0, c=50)
    journal.play(A, 1, 70_000, 5_000, k.BY_JUZ)

    assert [deal_key(GAME, deal) for deal in deals(journal.facts[1:])] == [
        DealKey(BOX, EPOCH, 1, 0), DealKey(BOX, EPOCH, 1, 5)
    ]  # fmt: skip
    assert [(deal_key(GAME, deal).dealt, deal.void) for deal in deals(journal.facts)] == [(1, True), (5, False)]


@pytest.mark.parametrize(("move", "is_taken_over"), [(1, False), (2, True)])
def test_a_game_whose_second_move_is_the_first_that_is_told_began_elsewhere(move: int, is_taken_over: bool) -> None:
    journal = set_up()
    journal.write(k.BANK_CORRECTED, 0, 0, c=49)
    first = journal.write(k.MOVE_STARTED, 0, move, B, a=9_000, c=49)

    (deal,) = deals(journal.facts)

    assert taken_over(deal) == (first if is_taken_over else None)


# --- what one box tells of a deal -----------------------------------------------------------------------------------


def part(journal: Journal) -> Part | None:
    (deal,) = deals(journal.facts)
    return part_of(GAME, deal)


def test_a_box_that_was_only_set_up_tells_of_no_game() -> None:
    assert part(set_up()) is None


def test_a_game_that_began_at_its_box_and_goes_on() -> None:
    assert part(begun()) == Part(DealKey(BOX, EPOCH, 1, 1), 2, 4, 0, False, None, over=False, idle=False, void=False)


def test_a_game_is_over_from_its_end_until_it_is_reopened() -> None:
    journal = begun()
    here = part(journal)
    assert here is not None

    journal.write(k.GAME_ENDED, 50_000, 1, A, k.WENT_OUT)
    assert part(journal) == replace(here, last=5, over=True)
    journal.write(k.GAME_REOPENED, 60_000, 1, A, k.NEXT_SEAT)
    assert part(journal) == replace(here, last=6, over=False)


def test_a_game_that_was_taken_over_is_idle_until_something_is_done_in_it() -> None:
    journal = went_on()
    there = Part(DealKey(BOX, EPOCH, 1, 1), 2, 2, 7, False, 9_000, over=False, idle=True, void=False)
    assert part(journal) == there

    journal.write(k.MOVE_ENDED, 5_000, 7, B, k.BY_JUZ, 5_000, 0, 50)
    assert part(journal) == replace(there, last=3, idle=False)


def test_a_move_that_was_late_at_the_box_before_is_given_no_time() -> None:
    assert part(went_on(more=MidGame(late=True))) == Part(
        DealKey(BOX, EPOCH, 1, 1), 2, 2, 7, True, 0, over=False, idle=True, void=False
    )


# --- the games of a table -------------------------------------------------------------------------------------------

FIRST = Part(DealKey(BOX, EPOCH, 1, 1), 2, 9, 0, False, None, over=False, idle=False, void=False)
WENT_ON = Part(DealKey(SPARE, EPOCH, 1, 1), 2, 6, 7, False, 9_000, over=False, idle=False, void=False)


def later(one: Part, by: int, **changes: int) -> Part:
    """What the same box tells later."""
    again = replace(one, deal=one.deal._replace(dealt=one.deal.dealt + by), begun=one.begun + by, last=one.last + by)
    return replace(again, **changes)  # type: ignore[arg-type]  # numbers all of them


def test_a_box_that_goes_on_with_the_game_of_another_is_a_part_of_it() -> None:
    assert table_games([(1, FIRST), (1, WENT_ON)]) == [TableGame((FIRST, WENT_ON), False)]
    started_late = replace(WENT_ON, begun=4)
    assert table_games([(1, FIRST), (1, started_late)]) == [TableGame((FIRST, started_late), False)]


def test_a_box_that_is_put_back_in_its_own_game_goes_on_with_it() -> None:
    back = later(FIRST, 10, move=3)

    assert table_games([(1, FIRST), (1, back)]) == [TableGame((FIRST, back), False)]
    assert table_games([(1, FIRST), (1, WENT_ON), (1, back)]) == [TableGame((FIRST, WENT_ON, back), False)]


@pytest.mark.parametrize("begun_after", [2, 3])
def test_a_move_told_later_than_right_after_the_setting_up_is_of_a_game_begun_anew(begun_after: int) -> None:
    anew = later(FIRST, 10, move=3)
    anew = replace(anew, begun=anew.deal.dealt + begun_after)

    assert table_games([(1, FIRST), (1, anew)]) == [TableGame((FIRST,), True), TableGame((anew,), False)]


def test_a_game_that_is_begun_anew_in_its_round_was_broken_off_unless_it_had_an_end() -> None:
    anew = later(FIRST, 10)
    ended = replace(FIRST, over=True)

    assert [game.void for game in table_games([(1, FIRST), (1, anew)])] == [True, False]
    assert [game.void for game in table_games([(1, ended), (1, anew)])] == [False, False]
    assert [game.void for game in table_games([(1, FIRST), (2, anew)])] == [False, False]


def test_a_fact_is_of_the_box_that_told_it_while_it_had_the_game() -> None:
    back = later(FIRST, 20, move=9)
    (game,) = table_games([(1, FIRST), (1, WENT_ON), (1, back)])

    told_here = {seq: game.part_of((BOX, EPOCH, seq)) for seq in range(1, 31)}

    assert {seq for seq, one in told_here.items() if one == FIRST} == set(range(2, 10))
    assert {seq for seq, one in told_here.items() if one == back} == set(range(22, 30))
    assert {seq for seq, one in told_here.items() if one is None} == {1, *range(10, 22), 30}
    assert [game.part_of((SPARE, EPOCH, seq)) for seq in (1, 2, 6, 7)] == [None, WENT_ON, WENT_ON, None]
    assert game.part_of((BOX, EPOCH + 1, 5)) is None


def two_rounds_of_a_box() -> list[Fact]:
    """Game 1 of the first round, dealt anew once, and game 1 of the next round; a time-out in each."""
    at = table()
    lay(at, A, B)
    at.press(k.SEDZIA)
    assert at.order(k.C_REDEAL) == 0
    at.wait(1_000)
    at.press(2 * A)
    at.wait(43_000)
    at.press(NEXT_DALEJ_OF_B)
    go_out(at, B)
    assert at.order(k.C_CONFIGURE, 1, at.clock.settings, k.DESK) == 0
    at.wait(1_000)
    at.press(2 * A)
    at.wait(43_000)
    at.press(NEXT_DALEJ_OF_B)
    lay(at, B)
    return at.facts


@given(st.permutations(range(len(two_rounds_of_a_box()))))
def test_a_game_whose_number_is_played_again_is_the_same_whenever_it_is_asked_for(order: list[int]) -> None:
    facts = two_rounds_of_a_box()
    seen, ruled, known = Turns(), Rulings(SCHOOL), []
    for place in order:
        known.append(facts[place])
        seen.add(facts[place])
        ruled.add(facts[place])
        anew = Rulings(SCHOOL)
        for fact in known:
            anew.add(fact)
        assert seen.turns() == turns(known)
        assert ruled.parts() == anew.parts()


def test_a_deal_that_is_over_is_not_gone_through_again_until_a_fact_of_it_comes_late() -> None:
    facts = two_rounds_of_a_box()
    late = next(fact for fact in facts if fact.kind == k.MOVE_ENDED)
    made: list[Deal] = []
    kept = GameFacts((k.GAME_STARTED, k.MOVE_STARTED, k.MOVE_ENDED, k.GAME_ENDED))
    of_deals = OfDeals(kept, lambda key, deal: made.append(deal))
    for fact in facts:
        if fact is not late and (key := kept.add(fact)) is not None:
            of_deals.of(key)
    first, second, *_, last = dict.fromkeys(deal.facts[0].seq for deal in made)
    made.clear()
    of_deals.of(GameKey(late.box, late.epoch, 1))
    assert [deal.facts[0].seq for deal in made] == [last]

    kept.add(late)
    made.clear()
    of_deals.of(GameKey(late.box, late.epoch, 1))
    assert [deal.facts[0].seq for deal in made] == [first, second, last]
