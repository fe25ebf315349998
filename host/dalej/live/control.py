"""What a screen may wish of the hall, and who grants it: a simulated hall plays along, a real one refuses."""

from __future__ import annotations

from typing import Protocol

from dalej.errors import Refused
from dalej.live.messages import Face, Finger, Power, Reach, Speed, Take, Tap
from dalej.words import N_

Wish = Take | Finger | Tap | Reach | Power | Speed


class Control(Protocol):
    """`screen` is the number of the screen that asks. Refused, in words, what is not granted.

    `speed`: how many of the desk's ms pass in one of ours; `simulated`: the boxes can be played from a screen.
    """

    @property
    def simulated(self) -> bool: ...

    @property
    def speed(self) -> float: ...

    def wish(self, screen: int, wish: Wish) -> None: ...

    def face(self, screen: int, table: int) -> Face:
        """The box of that table as it looks now; asked again and again while somebody looks."""

    def gone(self, screen: int) -> None:
        """The screen is no longer there: what it held is given back."""


class RealBoxes:
    """Nobody plays a real box from a screen."""

    simulated = False
    speed = 1.0

    def wish(self, screen: int, wish: Wish) -> None:  # noqa: ARG002 -- the same answer whoever wishes what
        raise Refused(N_("the boxes of this hall are real: they are played at their tables"))

    def face(self, screen: int, table: int) -> Face:  # noqa: ARG002 -- no real box has a drawing, for whichever screen
        raise Refused(N_("the box of this table is a real one: it is not drawn here, what it reports is shown"))

    def gone(self, screen: int) -> None:
        """It held nothing."""
