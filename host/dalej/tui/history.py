"""What a person did in this run of the app, on whichever screen: taken back one after the other, the latest first, and
done after all until something else is done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from dalej.acts.wishes import Done, Hands, Wish
from dalej.tui.lastact import LastAct
from dalej.words import N_

MOST: Final = 50  # that are remembered
TAKEN_BACK: Final = N_("taken back")
HALL, TABLE = "hall", "table"


class Place(NamedTuple):
    """Where something is done. `screen`: the hall, a table, or an office screen by the name of its way."""

    screen: str
    table: int = 0

    def shows(self, other: Place) -> bool:
        """Whether whoever is here sees what was done there; the hall shows its tables."""
        return self == other or (self.screen == HALL and other.screen == TABLE)


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done, and where. `hands`: whose. `undone`: what came of taking it back, None as long as it stands.
    `said` and `said_back`: in better words than the desk's, "" for those.
    """

    wish: Wish
    done: Done
    hands: Hands
    place: Place
    undone: Done | None = None
    said: str = ""
    said_back: str = ""

    def __str__(self) -> str:
        return self.said or str(self.done)

    def undo(self, seen: int) -> Wish | None:
        """The wish that takes it back, as of what is seen now; None: nothing does."""
        wish = self.done.undo
        return None if wish is None else replace(wish, seen=seen, why=wish.why or TAKEN_BACK)

    def again(self, seen: int) -> Wish:
        """The wish that does it after all; a lot that has fallen is not drawn anew."""
        wish = self.wish if self.undone is None or self.undone.undo is None else self.undone.undo
        args = dict(wish.args)
        if wish is self.wish and wish.act == "draw_seating" and (seed := self.done.data.get("seed")):
            args["seed"] = seed
        return replace(wish, args=args, seen=seen)


class History:
    """`last`: what came of the last key that did something, or tried to."""

    def __init__(self) -> None:
        self.last: LastAct | None = None
        self._done: list[Deed] = []
        self._back: list[Deed] = []

    @property
    def to_take_back(self) -> Deed | None:
        """What is taken back next."""
        return self._done[-1] if self._done else None

    @property
    def to_do_again(self) -> Deed | None:
        """What was taken back last."""
        return self._back[-1] if self._back else None

    @property
    def is_last(self) -> bool:
        """Whether what is taken back next is what was done last."""
        deed, last = self.to_take_back, self.last
        return deed is not None and last is not None and deed.done is last.done

    @property
    def stays(self) -> LastAct | None:
        """What was done last, if nothing takes it back: what could be is something else."""
        last = self.last
        stays = last is not None and last.done is not None and last.done.undo is None and not last.back
        return last if stays else None

    def was_done(self, deed: Deed, now_ms: int) -> None:
        """Something new: what was taken back stays so."""
        self._back.clear()
        self._put(deed, now_ms)

    def was_taken_back(self, deed: Deed, done: Done, now_ms: int) -> None:
        """It does not stand any more."""
        self._without(deed)
        self._back.append(replace(deed, undone=done))
        self.last = LastAct(now_ms, done, back=True, said=deed.said_back)

    def was_done_again(self, deed: Deed, done: Done, now_ms: int) -> None:
        """It stands after all."""
        self._without(deed)
        self._put(replace(deed, done=done, undone=None), now_ms)

    def reword(self, said: str, said_back: str) -> None:
        """What was done last, and that it is taken back, in better words than the desk's."""
        if self.is_last:
            deed = replace(self._done[-1], said=said, said_back=said_back)
            self._done[-1] = deed
            self.last = None if self.last is None else replace(self.last, said=said)

    def came_to_nothing(self, trouble: str, now_ms: int) -> None:
        """Nothing was done, and why."""
        self.last = LastAct(now_ms, None, trouble)

    def let_be(self, deed: Deed) -> None:
        """The desk does not do that: it is not asked for it again."""
        self._without(deed)

    def _put(self, deed: Deed, now_ms: int) -> None:
        self.last = LastAct(now_ms, deed.done, said=deed.said)
        if deed.done.undo is not None:
            self._done = [*self._done, deed][-MOST:]

    def _without(self, deed: Deed) -> None:
        self._done = [one for one in self._done if one is not deed]
        self._back = [one for one in self._back if one is not deed]
