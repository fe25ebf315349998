"""What is said while a spare box takes a game over: what is meant to happen, then what has happened."""

from __future__ import annotations

from dataclasses import replace

from dalej.event.ledger import ASSIGN, REFUSED
from dalej.event.reading import read
from moveclock import facts as k
from tests.desk.evening.evening import Evening, Process
from tests.desk.evening.spare import dies, started, takes_its_place


def replaced(evening: Evening) -> Process:
    """The table's box is dead after a few moves, and the spare one is switched on."""
    desk = started(evening, 3)
    dies(evening)
    takes_its_place(evening)
    return desk


def test_it_is_said_to_go_on_when_it_does_and_not_before(evening: Evening) -> None:
    desk = replaced(evening)
    while not desk.said("to_take_over"):
        evening.run(20)
    (meant,) = desk.said("to_take_over")
    assert meant.endswith("is to take over game 1, move 4, seat D, as box 1 said last")
    assert evening.clock_of("2").state != k.STOPPED
    assert desk.said("takes_over") == []

    while not desk.said("takes_over"):
        evening.run(20)
    assert evening.clock_of("2").state == k.STOPPED
    (said,) = desk.said("takes_over")
    assert "goes on with game 1, move 4, seat D, " in said
    assert said.endswith("; the clock stands until somebody holds Sędzia at the box for two seconds")
    evening.run()
    assert len(desk.said("takes_over")) == 1


def test_the_clock_goes_on_as_it_was_said(evening: Evening) -> None:
    replaced(evening)
    evening.run()
    evening.tap("2", k.SEDZIA, 2_100)
    evening.run(4_000)

    assert evening.clock_of("2").state == k.RUNNING


def test_a_box_that_refuses_is_said_to_do_so_and_why(evening: Evening) -> None:
    desk = replaced(evening)
    while not desk.said("to_take_over"):
        evening.run(20)
    told = read(desk.ledger).decisions(ASSIGN, standing=True)[-1]
    desk.ledger.assign(
        replace(desk.baselines()[-1], remaining_ms=4_000_000), who="Gęś", when_ms=evening.clock.wall_ms(),
        why="more time than any box has", revokes=told.cursor,
    )  # fmt: skip
    evening.run()

    assert desk.results("take_over")[-1] == REFUSED
    assert desk.said("takes_over") == []
    (said,) = desk.said("not_set_up")
    assert said.endswith(
        "does not go on with game 1, move 4: the box refuses it (argument); the referee sees to the table"
    )
