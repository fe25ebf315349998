"""Tables of a hall on paper that stand, or that call for a referee."""

from __future__ import annotations

from typing import Final

from dalej.views.rows import Row
from tests.tui.paper import a_row, an_alert

DISPUTE: Final = an_alert(3, "dispute", 9_000)


def stands(reason: str = "round_break", table: int = 3, **changes: object) -> Row:
    return a_row(table, state="stopped", reason=reason, moves_on=False, left_ms=20_000, **changes)


def disputed(table: int = 3, for_ms: int = 9_000, *, stopped: bool = False) -> Row:
    """`stopped`: it is a reason for which the clock stands."""
    return stands("dispute", table, alerts=(an_alert(table, "dispute", for_ms, stopped=stopped),))


def late(table: int = 3) -> Row:
    """C's time is over."""
    alert = an_alert(table, "time_out", 30_000, seat=2)
    return a_row(table, state="expired", left_ms=-30_000, seat=2, alerts=(alert,))


def claimed(*, urgent: bool = True, denied: bool = False) -> Row:
    """The click was in move 12, the claim is made in the next one."""
    alert = an_alert(3, "early_click", 9_000, urgent=urgent, stopped=urgent, denied=denied)
    if not urgent:
        return a_row(3, move=13, alerts=(alert,))
    return stands("early_click", move=13, alerts=(alert,))
