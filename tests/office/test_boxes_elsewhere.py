"""A box that goes to another table leaves its games, its time-outs and its claims where they were."""

from __future__ import annotations

from dataclasses import replace

from dalej.event import eventlog
from dalej.event.cases import cases, claims
from dalej.event.event import Event
from dalej.event.reading import read
from moveclock import facts as k
from tests.domain.begun import OTHER, another, go_out, lay, table
from tests.domain.tables import A, B, C, PlayedTable
from tests.world import FIRST, known, stands, tell


def left_in_a_game(held: Event) -> PlayedTable:
    """A has moved at table 1, B is late, and the box is carried to table 2."""
    at = table()
    stands(held, at.facts[0].box, 1)
    lay(at, A)
    at.wait(at.clock.settings.limit_ms)
    tell(held, at)
    stands(held, at.facts[0].box, 2, len(at.facts))
    return at


def set_up_again(at: PlayedTable) -> None:
    """Under the same number, because that is the next game of its table too."""
    at.clock.prepare(at.now, 1, A, k.DESK)
    at.press(2 * A)


def test_a_game_that_was_left_unended_is_not_replaced_by_the_one_of_that_number_at_the_next_table(held: Event) -> None:
    at = left_in_a_game(held)
    after = len(at.facts)
    set_up_again(at)
    lay(at, A, B)
    go_out(at, C)
    tell(held, at, after)
    assert known(held) == {(1, 1): None, (2, 1): "C"}
    stands(held, OTHER, 1)
    spare = another(at, 3, C)
    go_out(spare, C)
    tell(held, spare)

    assert known(held) == {(1, 1): "C", (2, 1): "C"}
    (case,) = cases(read(held.ledger), held.state())
    assert (case.place.key, case.place.table, case.place.game, case.place.seat) == (FIRST, 1, 1, B)


def test_a_time_out_in_a_game_that_was_brought_along_is_of_the_table_whose_game_it_is(held: Event) -> None:
    at = table()
    stands(held, at.facts[0].box, 1)
    lay(at, A)
    tell(held, at)
    after = len(at.facts)
    stands(held, at.facts[0].box, 2, after)
    at.wait(at.clock.settings.limit_ms)
    tell(held, at, after)

    (place,) = (case.place for case in cases(read(held.ledger), held.state()))

    assert (place.table, place.key, place.game, place.seat) == (1, FIRST, 1, B)
    seating = held.state().rounds[FIRST].seating
    assert seating is not None
    assert place.player in seating.tables[0].players
    assert known(held) == {(1, 1): None}


def test_a_claim_that_nobody_answered_is_not_answered_by_what_happens_at_the_next_table(held: Event) -> None:
    at = table()
    box = at.facts[0].box
    stands(held, box, 1)
    lay(at, A)
    at.clock.emit(k.RESTART_CLAIMED, at.now, seat=B)
    at.wait(1)
    tell(held, at)
    after = len(at.facts)
    stands(held, box, 2, after)
    set_up_again(at)
    at.order(k.C_STOP, k.REFEREE)
    at.order(k.C_RESUME)
    tell(held, at, after)
    assert any(fact.kind == k.CLOCK_RESUMED for fact in at.facts[after:])

    (claim,) = claims(read(held.ledger), held.state())

    assert (claim.place.table, claim.answer) == (1, None)


def test_what_is_wrong_in_a_journal_is_said_of_the_table_at_which_it_was_told(held: Event) -> None:
    at = left_in_a_game(held)
    at.facts[2] = replace(at.facts[2], uptime_ms=at.facts[2].uptime_ms + 1)
    tell(held, at, 2)

    assert [(number, problem.code) for number, problem in eventlog.problems(read(held.ledger))] == [(1, "conflict")]


def spare_goes_on(held: Event, before: PlayedTable) -> PlayedTable:
    """C's move 3 at table 1 goes on at another box."""
    stands(held, OTHER, 1)
    return another(before, 3, C)


def test_a_game_that_the_desk_ends_at_the_replaced_box_is_one_game_and_goes_on_at_the_spare(held: Event) -> None:
    at = table()
    stands(held, at.facts[0].box, 1)
    lay(at, A, B)
    tell(held, at)
    after = len(at.facts)
    spare = spare_goes_on(held, at)
    tell(held, spare)
    at.order(k.C_END_GAME)
    tell(held, at, after)
    assert known(held) == {(1, 1): None}
    after = len(spare.facts)
    go_out(spare, C)
    tell(held, spare, after)

    assert known(held) == {(1, 1): "C"}


def test_a_game_that_was_won_before_anybody_knew_it_stays_won_while_a_spare_stands_in_it(held: Event) -> None:
    at = table()
    stands(held, at.facts[0].box, 1)
    lay(at, A, B)
    after = len(at.facts)
    tell(held, at)
    go_out(at, C)
    spare = spare_goes_on(held, at)
    tell(held, spare)
    tell(held, at, after)

    assert known(held) == {(1, 1): "C"}
