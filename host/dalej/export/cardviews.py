"""What the quick card shows of displays and ring: the box's own pictures of a clock that is put into each state.

Nothing is written down here that a box might show otherwise: `moveclock.view` is asked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dalej.words import N_
from moveclock import clock as c
from moveclock import facts as k
from moveclock import view as v
from moveclock.clock import Clock
from moveclock.settings import Settings
from moveclock.view import View, view

COLOURS: Final = {
    v.DARK: "dark", v.GREEN: "green", v.AMBER: "amber", v.RED: "red", v.BLUE: "blue", v.WHITE: "white"
}  # fmt: skip
# Segments a to g of each character that is shown, as a display draws it; the point and the colon are apart.
SEGMENTS: Final = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", " ": "", "-": "g", "E": "adefg", "d": "bcdeg", "n": "ceg",
}  # fmt: skip
_AT_MS: Final = 0
_A_FAULT: Final = k.E_DISPLAY


class Scene(NamedTuple):
    """One picture: the text of a display (seat A's, or that of whom it concerns), the ring, and what they mean."""

    text: str
    colour: int
    pixels: int
    words: str


def scenes() -> list[Scene]:
    """Every picture, in the order of a game."""
    running = _running()
    return [
        _scene(view(Clock(Settings()), _AT_MS), N_("ring dark: no game is set up yet")),
        _scene(view(_ready(), _AT_MS), N_("white: ready, so much time for each move")),
        _scene(view(running, 18_000), N_("green: a move runs, so much is left")),
        _scene(view(running, 50_500), N_("amber: the last ten seconds, with tenths")),
        _scene(view(running, 57_400), N_("red: the last five seconds")),
        _scene(view(_expired(), 72_000), N_("red, all of it: the time is over, for so many seconds")),
        _scene(view(_stopped(29_000), 40_000), N_("blue: the clock stands, so much is left")),
        _scene(view(_resumed(29_000), 29_000), N_("blue: it goes on in so many seconds")),
        _scene(view(_withdrawn(29_000), 29_000), N_("this player has left the game"), k.SEAT_C),
        _scene(view(_over(29_000), 29_000), N_("dark: the game is over")),
        _scene(view(running, 18_000, _A_FAULT), N_("a fault, see below")),
    ]


def _scene(shown: View, words: str, seat: int = k.SEAT_A) -> Scene:
    colour, pixels, _seat = shown.ring
    return Scene(shown.displays[seat], colour, pixels, words)


def _ready() -> Clock:
    clock = Clock(Settings())
    clock.prepare(_AT_MS, 1, k.SEAT_A, k.TABLE)
    return clock


def _running() -> Clock:
    clock = _ready()
    clock.start(_AT_MS, k.TABLE)
    return clock


def _expired() -> Clock:
    clock = _running()
    clock.expire(clock.settings.limit_ms)
    return clock


def _stopped(at: int) -> Clock:
    clock = _running()
    clock.press(k.SEDZIA, True, at)
    return clock


def _resumed(at: int) -> Clock:
    clock = _stopped(at)
    clock.press(k.SEDZIA, True, at)
    return clock


def _withdrawn(at: int) -> Clock:
    clock = _stopped(at)
    clock.order(k.C_WITHDRAW, at, (k.SEAT_C,))
    clock.resume(at, k.TABLE)
    return clock


def _over(at: int) -> Clock:
    clock = _running()
    clock.press(2 * k.SEAT_A + c.JUZ, True, at)
    return clock
