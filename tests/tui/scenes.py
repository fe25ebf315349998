"""Halls in situations that reviewers should look at, and a screen as plain text."""

from __future__ import annotations

from typing import Any, Final

from textual._context import visible_screen_stack
from textual.app import App

from dalej.event.tableplans import Given
from dalej.views.rows import AlertKind, Row
from tests.tui.paper import a_row, an_alert

NOBODY: Final = 255


WITHOUT_BOX: Final = {
    "box": "", "called": "", "state": "unknown", "seat": NOBODY, "left_ms": None, "limit_ms": None, "game": 0,
    "move": 0, "bank": None, "way": "none", "age_ms": None, "moves_on": False,
}  # fmt: skip
"""Changes of a row: nobody tells of that table."""


def six() -> list[Row]:
    """A hall as the demo has it: every state once."""
    late = an_alert(3, "time_out", 7_000, seat=2, urgent=False)
    return [
        a_row(1, move=17, move_at_least=True, lag=12),
        a_row(2, seat=1, left_ms=7_340, penalties=(1, 0, 2, 0)),
        a_row(3, state="expired", left_ms=-7_000, seat=2, alerts=(late,)),
        a_row(
            4, state="stopped", reason="dispute", seat=3, left_ms=23_000, moves_on=False, way="advert", age_ms=4_000,
            alerts=(an_alert(4, "dispute", 62_000, seat=2, stopped=True),),
        ),
        a_row(5, state="ready", seat=NOBODY, left_ms=None, moves_on=False, move=0, bank=50),
        a_row(
            6, state="over", reason="went_out", seat=NOBODY, left_ms=None, moves_on=False, penalties=(0, -1, 0, 0),
            bank=0, seats=0b0111, out=0b0100,
        ),
    ]  # fmt: skip


def silent_box() -> list[Row]:
    """Table 3 has not been heard for 48 s; table 5 never."""
    rows = six()
    rows[2] = a_row(
        3, stale=True, way="none", age_ms=48_000, moves_on=False, left_ms=22_000,
        alerts=(an_alert(3, "silent", 36_000, seat=NOBODY),),
    )  # fmt: skip
    rows[4] = a_row(
        5, state="unknown", seat=NOBODY, left_ms=None, limit_ms=None, game=0, move=0, bank=None, seats=0, way="none",
        age_ms=None, stale=True, moves_on=False, alerts=(an_alert(5, "silent", 300_000, seat=NOBODY),),
    )  # fmt: skip
    return rows


def many_alerts() -> list[Row]:
    """A bad minute."""
    kinds: tuple[tuple[AlertKind, bool], ...] = (
        ("referee", True), ("dispute", True), ("early_click", False), ("time_out", True), ("power_lost", True),
        ("silent", True), ("early_click", True), ("time_out", False), ("dispute", False), ("referee", True),
        ("power_lost", True), ("time_out", False),
    )  # fmt: skip
    return [
        a_row(table, seat=table % 4, alerts=(an_alert(table, kind, 5_000 * table, seat=table % 4, urgent=urgent),))
        for table, (kind, urgent) in enumerate(kinds, 1)
    ]


def sixty() -> list[Row]:
    """A big hall; the cursor goes to the next table at which something waits."""
    rows = [a_row(table, seat=table % 4, left_ms=900 * table, bank=106 - table) for table in range(1, 61)]
    rows[41] = a_row(42, seat=2, alerts=(an_alert(42, "dispute", 9_000, seat=2, stopped=True),))
    return rows


def answering() -> list[Given]:
    """Boxes that were sent new settings: some have them, some play, one is not heard."""
    older = [Given(table, "older", plays=True) for table in (7, 12)]
    return [*(Given(table, "has") for table in range(1, 7)), *older, Given(8, "waits"), Given(9, "unheard")]


def as_text(app: App[Any]) -> str:
    """What a screen says, without its colours."""
    visible_screen_stack.set(app._background_screens)  # as when it is drawn for a terminal
    lines = app.screen._compositor.render_strips()  # Textual has no other way to plain text
    return "\n".join(line.text.rstrip() for line in lines) + "\n"
