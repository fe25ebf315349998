"""What the quick card says of buttons: what each press means, by the moment in which it is made.

A row names the rows of the box's own table that it explains (`moveclock.clock.PRESSES`), so that a test can say which
of them no row explains. Times are those of a table that nobody has set otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dalej.words import N_
from moveclock import clock as c
from moveclock import facts as k
from moveclock.settings import Settings

BUTTONS: Final[Mapping[int, str]] = {c.JUZ: "Już", c.DALEJ: "Dalej", c.KOSTKA: "Kostka", c.SEDZIA: "Sędzia"}
_TABLE: Final = Settings()
SECONDS: Final[Mapping[str, int]] = {
    "dispute": _TABLE.dispute_ms // 1000, "claim": _TABLE.claim_ms // 1000, "withdraw": _TABLE.withdraw_ms // 1000,
    "alert": _TABLE.alert_ms // 1000,
}  # fmt: skip


class Press(NamedTuple):
    """One row: which button, how (`c.TAPPED` or ms of a hold), what it means; `explains`: states of the clock."""

    button: int
    gesture: int
    explains: tuple[int, ...]
    words: str


class Moment(NamedTuple):
    """When, and what may be pressed then."""

    heading: str
    presses: Sequence[Press]


_START: Final = Press(
    c.JUZ, c.TAPPED, (k.READY,),
    N_("starts the game, Dalej as well. If all the buttons blink: the first tap takes the start, the second starts"),
)  # fmt: skip
_START_SHARED: Final = Press(
    c.JUZ,
    c.TAPPED,
    (k.READY,),
    N_("starts the game. Was nobody told to start? The first tap names a player, Dalej the next one"),
)
_YOURS: Final = (
    Press(c.KOSTKA, c.TAPPED, (k.RUNNING, k.EXPIRED, k.STOPPED), N_("notices the tile that you take")),
    Press(c.JUZ, c.TAPPED, (k.RUNNING,), N_("tiles laid: your move is over")),
    Press(c.DALEJ, c.TAPPED, (k.RUNNING,), N_("passed: take a tile first, then tap; your move is over")),
    Press(c.DALEJ, c.HELD, (k.RUNNING,), N_("before your click: „Wyłożę się w następnej rundzie”")),
    Press(c.JUZ, c.HELD, (k.RUNNING,), N_("your rack is empty: the game is over")),
)  # fmt: skip
_OVERDUE: Final = (
    Press(c.JUZ, c.TAPPED, (k.EXPIRED,), N_("the late move stands; your move begins")),
    Press(
        c.DALEJ, c.TAPPED, (k.EXPIRED,),
        N_("the late move was undone and its penalty tile is taken; your move begins"),
    ),
)  # fmt: skip
_REFEREE: Final = (
    Press(
        c.SEDZIA, c.TAPPED, (k.RUNNING,),
        N_("in the first {dispute} s of a move: a dispute about the move before, the clock stops. Later: about this"
           " move, the clock stops when it ends"),
    ),
    Press(
        c.SEDZIA, c.TAPPED, (k.RUNNING,),
        N_("in your first {claim} s, if the player before passed without a tile and the rules forbid that: your move"
           " will begin again"),
    ),
    Press(c.SEDZIA, c.TAPPED, (k.RUNNING, k.STOPPED), N_("again within {withdraw} s: the call is withdrawn")),
    Press(
        c.SEDZIA, c.TAPPED, (k.READY, k.EXPIRED, k.OVER),
        N_("before and after a game, and when time is over: calls the referee"),
    ),
    Press(c.SEDZIA, c.HELD, (k.RUNNING,), N_("stops the clock now")),
    Press(
        c.SEDZIA, c.HELD_LONG, (k.STOPPED,),
        N_("clock stopped, all agree: it goes on after 3-2-1. What the desk stopped, it lets go on"),
    ),
    Press(c.SEDZIA, c.HELD_LONG, (k.OVER,), N_("game over: ready for the next one")),
)  # fmt: skip


def moments(*, shared: bool, kostka: bool) -> list[Moment]:
    """In the order of the card, the time that is over last. `shared`: the box has one Już and one Dalej for all seats;
    `kostka`: it has a contact for tiles.
    """
    yours = [press for press in _YOURS if kostka or press.button != c.KOSTKA]
    return [
        Moment(N_("Ready: the buttons blink"), (_START_SHARED if shared else _START,)),
        Moment(N_("Your move") if shared else N_("Your move: your buttons are lit"), yours),
        Moment(N_("Sędzia, the red button: for everybody"), _REFEREE),
        Moment(N_("Time is over: the next player presses"), _OVERDUE),
    ]
