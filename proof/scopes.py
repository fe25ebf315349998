"""Every case of a small scope: a handshake, a game that is set up and two moves of it between a box and a desk. Of as
many frames, from the first one on, as that takes when nothing fails, any two may be lost, doubled or overtaken, and any
one may be the last that an end sees before it crashes; what is sent after these arrives. In each the desk ends with the
box's journal.

The cases are numbered, and played in an order that jumps about, so that a part of them is of all kinds.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final

from proof.campaign import Outcome, fates, share
from tests.link.rig import UID, Rig

FATES: Final = {"lost": [], "doubled": [(0, False), (0, False)], "overtaken": [(45, False)]}
ENDS: Final = ("box", "desk")
A_STORY: Final = 100  # cases
OFF_MS: Final = 300

Case = tuple[tuple[str, int] | None, tuple[tuple[int, str], ...]]  # who crashes at which frame; frame and its fate


class Scope:
    """The link of one rig, from its first frame on."""

    def __init__(self, case: Case) -> None:
        self.frames = 0
        self._crash, met = case
        self._fates = dict(met)
        self._rig = Rig()
        self._usual = self._rig.radio.fates
        self._rig.radio.fates = self._next  # type: ignore[method-assign]  # what a frame meets is the case's

    def play(self) -> None:
        """Then all is well, and both ends know the same."""
        rig = self._rig
        rig.radio.cut(UID)
        rig.run(1_000)
        rig.configured()
        rig.moves(2, every_ms=1_500)
        rig.radio.fates = self._usual  # type: ignore[method-assign]  # all is well again
        rig.settle()
        assert rig.shelf.log() == rig.journal(), "the desk's log is not the box's journal"
        assert not rig.shelf.conflicts, "one number has two facts"
        numbers = [fact.seq for fact in rig.journal()]
        assert numbers == [*range(1, len(numbers) + 1)], "a number is missing"

    def _next(self) -> list[tuple[int, bool]] | None:
        number, self.frames = self.frames, self.frames + 1
        if self._crash is not None and self._crash[1] == number:
            self._rig.world.after(0, self._box_crashes if self._crash[0] == "box" else self._desk_crashes)
        fate = self._fates.get(number)
        return [(0, True)] if fate is None else [*FATES[fate]]

    def _box_crashes(self) -> None:
        self._rig.sim.power_off()
        self._rig.world.after(OFF_MS, self._rig.sim.power_on)

    def _desk_crashes(self) -> None:
        """What it has stored stays, what it knew of the link is gone."""
        self._rig.shelf.session = None
        self._rig.radio.cut(UID)


@cache
def cases() -> tuple[Case, ...]:
    """All of them."""
    usual = Scope((None, ()))
    usual.play()
    frames = range(usual.frames)
    crashes = [None, *product(ENDS, frames)]
    return tuple(product(crashes, [(), *fates(frames, FATES, 1), *fates(frames, FATES, 2)]))


def of_two_moves(seed: int) -> Outcome:
    """A hundred cases."""
    counts = {"cases": 0, "... with a crash": 0, "... with two faults": 0}
    for case in share(cases(), seed, A_STORY):
        try:
            Scope(case).play()
        except AssertionError as fault:
            raise AssertionError(f"{case}: {fault}") from fault
        counts["cases"] += 1
        counts["... with a crash"] += case[0] is not None
        counts["... with two faults"] += len(case[1]) == 2
    return Outcome(counts)
