"""Boxes of one table, one after the other: what a spare went on with is one turn."""

from __future__ import annotations

from collections.abc import Iterable

from dalej.domain.game.rulings import rulings
from dalej.domain.game.turns import Turn, turns, whole
from dalej.rulesets import rulebook
from moveclock import facts as k
from moveclock import settings as rules
from tests.domain.tables import BOX, A, B, PlayedTable
from tests.domain.takeover import SPARE

SCHOOL = rulebook.load("school-league")


def table(box: str = BOX) -> PlayedTable:
    new = rules.Settings()
    new.limit_ms, new.first, new.draw = 40_000, A, rules.DRAW_OFF
    return PlayedTable(new, box=box)


def played(*, seconds: int) -> PlayedTable:
    """A's move is over, B's has lasted so long."""
    first = table()
    first.press(2 * A)
    first.wait(5_000)
    first.press(2 * A)
    first.wait(1_000 * seconds)
    return first


def seen(*tables: PlayedTable) -> list[Turn]:
    return whole(turn for one in tables for turn in turns(one.facts))


def told(found: Iterable[Turn]) -> list[tuple[str, int, str | None, int | None]]:
    return [(turn.box, turn.move, turn.how, turn.elapsed_ms) for turn in found]


def test_a_move_that_a_spare_box_went_on_with_is_one_turn_with_what_it_took_at_both() -> None:
    first, spare = played(seconds=12), table(SPARE)
    spare.order(k.C_TAKE_OVER, 1, 2, B, 28_000, 50, 0)
    spare.wait(60_000)
    spare.press(k.SEDZIA, held=True)
    spare.wait(3_000 + 7_000)
    spare.press(2 * B)

    found = seen(first, spare)

    assert told(found) == [(BOX, 1, "juz", 5_000), (SPARE, 2, "juz", 19_000), (SPARE, 3, None, None)]
    assert found[1].flags == ("box_lost_power", "other_box")
    assert found[1].stopped_ms == 63_000


def test_the_time_it_took_is_right_when_the_referee_gave_time_before_the_box_died() -> None:
    first, spare = played(seconds=12), table(SPARE)
    first.order(k.C_STOP, k.REFEREE)
    first.order(k.C_GIVE_TIME, 20_000)
    first.order(k.C_RESUME)
    first.wait(8_000)
    spare.order(k.C_TAKE_OVER, 1, 2, B, 40_000, 50, 0)
    spare.order(k.C_RESUME)
    spare.wait(1_000)
    spare.press(2 * B)

    assert told(seen(first, spare))[1] == (SPARE, 2, "juz", 21_000)


def test_a_third_box_goes_on_with_the_same_move() -> None:
    first, spare, third = played(seconds=12), table(SPARE), table("c0b1c2d3e4f5")
    spare.order(k.C_TAKE_OVER, 1, 2, B, 28_000, 50, 0)
    spare.order(k.C_RESUME)
    spare.wait(3_000)
    third.order(k.C_TAKE_OVER, 1, 2, B, 25_000, 50, 0)
    third.order(k.C_RESUME)
    third.wait(2_000)
    third.press(2 * B)

    assert told(seen(first, spare, third))[1] == (third.box, 2, "juz", 17_000)


def test_a_verdict_of_which_nobody_had_heard_stays_with_the_turn_however_many_boxes_go_on_with_it() -> None:
    """Given boxes that go on at the end of the move's time, as the desk knew it."""
    first, spare, third = table(), table(SPARE), table("c0b1c2d3e4f5")
    first.press(2 * A)
    first.wait(41_000)
    first.press(2 * B)
    for box in (spare, third):
        box.order(k.C_TAKE_OVER, 1, 1, A, 0, 50, 0)

    found = whole(turn for one in (first, spare, third) for turn in turns(one.facts, rulings(one.facts, SCHOOL)))

    assert [(turn.box, turn.move, turn.ruling) for turn in found] == [(BOX, 2, None), (third.box, 1, "stands")]


def test_a_late_move_that_a_spare_box_gives_time_is_taken_up() -> None:
    first, spare = table(), table(SPARE)
    first.press(2 * A)
    first.wait(41_000)
    first.press(2 * B)
    spare.order(k.C_TAKE_OVER, 1, 1, A, 10_000, 50, 0)
    spare.order(k.C_RESUME)
    spare.wait(3_000)
    spare.press(2 * A)

    turn = seen(first, spare)[1]

    assert (turn.elapsed_ms, turn.how, turn.flags) == (33_000, "juz", ("taken_up", "box_lost_power", "other_box"))


def test_a_tile_drawn_before_the_box_died_is_a_tile_of_the_turn() -> None:
    first, spare = played(seconds=12), table(SPARE)
    first.press(k.KOSTKA)
    spare.order(k.C_TAKE_OVER, 1, 2, B, 28_000, 49, 0)
    spare.order(k.C_RESUME)
    spare.wait(1_000)
    spare.press(2 * B)

    turn = seen(first, spare)[1]

    assert (turn.drawn, turn.tiles) == (True, 1)


def test_a_game_that_another_box_begins_anew_is_not_the_game_before() -> None:
    first, spare = table(), table(SPARE)
    first.press(2 * A)
    first.wait(5_000)
    spare.press(2 * A)

    found = seen(first, spare)

    assert [(turn.box, turn.move, turn.flags) for turn in found] == [(BOX, 1, ("unended",)), (SPARE, 1, ())]


def test_a_turn_that_ended_at_the_box_before_and_goes_on_at_the_spare_stays_two_accounts() -> None:
    """The box had more to tell than the desk knew when the spare took over."""
    first, spare = played(seconds=12), table(SPARE)
    first.press(2 * B)
    first.wait(1_000)
    spare.order(k.C_TAKE_OVER, 1, 2, B, 28_000, 50, 0)

    found = seen(first, spare)

    assert [(turn.box, turn.move, turn.how, turn.flags[-1:]) for turn in found] == [
        (BOX, 1, "juz", ()), (BOX, 2, "juz", ()), (BOX, 3, None, ("unended",)), (SPARE, 2, None, ("box_lost_power",)),
    ]  # fmt: skip
