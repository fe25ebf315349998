"""A table whose box dies in the middle of a game, and the box that takes its place."""

from __future__ import annotations

from tests.desk.evening.evening import Evening, Process


def started(evening: Evening, moves: int) -> Process:
    """So many moves have been played at table 1."""
    desk = evening.begins()
    evening.play("1", moves)
    return desk


def dies(evening: Evening, box: str = "1") -> None:
    evening.boxes[box].power_off()
    evening.run(5_000)


def takes_its_place(evening: Evening) -> None:
    """The spare box is switched on and put on table 1; the desk has not looked yet."""
    evening.boxes["2"].power_on()
    evening.put("2", 1)


def replace(evening: Evening) -> None:
    """It takes its place, and the game over."""
    takes_its_place(evening)
    evening.run()
