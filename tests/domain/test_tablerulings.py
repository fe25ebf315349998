"""A time-out at the box that died and the verdict at the spare are one case: one ruling that holds, one penalty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.domain.game.bank import banks
from dalej.domain.game.facts import Fact
from dalej.domain.game.rulings import GameRulings, Ruling, Rulings, Told, broken_off, games_ruled
from dalej.domain.game.turns import Turn, turns, whole
from dalej.rulesets import rulebook
from moveclock import facts as k
from tests.domain.referee import Decided, key, only, ruled
from tests.domain.tables import BOX, A, B, C, PlayedTable
from tests.domain.takeover import LIMIT, SPARE, Both, both, late, table, takes_over

SCHOOL = rulebook.load("school-league")
THIRD = "c0b1c2d3e4f5"


def told(facts: Iterable[Fact], *boxes: str, decisions: Sequence[Decided] = ()) -> list[GameRulings]:
    fold = Rulings(SCHOOL)
    for fact in facts:
        fold.add(fact)
    for decision in decisions:
        fold.decide(decision)
    parts = sorted(fold.parts(), key=lambda part: (boxes.index(part.deal.box), part.begun))
    return games_ruled(Told(0, part, fold) for part in parts)


def current(facts: Iterable[Fact], *boxes: str, decisions: Sequence[Decided] = ()) -> list[Ruling]:
    return [one for game in told(facts, *boxes, decisions=decisions) for one in game.current()]


def ran_out(at: PlayedTable) -> Fact:
    return next(fact for fact in at.facts if fact.kind == k.TIME_RAN_OUT)


def test_the_verdict_at_the_spare_replaces_the_default_of_the_time_out_at_the_box_before() -> None:
    first = late()
    spare = takes_over(first)
    open_still = only(current([*first.facts, *spare.facts], BOX, SPARE))
    spare.order(k.C_RESUME)
    spare.wait(3_000)
    spare.press(2 * B + 1)

    (game,) = told([*first.facts, *spare.facts], BOX, SPARE)

    assert (open_still.provisional, open_still.of) == (True, key(ran_out(first)))
    assert [(one.by, one.tiles, one.standing) for one in game.history] == [
        ("default", 1, "replaced"), ("table", 1, "current"),
    ]  # fmt: skip
    assert {one.of for one in game.history} == {key(ran_out(first))}


def test_a_spare_whose_box_before_is_unknown_tells_of_the_time_out_itself() -> None:
    spare = takes_over(late())
    ruling = only(current(spare.facts, SPARE))
    assert (ruling.ruling, ruling.tiles, ruling.by) == ("undone", 1, "default")
    spare.order(k.C_RESUME)
    spare.press(2 * B)
    assert (only(current(spare.facts, SPARE)).ruling, only(current(spare.facts, SPARE)).tiles) == ("stands", 0)


@pytest.mark.parametrize("on_spare", [False, True])
def test_a_referees_decision_on_either_boxs_fact_holds(on_spare: bool) -> None:
    first = late()
    spare = takes_over(first)
    spare.order(k.C_RESUME)
    spare.press(2 * B + 1)
    named = next(one for one in spare.facts if one.kind == k.MOVE_STARTED) if on_spare else ran_out(first)

    ruling = only(current([*first.facts, *spare.facts], BOX, SPARE, decisions=[ruled(9, named, "takes_invalid", 3)]))

    assert (ruling.by, ruling.tiles, ruling.decision) == ("referee", 3, 9)


def test_a_late_move_that_is_given_time_at_the_spare_needs_no_ruling() -> None:
    first = late()
    spare = takes_over(first)
    spare.order(k.C_GIVE_TIME, 9_000)

    (game,) = told([*first.facts, *spare.facts], BOX, SPARE)

    assert [one.standing for one in game.history] == ["lapsed"]


@pytest.mark.parametrize("power_lost", [False, True])
@pytest.mark.parametrize("given", [(k.C_SET_REMAINING, 2_000), (k.C_GIVE_TIME, 2_000)])
def test_a_late_move_that_was_given_time_at_the_box_before_keeps_the_time_it_took_there(
    power_lost: bool, given: tuple[int, int]
) -> None:
    first = late()
    if power_lost:
        first.cut_power()
    else:
        first.order(k.C_STOP, k.REFEREE)
    first.order(*given)
    spare = takes_over(first)
    spare.order(k.C_RESUME)
    spare.wait(1_000)
    spare.press(2 * A)

    found = whole([*turns(first.facts), *turns(spare.facts)])

    assert current([*first.facts, *spare.facts], BOX, SPARE) == []
    assert [(turn.move, turn.how, turn.elapsed_ms) for turn in found] == [
        (1, "juz", LIMIT + 1_000), (2, None, None),
    ]  # fmt: skip
    assert found[0].allowed_ms == LIMIT + 2_000


@pytest.mark.parametrize("on_spare", [False, True])
def test_a_tile_taken_late_at_the_box_before_is_the_one_tile_of_a_move_that_goes_on_after_all(on_spare: bool) -> None:
    """At two boxes as at one that tells it all."""
    first = late()
    first.press(k.KOSTKA)
    last = takes_over(first) if on_spare else first
    if on_spare:
        last.order(k.C_RESUME)
    last.order(k.C_STOP, k.REFEREE)
    last.order(k.C_GIVE_TIME, 9_000)
    last.order(k.C_RESUME)
    last.wait(1_000)
    last.press(2 * A)

    told_by_both = [*turns(first.facts), *turns(last.facts)] if on_spare else turns(first.facts)

    turn = whole(told_by_both)[0]
    assert (turn.how, turn.elapsed_ms, turn.drawn, turn.tiles) == ("juz", LIMIT + 1_000, True, 1)


def test_a_time_out_that_nobody_had_received_lapses_in_a_move_that_went_on_with_time() -> None:
    """The desk did not know that the time was over, and the spare gave the move what it had when it was heard last."""
    first = late()
    spare = table(SPARE)
    spare.order(k.C_TAKE_OVER, 1, 1, A, 5_000, 50, 0)
    spare.order(k.C_RESUME)
    spare.wait(4_000)
    spare.press(2 * A)

    assert current([*first.facts, *spare.facts], BOX, SPARE) == []


def test_a_move_without_any_time_left_runs_out_once_though_both_boxes_say_so() -> None:
    first = late()
    spare = table(SPARE)
    spare.order(k.C_TAKE_OVER, 1, 1, A, 0, 50, 0)
    spare.order(k.C_RESUME)
    spare.wait(1_000)
    spare.press(2 * B + 1)

    ruling = only(current([*first.facts, *spare.facts], BOX, SPARE))

    assert (ruling.of, ruling.by, ruling.tiles) == (key(ran_out(first)), "table", 1)


def test_a_spare_without_any_time_left_that_has_not_gone_on_leaves_the_question_open() -> None:
    first = late()
    spare = table(SPARE)
    spare.order(k.C_TAKE_OVER, 1, 1, A, 0, 50, 0)

    ruling = only(current([*first.facts, *spare.facts], BOX, SPARE))

    assert (ruling.of, ruling.by, ruling.tiles) == (key(ran_out(first)), "default", 1)


def test_the_verdict_at_the_spare_holds_though_the_begin_of_the_move_there_is_lost() -> None:
    first = table()
    first.press(2 * A)
    first.wait(5_000)
    first.press(2 * A)
    first.wait(LIMIT + 2_000)
    spare = takes_over(first)
    spare.order(k.C_RESUME)
    spare.press(2 * C)
    told_of = [fact for fact in spare.facts if fact.kind != k.MOVE_STARTED]

    ruling = only(current([*first.facts, *told_of], BOX, SPARE))

    assert (ruling.of, ruling.ruling, ruling.tiles, ruling.by) == (key(ran_out(first)), "stands", 0, "table")


def test_a_third_box_goes_on_with_the_same_question() -> None:
    first = late()
    second = takes_over(first)
    second.order(k.C_RESUME)
    second.wait(2_000)
    third = takes_over(second, THIRD)
    third.order(k.C_RESUME)
    third.press(2 * B + 1)

    ruling = only(current([*first.facts, *second.facts, *third.facts], BOX, SPARE, THIRD))

    assert (ruling.of, ruling.by, ruling.tiles) == (key(ran_out(first)), "table", 1)


def test_tiles_dealt_anew_at_the_spare_void_what_was_ruled_at_the_box_before() -> None:
    first = late()
    first.press(2 * B + 1)
    spare = takes_over(first)
    spare.order(k.C_REDEAL)

    assert current([*first.facts, *spare.facts], BOX, SPARE) == []


def test_a_game_that_another_box_begins_anew_takes_its_rulings_and_turns_with_it() -> None:
    first, anew = late(), table(SPARE)
    first.press(2 * B + 1)
    anew.press(2 * A)
    anew.wait(5_000)
    anew.press(2 * A)
    facts = [*first.facts, *anew.facts]
    games = told(facts, BOX, SPARE)

    seen = whole([*turns(first.facts), *turns(anew.facts)], broken_off(games))

    assert [one.standing for one in games[0].history][-1] == "void"
    assert [(turn.box, turn.move, turn.void, turn.flags) for turn in seen] == [
        (BOX, 1, True, ()), (BOX, 2, True, ("unended",)), (SPARE, 1, False, ()), (SPARE, 2, False, ()),
    ]  # fmt: skip


def test_a_game_without_an_end_in_an_earlier_round_stays_a_game() -> None:
    first, later = late(), late()
    fold, other = Rulings(SCHOOL), Rulings(SCHOOL)
    for fact in first.facts:
        fold.add(fact)
    for fact in later.facts:
        other.add(Fact(SPARE, *[getattr(fact, name) for name in Fact.__slots__ if name != "box"]))
    games = games_ruled([*(Told(1, part, fold) for part in fold.parts()), *(Told(2, p, other) for p in other.parts())])

    assert [one.game.void for one in games] == [False, False]


def costs(found: Iterable[Ruling]) -> list[tuple[object, ...]]:
    return [(one.game, one.move, one.seat, one.ruling, one.tiles, one.by, one.clause) for one in found]


def seen(found: Iterable[Turn]) -> list[tuple[object, ...]]:
    return [
        (turn.game, turn.move, turn.seat, turn.how, turn.elapsed_ms, turn.tiles, turn.ruling, turn.drawn, turn.void)
        for turn in found
    ]


@given(both())
def test_a_game_that_two_boxes_tell_of_is_ruled_and_logged_as_if_one_had_told_it_all(game: Both | None) -> None:
    if game is None:
        return
    facts = [*game.first, *game.spare]
    alone, games = told(game.alone, BOX), told(facts, BOX, SPARE)
    ruled_alone, ruled_both = current(game.alone, BOX), current(facts, BOX, SPARE)

    assert costs(ruled_both) == costs(ruled_alone)
    logged = whole([*turns(game.first, ruled_both), *turns(game.spare, ruled_both)], broken_off(games))
    assert seen(logged) == seen(whole(turns(game.alone, ruled_alone), broken_off(alone)))
    last = banks(facts, ruled_both, (one.game for one in games))
    assert last[-1].now == banks(game.alone, ruled_alone)[-1].now


@given(both(), st.data())
def test_in_whatever_order_both_journals_arrive_there_is_one_ruling_for_every_time_out(
    game: Both | None, data: st.DataObject
) -> None:
    if game is None:
        return
    facts = [*game.first, *game.spare]
    mixed = data.draw(st.permutations(facts))
    expected = current(facts, BOX, SPARE)

    assert current(mixed, BOX, SPARE) == expected
    some = current(mixed[: len(mixed) // 2], BOX, SPARE)
    for found in (expected, some):
        assert len({one.of for one in found}) == len(found)
        taken = next(fact for fact in game.spare if fact.kind == k.MOVE_STARTED)
        assert len([one for one in found if (one.game, one.move) == (taken.game, taken.move)]) <= 1


def test_a_move_that_was_late_at_the_box_before_is_one_turn_with_one_penalty() -> None:
    first = late()
    first.press(k.KOSTKA)
    spare = takes_over(first)
    spare.order(k.C_RESUME)
    spare.wait(3_000)
    spare.press(2 * B + 1)
    spare.wait(5_000)
    spare.press(2 * B)
    facts = [*first.facts, *spare.facts]
    ruled_both = current(facts, BOX, SPARE)

    found = whole([*turns(first.facts, ruled_both), *turns(spare.facts, ruled_both)])

    assert [(turn.box, turn.move, turn.how, turn.elapsed_ms, turn.tiles, turn.ruling) for turn in found] == [
        (SPARE, 1, "timeout", LIMIT, 1, "undone"), (SPARE, 2, "juz", 5_000, 0, None), (SPARE, 3, None, None, 0, None),
    ]  # fmt: skip
    assert found[0].overrun_ms == 3_000
    assert "other_box" in found[0].flags
