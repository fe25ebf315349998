"""Where a box's facts were told: at which table, in which game of which round."""

from __future__ import annotations

from pathlib import Path

from dalej.clock import ManualClock
from dalej.event.cases import Places, cases, claims
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office import rounds
from dalej.rulesets.rulebook import load
from dalej.simulator.hall import Hall
from dalej.views.callwords import after_ruling
from dalej.views.following import Follower
from dalej.views.hall import HallModel
from dalej.views.offers import late_moves
from moveclock import facts as k
from tests.domain.begun import OTHER, another, go_out, lay, table
from tests.domain.tables import A, B, C, PlayedTable
from tests.world import FIRST, NOON, an_event, drawn_at, late_again, stands, tell


def test_every_fact_of_two_rounds_is_found_in_the_one_game_that_holds_it(tmp_path: Path) -> None:
    with an_event(tmp_path, seated=False) as event:
        held = drawn_at(event, NOON, 3)
        Hall(event.ledger, load("school-league"), ManualClock(NOON + 60_000), tables=2, moves=160, seed=5).play()
        held.change(lambda state: rounds.close(state, "round time is over"))
        held = drawn_at(event, NOON + 3_600_000, 4)
        at = PlayedTable(table().clock.settings, kostka=False, box=OTHER)
        stands(held, OTHER, 1)
        at.press(2 * A)
        lay(at, A, B)
        go_out(at, C)
        tell(held, at)
        state, reading = held.state(), held.read()
        games = [(key, at, game) for key in state.rounds for at, game in games_of_round(reading, state, key).items()]
        places, seen = Places(reading, state), set()
        for told in read(event.ledger).facts():
            fact = told.fact
            of = fact.box, fact.epoch, fact.seq
            place = places.of(of, fact.game, fact.move, fact.seat)
            assert place is not None
            expected = [(key, at.game) for key, at, game in games if game.holds(*of)]
            assert not expected or [(place.key, place.game)] == expected
            assert expected or (place.key, place.game) == (None, fact.game)
            seen.update(expected)
        assert {key.round for key, _ in seen} == {1, 2}
        for found in (cases, claims):
            every = found(reading, state)
            assert {one.place.table for one in every} == {1, 2}
            for number in (1, 2, 3):
                assert found(reading, state, number) == [one for one in every if one.place.table == number]


def test_a_time_out_at_the_box_before_belongs_to_the_game_that_a_spare_box_finished(held: Event) -> None:
    at = table()
    stands(held, at.facts[0].box, 1)
    lay(at, A)
    at.wait(at.clock.settings.limit_ms)
    assert any(fact.kind == k.TIME_RAN_OUT for fact in at.facts)
    tell(held, at)
    stands(held, OTHER, 1)
    spare = another(at, 3, B)
    go_out(spare, B)
    tell(held, spare)
    (case,) = cases(read(held.ledger), held.state())
    assert (case.place.key, case.place.table, case.place.game) == (FIRST, 1, 1)


def test_a_move_of_a_later_round_is_not_taken_for_the_one_of_that_number_that_was_ruled_on(held: Event) -> None:
    """Given a box that counts its games from one again, as the desk sets each round up."""
    late_again(held)
    hall = HallModel(held.state().ruleset)
    Follower(held.ledger, hall).catch_up()

    row = hall.row(1, NOON)
    late = [(one.turn.game, one.turn.move, one.ruled_by) for one in hall.turns(1) if one.turn.how == "timeout"]
    assert late == [(1, 2, "Gęś"), (1, 2, "default")]
    assert (row.game, row.move, row.state) == (1, 2, "expired")
    assert [one.ruled_by for one in hall.turns_of(1, row.game) if one.turn.move == 2] == ["default"]
    assert after_ruling(row, hall.turns_of(1, row.game), C) == ""
    assert late_moves(hall.turns_of(1, row.game)) == [2]
