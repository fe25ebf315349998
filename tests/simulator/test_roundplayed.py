"""What a simulated hall makes of the round that is seated, and when no new game may begin in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.event.tableplans import TablePlan
from dalej.office import rounds
from dalej.office.roundclock import final_lap
from dalej.simulator.roundplayed import TimeCalled, round_of
from tests import world

NOW: Final = 1_760_000_000_000


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[Event]:
    """Seven players at two tables."""
    with world.an_event(tmp_path, 7) as event:
        yield event


@pytest.fixture
def called(seated: Event) -> TimeCalled:
    """From the seating on."""
    return TimeCalled(seated.ledger, rounds.seated(seated.state()).key, lambda: NOW)


def ask(event: Event, at_ms: int | None = None) -> None:
    """The round's clock asks table 1 for its final lap."""
    final_lap(event, rounds.seated(event.state()), [1], NOW, at_ms)


def test_a_hall_plays_all_games_of_a_fresh_round(seated: Event) -> None:
    tables = round_of(seated.ledger).tables

    assert [(one.number, one.seats, one.first_game, one.games) for one in tables] == [
        (1, "ABCD", 1, 4),
        (2, "ABC", 1, 4),
    ]


def test_the_clock_never_begins_before_the_round_was_seated(seated: Event) -> None:
    played = round_of(seated.ledger)

    assert played.clock(0).wall_ms() == played.since_ms
    assert played.clock(played.since_ms + 5).wall_ms() == played.since_ms + 5


@pytest.mark.parametrize(
    ("seats", "starters"), [("ABCD", "ABCD"), ("ABC", "ABCA"), ("BD", "BDBD")], ids=["four", "three", "two left"]
)
def test_6f_the_next_seat_starts_every_later_game(seats: str, starters: str) -> None:
    names = dict.fromkeys(seats, "Lis")

    assert "".join(TablePlan(1, names, first_game=game).starter for game in (1, 2, 3, 4)) == starters


def test_games_begin_until_the_boxes_are_asked_for_the_final_lap(seated: Event, called: TimeCalled) -> None:
    seated.change(lambda state: rounds.start(state, 90))
    assert called.may_begin()

    ask(seated)
    assert not called.may_begin()


def test_games_begin_until_the_instant_of_which_the_boxes_are_told_ahead(seated: Event) -> None:
    now = [NOW]
    called = TimeCalled(seated.ledger, rounds.seated(seated.state()).key, lambda: now[0])
    seated.change(lambda state: rounds.start(state, 90))
    ask(seated, at_ms=NOW + 60_000)
    assert called.may_begin()

    now[0] = NOW + 60_000
    assert not called.may_begin()


def test_games_begin_again_when_the_rounds_clock_is_started_anew(seated: Event, called: TimeCalled) -> None:
    seated.change(lambda state: rounds.start(state, 90))
    ask(seated)
    seated.change(lambda state: rounds.start(state, 10))

    assert called.may_begin()


def test_a_final_lap_for_an_empty_bank_keeps_no_table_from_its_next_game(seated: Event, called: TimeCalled) -> None:
    seated.ledger.request(1, "final_lap", {"reason": "bank_empty"}, who="Gęś", at_ms=0)

    assert called.may_begin()


def test_no_game_begins_in_a_closed_round_until_it_is_reopened(seated: Event, called: TimeCalled) -> None:
    seated.change(lambda state: rounds.close(state, "snow"))
    assert not called.may_begin()

    key = next(iter(seated.state().rounds))
    seated.change_seen(lambda seen: rounds.reopen(seen, key, "it has melted"))
    assert called.may_begin()


def test_another_process_sees_the_same(seated: Event, called: TimeCalled) -> None:
    seated.change(lambda state: rounds.start(state, 90))
    with Ledger.open(seated.ledger.path) as ledger:
        ask(Event(ledger, who="Łoś", wall_ms=seated.wall_ms))

    assert not called.may_begin()
