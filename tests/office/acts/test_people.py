"""Players who leave a table with a box in the middle of a game, and a referee's ruling on what the box told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dalej.cli.decision import do
from dalej.domain.game.commands import take_over
from dalej.domain.tournament.tournament import GameAt
from dalej.errors import Refused
from dalej.event.ledger import APPLIED
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office import attendance, rounds, signups
from dalej.office.acts.waiting import itself
from dalej.office.acts.wishes import Wish
from dalej.office.seating import lock
from dalej.office.signups import SignUp
from moveclock import facts as k
from tests import world
from tests.office.acts.desk import SOWA, ActingDesk
from tests.world import draw, player_at


@pytest.mark.parametrize("seat", [k.SEAT_A, k.SEAT_C])
def test_who_withdraws_is_skipped_by_the_box_whose_clock_stands_and_is_back_when_taken_back(
    desk: ActingDesk, seat: int
) -> None:
    clock = desk.clock
    stop = desk.do("stop", reason="referee")
    before = clock.move, clock.seat, clock.bank, clock.watch.remaining(0)
    desk.take_back(stop)
    desk.do("stop", reason="referee")
    player = player_at(desk.event().state(), 1, seat)

    done = desk.do("withdraw", player=player)
    assert (set(desk.results(done)), clock.state, clock.out) == ({APPLIED}, k.STOPPED, 1 << seat)
    assert desk.event().state().players[player].gone is not None
    back = desk.take_back(done)

    assert set(desk.results(back)) == {APPLIED}
    assert desk.event().state().players[player].gone is None
    assert (clock.state, clock.out, clock.move, clock.seat, clock.bank) == (k.STOPPED, 0, *before[:3])


def test_a_clock_that_runs_is_stopped_for_a_withdrawal(desk: ActingDesk) -> None:
    done = desk.do("withdraw", player=player_at(desk.event().state(), 1, k.SEAT_A))

    assert desk.results(done) == [APPLIED, APPLIED]
    assert "its clock stands" in str(done)
    assert desk.clock.state == k.STOPPED


def test_who_sits_there_next_and_leaves_now_stops_nobody_who_still_plays(desk: ActingDesk) -> None:
    """Given a table that plays on although everybody was drawn anew."""
    draw(desk.event(), 2, again=True)

    done = desk.do("withdraw", player=player_at(desk.event().state(), 1, k.SEAT_A))

    assert not done.requests
    assert (desk.clock.state, desk.clock.out) == (k.RUNNING, 0)


def test_of_whom_its_box_skips_already_it_is_asked_nothing(desk: ActingDesk) -> None:
    player = player_at(desk.event().state(), 1, k.SEAT_A)
    desk.do("withdraw", player=player)
    head = desk.place.ledger.head()

    with pytest.raises(Refused, match="has already left, says Lis"):
        desk.do("withdraw", player=player)

    assert desk.place.ledger.head() == head


def test_who_is_back_moves_again(desk: ActingDesk) -> None:
    player = player_at(desk.event().state(), 1, k.SEAT_A)
    desk.do("withdraw", player=player)

    done = desk.wish_of_an_organiser("back", player=player)

    assert set(desk.results(done)) == {APPLIED}
    assert (desk.clock.out, desk.clock.state) == (0, k.STOPPED)


@pytest.mark.parametrize("lap", [None, k.BANK_EMPTY])
def test_who_had_left_before_a_spare_box_took_the_table_over_is_back(desk: ActingDesk, lap: int | None) -> None:
    """Given a box that was told who is out, and told nobody itself that a seat withdrew."""
    player = player_at(desk.event().state(), 1, k.SEAT_A)
    event = desk.event("Puchacz")
    event.change(lambda state: attendance.withdraw(state.players[player], "ill"))
    at = desk.now.at
    assert at.bank is not None
    more = at.mid_game if lap is None else replace(at.mid_game, lap_reason=lap, lap_mask=1 << k.SEAT_C, lap_waits=False)
    there = take_over(
        game=at.game, move=at.move, seat=at.seat, remaining_ms=20_000, bank=at.bank, out=1 << k.SEAT_A, more=more
    )
    desk.ask("stop", {"reason": "referee"})
    desk.ask("end_game", {})
    desk.set_up()
    desk.ask("take_over", there)
    assert desk.clock.out == 1 << k.SEAT_A

    done = desk.wish_of_an_organiser("back", player=player)

    assert set(desk.results(done)) == {APPLIED}
    assert (desk.clock.out, desk.clock.state) == (0, k.STOPPED)
    assert desk.event().state().players[player].gone is None


def test_a_table_that_was_put_back_is_still_in_the_same_game_of_the_round(desk: ActingDesk) -> None:
    desk.take_back(desk.do("withdraw", player=player_at(desk.event().state(), 1, k.SEAT_A)))

    state = desk.event().state()
    games = games_of_round(read(desk.place.ledger), state, rounds.seated(state).key)

    assert {at: game.ended for at, game in games.items()} == {GameAt(1, 1): None}


def test_a_time_out_is_ruled_on_by_its_move_and_the_ruling_taken_back(desk: ActingDesk) -> None:
    desk.setting.run(60_000)
    assert desk.clock.state == k.EXPIRED

    done = desk.do("rule", move=3, verdict="takes_invalid", tiles=4)
    assert "Borsuk (C)" in str(done)
    assert "tiles: 4" in str(done)
    back = desk.do("revoke", SOWA, number=done.decisions[0])

    assert str(back).startswith("Taken back: table 1, move 3: ")


def test_a_claim_that_is_denied_is_told_to_the_box(desk: ActingDesk) -> None:
    desk.setting.tap(2 * k.SEAT_C + 1)
    desk.setting.run(1_000)
    desk.setting.tap(k.SEDZIA)
    desk.setting.run(1_000)
    assert desk.clock.claim

    done = desk.do("deny_claim", move=desk.clock.move)

    assert desk.results(done) == [APPLIED]
    assert not desk.clock.claim


def test_school_league_18_who_moves_up_into_a_seated_round_is_told_with_the_acts_that_give_a_seat(
    tmp_path: Path,
) -> None:
    with world.an_event(tmp_path, seated=False, games="2", players_min="4", players_max="8") as event:
        event.change(lambda state: signups.enter(state, [SignUp(0, "Sroka")]))
        world.draw(event)

        told = str(do(event, Wish("withdraw", {"player": 1})))

        assert told.endswith(
            "has left. 9 Sroka moves up from the waiting list and has no seat in League, round 1, which is seated: "
            "“take a player off the table”, then “move a player to another seat” gives one."
        )
        undone = do(event, Wish("undo", {}, "a mistake"))
        assert not str(undone).endswith("gives one."), "nobody moves up by that"
        limit = do(event, Wish("set_option", {"key": "players_max", "value": "9", "knowingly": True}, "one more"))
        assert "9 Sroka moves up from the waiting list and has no seat" in str(limit)
        assert itself(limit).template.startswith("{key}: ")


def test_school_league_18_a_locked_seating_is_said_to_be_unlocked_first(tmp_path: Path) -> None:
    with world.an_event(tmp_path, seated=False, games="2", players_min="4", players_max="8") as event:
        event.change(lambda state: signups.enter(state, [SignUp(0, "Sroka")]))
        world.draw(event)
        event.change(lambda state: lock(state, on=True))

        told = str(do(event, Wish("withdraw", {"player": 1})))

        assert "“unlock the seating”, then “take a player off the table”, then “move a player" in told
