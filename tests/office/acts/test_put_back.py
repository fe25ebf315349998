"""What is taken back by putting the table back: verdicts that were open, final laps, and what the table did since."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalej.errors import Refused
from dalej.event import eventlog
from dalej.event.cases import cases
from dalej.event.ledger import APPLIED
from dalej.event.reading import read
from dalej.event.roundgames import games_of_round
from dalej.office import rounds
from moveclock import facts as k
from tests.office.acts.desk import ActingDesk

LIMIT_MS = 60_000


def stood(desk: ActingDesk) -> tuple[object, ...]:
    clock = desk.clock
    left = 0 if clock.late else clock.watch.remaining(desk.setting.world.now_ms)
    lap = (clock.lap_reason, clock.lap_mask, clock.lap_waits) if clock.lap_reason != k.NOBODY else ()
    return clock.state, clock.game, clock.move, clock.seat, clock.bank, clock.out, left, clock.late, clock.drawn, lap


def runs_out(desk: ActingDesk) -> None:
    """The running move does, and its penalty tile is taken."""
    desk.setting.run(LIMIT_MS)
    assert desk.clock.state == k.EXPIRED


@pytest.mark.parametrize("penalty", [False, True])
@pytest.mark.parametrize(
    ("act", "args"),
    [
        ("set_time", {"ms": 7_000}), ("give_time", {"ms": 20_000}), ("restart_move", {}), ("set_seat", {"seat": "A"}),
        ("set_bank", {"tiles": 0}), ("final_lap", {"reason": "round_time"}), ("end_game", {}),
        ("withdraw", {"player": 1}),
    ],
)  # fmt: skip
def test_a_verdict_that_was_open_is_open_again_and_the_player_is_late_once(
    desk: ActingDesk, act: str, args: dict[str, int | str], penalty: bool
) -> None:
    runs_out(desk)
    if penalty:
        desk.setting.tap(k.KOSTKA)
    desk.do("stop", reason="referee")
    before = stood(desk)

    done = desk.do(act, **args)
    assert set(desk.results(done)) == {APPLIED}
    back = desk.take_back(done)

    assert set(desk.results(back)) == {APPLIED}
    assert stood(desk) == before
    desk.do("resume")
    assert desk.clock.state == k.EXPIRED
    desk.setting.tap(2 * desk.clock.next_seat() + 1)
    desk.carry_out()
    (case,) = [one for one in cases(read(desk.place.ledger), desk.event().state()) if one.current is not None]
    assert (case.place.move, case.current and case.current.by, case.current and case.current.tiles) == (3, "table", 1)
    third = [one.turn for one in eventlog.turns(read(desk.place.ledger)) if one.turn.move == 3 and not one.turn.void]
    assert [(turn.how, turn.tiles) for turn in third] == [("timeout", 1)]


@pytest.mark.parametrize(
    ("act", "args"),
    [
        ("restart_move", {}), ("set_seat", {"seat": "A"}), ("end_game", {}), ("withdraw", {"player": 1}),
        ("set_bank", {"tiles": 9}), ("set_bank", {"tiles": 0}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("reason", ["round_time", "bank_empty"])
def test_a_final_lap_goes_on_as_it_was(desk: ActingDesk, reason: str, act: str, args: dict[str, int | str]) -> None:
    desk.do("final_lap", reason=reason)
    desk.setting.moves(2)
    desk.do("stop", reason="referee")
    before = stood(desk)
    assert desk.clock.lap_mask not in (0, 15)

    done = desk.do(act, **args)
    assert set(desk.results(done)) == {APPLIED}
    desk.take_back(done)

    assert stood(desk) == before


def test_who_left_while_late_has_left_still_when_the_table_is_put_back_and_the_verdict_is_open(
    desk: ActingDesk,
) -> None:
    runs_out(desk)
    desk.do("withdraw", player=player_at(desk, k.SEAT_C))
    before = stood(desk)
    assert (desk.clock.late, desk.clock.out) == (True, 1 << k.SEAT_C)

    back = desk.take_back(desk.do("final_lap", reason="round_time"))

    assert set(desk.results(back)) == {APPLIED}
    assert stood(desk) == before


def test_a_lap_that_began_while_a_verdict_was_open_is_taken_back_with_the_verdict_open(desk: ActingDesk) -> None:
    runs_out(desk)
    done = desk.do("final_lap", reason="round_time")

    assert set(desk.results(desk.take_back(done))) == {APPLIED}

    assert (desk.clock.state, desk.clock.late, desk.clock.lap_reason) == (k.STOPPED, True, k.NOBODY)


def test_a_player_who_is_let_in_again_after_moves_leaves_the_final_lap_that_began_since_alone(desk: ActingDesk) -> None:
    done = desk.do("withdraw", player=player_at(desk, k.SEAT_B))
    desk.do("resume")
    desk.do("final_lap", reason="round_time")
    desk.setting.moves(2)
    assert desk.clock.lap_reason == k.ROUND_TIME
    mask, move = desk.clock.lap_mask, desk.clock.move

    desk.take_back(done)

    clock = desk.clock
    assert (clock.out, clock.move, clock.lap_reason, clock.lap_mask) == (0, move, k.ROUND_TIME, mask | 1 << k.SEAT_B)


def test_a_bank_that_was_corrected_is_taken_back_after_moves_with_the_tiles_drawn_since(desk: ActingDesk) -> None:
    desk.do("stop", reason="referee")
    bank = desk.clock.bank
    done = desk.do("set_bank", tiles=0)
    assert desk.clock.lap_reason == k.BANK_EMPTY
    desk.do("resume")
    desk.setting.tap(2 * desk.clock.seat)
    desk.carry_out()

    desk.take_back(done)

    assert (desk.clock.move, desk.clock.bank, desk.clock.lap_reason) == (4, bank, k.NOBODY)


def test_a_tile_that_was_drawn_right_before_the_final_lap_is_not_counted_twice_when_that_is_taken_back(
    desk: ActingDesk,
) -> None:
    desk.setting.tap(k.KOSTKA)
    desk.carry_out()
    done = desk.do("final_lap", reason="round_time")
    desk.setting.moves(1)
    bank = desk.clock.bank

    desk.take_back(done)

    assert (desk.clock.move, desk.clock.bank, desk.clock.lap_reason) == (4, bank, k.NOBODY)


def test_a_tile_that_was_drawn_since_is_drawn_still(desk: ActingDesk) -> None:
    desk.do("stop", reason="referee")
    done = desk.do("restart_move")
    desk.do("resume")
    desk.setting.tap(k.KOSTKA)
    bank = desk.clock.bank

    desk.take_back(done)

    assert (desk.clock.state, desk.clock.drawn, desk.clock.bank) == (k.STOPPED, True, bank)


def test_a_tile_that_was_drawn_since_is_drawn_still_where_the_box_takes_the_game_over_again(desk: ActingDesk) -> None:
    done = desk.do("withdraw", player=player_at(desk, k.SEAT_A))
    desk.do("resume")
    desk.setting.tap(k.KOSTKA)
    bank = desk.clock.bank

    desk.take_back(done)

    assert (desk.clock.state, desk.clock.out, desk.clock.drawn, desk.clock.bank) == (k.STOPPED, 0, True, bank)


def test_a_move_that_was_begun_anew_is_not_brought_back_once_the_table_has_played_on(desk: ActingDesk) -> None:
    desk.do("stop", reason="referee")
    done = desk.do("restart_move")
    desk.do("resume")
    desk.setting.moves(1)

    with pytest.raises(Refused, match="cannot be put back: it is in game 1, move 4 by now"):
        desk.take_back(done)


def test_what_was_taken_back_already_is_not_taken_back_again(desk: ActingDesk) -> None:
    desk.do("stop", reason="referee")
    done = desk.do("final_lap", reason="round_time")
    desk.take_back(done)
    before = stood(desk)

    desk.take_back(done)

    assert stood(desk) == before


def test_a_game_that_was_put_back_twice_is_one_game_of_the_round(desk: ActingDesk) -> None:
    for _ in range(2):
        desk.take_back(desk.do("final_lap", reason="round_time"))
        desk.do("resume")
    desk.setting.moves(1)

    state = desk.event().state()
    games = games_of_round(read(desk.place.ledger), state, rounds.seated(state).key)
    assert [at.game for at in games] == [1]
    assert list(eventlog.problems(read(desk.place.ledger))) == []
    played = [one.turn.move for one in eventlog.turns(read(desk.place.ledger)) if not one.turn.void]
    assert played == [1, 2, 3, 4]


def test_two_who_withdrew_are_let_in_again_one_after_the_other(desk: ActingDesk) -> None:
    first = desk.do("withdraw", player=player_at(desk, k.SEAT_A))
    second = desk.do("withdraw", player=player_at(desk, k.SEAT_D))
    assert desk.clock.out == 0b1001

    desk.take_back(second)
    assert (desk.clock.out, desk.now.at.out, desk.now.at.seats) == (0b0001, 0b0001, 15)
    desk.take_back(first)

    assert (desk.clock.out, desk.now.at.out, desk.now.at.seats) == (0, 0, 15)


def test_a_bank_that_was_empty_is_empty_again(desk: ActingDesk) -> None:
    desk.do("stop", reason="referee")
    desk.do("set_bank", tiles=0)
    before = stood(desk)
    assert before[4] == 0

    desk.take_back(desk.do("set_bank", tiles=9))

    assert stood(desk) == before


def test_a_move_that_waits_for_its_verdict_and_lacks_nothing_is_not_even_stopped(desk: ActingDesk) -> None:
    runs_out(desk)
    desk.do("stop", reason="referee")
    done = desk.do("final_lap", reason="round_time")
    desk.take_back(done)
    desk.do("resume")
    assert desk.clock.state == k.EXPIRED
    before, head = stood(desk), desk.place.ledger.head()

    with pytest.raises(Refused, match="table 1 stands as it stood then"):
        desk.take_back(done)

    assert (stood(desk), desk.place.ledger.head()) == (before, head)


def test_who_has_had_their_move_of_the_final_lap_and_is_let_in_again_has_no_other(desk: ActingDesk) -> None:
    desk.do("final_lap", reason="round_time")
    seat = desk.clock.next_seat()
    desk.setting.moves(2)
    lap = desk.clock.lap_mask
    assert not lap >> seat & 1
    desk.do("withdraw", player=player_at(desk, seat))

    desk.wish_of_an_organiser("back", player=player_at(desk, seat))

    assert (desk.clock.out, desk.clock.lap_mask) == (0, lap)


def test_what_was_dealt_anew_before_a_game_began_is_not_put_back(tmp_path: Path) -> None:
    desk = ActingDesk(tmp_path)
    assert desk.clock.state == k.READY

    assert desk.do("redeal").undo is None

    desk.close()


def player_at(desk: ActingDesk, seat: int) -> int:
    return rounds.seating_of(rounds.seated(desk.event().state())).tables[0].players[seat]
