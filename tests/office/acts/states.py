"""The event files from which every act is played by every route, and the steps that lead there."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dalej.domain.game.facts import PHONE, SEATS
from dalej.event.event import Event
from dalej.event.ledger import ASSIGN, Baseline
from dalej.event.reading import read
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Done, Wish
from moveclock import facts as k
from moveclock.clock import Clock
from tests import world
from tests.office.acts.desk import ActingDesk
from tests.office.acts.office import LIS, RACKS, SOWA, WHY, Office, box_plays


class State:
    """An event and whoever has brought it there. `last`: what was done last."""

    def __init__(self, event: Event, wall_ms: Callable[[], int], close: Callable[[], None]) -> None:
        self.event = event
        self.wall_ms = wall_ms
        self.close = close
        self.last: Done | None = None

    def do(self, act: str, actor: Actor, why: str, args: Mapping[str, Any]) -> Done:
        raise NotImplementedError

    @property
    def head(self) -> int:
        return self.event.ledger.head()

    def decided_last(self) -> int:
        """The number of the latest decision of a person."""
        return [one.cursor for one in read(self.event.ledger).decisions() if one.kind != ASSIGN][-1]


class OnPaper(State):
    """A league of eight, seated at two tables without boxes."""

    def __init__(self, folder: Path) -> None:
        self.office = Office(folder)
        super().__init__(self.office.event, self.office.wall, self.office.event.ledger.close)

    def do(self, act: str, actor: Actor, why: str, args: Mapping[str, Any]) -> Done:
        self.last = self.office.do(act, actor, why, **args)
        return self.last


class WithBox(State):
    """The same with a box at table 1 that is set up for game 1, seat A first, and a desk that holds its link."""

    def __init__(self, folder: Path) -> None:
        self.desk = ActingDesk(folder)
        event = self.desk.event("Gęś")
        world.sign_up(event, range(1, 9))
        world.draw(event)
        super().__init__(event, self.desk.setting.clock.wall_ms, self.desk.close)

    def do(self, act: str, actor: Actor, why: str, args: Mapping[str, Any]) -> Done:
        self.last = self.desk.wish(Wish(act, args, why), actor)
        return self.last

    @property
    def clock(self) -> Clock:
        """Of its box."""
        return self.desk.clock


class Eliminations(State):
    """Twenty-four whose preliminaries are played to the end."""

    def __init__(self, folder: Path) -> None:
        event = world.new_event(folder, "pl-eliminations", 24)
        for seed in (1, 2):
            world.play_round(event, random.Random(seed), seed)
        super().__init__(event, event.wall_ms, event.ledger.close)


Step = Callable[[Any], object]  # on one of those states


def filled(state: State, value: Any) -> Any:
    """With the numbers that are meant, as `Case` says."""
    if callable(value):
        return value(state)
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    if value == "{absent}":
        current = state.event.state().current
        assert current is not None
        return min(current.absent)
    return state.decided_last() if value == "{last}" else seated(state, int(value[1]), SEATS.index(value[2]))


def seated(state: State, table: int, seat: int = 0) -> int:
    one = state.event.state().current
    assert one is not None
    assert one.seating is not None
    at = one.seating.at(table)
    assert at is not None
    return at.players[seat]


def does(act: str, **args: Any) -> Step:
    """Sowa does it."""
    return lambda state: state.do(act, SOWA, WHY, {name: filled(state, value) for name, value in args.items()})


def by_lis(act: str, **args: Any) -> Step:
    """Lis, who then plays every route, does it."""
    return lambda state: state.do(act, LIS, WHY, {name: filled(state, value) for name, value in args.items()})


# --- on paper -----


def plays(number: int, *, over: bool = False) -> Step:
    """A box has told of a game at that table, which goes on or is over."""
    return lambda state: box_plays(state.office, number, over=over)


def full_round(state: State) -> None:
    for number in (1, 2):
        for game in range(1, 5):
            does("enter_result", table=number, game=game, racks=RACKS)(state)


def level(state: State) -> None:
    """B and C of table 1 are level."""
    does("enter_result", table=1, game=1, racks={"A": "0", "B": "9", "C": "9", "D": "30"})(state)


# --- at a box -----


def third_move(state: WithBox) -> None:
    state.desk.setting.moves(2)
    state.desk.setting.run(1_000)


def hall_stopped(state: WithBox) -> None:
    state.do("stop_hall", SOWA, "", {"reason": "round_break"})


def later_moves(state: WithBox) -> None:
    """Everybody has moved, so nobody deals anew."""
    state.desk.setting.moves(5)
    state.desk.setting.run(1_000)


def time_is_over(state: WithBox) -> None:
    third_move(state)
    while state.clock.state != k.EXPIRED:
        state.desk.setting.run(1_000)
    state.desk.carry_out()


def claims(state: WithBox) -> None:
    """In move 3 seat D claims that C clicked too early."""
    third_move(state)
    state.desk.setting.tap(2 * k.SEAT_C + 1)
    state.desk.setting.run(1_000)
    state.desk.setting.tap(k.SEDZIA)
    state.desk.setting.run(1_000)
    assert state.clock.claim


def stands(state: WithBox) -> None:
    third_move(state)
    does("stop", table=1, reason="referee")(state)


def over(state: WithBox) -> None:
    third_move(state)
    does("end_game", table=1)(state)
    assert state.clock.state == k.OVER


def phone_stands(state: WithBox) -> None:
    """A phone is the box of table 2."""
    ledger = state.event.ledger
    ledger.assign(Baseline(2, PHONE + "00000000d2", 1, 0), who="Gęś", when_ms=state.wall_ms(), why="it stands there")
