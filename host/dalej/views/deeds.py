"""What a person did in this run of the app, on whichever screen: taken back one after the other, the latest first;
and the last act: what became of it at the boxes, for how long it is news.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from dalej.domain.game.rulings import Ahead
from dalej.domain.game.sentences import word
from dalej.office.acts.waiting import itself
from dalej.office.acts.wishes import Done, Hands, Wish
from dalej.views.requests import Answered
from dalej.words import N_, _, ngettext, said

SHOWN_MS: Final = 45_000  # it is shown for so long, longer while a box is silent about what matters
_SAYS_SO: Final = "Taken back:"  # how a sentence begins that needs no such word before it
_TABLES_MOST: Final = 6  # that are named


@dataclass(frozen=True, slots=True)
class LastAct:
    """`since_ms`: of the screen's own time. `trouble`: why it was refused, "" if it was not. `back`: it took back what
    had been done before it. `said`: in better words than the desk's, "" for those.
    """

    since_ms: int
    done: Done | None = None
    trouble: str = ""
    back: bool = False
    said: str = ""

    def waits(self, asked: Sequence[Answered]) -> bool:
        """Whether a box still has to answer."""
        wanted = () if self.done is None else self.done.requests
        return len(asked) < len(wanted) or any(one.result in ("waiting", "no_link") for one in asked)

    def is_shown(self, now_ms: int, asked: Sequence[Answered], ahead: Sequence[Ahead] = ()) -> bool:
        """Whether it is still news; a ruling that came to nothing is until something else is done."""
        if "astray" in ahead or "overtaken" in ahead:
            return True
        waits = self.waits(asked) or "waits" in ahead
        waited_for = self.done is not None and self.done.undo is not None and waits
        return now_ms - self.since_ms < (10 * SHOWN_MS if waited_for else SHOWN_MS)

    def sentence(self) -> str:
        """What was done, "" if nothing was."""
        if self.done is None:
            return ""
        words = self.said or str(self.done)
        says_so = self.said or itself(self.done).template.startswith(_SAYS_SO)
        return words if says_so or not self.back else _("Taken back:") + f" {words}"

    def words(self, asked: Sequence[Answered], ahead: Sequence[Ahead] = ()) -> str:
        """In one sentence or two, with what the boxes made of it. `ahead`: what became of a ruling that was made before
        the facts of its time-out were there.
        """
        if self.done is None:
            return f"✗ {self.trouble}"
        came = [*outcome_words(self.done, asked), *ahead_words(ahead)]
        return " ".join((["↶"] if self.back else []) + [self.sentence(), *came])


_FIRST_TOLD: Final = ("refused", "no_link", "waiting", "applied")


def outcome_words(done: Done, asked: Sequence[Answered]) -> list[str]:
    """What the boxes made of it; of several, how many have answered and which have not."""
    count = len(done.requests)
    if not count:
        return []
    if (
        count > 1 and len(asked) == count and len({one.table for one in asked}) == 1
    ):  # one box, asked for several things
        return [_one(min(asked, key=lambda one: _FIRST_TOLD.index(one.result)))]
    by: dict[str, list[Answered]] = {}
    for one in asked:
        by.setdefault(one.result, []).append(one)
    if count == 1:
        return [_one(asked[0] if asked else None)]
    ready = len(by.get("applied", ()))
    told = ["{mark} {words}".format(
        mark="✓" if ready == count else "…",
        words=_("{ready} of {count} boxes have done it.").format(ready=ready, count=count),
    )]  # fmt: skip
    if refused := by.get("refused"):
        told.append("✗ " + ngettext("refused at table {tables}.", "refused at tables {tables}.", len(refused)).format(
            tables=_tables(refused)))  # fmt: skip
    if far := by.get("no_link"):
        told.append("◌ " + ngettext("no link to table {tables}.", "no link to tables {tables}.", len(far)).format(
            tables=_tables(far)))  # fmt: skip
    if (waits := count - sum(map(len, by.values())) + len(by.get("waiting", ()))) and ready < count:
        told.append(ngettext("{count} is waited for.", "{count} are waited for.", waits).format(count=waits))
    return told


def ahead_words(ahead: Sequence[Ahead]) -> list[str]:
    """What became of a ruling that came before its facts."""
    told = {
        "waits": "… " + _("one moment: it holds as soon as the box has told."),
        "holds": "✓ " + _("the box has told of it: the ruling holds."),
        "overtaken": "✗ "
        + _("it does not hold: the table had settled it otherwise before; look at it, then rule again."),
        "astray": "✗ " + _("it rules nothing: by what its box has told, no time-out waited there; look at the table."),
    }
    return [told[one] for one in ahead]


def _one(asked: Answered | None) -> str:
    match None if asked is None else asked.result:
        case "applied":
            return "✓ " + _("the box has done it.")
        case "refused":
            return "✗ " + _("the box refused: {reason}.").format(reason=word(asked.reason) if asked else "")
        case "no_link":
            return "◌ " + _("no link to the box yet.")
    return "… " + _("waiting for the box.")


def _tables(asked: Sequence[Answered]) -> str:
    named = ", ".join(str(one.table) for one in asked[:_TABLES_MOST])
    return named + (" …" if len(asked) > _TABLES_MOST else "")


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
        return self.said or said(itself(self.done))

    def undo(self, seen: int) -> Wish | None:
        """The wish that takes it back, as of what is seen now; None: nothing does."""
        wish = self.done.undo
        return None if wish is None else replace(wish, seen=seen, why=wish.why or TAKEN_BACK)

    def again(self, seen: int) -> Wish:
        """The wish that does it after all; a lot that has fallen is not drawn anew."""
        wish = self.wish if self.undone is None or self.undone.undo is None else self.undone.undo
        args = dict(wish.args)
        seed = self.done.data.get("seed")
        if wish is self.wish and wish.act == "draw_seating" and isinstance(seed, int) and seed:
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
