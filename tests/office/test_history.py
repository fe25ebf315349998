"""The history says of everything at which table it was, whose move, who did it, how much and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.cli import log
from dalej.event import cases, eventlog
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.office import rulings
from dalej.office.history import Told, by_move, history, interventions
from dalej.office.rulings import Verdict
from tests.domain.tables import A
from tests.office.acts.desk import SOWA, ActingDesk, a_third_move
from tests.world import late_in_the_first_move


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Event]:
    """Eight are seated; seat A of table 1 was late in the first move."""
    with late_in_the_first_move(tmp_path) as event:
        yield event


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[ActingDesk]:
    """The clock of table 1 stands in its third move."""
    with a_third_move(tmp_path) as desk:
        desk.do("stop", reason="referee")
        yield desk


def commands(desk: ActingDesk) -> list[Told]:
    return [one for one in history(read(desk.place.ledger)) if one.number is None]


def test_a_ruling_says_table_game_move_and_player_beside_the_verdict(held: Event) -> None:
    state = held.state()
    case = cases.the_case(cases.cases(read(held.ledger), state), next(iter(state.rounds)), 1, 1, A + 1)
    seating = state.rounds[next(iter(state.rounds))].seating
    assert seating is not None
    name = state.players[seating.tables[0].players[0]].name
    held.change(lambda now: rulings.rule(now, case, Verdict("stands", 0, "seen from close by")))

    last = history(read(held.ledger))[-1]

    assert last.what == f"League, round 1, table 1, game 1, move 1, {name} (A): a time-out: it stands"
    assert last.number is not None


def test_a_corrected_clock_says_from_what_to_what_who_and_why(desk: ActingDesk) -> None:
    left_ms = desk.clock.watch.remaining(desk.setting.world.now_ms)
    desk.do("set_time", SOWA, "the box was passed on late", ms=25_000)

    (told,) = commands(desk)

    assert (told.who, told.why) == ("Sowa", "the box was passed on late")
    before = f"{left_ms // 1000}.{left_ms // 100 % 10}"
    assert told.what == f"table 1, game 1, move 3, C: time left corrected from {before} s to 25.0 s"


def test_extra_time_and_a_move_restarted_are_told_too(desk: ActingDesk) -> None:
    desk.do("set_time", ms=5_000)
    desk.do("give_time", ms=20_000)
    desk.do("restart_move")

    assert [one.what.partition(": ")[2] for one in commands(desk)][1:] == [
        "20.0 s more, 25.0 s left", "start the move again"
    ]  # fmt: skip


def test_what_a_box_refused_is_told_with_its_reason(desk: ActingDesk) -> None:
    desk.do("resume")
    ledger = desk.place.ledger
    ledger.request(1, "set_bank", {"tiles": 20}, who="Sowa", at_ms=1, why="counted", box=desk.setting.box.uid.hex())
    desk.carry_out()

    assert [one.what for one in commands(desk)] == ["table 1: set the bank (20) (the box refused: not now)"]


def test_stopping_and_going_on_are_no_history(desk: ActingDesk) -> None:
    desk.do("resume")
    assert not commands(desk)


def test_facts_in_another_order_tell_the_same(desk: ActingDesk) -> None:
    desk.do("set_time", ms=5_000)
    (one,) = interventions(read(desk.place.ledger))
    assert one.fact is not None
    assert one.before_ms is not None
    assert one.request.args["ms"] == one.fact.a == 5_000


def test_the_log_says_of_a_corrected_move_who_how_much_and_why(desk: ActingDesk) -> None:
    desk.do("set_time", SOWA, "the box was passed on late", ms=25_000)
    ledger = desk.place.ledger
    corrections = by_move(interventions(read(ledger)))
    turn = eventlog.turns(read(ledger))[-1]

    flags = log.row(turn, corrections)[-1]

    assert "s to 25.0 s by Sowa: the box was passed on late" in flags
    assert "time corrected" not in flags
    assert "time corrected" in log.row(turn)[-1]
