"""A table's clock in every state, on the firmware's own rules, and what a screen would be told of its box."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dalej.desk.feed.messages import Face, Inside
from dalej.rulesets.rulebook import load
from dalej.simulator.living import Told, inside
from dalej.views.rows import Row
from dalej.views.tablehints import hint
from moveclock import clock as c
from moveclock import facts as k
from moveclock import settings as rules
from moveclock import view as v
from tests.tui.paper import a_row

SCHOOL: Final = load("school-league")
JUZ: Final = (0, 2, 4, 6)
ROW: Final = a_row(3, limit_ms=40_000, left_ms=30_000)  # Bóbr, Łasica, Dzik, Sarna; A to move


def knows(clock: c.Clock, now: int) -> Inside:
    """What the box of that clock would say of itself."""
    told = Told()
    for seq, fact in enumerate(clock.facts, 1):
        told.take(seq, fact)
    return inside(clock, now, told, {}, in_contact=True)


def face_of(clock: c.Clock, now: int, **changes: object) -> Face:
    """The box of table 3 as its own firmware shows it."""
    shown = v.view(clock, now)
    face = Face(
        3, True, True, shown.displays, shown.ring, shown.lit, shown.blinking, 0, 0, True, True, knows(clock, now)
    )  # fmt: skip
    return replace(face, **changes)  # type: ignore[arg-type]


def a_clock(*, first: int = k.SEAT_A, draw: int = rules.DRAW_FLAG) -> c.Clock:
    """A table's clock, ready for its first game, limit 40 s."""
    settings = rules.Settings()
    settings.limit_ms, settings.first, settings.draw = 40_000, first, draw
    clock = c.Clock(settings)
    clock.prepare(0, 1, first, k.DESK)
    return clock


def running() -> c.Clock:
    clock = a_clock()
    clock.press(JUZ[0], False, 1_000)
    return clock


def expired() -> c.Clock:
    clock = running()
    clock.expire(41_000)
    return clock


def stopped() -> c.Clock:
    clock = running()
    clock.press(k.SEDZIA, False, 2_000)
    return clock


def over() -> c.Clock:
    clock = running()
    clock.press(JUZ[0], True, 9_000)
    return clock


def early_click() -> c.Clock:
    """A passed without a tile at 5 s; B's move began there."""
    clock = running()
    clock.press(JUZ[0] + 1, False, 5_000)
    return clock


CLOCKS: Final = {
    "idle": lambda: c.Clock(rules.Settings()), "ready": a_clock, "running": running, "expired": expired,
    "stopped": stopped, "over": over,
}  # fmt: skip


def played(row: Row, clock: c.Clock, now: int = 50_000, **changes: object) -> str:
    return hint(row, face_of(clock, now, **changes), SCHOOL)
