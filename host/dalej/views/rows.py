"""What a screen gets to see of the hall. Small, immutable, compared by value: what is equal need not be drawn again.

Durations are ms. Seats are 0..3 or `moveclock.facts.NOBODY`; names are "" where nobody said who sits there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from dalej.domain.game.heard import Way
from dalej.domain.game.rulings import FactKey
from dalej.domain.game.turns import Turn

# A box that has not been heard for so long is silent: its row is stale, and somebody should look at it.
SILENT_MS: Final = 12_000

AlertKind = Literal["referee", "dispute", "early_click", "time_out", "power_lost", "stands", "silent"]


PLAYS: Final = ("running", "expired", "stopped")  # states in which a game is under way


@dataclass(frozen=True, slots=True)
class Alert:
    """Something at a table that waits for a person.

    `waiting_ms`: for how long already. `urgent`: a referee is needed; else the table may still settle it alone (a
    time-out before the ruleset's alert time, an early click that nobody has claimed). `taken`: who is on the way there,
    "" if nobody is. `seat`, `move`: whom and which move it is about; `stopped`: the clock stands because of it.
    `denied`: the claim is answered, and waits only for the clock to go on. `told`: the fact that tells of it, of a
    clock that "stands" the claim of its move, as box, epoch and seq; None: there is none, or not yet.
    """

    table: int
    kind: AlertKind
    seat: int
    move: int
    waiting_ms: int
    urgent: bool
    stopped: bool
    denied: bool = False
    told: FactKey | None = None
    taken: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One table now. `box`: its uid, "" if it has none; `called`: what is written on it, else the uid. `left_ms`: of
    the running or stopped move, in `expired` minus the overrun; None: not known.

    `state`: a name of `dalej.domain.game.facts.STATES`, or "unknown". `reason`: why the clock stands or the game is
    over, a name of STOP_REASONS or END_REASONS. `move_at_least`: the box is further than the log, the move may be a
    later one. `penalties`: tiles that current rulings of this game cost each seat; -1: somebody still has to count.
    `lag`: facts that are on the box and not in the log (255: that many or more). `age_ms`: of what is shown, None:
    nothing was ever heard. `stale`: it cannot be trusted, because box or desk have gone silent; a table that has no box
    is never that. `moves_on`: the time shown changes with every look. `seats`: those that play, without a box those
    where somebody sits. `ahead`: epoch and last fact of what the box is known to have, where the log has
    less.
    """

    table: int
    box: str
    called: str
    state: str
    reason: str | None
    seat: int
    name: str
    left_ms: int | None
    limit_ms: int | None
    game: int
    move: int
    move_at_least: bool
    bank: int | None
    names: tuple[str, str, str, str]
    seats: int
    out: int
    penalties: tuple[int, int, int, int]
    final_lap: bool
    lag: int
    way: Way
    age_ms: int | None
    stale: bool
    moves_on: bool
    alerts: tuple[Alert, ...]
    ahead: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """A turn of the table with who made it, and its ruling in words a referee can quote."""

    turn: Turn
    name: str
    clause: str
    ruled_by: str
