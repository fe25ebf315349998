"""A claim is answered once: who comes later is told of the answer, and changes it by taking it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.domain.tournament.tournament import CLAIM
from dalej.errors import Refused
from dalej.event.reading import read
from moveclock import facts as k
from tests.office.acts.desk import SOWA, ActingDesk, a_third_move
from tests.world import draw, player_at


@pytest.fixture
def claimed(tmp_path: Path) -> Iterator[ActingDesk]:
    """In move 3 seat D claims that C clicked too early."""
    with a_third_move(tmp_path) as desk:
        desk.setting.tap(2 * k.SEAT_C + 1)
        desk.setting.run(1_000)
        desk.setting.tap(k.SEDZIA)
        desk.setting.run(1_000)
        assert desk.clock.claim
        yield desk


def answers(desk: ActingDesk) -> list[tuple[object, bool]]:
    """Granted or not, and whether that stands."""
    made = [one for one in read(desk.place.ledger).decisions() if one.kind == CLAIM]
    return [(one.body["granted"], one.revoked_by is None) for one in made]


@pytest.mark.parametrize("goes_on", [False, True])
def test_who_comes_second_is_told_of_the_answer_before_and_after_the_clock_goes_on(
    claimed: ActingDesk, goes_on: bool
) -> None:
    move = claimed.clock.move
    done = claimed.do("grant_claim", move=move)
    if goes_on:
        claimed.do("resume")
        claimed.setting.moves(1)
        claimed.carry_out()

    with pytest.raises(Refused, match=rf"the claim of move {move} is answered: Lis has granted it \(number \d+\)"):
        claimed.do("deny_claim", SOWA, move=move)
    assert answers(claimed) == [(True, True)]
    assert not claimed.place.ledger.open_requests()

    claimed.take_back(done)
    claimed.do("deny_claim", SOWA, move=move)
    assert answers(claimed) == [(True, False), (False, True)]
    with pytest.raises(Refused, match="is answered: Sowa has denied it"):
        claimed.do("grant_claim", move=move)


def test_who_has_claimed_is_called_as_they_sat_there_then(claimed: ActingDesk) -> None:
    who = claimed.event().state().players[player_at(claimed.event().state(), 1, k.SEAT_D)].name
    draw(claimed.event(), 2, again=True)
    assert claimed.event().state().players[player_at(claimed.event().state(), 1, k.SEAT_D)].name != who

    assert str(claimed.do("deny_claim", move=claimed.clock.move)).startswith(f"Table 1, game 1, {who} (D): ")


def test_a_claim_that_the_table_has_done_with_waits_for_no_answer(claimed: ActingDesk) -> None:
    move = claimed.clock.move
    claimed.do("give_time", ms=5_000)

    with pytest.raises(Refused, match=rf"claim of move {move} waits for no answer any more \(the clock went on\)"):
        claimed.do("deny_claim", move=move)

    assert answers(claimed) == []


@pytest.mark.parametrize("granted", [True, False])
def test_the_clock_goes_on_with_the_answer_and_one_step_takes_both_back(claimed: ActingDesk, *, granted: bool) -> None:
    move, clock = claimed.clock.move, claimed.clock
    claimed.setting.run(5_000)
    left_ms = claimed.now.left_ms(claimed.setting.clock.wall_ms())
    assert left_ms is not None

    done = claimed.do("grant_claim" if granted else "deny_claim", move=move, goes_on=True)

    assert answers(claimed) == [(granted, True)]
    assert claimed.results(done) == ["applied"] * (1 if granted else 2)
    assert claimed.clock.state == k.RUNNING
    full_ms = clock.settings.limit_ms
    now_ms = claimed.now.left_ms(claimed.setting.clock.wall_ms())
    assert now_ms is not None
    assert now_ms > full_ms - 3_000 if granted else left_ms - 3_000 < now_ms <= left_ms < full_ms

    claimed.take_back(done)
    assert answers(claimed) == [(granted, False)]
    assert claimed.clock.state == k.STOPPED
    assert claimed.now.left_ms(claimed.setting.clock.wall_ms()) == left_ms


@pytest.mark.parametrize("granted", [True, False])
def test_an_answer_that_was_taken_back_is_given_anew_and_the_clock_goes_on_with_it(
    claimed: ActingDesk, *, granted: bool
) -> None:
    move, game = claimed.clock.move, claimed.clock.game
    claimed.take_back(claimed.do("deny_claim", move=move, goes_on=True))
    assert claimed.clock.state == k.STOPPED

    done = claimed.do("grant_claim" if granted else "deny_claim", game=game, move=move, goes_on=True)

    assert claimed.results(done) == ["applied"] * (2 if granted else 1)
    assert (claimed.clock.state, claimed.clock.move) == (k.RUNNING, move)
    left_ms = claimed.now.left_ms(claimed.setting.clock.wall_ms())
    assert left_ms is not None
    assert left_ms > claimed.clock.settings.limit_ms - 3_000 or not granted
    assert answers(claimed)[-1] == (granted, True)


def test_an_answer_that_is_given_anew_after_its_move_lets_no_clock_go_on_that_stands_in_another(
    claimed: ActingDesk,
) -> None:
    move = claimed.clock.move
    claimed.take_back(claimed.do("deny_claim", move=move))
    claimed.do("resume")
    claimed.setting.moves(1)
    claimed.do("stop", reason="referee")

    done = claimed.do("deny_claim", move=move, goes_on=True)

    assert str(done) == "Table 1, game 1, Sowa (D): the claim is denied."
    assert (claimed.clock.state, claimed.clock.move) == (k.STOPPED, move + 1)


@pytest.mark.parametrize(
    ("act", "args"), [("restart_move", {}), ("set_time", {"ms": 20_000}), ("set_seat", {"seat": "B"})]
)
def test_the_clock_goes_on_with_what_a_dispute_comes_to(tmp_path: Path, act: str, args: dict[str, object]) -> None:
    with a_third_move(tmp_path) as desk:
        desk.do("stop", reason="dispute")
        left_ms = desk.now.left_ms(desk.setting.clock.wall_ms())

        done = desk.do(act, **args, goes_on=True)

        assert desk.results(done) == ["applied", "applied"]
        assert desk.clock.state == k.RUNNING
        assert "The clock goes on with that." in str(done)
        desk.take_back(done)
        assert (desk.clock.state, desk.clock.seat) == (k.STOPPED, k.SEAT_C)
        assert desk.now.left_ms(desk.setting.clock.wall_ms()) == left_ms
